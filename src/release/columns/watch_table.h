/* Shows rows of a table in memory to whoever watches. Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_WATCH_TABLE_H
#define MGL_RELEASE_COLUMNS_WATCH_TABLE_H

#include "release/columns/row_places.h"
#include "release/release.h"

/* A column that is watched, and the texts of its cells. */
typedef struct mgl_watched_column {
    const mgl_arrow_table *table;
    const mgl_row_watch *watch;
    size_t column;      /* of the watch */
    mgl_field *entries; /* [entry] the texts of the dictionary at hand; NULL: there is none */
    size_t capacity;
    size_t batch;     /* whose entries these are */
    mgl_arena *arena; /* of texts that are made for entries */
    size_t seen;      /* rows so far */
} mgl_watched_column;

/* Shows the rows before row `end` that were not seen yet. tuples: of all rows. */
mgl_status mgl_watch_rows(mgl_watched_column *watched, const uint32_t *tuples, size_t end,
                          mgl_error *err);
void mgl_watched_column_free(mgl_watched_column *watched);

#endif
