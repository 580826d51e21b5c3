/* The command attack: links a release with a table that names persons, as an outsider could. */
#include "command/command.h"

#include "command/audit/audit.h"
#include "command/run_command.h"
#include "command/link/link.h"
#include "command/minimality.h"
#include "findings/findings.h"

#include <stdlib.h>

enum { MOST_LISTED = 100 };

typedef struct external {
    const mgl_reading *release;
    mgl_source *source;
    mgl_table *table;       /* the quasi-identifiers, then the column that names persons */
    const mgl_column *name; /* NULL: persons are called by their row */
    mgl_bound_persons bound;
} external;

/* The first column that the job calls an identifier and that the external table has. */
static size_t find_name(const external *e)
{
    const mgl_settings *settings = e->release->settings;
    for (size_t i = 0; i < settings->n_attributes; i++) {
        size_t column = mgl_source_find(e->source, settings->attributes[i].name);
        if (settings->attributes[i].role == MGL_ROLE_IDENTIFIER && column != SIZE_MAX)
            return column;
    }
    return SIZE_MAX;
}

static mgl_status read_external(external *e, mgl_error *err)
{
    const mgl_settings *settings = e->release->settings;
    size_t m = e->release->n_quasi;
    MGL_TRY(mgl_blame_key(
        err, mgl_source_open(settings->risk.external, &settings->second, err, &e->source),
        "external"));
    mgl_column_request *requested = mgl_alloc_array(m + 1, sizeof *requested);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL, err));
    for (size_t a = 0; a < m; a++) {
        const char *name = e->release->quasi[a].settings->name;
        requested[a] = (mgl_column_request){mgl_source_find(e->source, name), MGL_ROLE_QUASI};
        if (requested[a].source_index == SIZE_MAX)
            MGL_GO(mgl_blame_column(
                err,
                mgl_fail_key_at(
                    err, MGL_CODE_UNKNOWN_COLUMN, mgl_source_name(e->source), "external",
                    "there is no column \"%.60s\"; name with `role: quasi` the columns that "
                    "both tables have",
                    name),
                name));
    }
    size_t name = find_name(e);
    requested[m] = (mgl_column_request){name, MGL_ROLE_IDENTIFIER};
    MGL_GO(mgl_source_read(e->source, requested, m + (name != SIZE_MAX), e->release->pool,
                           &settings->progress, err, &e->table));
    MGL_GO(mgl_spell_alike(settings, e->release->table, e->table, m, err));
    if (name != SIZE_MAX)
        e->name = &e->table->columns[m];
done:
    mgl_free(requested);
    return status;
}

/* Reports how many persons match how many rows. */
static mgl_status report_matches(const mgl_linkage *link, mgl_error *err, json_t *document)
{
    size_t n = link->n_persons;
    uint64_t *sorted = mgl_alloc_array(n, sizeof *sorted), unique = 0;
    MGL_TRY(mgl_check_memory(sorted != NULL, err));
    memcpy(sorted, link->matches, n * sizeof *sorted);
    mgl_sort_u64(sorted, n);
    json_t *matched = json_object();
    for (size_t i = 0, end; i < n; i = end) {
        char key[24];
        for (end = i + 1; end < n && sorted[end] == sorted[i];)
            end++;
        snprintf(key, sizeof key, "%llu", (unsigned long long)sorted[i]);
        mgl_json_set(matched, key, mgl_json_count(end - i));
        unique += sorted[i] == 1 ? end - i : 0;
    }
    mgl_json_set(document, "persons", mgl_json_count(n));
    mgl_json_set(document, "matched", matched);
    mgl_json_set(document, "unique_matches", mgl_json_count(unique));
    mgl_free(sorted);
    return MGL_OK;
}

static json_t *person_json(const external *e, size_t person)
{
    if (e->name == NULL)
        return mgl_json_count(person + 1);
    mgl_span text = mgl_dictionary_value(e->name->dictionary, mgl_column_code(e->name, person));
    return json_stringn(text.data, text.size);
}

static mgl_span learnt_text(const external *e, const mgl_linkage *link, size_t s, size_t person)
{
    uint32_t value = link->learnt[s * link->n_persons + person];
    if (value == MGL_NOT_FOUND)
        return (mgl_span){"", 0};
    return mgl_dictionary_value(e->release->counted[s]->dictionary, value);
}

static void report_disclosed(const external *e, const mgl_linkage *link, json_t *document)
{
    json_t *disclosed = json_object(), *inference = json_object(), *list = json_array();
    for (size_t s = 0; s < link->n_sensitive; s++) {
        const char *column = e->release->counted[s]->name;
        json_t *shares = json_object();
        uint64_t n = 0;
        for (size_t person = 0; person < link->n_persons; person++) {
            if (link->learnt[s * link->n_persons + person] == MGL_NOT_FOUND || n++ >= MOST_LISTED)
                continue;
            mgl_span value = learnt_text(e, link, s, person);
            json_t *one = json_object();
            mgl_json_set(one, "person", person_json(e, person));
            mgl_json_set(one, "matches", mgl_json_count(link->matches[person]));
            mgl_json_set(one, "column", json_string(column));
            mgl_json_set(one, "value", json_stringn(value.data, value.size));
            mgl_json_append(list, one);
        }
        mgl_json_set(disclosed, column, mgl_json_count(n));
        mgl_json_set(shares, "before", mgl_json_real(link->before[s]));
        mgl_json_set(shares, "after", mgl_json_real(link->after[s]));
        mgl_json_set(inference, column, shares);
    }
    mgl_json_set(document, "disclosed", disclosed);
    mgl_json_set(document, "inference", inference);
    mgl_json_set(document, "learnt", list);
}

