/* Counts the rows of a release that are alone with the quasi-identifier and the columns that pass
 * through, and compares that with the claim of a result (`alone`). claims.c calls it. */
#include "command/audit/claims.h"

typedef struct counting {
    mgl_alone *alone;
    const size_t *columns; /* of the file */
    size_t n;
    uint64_t row;
} counting;

/* A field without the quotes around it. */
static mgl_span cell_of(const mgl_field *field)
{
    bool quoted = field->quoted && field->size >= 2;
    return quoted ? (mgl_span){field->data + 1, field->size - 2}
                  : (mgl_span){field->data, field->size};
}

static mgl_status add_records(void *context, const mgl_records *records, mgl_error *err)
{
    counting *x = context;
    (void)err;
    for (size_t r = 0; r < records->n_records; r++, x->row++)
        for (size_t i = 0; i < x->n; i++) {
            mgl_span cell = cell_of(&records->fields[r * records->n_fields + x->columns[i]]);
            mgl_alone_add(x->alone, x->row, i, mgl_hash(cell.data, cell.size));
        }
    return MGL_OK;
}

bool mgl_claims_is_made_up(const mgl_claims *c, const char *column)
{
    const json_t *list = json_object_get(c->claimed, "treatments");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column"),
                   *said = mgl_json_text(json_array_get(list, i), "treatment");
        mgl_treat *treat;
        if (name == NULL || said == NULL || strcmp(name, column) != 0 ||
            mgl_treat_new(said, NULL, &treat) != MGL_OK)
            continue;
        bool renames = mgl_treat_renames(treat);
        mgl_treat_free(treat);
        return renames;
    }
    return false;
}

/* The columns that pass through and that others may know, as the result lists what was guarded. */
static json_t *known_besides(const mgl_claims *c)
{
    const json_t *list = json_object_get(json_object_get(c->claimed, "guard"), "columns");
    json_t *names = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column"),
                   *role = mgl_json_text(json_array_get(list, i), "role");
        if (name != NULL && role != NULL && strcmp(role, "insensitive") == 0 &&
            !mgl_claims_is_made_up(c, name))
            mgl_json_append(names, json_string(name));
    }
    return names;
}

static mgl_status count_rows(mgl_claims *c, const size_t *columns, size_t n, mgl_error *err)
{
    counting x = {.columns = columns, .n = n};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_alone_new(c->rows, err, &x.alone));
    MGL_GO(mgl_source_each(c->reading->source, add_records, &x, err));
    MGL_GO(mgl_alone_count(x.alone, c->reading->entity, err, &c->alone_rows));
    c->alone_counted = true;
done:
    mgl_alone_free(x.alone);
    return status;
}

/* Rows that stay in an engine are not counted, nor those of persons who are not in the file. */
mgl_status mgl_claims_alone(mgl_claims *c, mgl_error *err)
{
    const mgl_source *source = c->reading->source;
    const json_t *claimed = json_object_get(c->claimed, "alone");
    size_t n = c->reading->n_quasi;
    if (!json_is_integer(json_object_get(claimed, "rows")) || mgl_source_counts(source) ||
        c->reading->table->times != NULL || c->persons)
        return MGL_OK;
    json_t *besides = known_besides(c);
    size_t *columns = mgl_alloc_array(n + json_array_size(besides), sizeof *columns);
    mgl_status status = MGL_OK;
    if (columns == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < n; a++)
        columns[a] = c->reading->quasi[a].column->source_index;
    for (size_t i = 0; i < json_array_size(besides); i++) {
        columns[n] = mgl_source_find(source, json_string_value(json_array_get(besides, i)));
        n += columns[n] != SIZE_MAX;
    }
    MGL_GO(count_rows(c, columns, n, err));
done:
    json_decref(besides);
    mgl_free(columns);
    return status;
}

void mgl_claim_alone(mgl_claims *c, const json_t *claimed)
{
    json_t *besides = known_besides(c);
    /* Tables of engines that the Python package writes have no such figure, nor have counts. */
    bool due = json_array_size(besides) > 0 && json_object_get(c->claimed, "engine") == NULL &&
               json_object_get(c->claimed, "counts") == NULL;
    if (mgl_claims_due(c, "alone", claimed, due) &&
        mgl_claims_shape(c, "alone", claimed, "rows:I of:i known:a besides:a")) {
        mgl_claims_agree(c, "alone.besides", json_object_get(claimed, "besides"), besides);
        mgl_claims_agree(c, "alone.known", json_object_get(claimed, "known"),
                         json_object_get(c->claimed, "quasi_identifier"));
        mgl_claims_agree(c, "alone.of", json_object_get(claimed, "of"),
                         json_object_get(c->claimed, "released_rows"));
        if (c->alone_counted)
            mgl_claims_compare_new(c, "alone.rows", json_object_get(claimed, "rows"),
                                   mgl_json_count(c->alone_rows));
        else
            mgl_claims_skip(c, "alone",
                            c->persons ? "persons are not in the release; `entity: COLUMN`, with "
                                         "a copy that has it"
                                       : "needs the rows, which stay in the engine");
    }
    json_decref(besides);
}
