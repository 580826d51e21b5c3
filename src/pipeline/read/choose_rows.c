/* Chooses the rows that a job is about: reads the columns that `where` names, judges every row (or
 * has the engine of the source judge them) and draws the sample. From then on the source gives no
 * other rows. */
#include "pipeline/read/reading_steps.h"

/* ---- The sample ------------------------------------------------------------------------------ */

/* Far from the streams that shuffle rows: the same seed for both must not tie one to the other. */
static const uint64_t stream = UINT64_MAX;

/* Goes through all units in their order and takes each with the chance that it has given what was
 * taken so far. */
typedef struct drawing {
    mgl_random random;
    uint64_t units_left, to_take;
} drawing;

static bool takes(drawing *d)
{
    bool taken = d->to_take > 0 && mgl_random_below(&d->random, d->units_left) < d->to_take;
    d->units_left--;
    d->to_take -= taken;
    return taken;
}

/* A share is rounded to the nearest number, half up. */
static uint64_t size_of(const char *sample, uint64_t n_units)
{
    mgl_span text = mgl_span_of(sample);
    uint64_t n = 0, twice;
    if (text.data[text.size - 1] != '%')
        return mgl_parse_u64(text, &n) && n < n_units ? n : n_units;
    text.size--;
    return mgl_parse_share(text, true, 2 * n_units, &twice) ? (twice + 1) / 2 : n_units;
}

static mgl_status begin(drawing *d, const mgl_settings *settings, uint64_t n_units, mgl_error *err)
{
    mgl_random random;
    if (settings->chosen.has_seed)
        mgl_random_seed(&random, settings->chosen.seed);
    else
        MGL_TRY(mgl_random_init(&random, err));
    mgl_random_stream(&random, stream, &d->random);
    d->units_left = n_units;
    d->to_take = size_of(settings->chosen.sample, n_units);
    return MGL_OK;
}

static void leave_out(mgl_chosen_rows *rows, uint64_t row)
{
    rows->choice.bits[row / 64] &= ~(UINT64_C(1) << row % 64);
    rows->choice.n_chosen--;
    rows->by_sample++;
}

/* ---- Persons --------------------------------------------------------------------------------- */

typedef enum fate { NOT_SEEN, SEEN, TAKEN, LEFT } fate;

typedef mgl_status person_fn(void *context, uint64_t row, uint8_t *fate);

/* All rows that are chosen so far, each with what is known about its person. */
static mgl_status each_person(const mgl_column *entity, uint8_t *fates, mgl_chosen_rows *rows,
                              person_fn *visit, void *context, mgl_error *err)
{
    size_t first = 0, there = 0;
    for (uint64_t row = 0; row < rows->choice.n_rows; row++) {
        if (!mgl_row_is_chosen(&rows->choice, row))
            continue;
        if (row >= first + there)
            MGL_TRY(mgl_column_reach(entity, (size_t)row, err, &first, &there));
        MGL_TRY(visit(context, row, &fates[mgl_column_code(entity, (size_t)row - first)]));
    }
    return MGL_OK;
}

static mgl_status count_person(void *context, uint64_t row, uint8_t *fate)
{
    (void)row;
    *(uint64_t *)context += *fate == NOT_SEEN;
    *fate = SEEN;
    return MGL_OK;
}

typedef struct deciding {
    drawing *drawing;
    mgl_chosen_rows *rows;
} deciding;

static mgl_status decide(void *context, uint64_t row, uint8_t *fate)
{
    const deciding *d = context;
    if (*fate == SEEN)
        *fate = takes(d->drawing) ? TAKEN : LEFT;
    if (*fate == LEFT)
        leave_out(d->rows, row);
    return MGL_OK;
}

static mgl_status draw_persons(drawing *d, const mgl_settings *settings, const mgl_column *entity,
                               mgl_error *err, mgl_chosen_rows *rows)
{
    uint64_t n = 0;
    deciding deciding = {d, rows};
    uint8_t *fates = mgl_zeroed_array(mgl_dictionary_size(entity->dictionary) + (size_t)1, 1);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(fates != NULL, err));
    MGL_GO(each_person(entity, fates, rows, count_person, &n, err));
    MGL_GO(begin(d, settings, n, err));
    MGL_GO(each_person(entity, fates, rows, decide, &deciding, err));
done:
    mgl_free(fates);
    return status;
}

/* Draws the sample among the rows that are chosen so far. entity: whole persons are drawn; NULL:
 * rows. */
