/* Writes the completion script for bash. complete_words.c calls it. */
#include "cli/shells/shells.h"

#include <stdlib.h>

/* One case per option whose value is known: words, or files. */
static void write_values(const mgl_cli_keys *keys, FILE *out)
{
    for (size_t i = 0; i < keys->n; i++) {
        const mgl_cli_key *key = &keys->rows[i];
        if (mgl_cli_key_takes_value(key) != 1)
            continue;
        char *words = mgl_cli_value_words(keys, key);
        fputs("    ", out);
        mgl_cli_write_option(key, out);
        if (key->letter != '\0' && key->name[1] != '\0')
            fprintf(out, " | -%c", key->letter);
        fputs(")\n", out);
        if (words[0] != '\0')
            fprintf(out, "        COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n", words);
        if (mgl_cli_names_file(key))
            fputs("        _mingle_files\n", out);
        fputs("        return ;;\n", out);
        free(words);
    }
}

static void write_options(const mgl_cli_keys *keys, const char *command, FILE *out)
{
    fprintf(out, "    %s) words='--help", command);
    for (size_t i = 0; i < keys->n; i++) {
        const mgl_cli_key *key = &keys->rows[i];
        if (!mgl_cli_key_is_taken(key, command))
            continue;
        fputs(" ", out);
        mgl_cli_write_option(key, out);
        if (key->letter != '\0' && key->name[1] != '\0')
            fprintf(out, " -%c", key->letter);
    }
    fputs("' ;;\n", out);
}

static void write_operands(const mgl_cli_keys *keys, const char *command, FILE *out)
{
    char *words = mgl_cli_operand_words(keys, command);
    if (words[0] != '\0')
        fprintf(out, "    %s) words='%s' ;;\n", command, words);
    free(words);
}

void mgl_cli_complete_bash(const mgl_cli_keys *keys, FILE *out)
{
    size_t n = mgl_result_size(keys->catalogue, "commands");
    char *commands = mgl_cli_command_words(keys);
    fputs("# bash completion of mingle, made by: mingle completion bash\n"
          "_mingle_files()\n{\n"
          "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    compopt -o filenames 2>/dev/null\n}\n"
          "_mingle()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    COMPREPLY=()\n"
          "    # --option=value is three words to bash\n"
          "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    [ \"$cur\" != = ] || cur=\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '--help --version ",
          out);
    fprintf(out, "%s' -- \"$cur\"))\n        return\n    fi\n    case $before in\n", commands);
    write_values(keys, out);
    fputs("    esac\n    if [ \"${cur:0:1}\" = - ]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          out);
    for (size_t i = 0; i < n; i++)
        write_options(keys, mgl_result_key(keys->catalogue, "commands", i), out);
    fputs("        esac\n    elif [ \"$COMP_CWORD\" -eq 2 ]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          out);
    for (size_t i = 0; i < n; i++)
        write_operands(keys, mgl_result_key(keys->catalogue, "commands", i), out);
    write_operands(keys, "completion", out);
    write_operands(keys, "help", out);
    fputs("        esac\n    fi\n"
          "    if [ -n \"$words\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    elif [ \"${cur:0:1}\" != - ]; then\n"
          "        _mingle_files\n"
          "    fi\n}\ncomplete -F _mingle mingle\n",
          out);
    free(commands);
}
