/* Writes the completion script for bash. complete.c calls it. */
#include "job/help/complete.h"

/* One case per option whose value is known: words, or files. */
static void write_values(mgl_buffer *out)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        mgl_buffer words = {0};
        mgl_complete_values(&key, &words);
        bool file = mgl_complete_file(&key);
        if (mgl_key_needs_value(&key)) {
            mgl_buffer_text(out, "    ");
            mgl_key_option(&key, out);
            if (key.letter != '\0' && key.name[1] != '\0')
                mgl_buffer_format(out, " | -%c", key.letter);
            mgl_buffer_text(out, ")\n");
            if (words.size > 0)
                mgl_buffer_format(out, "        COMPREPLY=($(compgen -W '%.*s' -- \"$cur\"))\n",
                                  (int)words.size, words.data);
            if (file)
                mgl_buffer_text(out, "        _mingle_files\n");
            mgl_buffer_text(out, "        return ;;\n");
        }
        out->failed = out->failed || words.failed;
        mgl_buffer_free(&words);
    }
}

static void write_options(mgl_buffer *out, const mgl_command_row *command)
{
    mgl_buffer_format(out, "    %s) words='--help", command->name);
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if ((key.commands & command->command) == 0)
            continue;
        mgl_buffer_text(out, " ");
        mgl_key_option(&key, out);
        if (key.letter != '\0' && key.name[1] != '\0')
            mgl_buffer_format(out, " -%c", key.letter);
    }
    mgl_buffer_text(out, "' ;;\n");
}

static void write_operands(mgl_buffer *out, const char *command)
{
    mgl_buffer words = {0};
    mgl_complete_operands(command, &words);
    if (words.size > 0)
        mgl_buffer_format(out, "    %s) words='%.*s' ;;\n", command, (int)words.size, words.data);
    out->failed = out->failed || words.failed;
    mgl_buffer_free(&words);
}

void mgl_complete_bash(mgl_buffer *out)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_buffer_text(out,
                    "# bash completion of mingle, made by: mingle completion bash\n"
                    "_mingle_files()\n{\n"
                    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
                    "    compopt -o filenames 2>/dev/null\n}\n"
                    "_mingle()\n{\n"
                    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}"
                    " words=\n"
                    "    COMPREPLY=()\n"
                    "    # --option=value is three words to bash\n"
                    "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
                    "    [ \"$cur\" != = ] || cur=\n"
                    "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                    "        COMPREPLY=($(compgen -W '--help --version ");
    mgl_complete_commands(out);
    mgl_buffer_text(out, "' -- \"$cur\"))\n        return\n    fi\n    case $before in\n");
    write_values(out);
    mgl_buffer_text(out, "    esac\n    if [ \"${cur:0:1}\" = - ]; then\n"
                         "        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < n; i++)
        write_options(out, &rows[i]);
    mgl_buffer_text(out, "        esac\n    elif [ \"$COMP_CWORD\" -eq 2 ]; then\n"
                         "        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < n; i++)
        write_operands(out, rows[i].name);
    write_operands(out, "completion");
    write_operands(out, "help");
    mgl_buffer_text(out, "        esac\n    fi\n"
                         "    if [ -n \"$words\" ]; then\n"
                         "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                         "    elif [ \"${cur:0:1}\" != - ]; then\n"
                         "        _mingle_files\n"
                         "    fi\n}\ncomplete -F _mingle mingle\n");
}
