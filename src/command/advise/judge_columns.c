/* risk --advise, first step: reads the table and judges its columns. */
#include "command/advise/advised.h"
#include <stdio.h>

static mgl_status suggest(const mgl_advised *a, const mgl_table *table, const mgl_column *column,
                          mgl_error *err, char **out)
{
    mgl_suggestion found;
    MGL_TRY(mgl_suggest_column(a->settings, table, column, err, &found));
    mgl_status status = mgl_buffer_take(&found.builder, err, out);
    mgl_suggestion_free(&found);
    return status;
}

/* ---- Columns ------------------------------------------------------------------------------- */

static void advise(const mgl_advised *a, mgl_advised_column *column)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(a->settings, column->name);
    column->advice = mgl_advise(&column->profile);
    if (said != NULL && said->role != MGL_ROLE_NONE) {
        column->said = true;
        column->advice = (mgl_advice){.role = said->role, .reason = "as you said"};
    }
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

/* Can the table be read once more with what was found out? Standard input cannot. */
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

/* Gives a hint of a value that is no number or date, though nearly all others are. */
static void take_slip(mgl_advised *a, const mgl_column *column, mgl_advised_column *out)
{
    mgl_slip slip = mgl_slip_find(column);
    char place[MGL_PLACE_TEXT] = "";
    if (slip.kind == MGL_SLIP_ORDER)
        mgl_buffer_text(&out->hints,
                        "nothing tells the order of day and month: say dates(dmy; ...) "
                        "or dates(mdy; ...)\n");
    if (slip.kind != MGL_SLIP_NUMBER && slip.kind != MGL_SLIP_DATE)
        return;
    mgl_dictionary_place(column->dictionary, slip.value, place);
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

/* again: the column was looked at before, so hints are not given twice. */
static mgl_status look_at_column(mgl_advised *a, const mgl_table *table, const mgl_column *column,
                                 bool again, mgl_error *err, mgl_advised_column *out)
{
    uint64_t *rows = NULL;
    MGL_TRY(mgl_count_values(table, column, err, &rows));
    mgl_status status = mgl_profile_of(out->name, column->dictionary, rows, err, &out->profile);
    mgl_free(rows);
    MGL_TRY(status);
    a->rows = out->profile.rows;
    advise(a, out);
    if (!again)
        give_hints(a, column, out);
    mgl_free(out->hierarchy);
    out->hierarchy = NULL;
    if (out->hints.failed)
        return mgl_fail_memory(err);
    /* Trees of columns with a value of its own in every row are large, and nobody needs them. */
    if (out->advice.role == MGL_ROLE_IDENTIFIER)
        return MGL_OK;
    return suggest(a, table, column, err, &out->hierarchy);
}

/* The columns as the session keeps them, for the next job as well: a second copy of a large table
 * is not needed. */
static mgl_status share_columns(const mgl_advised *a, mgl_cache_pins *pins, mgl_error *err,
                                mgl_table **out)
{
    mgl_column_wish *wishes = mgl_alloc_array(a->n, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < a->n; c++)
        wishes[c] = (mgl_column_wish){c, MGL_ROLE_NONE};
    mgl_table_order order = {.opened = a->session->data,
                             .wishes = wishes,
                             .n_wishes = a->n,
                             .mode = MGL_BY_COLUMN,
                             .settings = a->settings,
                             .pins = pins};
    mgl_status status = mgl_session_table(a->session, &order, err, out);
    mgl_free(wishes);
    return status;
}

/* Reads a table that nobody else will read so. */
static mgl_status look_at_own(mgl_advised *a, size_t first, size_t n, bool again, mgl_error *err,
                              mgl_table **out)
{
    mgl_value_places *places = NULL;
    size_t *columns = mgl_alloc_array(n, sizeof *columns);
    if (columns == NULL)
        return mgl_fail_memory(err);
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
        mgl_dictionary_set_places((*out)->columns[c].dictionary, NULL, NULL);
    mgl_free(places);
    return status;
}

/* ---- All columns --------------------------------------------------------------------------- */

/* Finds tables of amounts alone: what a person earns and owns singles out, and there is nothing
 * else to know the person by. */
static void find_amounts(mgl_advised *a)
{
    size_t n = 0;
    for (size_t c = 0; c < a->n; c++) {
        mgl_role role = a->columns[c].advice.role;
        bool released = role == MGL_ROLE_QUASI || role == MGL_ROLE_SENSITIVE;
        if (released && (!mgl_profile_is_amount(&a->columns[c].profile) || a->columns[c].said))
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

/* What takes several columns to judge. table: NULL where an engine counts. */
static mgl_status judge_together(mgl_advised *a, const mgl_table *table, mgl_error *err)
{
    MGL_TRY(mgl_advise_persons(a, table, err));
    take_persons(a);
    find_amounts(a);
    return mgl_advise_treatments(a, table, err);
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

/* Reads the table again with what was found out. */
static mgl_status read_otherwise(mgl_advised *a, mgl_error *err)
{
    size_t said = a->options.n_missing;
    a->all_missing = mgl_alloc_array(said + a->n_missing, sizeof *a->all_missing);
    if (a->all_missing == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < said + a->n_missing; i++)
        a->all_missing[i] = i < said ? a->options.missing[i] : mgl_span_of(a->missing[i - said]);
    a->options.missing = a->all_missing;
    a->options.n_missing = said + a->n_missing;
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
    if (a->columns == NULL || a->names == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < a->n; c++) {
        const char *name = mgl_source_column(a->source, c);
        a->columns[c].name = mgl_arena_copy(a->names, name, strlen(name));
        if (a->columns[c].name == NULL)
            return mgl_fail_memory(err);
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
        mgl_free(a->columns[c].treat);
        mgl_buffer_free(&a->columns[c].hints);
    }
    mgl_free(a->columns);
    mgl_arena_free(a->names);
    if (a->source != NULL)
        mgl_session_detach(a->session);
    mgl_free(a->all_missing);
}
