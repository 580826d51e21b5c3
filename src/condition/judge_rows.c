/* Binds a condition to columns: decides once for each value of a column whether each atom holds,
 * and judges rows by that. */
#include "condition/condition.h"

#include "notation/notation.h"

struct mgl_bound_condition {
    const mgl_condition *condition;
    const mgl_column *columns;
    uint8_t **answers; /* [atom][code] */
    uint8_t *stack;    /* [deepest][MGL_JUDGED_ROWS] */
    mgl_owned own;
};

/* A value as the literals of an atom are: its text, and its number or day. */
typedef struct compared {
    mgl_span text;
    double number;
} compared;

static int compare(const compared *value, const mgl_literal *literal)
{
    return literal->kind == MGL_LITERAL_TEXT
               ? mgl_span_compare(value->text, literal->text)
               : (value->number > literal->number) - (value->number < literal->number);
}

static bool is_among(const compared *value, const mgl_literal *literals, size_t n)
{
    size_t low = 0, high = n;
    MGL_BISECT(low, high, i, compare(value, &literals[i]) > 0)
    return low < n && compare(value, &literals[low]) == 0;
}

static size_t character(mgl_span text, size_t at)
{
    size_t end = at + 1;
    while (end < text.size && ((unsigned char)text.data[end] & 0xc0) == 0x80)
        end++;
    return end - at;
}

/* After the last % any number of characters can be tried; what matched before it need not be tried
 * again. */
static bool is_like(mgl_span text, mgl_span pattern)
{
    size_t t = 0, p = 0, tried = 0, star = SIZE_MAX;
    while (t < text.size) {
        if (p < pattern.size && pattern.data[p] == '%') {
            star = ++p;
            tried = t;
        } else if (p < pattern.size && pattern.data[p] == '_') {
            t += character(text, t);
            p++;
        } else if (p < pattern.size && pattern.data[p] == text.data[t]) {
            t++, p++;
        } else if (star != SIZE_MAX) {
            tried += character(text, tried);
            t = tried;
            p = star;
        } else {
            return false;
        }
    }
    while (p < pattern.size && pattern.data[p] == '%')
        p++;
    return p == pattern.size;
}

static bool holds(const mgl_atom *atom, const mgl_literal *literals, const compared *value)
{
    switch (atom->kind) {
    case MGL_ATOM_IN:
        return is_among(value, literals, atom->n);
    case MGL_ATOM_BELOW:
        return compare(value, literals) < 0;
    case MGL_ATOM_AT_MOST:
        return compare(value, literals) <= 0;
    case MGL_ATOM_LIKE:
        return is_like(value->text, literals->text);
    case MGL_ATOM_MISSING:
        break;
    }
    return false;
}

static mgl_status refuse(const mgl_column *column, mgl_span value, mgl_literal_kind kind,
                         mgl_error *err)
{
    char place[MGL_PLACE_TEXT], shown[MGL_SHOWN];
    bool number = kind == MGL_LITERAL_NUMBER;
    mgl_dictionary_origin(column->dictionary, value, place);
    return mgl_blame_column(
        err,
        mgl_fail_key(
            err, MGL_CODE_BAD_CELL, "where",
            "%s%s`where` compares column \"%.60s\" with a %s, and the cell %s is none; compare it "
            "with a text between single quotes, or name such cells in `missing`",
            place, place[0] != '\0' ? ": " : "", column->name, number ? "number" : "day",
            mgl_shown(value, shown)),
        column->name);
}

static mgl_status refuse_order(const mgl_column *column, mgl_error *err)
{
    return mgl_blame_column(
        err,
        mgl_fail_key(err, MGL_CODE_BAD_CELL, "where",
                     "`where` compares column \"%.60s\" with a day, and its cells do not show "
                     "whether the day or the month comes first; write them with the year first",
                     column->name),
        column->name);
}

/* The one order in which all days of the column can be read. */
static mgl_status find_order(const mgl_column *column, mgl_error *err, mgl_date_order *out)
{
    const mgl_dictionary *values = column->dictionary;
    unsigned orders = ~0u;
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        if (code == mgl_dictionary_missing(values))
            continue;
        unsigned of_value = mgl_date_orders(mgl_dictionary_notation(values), value);
        if ((orders & of_value) == 0)
            return refuse(column, value, MGL_LITERAL_DAY, err);
        orders &= of_value;
    }
    *out = MGL_YMD;
    if (orders & 1u << MGL_YMD)
        return MGL_OK;
    if (orders == (1u << MGL_DMY | 1u << MGL_MDY))
        return refuse_order(column, err);
    *out = orders & 1u << MGL_DMY ? MGL_DMY : MGL_MDY;
    return MGL_OK;
}

static bool read_value(const mgl_notation *notation, mgl_literal_kind kind, mgl_date_order order,
                       compared *value)
{
    mgl_moment moment;
    if (kind == MGL_LITERAL_NUMBER)
        return mgl_notation_number(notation, value->text, &value->number);
    if (kind == MGL_LITERAL_DAY) {
        if (!mgl_moment_parse(notation, value->text, order, &moment))
            return false;
        value->number = mgl_date_days(moment.date); /* the time of day is left aside */
    }
    return true;
}

