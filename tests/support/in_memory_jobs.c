/* The jobs of in_memory_jobs.h. Tests of memory, of faults and of traced system calls run them. */
#include "in_memory_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The world --------------------------------------------------------------------------------
 */

void memory_world_add(memory_world *world, const char *name, const void *data, size_t size)
{
    if (world->n == MEMORY_THINGS)
        abort();
    memory_thing *thing = &world->things[world->n++];
    *thing = (memory_thing){.name = name, .data = malloc(size + 1), .size = size};
    if (thing->data == NULL)
        abort();
    memcpy(thing->data, data, size);
}

static void add_text(memory_world *world, const char *name, const char *text)
{
    memory_world_add(world, name, text, strlen(text));
}

static void add_table(memory_world *world, const char *name, int first, int n)
{
    static const char *const diseases[] = {"flu", "cold", "gout", "ulcer"};
    char text[16384];
    size_t size = (size_t)snprintf(text, sizeof text, "id,age,zip,disease\n");
    for (int r = first; r < first + n; r++)
        size += (size_t)snprintf(text + size, sizeof text - size, "p%d,%d,021%d%d,%s\n", r,
                                 20 + r * 7 % 40, r % 3, r * 5 % 4,
                                 diseases[(unsigned)(r * r + r / 7) % 4]);
    memory_world_add(world, name, text, size);
}

void memory_world_make(memory_world *world)
{
    *world = (memory_world){0};
    add_table(world, "table.csv", 0, 120);
    add_table(world, "slice1.csv", 0, 60);
    add_table(world, "slice2.csv", 60, 60);
    add_text(world, "latin.csv", "town,age\nK\xf6ln,1\nK\xf6ln,2\nBonn,1\nBonn,2\n");
    add_text(world, "policy.yaml", "privacy: [{k-anonymity: 2}]\n");
    add_text(world, "key.pem",
             "-----BEGIN PRIVATE KEY-----\n"
             "MC4CAQAwBQYDK2VwBCIEIJ53ftnWTNPY7Ce/4w9KIBVYbx37vmc7NrgvU556ycyS\n"
             "-----END PRIVATE KEY-----\n");
    add_text(world, "pub.pem",
             "-----BEGIN PUBLIC KEY-----\n"
             "MCowBQYDK2VwAyEAVg7yKtP2eKReQnwHwWNRtafe+4eE8+6wGOZnyP/QrVc=\n"
             "-----END PUBLIC KEY-----\n");
    char zips[1024];
    size_t size = 0;
    for (int i = 0; i < 12; i++)
        size += (size_t)snprintf(zips + size, sizeof zips - size, "021%d%d;021%d*;021**;*\n", i / 4,
                                 i % 4, i / 4);
    memory_world_add(world, "zip.csv", zips, size);
    add_text(world, "groups.txt",
             "north: 02100, 02101, 02102, 02103, 02110, 02111\n"
             "south: 02112, 02113, 02120, 02121, 02122, 02123\n");
}

void memory_world_free(memory_world *world)
{
    for (size_t i = 0; i < world->n; i++)
        free(world->things[i].data);
    *world = (memory_world){0};
}

/* ---- The deeds --------------------------------------------------------------------------------
 */

#define ROLES "qi=age,zip|hierarchy=zip=@zip.csv|identifier=id|sensitive=disease|"
#define TABLE "data=@table.csv|" ROLES
#define RELEASE TABLE "k=3|suppress=20%|seed=1|"

