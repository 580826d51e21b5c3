/* Columns that give others back. Finds out what a release still promises when an outsider puts the
 * recovered cells back: the frequency list is made once more, with what is recovered in each row as
 * one more column, so that rows of one tuple separate where it differs, and judged by all models.
 * Writes objections and warnings about it. */
#include "pipeline/guard/put_back.h"

#include <math.h>
#include <stdio.h>

typedef struct putting {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_recoding *recoding;
    const mgl_generalized *generalized;
    const mgl_given_rows *rows;
    const uint32_t *put;
    size_t n, n_put;          /* quasi-identifiers; generalized ones */
    mgl_map *puts;            /* what is put into rows, each combination once */
    mgl_table *table;         /* its one column: that number of each row */
    mgl_hierarchy *hierarchy; /* of the numbers */
    uint32_t *leaf_of_code;
    uint32_t *put_of_leaf;   /* the number */
    mgl_bound_column *quasi; /* [n + 1] */
    mgl_frequency_list *list;
    mgl_recoding *split; /* of the tuples of that list */
    mgl_arena *arena;
} putting;

static mgl_status number_rows(putting *p, mgl_column *column, mgl_error *err)
{
    mgl_span last = {0};
    uint32_t code = 0;
    for (size_t row = 0; row < p->rows->n_rows; row++) {
        mgl_span put = {(const char *)(p->put + row * p->n_put), p->n_put * sizeof *p->put};
        if (row == 0 || !mgl_span_equal(put, last)) {
            char text[24];
            uint32_t number = mgl_map_add(p->puts, put);
            int size = snprintf(text, sizeof text, "%u", (unsigned)number);
            code = number == MGL_NOT_FOUND
                       ? number
                       : mgl_dictionary_add(column->dictionary, (mgl_span){text, (size_t)size});
        }
        last = put;
        if (code == MGL_NOT_FOUND || !mgl_column_widen(column, row, code))
            return mgl_fail_memory(err);
        mgl_column_set(column, row, code);
    }
    return MGL_OK;
}

static mgl_status make_column(putting *p, mgl_error *err)
{
    p->table = mgl_table_new(1);
    p->puts = mgl_map_new();
    MGL_TRY(mgl_check_memory(p->table != NULL && p->puts != NULL, err));
    mgl_column *column = &p->table->columns[0];
    MGL_TRY(mgl_check_memory(mgl_column_reserve(column, 0, p->rows->n_rows), err));
    MGL_TRY(number_rows(p, column, err));
    uint32_t n = mgl_dictionary_size(column->dictionary);
    MGL_TRY(mgl_hierarchy_make(NULL, "", column->dictionary, err, &p->hierarchy));
    p->leaf_of_code = mgl_arena_alloc(p->arena, n * sizeof *p->leaf_of_code);
    p->put_of_leaf = mgl_arena_alloc(p->arena, n * sizeof *p->put_of_leaf);
    MGL_TRY(mgl_check_memory(p->leaf_of_code != NULL && p->put_of_leaf != NULL, err));
    MGL_TRY(mgl_hierarchy_bind(p->hierarchy, "", column->dictionary, err, p->leaf_of_code));
    for (uint32_t code = 0; code < n; code++) /* both are numbered from 0 in the order of rows */
        p->put_of_leaf[p->leaf_of_code[code]] = code;
    return MGL_OK;
}

