/* Runs a random job from its files to its release and judges it row by row. The fuzz target of
 * releases and the soak call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_result.h"
#include "io/io.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* ---- Drawing one ------------------------------------------------------------------------- */

static const char *const methods[] = {"mingen",    "cell",           "datafly",          "samarati",
                                      "incognito", "top-down",       "mu-argus",         "mondrian",
                                      "k-member",  "microaggregate", "local-suppression"};
static const char *const outputs[] = {"release.csv",     "release.csv", "release.csv.gz",
                                      "release.csv.zst", "release.sav", "release.dta"};

static const char *one_of(brute_random *random, const char *const *texts, size_t n)
{
    return texts[brute_below(random, (int)n)];
}

/* Lets bytes choose cells: pairs of a place and a value. */
static void change_cells(brute_table *t, const uint8_t *bytes, size_t n_bytes)
{
    for (size_t i = 0; i + 1 < n_bytes; i += 2) {
        int r = bytes[i] % t->c.n_rows, a = bytes[i] / 51 % t->c.n_attributes;
        const brute_hierarchy *h = &t->c.hierarchies[a];
        if (bytes[i + 1] < 192) /* only values that the table has: builders see no others */
            t->c.leaf[r][a] = t->c.leaf[bytes[i + 1] % t->c.n_rows][a] % h->n_leaves;
        else
            t->sensitive[0].value[r] = t->sensitive[0].value[bytes[i + 1] % t->c.n_rows];
    }
}

/* How many rows lie under each text. */
static void count_rows(brute_table *t)
{
    for (int a = 0; a < t->c.n_attributes; a++) {
        brute_hierarchy *h = &t->c.hierarchies[a];
        for (int text = 0; text < h->n_texts; text++) {
            h->rows[text] = 0;
            for (int r = 0; r < t->c.n_rows; r++)
                h->rows[text] += h->text[h->lowest[text]][t->c.leaf[r][a]] == text;
        }
    }
}

static bool is_one_of(const char *text, const char *const *texts)
{
    while (*texts != NULL && strcmp(text, *texts) != 0)
        texts++;
    return *texts != NULL;
}

static void settle_k(brute_table *t)
{
    t->c.k = brute_table_k(t);
    t->c.without_k = !brute_table_has(t, BRUTE_K);
}

static brute_model plain_k(const brute_table *t)
{
    return (brute_model){BRUTE_K, 0, {t->c.n_rows < 2 ? 1 : 2, 0}};
}

static void forget_population(brute_table *t)
{
    int n = 0;
    t->has_population = false;
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind != BRUTE_K_MAP && t->models[i].kind != BRUTE_DELTA_PRESENCE)
            t->models[n++] = t->models[i];
    if (n == 0)
        t->models[n++] = plain_k(t);
    t->n_models = n;
    settle_k(t);
}

/* Numbers as ground values, wherever they are called by these. */
static void make_numbers(brute_hierarchy *h)
{
    for (int leaf = 0; leaf < h->n_leaves - h->has_missing; leaf++) {
        char number[BRUTE_TEXT], old[BRUTE_TEXT];
        snprintf(number, sizeof number, "%d", 7 * leaf * leaf + leaf - 3);
        memcpy(old, h->label[0][leaf], sizeof old);
        for (int l = 0; l <= h->height; l++)
            if (strcmp(h->label[l][leaf], old) == 0)
                memcpy(h->label[l][leaf], number, sizeof number);
    }
}

/* Lets the job be one that the method takes: some make up
 * values that no population has, and the cell level wants a measure that adds up. */
static void fit_method(trial *x)
{
    static const char *const own_values[] = {"mondrian", "k-member", "microaggregate", NULL};
    static const char *const efforts[] = {"cell", "top-down", "local-suppression", NULL};
    brute_case *c = &x->t.c;
    c->ranges = is_one_of(x->method, own_values);
    if (c->ranges)
        forget_population(&x->t);
    if (strcmp(x->method, "mu-argus") == 0 && !brute_table_has(&x->t, BRUTE_K)) {
        x->t.models[0] = plain_k(&x->t);
        settle_k(&x->t);
    }
    for (int a = 0; strcmp(x->method, "microaggregate") == 0 && a < c->n_attributes; a++) {
        make_numbers(&c->hierarchies[a]);
        c->bounded[a] = false;
    }
    if (!is_one_of(x->method, efforts))
        x->effort = NULL;
    if (strcmp(x->method, "cell") == 0 && c->measure != BRUTE_LOSS && c->measure != BRUTE_NCP &&
        c->measure != BRUTE_NONUNIFORM_ENTROPY)
        c->measure = BRUTE_PRECISION;
}

