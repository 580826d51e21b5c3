/* Makes the SQL by which an engine groups rare combinations and writes a release: the map, and the
 * statement that joins it, or that repeats its rows, in random order. */
#include "io/sql/read_database.h"

#include <stdio.h>

enum { SECRETS = 4 };

static mgl_status has_places(mgl_sql *sql, const mgl_sql_table *source, mgl_error *err, bool *out)
{
    *out = false;
    if (sql->dialect->has_places == NULL || source->rows != NULL)
        return MGL_OK;
    mgl_span values[] = {mgl_sql_value(source->schema), mgl_sql_value(source->name)};
    mgl_status status = sql->driver->send(sql, sql->dialect->has_places, values, 2, err);
    if (status == MGL_OK)
        status = mgl_sql_fetch(sql, err, out);
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_write_order(mgl_sql *sql, const mgl_sql_table *source, mgl_error *err,
                               const char **out)
{
    bool places;
    long long secrets[SECRETS];
    mgl_buffer order = {0};
    *out = NULL;
    MGL_TRY(has_places(sql, source, err, &places));
    if (!places)
        return MGL_OK;
    MGL_TRY(mgl_sys_entropy(secrets, sizeof secrets, err));
    for (size_t i = 0; i < SECRETS; i++) {
        mgl_buffer_text(&order, i > 0 ? " # " : "");
        mgl_buffer_format(&order, sql->dialect->place_order, secrets[i]);
    }
    return mgl_buffer_keep(&order, sql->arena, err, out);
}

void mgl_sql_write_levels(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *table, uint32_t n_levels)
{
    mgl_sql_append(out, dialect, "%s %t", dialect->create_map, table);
    for (uint32_t l = 0; l < n_levels; l++) {
        mgl_buffer_format(out, "%sl%u ", l > 0 ? ", " : " (", (unsigned)l);
        mgl_sql_write_compared_type(out, dialect);
    }
    mgl_sql_write_index(out, dialect, 'l', 0, 1);
    mgl_sql_end_columns(out, dialect);
}

void mgl_sql_write_others(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *source, const char *column,
                          const mgl_sql_table *levels, const mgl_sql_cells *cells)
{
    mgl_sql_append(out, dialect,
                   "SELECT k1, COUNT(*) FROM (SELECT %k AS k1 FROM %r) b LEFT JOIN %t l1 ON b.k1 = "
                   "l1.l0 WHERE l1.l0 IS NULL GROUP BY k1",
                   cells, "s", column, source, "s", levels);
}

/* What column i reads as in a round: its value, or the label of that level or of its top. */
static void write_label(mgl_buffer *out, const mgl_sql_groups *groups, size_t i, uint32_t round)
{
    uint32_t level = round < groups->heights[i] ? round : groups->heights[i];
    if (level == 0)
        mgl_buffer_format(out, "k%zu", i + 1);
    else
        mgl_buffer_format(out, "a%zu_%u", i + 1, (unsigned)level);
}

/* The combinations that occur, and how often. */
static void write_combinations(mgl_buffer *out, const mgl_sql_dialect *dialect,
                               const mgl_sql_groups *groups)
{
    mgl_sql_counting counting = {.table = groups->source,
                                 .partitions = groups->partitions,
                                 .columns = groups->columns,
                                 .wanted = groups->keys,
                                 .n_wanted = groups->n_keys};
    bool partitions = groups->partitions != NULL && groups->partitions->n > 0;
    mgl_sql_append(out, dialect, "(SELECT %n, %s AS n FROM (SELECT ", 'k', groups->n_keys,
                   partitions ? "SUM(n)" : "COUNT(*)");
    for (size_t i = 0; i < groups->n_keys; i++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", i + 1);
        mgl_sql_append(out, dialect, "%s%k AS k%z", i > 0 ? ", " : "", &groups->cells,
                       mgl_sql_own_names, name, i + 1);
    }
    mgl_buffer_text(out, partitions ? ", n FROM " : " FROM ");
    mgl_sql_write_counted(out, dialect, &counting);
    mgl_sql_append(out, dialect, ") v GROUP BY %n) b", 'k', groups->n_keys);
}

/* The same with the labels of all levels. */
static void write_labelled(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_groups *groups)
{
    mgl_buffer_text(out, "(SELECT b.n AS n");
    for (size_t i = 0; i < groups->n_keys; i++) {
        mgl_buffer_format(out, ", b.k%zu AS k%zu", i + 1, i + 1);
        for (uint32_t l = 1; l <= groups->heights[i]; l++)
            mgl_buffer_format(out, ", l%zu.l%u AS a%zu_%u", i + 1, (unsigned)l, i + 1, (unsigned)l);
    }
    mgl_buffer_text(out, " FROM ");
    write_combinations(out, dialect, groups);
    for (size_t i = 0; i < groups->n_keys; i++)
        mgl_sql_append(out, dialect, " JOIN %t l%z ON b.k%z = l%z.l0", &groups->levels[i], i + 1,
                       i + 1, i + 1);
    mgl_buffer_text(out, ") x");
}

/* The round in which each combination finds a group that is not rare, g0, g1, ...: those that had
 * none before are counted together if they read alike. */
static void write_round(mgl_buffer *out, const mgl_sql_dialect *dialect,
                        const mgl_sql_groups *groups, uint32_t round)
{
    mgl_buffer_text(out, "(SELECT x.*, CASE ");
    if (round > 0)
        mgl_buffer_format(out, "WHEN g%u IS NOT NULL THEN g%u ", (unsigned)round - 1,
                          (unsigned)round - 1);
    mgl_buffer_text(out, "WHEN SUM(n) OVER (PARTITION BY ");
    if (round > 0)
        mgl_buffer_format(out, "g%u, ", (unsigned)round - 1);
    for (size_t i = 0; i < groups->n_keys; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : "");
        write_label(out, groups, i, round);
    }
    mgl_buffer_format(out, ") >= %llu THEN %u END AS g%u FROM ", (unsigned long long)groups->least,
                      (unsigned)round, (unsigned)round);
    if (round > 0)
        write_round(out, dialect, groups, round - 1);
    else
        write_labelled(out, dialect, groups);
    mgl_buffer_text(out, ") x");
}

