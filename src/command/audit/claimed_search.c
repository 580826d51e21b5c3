/* Compares what a result says of the search: the hierarchies, the node and levels that it chose,
 * and what it found on its way, such as bounds, curves and earlier releases. What was found needs
 * the input; that it does not contradict itself or the release, is seen here. */
#include "command/audit/sections.h"

#include <stdio.h>

bool mgl_claims_of_method(const mgl_claims *c, const char *key)
{
    const char *const *keys = c->settings->method->reported;
    while (keys != NULL && *keys != NULL && strcmp(*keys, key) != 0)
        keys++;
    return keys != NULL && *keys != NULL;
}

static const json_t *height_of(const mgl_claims *c, size_t a)
{
    return json_object_get(json_object_get(c->claimed, "heights"), mgl_claim_quasi(c, a));
}

/* The highest level below the top on which a column has rows; false: it has none. */
static bool highest_level(const mgl_claims *c, size_t a, size_t *out)
{
    const json_t *columns = mgl_claim_at(c->claimed, "figures.columns");
    const json_t *rows = json_object_get(json_array_get(columns, a), "rows_at_level");
    size_t l = json_array_size(rows);
    for (l -= l > 0; l > 0; l--)
        if (mgl_claim_whole_at(rows, l - 1) > 0) {
            *out = l - 1;
            return true;
        }
    return false;
}

/* The values of the file without the label of suppressed cells. NULL: memory is out. */
static mgl_dictionary *values_of(const mgl_claims *c, size_t a)
{
    const mgl_dictionary *all = c->reading->quasi[a].column->dictionary;
    mgl_dictionary *values = mgl_dictionary_new();
    for (uint32_t code = 0; values != NULL && code < mgl_dictionary_size(all); code++) {
        mgl_span text = mgl_dictionary_value(all, code);
        if (code != mgl_dictionary_missing(all) && !mgl_span_equal(text, c->tops[a]) &&
            mgl_dictionary_add(values, text) == MGL_NOT_FOUND) {
            mgl_dictionary_free(values);
            return NULL;
        }
    }
    return values;
}

/* Does the builder leave all values of the file as they are, up to a level? */
static bool stays_until(const mgl_claims *c, size_t a, const char *builder, size_t level)
{
    mgl_dictionary *values = values_of(c, a);
    mgl_hierarchy *hierarchy = NULL;
    mgl_error err;
    bool same =
        values != NULL &&
        mgl_hierarchy_make(builder, mgl_claim_quasi(c, a), values, &err, &hierarchy) == MGL_OK &&
        level < hierarchy->height;
    for (uint32_t leaf = 0; same && leaf < hierarchy->n_leaves; leaf++) {
        const mgl_level *upper = &hierarchy->levels[level], *ground = &hierarchy->levels[0];
        same = mgl_span_equal(upper->labels[upper->of_leaf[leaf]],
                              ground->labels[ground->of_leaf[leaf]]);
    }
    mgl_hierarchy_free(hierarchy);
    mgl_dictionary_free(values);
    return same;
}

/* Does the builder need nothing but the values: no file, no other column? */
static bool stands_alone(const char *builder)
{
    return builder != NULL && mgl_hierarchy_is_builder(builder) &&
           mgl_hierarchy_path(builder).size == 0 && mgl_hierarchy_columns(builder).size == 0;
}

/* Could cells that are found on one level stand on a higher one, which has the same labels? A
 * builder shows it, for values that are as they were; a file is not available. */
static bool could_stand_at(mgl_claims *c, size_t a, size_t found, const json_t *claimed)
{
    const char *column = mgl_claim_quasi(c, a);
    const json_t *used = json_object_get(json_object_get(c->audit, "hierarchies"), column);
    size_t level = (size_t)json_integer_value(claimed);
    char name[MGL_CLAIM_NAME];
    if (level <= found || json_integer_value(claimed) >= json_integer_value(height_of(c, a)))
        return false;
    if (stands_alone(json_string_value(used)))
        return found == 0 && stays_until(c, a, json_string_value(used), level);
    mgl_claims_skip(c, mgl_claim_name(name, "levels", column),
                    "whether the level has the labels of a lower one needs the hierarchy");
    return json_is_object(used) || json_is_string(used);
}

/* Cells that are not suppressed are on the level of their column, or on a lower one that has the
 * same label. */
static void compare_level(mgl_claims *c, const char *name, const json_t *level, size_t a)
{
    const json_t *fields =
        json_object_get(json_object_get(c->job, "attributes"), mgl_claim_quasi(c, a));
    const char *more = mgl_json_text(fields, "generalize");
    uint64_t least = 0, here = (uint64_t)json_integer_value(level);
    size_t found;
    if ((mgl_claims_of_column(c, mgl_claim_quasi(c, a)) & MGL_CLAIM_NO_LEVEL) != 0)
        return;
    if (more != NULL && mgl_json_text(fields, "level") == NULL &&
        mgl_parse_u64(mgl_span_of(more), &least) && here < least)
        mgl_claims_agree(c, name, level, json_incref(json_object_get(fields, "generalize")));
    bool whole = json_equal(level, height_of(c, a)) && c->top_cells[a] == c->rows;
    if (!whole && highest_level(c, a, &found) && here != found &&
        !could_stand_at(c, a, found, level))
        mgl_claims_agree(c, name, level, mgl_json_count(found));
}

