/* Hierarchies from other columns of the table, columns(county,state): finds the columns that the
 * job names so, keeps them back from the release unless it gives them a role, and makes the
 * hierarchy from the rows. */
#include "pipeline/pipeline.h"

static mgl_span names_of(const mgl_attribute_settings *attribute)
{
    return attribute->hierarchy != NULL ? mgl_hierarchy_columns(attribute->hierarchy)
                                        : (mgl_span){"", 0};
}

/* The column of the source that a name means; SIZE_MAX: none. */
static size_t find_field(const mgl_source *source, mgl_span name)
{
    for (size_t c = 0; c < mgl_source_columns(source); c++)
        if (mgl_span_is(name, mgl_source_column(source, c)))
            return c;
    return SIZE_MAX;
}

/* Does the hierarchy of some column take its labels from this one? */
static bool is_parent_column(const mgl_settings *settings, const char *column)
{
    for (size_t i = 0; i < settings->n_attributes; i++) {
        mgl_span rest = names_of(&settings->attributes[i]), name;
        while (mgl_hierarchy_next_column(&rest, settings->attributes[i].name, &name))
            if (mgl_span_is(name, column))
                return true;
    }
    return false;
}

/* MGL_USAGE if the hierarchy of a column names one that the table lacks, or goes with something for
 * which there are no such columns. */
static mgl_status check_parents(const mgl_settings *settings, const mgl_source *source,
                                const mgl_attribute_settings *attribute, mgl_error *err)
{
    mgl_span rest = names_of(attribute), name;
    if (rest.size == 0)
        return MGL_OK;
    const char *why = mgl_settings_refuse_parents(settings);
    if (why != NULL)
        return mgl_fail_attribute(
            err, MGL_CODE_CONFLICT, attribute->name, "hierarchy",
            "column '%.60s': %s; write it to a file by `hierarchy build`, and name that",
            attribute->name, why);
    while (mgl_hierarchy_next_column(&rest, attribute->name, &name)) {
        char text[64];
        size_t size = name.size < sizeof text - 1 ? name.size : sizeof text - 1;
        memcpy(text, name.data, size);
        text[size] = '\0';
        if (find_field(source, name) == SIZE_MAX)
            return mgl_blame_attribute(err, mgl_column_unknown(source, text, err), attribute->name,
                                       "hierarchy");
    }
    return MGL_OK;
}

/* What a hierarchy is made of would give the values back: it is released only if the job says so.
 */
static mgl_status assign(const mgl_settings *settings, const mgl_source *source, size_t column,
                         mgl_purpose purpose, mgl_error *err, mgl_role *role)
{
    const char *name = mgl_source_column(source, column);
    const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
    if (attribute != NULL && !mgl_takes_as_is(purpose))
        MGL_TRY(check_parents(settings, source, attribute, err));
    if (!mgl_settings_declare(attribute) && is_parent_column(settings, name))
        *role = MGL_ROLE_IDENTIFIER;
    return MGL_OK;
}

/* A class of rows that share a generalized value falls apart by the parent of each. */
static mgl_status note_released(mgl_reading *reading, const char *column, mgl_error *err)
{
    if (!mgl_leak_is_allowed(reading->settings, column))
        return mgl_fail_attribute(
            err, MGL_CODE_LEAK, column, "role",
            "column '%.60s' is a level of the hierarchy of another column, and released as it is "
            "it would give that level back wherever the release hides it; leave its role out, "
            "which drops it, make it a quasi-identifier, or accept that: `allow-leaks: %.60s`",
            column, column);
    mgl_buffer_format(
        &reading->warnings,
        "released-parent\tcolumn %s is a level of the hierarchy of another column and "
        "gives it back%c",
        column, '\0');
    return MGL_OK;
}

/* Is a hierarchy of the job made of columns? */
static bool has_parents(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (names_of(&settings->attributes[i]).size > 0)
            return true;
    return false;
}

/* Notes which parent columns the release leaves out. MGL_CODE_LEAK if it would have one that is no
 * quasi-identifier, unless the job accepts that. */