/* Adds some rows of the columns, as they lie in memory now. */
static mgl_status add_rows(putting *p, size_t first, size_t from, size_t n, mgl_error *err)
{
    size_t n_columns = p->n + 1, n_counted = p->reading->n_counted;
    mgl_column *columns = mgl_alloc_array(n_columns + n_counted, sizeof *columns);
    const mgl_column **counted = mgl_alloc_array(n_counted, sizeof *counted);
    if (columns == NULL || counted == NULL) {
        mgl_free(columns);
        mgl_free(counted);
        return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < n_columns + n_counted; a++) {
        columns[a] = a < p->n    ? *p->rows->quasi[a].column
                     : a == p->n ? p->table->columns[0]
                                 : *p->rows->counted[a - n_columns];
        size_t skipped = a == p->n ? first : first - from;
        columns[a].codes = (char *)columns[a].codes + skipped * columns[a].width;
        columns[a].window = NULL;
        if (a > p->n)
            counted[a - n_columns] = &columns[a];
        else if (a < p->n)
            p->quasi[a] = (mgl_bound_column){&columns[a], p->rows->quasi[a].hierarchy,
                                             p->rows->quasi[a].leaf_of_code};
        else
            p->quasi[a] = (mgl_bound_column){&columns[a], p->hierarchy, p->leaf_of_code};
    }
    mgl_frequency_list *stripe = NULL;
    const uint64_t *times = p->rows->times != NULL ? p->rows->times + first : NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_frequency_list_new(&(mgl_count_request){.quasi = p->quasi,
                                                       .n_quasi = n_columns,
                                                       .counted = counted,
                                                       .n_counted = n_counted,
                                                       .n_sensitive = p->reading->n_sensitive,
                                                       .n_rows = n,
                                                       .times = times},
                                  p->reading->pool, err, &stripe));
    stripe->n_judged = p->reading->n_judged;
    MGL_GO(mgl_features_count(p->reading, err, stripe));
    if (p->reading->entity != NULL) /* all rows are in memory then */
        MGL_GO(mgl_counts_of_persons(p->reading, p->quasi, counted, err, stripe));
    if (p->list != NULL) {
        MGL_GO(mgl_frequency_list_merge(p->list, stripe, err));
    } else {
        p->list = stripe;
        stripe = NULL;
    }
done:
    mgl_frequency_list_free(stripe);
    mgl_free(columns);
    mgl_free(counted);
    return status;
}

/* A table in a window has only some of its rows in memory at a time. */
static mgl_status make_list(putting *p, mgl_error *err)
{
    p->quasi = mgl_arena_alloc(p->arena, (p->n + 1) * sizeof *p->quasi);
    MGL_TRY(mgl_check_memory(p->quasi != NULL, err));
    for (size_t row = 0; row < p->rows->n_rows;) {
        size_t first = 0, n = p->rows->n_rows;
        const mgl_column *column = p->rows->quasi[0].column;
        if (column->window != NULL)
            MGL_TRY(mgl_column_reach(column, row, err, &first, &n));
        size_t end = first + n;
        MGL_TRY(add_rows(p, row, first, end - row, err));
        row = end;
    }
    p->list->n_attributes =
        p->n; /* what is put back distinguishes tuples; models do not look at it */
    return MGL_OK;
}

/* Has the column every ground value as a released one? If not, a column with the texts that it
 * lacks is made. */
static bool has_ground(const mgl_released_column *column)
{
    if (column->scale != NULL || column->of_leaf == NULL)
        return false;
    for (uint32_t leaf = 0; leaf < column->hierarchy->n_leaves; leaf++) {
        uint32_t value = column->of_leaf[0][leaf];
        if (value >= column->n_values || column->values[value].level != 0)
            return false;
    }
    return true;
}

static mgl_status add_ground(putting *p, const mgl_released_column *column, mgl_error *err,
                             mgl_released_column **out)
{
    const mgl_hierarchy *hierarchy = column->hierarchy;
    size_t most = (size_t)column->n_values + hierarchy->n_leaves;
    mgl_span *labels = mgl_arena_alloc(p->arena, most * sizeof *labels);
    mgl_map *texts = mgl_map_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(labels != NULL && texts != NULL, err));
    uint32_t n = column->n_values;
    for (uint32_t v = 0; v < column->n_values; v++) {
        labels[v] = column->values[v].label;
        if (mgl_map_add(texts, labels[v]) != v)
            MGL_GO(mgl_fail_memory(err));
    }
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
        uint32_t number = mgl_map_add(texts, hierarchy->levels[0].labels[leaf]);
        if (number == n)
            labels[n++] = hierarchy->levels[0].labels[leaf];
        else if (number == MGL_NOT_FOUND)
            MGL_GO(mgl_fail_memory(err));
    }
    MGL_GO(mgl_labels_column_new(hierarchy, labels, n, column->top, err, out));
