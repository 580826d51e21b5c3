/* The program bench [--all] [--threads N] [SUBJECT...]: it runs all subjects of its table, unless
 * some are named. */
#include "bench.h"

#include "../tests/support/adult.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    bool everything;
    unsigned threads;   /* 0: not said */
    const char *folder; /* for tables that are made */
} options;

static int run_search(const options *o)
{
    return bench_search(o->everything, o->threads > 0 ? o->threads : 1);
}

static int run_models(const options *o)
{
    (void)o;
    return bench_models(shared_folder());
}

static int run_read(const options *o)
{
    return bench_read(o->folder);
}

static int run_road(const options *o)
{
    return bench_road(o->folder, o->everything, o->threads);
}

static int run_columns(const options *o)
{
    return bench_columns(o->folder, o->everything, o->threads);
}

static int run_threads(const options *o)
{
    return bench_threads(o->folder, o->everything);
}

static int run_sections(const options *o)
{
    return bench_sections(o->folder, o->everything);
}

static int run_memory(const options *o)
{
    return bench_memory(o->folder, o->threads);
}

static int run_risks(const options *o)
{
    return bench_risks(o->folder);
}

static int run_cell(const options *o)
{
    return bench_cell(o->everything, o->threads);
}

static int run_argus(const options *o)
{
    return bench_argus(o->folder, o->threads);
}

static int run_incognito(const options *o)
{
    (void)o;
    return bench_incognito();
}

static int run_top_down(const options *o)
{
    return bench_top_down(o->folder, o->everything);
}

static int run_check(const options *o)
{
    return bench_check(o->folder);
}

static int run_parquet(const options *o)
{
    return bench_parquet(o->folder) | bench_parquet_road(o->folder, o->everything);
}

static int run_workbook(const options *o)
{
    return bench_workbook(o->folder);
}

static int run_k_member(const options *o)
{
    (void)o;
    return bench_k_member();
}

static int run_mondrian(const options *o)
{
    return bench_mondrian(o->folder);
}

static int run_microaggregate(const options *o)
{
    return bench_microaggregate(o->folder, o->everything);
}

static int run_local(const options *o)
{
    return bench_local(o->folder);
}

static int run_matrix(const options *o)
{
    return bench_matrix(o->folder);
}

static int run_cliffs(const options *o)
{
    return bench_cliffs(o->folder);
}

static int run_persons(const options *o)
{
    return bench_persons(o->folder, o->everything);
}

static int run_items(const options *o)
{
    return bench_items(o->folder, o->everything);
}

typedef struct subject {
    const char *name;
    int (*run)(const options *o);
} subject;

static const subject subjects[] = {
    {"road", run_road},
    {"columns", run_columns},
    {"threads", run_threads},
    {"sections", run_sections},
    {"memory", run_memory},
    {"risks", run_risks},
    {"search", run_search},
    {"models", run_models},
    {"cell", run_cell},
    {"read", run_read},
    {"check", run_check},
    {"parquet", run_parquet},
    {"workbook", run_workbook},
    {"mu-argus", run_argus},
    {"local-suppression", run_local},
    {"k-member", run_k_member},
    {"mondrian", run_mondrian},
    {"microaggregate", run_microaggregate},
    {"incognito", run_incognito},
    {"top-down", run_top_down},
    {"persons", run_persons},
    {"items", run_items},
    {"matrix", run_matrix},
    {"cliffs", run_cliffs},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static int say_usage(void)
{
    fprintf(stderr, "usage: bench [--all] [--threads N]");
    for (size_t s = 0; s < SUBJECTS; s++)
        fprintf(stderr, " [%s]", subjects[s].name);
    fprintf(stderr, "\n");
    return 2;
}

/* False: what stands there is no number of threads. */
static bool read_threads(const char *text, unsigned *threads)
{
    uint64_t number;
    if (!mgl_parse_u64(mgl_span_of(text), &number) || number > 1024)
        return false;
    *threads = (unsigned)number;
    return true;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");
    options o = {.folder = folder != NULL ? folder : "/tmp"};
    bool named[SUBJECTS] = {false}, any = false;
    for (int i = 1; i < argc; i++) {
        size_t s = 0;
        while (s < SUBJECTS && strcmp(argv[i], subjects[s].name) != 0)
            s++;
        if (strcmp(argv[i], "--all") == 0)
            o.everything = true;
        else if (s < SUBJECTS)
            any = named[s] = true;
        else if (strcmp(argv[i], "--threads") != 0 || i + 1 == argc ||
                 !read_threads(argv[++i], &o.threads))
            return say_usage();
    }
    int status = 0;
    for (size_t s = 0; s < SUBJECTS; s++)
        if (named[s] || !any)
            status |= subjects[s].run(&o);
    return status;
}
