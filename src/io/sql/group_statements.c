/* Makes the SQL by which rare combinations are grouped inside the engine, level by level.
 * regroup_rare.c sends it. */
#include "io/sql/sql.h"

#include <stdio.h>

/* ---- Labels ---------------------------------------------------------------------- */

void mgl_sql_write_levels(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *table, uint32_t n_levels)
{
    mgl_buffer_format(out, "%s ", dialect->create_map);
    mgl_sql_table_name(out, dialect, table);
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
    mgl_buffer_text(out, "SELECT k1, COUNT(*) FROM (SELECT ");
    mgl_sql_write_compared_key(out, dialect, cells, "s", column);
    mgl_buffer_text(out, " AS k1 FROM ");
    mgl_sql_rows_name(out, dialect, source, "s");
    mgl_buffer_text(out, ") b LEFT JOIN ");
    mgl_sql_table_name(out, dialect, levels);
    mgl_buffer_text(out, " l1 ON b.k1 = l1.l0 WHERE l1.l0 IS NULL GROUP BY k1");
}

/* ---- Groups ---------------------------------------------------------------------- */

static uint32_t rounds_of(const mgl_sql_groups *groups)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < groups->n_keys; i++)
        highest = groups->heights[i] > highest ? groups->heights[i] : highest;
    return highest;
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
    mgl_buffer_text(out, "(SELECT ");
    for (size_t i = 0; i < groups->n_keys; i++)
        mgl_buffer_format(out, "k%zu, ", i + 1);
    mgl_buffer_format(out, "%s AS n FROM (SELECT ", partitions ? "SUM(n)" : "COUNT(*)");
    for (size_t i = 0; i < groups->n_keys; i++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", i + 1);
        mgl_buffer_text(out, i > 0 ? ", " : "");
        mgl_sql_write_compared_key(out, dialect, &groups->cells, mgl_sql_own_names, name);
        mgl_buffer_format(out, " AS k%zu", i + 1);
    }
    mgl_buffer_text(out, partitions ? ", n FROM " : " FROM ");
    mgl_sql_write_counted(out, dialect, &counting);
    mgl_buffer_text(out, ") v GROUP BY ");
    for (size_t i = 0; i < groups->n_keys; i++)
        mgl_buffer_format(out, "%sk%zu", i > 0 ? ", " : "", i + 1);
    mgl_buffer_text(out, ") b");
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
    for (size_t i = 0; i < groups->n_keys; i++) {
        mgl_buffer_text(out, " JOIN ");
        mgl_sql_table_name(out, dialect, &groups->levels[i]);
        mgl_buffer_format(out, " l%zu ON b.k%zu = l%zu.l0", i + 1, i + 1, i + 1);
    }
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

/* Columns that have an index are told before they are filled. */
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
    uint32_t last = rounds_of(groups);
    mgl_buffer columns = {0};
    if (dialect->index_parts > 0)
        write_group_columns(&columns, dialect, groups->n_keys);
    mgl_sql_begin_make(out, dialect, dialect->create_map, groups->table, &columns);
    mgl_buffer_free(&columns);
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < groups->n_keys; i++)
        mgl_buffer_format(out, "k%zu, ", i + 1);
    for (size_t i = 0; i < groups->n_keys; i++) {
        mgl_buffer_format(out, "%sCASE g%u", i > 0 ? ", " : "", (unsigned)last - 1);
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

/* ---- What is made of them -------------------------------------------------------- */

void mgl_sql_write_group_join(mgl_buffer *out, const mgl_sql_dialect *dialect,
                              const mgl_sql_groups *groups)
{
    mgl_buffer_text(out, " JOIN ");
    mgl_sql_table_name(out, dialect, groups->table);
    mgl_buffer_text(out, " g ON ");
    for (size_t i = 0; i < groups->n_keys; i++) {
        mgl_buffer_text(out, i > 0 ? " AND " : "");
        mgl_sql_write_compared_key(out, dialect, &groups->cells, "s",
                                   groups->columns->list[groups->keys[i]].name);
        mgl_buffer_format(out, " = g.k%zu", i + 1);
    }
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
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < n_wanted; i++)
        mgl_buffer_format(out, "c%zu, ", i + 1);
    mgl_buffer_text(out, "COUNT(*) FROM (SELECT ");
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
    mgl_buffer_text(out, " FROM ");
    mgl_sql_rows_name(out, dialect, groups->source, "s");
    mgl_sql_write_group_join(out, dialect, groups);
    mgl_buffer_text(out, ") t GROUP BY ");
    for (size_t i = 0; i < n_wanted; i++)
        mgl_buffer_format(out, "%sc%zu", i > 0 ? ", " : "", i + 1);
}