static mgl_status draw_sample(const mgl_settings *settings, const mgl_column *entity,
                              mgl_error *err, mgl_chosen_rows *rows)
{
    drawing d = {0};
    if (entity != NULL)
        return draw_persons(&d, settings, entity, err, rows);
    MGL_TRY(begin(&d, settings, rows->choice.n_chosen, err));
    for (uint64_t row = 0; row < rows->choice.n_rows; row++)
        if (mgl_row_is_chosen(&rows->choice, row) && !takes(&d))
            leave_out(rows, row);
    return MGL_OK;
}

/* ---- The condition, in the engine ------------------------------------------------------------ */

/* What is more than a statement should hold is judged where rows are fetched. */
enum { MOST_STEPS = 200, MOST_TEXTS = 20000, MOST_BYTES = 400000 };

typedef struct making {
    mgl_reading *reading;
    const mgl_condition *condition;
    mgl_table **tables;  /* [n_columns] of one column each */
    mgl_column *columns; /* [n_columns] of these; borrowed */
    mgl_bound_condition *bound;
    mgl_filter_step *steps; /* filled from the end on */
    size_t at, n_steps;
    mgl_arena *arena;
    size_t n_texts, n_bytes;
} making;

/* The values of each column, with how many rows have them. */
static mgl_status ask_values(making *m, mgl_error *err, mgl_chosen_rows *rows)
{
    mgl_source *source = m->reading->source;
    size_t n = m->condition->n_columns;
    m->tables = mgl_zeroed_array(n, sizeof *m->tables);
    m->columns = mgl_zeroed_array(n, sizeof *m->columns);
    MGL_TRY(mgl_check_memory(m->tables != NULL && m->columns != NULL, err));
    for (size_t c = 0; c < n; c++) {
        mgl_column_request request = {mgl_source_find(source, m->condition->columns[c]),
                                      MGL_ROLE_INSENSITIVE};
        MGL_TRY(mgl_source_count(source, &request, 1, &m->reading->settings->progress, err,
                                 &m->tables[c]));
        m->columns[c] = m->tables[c]->columns[0];
        rows->values_counted += m->tables[c]->n_rows;
    }
    rows->n_read = 0;
    for (size_t r = 0; r < m->tables[0]->n_rows; r++)
        rows->n_read += m->tables[0]->times[r];
    return MGL_OK;
}

/* The texts of which the atom is true, or false. */
static mgl_status add_texts(making *m, size_t atom, bool wanted, mgl_error *err)
{
    size_t c = m->condition->atoms[atom].column, n = 0;
    const mgl_dictionary *values = m->columns[c].dictionary;
    uint32_t size = mgl_dictionary_size(values);
    mgl_span *texts = mgl_arena_alloc(m->arena, (size + (size_t)1) * sizeof *texts);
    MGL_TRY(mgl_check_memory(texts != NULL, err));
    for (uint32_t code = 0; code < size; code++)
        if (mgl_condition_answer(m->bound, atom, code) ==
            (wanted ? MGL_ANSWER_TRUE : MGL_ANSWER_FALSE)) {
            texts[n] = mgl_dictionary_value(values, code);
            m->n_bytes += texts[n++].size;
        }
    m->n_texts += n;
    m->steps[--m->at] = (mgl_filter_step){
        MGL_FILTER_AMONG, mgl_source_find(m->reading->source, m->condition->columns[c]), texts, n};
    return MGL_OK;
}

/* Puts down, from its end on, when the condition that ends before step *end is true, or when it is
 * false: what is false of "a and b" is false of one of them. */
static mgl_status add_step(making *m, size_t *end, bool wanted, mgl_error *err)
{
    const mgl_step *step = &m->condition->steps[--*end];
    if (step->kind == MGL_STEP_ATOM)
        return add_texts(m, step->atom, wanted, err);
    if (step->kind == MGL_STEP_NOT)
        return add_step(m, end, !wanted, err);
    bool both = (step->kind == MGL_STEP_AND) == wanted;
    m->steps[--m->at] = (mgl_filter_step){.kind = both ? MGL_FILTER_AND : MGL_FILTER_OR};
    MGL_TRY(add_step(m, end, wanted, err));
    return add_step(m, end, wanted, err);
}