done:
    mgl_map_free(texts);
    return status;
}

static mgl_status add_grounds(putting *p, mgl_error *err, mgl_released_column **own)
{
    for (size_t a = 0; a < p->n; a++)
        if (!has_ground(p->recoding->columns[a]))
            MGL_TRY(add_ground(p, p->recoding->columns[a], err, &own[a]));
    return MGL_OK;
}

static mgl_status make_recoding(putting *p, mgl_error *err)
{
    mgl_released_column **own = mgl_zeroed_array(p->n, sizeof *own);
    mgl_status status = own == NULL ? mgl_fail_memory(err) : add_grounds(p, err, own);
    if (status == MGL_OK)
        status =
            mgl_recoding_with(p->recoding->columns, own, p->n, p->list->n_tuples, err, &p->split);
    else
        for (size_t a = 0; own != NULL && a < p->n; a++)
            mgl_released_column_free(own[a]);
    mgl_free(own);
    return status;
}

static bool same_leaves(const putting *p, size_t split, const mgl_frequency_list *list, size_t t)
{
    for (size_t a = 0; a < p->n; a++)
        if (mgl_list_leaf(p->list, split, a) != mgl_list_leaf(list, t, a))
            return false;
    return true;
}

static void fill_tuple(putting *p, size_t s, size_t t)
{
    for (size_t a = 0; a < p->n; a++)
        p->split->cells[a][s] = p->recoding->cells[a][t];
    p->split->suppressed[s] = p->recoding->suppressed[t];
}

/* Both lists are in the same order: what is put back is the last of the columns. In the joined view
 * cells do not show which person they belong to, and rows do. */
static void fill_cells(putting *p)
{
    const mgl_frequency_list *list = p->task->problem.list;
    for (size_t row = 0; list->joined != NULL && row < p->rows->n_rows; row++)
        fill_tuple(p, p->list->joined->tuple_of_row[row], list->joined->tuple_of_row[row]);
    if (list->joined != NULL)
        return;
    for (size_t s = 0, t = 0; s < p->list->n_tuples; s++) {
        while (!same_leaves(p, s, list, t))
            t++;
        fill_tuple(p, s, t);
    }
}

static void put_back(putting *p)
{
    for (size_t s = 0; s < p->list->n_tuples; s++) {
        uint32_t number = p->put_of_leaf[mgl_list_leaf(p->list, s, p->n)];
        const char *leaves = mgl_map_text(p->puts, number).data;
        for (size_t i = 0; i < p->n_put; i++) {
            uint32_t leaf, a = mgl_generalized_attribute(p->generalized, i);
            memcpy(&leaf, leaves + i * sizeof leaf, sizeof leaf);
            if (leaf == MGL_NOT_FOUND)
                continue;
            p->split->cells[a][s] = p->split->columns[a]->of_leaf[0][leaf];
            if (p->list->joined == NULL)     /* otherwise whole persons are left out */
                p->split->suppressed[s] = 0; /* not all its cells are at the top any more */
        }
    }
}

static bool protects(const mgl_model *model, size_t sensitive)
{
    const mgl_model *inner = model->joint != NULL ? model->joint->inner : model;
    return mgl_looks_at_values(inner->type) &&
           (!inner->type->takes_attribute || inner->attribute == sensitive);
}

size_t mgl_sensitive_number(const mgl_reading *reading, size_t column)
{
    for (size_t s = 0; s < reading->n_sensitive; s++)
        if (reading->counted[s]->source_index == column)
            return s;
    return SIZE_MAX;
}

/* Chooses the models that can suffer, also where the release does not promise them by itself (a
 * slice of a table). With k = 1 no one would be hidden in any case, so k is 2 at least. */
