/* Makes the SQL by which an engine writes a release: the map, and the statement that joins it, or
 * that repeats its rows. write_release.c sends it. */
#include "io/sql/sql.h"

/* A text of a table of ours, which is declared to be compared byte for byte. */
static void write_compared_own(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name,
                               size_t number)
{
    bool around = dialect->end_mark != NULL || dialect->before != NULL;
    if (around)
        mgl_sql_begin_compared(out, dialect);
    mgl_buffer_format(out, "%s%zu", name, number);
    if (around)
        mgl_sql_end_compared(out, dialect);
}

typedef void write_key_fn(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_release *release, size_t i);

static const mgl_sql_column *typed_key(const mgl_sql_release *release, size_t i)
{
    return release->typed != NULL && release->groups == NULL ? release->typed[i] : NULL;
}

/* What the key of a map is compared with: the column itself where its values are equal exactly if
 * their texts are and none is missing. Planners know such a column, and it costs nothing. */
static void write_source_key(mgl_buffer *out, const mgl_sql_dialect *dialect,
                             const mgl_sql_release *release, size_t i)
{
    const mgl_sql_column *typed = typed_key(release, i);
    if (typed != NULL) {
        mgl_sql_write_column(out, dialect, "s", release->keys[i]);
        mgl_buffer_text(out, typed->texts ? dialect->bytewise : "");
        return;
    }
    if (release->filled == NULL || !release->filled[i]) {
        mgl_sql_write_compared_key(out, dialect, &release->cells, "s", release->keys[i]);
        return;
    }
    mgl_sql_begin_compared(out, dialect);
    mgl_sql_write_text(out, dialect, "s", release->keys[i]);
    mgl_sql_end_compared(out, dialect);
}

/* The same of the map. */
static void write_map_key(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_release *release, size_t i)
{
    (void)dialect;
    (void)release;
    mgl_buffer_format(out, "k%zu", i + 1);
}

/* hash(k1, hash(k2, 4711)): each key is hashed with what came of those after it. */
static void write_hash(mgl_buffer *out, const mgl_sql_dialect *dialect,
                       const mgl_sql_release *release, write_key_fn *write_key)
{
    for (size_t i = 0; i < release->n_mapped; i++) {
        const mgl_sql_column *typed = typed_key(release, i);
        bool whole = typed != NULL && typed->whole;
        mgl_buffer_format(out, "%s(", whole ? dialect->hash_whole : dialect->hash_text);
        write_key(out, dialect, release, i);
        mgl_buffer_text(out, ", ");
    }
    mgl_buffer_format(out, "%lld", (long long)release->hash_seed);
    for (size_t i = 0; i < release->n_mapped; i++)
        mgl_buffer_text(out, ")");
}

void mgl_sql_write_map(mgl_buffer *out, const mgl_sql_dialect *dialect,
                       const mgl_sql_release *release)
{
    mgl_buffer_format(out, "%s ", dialect->create_map);
    mgl_sql_table_name(out, dialect, release->map);
    mgl_buffer_text(out, " (");
    for (size_t i = 0; !release->repeats && i < release->n_mapped; i++) {
        const mgl_sql_column *typed = typed_key(release, i);
        mgl_buffer_text(out, i > 0 ? ", " : "");
        mgl_buffer_format(out, "k%zu ", i + 1);
        if (typed == NULL)
            mgl_sql_write_compared_type(out, dialect);
        else
            mgl_buffer_format(out, "%s%s", typed->type, typed->texts ? dialect->bytewise : "");
    }
    for (size_t i = 0; i < release->n_mapped; i++) {
        bool kept = release->types != NULL && release->types[i] != NULL;
        mgl_buffer_format(out, "%sr%zu ", release->repeats && i == 0 ? "" : ", ", i + 1);
        if (kept)
            mgl_buffer_text(out, release->types[i]);
        else
            mgl_sql_write_plain_type(out, dialect);
    }
    mgl_buffer_text(out, release->repeats ? ", n bigint, o bigint" : "");
    if (release->hash_seed != 0) {
        mgl_buffer_text(out, ", h bigint GENERATED ALWAYS AS (");
        write_hash(out, dialect, release, write_map_key);
        mgl_buffer_text(out, ") STORED");
    }
    if (!release->repeats)
        mgl_sql_write_index(out, dialect, 'k', 1, release->n_mapped);
    mgl_sql_end_columns(out, dialect);
}