static mgl_status make_filter(making *m, mgl_error *err)
{
    size_t end = m->condition->n_steps;
    for (size_t s = 0; s < end; s++)
        m->n_steps += m->condition->steps[s].kind != MGL_STEP_NOT;
    m->at = m->n_steps;
    m->arena = mgl_arena_new();
    m->steps = mgl_zeroed_array(m->n_steps, sizeof *m->steps);
    MGL_TRY(mgl_check_memory(m->arena != NULL && m->steps != NULL, err));
    MGL_TRY(mgl_condition_bind(m->condition, m->columns, err, &m->bound));
    return add_step(m, &end, true, err);
}

static mgl_status filter_rows(making *m, mgl_error *err, mgl_chosen_rows *rows)
{
    uint64_t n_left = 0;
    MGL_TRY(ask_values(m, err, rows));
    MGL_TRY(make_filter(m, err));
    if (m->n_texts > MOST_TEXTS || m->n_bytes > MOST_BYTES)
        return MGL_OK;
    mgl_cell_filter filter = {m->steps, m->n_steps};
    m->reading->engine.filters = true;
    MGL_TRY(mgl_source_filter(m->reading->source, &filter, err, &n_left));
    rows->by_where = rows->n_read - n_left;
    rows->choice.n_rows = rows->choice.n_chosen = n_left;
    return MGL_OK;
}

/* Has the engine of the source leave out what does not satisfy the condition, and counts it;
 * reading->engine.filters is true if it does. */
static mgl_status filter_in_engine(mgl_reading *reading, const mgl_condition *condition,
                                   mgl_error *err, mgl_chosen_rows *rows)
{
    making m = {.reading = reading, .condition = condition};
    if (condition->n_steps > MOST_STEPS)
        return MGL_OK;
    mgl_source_options raw = mgl_raw_options(reading->settings);
    MGL_TRY(mgl_source_use(reading->source, &raw, err));
    mgl_status status = filter_rows(&m, err, rows);
    for (size_t c = 0; m.tables != NULL && c < m.condition->n_columns; c++)
        mgl_table_free(m.tables[c]);
    mgl_free(m.tables);
    mgl_free(m.columns);
    mgl_bound_condition_free(m.bound);
    mgl_free(m.steps);
    mgl_arena_free(m.arena);
    mgl_status back =
        mgl_source_use(reading->source, &reading->settings->source, status == MGL_OK ? err : NULL);
    return status != MGL_OK ? status : back;
}

/* ---- The rows of a job ----------------------------------------------------------------------- */

static void free_rows(void *object)
{
    mgl_chosen_rows *rows = object;
    mgl_free(rows->choice.bits);
    mgl_free(rows);
}

static const mgl_cache_kind chosen_rows = {free_rows, 4};

typedef struct choosing {
    mgl_reading *reading;
    mgl_condition *condition; /* NULL: there is none */
    bool judged;              /* here, row by row */
    mgl_table *table;         /* the columns of the condition, then the one that names persons */
    mgl_value_places *places;
    mgl_bound_condition *bound;
    mgl_chosen_rows *rows;
} choosing;