const memory_deed memory_deeds[] = {
    {"a release with all that goes with it",
     "anonymize",
     RELEASE "method=mingen|output=@release.csv|result=@result.json|save-recoding=@recoding.rec|"
             "report=@report.html|save-job=@job.yaml",
     {"release.csv", "result.json", "recoding.rec", "report.html", "job.yaml"}},
    {"a packed release",
     "anonymize",
     RELEASE "method=cell|output=@packed.csv.gz",
     {"packed.csv.gz"}},
    {"another packed release",
     "anonymize",
     RELEASE "method=mondrian|output=@packed.tsv.zst|keep-order=true",
     {"packed.tsv.zst"}},
    {"a proof",
     "anonymize",
     RELEASE "method=cell|l-diversity=disease=2|output=@proved.csv|save-proof=@proof.json|"
             "result=@proved.json",
     {"proved.csv", "proof.json", "proved.json"}},
    {"counting a slice",
     "count",
     "data=@slice1.csv|qi=age,zip|identifier=id|sensitive=disease|output=@slice1.part",
     {"slice1.part"}},
    {"counting another slice",
     "count",
     "data=@slice2.csv|qi=age,zip|identifier=id|sensitive=disease|output=@slice2.part",
     {"slice2.part"}},
    {"parts",
     "anonymize",
     "data=@slice1.part|parts=@slice2.part|" ROLES "k=3|suppress=20%|save-recoding=@parts.rec",
     {"parts.rec"}},
    {"a recoding that is applied",
     "apply",
     "data=@table.csv|recoding=@recoding.rec|output=@applied.csv|seed=1",
     {"applied.csv"}},
    {"earlier releases",
     "anonymize",
     RELEASE "method=mingen|history=@recoding.rec|output=@later.csv",
     {"later.csv"}},
    {"a population",
     "anonymize",
     "data=@slice1.csv|" ROLES "k=3|suppress=20%|seed=1|population=@table.csv|k-map=4|"
     "output=@mapped.csv",
     {"mapped.csv"}},
    {"a builder with a file",
     "anonymize",
     "data=@table.csv|qi=zip|identifier=id|insensitive=age,disease|seed=1|k=2|suppress=20%|"
     "allow-leaks=true|hierarchy=zip=groups(@groups.txt)|output=@built.csv",
     {"built.csv"}},
    {"a signature",
     "anonymize",
     RELEASE "method=mingen|output=@signed.csv|result=@signed.json|sign=@key.pem",
     {"signed.csv", "signed.json", "signed.json.sig"}},
    {"a check of a signature",
     "check",
     "data=@signed.csv|against=@signed.json|verify-key=@pub.pem",
     {NULL}},
    {"a policy",
     "anonymize",
     TABLE "policy=@policy.yaml|seed=1|suppress=10%|output=@policed.csv",
     {"policed.csv"}},
    {"another encoding",
     "anonymize",
     "data=@latin.csv|encoding=latin1|qi=town|hierarchy=town=suppress|insensitive=age|k=2|seed=1|"
     "output=@towns.csv",
     {"towns.csv"}},
    {"packed data", "check", "data=@packed.csv.gz|qi=age,zip|k=2|rest=insensitive", {NULL}},
    {"a check against a result",
     "check",
     "data=@release.csv|against=@result.json|result=@checked.json",
     {"checked.json"}},
    {"a check of a proof",
     "check",
     "data=@table.csv|proof=@proof.json|against=@proved.json",
     {NULL}},
    {"risks", "risk", TABLE "suda=true|rows=@rows.csv", {"rows.csv"}},
    {"advice", "risk", "data=@table.csv|advise=true|output=@advice.yaml", {"advice.yaml"}},
    {"an attack",
     "attack",
     "qi=age,zip|hierarchy=zip=@zip.csv|rest=drop|data=@release.csv|external=@table.csv|"
     "rows=@linked.csv",
     {"linked.csv"}},
    {"utility", "utility", TABLE "release=@release.csv", {NULL}},
    {"methods compared",
     "compare",
     TABLE "k=3|suppress=20%|methods=mingen,mondrian|result=@compared.json",
     {"compared.json"}},
    {"the lattice", "lattice", TABLE "k=3|suppress=20%", {NULL}},
    {"a page", "report", "data=@result.json|output=@page.html", {"page.html"}},
    {"a hierarchy that is built",
     "hierarchy build",
     "data=@table.csv|qi=zip|hierarchy=zip=mask(right,2)|output=@levels.csv",
     {"levels.csv"}},
    {"a hierarchy that is shown",
     "hierarchy show",
     "data=@table.csv|qi=zip|hierarchy=zip=@levels.csv",
     {NULL}},
};
const size_t n_memory_deeds = sizeof memory_deeds / sizeof memory_deeds[0];

