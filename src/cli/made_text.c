/* Texts that are put together before they are printed. Help and completion make theirs with it. */
#include "cli.h"

#include <stdlib.h>

static void memory_is_out(void)
{
    mgl_error err = {.status = MGL_SYSTEM};
    snprintf(err.message, sizeof err.message, "memory is out");
    exit(mgl_cli_fail(&err));
}

FILE *mgl_cli_text_begin(mgl_cli_made_text *made)
{
    *made = (mgl_cli_made_text){0};
    made->stream = open_memstream(&made->text, &made->size);
    if (made->stream == NULL)
        memory_is_out();
    return made->stream;
}

char *mgl_cli_text_end(mgl_cli_made_text *made)
{
    bool failed = ferror(made->stream) != 0;
    if (fclose(made->stream) != 0 || failed)
        memory_is_out();
    return made->text;
}

char *mgl_cli_spelt(const char *text)
{
    mgl_cli_made_text made;
    mgl_cli_spell(text, mgl_cli_text_begin(&made));
    return mgl_cli_text_end(&made);
}