static const mgl_column *entity_of(const choosing *c)
{
    const mgl_settings *settings = c->reading->settings;
    return settings->chosen.sample != NULL && settings->persons.column != NULL
               ? &c->table->columns[c->table->n_columns - 1]
               : NULL;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static mgl_status check_columns(const choosing *c, mgl_error *err)
{
    mgl_source *source = c->reading->source;
    for (size_t i = 0; i < c->condition->n_columns; i++)
        if (mgl_source_find(source, c->condition->columns[i]) == SIZE_MAX)
            return mgl_blame_key(err, mgl_column_unknown(source, c->condition->columns[i], err),
                                 "where");
    return MGL_OK;
}

/* How many columns are requested. */
static size_t request(const choosing *c, mgl_column_request *requested)
{
    const mgl_settings *settings = c->reading->settings;
    mgl_source *source = c->reading->source;
    size_t n = 0;
    for (size_t i = 0; c->judged && i < c->condition->n_columns; i++)
        requested[n++] = (mgl_column_request){mgl_source_find(source, c->condition->columns[i]),
                                              MGL_ROLE_INSENSITIVE};
    if (settings->chosen.sample != NULL && settings->persons.column != NULL)
        requested[n++] = (mgl_column_request){mgl_source_find(source, settings->persons.column),
                                              MGL_ROLE_IDENTIFIER};
    return n;
}

static mgl_status read_columns(choosing *c, bool window, mgl_error *err)
{
    mgl_reading *reading = c->reading;
    size_t n_columns = c->condition != NULL ? c->condition->n_columns : 0;
    mgl_column_request *requested = mgl_alloc_array(n_columns + 1, sizeof *requested);
    mgl_table_order order = {.opened = reading->session->data,
                             .requested = requested,
                             .mode = window ? MGL_IN_WINDOW : MGL_BY_COLUMN,
                             .settings = reading->settings};
    mgl_source_options raw = mgl_raw_options(reading->settings);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    order.n_requested = request(c, requested);
    MGL_GO(mgl_source_use(reading->source, &raw, err));
    MGL_GO(mgl_session_read_apart(reading->session, &order, err, &c->table));
    MGL_GO(mgl_places_new(reading->source, c->table, err, &c->places));
done:
    if (mgl_source_use(reading->source, &reading->settings->source, err) != MGL_OK)
        status = MGL_SYSTEM;
    mgl_free(requested);
    return status;
}

/* ---- Judging --------------------------------------------------------------------------------- */

static mgl_status judge_rows(choosing *c, mgl_error *err)
{
    bool keeps[MGL_JUDGED_ROWS];
    mgl_row_choice *choice = &c->rows->choice;
    size_t first = 0, there = 0, n;
    for (size_t row = 0; row < choice->n_rows; row += n) {
        if (row >= first + there)
            MGL_TRY(mgl_column_reach(&c->table->columns[0], row, err, &first, &there));
        if (there > choice->n_rows - first)
            there = choice->n_rows - first;
        n = first + there - row < MGL_JUDGED_ROWS ? first + there - row : MGL_JUDGED_ROWS;
        mgl_condition_judge(c->bound, row - first, n, keeps);
        for (size_t r = 0; r < n; r++)
            if (keeps[r]) {
                choice->bits[(row + r) / 64] |= UINT64_C(1) << (row + r) % 64;
                choice->n_chosen++;
            }
    }
    return MGL_OK;
}

static mgl_status apply_condition(choosing *c, mgl_error *err)
{
    mgl_row_choice *choice = &c->rows->choice;
    if (!c->judged) {
        memset(choice->bits, 0xff, (choice->n_rows / 64 + 1) * sizeof *choice->bits);
        choice->n_chosen = choice->n_rows;
        return MGL_OK;
    }
    MGL_TRY(mgl_condition_bind(c->condition, c->table->columns, err, &c->bound));
    MGL_TRY(judge_rows(c, err));
    c->rows->by_where = choice->n_rows - choice->n_chosen;
    return MGL_OK;
}

static mgl_status refuse_none(const choosing *c, mgl_error *err)
{
    const mgl_settings *settings = c->reading->settings;
    const mgl_chosen_rows *rows = c->rows;
    if (rows->choice.n_chosen > 0 || settings->source.may_be_empty)
        return MGL_OK;
    bool where = rows->by_sample == 0;
    return mgl_fail_key_at(
        err, MGL_CODE_EMPTY_TABLE, mgl_source_name(c->reading->source), where ? "where" : "sample",
        where ? "no row satisfies `where`; say it otherwise, or look at how the values "
                "are written"
              : "`sample` draws no row; take more");
}

/* Of the rows that the source has, all or what an engine leaves. */
static mgl_status choose_here(choosing *c, bool window, mgl_error *err)
{
    const mgl_settings *settings = c->reading->settings;
    mgl_row_choice *choice = &c->rows->choice;
    MGL_TRY(read_columns(c, window, err));
    *choice = (mgl_row_choice){.n_rows = c->table->n_rows};
    MGL_TRY(mgl_new_zeroed(c->table->n_rows / 64 + 1, sizeof(uint64_t), err, &choice->bits));
    if (!c->reading->engine.filters)
        c->rows->n_read = choice->n_rows;
    MGL_TRY(apply_condition(c, err));
    return settings->chosen.sample != NULL ? draw_sample(settings, entity_of(c), err, c->rows)
                                           : MGL_OK;
}

static mgl_status make_rows(choosing *c, bool window, mgl_error *err)
{
    const mgl_settings *settings = c->reading->settings;
    MGL_TRY(mgl_new_zeroed(1, sizeof *c->rows, err, &c->rows));
    if (settings->chosen.where != NULL) {
        MGL_TRY(mgl_condition_read(mgl_span_of(settings->chosen.where), err, &c->condition));
        MGL_TRY(check_columns(c, err));
        if (mgl_source_filters(c->reading->source))
            MGL_TRY(filter_in_engine(c->reading, c->condition, err, c->rows));
    }
    c->judged = c->condition != NULL && !c->reading->engine.filters;
    if (c->judged || settings->chosen.sample != NULL)
        MGL_TRY(choose_here(c, window, err));
    return refuse_none(c, err);
}

static void end(choosing *c)
{
    mgl_bound_condition_free(c->bound);
    mgl_table_free(c->table);
    mgl_free(c->places);
    mgl_condition_free(c->condition);
    if (c->rows != NULL)
        free_rows(c->rows);
}

/* ---- Who has chosen before ------------------------------------------------------------------- */

/* A sample that is drawn at random is drawn anew for each job, and an engine is asked anew. */
static void write_key(const mgl_reading *reading, mgl_buffer *key)
{
    const mgl_settings *settings = reading->settings;
    bool random = (settings->chosen.sample != NULL && !settings->chosen.has_seed) ||
                  mgl_source_filters(reading->source);
    mgl_key_number(key, reading->session->data->number);
    mgl_key_number(key, mgl_source_coding(reading->source, MGL_ROLE_INSENSITIVE));
    mgl_key_text(key, settings->chosen.where);
    mgl_key_text(key, settings->chosen.sample);
    mgl_key_text(key, settings->chosen.sample != NULL ? settings->persons.column : NULL);
    mgl_key_number(key, settings->chosen.seed);
    mgl_key_number(key, random ? mgl_cache_number(reading->session->cache) : 0);
}

/* The rows of a part were counted and stand for others. */
static mgl_status refuse_parts(const mgl_reading *reading, mgl_error *err)
{
    size_t n;
    const mgl_settings *settings = reading->settings;
    const char *key = settings->chosen.draws           ? "dp"
                      : settings->chosen.where != NULL ? "where"
                                                       : "sample";
    if (mgl_source_parts(reading->source, &n) == NULL)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, key,
        "`%s` chooses rows, and those of a part are counted already; give it to `count`", key);
}

