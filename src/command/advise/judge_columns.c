/* Reads the table for `risk --advise` and judges its columns: one by one, then together, for
 * persons with several rows, and for treatments of nearly unique columns. */
#include "command/advise/advised.h"

#include <stdio.h>

/* ---- Treatments of nearly unique columns ----------------------------------------------------- */

/* Adds to the reason of the role what becomes of the column. */
static void extend_reason(mgl_advised_column *column)
{
    mgl_advice *advice = &column->advice;
    unsigned alone = (unsigned)(100 * mgl_profile_alone_share(&column->profile) + 0.5);
    char why[sizeof advice->reason];
    if (column->change != NULL)
        snprintf(why, sizeof why,
                 "%.100s; %u %% of the rows are alone with their value, so it is treated: "
                 "`attributes.%.60s.treat: %.60s`",
                 advice->reason, alone, column->name, column->change);
    else
        snprintf(why, sizeof why,
                 "%u %% of the rows are alone with their value, and no treatment lets %d persons "
                 "share each; %.100s",
                 alone, MGL_ADVISED_K, advice->reason);
    memcpy(advice->reason, why, sizeof why);
}

/* Where an engine counts, the column is read as values with their counts; how persons share them is
 * then not known, so that a column of theirs is left out. */
static mgl_status find_treatment(mgl_advised *a, const mgl_table *table, size_t c, mgl_error *err,
                                 mgl_buffer *out)
{
    mgl_table *own = NULL;
    mgl_status status = MGL_OK;
    if (table == NULL && a->entity != SIZE_MAX)
        return MGL_OK;
    if (table == NULL)
        MGL_GO(mgl_read_columns(a->settings, a->source, &c, 1, err, &own));
    const mgl_table *from = table != NULL ? table : own;
    mgl_treat_request request = {.column = &from->columns[table != NULL ? c : 0],
                                 .n_rows = from->n_rows,
                                 .times = from->times,
                                 .missing = a->options.missing,
                                 .n_missing = a->options.n_missing};
    if (table != NULL && a->entity != SIZE_MAX)
        request.persons = &table->columns[a->entity];
    MGL_GO(mgl_suggest_treatment(&request, &a->columns[c].profile, MGL_ADVISED_K, err, out));
done:
    mgl_table_free(own);
    return status;
}

/* Gives sensitive columns in which too many rows are alone with their value a treatment, so that k
 * persons share each; where none does, the column is not released. table: all columns; NULL: the
 * column is read by its counts. */
static mgl_status advise_treatments(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < a->n; c++) {
        mgl_advised_column *column = &a->columns[c];
        mgl_buffer found = {0};
        mgl_free(column->change);
        column->change = NULL;
        if (column->advice.role != MGL_ROLE_SENSITIVE ||
            !mgl_profile_is_near_unique(&column->profile))
            continue;
        mgl_status status = find_treatment(a, table, c, err, &found);
        if (status == MGL_OK && found.size > 0)
            status = mgl_buffer_take(&found, err, &column->change);
        mgl_buffer_free(&found);
        MGL_TRY(status);
        if (column->change == NULL && !column->given)
            column->advice.role = MGL_ROLE_IDENTIFIER;
        if (column->change != NULL || !column->given)
            extend_reason(column);
    }
    return MGL_OK;
}

/* ---- Persons with several rows --------------------------------------------------------------- */

/* Two columns of a table, to compare their values row by row. */
typedef struct pair {
    mgl_table *own; /* NULL: the table belongs to the caller */
    const mgl_table *table;
    const mgl_column *id, *other;
} pair;

static mgl_status get_pair(const mgl_advised *a, const mgl_table *table, size_t id, size_t other,
                           mgl_error *err, pair *out)
{
    *out = (pair){.table = table};
    if (table == NULL) {
        MGL_TRY(mgl_read_columns(a->settings, a->source, (size_t[]){id, other}, 2, err, &out->own));
        out->table = out->own;
    }
    out->id = &out->table->columns[table == NULL ? 0 : id];
    out->other = &out->table->columns[table == NULL ? 1 : other];
    return MGL_OK;
}

