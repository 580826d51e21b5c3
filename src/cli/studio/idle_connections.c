/* Keeps the connections that wait for a request in order of age. Where there are too many, the
 * oldest is shut down, so that connections that never send a request cannot keep others out. */
#include "cli/studio/room.h"

#include <stdlib.h>
#include <sys/socket.h>

/* With the lock held. */
static void leave(mgl_studio *studio, mgl_studio_connection *c)
{
    if (!c->idle)
        return;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        studio->idle = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    else
        studio->last_idle = c->before;
    c->before = c->after = NULL;
    c->idle = false;
    studio->n_idle--;
}

/* With the lock held. A socket that is shut down ends its connection, which calls
 * mgl_studio_disconnect. */
static void join(mgl_studio *studio, mgl_studio_connection *c)
{
    leave(studio, c);
    if (studio->n_idle == MGL_STUDIO_IDLE) {
        (void)shutdown(studio->idle->socket, SHUT_RDWR);
        leave(studio, studio->idle);
    }
    c->before = studio->last_idle;
    if (c->before != NULL)
        c->before->after = c;
    else
        studio->idle = c;
    studio->last_idle = c;
    c->idle = true;
    studio->n_idle++;
}

mgl_studio_connection *mgl_studio_connect(mgl_studio *studio, int socket)
{
    mgl_studio_connection *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->socket = socket;
    mgl_studio_set_idle(studio, c, true);
    return c;
}

void mgl_studio_set_idle(mgl_studio *studio, mgl_studio_connection *c, bool idle)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&studio->lock);
    if (idle)
        join(studio, c);
    else
        leave(studio, c);
    pthread_mutex_unlock(&studio->lock);
}

void mgl_studio_disconnect(mgl_studio *studio, mgl_studio_connection *c)
{
    mgl_studio_set_idle(studio, c, false);
    free(c);
}
