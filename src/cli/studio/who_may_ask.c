/* Who may ask: only the page that this server gave to the browser of whoever started it. Another
 * site that guesses the port lacks the cookie and has another origin; a name that was made to lead
 * here (DNS rebinding) is another host. serve.c asks before it reads a request. */
#include "cli/studio/room.h"

#include <stdio.h>
#include <string.h>

bool mgl_studio_draw(char text[MGL_STUDIO_SECRET + 1])
{
    unsigned char bytes[MGL_STUDIO_SECRET / 2];
    FILE *random = fopen("/dev/urandom", "rb");
    bool drawn = random != NULL && fread(bytes, sizeof bytes, 1, random) == 1;
    if (random != NULL)
        fclose(random);
    for (size_t i = 0; drawn && i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return drawn;
}

/* In the same time wherever they differ. */
static bool is_secret(const char *text, const char *secret)
{
    unsigned char bits = 0;
    bool sized = strlen(text) == MGL_STUDIO_SECRET;
    for (size_t i = 0; sized && i < MGL_STUDIO_SECRET; i++)
        bits |= (unsigned char)(text[i] ^ secret[i]);
    return sized && bits == 0;
}

/* The value of our cookie, among others of the same host; false: it is not there. */
static bool find_cookie(const mgl_studio *studio, const char *cookies, char *value, size_t size)
{
    size_t length = strlen(studio->cookie);
    for (const char *at = cookies; at != NULL && *at != '\0';) {
        const char *end = at + strcspn(at, ";");
        if (strncmp(at, studio->cookie, length) == 0 && at[length] == '=') {
            size_t n = (size_t)(end - at) - length - 1;
            if (n >= size)
                return false;
            memcpy(value, at + length + 1, n);
            value[n] = '\0';
            return true;
        }
        at = *end == ';' ? end + 1 + strspn(end + 1, " ") : end;
    }
    return false;
}

static bool has_cookie(const mgl_studio *studio, const char *cookies)
{
    char value[MGL_STUDIO_SECRET + 2];
    return find_cookie(studio, cookies, value, sizeof value) && is_secret(value, studio->token);
}

static bool is(const char *text, const char *other)
{
    return text != NULL && strcmp(text, other) == 0;
}

/* The first load with the secret; another one finds it used. */
static mgl_studio_leave enter(mgl_studio *studio, const char *given, const char **why)
{
    pthread_mutex_lock(&studio->lock);
    bool right = is_secret(given, studio->secret), first = !studio->secret_used;
    if (right)
        studio->secret_used = true;
    pthread_mutex_unlock(&studio->lock);
    *why = !right  ? "this is not the address that the program printed"
           : first ? NULL
                   : "this address was opened before; start mingle studio anew";
    return right && first ? MGL_STUDIO_ENTERS : MGL_STUDIO_REFUSED;
}

mgl_studio_leave mgl_studio_guard(mgl_studio *studio, const mgl_studio_sender *sender,
                                  const char **why)
{
    static const char door[] = "/open/";
    bool changes = !is(sender->method, "GET");
    bool api = strncmp(sender->path, "/api/", 5) == 0;
    /* The holder of the secret may come from anywhere: the page that leads here is a file. */
    bool enters = !changes && strncmp(sender->path, door, sizeof door - 1) == 0;
    *why = NULL;
    if (!is(sender->host, studio->host))
        *why = "the request is for another host";
    else if (sender->origin != NULL ? !is(sender->origin, studio->origin) : changes)
        *why = "the request comes from another page";
    else if (sender->site != NULL && !is(sender->site, "same-origin") && !enters &&
             (api || !is(sender->site, "none")))
        *why = "the request comes from another site";
    if (*why != NULL)
        return MGL_STUDIO_REFUSED;
    if (enters)
        return enter(studio, sender->path + sizeof door - 1, why);
    if (has_cookie(studio, sender->cookies))
        return MGL_STUDIO_KNOWN;
    *why = "open the address that the program printed";
    return MGL_STUDIO_REFUSED;
}