static mgl_status look_within(const mgl_advised *a, const mgl_table *table, size_t id, size_t other,
                              mgl_error *err, mgl_within *out)
{
    pair p;
    MGL_TRY(get_pair(a, table, id, other, err, &p));
    mgl_status status = mgl_within_find(p.table, p.id, p.other, err, out);
    mgl_table_free(p.own);
    return status;
}

/* A column that is nearly constant is constant within anything, and proves nothing. */
static bool is_informative(const mgl_profile *p)
{
    return !mgl_profile_is_constant(p) && (double)p->most < MGL_MOST_VALUES * (double)p->rows;
}

/* Columns that never vary within an id. */
enum { MOST_SAME = 8 };
typedef struct same_columns {
    size_t columns[MOST_SAME];
    size_t n;
} same_columns;

/* Sets *determines if the first column determines the second one, as a town determines its country.
 * What is nearly an id itself determines everything and proves nothing here. */
static mgl_status look_at_chain(const mgl_advised *a, const mgl_table *table, uint64_t ids,
                                const size_t pair_of[2], mgl_error *err, bool *determines)
{
    mgl_within within;
    *determines = false;
    if (2 * a->columns[pair_of[0]].profile.distinct > ids)
        return MGL_OK;
    MGL_TRY(look_within(a, table, pair_of[0], pair_of[1], err, &within));
    *determines = mgl_within_holds(&within);
    return MGL_OK;
}

/* Inserts a column: those with more points come first, and of these those with more values. */
static void add_same(const mgl_advised *a, size_t column, same_columns *same)
{
    const mgl_profile *p = &a->columns[column].profile;
    size_t at = same->n < MOST_SAME ? same->n++ : MOST_SAME;
    for (; at > 0; at--) {
        const mgl_profile *before = &a->columns[same->columns[at - 1]].profile;
        unsigned points = mgl_profile_points(p), theirs = mgl_profile_points(before);
        if (theirs > points || (theirs == points && before->distinct >= p->distinct))
            break;
        if (at < MOST_SAME)
            same->columns[at] = same->columns[at - 1];
    }
    if (at < MOST_SAME)
        same->columns[at] = column;
}

/* Adds up the points of the columns that no other one determines. */
static mgl_status count_points(const mgl_advised *a, const mgl_table *table, uint64_t ids,
                               const same_columns *same, mgl_error *err, mgl_person_evidence *out)
{
    for (size_t i = 0; i < same->n; i++) {
        const mgl_profile *p = &a->columns[same->columns[i]].profile;
        bool determined = false;
        for (size_t j = 0; j < i && !determined; j++)
            MGL_TRY(look_at_chain(a, table, ids, (size_t[]){same->columns[j], same->columns[i]},
                                  err, &determined));
        out->points += determined ? 0 : mgl_profile_points(p);
        out->amounts += mgl_profile_points(p) == MGL_POINTS_OF_OBJECTS;
        out->personal = out->personal || mgl_profile_is_personal(p);
    }
    return MGL_OK;
}

/* Sets *alias if the column is another name of the id, as a code is of a town: each determines the
 * other. Days, years and ages are not. */
static mgl_status look_at_alias(const mgl_advised *a, const mgl_table *table, size_t id,
                                size_t other, mgl_error *err, bool *alias)
{
    const mgl_profile *p = &a->columns[other].profile;
    mgl_within back;
    *alias = false;
    if (mgl_profile_is_year(p) || mgl_profile_is_date(p) || mgl_profile_is_scattered(p) ||
        (double)p->distinct < MGL_MOST_VALUES * (double)a->columns[id].profile.distinct)
        return MGL_OK;
    MGL_TRY(look_within(a, table, other, id, err, &back));
    *alias = mgl_within_holds(&back);
    return MGL_OK;
}