void mgl_claim_levels(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    for (size_t a = 0; json_is_object(claimed) && a < c->reading->n_quasi; a++)
        compare_level(c, mgl_claim_name(name, "levels", mgl_claim_quasi(c, a)),
                      json_object_get(claimed, mgl_claim_quasi(c, a)), a);
}

/* The next word or number of a text; false: there is none. */
static bool next_word(const char **at, mgl_span *out)
{
    static const char between[] = "(),;: ";
    *at += strspn(*at, between);
    *out = (mgl_span){*at, strcspn(*at, between)};
    *at += out->size;
    return out->size > 0;
}

/* Can the builder become this with what it takes from the values? Its words are all there, in their
 * order. */
static bool resolves_to(const char *builder, const char *resolved)
{
    mgl_span word, there;
    bool any = false;
    while (next_word(&builder, &word)) {
        bool same = false;
        while (!same && next_word(&resolved, &there))
            same = mgl_span_equal(word, there);
        if (!same)
            return false;
        any = true;
    }
    return any;
}

/* A column without a hierarchy is released as ranges, as value or top, or has no levels. */
static bool is_without(const mgl_claims *c, const char *column, const char *builder)
{
    return (mgl_claims_of_column(c, column) & MGL_CLAIM_NO_LEVEL) != 0 ||
           strcmp(builder, "ranges") == 0 || strcmp(builder, "suppress") == 0;
}

/* The hierarchy of a column must be what the job has, which keeps what was given, or, where the
 * run found it, what it became. */
static bool is_of_job(const mgl_claims *c, const json_t *claimed, const char *column)
{
    const char *kind = mgl_json_text(claimed, "hierarchy"),
               *builder = mgl_json_text(claimed, "builder"),
               *resolved = mgl_json_text(claimed, "resolved"),
               *given = mgl_hierarchy_name(mgl_claim_field(c, column, "hierarchy"));
    bool proposed = strcmp(kind, "proposed") == 0;
    if (strcmp(kind, "none") == 0)
        return resolved == NULL && is_without(c, column, builder);
    return (proposed || strcmp(kind, "given") == 0) && resolved != NULL &&
           resolves_to(builder, resolved) &&
           (mgl_hierarchy_is_builder(builder) || strcmp(builder, resolved) == 0) &&
           (given != NULL
                ? strcmp(given, resolved) == 0 || (!proposed && strcmp(given, builder) == 0)
                : mgl_claims_of_parts(c));
}

/* They are those of the trail, too. */
void mgl_claim_hierarchies(mgl_claims *c, const json_t *claimed)
{
    const json_t *recorded = json_object_get(c->audit, "hierarchies");
    char name[MGL_CLAIM_NAME];
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        const json_t *one = json_object_get(claimed, column),
                     *used = json_object_get(recorded, column);
        mgl_claim_name(name, "hierarchies", column);
        mgl_claims_require(c, is_of_job(c, one, column), name, one);
        mgl_claims_require(
            c,
            used == NULL || json_is_null(used) || json_is_string(used) ||
                mgl_claims_shape(c, "audit.hierarchies", used, "{name:s bytes:i sha256:d}"),
            "audit.hierarchies", used);
        if (json_is_object(used))
            used = json_object_get(used, "name");
        mgl_claims_agree(c, name, json_object_get(one, "resolved"),
                         json_is_string(used) ? json_incref((json_t *)used) : NULL);
    }
}

void mgl_claim_measure(mgl_claims *c, const json_t *claimed)
{
    const char *given = mgl_json_text(c->job, "utility");
    const char *label = given != NULL ? strchr(given, '=') : NULL;
    const mgl_measure_type *type = mgl_measure_type_standard();
    char name[64] = "";
    if (given != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
        type = mgl_measure_type_find(name);
    }
    mgl_claims_agree(c, "measure", claimed, json_string(type != NULL ? type->key : name));
    mgl_claims_require(c, label == NULL || mgl_claims_column(c, label + 1) != NULL,
                       "audit.job.utility", json_object_get(c->job, "utility"));
}

static const char point_shape[] =
    "{k:i suppressed_rows:i classes:{count:i min:i mean:n max:i} risk:{prosecutor_max:N "
    "prosecutor_mean:N uniques:i expected_reidentifications:n} utility:o "
    "bound:~{measure:s best_possible:N achieved:N gap:N exact:b}}";

void mgl_claim_curve(mgl_claims *c, const json_t *claimed)
{
    const json_t *point;
    size_t i;
    json_array_foreach((json_t *)claimed, i, point)
    {
        bool failed = json_object_get(point, "error") != NULL;
        (void)mgl_claims_shape(c, "curve", point, failed ? "{k:i error:s}" : point_shape);
    }
}
