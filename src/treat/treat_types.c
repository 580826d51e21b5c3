/* The table of treatments, and what a job says in their language: NAME or NAME(ARGUMENTS), several
 * with commas between them. The keys of jobs check with it, the pipeline reads with it, the
 * catalogue lists it. */
#include "treat/treat_rows.h"

static const mgl_treat_type *const types[] = {
    &mgl_treat_pseudonym, &mgl_treat_round, &mgl_treat_top,   &mgl_treat_bottom,
    &mgl_treat_quantiles, &mgl_treat_date,  &mgl_treat_shift, &mgl_treat_mask,
    &mgl_treat_lower,     &mgl_treat_upper, &mgl_treat_trim,  &mgl_treat_constant,
    &mgl_treat_drop,
};

enum { N_TYPES = sizeof types / sizeof types[0] };

const mgl_treat_type *const *mgl_treat_types(size_t *n)
{
    *n = N_TYPES;
    return types;
}

/* ---- Reading ------------------------------------------------------------------------------------
 */

/* Cuts the next treatment off at a comma that stands in no parentheses; false: there is none. */
static bool next_step(mgl_span *rest, mgl_span *out)
{
    size_t at = 0, depth = 0;
    if (rest->data == NULL)
        return false;
    for (; at < rest->size && (depth > 0 || rest->data[at] != ','); at++) {
        depth += rest->data[at] == '(';
        depth -= rest->data[at] == ')' && depth > 0;
    }
    *out = mgl_span_trim((mgl_span){rest->data, at});
    *rest = at < rest->size ? (mgl_span){rest->data + at + 1, rest->size - at - 1}
                            : (mgl_span){NULL, 0};
    return true;
}

static const mgl_treat_type *find_type(mgl_span name)
{
    for (size_t i = 0; i < N_TYPES; i++)
        if (mgl_span_is(name, types[i]->name))
            return types[i];
    return NULL;
}

static bool refuse_unknown(mgl_span name, mgl_buffer *wrong)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    for (size_t i = 0; i < N_TYPES; i++)
        mgl_nearest_try(&nearest, types[i]->name);
    mgl_buffer_format(wrong, "is no treatment: there is no '%.*s'; ", mgl_span_width(name),
                      name.data);
    if (nearest.best != NULL)
        mgl_buffer_format(wrong, "did you mean %s? ", nearest.best);
    mgl_buffer_text(wrong, "there are");
    for (size_t i = 0; i < N_TYPES; i++)
        mgl_buffer_format(wrong, "%s %s", i > 0 ? "," : "", types[i]->syntax);
    return false;
}

static bool refuse_form(const mgl_treat_type *type, const char *what, mgl_buffer *wrong)
{
    mgl_buffer_format(wrong, "is no treatment: %s; write %s", what, type->syntax);
    return false;
}

static bool read_step(mgl_span text, mgl_arena *arena, mgl_treat_step *out, mgl_buffer *wrong)
{
    const char *open = text.size > 0 ? memchr(text.data, '(', text.size) : NULL;
    mgl_span name = {text.data, open != NULL ? (size_t)(open - text.data) : text.size};
    const mgl_treat_type *type = find_type(name);
    if (type == NULL)
        return refuse_unknown(name, wrong);
    *out = (mgl_treat_step){.type = type, .said = text, .arguments = {text.data + text.size, 0}};
    bool needs = type->syntax[strcspn(type->syntax, "([")] == '(';
    if (open != NULL && text.data[text.size - 1] != ')')
        return refuse_form(type, "the closing ')' is missing", wrong);
    if (open != NULL)
        out->arguments = mgl_span_trim((mgl_span){open + 1, text.size - name.size - 2});
    if (out->arguments.size == 0)
        return needs ? refuse_form(type, "arguments are missing", wrong)
                     : type->read == NULL || type->read(out, arena, wrong);
    return type->read != NULL ? type->read(out, arena, wrong)
                              : refuse_form(type, "it takes no arguments", wrong);
}