/* Sets *follows if the column follows the order of the id: groups of ages never vary within an age,
 * which proves nothing. */
static mgl_status look_at_order(const mgl_advised *a, const mgl_table *table, size_t id,
                                size_t other, mgl_error *err, bool *follows)
{
    pair p;
    *follows = false;
    if (a->columns[id].profile.kind != MGL_VALUE_INTEGER)
        return MGL_OK;
    MGL_TRY(get_pair(a, table, id, other, err, &p));
    mgl_status status = mgl_within_follows(p.table, p.id, p.other, err, follows);
    mgl_table_free(p.own);
    return status;
}

/* Sets *same if the column never varies within the id, and proves that its rows belong together. */
static mgl_status look_at_same(const mgl_advised *a, const mgl_table *table, size_t id,
                               size_t other, mgl_error *err, mgl_within *within, bool *same)
{
    bool no_proof = false;
    MGL_TRY(look_within(a, table, id, other, err, within));
    *same = mgl_within_holds(within);
    if (*same && !mgl_profile_is_trait(&a->columns[other].profile)) {
        MGL_TRY(look_at_alias(a, table, id, other, err, &no_proof));
        if (!no_proof)
            MGL_TRY(look_at_order(a, table, id, other, err, &no_proof));
        *same = !no_proof;
    }
    return MGL_OK;
}

/* Sets *many if an id contains names or ids of more persons, or births that lie far apart. */
static mgl_status look_at_many(const mgl_advised *a, const mgl_table *table, size_t id,
                               uint64_t ids, mgl_error *err, bool *many)
{
    for (size_t c = 0; c < a->n && !*many; c++) {
        const mgl_profile *p = &a->columns[c].profile;
        pair both;
        if (c == id || mgl_profile_is_constant(p))
            continue;
        *many = p->distinct >= 2 * ids && mgl_profile_names_persons(p);
        if (*many || !mgl_within_can_lie_apart(p))
            continue;
        MGL_TRY(get_pair(a, table, id, c, err, &both));
        mgl_status status = mgl_within_lies_apart(both.table, both.id, both.other, p, err, many);
        mgl_table_free(both.own);
        MGL_TRY(status);
    }
    return MGL_OK;
}

/* Can the column be evidence that the rows of an id are those of a person? Where ids have many rows
 * and nothing else speaks for persons, only what belongs to persons is. */
static bool is_evidence(const mgl_advised *a, size_t id, size_t column)
{
    const mgl_profile *p = &a->columns[column].profile, *ids = &a->columns[id].profile;
    bool any = mgl_profile_rows_each(ids) <= MGL_ROWS_OF_PERSON ||
               mgl_profile_person_id(ids) > MGL_PERSON_BY_FORM;
    return column != id &&
           (mgl_profile_is_trait(p) ||
            (is_informative(p) && (any || mgl_profile_points(p) >= MGL_POINTS_OF_PERSONS)));
}

static mgl_status collect_evidence(const mgl_advised *a, const mgl_table *table, size_t id,
                                   mgl_error *err, mgl_person_evidence *out)
{
    enum { ENOUGH = 5 };
    same_columns all_same = {.n = 0};
    *out = (mgl_person_evidence){
        .in_doubt = mgl_profile_may_be_persons(&a->columns[id].profile),
        .miscalled = mgl_profile_is_miscalled(&a->columns[id].profile),
        .rows = mgl_profile_rows_each(&a->columns[id].profile),
    };
    for (size_t c = 0; c < a->n; c++) {
        bool trait = mgl_profile_is_trait(&a->columns[c].profile), same;
        mgl_within within;
        /* An engine is queried for traits; for other columns only until there is enough
         * evidence. */
        bool enough = table == NULL && out->traits + out->others_same >= ENOUGH;
        if (!is_evidence(a, id, c) || (enough && !trait))
            continue;
        MGL_TRY(look_at_same(a, table, id, c, err, &within, &same));
        out->persons = within.ids;
        out->repeated = within.repeated;
        out->traits += trait;
        out->traits_same += trait && same;
        out->others_same += !trait && same;
        if (same)
            add_same(a, c, &all_same);
    }
    MGL_TRY(count_points(a, table, out->persons, &all_same, err, out));
    if (out->rows > MGL_ROWS_IN_DOUBT && out->points > 0) /* as wards have */
        out->points--;
    return out->points > 0 ? look_at_many(a, table, id, out->persons, err, &out->many) : MGL_OK;
}

