/* Checks what a job says about partitions of a release, as far as that needs no data: whether its
 * columns can name folders, and the output can be one. outputs.c calls it. */
#include "job/settings/settings.h"

#include "job/store/store.h"

static const char key[] = "partition-by";

/* Engines write other letters of a column's name as %XX, and read that as the name. */
static bool names_folders(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-~.";
    return name[0] != '_' && name[0] != '.' && name[0] != '\0' &&
           strspn(name, letters) == strlen(name);
}

static mgl_status check_columns(const mgl_settings *s, mgl_error *err)
{
    for (size_t i = 0; i < s->partitions.n; i++) {
        if (!names_folders(s->partitions.columns[i]))
            return mgl_fail(err, MGL_CODE_UNSUPPORTED,
                            "column '%.60s' cannot name folders, since not every engine reads its "
                            "name back; divide by columns whose names begin with a letter or digit "
                            "and have letters of ASCII, digits, -, ~, . and _",
                            s->partitions.columns[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(s->partitions.columns[i], s->partitions.columns[j]) == 0)
                return mgl_fail(err, MGL_CODE_REPEATED,
                                "column '%.60s' is named twice; name it once",
                                s->partitions.columns[i]);
    }
    return MGL_OK;
}

mgl_status mgl_settings_check_partitions(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->partitions.n == 0 || (command & (MGL_ANONYMIZE | MGL_APPLY)) == 0)
        return MGL_OK;
    MGL_TRY(mgl_blame_key(err, check_columns(s, err), key));
    if (s->print_sql != NULL)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "`print-sql` writes no files, and `partition-by` divides "
                                      "them; leave it out"),
                             key);
    if (s->output == NULL || s->dry_run)
        return MGL_OK;
    mgl_location output = mgl_location_of(s->output);
    if (!output.format->divided || output.kind != MGL_LOCATION_FILE)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "`partition-by` is for releases that are folders of Parquet "
                                      "files; end the name of the output in .parquet, or leave it "
                                      "out"),
                             key);
    return mgl_blame_key(err, mgl_partitions_check_target(s->output, s->overwrite, err), "output");
}
