/* Arrow in and out: a table in memory becomes a release in memory, and nothing touches a disk. The
 * arrays are made by hand; a program that has Arrow's own library exports and imports streams with
 * it instead.
 *
 *     ./arrow */
#include <mingle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table: eight persons -------------------------------------------------------------------
 */

enum { ROWS = 8, COLUMNS = 3 };

static const int32_t ages[ROWS] = {31, 34, 38, 39, 52, 55, 57, 59};
/* A dictionary: each row names an entry. The last person did not say. */
static const int8_t sexes[ROWS] = {0, 1, 0, 1, 0, 1, 0, 0};
static const uint8_t sexes_said = 0x7F; /* a bit for each row that is not null */
static const int32_t sex_ends[] = {0, 6, 10};
static const char sex_texts[] = "femalemale";
static const int32_t diagnosis_ends[ROWS + 1] = {0, 3, 9, 12, 18, 21, 27, 30, 36};
static const char diagnoses[] = "fluasthmafluasthmafluasthmafluasthma";

/* Nothing was allocated for these, so that there is nothing to give back. */
static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static struct ArrowSchema text, columns[COLUMNS], *children[COLUMNS];
    (void)stream;
    text = (struct ArrowSchema){.format = "u", .release = release_schema};
    columns[0] = (struct ArrowSchema){.format = "i", .name = "age", .release = release_schema};
    columns[1] = (struct ArrowSchema){.format = "c",
                                      .name = "sex",
                                      .flags = ARROW_FLAG_NULLABLE,
                                      .dictionary = &text,
                                      .release = release_schema};
    columns[2] =
        (struct ArrowSchema){.format = "u", .name = "diagnosis", .release = release_schema};
    for (int i = 0; i < COLUMNS; i++)
        children[i] = &columns[i];
    *out = (struct ArrowSchema){
        .format = "+s", .n_children = COLUMNS, .children = children, .release = release_schema};
    return 0;
}

/* The only batch, then the end. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    static const void *none[1], *age[] = {NULL, ages}, *sex[] = {&sexes_said, sexes},
                                *entries[] = {NULL, sex_ends, sex_texts},
                                *diagnosis[] = {NULL, diagnosis_ends, diagnoses};
    static struct ArrowArray dictionary, columns[COLUMNS], *children[COLUMNS];
    memset(out, 0, sizeof *out);
    if (stream->private_data != NULL)
        return 0;
    stream->private_data = stream;
    dictionary = (struct ArrowArray){
        .length = 2, .n_buffers = 3, .buffers = entries, .release = release_array};
    columns[0] = (struct ArrowArray){
        .length = ROWS, .n_buffers = 2, .buffers = age, .release = release_array};
    columns[1] = (struct ArrowArray){.length = ROWS,
                                     .null_count = 1,
                                     .n_buffers = 2,
                                     .buffers = sex,
                                     .dictionary = &dictionary,
                                     .release = release_array};
    columns[2] = (struct ArrowArray){
        .length = ROWS, .n_buffers = 3, .buffers = diagnosis, .release = release_array};
    for (int i = 0; i < COLUMNS; i++)
        children[i] = &columns[i];
    *out = (struct ArrowArray){.length = ROWS,
                               .n_buffers = 1,
                               .buffers = none,
                               .n_children = COLUMNS,
                               .children = children,
                               .release = release_array};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL; /* nothing fails here */
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* ---- The job ------------------------------------------------------------------------------------
 */

static mgl_status fill_job(mgl_job *job, mgl_error *err)
{
    static const char *const keys[][2] = {
        {"data", "memory:persons"},
        {"attributes.age.role", "quasi"},
        {"attributes.age.hierarchy", "intervals(10,20)"},
        {"attributes.sex.role", "quasi"},
        {"attributes.diagnosis.role", "sensitive"},
        {"k", "2"},
        {"output", "memory:release"},
    };
    struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, NULL};
    mgl_status status = mgl_job_give_stream(job, "persons", &stream, err);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && status == MGL_OK; i++)
        status = mgl_job_set(job, keys[i][0], keys[i][1], err);
    return status;
}

/* ---- The release: generalized columns are dictionaries of text, the others are what they were
 * ----
 */

/* Which entry of the dictionary a cell names: the schema tells how wide the numbers are. */
static int64_t entry_of(const struct ArrowArray *array, const struct ArrowSchema *type, int64_t at)
{
    switch (type->format[0]) {
    case 'c':
        return ((const int8_t *)array->buffers[1])[at];
    case 's':
        return ((const int16_t *)array->buffers[1])[at];
    default:
        return ((const int32_t *)array->buffers[1])[at];
    }
}

static void print_cell(const struct ArrowArray *array, const struct ArrowSchema *type, int64_t row)
{
    const uint8_t *valid = array->buffers[0];
    int64_t at = array->offset + row;
    if (valid != NULL && (valid[at / 8] >> at % 8 & 1) == 0) {
        printf("%-12s", "(null)");
        return;
    }
    if (array->dictionary != NULL) {
        at = array->dictionary->offset + entry_of(array, type, at);
        array = array->dictionary;
    }
    const int32_t *ends = array->buffers[1];
    printf("%-12.*s", (int)(ends[at + 1] - ends[at]), (const char *)array->buffers[2] + ends[at]);
}

static int print_stream(struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int error = stream->get_schema(stream, &schema);
    if (error != 0)
        return error;
    while ((error = stream->get_next(stream, &batch)) == 0 && batch.release != NULL) {
        for (int64_t row = 0; row < batch.length; row++) {
            for (int64_t column = 0; column < batch.n_children; column++)
                print_cell(batch.children[column], schema.children[column], batch.offset + row);
            printf("\n");
        }
        batch.release(&batch);
    }
    schema.release(&schema);
    return error;
}

int main(void)
{
    mgl_error err;
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    struct ArrowArrayStream release = {0};
    mgl_status status = mgl_job_new(&err, &job);
    if (status == MGL_OK)
        status = fill_job(job, &err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &err, &result);
    if (status == MGL_OK)
        status = mgl_result_stream(result, "release", &err, &release);
    mgl_result_free(result); /* the stream lives on */
    mgl_job_free(job);
    if (status != MGL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return (int)status;
    }
    int error = print_stream(&release);
    release.release(&release);
    return error;
}
