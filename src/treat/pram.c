/* pram: values change at random into other values of the column, with chances that leave the
 * expected number of rows of each as it is (invariant PRAM). The chances are made from a share that
 * stays, or from a matrix in a file. A row of the table in treat_types.c. */
#include "treat/perturbing.h"
#include "text/text.h"

#include <math.h>

enum { MOST_VALUES = 2000 }; /* of a matrix */

static const char keep[] = "keep ", matrix[] = "matrix ";

static bool begins(mgl_span text, const char *word, mgl_span *rest)
{
    size_t size = strlen(word);
    if (text.size <= size || memcmp(text.data, word, size) != 0)
        return false;
    *rest = mgl_span_trim((mgl_span){text.data + size, text.size - size});
    return true;
}

/* "keep 80 %" or "matrix FILE", and "within a, b" behind it. */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span rest = step->arguments, first, what;
    bool fine = mgl_treat_next(&rest, &first);
    if (fine && begins(first, matrix, &what))
        step->word = what;
    else
        fine = fine && begins(first, keep, &what) && mgl_treat_read_share(what, 1, &step->share) &&
               step->share < 1;
    if (fine && mgl_treat_read_columns(step, rest, "within", arena, wrong))
        return true;
    mgl_buffer_text(wrong, "is no treatment: it says with which chance a row keeps its value at "
                           "least (above 0 and below 100 %), or names a file with a matrix; write "
                           "for example pram(keep 80 %), pram(keep 80 %, within COLUMN) or "
                           "pram(matrix FILE)");
    return false;
}

/* ---- A matrix ---------------------------------------------------------------------------------
 */

/* Chances [from * n + to] that a value becomes another. */
typedef struct chances {
    mgl_map *values;
    double *list;
    bool *given; /* [n] there is a line of the value */
    size_t n;
    const char *path;
    mgl_arena *arena;
} chances;

static mgl_status fail_line(const chances *m, uint64_t line, const char *why, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, m->path, line, "%s", why);
}

/* Cuts a cell off, in double quotes or as it is. */
static bool next_cell(mgl_span *rest, mgl_span *out)
{
    if (rest->data == NULL)
        return false;
    bool quoted = rest->size > 1 && rest->data[0] == '"';
    size_t from = quoted ? 1 : 0, at = from;
    while (at < rest->size && rest->data[at] != (quoted ? '"' : ','))
        at++;
    *out = (mgl_span){rest->data + from, at - from};
    if (!quoted)
        *out = mgl_span_trim(*out);
    while (at < rest->size && rest->data[at] != ',')
        at++;
    *rest = at < rest->size ? (mgl_span){rest->data + at + 1, rest->size - at - 1}
                            : (mgl_span){NULL, 0};
    return true;
}