/* Columns with an index are declared before they are filled. */
static void write_group_columns(mgl_buffer *out, const mgl_sql_dialect *dialect, size_t n_keys)
{
    for (size_t i = 0; i < 2 * n_keys; i++) {
        mgl_buffer_format(out, "%s%c%zu ", i > 0 ? ", " : " (", i < n_keys ? 'k' : 'c',
                          i % n_keys + 1);
        mgl_sql_write_compared_type(out, dialect);
    }
    mgl_sql_write_index(out, dialect, 'k', 1, n_keys);
    mgl_buffer_text(out, ")");
}

void mgl_sql_write_groups(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_groups *groups)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < groups->n_keys; i++)
        highest = groups->heights[i] > highest ? groups->heights[i] : highest;
    uint32_t last = highest;
    mgl_buffer columns = {0};
    if (dialect->index_parts > 0)
        write_group_columns(&columns, dialect, groups->n_keys);
    mgl_sql_begin_make(out, dialect, dialect->create_map, groups->table, &columns);
    mgl_buffer_free(&columns);
    mgl_sql_append(out, dialect, "SELECT %n", 'k', groups->n_keys);
    for (size_t i = 0; i < groups->n_keys; i++) {
        mgl_buffer_format(out, ", CASE g%u", (unsigned)last - 1);
        for (uint32_t round = 0; round < last; round++) {
            mgl_buffer_format(out, " WHEN %u THEN ", (unsigned)round);
            write_label(out, groups, i, round);
        }
        mgl_buffer_text(out, " ELSE ");
        write_label(out, groups, i, last);
        mgl_buffer_format(out, " END AS c%zu", i + 1);
    }
    mgl_sql_end_make(out, dialect, groups->table);
    mgl_buffer_text(out, " FROM ");
    write_round(out, dialect, groups, last - 1);
}