/* " m ON (...) = m.k1 AND ...": by the cells of the source, or by the labels of their groups. */
static void write_map_join(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_release *release)
{
    mgl_buffer_text(out, " JOIN ");
    mgl_sql_table_name(out, dialect, release->map);
    mgl_buffer_text(out, " m ON ");
    if (release->hash_seed != 0) {
        write_hash(out, dialect, release, write_source_key);
        /* What stands in CASE is no join of its own to a planner, and it thinks that half of the
         * rows satisfy it. */
        mgl_buffer_text(out, " = m.h AND CASE WHEN ");
    }
    for (size_t i = 0; i < release->n_mapped; i++) {
        mgl_buffer_text(out, i > 0 ? " AND " : "");
        if (release->groups != NULL) {
            mgl_buffer_format(out, "g.c%zu = m.k%zu", i + 1, i + 1);
            continue;
        }
        write_source_key(out, dialect, release, i);
        mgl_buffer_text(out, " = ");
        write_compared_own(out, dialect, "m.k", i + 1);
    }
    mgl_buffer_text(out, release->hash_seed != 0 ? " THEN TRUE ELSE FALSE END" : "");
}

void mgl_sql_write_widths(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_release *release)
{
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < release->n_mapped; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : "");
        mgl_buffer_format(out, "MAX(CHAR_LENGTH(r%zu))", i + 1);
    }
    mgl_buffer_text(out, " FROM ");
    mgl_sql_table_name(out, dialect, release->map);
}

/* Texts that have a width can be sorted together with their rows, and can have an index. */
static void write_released(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_release *release, size_t i)
{
    if (release->widths == NULL) {
        mgl_buffer_format(out, "m.r%zu", i + 1);
        return;
    }
    uint64_t width = release->widths[i] > 0 ? release->widths[i] : 1;
    mgl_buffer_format(out, "CAST(m.r%zu AS CHAR(%llu) CHARACTER SET utf8mb4)%s", i + 1,
                      (unsigned long long)width, dialect->bytewise);
}

void mgl_sql_write_release(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_release *release)
{
    mgl_buffer mark = {0};
    mgl_sql_write_mark(&mark, dialect, release->mark);
    mgl_sql_begin_make(out, dialect, "CREATE TABLE", release->target, &mark);
    mgl_buffer_free(&mark);
    mgl_buffer_text(out, "SELECT ");
    for (size_t c = 0; c < release->n_columns; c++) {
        mgl_buffer_text(out, c > 0 ? ", " : "");
        if (release->places[c] == SIZE_MAX)
            mgl_sql_write_column(out, dialect, "s", release->names[c]);
        else
            write_released(out, dialect, release, release->places[c]);
        mgl_buffer_text(out, " AS ");
        mgl_sql_identifier(out, dialect, release->names[c]);
    }
    mgl_sql_end_make(out, dialect, release->target);
    mgl_buffer_text(out, " FROM ");
    if (release->repeats) {
        mgl_sql_table_name(out, dialect, release->map);
        mgl_buffer_format(out, " m CROSS JOIN %s ORDER BY %s(i, m.o)", dialect->series,
                          dialect->hash_whole);
        return;
    }
    mgl_sql_rows_name(out, dialect, release->source, "s");
    if (release->groups != NULL)
        mgl_sql_write_group_join(out, dialect, release->groups);
    write_map_join(out, dialect, release);
    if (release->shuffle)
        mgl_buffer_format(out, " ORDER BY %s",
                          release->order != NULL ? release->order : dialect->random);
}
