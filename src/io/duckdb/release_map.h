/* The map of a release: what each combination of cells is released as, packed so that functions
 * that DuckDB calls find it. Inside the io room. */
#ifndef MGL_IO_DUCKDB_RELEASE_MAP_H
#define MGL_IO_DUCKDB_RELEASE_MAP_H

#include "io/duckdb/engine_vectors.h"
#include "io/duckdb/read_duckdb.h"

enum { MGL_MAP_WORDS = 8 }; /* of a packed tuple, at most */

typedef struct mgl_map_key {
    const struct mgl_release_map *map;
    const mgl_duck_column *column;
    mgl_map *cells;    /* of the source, as texts */
    mgl_map *texts;    /* released ones */
    uint32_t missing;  /* number of the cell that stands for all missing ones */
    uint32_t no_text;  /* number of the released text that is no value; MGL_NOT_FOUND: none is */
    unsigned word;     /* of a packed tuple, in which the number of the cell stands */
    unsigned shift;    /* and where */
    uint32_t *text_of; /* [groups] */
    mgl_duckdb_text *made; /* [texts] as the engine has them */
} mgl_map_key;

typedef struct mgl_release_map {
    const mgl_source_options *options;
    const mgl_progress *progress; /* of who waits for the release */
    size_t n_keys;
    mgl_map_key *keys; /* [n_keys] */
    uint32_t n_tuples;
    size_t n_words;
    uint64_t *packed; /* [n_tuples][n_words] */
    uint32_t *slots;  /* [mask + 1] numbers of tuples from 1; 0: free */
    uint64_t mask;
    uint32_t *group_of; /* [n_tuples] */
    uint32_t *named;    /* [n_tuples] as the order calls them */
    uint64_t *times;    /* [groups] rows */
    uint32_t n_groups;
} mgl_release_map;

/* Takes the rows of the order. Free with mgl_release_map_free, also on failure. */
mgl_status mgl_release_map_make(const mgl_source *source, const mgl_push_order *order,
                                mgl_error *err, mgl_release_map *out);
void mgl_release_map_free(mgl_release_map *map);

/* A cell as the map has it: all that is missing reads as the first token. */
mgl_span mgl_map_cell(const mgl_source_options *options, mgl_span cell);
uint64_t mgl_packed_hash(const uint64_t *words, size_t n);
/* The number of a packed tuple; MGL_NOT_FOUND. */
uint32_t mgl_packed_find(const mgl_release_map *map, const uint64_t *words, uint64_t hash);

#endif
