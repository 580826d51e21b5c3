/* The minimality attack (Wong et al. 2007): an outsider who knows the method, the models and the
 * quasi-identifiers of all persons tries every assignment of the released sensitive values to the
 * persons, runs the method on each, and keeps those that give the release. docs/models-explained.md
 * has an example.
 *
 * Those that give the release are weighed by the number of ways to assign their values. */
#include "command/minimality.h"

#include "command/command.h"
#include "command/link/link.h"
#include "findings/findings.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WORLDS = 20000, MOST_PERSONS = 200, MOST_LISTED = 100 };

/* Persons with equal quasi-identifiers, who cannot be distinguished. */
typedef struct tuple {
    size_t person;    /* the first of them */
    uint64_t n;       /* how many they are */
    size_t only;      /* the one class that covers them; SIZE_MAX: several do */
    uint64_t *most;   /* [n_values] rows of covering classes that have the value */
    uint64_t *had;    /* [n_values] of them in the current world */
    double *expected; /* [n_values] sum over possible worlds of weight times had */
} tuple;

typedef struct attack {
    const mgl_outsider *outsider;
    const mgl_reading *release;
    size_t n_rows, n_sensitive, m;
    size_t *value_of; /* [n_rows] which combination of sensitive values a row has */
    size_t *row_of;   /* [n_values] a row that has it */
    size_t n_values;
    uint64_t *left;       /* [n_values] not assigned yet */
    uint64_t *class_left; /* [class * n_values + value] likewise, of the rows of a class */
    size_t *tuple_of;     /* [n_rows] persons */
    tuple *tuples;
    size_t n_tuples;
    mgl_arena *arena;
    char **wanted;     /* [n_rows] the rows of the release as texts, sorted */
    mgl_job *job;      /* that the method is run with */
    uint64_t n_worlds; /* assignments that the classes allow */
    uint64_t n_possible;
    double weight; /* of the possible ones */
    bool counting; /* worlds are counted, nothing is run */
    uint64_t n_counted;
    mgl_error *err;
} attack;

/* ---- The release ----------------------------------------------------------------------------- */

static mgl_span cell(const mgl_column *column, size_t row)
{
    return mgl_dictionary_value(column->dictionary, mgl_column_code(column, row));
}

static bool have_equal_values(const attack *x, size_t a, size_t b)
{
    for (size_t s = 0; s < x->n_sensitive; s++)
        if (mgl_column_code(x->release->counted[s], a) !=
            mgl_column_code(x->release->counted[s], b))
            return false;
    return true;
}

static void find_values(attack *x)
{
    for (size_t row = 0; row < x->n_rows; row++) {
        size_t v = 0;
        while (v < x->n_values && !have_equal_values(x, row, x->row_of[v]))
            v++;
        if (v == x->n_values)
            x->row_of[x->n_values++] = row;
        x->value_of[row] = v;
        x->left[v]++;
    }
}

/* The class of a row: its tuple in the list. */
static size_t class_of(const attack *x, size_t row)
{
    const mgl_frequency_list *list = x->outsider->setup->counts.list;
    for (size_t t = 0; t < list->n_tuples; t++) {
        size_t a = 0;
        while (a < x->m) {
            const mgl_bound_column *bound = &x->release->bound[a];
            uint32_t leaf = bound->leaf_of_code[mgl_column_code(bound->column, row)];
            if (leaf != mgl_list_leaf(list, t, a))
                break;
            a++;
        }
        if (a == x->m)
            return t;
    }
    return SIZE_MAX;
}