/* " JOIN GROUPS g ON ...", for a source that is called s. */
static void sql_write_group_join(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                 const mgl_sql_groups *groups)
{
    mgl_sql_append(out, dialect, " JOIN %t g ON ", groups->table);
    for (size_t i = 0; i < groups->n_keys; i++)
        mgl_sql_append(out, dialect, "%s%k = g.k%z", i > 0 ? " AND " : "", &groups->cells, "s",
                       groups->columns->list[groups->keys[i]].name, i + 1);
}

static size_t place_of(const mgl_sql_groups *groups, size_t column)
{
    size_t i = 0;
    while (i < groups->n_keys && groups->keys[i] != column)
        i++;
    return i;
}

void mgl_sql_write_group_count(mgl_buffer *out, const mgl_sql_dialect *dialect,
                               const mgl_sql_groups *groups, const size_t *wanted, size_t n_wanted)
{
    mgl_sql_append(out, dialect, "SELECT %n%sCOUNT(*) FROM (SELECT ", 'c', n_wanted,
                   n_wanted > 0 ? ", " : "");
    for (size_t i = 0; i < n_wanted; i++) {
        size_t key = place_of(groups, wanted[i]);
        mgl_buffer_text(out, i > 0 ? ", " : "");
        if (key < groups->n_keys) {
            mgl_buffer_format(out, "g.c%zu", key + 1);
        } else {
            mgl_sql_begin_compared(out, dialect);
            mgl_sql_write_text(out, dialect, "s", groups->columns->list[wanted[i]].name);
            mgl_sql_end_compared(out, dialect);
        }
        mgl_buffer_format(out, " AS c%zu", i + 1);
    }
    mgl_sql_append(out, dialect, " FROM %r", groups->source, "s");
    sql_write_group_join(out, dialect, groups);
    mgl_sql_append(out, dialect, ") t GROUP BY %n", 'c', n_wanted);
}

typedef void write_key_fn(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_release *release, size_t i);

static const mgl_sql_column *typed_key(const mgl_sql_release *release, size_t i)
{
    return release->typed != NULL && release->groups == NULL ? release->typed[i] : NULL;
}

/* What the key of a map is compared with: the column itself where its values are equal exactly if
 * their texts are and no cell is missing. Planners can use such a column, and it costs nothing. */
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
    mgl_sql_append(out, dialect, "%s %t (", dialect->create_map, release->map);
    for (size_t i = 0; !release->repeats && i < release->n_mapped; i++) {
        const mgl_sql_column *typed = typed_key(release, i);
        mgl_buffer_format(out, "%sk%zu ", i > 0 ? ", " : "", i + 1);
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
    mgl_sql_append(out, dialect, " JOIN %t m ON ", release->map);
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
        /* A text of a table of ours, which is declared to be compared byte for byte. */
        bool around = dialect->end_mark != NULL || dialect->before != NULL;
        if (around)
            mgl_sql_begin_compared(out, dialect);
        mgl_buffer_format(out, "%s%zu", "m.k", i + 1);
        if (around)
            mgl_sql_end_compared(out, dialect);
    }
    mgl_buffer_text(out, release->hash_seed != 0 ? " THEN TRUE ELSE FALSE END" : "");
}

void mgl_sql_write_widths(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_release *release)
{
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < release->n_mapped; i++)
        mgl_buffer_format(out, "%sMAX(CHAR_LENGTH(r%zu))", i > 0 ? ", " : "", i + 1);
    mgl_sql_append(out, dialect, " FROM %t", release->map);
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
        mgl_sql_append(out, dialect, " AS %i", release->names[c]);
    }
    mgl_sql_end_make(out, dialect, release->target);
    if (release->repeats) {
        mgl_sql_append(out, dialect, " FROM %t m CROSS JOIN %s ORDER BY %s(i, m.o)", release->map,
                       dialect->series, dialect->hash_whole);
        return;
    }
    mgl_sql_append(out, dialect, " FROM %r", release->source, "s");
    if (release->groups != NULL)
        sql_write_group_join(out, dialect, release->groups);
    write_map_join(out, dialect, release);
    if (release->shuffle)
        mgl_buffer_format(out, " ORDER BY %s",
                          release->order != NULL ? release->order : dialect->random);
}