static mgl_status note_parents(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    bool any = mgl_purpose_searches(purpose) && has_parents(settings);
    for (size_t c = 0; any && c < mgl_source_columns(reading->source); c++) {
        const char *name = mgl_source_column(reading->source, c);
        const mgl_attribute_settings *declared = mgl_settings_attribute(settings, name);
        if (!is_parent_column(settings, name))
            continue;
        if (mgl_role_passes(reading->roles[c]))
            MGL_TRY(note_released(reading, name, err));
        else if (declared == NULL || declared->role == MGL_ROLE_NONE)
            mgl_buffer_format(&reading->warnings,
                              "parent-column\tcolumn %s is a level of the hierarchy of another "
                              "column and is not released%c",
                              name, '\0');
    }
    return MGL_OK;
}

static size_t request(const mgl_reading *reading, mgl_purpose purpose,
                      mgl_column_request *requested, size_t n)
{
    const mgl_settings *settings = reading->settings;
    for (size_t i = 0; !mgl_takes_as_is(purpose) && i < settings->n_attributes; i++) {
        mgl_span rest = names_of(&settings->attributes[i]), name;
        while (mgl_hierarchy_next_column(&rest, settings->attributes[i].name, &name)) {
            size_t field = find_field(reading->source, name), w = 0;
            while (w < n &&
                   (requested[w].source_index != field || requested[w].role != MGL_ROLE_QUASI))
                w++;
            if (w == n)
                requested[n++] = (mgl_column_request){field, MGL_ROLE_QUASI};
        }
    }
    return n;
}

/* The parents of each value: codes of the parent columns, and the rows that show it. */
typedef struct parents {
    mgl_reading *reading;
    const mgl_tree_request *order;
    const mgl_column *own;
    const mgl_column **columns; /* [n] from fine to coarse */
    size_t n;
    uint32_t n_codes; /* of the own column */
    uint32_t *of;     /* [n * n_codes] MGL_NOT_FOUND: no row shows it */
    size_t *row;      /* [n * n_codes] */
    mgl_arena *arena;
} parents;

static mgl_status find_columns(parents *p, mgl_error *err)
{
    mgl_span all = mgl_hierarchy_columns(p->order->spec), rest = all, name;
    while (mgl_hierarchy_next_column(&rest, p->own->name, &name))
        p->n++;
    p->columns = mgl_arena_alloc(p->arena, (p->n + 1) * sizeof *p->columns);
    size_t size = p->n * p->n_codes;
    p->of = mgl_arena_alloc(p->arena, (size + 1) * sizeof *p->of);
    p->row = mgl_arena_alloc(p->arena, (size + 1) * sizeof *p->row);
    MGL_TRY(mgl_check_memory(p->columns != NULL && p->of != NULL && p->row != NULL, err));
    for (size_t i = 0; i < size; i++)
        p->of[i] = MGL_NOT_FOUND;
    rest = all;
    for (size_t i = 0; mgl_hierarchy_next_column(&rest, p->own->name, &name); i++) {
        p->columns[i] = mgl_tree_column(p->order->table, name);
        if (p->columns[i] == NULL)
            return mgl_fail_attribute(
                err, MGL_CODE_CONFLICT, p->own->name, "hierarchy",
                "column '%.60s', %.100s: the column '%.*s' is not given here; write the hierarchy "
                "to a file by `hierarchy build`, and name that",
                p->own->name, p->order->spec, mgl_span_width(name), name.data);
    }
    return p->n > 0 ? MGL_OK
                    : mgl_fail_attribute(err, MGL_CODE_BUILDER, p->own->name, "hierarchy",
                                         "column '%.60s', %.100s: it names no other column; write "
                                         "columns(COLUMN,COLUMN,...)",
                                         p->own->name, p->order->spec);
}

/* " (line 7)" where records have lines. */
static void write_place(const parents *p, size_t row, mgl_buffer *out)
{
    bool counted = p->order->table->times != NULL;
    uint64_t line = counted ? 0 : mgl_source_line(p->reading->source, row);
    if (line > 0)
        mgl_buffer_format(out, " (line %llu)", (unsigned long long)line);
    else if (!counted)
        mgl_buffer_format(out, " (row %llu)", (unsigned long long)row + 1);
    mgl_buffer_append(out, "", 1);
}