/* Averages match no person exactly. That does not protect: distances still tell. */
static mgl_status report_nearest(const external *e, const mgl_linkage *link, const mgl_setup *setup,
                                 mgl_error *err, mgl_result *result)
{
    uint64_t unmatched = 0;
    json_t *nearest = NULL;
    for (size_t person = 0; person < link->n_persons; person++)
        unmatched += link->matches[person] == 0;
    if (unmatched == 0)
        return MGL_OK;
    MGL_TRY(mgl_nearest_json(&e->bound, setup->counts.list, &setup->reading->settings->progress,
                             err, &nearest));
    if (nearest == NULL) {
        mgl_bound_persons_warn(&e->bound, result);
        return MGL_OK;
    }
    mgl_json_set(result->document, "nearest", nearest);
    mgl_result_warn(result, "nearest-rows",
                    "%llu persons match no row exactly, but all columns are numbers, and averages "
                    "never match: the nearest rows are what an intruder would take",
                    (unsigned long long)unmatched);
    return MGL_OK;
}

static mgl_status write_persons(const external *e, const mgl_linkage *link, mgl_error *err)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, "person,matches");
    for (size_t s = 0; s < link->n_sensitive; s++) {
        mgl_buffer_text(&text, ",");
        mgl_text_quote(&text, mgl_span_of(e->release->counted[s]->name), ',', false);
    }
    mgl_buffer_text(&text, "\n");
    for (size_t person = 0; person < link->n_persons; person++) {
        if (e->name != NULL)
            mgl_text_quote(
                &text, mgl_dictionary_value(e->name->dictionary, mgl_column_code(e->name, person)),
                ',', false);
        else
            mgl_buffer_format(&text, "%zu", person + 1);
        mgl_buffer_format(&text, ",%llu", (unsigned long long)link->matches[person]);
        for (size_t s = 0; s < link->n_sensitive; s++) {
            mgl_buffer_text(&text, ",");
            mgl_text_quote(&text, learnt_text(e, link, s, person), ',', false);
        }
        mgl_buffer_text(&text, "\n");
    }
    return mgl_publish_buffer(e->release->settings->risk.rows_file, &text, err);
}

static mgl_status link_tables(external *e, const mgl_setup *setup, mgl_error *err,
                              mgl_result *result)
{
    mgl_matcher *matcher = NULL;
    mgl_linkage *link = NULL;
    MGL_TRY(read_external(e, err));
    MGL_TRY(mgl_persons_bind(&e->bound, e->release, e->table, err));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_matcher_new(setup->counts.list, e->bound.columns, err, &matcher));
    /* Missing cells that are no value disclose nothing. */
    uint32_t *unknown =
        mgl_own_zeroed(&e->bound.owned, setup->task->facts.n_sensitive, sizeof *unknown);
    MGL_GO(mgl_owned_check(&e->bound.owned, err));
    for (size_t s = 0; s < setup->task->facts.n_sensitive; s++)
        unknown[s] = setup->task->facts.sensitive[s].unknown;
    e->bound.unknown = unknown;
    mgl_known_persons persons = {e->bound.codes, e->table->n_rows, e->bound.unknown};
    MGL_GO(
        mgl_linkage_new(matcher, setup->counts.list, &persons, setup->reading->pool, err, &link));
    mgl_json_set(result->document, "rows", mgl_json_count(setup->counts.list->n_rows));
    MGL_GO(report_matches(link, err, result->document));
    report_disclosed(e, link, result->document);
    MGL_GO(report_nearest(e, link, setup, err, result));
    if (setup->reading->settings->risk.minimality) {
        mgl_outsider outsider = {setup, &e->bound, matcher, e->name};
        MGL_GO(mgl_minimality_find(&outsider, err, result));
    }
    if (setup->reading->settings->risk.rows_file != NULL)
        MGL_GO(write_persons(e, link, err));
done:
    mgl_linkage_free(link);
    mgl_matcher_free(matcher);
    return status;
}

static mgl_status attack(const mgl_setup *setup, mgl_error *err, mgl_result *result)
{
    external e = {.release = setup->reading};
    mgl_status status = link_tables(&e, setup, err, result);
    mgl_bound_persons_free(&e.bound);
    mgl_table_free(e.table);
    mgl_source_close(e.source);
    return status;
}

mgl_status mgl_command_attack(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_progress_plan("read attack");
    MGL_TRY(mgl_against_hierarchies(job, false, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_ATTACK, err, &settings));
    return mgl_command_on_table(session, "attack", settings, MGL_TO_ATTACK, attack, err, out);
}
