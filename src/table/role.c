/* Names of roles and of kinds of columns. The job reads them, results tell them. */
#include "table/table.h"

static const char *const names[MGL_ROLES] = {
    [MGL_ROLE_NONE] = "none",
    [MGL_ROLE_IDENTIFIER] = "identifier",
    [MGL_ROLE_QUASI] = "quasi",
    [MGL_ROLE_SENSITIVE] = "sensitive",
    [MGL_ROLE_INSENSITIVE] = "insensitive",
    [MGL_ROLE_ITEMS] = "items",
};

const char *mgl_role_name(mgl_role role)
{
    return names[role];
}

/* "none" is not a role one can ask for. */
bool mgl_role_parse(mgl_span text, mgl_role *out)
{
    for (int role = MGL_ROLE_NONE + 1; role < MGL_ROLES; role++)
        if (mgl_span_is(text, names[role])) {
            *out = (mgl_role)role;
            return true;
        }
    return false;
}

bool mgl_said_kind_parse(mgl_span text, mgl_said_kind *out)
{
    static const char *const kinds[MGL_SAID_KINDS] = {
        [MGL_SAID_NOMINAL] = "nominal", [MGL_SAID_NUMBER] = "number", [MGL_SAID_DATE] = "date"};
    for (size_t k = MGL_SAID_NOMINAL; k < MGL_SAID_KINDS; k++)
        if (mgl_span_is(text, kinds[k])) {
            *out = (mgl_said_kind)k;
            return true;
        }
    return false;
}