static mgl_status choose_models(const putting *p, const size_t columns[2], mgl_quasi_set *sets,
                                mgl_error *err)
{
    const mgl_problem *problem = &p->task->problem;
    size_t one = mgl_sensitive_number(p->reading, columns[0]);
    size_t other = mgl_sensitive_number(p->reading, columns[1]);
    for (size_t q = 0; q < problem->n_sets; q++) {
        const mgl_quasi_set *set = &problem->sets[q];
        size_t n_models = p->reading->settings->n_models;
        mgl_model *models = mgl_arena_alloc(p->arena, (n_models + 1) * sizeof *models);
        MGL_TRY(mgl_check_memory(models != NULL, err));
        sets[q] = *set;
        sets[q].models = models;
        sets[q].n_models = 0;
        for (size_t m = 0; m < n_models; m++) {
            mgl_model model = set->models[m];
            if (model.type->scope != MGL_SCOPE_CLASS ||
                (one != SIZE_MAX && protects(&model, one)) ||
                (other != SIZE_MAX && protects(&model, other)))
                continue;
            if (model.type->k == MGL_K_IS && model.parameters[0] < 2)
                model.parameters[0] = 2;
            models[sets[q].n_models++] = model;
        }
    }
    return MGL_OK;
}

static const char *worst_model(const mgl_problem *problem, const mgl_found *before,
                               const mgl_found *after)
{
    const char *name = NULL;
    uint64_t most = 0;
    size_t i = 0;
    for (size_t q = 0; q < problem->n_sets; q++)
        for (size_t m = 0; m < problem->sets[q].n_models; m++, i++) {
            uint64_t more = after[i].violating_rows > before[i].violating_rows
                                ? after[i].violating_rows - before[i].violating_rows
                                : 0;
            if (more > most) {
                most = more;
                name = problem->sets[q].models[m].type->name;
            }
        }
    return name;
}

/* A slice does not promise anything by itself: which of its classes hold, other slices decide. */
static bool is_slice(const mgl_problem *problem)
{
    return problem->n_sets > 0 && problem->sets[0].n_models == 0;
}

static bool is_put_back(const putting *p, size_t tuple)
{
    uint32_t number = p->put_of_leaf[mgl_list_leaf(p->list, tuple, p->n)];
    const char *leaves = mgl_map_text(p->puts, number).data;
    for (size_t i = 0; i < p->n_put; i++) {
        uint32_t leaf;
        memcpy(&leaf, leaves + i * sizeof leaf, sizeof leaf);
        if (leaf != MGL_NOT_FOUND)
            return true;
    }
    return false;
}

/* Rows of classes that broke before are counted only in a slice, if something is put into them. */
static uint64_t count_broken(const putting *p, const uint8_t *failed, const uint8_t *fails)
{
    bool slice = is_slice(&p->task->problem);
    uint64_t rows = 0;
    for (size_t t = 0; t < p->list->n_tuples; t++)
        if (fails[t] && (!failed[t] || (slice && is_put_back(p, t))))
            rows += p->list->counts[t];
    return rows;
}

static mgl_status judge(putting *p, const size_t columns[2], mgl_error *err, mgl_broken *out)
{
    size_t n_sets = p->task->problem.n_sets, n_models = 0, n = p->list->n_tuples;
    mgl_quasi_set *sets = mgl_arena_alloc(p->arena, (n_sets + 1) * sizeof *sets);
    MGL_TRY(mgl_check_memory(sets != NULL, err));
    MGL_TRY(choose_models(p, columns, sets, err));
    for (size_t q = 0; q < n_sets; q++)
        n_models += sets[q].n_models;
    mgl_found *before = mgl_arena_alloc(p->arena, (n_models + 1) * sizeof *before);
    mgl_found *after = mgl_arena_alloc(p->arena, (n_models + 1) * sizeof *after);
    uint8_t *failed = mgl_arena_alloc(p->arena, n), *fails = mgl_arena_alloc(p->arena, n);
    MGL_TRY(
        mgl_check_memory(before != NULL && after != NULL && failed != NULL && fails != NULL, err));
    memset(failed, 0, n);
    memset(fails, 0, n);
    mgl_problem problem = p->task->problem;
    problem.list = p->list;
    problem.sets = sets;
    fill_cells(p);
    MGL_TRY(mgl_judge_tuples(&problem, p->split, err, before, failed));
    put_back(p);
    MGL_TRY(mgl_judge_tuples(&problem, p->split, err, after, fails));
    *out = (mgl_broken){.model = worst_model(&problem, before, after),
                        .rows = count_broken(p, failed, fails)};
    return MGL_OK;
}