/* Ranks evidence. Texts and numbers rank equally: of these the column with more persons wins. */
static int rank_of(mgl_person_id id)
{
    return id == MGL_PERSON_BY_TRAITS || id == MGL_PERSON_BY_FORM ? MGL_PERSON_BY_KEY : (int)id;
}

/* Makes other ids of the same persons identifiers: a login beside the number that is the entity. */
static mgl_status take_other_ids(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < a->n; c++) {
        const mgl_profile *p = &a->columns[c].profile;
        mgl_advice *advice = &a->columns[c].advice;
        mgl_person_id id = mgl_profile_person_id(p);
        bool any_number = id == MGL_PERSON_BY_TRAITS && p->kind == MGL_VALUE_INTEGER;
        mgl_within there;
        bool back;
        if (c == a->entity || a->columns[c].given || advice->role == MGL_ROLE_IDENTIFIER ||
            id == MGL_PERSON_BY_NOTHING || any_number)
            continue;
        MGL_TRY(look_at_alias(a, table, a->entity, c, err, &back));
        if (!back)
            continue;
        MGL_TRY(look_within(a, table, a->entity, c, err, &there));
        if (!mgl_within_holds(&there))
            continue;
        advice->role = MGL_ROLE_IDENTIFIER;
        snprintf(advice->reason, sizeof advice->reason,
                 "it tells the same persons apart as `%.60s`", a->columns[a->entity].name);
    }
    return MGL_OK;
}

/* Finds the column that identifies persons with several rows. table: all columns; NULL: pairs of
 * columns are read from the engine of the source. */
static mgl_status advise_persons(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    int best = MGL_PERSON_BY_NOTHING;
    a->entity = SIZE_MAX;
    for (size_t c = 0; c < a->n; c++) {
        mgl_person_id id = mgl_profile_person_id(&a->columns[c].profile);
        mgl_person_evidence evidence;
        if (id == MGL_PERSON_BY_NOTHING || rank_of(id) < best)
            continue;
        MGL_TRY(collect_evidence(a, table, c, err, &evidence));
        bool more = rank_of(id) > best || evidence.persons > a->persons.persons;
        if (!mgl_person_is_proved(id, &evidence) || !more)
            continue;
        best = rank_of(id);
        a->entity = c;
        a->persons = evidence;
    }
    return a->entity != SIZE_MAX ? take_other_ids(a, table, err) : MGL_OK;
}

/* ---- Single columns -------------------------------------------------------------------------- */

static mgl_status suggest(const mgl_advised *a, const mgl_table *table, const mgl_column *column,
                          mgl_error *err, char **out)
{
    mgl_suggestion found;
    MGL_TRY(mgl_suggest_column(a->settings, table, column, err, &found));
    mgl_status status = mgl_buffer_take(&found.builder, err, out);
    mgl_suggestion_free(&found);
    return status;
}

/* Adds a text for missing, unless it is too long to be one. */
static void add_missing(mgl_advised *a, mgl_span text)
{
    bool known = a->n_missing == MGL_MOST_ADVISED_MISSING || text.size >= MGL_LONGEST_MISSING;
    for (size_t i = 0; i < a->n_missing && !known; i++)
        known = mgl_span_is(text, a->missing[i]);
    if (known)
        return;
    memcpy(a->missing[a->n_missing], text.data, text.size);
    a->missing[a->n_missing++][text.size] = '\0';
}