static bool refuse_pair(const mgl_treat_step *first, const mgl_treat_step *second,
                        mgl_buffer *wrong)
{
    bool same = first->type == second->type;
    const mgl_treat_step *alone = first->type->alone ? first : second;
    mgl_buffer_format(wrong, same ? "has %.*s twice; give it once" : "has %.*s beside others; %s",
                      mgl_span_width(alone->said), alone->said.data,
                      "it leaves nothing to treat: give it alone");
    return false;
}

/* Treatments that have no use together; those of which one undoes the other are found with the
 * values. */
static bool go_together(const mgl_treat *treat, mgl_buffer *wrong)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        for (size_t j = i + 1; j < treat->n_steps; j++) {
            const mgl_treat_step *a = &treat->steps[i], *b = &treat->steps[j];
            if (a->type == b->type || a->type->alone || b->type->alone)
                return refuse_pair(a, b, wrong);
        }
    return true;
}

static bool read_steps(mgl_treat *treat, mgl_span text, mgl_buffer *wrong)
{
    mgl_span rest = text, one;
    size_t most = 1;
    for (size_t i = 0; i < text.size; i++)
        most += text.data[i] == ',';
    treat->steps = mgl_arena_alloc(treat->arena, most * sizeof *treat->steps);
    if (treat->steps == NULL) {
        wrong->failed = true;
        return false;
    }
    while (next_step(&rest, &one))
        if (!read_step(one, treat->arena, &treat->steps[treat->n_steps++], wrong))
            return false;
    return go_together(treat, wrong);
}

bool mgl_treat_check(mgl_span text, mgl_buffer *wrong)
{
    mgl_treat treat = {.arena = mgl_arena_new()};
    bool fine = treat.arena != NULL && read_steps(&treat, text, wrong);
    wrong->failed = wrong->failed || treat.arena == NULL;
    mgl_arena_free(treat.arena);
    return fine;
}

mgl_status mgl_treat_new(const char *text, mgl_error *err, mgl_treat **out)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_treat *treat = arena != NULL ? mgl_arena_alloc(arena, sizeof *treat) : NULL;
    char *copy = treat != NULL ? mgl_arena_copy(arena, text, strlen(text)) : NULL;
    mgl_buffer wrong = {0};
    mgl_status status = MGL_OK;
    if (copy == NULL)
        MGL_GO(mgl_fail_memory(err));
    *treat = (mgl_treat){.arena = arena};
    if (!read_steps(treat, mgl_span_of(copy), &wrong))
        MGL_GO(wrong.failed ? mgl_fail_memory(err)
                            : mgl_fail(err, MGL_CODE_BAD_VALUE, "'%.60s' %.*s", copy,
                                       (int)wrong.size, wrong.data));
    *out = treat;
    arena = NULL;
done:
    mgl_buffer_free(&wrong);
    mgl_arena_free(arena);
    return status;
}

void mgl_treat_free(mgl_treat *treat)
{
    if (treat != NULL)
        mgl_arena_free(treat->arena);
}

bool mgl_treat_leaves_out(const mgl_treat *treat)
{
    return treat->n_steps > 0 && treat->steps[0].type->leaves_out;
}

/* Has some treatment the flag at this place of its row? */
static bool any_has(const mgl_treat *treat, size_t flag)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        if (*(const bool *)((const char *)treat->steps[i].type + flag))
            return true;
    return false;
}

bool mgl_treat_renames(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, renames));
}

bool mgl_treat_is_one_to_one(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, one_to_one));
}

bool mgl_treat_needs_key(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, needs_key));
}

bool mgl_treat_by_person(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, by_person));
}

/* ---- Promises -----------------------------------------------------------------------------------
 */

const mgl_treat_step *mgl_treat_broken(const mgl_treat *treat, const mgl_notation *notation,
                                       mgl_span value)
{
    for (size_t i = treat->n_steps; i-- > 0;) {
        const mgl_treat_step *step = &treat->steps[i];
        if (step->type->keeps != NULL && !step->type->keeps(step, notation, value))
            return step;
        if (step->type->renames)
            break;
    }
    return NULL;
}