bool memory_output_varies(const char *name)
{
    static const char *const endings[] = {".json", ".html", ".yaml", ".rec", ".sig"};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}

/* ---- Jobs --------------------------------------------------------------------------------------
 */

static mgl_status set_pair(mgl_job *job, const char *pair, bool in_memory, mgl_error *err)
{
    char key[40], value[300];
    size_t size = strcspn(pair, "|"), equals = strcspn(pair, "="), used = 0;
    snprintf(key, sizeof key, "%.*s", (int)equals, pair);
    for (size_t i = equals + 1; i < size && used + 8 < sizeof value; i++)
        if (pair[i] != '@')
            value[used++] = pair[i];
        else if (in_memory)
            used += (size_t)sprintf(value + used, "memory:");
    value[used] = '\0';
    return mgl_job_set(job, key, value, err);
}

static mgl_status fill(const memory_deed *deed, const memory_world *world, unsigned threads,
                       mgl_job *job, mgl_error *err)
{
    char number[16];
    mgl_status status = MGL_OK;
    for (size_t i = 0; world != NULL && status == MGL_OK && i < world->n; i++)
        status = mgl_job_give_bytes(job, world->things[i].name, world->things[i].data,
                                    world->things[i].size, NULL, NULL, err);
    for (const char *pair = deed->keys; status == MGL_OK && *pair != '\0';
         pair += strspn(pair, "|")) {
        status = set_pair(job, pair, world != NULL, err);
        pair += strcspn(pair, "|");
    }
    snprintf(number, sizeof number, "%u", threads);
    if (status != MGL_OK ||
        strcmp(deed->command, "report") == 0) /* which has nothing for threads to do */
        return status;
    return mgl_job_set(job, "threads", number, err);
}

mgl_status memory_job(const memory_deed *deed, const memory_world *world, unsigned threads,
                      mgl_error *err, mgl_job **out)
{
    mgl_job *job;
    mgl_status status = mgl_job_new(err, &job);
    if (status != MGL_OK)
        return status;
    status = fill(deed, world, threads, job, err);
    if (status != MGL_OK)
        mgl_job_free(job);
    else
        *out = job;
    return status;
}

/* ---- Running -----------------------------------------------------------------------------------
 */

bool memory_deed_has_session(const memory_deed *deed)
{
    return strcmp(deed->command, "report") != 0; /* it has no table */
}

mgl_status memory_run_on_session(const memory_deed *deed, const mgl_job *job,
                                 const mgl_session_options *options, mgl_error *err,
                                 mgl_result **out)
{
    mgl_session *session = NULL;
    mgl_status status = mgl_session_open(job, options, err, &session);
    if (status == MGL_OK)
        status = mgl_session_run(session, deed->command, job, err, out);
    mgl_session_close(session);
    return status;
}

static mgl_status keep_outputs(memory_world *world, const memory_deed *deed,
                               const mgl_result *result, mgl_error *err)
{
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && deed->outputs[i] != NULL; i++) {
        const void *data;
        size_t size;
        status = mgl_result_bytes(result, deed->outputs[i], err, &data, &size);
        if (status == MGL_OK)
            memory_world_add(world, deed->outputs[i], data, size);
    }
    return status;
}

mgl_status memory_world_complete(memory_world *world, mgl_error *err, const char **failed)
{
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < n_memory_deeds; i++) {
        mgl_job *job = NULL;
        mgl_result *result = NULL;
        *failed = memory_deeds[i].name;
        status = memory_job(&memory_deeds[i], world, 2, err, &job);
        if (status == MGL_OK)
            status = mgl_job_run(job, memory_deeds[i].command, err, &result);
        if (status == MGL_OK)
            status = keep_outputs(world, &memory_deeds[i], result, err);
        mgl_result_free(result);
        mgl_job_free(job);
    }
    return status;
}

bool memory_world_ready(memory_world *world)
{
    mgl_error err = {0};
    const char *failed = "";
    memory_world_make(world);
    if (memory_world_complete(world, &err, &failed) == MGL_OK)
        return true;
    fprintf(stderr, "%s: %s\n", failed, err.message);
    return false;
}