void trial_make(trial *trial, uint64_t table, uint64_t method, const uint8_t *bytes, size_t n_bytes)
{
    brute_random random = {method * 7919 + 13};
    memset(trial, 0, sizeof *trial);
    brute_table_make(&trial->t, table, 200);
    brute_order_sets(&trial->t.c);
    change_cells(&trial->t, bytes, n_bytes);
    count_rows(&trial->t);
    trial->method = one_of(&random, methods, sizeof methods / sizeof methods[0]);
    trial->output = one_of(&random, outputs, sizeof outputs / sizeof outputs[0]);
    trial->effort = one_of(&random, (const char *[]){"fast", "balanced", "best"}, 3);
    trial->cut = one_of(&random, (const char *[]){"strict", "relaxed"}, 2);
    trial->replace = one_of(&random, (const char *[]){"mean", "median", "range"}, 3);
    trial->time_limit = "2";
    trial->accept_unsafe = brute_chance(&random, 50);
    trial->keep_order = brute_chance(&random, 50);
    fit_method(trial);
}

/* ---- The files and the job ----------------------------------------------------------------- */

/* A last column numbers the rows, so that a row of the release is known again. */
static void number_rows(void)
{
    size_t size;
    char *text = brute_read("table.csv", &size);
    brute_text numbered = {0};
    int row = -1;
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), row++) {
        char number[16];
        snprintf(number, sizeof number, row < 0 ? ";nr\n" : ";n%d\n", row);
        brute_append_text(&numbered, line);
        brute_append_text(&numbered, number);
    }
    brute_write("table.csv", numbered.data, numbered.size);
    free(numbered.data);
    free(text);
}

void trial_write(const trial *x)
{
    brute_table_write(&x->t);
    number_rows();
}

static mgl_job *table_job(const trial *x, brute_command command)
{
    mgl_job *job = brute_table_job(&x->t, command);
    brute_set(job, "data", "table.csv");
    brute_set(job, "insensitive", "nr");
    return job;
}

mgl_job *trial_job(const trial *x)
{
    mgl_job *job = table_job(x, BRUTE_RUN);
    brute_set(job, "output", x->output);
    brute_set_method(&x->t.c, job, x->method);
    if (x->effort != NULL)
        brute_set(job, "effort", x->effort);
    if (strcmp(x->method, "mondrian") == 0)
        brute_set(job, "cut", x->cut);
    if (strcmp(x->method, "microaggregate") == 0)
        brute_set(job, "replace", x->replace);
    if (strcmp(x->method, "mu-argus") == 0 && x->accept_unsafe)
        brute_set(job, "accept", "unsafe");
    if (x->keep_order)
        brute_set(job, "keep-order", "true");
    brute_set(job, "time-limit", x->time_limit);
    return job;
}

static _Noreturn void fail_trial(const trial *x, const char *what)
{
    brute_table_print(&x->t, stderr);
    fail_msg("seed %llu, %s to %s: %s", (unsigned long long)x->t.c.seed, x->method, x->output,
             what);
    abort(); /* fail_msg does not return, but does not say so */
}

/* ---- Reading the release -------------------------------------------------------------------- */

typedef struct reading {
    const trial *x;
    brute_node *node;
    bool seen[BRUTE_ROWS];
    int column[BRUTE_ATTRIBUTES], number;         /* columns of the release */
    char other[BRUTE_ATTRIBUTES][BRUTE_ROWS][64]; /* released texts that no hierarchy has */
    int n_other[BRUTE_ATTRIBUTES];
} reading;

/* The number of a text; texts that the method made up come behind those of the hierarchy. */
static int text_number(reading *z, int a, const char *text)
{
    const brute_hierarchy *h = &z->x->t.c.hierarchies[a];
    if (strcmp(text, "NA") == 0)
        text = "";
    for (int l = 0; l <= h->height; l++)
        for (int leaf = 0; leaf < h->n_leaves; leaf++)
            if (strcmp(h->label[l][leaf], text) == 0)
                return h->text[l][leaf];
    for (int i = 0; i < z->n_other[a]; i++)
        if (strcmp(z->other[a][i], text) == 0)
            return BRUTE_TEXTS + i;
    if (z->x->t.has_population || strlen(text) >= sizeof z->other[a][0])
        fail_trial(z->x, "a released text is not in its hierarchy");
    strcpy(z->other[a][z->n_other[a]], text);
    return BRUTE_TEXTS + z->n_other[a]++;
}

