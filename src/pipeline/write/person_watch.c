/* Warns where k counts rows although a column that is not released identifies persons with several
 * rows apart: then fewer than k persons can stand behind a class. */
#include "pipeline/write/writing.h"

#include "profile/profile.h"

#include <stdio.h>

struct mgl_person_watch {
    const mgl_reading *reading;
    const mgl_frequency_list *list;
    mgl_row_watch inner; /* a further watch of the rows; its columns come first */
    bool *traits;        /* [quasi-identifier] */
    size_t n;
    size_t *fields;        /* [inner, then n] of the source */
    mgl_repeats **repeats; /* [n] */
    uint32_t *ground;      /* [n][quasi-identifier] of the current row */
};

static size_t id_field(const mgl_person_watch *w, size_t i)
{
    return w->fields[w->inner.n_columns + i];
}

static bool is_trait(const mgl_reading *reading, size_t a)
{
    const mgl_topic *topic = mgl_topic_of(reading->quasi[a].settings->name);
    return topic != NULL && (topic->id == MGL_TOPIC_BODY || topic->id == MGL_TOPIC_BIRTH);
}

/* Where k counts persons already, there is nothing to look for. */
static bool is_watched(const mgl_reading *reading, size_t column)
{
    return reading->settings->persons.column == NULL &&
           reading->roles[column] == MGL_ROLE_IDENTIFIER;
}

static mgl_status fill(mgl_person_watch *w, mgl_error *err)
{
    const mgl_reading *reading = w->reading;
    size_t n = mgl_source_columns(reading->source);
    w->traits = mgl_zeroed_array(reading->n_quasi, sizeof *w->traits);
    w->fields = mgl_alloc_array(w->inner.n_columns + n, sizeof *w->fields);
    w->repeats = mgl_zeroed_array(n, sizeof(mgl_repeats *));
    w->ground = mgl_alloc_array(n, (reading->n_quasi + 1) * sizeof *w->ground);
    MGL_TRY(mgl_check_memory(
        w->traits != NULL && w->fields != NULL && w->repeats != NULL && w->ground != NULL, err));
    for (size_t i = 0; i < w->inner.n_columns; i++)
        w->fields[i] = w->inner.fields[i];
    for (size_t a = 0; a < reading->n_quasi; a++)
        w->traits[a] = is_trait(reading, a);
    for (size_t c = 0; c < n; c++) {
        if (!is_watched(reading, c))
            continue;
        MGL_TRY(mgl_repeats_new(mgl_source_column(reading->source, c), w->traits, reading->n_quasi,
                                err, &w->repeats[w->n]));
        w->fields[w->inner.n_columns + w->n++] = c;
    }
    return MGL_OK;
}

mgl_status mgl_person_watch_new(const mgl_task *task, const mgl_reading *reading,
                                mgl_row_watch inner, mgl_error *err, mgl_person_watch **out)
{
    mgl_person_watch *w = mgl_zeroed_array(1, sizeof *w);
    MGL_TRY(mgl_check_memory(w != NULL, err));
    *w = (mgl_person_watch){.reading = reading, .list = task->problem.list, .inner = inner};
    mgl_status status = fill(w, err);
    if (status != MGL_OK) {
        mgl_person_watch_free(w);
        return status;
    }
    *out = w;
    return MGL_OK;
}

void mgl_person_watch_free(mgl_person_watch *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; w->repeats != NULL && i < w->n; i++)
        mgl_repeats_free(w->repeats[i]);
    mgl_free(w->repeats);
    mgl_free(w->ground);
    mgl_free(w->fields);
    mgl_free(w->traits);
    mgl_free(w);
}

/* A missing cell belongs to no person. */
static mgl_span cell_of(const mgl_person_watch *w, const mgl_field *field)
{
    const mgl_source_options *source = &w->reading->settings->source;
    mgl_span cell = {field->data, field->size};
    for (size_t i = 0; i < source->n_missing; i++)
        if (mgl_span_equal(cell, source->missing[i]))
            cell.size = 0;
    return cell;
}

static void see_ids(const mgl_person_watch *w, size_t i, const mgl_seen_rows *rows)
{
    const mgl_field *field = rows->cells;
    uint32_t *ground = w->ground + i * w->reading->n_quasi;
    for (size_t r = 0; r < rows->n; r++, field += rows->step) {
        if (rows->tuples[r] == MGL_NOT_FOUND)
            continue;
        for (size_t a = 0; a < w->reading->n_quasi; a++)
            ground[a] = mgl_list_leaf(w->list, rows->tuples[r], a);
        mgl_repeats_watch(w->repeats[i], cell_of(w, field), ground);
    }
}

static void see(void *context, size_t column, const mgl_seen_rows *rows)
{
    mgl_person_watch *w = context;
    if (column < w->inner.n_columns)
        w->inner.see(w->inner.context, column, rows);
    else
        see_ids(w, column - w->inner.n_columns, rows);
}

mgl_row_watch mgl_person_watch_rows(mgl_person_watch *w)
{
    return (mgl_row_watch){w->inner.n_columns + w->n, w->fields, see, w};
}

static void warn(const char *column, const char *persons, mgl_buffer *warnings)
{
    mgl_buffer_format(warnings,
                      "rows-not-persons\tk counts rows, but column \"%.60s\" tells persons apart "
                      "who have several (%s): fewer than k persons can stand behind a class; "
                      "`entity` counts them%c",
                      column, persons, '\0');
}

typedef struct reader {
    mgl_person_watch *watch;
    mgl_tuple_finder *finder;
    uint32_t *tuples;
    size_t room;
    uint64_t row;
} reader;