static void put_text(mgl_buffer *line, mgl_span text)
{
    mgl_buffer_span(line, text);
    mgl_buffer_append(line, "\x1f", 1);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static mgl_status take_line(mgl_arena *arena, mgl_buffer *line, mgl_error *err, char **out)
{
    *out = line->failed ? NULL : mgl_arena_copy(arena, line->data, line->size);
    line->size = 0;
    return *out != NULL ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status want_rows(attack *x)
{
    mgl_buffer line = {0};
    mgl_status status = MGL_OK;
    for (size_t row = 0; row < x->n_rows; row++) {
        for (size_t a = 0; a < x->m; a++)
            put_text(&line, cell(x->release->quasi[a].column, row));
        for (size_t s = 0; s < x->n_sensitive; s++)
            put_text(&line, cell(x->release->counted[s], row));
        MGL_GO(take_line(x->arena, &line, x->err, &x->wanted[row]));
    }
    qsort(x->wanted, x->n_rows, sizeof *x->wanted, compare_lines);
done:
    mgl_buffer_free(&line);
    return status;
}

/* ---- The persons ----------------------------------------------------------------------------- */

typedef struct covering {
    attack *x;
    tuple *t;
    size_t n;
} covering;

static void add_class(void *context, uint32_t class)
{
    covering *c = context;
    c->t->only = c->n++ == 0 ? class : SIZE_MAX;
    for (size_t v = 0; v < c->x->n_values; v++)
        c->t->most[v] += c->x->class_left[class * c->x->n_values + v];
}

static bool are_alike(const attack *x, size_t a, size_t b)
{
    const uint32_t *codes = x->outsider->bound->codes;
    return memcmp(codes + a * x->m, codes + b * x->m, x->m * sizeof *codes) == 0;
}

static mgl_status add_tuple(attack *x, size_t person)
{
    tuple *t = &x->tuples[x->n_tuples++];
    *t = (tuple){.person = person, .only = SIZE_MAX};
    t->most = mgl_arena_alloc(x->arena, x->n_values * sizeof *t->most);
    t->had = mgl_arena_alloc(x->arena, x->n_values * sizeof *t->had);
    t->expected = mgl_arena_alloc(x->arena, x->n_values * sizeof *t->expected);
    MGL_TRY(mgl_check_memory(t->most != NULL && t->had != NULL && t->expected != NULL, x->err));
    memset(t->most, 0, x->n_values * sizeof *t->most);
    memset(t->had, 0, x->n_values * sizeof *t->had);
    for (size_t v = 0; v < x->n_values; v++)
        t->expected[v] = 0;
    covering covers = {x, t, 0};
    mgl_match(x->outsider->matcher, x->outsider->bound->codes + person * x->m, add_class, &covers);
    return MGL_OK;
}

static mgl_status find_tuples(attack *x)
{
    for (size_t person = 0; person < x->n_rows; person++) {
        size_t t = 0;
        while (t < x->n_tuples && !are_alike(x, person, x->tuples[t].person))
            t++;
        if (t == x->n_tuples)
            MGL_TRY(add_tuple(x, person));
        x->tuples[t].n++;
        x->tuple_of[person] = t;
    }
    return MGL_OK;
}

/* ---- The method ------------------------------------------------------------------------------ */

/* Keys that say which tables are read and what is written, not how a release is made. */
static bool is_of_attack(const char *key)
{
    static const char *const keys[] = {"data",         "external",      "against",
                                       "output",       "rows",          "result",
                                       "report",       "save-job",      "rest",
                                       "minimality",   "title",         "purpose",
                                       "recipient",    "author",        "date",
                                       "where",        "delimiter",     "no-header",
                                       "encoding",     "memory",        "threads",
                                       "sign",         "statement",     "disclose",
                                       "save-promise", "save-recoding", "save-map",
                                       "save-proof",   "dry-run",       "brief",
                                       "keep-order",   "history",       "key",
                                       "header",       "sample",        "neutralize",
                                       "overwrite",    "partition-by",  "quasi-identifiers"};
    return mgl_names_have(keys, sizeof keys / sizeof keys[0], key);
}

/* Is it a quasi-identifier or a sensitive column? No other is in the tables that are tried. */
static bool is_known(const attack *x, const char *column)
{
    for (size_t a = 0; a < x->m; a++)
        if (strcmp(x->release->quasi[a].settings->name, column) == 0)
            return true;
    for (size_t s = 0; s < x->n_sensitive; s++)
        if (strcmp(x->release->counted[s]->name, column) == 0)
            return true;
    return false;
}

static mgl_status take(void *context, const mgl_job_value *given, mgl_error *err)
{
    const attack *x = context;
    if (given->column != NULL ? !is_known(x, given->column) : is_of_attack(given->key))
        return MGL_OK;
    return mgl_job_take_value(x->job, given->key, given->column, given->value, err);
}

static mgl_status make_job(attack *x)
{
    const mgl_settings *settings = x->release->settings;
    const json_t *audit = json_object_get(settings->claimed.document, "audit");
    json_t *document;
    MGL_TRY(mgl_job_new(x->err, &x->job));
    MGL_TRY(mgl_job_document(settings->job, MGL_JOB_SECRET, NULL, x->err, &document));
    mgl_status status = mgl_job_document_each(document, take, x, x->err);
    json_decref(document);
    MGL_TRY(status);
    if (audit != NULL)
        MGL_TRY(mgl_job_document_each(json_object_get(audit, "job"), take, x, x->err));
    MGL_TRY(mgl_job_set(x->job, "data", "memory:world.csv", x->err));
    MGL_TRY(mgl_job_set(x->job, "output", "memory:minimal.csv", x->err));
    MGL_TRY(mgl_job_set(x->job, "delimiter", "comma", x->err));
    MGL_TRY(mgl_job_set(x->job, "threads", "1", x->err));
    MGL_TRY(mgl_job_set(x->job, "brief", "true", x->err));
    MGL_TRY(mgl_job_set(x->job, "allow-leaks", "true", x->err));
    return mgl_job_set(x->job, "keep-order", "true", x->err);
}

/* ---- One world ------------------------------------------------------------------------------- */

static void put_cell(mgl_buffer *out, mgl_span text, bool last)
{
    mgl_text_quote(out, text, ',', false);
    mgl_buffer_text(out, last ? "\n" : ",");
}

/* The table of a world: each person with what is assigned. */
static void put_world(const attack *x, mgl_buffer *out)
{
    const mgl_table *persons = x->outsider->bound->persons;
    size_t n = x->m + x->n_sensitive;
    for (size_t c = 0; c < n; c++)
        put_cell(out,
                 mgl_span_of(c < x->m ? x->release->quasi[c].settings->name
                                      : x->release->counted[c - x->m]->name),
                 c + 1 == n);
    for (size_t t = 0; t < x->n_tuples; t++)
        for (size_t v = 0; v < x->n_values; v++)
            for (uint64_t i = 0; i < x->tuples[t].had[v]; i++)
                for (size_t c = 0; c < n; c++)
                    put_cell(out,
                             c < x->m ? cell(&persons->columns[c], x->tuples[t].person)
                                      : cell(x->release->counted[c - x->m], x->row_of[v]),
                             c + 1 == n);
}

/* Are the rows of a release those that are wanted, in whatever order? */
static mgl_status compare_rows(const attack *x, mgl_error *err, bool *same)
{
    mgl_source_options options = {.as_written = true, .delimiter = ','};
    size_t n = x->m + x->n_sensitive;
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    mgl_arena *arena = mgl_arena_new();
    char **lines = mgl_zeroed_array(x->n_rows, sizeof *lines);
    mgl_source *source = NULL;
    mgl_table *table = NULL;
    mgl_buffer line = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL && arena != NULL && lines != NULL, err));
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    MGL_GO(mgl_source_open("memory:minimal.csv", &options, err, &source));
    MGL_GO(mgl_source_read(source, requested, n, NULL, &(mgl_progress){0}, err, &table));
    *same = table->n_rows == x->n_rows;
    for (size_t row = 0; *same && row < table->n_rows; row++) {
        for (size_t c = 0; c < n; c++)
            put_text(&line, cell(&table->columns[c], row));
        MGL_GO(take_line(arena, &line, err, &lines[row]));
    }
    if (*same)
        qsort(lines, x->n_rows, sizeof *lines, compare_lines);
    for (size_t row = 0; *same && row < x->n_rows; row++)
        *same = strcmp(lines[row], x->wanted[row]) == 0;
done:
    mgl_buffer_free(&line);
    mgl_table_free(table);
    mgl_source_close(source);
    mgl_free(lines);
    mgl_arena_free(arena);
    mgl_free(requested);
    return status;
}