/* The first line names the values that others become. */
static mgl_status take_header(chances *m, mgl_span line, mgl_error *err)
{
    mgl_span cell;
    next_cell(&line, &cell);
    while (next_cell(&line, &cell)) {
        uint32_t known = mgl_map_size(m->values), at = mgl_map_add(m->values, cell);
        if (at == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
        if (at < known)
            return fail_line(m, 1, "a value stands there twice; leave it in one column", err);
    }
    m->n = mgl_map_size(m->values);
    if (m->n < 2 || m->n > MOST_VALUES)
        return fail_line(m, 1,
                         "the first line names the values that others become, from 2 to 2000; "
                         "write for example ,a,b and below a,0.8,0.2 and b,0.1,0.9",
                         err);
    m->list = mgl_arena_alloc(m->arena, m->n * m->n * sizeof *m->list);
    m->given = mgl_arena_alloc(m->arena, m->n * sizeof *m->given);
    MGL_TRY(mgl_check_memory(m->list != NULL && m->given != NULL, err));
    memset(m->given, 0, m->n * sizeof *m->given);
    return MGL_OK;
}

static mgl_status take_line(void *context, mgl_span line, uint64_t number, mgl_error *err)
{
    chances *m = context;
    mgl_span cell;
    double sum = 0;
    size_t to = 0;
    if (mgl_span_trim(line).size == 0)
        return MGL_OK;
    if (m->list == NULL)
        return take_header(m, line, err);
    next_cell(&line, &cell);
    uint32_t from = mgl_map_find(m->values, cell);
    if (from == MGL_NOT_FOUND || m->given[from])
        return fail_line(m, number,
                         "the line begins with a value that the first line has not, or that has a "
                         "line already; each value has one column and one line",
                         err);
    m->given[from] = true;
    double *row = m->list + from * m->n;
    for (; to < m->n && next_cell(&line, &cell); to++) {
        if (!mgl_parse_double(cell, &row[to]) || row[to] < 0 || row[to] > 1)
            return fail_line(m, number, "a cell is no chance from 0 to 1", err);
        sum += row[to];
    }
    if (to < m->n || line.data != NULL || sum < 1 - 1e-6 || sum > 1 + 1e-6)
        return fail_line(m, number, "the line needs a chance for each value, 1 in sum", err);
    return MGL_OK;
}

static mgl_status read_matrix(chances *m, mgl_error *err)
{
    MGL_TRY(mgl_lines_each(m->path, take_line, m, err));
    for (size_t i = 0; i < m->n; i++)
        if (!m->given[i])
            return fail_line(m, 0, "a value of the first line has no line of its own", err);
    return m->n > 0 ? MGL_OK : fail_line(m, 0, "the file has no matrix", err);
}

/* The place at which the sum of what is listed passes a share of it. */
static size_t choose(const double *list, size_t n, double share)
{
    double sum = 0, passed = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++)
        sum += list[i];
    for (size_t i = 0; i < n; i++) {
        passed += list[i];
        last = list[i] > 0 ? i : last;
        if (list[i] > 0 && passed > share * sum)
            return i;
    }
    return last;
}

/* The rows of a group become a value by the matrix, and then one that may have become it, with the
 * chance that it did: so each value is expected in as many rows as before. */
static mgl_status by_matrix(const chances *m, const mgl_treat_place *list, size_t n,
                            const mgl_span *texts, const uint64_t (*draws)[2], mgl_treat_rows *rows,
                            mgl_error *err)
{
    double *back = mgl_zeroed_array(m->n, sizeof *back), *counts = NULL;
    counts = mgl_zeroed_array(m->n, sizeof *counts);
    bool room = back != NULL && counts != NULL;
    for (size_t i = 0; room && i < n; i++) {
        uint32_t value = mgl_map_find(m->values, texts[i]);
        if (value == MGL_NOT_FOUND && rows->bad == SIZE_MAX) {
            rows->bad = list[i].row;
            mgl_buffer_text(rows->wrong, "is not in the matrix; add a line and a column for it");
        }
        if (value != MGL_NOT_FOUND)
            counts[value] += 1;
    }
    for (size_t i = 0; room && rows->bad == SIZE_MAX && i < n; i++) {
        const uint64_t *draw = draws[list[i].row];
        uint32_t from = mgl_map_find(m->values, texts[i]);
        size_t there = choose(m->list + from * m->n, m->n, mgl_treat_unit(draw[0]));
        for (size_t j = 0; j < m->n; j++)
            back[j] = counts[j] * m->list[j * m->n + there];
        size_t to = choose(back, m->n, mgl_treat_unit(draw[1]));
        rows->texts[list[i].row] = mgl_map_text(m->values, (uint32_t)to);
    }
    mgl_free(back);
    mgl_free(counts);
    return mgl_check_memory(room, err);
}

/* ---- Rows -------------------------------------------------------------------------------------
 */