static mgl_status find_rows(mgl_reading *reading, bool window, mgl_error *err,
                            const mgl_cache_entry **out)
{
    choosing c = {.reading = reading};
    mgl_buffer key = {0};
    mgl_status status = MGL_OK;
    write_key(reading, &key);
    *out = NULL;
    MGL_GO(mgl_cache_find(&reading->pins, &chosen_rows, &key, err, out));
    if (*out == NULL) {
        MGL_GO(make_rows(&c, window, err));
        mgl_chosen_rows *made = c.rows;
        c.rows = NULL;
        MGL_GO(mgl_cache_add(&reading->pins, &chosen_rows, &key, made, err, out));
    }
done:
    end(&c);
    mgl_buffer_free(&key);
    return status;
}

mgl_status mgl_choose_rows(mgl_reading *reading, bool window, mgl_error *err)
{
    const mgl_cache_entry *kept;
    const mgl_chosen_rows *drawn = reading->settings->chosen.drawn;
    if (!mgl_leaves_rows_out(reading->settings))
        return MGL_OK;
    MGL_TRY(refuse_parts(reading, err));
    if (drawn != NULL) {
        reading->rows = drawn;
        mgl_session_choose(reading->session, &drawn->choice,
                           mgl_cache_number(reading->session->cache));
    }
    if (reading->settings->chosen.draws) /* which are not drawn yet: all of them */
        return MGL_OK;
    MGL_TRY(find_rows(reading, window, err, &kept));
    reading->rows = kept->object;
    mgl_session_choose(reading->session, &reading->rows->choice, kept->number);
    return MGL_OK;
}

bool mgl_rows_are_chosen_here(const mgl_reading *reading)
{
    const mgl_settings *settings = reading->settings;
    bool by_engine =
        reading->rows != NULL ? reading->engine.filters : mgl_source_filters(reading->source);
    return settings->chosen.sample != NULL || settings->chosen.draws ||
           (settings->chosen.where != NULL && !by_engine);
}

void mgl_chosen_rows_forget(mgl_reading *reading)
{
    uint64_t n_rows;
    if (reading->engine.filters) /* where that fails, the next job reports it */
        (void)mgl_source_filter(reading->source, NULL, NULL, &n_rows);
    if (reading->rows != NULL)
        mgl_session_choose(reading->session, NULL, 0);
    reading->engine.filters = false;
    reading->rows = NULL;
}