/* Runs the method on the world in a call of its own, and looks at what it released. */
static mgl_status run_method(const attack *x, mgl_error *err, bool *same)
{
    mgl_call inner = mgl_call_anew();
    mgl_memory_store made = {0};
    mgl_session *session = NULL;
    mgl_result *result = NULL;
    mgl_job *own = NULL;
    inner.given = mgl_job_given(x->job);
    inner.made = &made;
    inner.in_memory = true;
    const mgl_call *before = mgl_call_enter(&inner);
    mgl_status status = MGL_OK;
    *same = false;
    MGL_GO(mgl_job_for_run(x->job, err, &own));
    MGL_GO(mgl_session_begin(err, &session));
    MGL_GO(mgl_command_anonymize(session, own, err, &result));
    inner.given = &made;
    MGL_GO(compare_rows(x, err, same));
done:
    mgl_result_free(result);
    mgl_session_end(session);
    mgl_job_free(own);
    mgl_memory_store_clear(&made);
    mgl_call_leave(before);
    return status == MGL_UNMET ? MGL_OK : status; /* no release is none that was made */
}

/* How many ways there are to give the persons of a world its values. */
static double weight_of(const attack *x)
{
    double weight = 0;
    for (size_t t = 0; t < x->n_tuples; t++) {
        weight += lgamma((double)x->tuples[t].n + 1);
        for (size_t v = 0; v < x->n_values; v++)
            weight -= lgamma((double)x->tuples[t].had[v] + 1);
    }
    return round(exp(weight));
}