mgl_status mgl_put_back(const mgl_task *task, const mgl_solution *solution,
                        const mgl_given_cells *given, mgl_error *err, mgl_broken *out)
{
    putting p = {.task = task,
                 .reading = task->reading,
                 .recoding = solution->recoding,
                 .generalized = given->generalized,
                 .rows = given->rows,
                 .put = given->put,
                 .n_put = mgl_generalized_count(given->generalized),
                 .n = task->reading->n_quasi,
                 .arena = mgl_arena_new()};
    mgl_status status = MGL_OK;
    MGL_GO(p.arena == NULL ? mgl_fail_memory(err) : make_column(&p, err));
    MGL_GO(make_list(&p, err));
    MGL_GO(make_recoding(&p, err));
    MGL_GO(judge(&p, given->columns, err, out));
done:
    mgl_recoding_free(p.split);
    mgl_frequency_list_free(p.list);
    mgl_hierarchy_free(p.hierarchy);
    mgl_table_free(p.table);
    mgl_map_free(p.puts);
    mgl_arena_free(p.arena);
    return status;
}

#define FALSE_ALARMS 0.01 /* per release */

/* From so many rows on a leak can keep a release from being written: twice as many as look alike
 * anyway. Of fewer rows there is a warning if classes break. */
static uint64_t fewest_rows(uint64_t k)
{
    return 2 * k > 20 ? 2 * k : 20;
}

enum { FEWEST_WARNED = 5 };

/* Working out the figures of the result takes about as long as reading did. */
static double deadline_of_pairs(const mgl_reading *reading)
{
    double end = mgl_deadline(reading->settings);
    return end > 0 ? end - reading->seconds : 0;
}

mgl_recovery_rule mgl_guard_rule(const mgl_task *task, const mgl_generalized *generalized,
                                 size_t n_columns)
{
    double tests = (double)mgl_recovery_tests(generalized, n_columns);
    return (mgl_recovery_rule){.log_level = log(FALSE_ALARMS / fmax(tests, 1)),
                               .least_gain = FEWEST_WARNED,
                               .much = (double)fewest_rows(task->problem.k),
                               .deadline = deadline_of_pairs(task->reading)};
}

static bool any_much(const mgl_giving *giving, size_t n)
{
    const mgl_given_back *found = mgl_recovery_found(giving->recovery);
    for (size_t i = 0; i < n; i++)
        if (found[i].much)
            return true;
    return false;
}

/* Where something is given back in many rows, few rows of another attribute do not count. */
static bool counts(const mgl_giving *giving, size_t i, bool much)
{
    const mgl_given_back *found = &mgl_recovery_found(giving->recovery)[i];
    return much ? found->much : found->real;
}

void mgl_guess_of_row(const mgl_giving *giving, size_t row, size_t n, uint32_t *out)
{
    bool much = any_much(giving, n);
    for (size_t i = 0; i < n; i++)
        out[i] = row == MGL_NO_ROW || !counts(giving, i, much)
                     ? MGL_NOT_FOUND
                     : mgl_recovery_guess(giving->recovery, i, row);
}

const char mgl_too_many_combinations[] = "too many combinations of values to count";
const char mgl_too_little_memory[] = "too many rows for the memory of the leak guard";
const char mgl_no_counts[] = "no counts of both columns together were given";

void mgl_guard_count_pair(mgl_objections *out, const char *one, const char *other,
                          mgl_pair_test test)
{
    if (test == MGL_PAIR_TESTED)
        out->n_pairs++;
    else
        mgl_objections_leave_out(out, one, other,
                                 test == MGL_PAIR_TOO_LATE ? "the time limit came first"
                                                           : mgl_too_many_combinations);
}

