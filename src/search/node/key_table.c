/* A hash table of keys of one or more words. Rolling up, the greedy and matching rows count with
 * it. */
#include "search/node/node.h"

mgl_status mgl_key_table_init(mgl_key_table *table, size_t n_classes, size_t words, mgl_error *err)
{
    size_t n = n_classes + 1;
    *table = (mgl_key_table){.capacity = 64};
    while (table->capacity < n_classes * 4)
        table->capacity *= 2;
    table->slots = mgl_alloc_array(table->capacity, sizeof *table->slots);
    table->keys = mgl_alloc_array(n, words * sizeof *table->keys);
    table->rows = mgl_zeroed_array(n, sizeof *table->rows);
    table->first = mgl_alloc_array(n, sizeof *table->first);
    table->cost = mgl_zeroed_array(n, sizeof *table->cost);
    table->mark = mgl_zeroed_array(n, sizeof *table->mark);
    table->worth = mgl_alloc_array(n, sizeof *table->worth);
    if (table->slots != NULL && table->keys != NULL && table->rows != NULL &&
        table->first != NULL && table->cost != NULL && table->mark != NULL && table->worth != NULL)
        return MGL_OK;
    mgl_key_table_free(table);
    return mgl_fail_memory(err);
}

void mgl_key_table_free(mgl_key_table *table)
{
    mgl_free(table->slots);
    mgl_free(table->keys);
    mgl_free(table->rows);
    mgl_free(table->first);
    mgl_free(table->cost);
    mgl_free(table->mark);
    mgl_free(table->worth);
    *table = (mgl_key_table){0};
}