static mgl_status try_world(attack *x)
{
    mgl_buffer text = {0};
    bool same = false;
    if (++x->n_worlds > MOST_WORLDS)
        return mgl_fail_key(
            x->err, MGL_CODE_LIMIT, "minimality",
            "`minimality`: more than %d assignments of sensitive values fit the classes of the "
            "release, and each is tried; take a smaller table, or one town or stratum of it",
            MOST_WORLDS);
    if (x->counting)
        return MGL_OK;
    MGL_TRY(mgl_progress_report(&x->release->settings->progress, "attack", x->n_worlds,
                                x->n_counted, x->err));
    put_world(x, &text);
    MGL_TRY(mgl_check_memory(!text.failed, x->err));
    mgl_status status =
        mgl_job_give_bytes(x->job, "world.csv", text.data, text.size, NULL, NULL, x->err);
    if (status == MGL_OK)
        status = run_method(x, x->err, &same);
    mgl_buffer_free(&text);
    MGL_TRY(status);
    if (!same)
        return MGL_OK;
    double weight = weight_of(x);
    x->n_possible++;
    x->weight += weight;
    for (size_t t = 0; t < x->n_tuples; t++)
        for (size_t v = 0; v < x->n_values; v++)
            x->tuples[t].expected[v] += weight * (double)x->tuples[t].had[v];
    return MGL_OK;
}

/* ---- All worlds ------------------------------------------------------------------------------ */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Gives the persons of tuple t, of whom n have no value yet, values from v on. */
static mgl_status assign(attack *x, size_t t, size_t v, uint64_t n)
{
    if (t == x->n_tuples)
        return try_world(x);
    tuple *here = &x->tuples[t];
    if (v == x->n_values)
        return n > 0 ? MGL_OK : assign(x, t + 1, 0, t + 1 < x->n_tuples ? x->tuples[t + 1].n : 0);
    uint64_t *in_class =
        here->only != SIZE_MAX ? &x->class_left[here->only * x->n_values + v] : NULL;
    uint64_t most = least(n, least(x->left[v], here->most[v]));
    most = in_class != NULL ? least(most, *in_class) : most;
    mgl_status status = MGL_OK;
    for (uint64_t i = 0; status == MGL_OK && i <= most; i++) {
        here->had[v] = i;
        x->left[v] -= i;
        if (in_class != NULL)
            *in_class -= i;
        status = assign(x, t, v + 1, n - i);
        x->left[v] += i;
        if (in_class != NULL)
            *in_class += i;
    }
    here->had[v] = 0;
    return status;
}

static mgl_status try_all(attack *x)
{
    x->counting = true;
    MGL_TRY(assign(x, 0, 0, x->tuples[0].n));
    x->counting = false;
    x->n_counted = x->n_worlds;
    x->n_worlds = 0;
    const char *before = mgl_progress_within("attack");
    mgl_status status = assign(x, 0, 0, x->tuples[0].n);
    mgl_progress_go_on(before);
    return status;
}

/* ---- What is learnt -------------------------------------------------------------------------- */

/* One sensitive column for the persons of a tuple. */
typedef struct belief {
    uint32_t value;             /* the likeliest */
    double posterior;           /* that they have it */
    double naive;               /* its share among the rows that match */
    size_t n_naive, n_possible; /* different values that rows show, and that are possible */
    double most_naive;          /* the largest share among the rows that match */
} belief;

