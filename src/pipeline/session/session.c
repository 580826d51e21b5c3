/* Begins and ends sessions, and opens their tables. The facade begins one for each file job and
 * keeps those that callers open (mgl_session_open). */
#include "pipeline/session/session.h"

#include <pthread.h>
#include <time.h>

/* ---- Whose turn it is ------------------------------------------------------------------------ */

enum { MILLISECONDS_BETWEEN_REPORTS = 20 };

typedef struct waiter {
    struct waiter *next;
} waiter;

/* Calls on one session, in the order in which they came. */
typedef struct mgl_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool busy;
    waiter *first, **end;
} mgl_queue;

/* NULL when memory is out; free with queue_free */
static mgl_queue *queue_new(void)
{
    mgl_queue *queue = mgl_zeroed_array(1, sizeof *queue);
    pthread_condattr_t steady;
    if (queue == NULL)
        return NULL;
    queue->end = &queue->first;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &steady);
    pthread_condattr_destroy(&steady);
    return queue;
}

static void queue_free(mgl_queue *queue)
{
    if (queue == NULL)
        return;
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    mgl_free(queue);
}

static void wait_a_while(mgl_queue *queue)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += MILLISECONDS_BETWEEN_REPORTS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
}

static void take_out(mgl_queue *queue, const waiter *who)
{
    waiter **at = &queue->first;
    while (*at != who)
        at = &(*at)->next;
    *at = who->next;
    if (who->next == NULL)
        queue->end = at;
}

/* The listener may take its time meanwhile. */
static mgl_status report_waiting(mgl_queue *queue, const mgl_progress *progress, mgl_error *err)
{
    pthread_mutex_unlock(&queue->lock);
    mgl_status status = mgl_progress_report(progress, "wait", 0, 0, err);
    pthread_mutex_lock(&queue->lock);
    return status;
}

/* Waits for its turn. The listener is asked while it waits, and may cancel. */
static mgl_status queue_enter(mgl_queue *queue, const mgl_progress *progress, mgl_error *err)
{
    waiter self = {NULL};
    mgl_status status = MGL_OK;
    pthread_mutex_lock(&queue->lock);
    /* Who waits leaves the queue before this returns. */
    *queue->end = &self;
    /* cppcheck-suppress autoVariables */
    queue->end = &self.next;
    while (queue->busy || queue->first != &self) {
        wait_a_while(queue);
        MGL_GO(report_waiting(queue, progress, err));
    }
    queue->busy = true;
done:
    take_out(queue, &self);
    pthread_cond_broadcast(&queue->changed); /* another one may be the first now */
    pthread_mutex_unlock(&queue->lock);
    return status;
}

mgl_status mgl_session_begin(mgl_error *err, mgl_session **out)
{
    mgl_session *session = mgl_zeroed_array(1, sizeof *session);
    MGL_TRY(mgl_check_memory(session != NULL, err));
    session->cache = mgl_cache_new();
    session->queue = queue_new();
    if (session->cache == NULL || session->queue == NULL) {
        mgl_session_end(session);
        return mgl_fail_memory(err);
    }
    *out = session;
    return MGL_OK;
}

mgl_status mgl_session_begin_shared(mgl_error *err, mgl_session **out)
{
    mgl_session *session;
    MGL_TRY(mgl_session_begin(err, &session));
    session->allocator = mgl_call_current()->allocator;
    session->files = mgl_alloc(sizeof *session->files);
    if (session->files == NULL) {
        mgl_session_end(session);
        return mgl_fail_memory(err);
    }
    mgl_open_files_init(session->files, &session->allocator);
    *out = session;
    return MGL_OK;
}

mgl_call mgl_session_call(const mgl_session *session)
{
    return (mgl_call){.allocator = session->allocator,
                      .kept = mgl_job_given(session->job),
                      .files = session->files,
                      .in_memory = mgl_job_in_memory(session->job)};
}

static void close_opened(void *object)
{
    mgl_opened *opened = object;
    if (opened == NULL)
        return;
    mgl_source_close(opened->source);
    mgl_free(opened);
}

/* Columns know their source, so it is closed after them. */
void mgl_session_end(mgl_session *session)
{
    if (session == NULL)
        return;
    mgl_cache_free(session->cache);
    close_opened(session->data);
    mgl_pool_free(session->pool);
    queue_free(session->queue);
    mgl_job_free(session->job);
    if (session->files != NULL)
        mgl_open_files_free(session->files);
    mgl_free(session->files);
    mgl_free(session);
}

static mgl_status open_location(mgl_session *session, const char *location,
                                const mgl_source_options *options, mgl_error *err, mgl_opened **out)
{
    mgl_opened *opened = mgl_zeroed_array(1, sizeof *opened);
    MGL_TRY(mgl_check_memory(opened != NULL, err));
    opened->options = *options;
    opened->number = mgl_cache_number(session->cache);
    mgl_status status = mgl_source_open(location, &opened->options, err, &opened->source);
    if (status != MGL_OK) {
        mgl_free(opened);
        return status;
    }
    *out = opened;
    return MGL_OK;
}

/* A table that is opened for many jobs may be one without rows, or with columns that have no name:
 * each job decides whether that will do. */
