/* Makes the completion scripts of shells from the table of keys; what bash, fish and zsh share is
 * here. `completion` asks for one through describe.c. */
#include "job/help/complete.h"

#include "job/store/store.h"

static void add_word(mgl_buffer *out, mgl_span word)
{
    if (out->size > 0)
        mgl_buffer_text(out, " ");
    mgl_buffer_span(out, word);
}

static void add_text(mgl_buffer *out, const char *text)
{
    add_word(out, mgl_span_of(text));
}

static bool is_word(mgl_span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!(text.data[i] >= 'a' && text.data[i] <= 'z') && text.data[i] != '-')
            return false;
    return text.size > 0;
}

/* "fast|balanced|best" are words, "N|X%" are not. */
static void add_alternatives(const char *syntax, mgl_buffer *out)
{
    while (*syntax != '\0') {
        size_t size = strcspn(syntax, "|");
        mgl_span word = {syntax, size};
        if (is_word(word))
            add_word(out, word);
        syntax += size + (syntax[size] == '|');
    }
}

static void add_syntax(const mgl_key *key, mgl_buffer *out)
{
    mgl_buffer syntax = {0};
    mgl_key_value_syntax(key, &syntax);
    mgl_buffer_append(&syntax, "", 1);
    if (syntax.failed)
        out->failed = true;
    else
        add_alternatives(syntax.data, out);
    mgl_buffer_free(&syntax);
}

static void add_methods(mgl_buffer *out)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++)
        add_text(out, types[i]->name);
}

static void add_measures(mgl_buffer *out, bool searched)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++)
        if (types[i]->drives_search || !searched)
            add_text(out, types[i]->name);
}

static void add_policies(mgl_buffer *out)
{
    size_t n;
    const mgl_policy *policies = mgl_policies(&n);
    for (size_t i = 0; i < n; i++)
        add_text(out, policies[i].name);
}

void mgl_complete_values(const mgl_key *key, mgl_buffer *out)
{
    if (strcmp(key->name, "method") == 0 || strcmp(key->name, "methods") == 0)
        add_methods(out);
    else if (strcmp(key->name, "utility") == 0)
        add_measures(out, true);
    else if (key->kind == MGL_KEY_POLICY)
        add_policies(out);
    else if (key->kind != MGL_KEY_BY_COLUMN)
        add_syntax(key, out);
}

void mgl_complete_commands(mgl_buffer *out)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    for (size_t i = 0; i < n; i++)
        add_text(out, rows[i].name);
    add_text(out, "completion");
    add_text(out, "help");
}

static void add_topics(mgl_buffer *out)
{
    size_t n;
    mgl_complete_commands(out);
    add_text(out, "commands options methods models measures builders policies formats keys all");
    add_methods(out);
    const mgl_model_type *const *models = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++)
        add_text(out, models[i]->name);
    add_measures(out, false);
    const mgl_builder_type *builders = mgl_builder_types(&n);
    for (size_t i = 0; i < n; i++)
        add_text(out, builders[i].name);
    add_policies(out);
}

void mgl_complete_operands(const char *command, mgl_buffer *out)
{
    if (strcmp(command, "hierarchy") == 0)
        add_text(out, "build check show suggest");
    else if (strcmp(command, "completion") == 0)
        add_text(out, "bash zsh fish");
    else if (strcmp(command, "help") == 0)
        add_topics(out);
}

bool mgl_complete_file(const mgl_key *key)
{
    return mgl_key_is_path(key) || key->kind == MGL_KEY_POLICY;
}

bool mgl_complete(const char *shell, mgl_buffer *out)
{
    static const struct {
        const char *name;
        void (*write)(mgl_buffer *out);
    } shells[] = {
        {"bash", mgl_complete_bash}, {"zsh", mgl_complete_zsh}, {"fish", mgl_complete_fish}};
    for (size_t i = 0; shell != NULL && i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].write(out);
            return true;
        }
    return false;
}
