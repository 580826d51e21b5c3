/* Chooses the rows that a job is about: reads the columns that `where` names, judges every row and
 * draws the sample. From then on the source gives no other rows, so that nothing else need know.
 * reading.c calls it before it reads the table. */
#include "pipeline/read/chosen_rows.h"

#include "pipeline/read/reading_steps.h"

static void free_rows(void *thing)
{
    mgl_chosen_rows *rows = thing;
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

/* ---- Reading ----------------------------------------------------------------------------------
 */

static mgl_status check_columns(const choosing *c, mgl_error *err)
{
    mgl_source *source = c->reading->source;
    for (size_t i = 0; i < c->condition->n_columns; i++)
        if (mgl_source_find(source, c->condition->columns[i]) == SIZE_MAX)
            return mgl_blame_key(err, mgl_column_unknown(source, c->condition->columns[i], err),
                                 "where");
    return MGL_OK;
}

/* How many columns are wished for. */
static size_t wish(const choosing *c, mgl_column_wish *wishes)
{
    const mgl_settings *settings = c->reading->settings;
    mgl_source *source = c->reading->source;
    size_t n = 0;
    for (size_t i = 0; c->judged && i < c->condition->n_columns; i++)
        wishes[n++] = (mgl_column_wish){mgl_source_find(source, c->condition->columns[i]),
                                        MGL_ROLE_INSENSITIVE};
    if (settings->chosen.sample != NULL && settings->persons.column != NULL)
        wishes[n++] =
            (mgl_column_wish){mgl_source_find(source, settings->persons.column), MGL_ROLE_IDENTIFIER};
    return n;
}

static mgl_status read_columns(choosing *c, bool window, mgl_error *err)
{
    mgl_reading *reading = c->reading;
    size_t n_columns = c->condition != NULL ? c->condition->n_columns : 0;
    mgl_column_wish *wishes = mgl_alloc_array(n_columns + 1, sizeof *wishes);
    mgl_table_order order = {.opened = reading->session->data,
                             .wishes = wishes,
                             .mode = window ? MGL_IN_WINDOW : MGL_BY_COLUMN,
                             .settings = reading->settings};
    mgl_source_options raw = mgl_raw_options(reading->settings);
    mgl_status status = MGL_OK;
    if (wishes == NULL)
        return mgl_fail_memory(err);
    order.n_wishes = wish(c, wishes);
    MGL_GO(mgl_source_use(reading->source, &raw, err));
    MGL_GO(mgl_session_read_apart(reading->session, &order, err, &c->table));
    MGL_GO(mgl_places_new(reading->source, c->table, err, &c->places));
done:
    if (mgl_source_use(reading->source, &reading->settings->source, err) != MGL_OK)
        status = MGL_SYSTEM;
    mgl_free(wishes);
    return status;
}

/* ---- Judging ----------------------------------------------------------------------------------
 */

static void choose(mgl_row_choice *choice, uint64_t first, const bool *keeps, size_t n)
{
    for (size_t r = 0; r < n; r++)
        if (keeps[r]) {
            choice->bits[(first + r) / 64] |= UINT64_C(1) << (first + r) % 64;
            choice->n_chosen++;
        }
}

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
        choose(choice, row, keeps, n);
    }
    return MGL_OK;
}

static void choose_all(mgl_row_choice *choice)
{
    memset(choice->bits, 0xff, (choice->n_rows / 64 + 1) * sizeof *choice->bits);
    choice->n_chosen = choice->n_rows;
}

static mgl_status apply_condition(choosing *c, mgl_error *err)
{
    mgl_row_choice *choice = &c->rows->choice;
    if (!c->judged) {
        choose_all(choice);
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
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, mgl_source_name(c->reading->source), 0,
                    where ? "no row satisfies `where`; say it otherwise, or look at how the values "
                            "are written"
                          : "`sample` draws no row; take more"),
        where ? "where" : "sample");
}

/* Of the rows that the source has, all or what an engine leaves. */
static mgl_status choose_here(choosing *c, bool window, mgl_error *err)
{
    const mgl_settings *settings = c->reading->settings;
    mgl_row_choice *choice = &c->rows->choice;
    MGL_TRY(read_columns(c, window, err));
    *choice = (mgl_row_choice){.n_rows = c->table->n_rows};
    choice->bits = mgl_zeroed_array(c->table->n_rows / 64 + 1, sizeof(uint64_t));
    if (choice->bits == NULL)
        return mgl_fail_memory(err);
    if (!c->reading->filtered)
        c->rows->n_read = choice->n_rows;
    MGL_TRY(apply_condition(c, err));
    return settings->chosen.sample != NULL ? mgl_draw_sample(settings, entity_of(c), err, c->rows)
                                    : MGL_OK;
}

static mgl_status make_rows(choosing *c, bool window, mgl_error *err)
{
    const mgl_settings *settings = c->reading->settings;
    c->rows = mgl_zeroed_array(1, sizeof *c->rows);
    if (c->rows == NULL)
        return mgl_fail_memory(err);
    if (settings->chosen.where != NULL) {
        MGL_TRY(mgl_condition_read(mgl_span_of(settings->chosen.where), err, &c->condition));
        MGL_TRY(check_columns(c, err));
        if (mgl_source_filters(c->reading->source))
            MGL_TRY(mgl_filter_in_engine(c->reading, c->condition, err, c->rows));
    }
    c->judged = c->condition != NULL && !c->reading->filtered;
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

/* ---- Who has chosen before --------------------------------------------------------------------
 */

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
    const char *key = reading->settings->chosen.where != NULL ? "where" : "sample";
    if (mgl_source_parts(reading->source, &n) == NULL)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_CONFLICT,
                                  "`%s` chooses rows, and those of a part are counted already; "
                                  "give it to `count`",
                                  key),
                         key);
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
    if (!mgl_leaves_rows_out(reading->settings))
        return MGL_OK;
    MGL_TRY(refuse_parts(reading, err));
    MGL_TRY(find_rows(reading, window, err, &kept));
    reading->rows = kept->object;
    mgl_session_choose(reading->session, &reading->rows->choice, kept->number);
    return MGL_OK;
}

bool mgl_rows_are_chosen_here(const mgl_reading *reading)
{
    const mgl_settings *settings = reading->settings;
    bool by_engine =
        reading->rows != NULL ? reading->filtered : mgl_source_filters(reading->source);
    return settings->chosen.sample != NULL || (settings->chosen.where != NULL && !by_engine);
}

void mgl_chosen_rows_forget(mgl_reading *reading)
{
    uint64_t n_rows;
    if (reading->filtered) /* where that fails the next job will be told */
        (void)mgl_source_filter(reading->source, NULL, NULL, &n_rows);
    if (reading->rows != NULL)
        mgl_session_choose(reading->session, NULL, 0);
    reading->filtered = false;
    reading->rows = NULL;
}