static mgl_status open_table(mgl_session *session, const mgl_settings *settings, mgl_error *err)
{
    mgl_source_options options = settings->source;
    options.headerless = NULL; /* each job that is attached gets to know it */
    if (session->job != NULL)
        options.allow_unnamed = options.may_be_empty = true;
    MGL_TRY(mgl_blame_key(
        err, open_location(session, settings->data, &options, err, &session->data), "data"));
    if (session->job != NULL)
        mgl_source_hash(session->data->source);
    return MGL_OK;
}

/* Forgets the table and all that was derived from it. */
static mgl_status forget(mgl_session *session, mgl_error *err)
{
    mgl_cache *fresh = mgl_cache_new();
    MGL_TRY(mgl_check_memory(fresh != NULL, err));
    mgl_cache_free(session->cache);
    session->cache = fresh;
    close_opened(session->data);
    session->data = NULL;
    session->spent = session->used = false;
    return MGL_OK;
}

mgl_status mgl_session_attach(mgl_session *session, const mgl_settings *settings, mgl_error *err)
{
    if (session->job != NULL)
        MGL_TRY(mgl_job_keeps_reading(settings->job, session->job, err));
    if (session->spent)
        MGL_TRY(forget(session, err));
    if (session->pool == NULL)
        MGL_TRY(mgl_pool_new(settings->limits.threads, err, &session->pool));
    if (session->data == NULL)
        MGL_TRY(open_table(session, session->job != NULL ? session->settings : settings, err));
    return mgl_source_use(session->data->source, &settings->source, err);
}

void mgl_session_choose(mgl_session *session, const mgl_row_choice *chosen, uint64_t number)
{
    const mgl_row_choice *sifted = chosen != NULL && chosen->bits != NULL ? chosen : NULL;
    session->data->chosen = sifted;
    session->data->chosen_number = number;
    session->data->n_chosen = chosen != NULL ? chosen->n_chosen : 0;
    mgl_source_choose(session->data->source, sifted);
}

void mgl_session_detach(mgl_session *session)
{
    /* Names and options go back to what they were, which cannot fail then. */
    if (session->data != NULL)
        (void)mgl_source_use(session->data->source, &session->data->options, NULL);
}

mgl_status mgl_session_spend(mgl_session *session, const mgl_settings *settings, mgl_error *err)
{
    if (session->used)
        MGL_TRY(forget(session, err));
    MGL_TRY(mgl_session_attach(session, settings, err));
    session->spent = true;
    return MGL_OK;
}

mgl_status mgl_session_enter(mgl_session *session, const mgl_progress *progress, mgl_error *err)
{
    return queue_enter(session->queue, progress, err);
}

void mgl_session_leave(mgl_session *session)
{
    pthread_mutex_lock(&session->queue->lock);
    session->queue->busy = false;
    pthread_cond_broadcast(&session->queue->changed);
    pthread_mutex_unlock(&session->queue->lock);
}

static const mgl_cache_kind other_tables = {close_opened, 2};

mgl_status mgl_session_other(mgl_session *session, const char *location,
                             const mgl_settings *settings, mgl_cache_pins *pins, mgl_error *err,
                             mgl_opened **out)
{
    const mgl_cache_entry *kept = NULL;
    mgl_opened *opened;
    mgl_buffer key = {0};
    mgl_source_options options = mgl_options_of_other(&settings->source, location);
    options.n_labels = 0; /* it is no release */
    mgl_status status = MGL_OK;
    mgl_key_file(&key, location);
    MGL_GO(mgl_cache_find(pins, &other_tables, &key, err, &kept));
    if (kept == NULL) {
        MGL_GO(open_location(session, location, &options, err, &opened));
        MGL_GO(mgl_cache_add(pins, &other_tables, &key, opened, err, &kept));
    }
    opened = kept->object;
    opened->options = options;
    *out = opened;
done:
    mgl_buffer_free(&key);
    return status;
}

void mgl_key_text(mgl_buffer *key, const char *text)
{
    mgl_buffer_append(key, text != NULL ? "\x02" : "\x01", 1);
    mgl_buffer_text(key, text != NULL ? text : "");
    mgl_buffer_append(key, "", 1);
}

void mgl_key_number(mgl_buffer *key, uint64_t number)
{
    mgl_buffer_append(key, (const char *)&number, sizeof number);
}

static void add_state(mgl_buffer *key, const char *file)
{
    mgl_file_state state;
    const mgl_memory_object *object = mgl_memory_find(file);
    if (object != NULL && object->table == NULL) {
        /* Bytes in memory are the same if they have the same content: jobs are given them anew. */
        mgl_sha256 hash;
        char text[MGL_SHA256_TEXT];
        mgl_sha256_begin(&hash);
        mgl_sha256_add(&hash, object->bytes.data, object->bytes.size);
        mgl_sha256_end(&hash, text);
        mgl_key_text(key, text);
        return;
    }
    if (mgl_sys_state_of(file, &state) != 0)
        return;
    mgl_key_number(key, state.size);
    mgl_key_number(key, state.inode);
    mgl_key_number(key, state.device);
    mgl_key_number(key, (uint64_t)state.modified_seconds);
    mgl_key_number(key, (uint64_t)state.modified_nanoseconds);
}

void mgl_key_file(mgl_buffer *key, const char *location)
{
    mgl_buffer file = {0};
    mgl_key_text(key, location);
    mgl_buffer_span(&file, mgl_location_of(location).path);
    mgl_buffer_append(&file, "", 1);
    if (file.failed)
        key->failed = true;
    else
        add_state(key, file.data);
    mgl_buffer_free(&file);
}
