/* Makes the order in which an engine writes a release. A random number for each row would do, but
 * good ones cost more than the join; a hash of where the row lies costs next to nothing. The hash
 * is no cipher: several of them, with 64 secret bits each, are put together, and neither the bits
 * nor the sums are kept anywhere. push_release.c calls it. */
#include "io/sql/read_database.h"

enum { SECRETS = 4 };

static mgl_status has_places(mgl_sql *sql, const mgl_sql_table *source, mgl_error *err, bool *out)
{
    *out = false;
    if (sql->dialect->has_places == NULL || source->rows != NULL)
        return MGL_OK;
    mgl_span values[] = {source->schema != NULL ? mgl_span_of(source->schema) : (mgl_span){NULL, 0},
                         mgl_span_of(source->name)};
    mgl_status status = sql->driver->send(sql, sql->dialect->has_places, values, 2, err);
    if (status == MGL_OK)
        status = mgl_sql_fetch(sql, err, out);
    mgl_sql_finish(sql);
    return status;
}

mgl_status mgl_sql_write_order(mgl_buffer *out, mgl_sql *sql, const mgl_sql_table *source,
                               mgl_error *err)
{
    bool places;
    long long secrets[SECRETS];
    MGL_TRY(has_places(sql, source, err, &places));
    if (!places)
        return MGL_OK;
    MGL_TRY(mgl_sys_entropy(secrets, sizeof secrets, err));
    for (size_t i = 0; i < SECRETS; i++) {
        mgl_buffer_text(out, i > 0 ? " # " : "");
        mgl_buffer_format(out, sql->dialect->place_order, secrets[i]);
    }
    mgl_buffer_append(out, "", 1);
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}