/* The value of a column lies in two values of the column above it, as two rows show. */
static mgl_status fail_two(const parents *p, const mgl_column *below, uint32_t value, size_t above,
                           const size_t rows[2], const uint32_t codes[2], mgl_error *err)
{
    char shown[3][MGL_SHOWN];
    mgl_buffer places[2] = {{0}, {0}};
    const mgl_dictionary *over = p->columns[above]->dictionary;
    for (size_t i = 0; i < 2; i++) {
        write_place(p, rows[i], &places[i]);
        mgl_shown(mgl_dictionary_value(over, codes[i]), shown[i]);
    }
    mgl_shown(mgl_dictionary_value(below->dictionary, value), shown[2]);
    bool failed = places[0].failed || places[1].failed;
    mgl_status status =
        failed ? mgl_fail_memory(err)
               : mgl_fail_at(err, MGL_CODE_HIERARCHY, mgl_source_name(p->reading->source), 0,
                             "column '%.60s', %.100s: '%s' of column '%.60s' lies in '%s'%s and in "
                             "'%s'%s of column '%.60s'; a value has one parent: correct the rows, "
                             "or make the values of '%.60s' tell such ones apart",
                             p->own->name, p->order->spec, shown[2], below->name, shown[0],
                             places[0].data, shown[1], places[1].data, p->columns[above]->name,
                             below->name);
    mgl_buffer_free(&places[0]);
    mgl_buffer_free(&places[1]);
    return mgl_blame_attribute(err, status, p->own->name, "hierarchy");
}

/* Rows that lack the parent say nothing about it. */
static mgl_status see_row(parents *p, size_t row, size_t at, mgl_error *err)
{
    uint32_t value = mgl_column_code(p->own, at);
    if (value == mgl_dictionary_missing(p->own->dictionary))
        return MGL_OK;
    for (size_t i = 0; i < p->n; i++) {
        uint32_t parent = mgl_column_code(p->columns[i], at);
        uint32_t *known = &p->of[i * p->n_codes + value];
        size_t *row_of = &p->row[i * p->n_codes + value];
        if (parent == mgl_dictionary_missing(p->columns[i]->dictionary) || parent == *known)
            continue;
        if (*known != MGL_NOT_FOUND)
            return fail_two(p, p->own, value, i, (size_t[]){*row_of, row},
                            (uint32_t[]){*known, parent}, err);
        *known = parent;
        *row_of = row;
    }
    return MGL_OK;
}

static mgl_status see_rows(parents *p, mgl_error *err)
{
    size_t n_rows = p->order->table->n_rows, first = 0, n = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (row >= first + n)
            MGL_TRY(mgl_column_reach(p->own, row, err, &first, &n));
        MGL_TRY(see_row(p, row, row - first, err));
    }
    return MGL_OK;
}

/* The values of a parent column lie in one value each of the next one. Where a value does not tell
 * the next parent, others of the same parent do. */
static mgl_status join_level(parents *p, size_t i, mgl_error *err)
{
    uint32_t n_parents = mgl_dictionary_size(p->columns[i]->dictionary);
    uint32_t *witness = mgl_alloc_array(n_parents, sizeof *witness);
    const uint32_t *of = p->of + i * p->n_codes;
    uint32_t *above = p->of + (i + 1) * p->n_codes;
    const size_t *row_of = p->row + (i + 1) * p->n_codes;
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(witness != NULL, err));
    for (uint32_t q = 0; q < n_parents; q++)
        witness[q] = MGL_NOT_FOUND;
    for (uint32_t v = 0; v < p->n_codes; v++) {
        if (of[v] == MGL_NOT_FOUND || above[v] == MGL_NOT_FOUND)
            continue;
        uint32_t *first = &witness[of[v]];
        *first = *first == MGL_NOT_FOUND ? v : *first;
        if (above[*first] != above[v])
            MGL_GO(fail_two(p, p->columns[i], of[v], i + 1, (size_t[]){row_of[*first], row_of[v]},
                            (uint32_t[]){above[*first], above[v]}, err));
    }
    for (uint32_t v = 0; v < p->n_codes; v++)
        if (of[v] != MGL_NOT_FOUND && witness[of[v]] != MGL_NOT_FOUND)
            above[v] = above[witness[of[v]]];