/* Sums over combinations of values with one value in the column. */
static double sum_of(const attack *x, size_t s, uint32_t code, const uint64_t *counts,
                     const double *weights)
{
    double sum = 0;
    for (size_t v = 0; v < x->n_values; v++)
        if (mgl_column_code(x->release->counted[s], x->row_of[v]) == code)
            sum += counts != NULL ? (double)counts[v] : weights[v];
    return sum;
}

static belief believe(const attack *x, const tuple *t, size_t s)
{
    const mgl_column *column = x->release->counted[s];
    belief b = {.value = MGL_NOT_FOUND};
    double rows = 0;
    for (size_t v = 0; v < x->n_values; v++)
        rows += (double)t->most[v];
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++) {
        double shown = sum_of(x, s, code, t->most, NULL);
        double likely = sum_of(x, s, code, NULL, t->expected) / (x->weight * (double)t->n);
        double naive = rows > 0 ? shown / rows : 0;
        b.n_naive += shown > 0;
        b.n_possible += likely > 0;
        b.most_naive = naive > b.most_naive ? naive : b.most_naive;
        if (likely > b.posterior) {
            b.value = code;
            b.posterior = likely;
            b.naive = naive;
        }
    }
    return b;
}

/* The share of a class that a model lets one value have at most, whatever the table is. */
static double largest_share(const mgl_model_settings *settings)
{
    const mgl_model_type *type = settings->type;
    mgl_model model = {.type = type};
    if (type->terms == NULL || type->looks_at_input || type->needs_population)
        return 1;
    memcpy(model.parameters, settings->parameters, sizeof model.parameters);
    mgl_value_terms terms = type->terms(&model);
    return terms.rule == MGL_VALUES_SHARES && terms.decides ? terms.most(&model, 0) : 1;
}

/* Does the belief break what a model promises of the classes? */
static bool is_beyond(const attack *x, size_t s, const belief *b, const mgl_settings *job)
{
    const char *column = x->release->counted[s]->name;
    if (b->n_naive > 1 && b->n_possible == 1)
        return true;
    for (size_t i = 0; i < job->n_models; i++) {
        const mgl_model_settings *model = &job->models[i];
        bool here = model->attribute == NULL || strcmp(model->attribute, column) == 0;
        if (here && model->type->distinct != MGL_DISTINCT_NONE &&
            (double)b->n_possible < model->parameters[0] &&
            (double)b->n_naive >= model->parameters[0])
            return true;
        double share = here ? largest_share(model) : 1;
        if (b->posterior > share + 1e-9 && b->most_naive <= share + 1e-9)
            return true;
    }
    return false;
}

static json_t *person_json(const attack *x, size_t person)
{
    const mgl_column *name = x->outsider->name;
    if (name == NULL)
        return mgl_json_count(person + 1);
    mgl_span text = cell(name, person);
    return json_stringn(text.data, text.size);
}

static json_t *belief_json(const attack *x, size_t person, size_t s, const belief *b, bool beyond)
{
    const mgl_column *column = x->release->counted[s];
    mgl_span value = mgl_dictionary_value(column->dictionary, b->value);
    json_t *one = json_object();
    mgl_json_set(one, "person", person_json(x, person));
    mgl_json_set(one, "column", json_string(column->name));
    mgl_json_set(one, "value", json_stringn(value.data, value.size));
    mgl_json_set(one, "naive", mgl_json_real(b->naive));
    mgl_json_set(one, "posterior", mgl_json_real(b->posterior));
    mgl_json_set(one, "beyond", json_boolean(beyond));
    return one;
}

static void report(const attack *x, const mgl_settings *job, mgl_result *result)
{
    json_t *object = json_object(), *list = json_array();
    uint64_t n_beyond = 0, n_listed = 0;
    for (size_t person = 0; person < x->n_rows; person++) {
        bool beyond = false;
        for (size_t s = 0; s < x->n_sensitive && x->n_possible > 0; s++) {
            belief b = believe(x, &x->tuples[x->tuple_of[person]], s);
            bool here = is_beyond(x, s, &b, job);
            beyond = beyond || here;
            if (b.value != MGL_NOT_FOUND && n_listed++ < MOST_LISTED)
                mgl_json_append(list, belief_json(x, person, s, &b, here));
        }
        n_beyond += beyond;
    }
    mgl_json_set(object, "assignments", mgl_json_count(x->n_worlds));
    mgl_json_set(object, "possible", mgl_json_count(x->n_possible));
    mgl_json_set(object, "disclosed", mgl_json_count(n_beyond));
    mgl_json_set(object, "persons", list);
    mgl_json_set(result->document, "minimality", object);
    if (x->n_possible == 0)
        mgl_result_warn(result, "minimality",
                        "no assignment of sensitive values to these persons gives this release: "
                        "it was made by another job, or of other persons");
    else if (n_beyond > 0)
        mgl_result_warn(result, "minimality",
                        "an outsider who knows the method learns more about %llu persons than the "
                        "models allow the classes to show",
                        (unsigned long long)n_beyond);
}