/* A row keeps its value, or gets that of any row of its group: its own again among others. */
static void by_share(double share, const mgl_treat_place *list, size_t n, const mgl_span *texts,
                     const uint64_t (*draws)[2], mgl_treat_rows *rows)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t *draw = draws[list[i].row];
        size_t other = (size_t)(mgl_treat_unit(draw[1]) * (double)n);
        if (mgl_treat_unit(draw[0]) >= share)
            rows->texts[list[i].row] = texts[other];
    }
}

/* The texts of the matrix must outlive it. */
static mgl_status copy_texts(mgl_treat_rows *rows, const mgl_treat_places *places, mgl_error *err)
{
    for (size_t i = 0; i < places->n; i++) {
        mgl_span *text = &rows->texts[places->list[i].row];
        const char *copy = mgl_arena_copy(rows->arena, text->data, text->size);
        MGL_TRY(mgl_check_memory(copy != NULL, err));
        text->data = copy;
    }
    return MGL_OK;
}

static mgl_status draw_all(const mgl_treat_rows *rows, mgl_error *err, uint64_t (**out)[2])
{
    mgl_treat_draws draws;
    bool room = true;
    MGL_TRY(mgl_new_array(rows->n, sizeof **out, err, out));
    MGL_TRY(mgl_treat_draws_begin(rows, "pram:", mgl_span_of(rows->name), err, &draws));
    for (size_t row = 0; room && row < rows->n; row++)
        room = mgl_treat_draw(&draws, row, (*out)[row]);
    mgl_treat_draws_end(&draws);
    return mgl_check_memory(room, err);
}

static mgl_status perturb_groups(const mgl_treat_step *step, const chances *m, mgl_treat_rows *rows,
                                 mgl_error *err)
{
    mgl_treat_places places;
    mgl_random stream;
    uint64_t(*draws)[2] = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_treat_stream(rows, "pram order:", mgl_span_of(rows->name), err, &stream));
    MGL_GO(draw_all(rows, err, &draws));
    MGL_GO(mgl_treat_places_of(step, rows, false, true, &stream, err, &places));
    mgl_span *texts = mgl_treat_texts(rows, &places);
    MGL_GO(mgl_check_memory(texts != NULL, err));
    for (size_t from = 0, end; from < places.n; from = end) {
        end = mgl_treat_group_end(&places, from);
        if (m->path != NULL)
            MGL_GO(by_matrix(m, places.list + from, end - from, texts + from,
                             (const uint64_t(*)[2])draws, rows, err));
        else
            by_share(step->share, places.list + from, end - from, texts + from,
                     (const uint64_t(*)[2])draws, rows);
    }
    MGL_GO(m->path != NULL ? copy_texts(rows, &places, err) : MGL_OK);
done:
    mgl_free(draws);
    return status;
}

static mgl_status perturb(const mgl_treat_step *step, mgl_treat_rows *rows, mgl_error *err,
                          mgl_buffer *resolved)
{
    chances m = {.arena = rows->arena};
    mgl_status status = MGL_OK;
    if (step->word.size > 0) {
        m.values = mgl_map_new();
        m.path = mgl_arena_copy(rows->arena, step->word.data, step->word.size);
        MGL_GO(mgl_check_memory(m.values != NULL && m.path != NULL, err));
        MGL_GO(read_matrix(&m, err));
    }
    MGL_GO(perturb_groups(step, &m, rows, err));
    mgl_buffer_span(resolved, step->text);
done:
    mgl_map_free(m.values);
    return status;
}

const mgl_treat_type mgl_treat_pram = {
    .name = "pram",
    .syntax = "pram(keep P %|matrix FILE[, within COLUMN...])",
    .help = "not truthful: values change at random into others of the column, and each row keeps "
            "its own with a chance of at least P %; each value is expected in as many rows as "
            "before",
    .example = "pram(keep 80 %): asthma -> flu",
    .promise = "a value of the column",
    .names_file = true,
    .read = read,
    .perturb = perturb,
};