done:
    mgl_free(witness);
    return status;
}

/* Could the text be taken for something of a finer column? */
static bool is_taken(const parents *p, size_t i, mgl_span text)
{
    bool taken =
        mgl_span_is(text, "*") || mgl_dictionary_find(p->own->dictionary, text) != MGL_NOT_FOUND;
    for (size_t below = 0; below < i && !taken; below++)
        taken = mgl_dictionary_find(p->columns[below]->dictionary, text) != MGL_NOT_FOUND;
    return taken;
}

/* The value of a parent column; state=New York where a finer column has New York, too. */
static mgl_status write_labels(const parents *p, size_t i, mgl_error *err, mgl_span *out)
{
    const mgl_dictionary *dictionary = p->columns[i]->dictionary;
    for (uint32_t q = 0; q < mgl_dictionary_size(dictionary); q++) {
        mgl_span text = mgl_dictionary_value(dictionary, q);
        mgl_buffer label = {0};
        out[q] = text;
        if (!is_taken(p, i, text))
            continue;
        mgl_buffer_format(&label, "%s=", p->columns[i]->name);
        mgl_buffer_span(&label, text);
        char *copy = label.failed ? NULL : mgl_arena_copy(p->arena, label.data, label.size);
        out[q] = (mgl_span){copy, label.size};
        mgl_buffer_free(&label);
        MGL_TRY(mgl_check_memory(copy != NULL, err));
    }
    return MGL_OK;
}

/* A value without a known parent keeps the name that it has below. */
static mgl_status fill_level(const parents *p, size_t i, mgl_error *err, mgl_span *labels)
{
    uint32_t n = mgl_dictionary_size(p->columns[i]->dictionary);
    mgl_span *of_parent = mgl_arena_alloc(p->arena, (n + 1) * sizeof *of_parent);
    MGL_TRY(mgl_check_memory(of_parent != NULL, err));
    MGL_TRY(write_labels(p, i, err, of_parent));
    for (uint32_t v = 0; v < p->n_codes; v++) {
        uint32_t parent = p->of[i * p->n_codes + v];
        mgl_span *label = &labels[v * (p->n + 1) + i + 1];
        *label = parent != MGL_NOT_FOUND ? of_parent[parent] : label[-1];
    }
    return MGL_OK;
}

static mgl_status make(parents *p, mgl_error *err, mgl_hierarchy **out)
{
    mgl_span *labels;
    MGL_TRY(find_columns(p, err));
    MGL_TRY(see_rows(p, err));
    for (size_t i = 0; i + 1 < p->n; i++)
        MGL_TRY(join_level(p, i, err));
    labels = mgl_arena_alloc(p->arena, (p->n + 1) * (p->n_codes + 1) * sizeof *labels);
    MGL_TRY(mgl_check_memory(labels != NULL, err));
    for (uint32_t v = 0; v < p->n_codes; v++)
        labels[v * (p->n + 1)] = mgl_dictionary_value(p->own->dictionary, v);
    for (size_t i = 0; i < p->n; i++)
        MGL_TRY(fill_level(p, i, err, labels));
    mgl_label_rows rows = {p->order->spec, labels, (uint32_t)p->n + 1};
    return mgl_hierarchy_of_columns(&rows, p->own->name, p->own->dictionary, err, out);
}

/* A value with two parents is MGL_DATA. */
static mgl_status make_tree(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                            mgl_hierarchy **out)
{
    if (request->spec == NULL || mgl_hierarchy_columns(request->spec).size == 0)
        return MGL_OK;
    parents p = {.reading = reading,
                 .order = request,
                 .own = request->column,
                 .n_codes = mgl_dictionary_size(request->column->dictionary),
                 .arena = mgl_arena_new()};
    mgl_status status = p.arena != NULL ? make(&p, err, out) : mgl_fail_memory(err);
    mgl_arena_free(p.arena);
    return status;
}

const mgl_feature mgl_parents_feature = {.name = "parents",
                                         .assign = assign,
                                         .request = request,
                                         .on = {[MGL_ON_OPEN] = note_parents},
                                         .make_tree = make_tree};