/* ---- All ------------------------------------------------------------------------------------- */

static mgl_status refuse(const attack *x)
{
    size_t n = x->outsider->bound->persons->n_rows;
    if (x->n_sensitive == 0)
        return mgl_fail_key(
            x->err, MGL_CODE_MISSING_KEY, "minimality",
            "`minimality` is about sensitive values; name the column with `sensitive`");
    if (n != x->n_rows)
        return mgl_fail_key(x->err, MGL_CODE_CONFLICT, "external",
                            "`minimality` needs the persons of the release: the release has %zu "
                            "rows, and the external table %zu; leave out who is not in it (rows "
                            "that were dropped cannot be attacked so)",
                            x->n_rows, n);
    if (n > MOST_PERSONS)
        return mgl_fail_key(x->err, MGL_CODE_LIMIT, "minimality",
                            "`minimality` tries all assignments of %zu persons, and at most %d are "
                            "tried; take one town or stratum of the table",
                            n, MOST_PERSONS);
    return MGL_OK;
}

static mgl_status begin(attack *x)
{
    size_t n = x->n_rows, classes = x->outsider->setup->counts.list->n_tuples;
    x->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(x->arena != NULL, x->err));
    x->value_of = mgl_arena_alloc(x->arena, n * sizeof *x->value_of);
    x->row_of = mgl_arena_alloc(x->arena, n * sizeof *x->row_of);
    x->left = mgl_arena_alloc(x->arena, n * sizeof *x->left);
    x->tuple_of = mgl_arena_alloc(x->arena, n * sizeof *x->tuple_of);
    x->tuples = mgl_arena_alloc(x->arena, n * sizeof *x->tuples);
    x->wanted = mgl_arena_alloc(x->arena, n * sizeof *x->wanted);
    x->class_left = mgl_arena_alloc(x->arena, classes * n * sizeof *x->class_left);
    MGL_TRY(mgl_check_memory(x->value_of != NULL && x->row_of != NULL && x->left != NULL &&
                                 x->tuple_of != NULL && x->tuples != NULL && x->wanted != NULL &&
                                 x->class_left != NULL,
                             x->err));
    memset(x->left, 0, n * sizeof *x->left);
    memset(x->class_left, 0, classes * n * sizeof *x->class_left);
    find_values(x);
    for (size_t row = 0; row < x->n_rows; row++) {
        size_t c = class_of(x, row);
        if (c != SIZE_MAX)
            x->class_left[c * x->n_values + x->value_of[row]]++;
    }
    MGL_TRY(want_rows(x));
    MGL_TRY(find_tuples(x));
    return make_job(x);
}

mgl_status mgl_minimality_find(const mgl_outsider *outsider, mgl_error *err, mgl_result *result)
{
    const mgl_reading *release = outsider->setup->reading;
    const mgl_settings *job;
    attack x = {.outsider = outsider,
                .release = release,
                .n_rows = release->table->n_rows,
                .n_sensitive = release->n_sensitive,
                .m = release->n_quasi,
                .err = err};
    mgl_status status = MGL_OK;
    MGL_GO(refuse(&x));
    MGL_GO(begin(&x));
    MGL_GO(mgl_job_settings(x.job, MGL_ANONYMIZE, err, &job));
    if (job->n_models == 0)
        MGL_GO(mgl_fail_key(err, MGL_CODE_MISSING_KEY, "minimality",
                            "`minimality` runs the job of the release: name its models and method, "
                            "or its result by `against`"));
    MGL_GO(try_all(&x));
    report(&x, job, result);
done:
    mgl_job_free(x.job);
    mgl_arena_free(x.arena);
    return status;
}