size_t mgl_guard_paired(const char *const *names, size_t n, mgl_objections *out)
{
    for (size_t c = MGL_MOST_PAIRED; c < n; c++)
        mgl_objections_leave_out(out, names[c], NULL,
                                 "more than 30 columns pass through, and the first 30 are tested "
                                 "two by two");
    return n < MGL_MOST_PAIRED ? n : MGL_MOST_PAIRED;
}

/* Words as one sentence the attributes that are given back in one way. */
static void report_some(const mgl_task *task, const mgl_generalized *generalized,
                        const mgl_giving *giving, bool by_words, mgl_buffer *out, uint64_t *rows)
{
    bool two = giving->names[1] != NULL;
    bool much = any_much(giving, mgl_generalized_count(generalized));
    for (size_t i = 0; i < mgl_generalized_count(generalized); i++) {
        const mgl_given_back *f = &mgl_recovery_found(giving->recovery)[i];
        if (!counts(giving, i, much) || f->by_words != by_words)
            continue;
        const char *begins = out->size > 0 ? ","
                             : by_words    ? "repeats the value"
                             : two         ? "give back the value"
                                           : "gives back the value";
        mgl_buffer_format(
            out, "%s of \"%.60s\" in %llu of the %llu rows in which it is generalized", begins,
            task->reading->quasi[mgl_generalized_attribute(generalized, i)].settings->name,
            (unsigned long long)f->rows, (unsigned long long)f->of);
        if (f->by_label > 0)
            mgl_buffer_format(out,
                              two ? " (%llu by one of them alone)" : " (%llu without the column)",
                              (unsigned long long)f->by_label);
        *rows = f->rows > *rows ? f->rows : *rows;
    }
}

static const char *remedy_of(bool two, bool harm, bool by_words)
{
    if (two)
        return harm ? "make one of them a quasi-identifier, or an identifier, which is not released"
                    : "make one of them a quasi-identifier if others may know both";
    if (!harm)
        return "make it a quasi-identifier if others may know it";
    return by_words ? "take it out of the text, or make the column an identifier, which is not "
                      "released"
                    : "make it a quasi-identifier, or an identifier, which is not released";
}

void mgl_report_given_back(const mgl_task *task, const mgl_giving *given,
                           const mgl_generalized *generalized, const mgl_broken *broken,
                           mgl_objections *out)
{
    mgl_giving in_order = *given;
    const mgl_giving *giving = &in_order;
    if (given->columns[1] != SIZE_MAX && given->columns[0] > given->columns[1]) {
        in_order.names[0] = given->names[1];
        in_order.names[1] = given->names[0];
    }
    bool much = any_much(giving, mgl_generalized_count(generalized));
    bool harm = much && broken->rows >= fewest_rows(task->problem.k);
    if (!much && broken->rows == 0)
        return;
    for (int by_words = 0; by_words < 2; by_words++) {
        mgl_buffer text = {0};
        uint64_t rows = 0;
        report_some(task, generalized, giving, by_words == 1, &text, &rows);
        if (text.size > 0 && broken->rows > 0)
            mgl_buffer_format(&text, "; with that %llu rows are in classes that break %s",
                              (unsigned long long)broken->rows,
                              broken->model != NULL ? broken->model : "a model");
        else if (text.size > 0)
            mgl_buffer_text(&text, "; with that every class still holds");
        mgl_objection objection = {.code = by_words ? "text-repeats-column" : "recovers-column",
                                   .column = giving->names[0],
                                   .with = giving->names[1],
                                   .remedy =
                                       remedy_of(giving->names[1] != NULL, harm, by_words == 1),
                                   .rows = harm ? broken->rows : rows,
                                   .warning = !harm,
                                   .gives_back = true};
        if (text.failed)
            out->out_of_memory = true;
        else if (text.size > 0)
            mgl_objections_add(out, &objection, "%.*s", (int)text.size, text.data);
        mgl_buffer_free(&text);
    }
}