/* Can the table be read once more with what was found? Standard input cannot. */
static bool reads_again(const mgl_advised *a)
{
    return strcmp(a->settings->data, "-") != 0;
}

/* Codes for missing go into the job: those among numbers or dates that can mean nothing else, and
 * *, which is how suppressed cells are written. */
static void take_codes(mgl_advised *a, mgl_advised_column *column)
{
    const mgl_profile *p = &column->profile;
    bool scale = mgl_profile_is_number(p) || mgl_profile_is_date(p);
    for (size_t i = 0; i < p->n_codes; i++) {
        const mgl_missing_code *code = &p->codes[i];
        bool sure = reads_again(a) && (strcmp(code->text, "*") == 0 || (scale && !code->number));
        unsigned long long rows = (unsigned long long)code->rows;
        if (sure)
            add_missing(a, mgl_span_of(code->text));
        mgl_buffer_format(&column->hints, "\"%s\" in %llu row%s %s missing (`missing`)\n",
                          code->text, rows, rows == 1 ? "" : "s",
                          sure ? "is taken for" : "probably means");
    }
}

/* Adds a hint about a value that is not a number or date, though nearly all others are. */
static void take_slip(mgl_advised *a, const mgl_column *column, mgl_advised_column *out)
{
    mgl_slip slip = mgl_slip_find(column);
    char place[MGL_PLACE_TEXT] = "";
    if (slip.kind == MGL_SLIP_ORDER)
        mgl_buffer_text(&out->hints,
                        "the order of day and month is not known: give dates(dmy; ...) "
                        "or dates(mdy; ...)\n");
    if (slip.kind != MGL_SLIP_NUMBER && slip.kind != MGL_SLIP_DATE)
        return;
    mgl_dictionary_origin(column->dictionary, slip.value, place);
    mgl_buffer_format(&out->hints,
                      "%s%sa value is no %s, as the others are; it is taken for missing\n", place,
                      place[0] != '\0' ? ": " : "", slip.kind == MGL_SLIP_DATE ? "date" : "number");
    add_missing(a, slip.value);
}

static void give_hints(mgl_advised *a, const mgl_column *column, mgl_advised_column *out)
{
    const mgl_profile *p = &out->profile;
    take_codes(a, out);
    take_slip(a, column, out);
    if (p->variants > 0)
        mgl_buffer_format(&out->hints,
                          "%llu values differ from another in letter case or blanks only "
                          "(`fold-case`, `trim`)\n",
                          (unsigned long long)p->variants);
    if (mgl_dictionary_notation(column->dictionary)->unsure)
        mgl_buffer_text(&out->hints, "1.234 and 1,234 can be read in two ways (`decimal`)\n");
    if (reads_again(a) && !a->options.has_century && mgl_profile_has_short_years(p)) {
        a->century = true;
        mgl_buffer_format(&out->hints,
                          "two-digit years: up to %d they are taken for 20YY, the others for 19YY "
                          "(`century`)\n",
                          MGL_ADVISED_CENTURY);
    }
}

/* again: the column was judged before, so hints are not given twice. */
static mgl_status look_at_column(mgl_advised *a, const mgl_table *table, const mgl_column *column,
                                 bool again, mgl_error *err, mgl_advised_column *out)
{
    uint64_t *rows = NULL;
    MGL_TRY(mgl_count_values(table, column, err, &rows));
    mgl_status status = mgl_profile_of(out->name, column->dictionary, rows, err, &out->profile);
    mgl_free(rows);
    MGL_TRY(status);
    a->rows = out->profile.rows;
    const mgl_attribute_settings *given = mgl_settings_attribute(a->settings, out->name);
    out->advice = mgl_advise(&out->profile);
    if (given != NULL && given->role != MGL_ROLE_NONE) {
        out->given = true;
        out->advice = (mgl_advice){.role = given->role, .reason = "as given"};
    }
    if (!again)
        give_hints(a, column, out);
    mgl_free(out->hierarchy);
    out->hierarchy = NULL;
    MGL_TRY(mgl_check_memory(!out->hints.failed, err));
    /* Trees of columns with a different value in every row are large, and not needed. */
    if (out->advice.role == MGL_ROLE_IDENTIFIER)
        return MGL_OK;
    return suggest(a, table, column, err, &out->hierarchy);
}