static mgl_status read_records(void *context, const mgl_records *records, mgl_error *err)
{
    reader *r = context;
    if (r->row + records->n_records > r->watch->list->n_rows ||
        !mgl_grow(&r->tuples, &r->room, records->n_records, sizeof *r->tuples))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_tuple_reach(r->finder, r->row, records->n_records, err, r->tuples));
    for (size_t i = 0; i < r->watch->n; i++) {
        mgl_seen_rows rows = {records->fields + id_field(r->watch, i), records->n_fields, r->tuples,
                              records->n_records};
        see_ids(r->watch, i, &rows);
    }
    r->row += records->n_records;
    return MGL_OK;
}

static mgl_status read_rows(mgl_person_watch *w, mgl_error *err)
{
    reader r = {.watch = w};
    MGL_TRY(mgl_tuple_finder_new(w->list, w->reading->bound, err, &r.finder));
    mgl_status status = mgl_source_each(w->reading->source, read_records, &r, err);
    mgl_tuple_finder_free(r.finder);
    mgl_free(r.tuples);
    return status;
}

static void warn_quasi(const char *column, mgl_identity identity, mgl_buffer *warnings)
{
    mgl_buffer_format(warnings,
                      "quasi-identifies\tcolumn \"%.60s\" is a quasi-identifier, but %s: k rows of "
                      "one of them can be released as a class; make it an identifier, or name it "
                      "as `entity`%c",
                      column,
                      identity == MGL_IDENTITY_REPEATS
                          ? "its values look like keys of persons with several rows each"
                      : identity == MGL_IDENTITY_CONTACT
                          ? "its values look like addresses of persons"
                          : "its values have the form of names of "
                            "persons",
                      '\0');
}

/* A quasi-identifier that names persons who have several rows is released where k of these are
 * alike, and k persons do not stand behind it. */
static mgl_status judge_quasi(const mgl_reading *reading, const mgl_column *column, mgl_error *err,
                              mgl_buffer *warnings)
{
    mgl_profile profile;
    uint64_t *rows;
    if (mgl_dictionary_size(column->dictionary) < MGL_FEWEST_PERSONS)
        return MGL_OK;
    MGL_TRY(mgl_count_values(reading->table, column, err, &rows));
    mgl_status status = mgl_profile_of(column->name, column->dictionary, rows, err, &profile);
    mgl_free(rows);
    MGL_TRY(status);
    mgl_identity identity = mgl_profile_identity(&profile);
    if (!mgl_profile_singles_out(&profile) &&
        (identity == MGL_IDENTITY_PERSON || identity == MGL_IDENTITY_REPEATS ||
         identity == MGL_IDENTITY_CONTACT))
        warn_quasi(column->name, identity, warnings);
    return MGL_OK;
}

mgl_status mgl_person_watch_judge(mgl_person_watch *w, mgl_error *err, mgl_buffer *warnings)
{
    bool skipped = w->reading->settings->persons.column != NULL || w->reading->counts != NULL ||
                   w->reading->table == NULL || w->reading->table->window != NULL;
    for (size_t a = 0; !skipped && a < w->reading->n_quasi; a++)
        MGL_TRY(judge_quasi(w->reading, w->reading->quasi[a].column, err, warnings));
    if (w->n > 0 && mgl_repeats_rows(w->repeats[0]) == 0)
        MGL_TRY(read_rows(w, err));
    for (size_t i = 0; i < w->n; i++) {
        uint64_t persons;
        char text[64];
        if (!mgl_repeats_are_persons(w->repeats[i], &persons))
            continue;
        snprintf(text, sizeof text, "about %llu persons", (unsigned long long)persons);
        warn(mgl_source_column(w->reading->source, id_field(w, i)), text, warnings);
        break;
    }
    return MGL_OK;
}

/* An engine is asked only about columns that are called like ids of persons. */
static bool is_called_person(const char *name)
{
    mgl_profile profile;
    mgl_profile_begin(&profile, name);
    profile.rows = 3; /* pretends that rows repeat: the engine finds whether they do */
    profile.distinct = 2;
    mgl_profile_end(&profile);
    return mgl_profile_person_id(&profile) == MGL_PERSON_BY_NAME;
}

mgl_status mgl_persons_ask(const mgl_reading *reading, mgl_error *err, mgl_buffer *warnings)
{
    size_t n = reading->n_quasi;
    size_t *others = mgl_alloc_array(n, sizeof *others);
    double *shares = mgl_alloc_array(n, sizeof *shares);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(others != NULL && shares != NULL, err));
    for (size_t a = 0; a < n; a++)
        others[a] = reading->quasi[a].column->source_index;
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++) {
        const char *name = mgl_source_column(reading->source, c);
        mgl_person_evidence e = {.repeated = 1};
        if (!is_watched(reading, c) || !is_called_person(name))
            continue;
        MGL_GO(mgl_source_push(reading->source)
                   ->share_that_never_varies(reading->source, c, others, n, err, shares));
        for (size_t a = 0; a < n; a++) {
            bool same = shares[a] >= MGL_NEVER_VARIES_SHARE, trait = is_trait(reading, a);
            e.traits += trait;
            e.traits_same += trait && same;
            e.others_same += !trait && same;
        }
        if (!mgl_person_is_proved(MGL_PERSON_BY_NAME, &e))
            continue;
        warn(name, "by counts", warnings);
        break;
    }
done:
    mgl_free(others);
    mgl_free(shares);
    return status;
}