static mgl_status see_records(void *context, const mgl_records *records, mgl_error *err)
{
    reading *z = context;
    mgl_buffer scratch = {0};
    (void)err;
    for (size_t i = 0; i < records->n_records; i++) {
        const mgl_field *fields = records->fields + i * records->n_fields;
        mgl_span number = mgl_field_value(fields[z->number], &scratch);
        char text[64];
        snprintf(text, sizeof text, "%.*s", mgl_span_width(number), number.data);
        int row = text[0] == 'n' ? atoi(text + 1) : -1;
        if (row < 0 || row >= z->x->t.c.n_rows || z->seen[row])
            fail_trial(z->x, "a row is released that there is not, or twice");
        z->seen[row] = true;
        for (int a = 0; a < z->x->t.c.n_attributes; a++) {
            mgl_span cell = mgl_field_value(fields[z->column[a]], &scratch);
            snprintf(text, sizeof text, "%.*s", (int)cell.size, cell.data);
            z->node->released[row][a] = text_number(z, a, text);
        }
    }
    mgl_buffer_free(&scratch);
    return MGL_OK;
}

static void read_release(const trial *x, brute_node *node)
{
    static reading z;
    static const mgl_span missing[] = {{"", 0}, {"NA", 2}};
    static const mgl_source_options options = {.missing = missing, .n_missing = 2};
    mgl_source *source;
    mgl_error err;
    z = (reading){.x = x, .node = node};
    if (mgl_source_open(x->output, &options, &err, &source) != MGL_OK)
        fail_trial(x, err.message);
    for (int a = 0; a < x->t.c.n_attributes; a++)
        z.column[a] = (int)mgl_source_find(source, (char[]){(char)('a' + a), '\0'});
    z.number = (int)mgl_source_find(source, "nr");
    memset(node, 0, sizeof *node);
    if (mgl_source_each(source, see_records, &z, &err) != MGL_OK)
        fail_trial(x, err.message);
    mgl_source_close(source);
    for (int r = 0; r < x->t.c.n_rows; r++) {
        node->suppressed[r] = !z.seen[r];
        if (!z.seen[r] && x->t.c.treatment != BRUTE_DROP)
            fail_trial(x, "a row is missing");
    }
}

/* ---- Judging -------------------------------------------------------------------------------- */

/* Every cell of a hierarchy column stands for the value it was made of. */
static void check_cells(const trial *x, const brute_node *node)
{
    for (int r = 0; r < x->t.c.n_rows; r++)
        for (int a = 0; a < x->t.c.n_attributes; a++) {
            const brute_hierarchy *h = &x->t.c.hierarchies[a];
            int text = node->released[r][a];
            if (!node->suppressed[r] && text < BRUTE_TEXTS &&
                h->text[h->lowest[text]][x->t.c.leaf[r][a]] != text)
                fail_trial(x, "a released cell does not stand for its value");
        }
}

static void check_promise(const trial *x, const mgl_result *result, const brute_node *node)
{
    bool unsafe = x->accept_unsafe && strcmp(x->method, "mu-argus") == 0;
    if (!unsafe && !mgl_result_holds(result))
        fail_trial(x, "a release was written that breaks its promise");
    int rows = brute_released_suppressed(&x->t.c, node);
    if (!unsafe && x->t.c.treatment != BRUTE_KEEP && x->t.c.limited && rows > x->t.c.limit)
        fail_trial(x, "more rows are suppressed than allowed");
    json_t *document = brute_document(result);
    if (brute_number(document, "suppressed_rows") != rows)
        fail_trial(x, "the number of suppressed rows");
    json_decref(document);
}

/* What `check` says about the table as it is, which mostly breaks its models. */
static void check_table(const trial *x)
{
    mgl_job *job = table_job(x, BRUTE_CHECK);
    mgl_result *result;
    mgl_error err;
    brute_node node;
    int level[BRUTE_ATTRIBUTES] = {0};
    if (mgl_job_run(job, "check", &err, &result) == MGL_OK) {
        json_t *document = brute_document(result);
        brute_node_begin(&x->t.c, level, &node);
        brute_compare_models(&x->t, document, &node);
        json_decref(document);
        mgl_result_free(result);
    } else if (err.status == MGL_SYSTEM) {
        fail_trial(x, err.message);
    }
    mgl_job_free(job);
}

trial_outcome trial_run(const trial *x)
{
    static brute_node node;
    mgl_result *result;
    mgl_error err = {0};
    trial_write(x);
    (void)remove(x->output);
    mgl_job *job = trial_job(x);
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    mgl_job_free(job);
    check_table(x);
    if (status == MGL_OK) {
        json_t *document = brute_document(result);
        read_release(x, &node);
        if (strcmp(x->method, "microaggregate") != 0) /* an average can read like a value */
            check_cells(x, &node);
        check_promise(x, result, &node);
        brute_compare_models(&x->t, document, &node);
        json_decref(document);
        mgl_result_free(result);
        return TRIAL_RELEASED;
    }
    if (status == MGL_SYSTEM || err.message[0] == '\0')
        fail_trial(x, err.message);
    if (brute_exists(x->output))
        fail_trial(x, "a release is there although the run failed");
    return status == MGL_UNMET ? TRIAL_UNMET : TRIAL_REFUSED;
}