/* The columns as the session keeps them, for the next job as well: a second copy of a large table
 * is not needed. */
static mgl_status share_columns(const mgl_advised *a, mgl_cache_pins *pins, mgl_error *err,
                                mgl_table **out)
{
    mgl_column_request *requested = mgl_alloc_array(a->n, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    for (size_t c = 0; c < a->n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_NONE};
    mgl_table_order order = {.opened = a->session->data,
                             .requested = requested,
                             .n_requested = a->n,
                             .mode = MGL_BY_COLUMN,
                             .settings = a->settings,
                             .pins = pins};
    mgl_status status = mgl_session_table(a->session, &order, err, out);
    mgl_free(requested);
    return status;
}

/* Reads columns into a table of their own, which is not cached. */
static mgl_status look_at_own(mgl_advised *a, size_t first, size_t n, bool again, mgl_error *err,
                              mgl_table **out)
{
    mgl_value_places *places = NULL;
    size_t *columns = mgl_alloc_array(n, sizeof *columns);
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t c = 0; c < n; c++)
        columns[c] = first + c;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_columns(a->settings, a->source, columns, n, err, out));
    MGL_GO(mgl_places_new(a->source, *out, err, &places));
    for (size_t c = 0; c < n; c++) {
        MGL_GO(mgl_progress_poll(c, err));
        MGL_GO(look_at_column(a, *out, &(*out)->columns[c], again, err, &a->columns[first + c]));
    }
done:
    mgl_free(columns);
    for (size_t c = 0; places != NULL && c < n; c++)
        mgl_dictionary_set_origins((*out)->columns[c].dictionary, NULL, NULL);
    mgl_free(places);
    return status;
}

/* ---- All columns --------------------------------------------------------------------------- */

/* Finds tables of amounts alone: what a person earns and owns singles out, and nothing else
 * identifies the person. */
static void find_amounts(mgl_advised *a)
{
    size_t n = 0;
    for (size_t c = 0; c < a->n; c++) {
        mgl_role role = a->columns[c].advice.role;
        bool released = role == MGL_ROLE_QUASI || role == MGL_ROLE_SENSITIVE;
        if (released && (!mgl_profile_is_amount(&a->columns[c].profile) || a->columns[c].given))
            return;
        n += released;
    }
    a->amounts = n > 0;
    for (size_t c = 0; a->amounts && c < a->n; c++)
        if (a->columns[c].advice.role == MGL_ROLE_SENSITIVE)
            a->columns[c].advice = (mgl_advice){
                .role = MGL_ROLE_QUASI,
                .reason = "amounts: in a table of nothing else persons are known by them"};
}

/* The column that identifies persons is not released, and k counts them. */
static void take_persons(mgl_advised *a)
{
    if (a->entity == SIZE_MAX)
        return;
    mgl_advice *advice = &a->columns[a->entity].advice;
    advice->role = MGL_ROLE_IDENTIFIER;
    snprintf(advice->reason, sizeof advice->reason,
             "it tells %llu persons apart, who have %llu rows: k counts persons "
             "(entity)",
             (unsigned long long)a->persons.persons,
             (unsigned long long)(a->columns[a->entity].profile.rows -
                                  a->columns[a->entity].profile.missing));
}

/* Judges what takes several columns. table: NULL where an engine counts. */
static mgl_status judge_together(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    MGL_TRY(advise_persons(a, table, err));
    take_persons(a);
    find_amounts(a);
    return advise_treatments(a, table, err);
}