static mgl_status answer(const mgl_condition *condition, const mgl_atom *atom,
                         const mgl_column *column, mgl_error *err, uint8_t *answers)
{
    const mgl_dictionary *values = column->dictionary;
    const mgl_literal *literals = condition->literals + atom->first;
    mgl_literal_kind kind = atom->n > 0 ? literals->kind : MGL_LITERAL_TEXT;
    mgl_date_order order = MGL_YMD;
    if (kind == MGL_LITERAL_DAY)
        MGL_TRY(find_order(column, err, &order));
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        compared value = {.text = mgl_dictionary_value(values, code)};
        bool missing = code == mgl_dictionary_missing(values);
        if (atom->kind == MGL_ATOM_MISSING) {
            answers[code] = missing ? MGL_ANSWER_TRUE : MGL_ANSWER_FALSE;
        } else if (missing) {
            answers[code] = MGL_ANSWER_UNKNOWN;
        } else {
            if (!read_value(mgl_dictionary_notation(values), kind, order, &value))
                return refuse(column, value.text, kind, err);
            answers[code] = holds(atom, literals, &value) ? MGL_ANSWER_TRUE : MGL_ANSWER_FALSE;
        }
    }
    return MGL_OK;
}

static mgl_status answer_all(mgl_bound_condition *bound, mgl_error *err)
{
    const mgl_condition *condition = bound->condition;
    for (size_t a = 0; a < condition->n_atoms; a++) {
        const mgl_atom *atom = &condition->atoms[a];
        const mgl_column *column = &bound->columns[atom->column];
        bound->answers[a] =
            mgl_own_array(&bound->own, mgl_dictionary_size(column->dictionary) + (size_t)1, 1);
        MGL_TRY(mgl_owned_check(&bound->own, err));
        MGL_TRY(answer(condition, atom, column, err, bound->answers[a]));
    }
    return MGL_OK;
}

mgl_status mgl_condition_bind(const mgl_condition *condition, const mgl_column *columns,
                              mgl_error *err, mgl_bound_condition **out)
{
    mgl_bound_condition *bound = mgl_zeroed_array(1, sizeof *bound);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(bound != NULL, err));
    bound->condition = condition;
    bound->columns = columns;
    bound->answers = mgl_own_zeroed(&bound->own, condition->n_atoms, sizeof *bound->answers);
    bound->stack = mgl_own_array(&bound->own, condition->deepest, MGL_JUDGED_ROWS);
    MGL_GO(mgl_owned_check(&bound->own, err));
    MGL_GO(answer_all(bound, err));
    *out = bound;
    bound = NULL;
done:
    mgl_bound_condition_free(bound);
    return status;
}

void mgl_bound_condition_free(mgl_bound_condition *bound)
{
    if (bound == NULL)
        return;
    mgl_owned_free(&bound->own);
    mgl_free(bound);
}

mgl_answer mgl_condition_answer(const mgl_bound_condition *bound, size_t atom, uint32_t code)
{
    return (mgl_answer)bound->answers[atom][code];
}

static void look_up(const mgl_column *column, const uint8_t *answers, size_t first, size_t n,
                    uint8_t *out)
{
    for (size_t r = 0; r < n; r++)
        out[r] = answers[mgl_column_code(column, first + r)];
}

static void put_together(mgl_step_kind kind, uint8_t *left, const uint8_t *right, size_t n)
{
    if (kind == MGL_STEP_AND)
        for (size_t r = 0; r < n; r++)
            left[r] = left[r] < right[r] ? left[r] : right[r];
    else
        for (size_t r = 0; r < n; r++)
            left[r] = left[r] > right[r] ? left[r] : right[r];
}

void mgl_condition_judge(mgl_bound_condition *bound, size_t first, size_t n, bool *out)
{
    const mgl_condition *condition = bound->condition;
    uint8_t *top = bound->stack; /* where the next answers go */
    for (size_t s = 0; s < condition->n_steps; s++) {
        const mgl_step *step = &condition->steps[s];
        uint8_t *last = s > 0 ? top - MGL_JUDGED_ROWS : top;
        if (step->kind == MGL_STEP_ATOM) {
            look_up(&bound->columns[condition->atoms[step->atom].column],
                    bound->answers[step->atom], first, n, top);
            top += MGL_JUDGED_ROWS;
        } else if (step->kind == MGL_STEP_NOT) {
            for (size_t r = 0; r < n; r++)
                last[r] = (uint8_t)(MGL_ANSWER_TRUE - last[r]);
        } else {
            put_together(step->kind, last - MGL_JUDGED_ROWS, last, n);
            top = last;
        }
    }
    for (size_t r = 0; r < n; r++)
        out[r] = bound->stack[r] == MGL_ANSWER_TRUE;
}
