/* What a job can say about the method datafly. */
#ifndef MGL_SEARCH_DATAFLY_H
#define MGL_SEARCH_DATAFLY_H

typedef struct mgl_datafly_options {
    const double *preference; /* [n_attributes] 0 spares the column, 1 does not */
} mgl_datafly_options;

#endif