/* An engine counts one column after the other: counting them together would give the rows. */
static mgl_status look_at_counted(mgl_advised *a, bool again, mgl_error *err)
{
    for (size_t c = 0; c < a->n; c++) {
        mgl_table *table = NULL;
        mgl_status status = look_at_own(a, c, 1, again, err, &table);
        mgl_table_free(table);
        MGL_TRY(status);
    }
    return judge_together(a, NULL, err);
}

static mgl_status look_at_all(mgl_advised *a, bool again, mgl_error *err)
{
    mgl_cache_pins pins = {.cache = a->session->cache};
    mgl_table *table = NULL;
    mgl_status status = MGL_OK;
    if (mgl_source_counts(a->source))
        return look_at_counted(a, again, err);
    if (again) {
        MGL_GO(look_at_own(a, 0, a->n, again, err, &table));
    } else {
        MGL_GO(share_columns(a, &pins, err, &table));
        for (size_t c = 0; c < a->n; c++) {
            MGL_GO(mgl_progress_poll(c, err));
            MGL_GO(look_at_column(a, table, &table->columns[c], again, err, &a->columns[c]));
        }
    }
    MGL_GO(judge_together(a, table, err));
done:
    mgl_table_free(table);
    mgl_cache_unpin(&pins);
    return status;
}

/* Sets the source to read the table with what was found. */
static mgl_status read_otherwise(mgl_advised *a, mgl_error *err)
{
    size_t n_given = a->options.n_missing;
    MGL_TRY(mgl_new_array(n_given + a->n_missing, sizeof *a->all_missing, err, &a->all_missing));
    for (size_t i = 0; i < n_given + a->n_missing; i++)
        a->all_missing[i] =
            i < n_given ? a->options.missing[i] : mgl_span_of(a->missing[i - n_given]);
    a->options.missing = a->all_missing;
    a->options.n_missing = n_given + a->n_missing;
    if (a->century) {
        a->options.has_century = true;
        a->options.century = MGL_ADVISED_CENTURY;
    }
    return mgl_source_use(a->source, &a->options, err);
}

static mgl_status take_names(mgl_advised *a, mgl_error *err)
{
    a->n = mgl_source_columns(a->source);
    a->columns = mgl_zeroed_array(a->n, sizeof *a->columns);
    a->names = mgl_arena_new();
    MGL_TRY(mgl_check_memory(a->columns != NULL && a->names != NULL, err));
    for (size_t c = 0; c < a->n; c++) {
        const char *name = mgl_source_column(a->source, c);
        a->columns[c].name = mgl_arena_copy(a->names, name, strlen(name));
        MGL_TRY(mgl_check_memory(a->columns[c].name != NULL, err));
    }
    return MGL_OK;
}

mgl_status mgl_advise_look(mgl_advised *a, mgl_error *err)
{
    a->options = a->settings->source;
    MGL_TRY(mgl_session_attach(a->session, a->settings, err));
    a->source = a->session->data->source;
    MGL_TRY(mgl_source_use(a->source, &a->options, err));
    MGL_TRY(take_names(a, err));
    MGL_TRY(look_at_all(a, false, err));
    if (a->n_missing > 0 || a->century) {
        MGL_TRY(read_otherwise(a, err));
        MGL_TRY(look_at_all(a, true, err));
    }
    return MGL_OK;
}

void mgl_advised_free(mgl_advised *a)
{
    for (size_t c = 0; a->columns != NULL && c < a->n; c++) {
        mgl_free(a->columns[c].hierarchy);
        mgl_free(a->columns[c].change);
        mgl_buffer_free(&a->columns[c].hints);
    }
    mgl_free(a->columns);
    mgl_arena_free(a->names);
    if (a->source != NULL)
        mgl_session_detach(a->session);
    mgl_free(a->all_missing);
}
