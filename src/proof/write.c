/* Writes a certificate as a JSON document, with a line for each leaf and each tuple. `anonymize
 * --save-proof` calls it. */
#include "proof/proof.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

/* Cells and names are UTF-8 when they were read, so that memory is all that can be lacking. */
static mgl_status write_text(mgl_buffer *out, mgl_span text, mgl_error *err)
{
    json_t *string = json_stringn(text.data, text.size);
    char *written = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    json_decref(string);
    if (written == NULL)
        return mgl_fail_memory(err);
    mgl_buffer_text(out, written);
    free(written);
    return MGL_OK;
}

static void write_numbers(mgl_buffer *out, const uint32_t *numbers, size_t n)
{
    mgl_buffer_text(out, "[");
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(out, "%s%" PRIu32, i > 0 ? "," : "", numbers[i]);
    mgl_buffer_text(out, "]");
}

/* As short as it can be and still read back as the same. */
static void write_real(mgl_buffer *out, double value)
{
    char text[MGL_NUMBER_TEXT];
    mgl_number_write_exact(value, text);
    mgl_buffer_text(out, text);
}

static mgl_status write_column(mgl_buffer *out, const mgl_proof_column *x, mgl_error *err)
{
    mgl_buffer_text(out, "{\"name\": ");
    MGL_TRY(write_text(out, mgl_span_of(x->name), err));
    mgl_buffer_text(out, ", \"weight\": ");
    write_real(out, x->weight);
    mgl_buffer_format(out, ", \"levels\": [%" PRIu32 ",%" PRIu32 "],\n \"values\": [", x->low,
                      x->high);
    for (uint32_t v = 0; v < x->n_values; v++) {
        mgl_buffer_text(out, v > 0 ? "," : "");
        MGL_TRY(write_text(out, x->labels[v], err));
    }
    mgl_buffer_text(out, "],\n \"leaves\": [");
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        mgl_buffer_text(out, leaf > 0 ? ",\n  [" : "\n  [");
        for (uint32_t l = 0; l <= x->height; l++)
            mgl_buffer_format(out, "%s%" PRIu32, l > 0 ? "," : "", x->value[l][leaf]);
        mgl_buffer_text(out, "]");
    }
    mgl_buffer_text(out, "]}");
    return MGL_OK;
}

static void write_tuple(mgl_buffer *out, const mgl_proof *p, size_t t)
{
    mgl_buffer_text(out, t > 0 ? ",\n[" : "\n[");
    write_numbers(out, p->leaves + t * p->n_columns, p->n_columns);
    mgl_buffer_format(out, ",%" PRIu64 ",%" PRId64 ",[", p->counts[t], p->prices[t]);
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const mgl_proof_sensitive *x = &p->sensitive[s];
        mgl_buffer_text(out, s > 0 ? "," : "");
        write_numbers(out, x->codes + x->start[t], x->start[t + 1] - x->start[t]);
    }
    mgl_buffer_text(out, "]]");
}

static mgl_status write_models(mgl_buffer *out, const mgl_proof *p, mgl_error *err)
{
    mgl_buffer_text(out, "\"models\": [");
    for (size_t i = 0; i < p->n_models; i++) {
        const mgl_proof_model *x = &p->models[i];
        mgl_buffer_format(out, "%s{\"model\": \"%s\", \"parameter\": ", i > 0 ? ",\n " : "",
                          x->model);
        write_real(out, x->parameter);
        mgl_buffer_text(out, ", \"sensitive\": ");
        write_numbers(out, x->sensitive, x->n_sensitive);
        mgl_buffer_text(out, "}");
    }
    mgl_buffer_text(out, "],\n\"sensitive\": [");
    for (size_t s = 0; s < p->n_sensitive; s++) {
        mgl_buffer_text(out, s > 0 ? ",\n {\"attribute\": " : "{\"attribute\": ");
        MGL_TRY(write_text(out, mgl_span_of(p->sensitive[s].attribute), err));
        mgl_buffer_format(out, ", \"grouped\": %s}", p->sensitive[s].grouped ? "true" : "false");
    }
    mgl_buffer_text(out, "],\n");
    return MGL_OK;
}

static void write_step(mgl_buffer *out, const mgl_proof *p, const mgl_proof_step *s)
{
    static const char *const kinds[] = {
        [MGL_PROOF_TOGETHER] = "together", [MGL_PROOF_APART] = "apart", [MGL_PROOF_END] = "end"};
    if (s->kind != MGL_PROOF_PRICES) {
        mgl_buffer_format(out, "{\"%s\": [%" PRIu32 ",%" PRIu32 "]}", kinds[s->kind], s->pair[0],
                          s->pair[1]);
        return;
    }
    mgl_buffer_text(out, "{\"prices\": [");
    for (size_t t = 0; t < p->n_tuples; t++)
        mgl_buffer_format(out, "%s%" PRId64, t > 0 ? "," : "", s->prices[t]);
    mgl_buffer_format(out, "], \"left\": %" PRId64 ", \"cuts\": [", s->left);
    for (size_t c = 0; c < s->n_cuts; c++) {
        mgl_buffer_format(out, "%s[%" PRId64, c > 0 ? "," : "", s->cuts[c].price);
        for (size_t i = 0; i < s->cuts[c].n; i++)
            mgl_buffer_format(out, ",%" PRIu32, s->cuts[c].tuples[i]);
        mgl_buffer_text(out, "]");
    }
    mgl_buffer_text(out, "]}");
}

static void write_exact(mgl_buffer *out, const mgl_proof *p)
{
    const mgl_proof_exact *x = p->exact;
    if (x->sets) {
        mgl_buffer_format(
            out, ",\n\"exact\": {\"method\": \"sets\", \"rounded\": %s, \"bound\": %" PRId64 "}",
            x->rounded ? "true" : "false", x->bound);
        return;
    }
    mgl_buffer_format(out,
                      ",\n\"exact\": {\"rounded\": %s, \"times\": %" PRId64 ", \"step\": %" PRId64
                      ", \"bound\": %" PRId64 ", \"steps\": [",
                      x->rounded ? "true" : "false", x->times, x->step, x->bound);
    for (size_t i = 0; i < x->n_steps; i++) {
        mgl_buffer_text(out, i > 0 ? ",\n" : "\n");
        write_step(out, p, &x->steps[i]);
    }
    mgl_buffer_text(out, "]}");
}

mgl_status mgl_proof_write(const mgl_proof *p, mgl_error *err, mgl_buffer *out)
{
    mgl_buffer_format(out,
                      "{\"mingle_proof\": %d, \"unit\": %.0f,\n\"method\": \"%s\", \"measure\": "
                      "\"%s\", \"treatment\": \"%s\", \"limit\": %" PRIu64 ", \"rows\": %" PRIu64
                      ",\n\"input\": ",
                      MGL_PROOF_VERSION, MGL_PROOF_UNIT, p->method, p->measure, p->treatment,
                      p->limit, p->n_rows);
    mgl_buffer_format(out, p->input != NULL ? "\"%s\",\n" : "null,\n", p->input);
    MGL_TRY(write_models(out, p, err));
    mgl_buffer_text(out, "\"columns\": [");
    for (size_t a = 0; a < p->n_columns; a++) {
        mgl_buffer_text(out, a > 0 ? ",\n" : "");
        MGL_TRY(write_column(out, &p->columns[a], err));
    }
    mgl_buffer_text(out, "],\n\"tuples\": [");
    for (size_t t = 0; t < p->n_tuples; t++)
        write_tuple(out, p, t);
    mgl_buffer_text(out, "]");
    if (p->exact != NULL)
        write_exact(out, p);
    mgl_buffer_text(out, "}\n");
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}
