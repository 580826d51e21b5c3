/* Random CSV files of every shape through anonymize: the release is read back with a plain
 * parser and compared with the input cell by cell. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6, ROWS = 60, VALUES = 7, LEVELS = 3 };

static const char *const roles[] = {"quasi", "sensitive", "insensitive", "identifier"};
enum { QUASI, SENSITIVE, INSENSITIVE, IDENTIFIER };

typedef struct wild {
    uint64_t seed;
    char delimiter;
    bool crlf, byte_order_mark, final_newline;
    int n_columns, n_rows;
    int role[COLUMNS];
    char name[COLUMNS][32];
    bool given[COLUMNS];     /* a hierarchy file; otherwise value and * */
    int leaf[ROWS][COLUMNS]; /* VALUES: missing */
    char raw[ROWS][COLUMNS][32];
    int k, limit;
    bool limited, keep_order;
    const char *treatment, *method;
} wild;

/* ---- Making one ------------------------------------------------------------------------- */

static const char *const values[VALUES] = {
    "plain", "a,b;c|d", "say \"hi\"", "two\nlines", " spaces ", "\xC3\xA9t\xC3\xA9", "7"};

/* Level 1 keeps one value, merges the others; level 2 is the top. */
static const char *label_of(const wild *w, int column, int level, int leaf)
{
    static const char *const middle[VALUES] = {
        "odd, \"one\"", "odd, \"one\"", "rest", "rest", " spaces ", "rest", "odd, \"one\""};
    if (level == (w->given[column] ? 2 : 1))
        return w->given[column] ? "all of \xE2\x88\x9E" : "*";
    if (leaf == VALUES)
        return "";
    return level == 0 ? values[leaf] : middle[leaf];
}

static void append_quoted(char *out, const char *value)
{
    *out++ = '"';
    for (; *value != '\0'; value++) {
        if (*value == '"')
            *out++ = '"';
        *out++ = *value;
    }
    *out++ = '"';
    *out = '\0';
}

static bool needs_quotes(const char *value, char delimiter)
{
    return strpbrk(value, "\"\r\n") != NULL || strchr(value, delimiter) != NULL;
}

static void write_raw(brute_random *random, const wild *w, const char *value, char *out)
{
    if (needs_quotes(value, w->delimiter) || brute_chance(random, 20) ||
        (w->n_columns == 1 && value[0] == '\0'))
        append_quoted(out, value);
    else
        strcpy(out, value);
}

static void make_cell(brute_random *random, wild *w, int row, int column)
{
    static const char *const others[] = {
        "x", "", "NA", "a\r\nb", "\"", "\xF0\x9F\x98\x80", ",;|\t", "0012", " y ", "*", "k\nl\nm"};
    const char *value;
    if (w->role[column] == QUASI) {
        int leaf = brute_below(random, 100) < 8 ? VALUES : brute_below(random, VALUES);
        if (brute_chance(random, 50))
            leaf = leaf > 1 && leaf < VALUES ? 0 : leaf;
        w->leaf[row][column] = leaf;
        value = leaf < VALUES ? values[leaf] : brute_chance(random, 50) ? "" : "NA";
    } else {
        value = others[brute_below(random, sizeof others / sizeof others[0])];
    }
    write_raw(random, w, value, w->raw[row][column]);
}

static void make_wild(wild *w, uint64_t seed)
{
    static const char *const names[COLUMNS] = {"plain",   "with space", "dot.ted",
                                               "quo\"te", "com,ma;",    "\xC3\xBC"};
    brute_random random = {seed * 31 + 5};
    memset(w, 0, sizeof *w);
    w->seed = seed;
    w->delimiter = ",;\t|"[brute_below(&random, 4)];
    w->crlf = brute_chance(&random, 40);
    w->byte_order_mark = brute_chance(&random, 25);
    w->final_newline = brute_chance(&random, 80);
    w->n_columns = brute_between(&random, 1, COLUMNS);
    w->n_rows = brute_between(&random, 1, ROWS);
    int quasi = brute_below(&random, w->n_columns);
    for (int c = 0; c < w->n_columns; c++) {
        w->role[c] = c == quasi ? QUASI : brute_below(&random, 4);
        strcpy(w->name[c], names[c]);
        w->given[c] = brute_chance(&random, 70);
    }
    for (int r = 0; r < w->n_rows; r++)
        for (int c = 0; c < w->n_columns; c++)
            make_cell(&random, w, r, c);
    w->k = brute_between(&random, 1, w->n_rows < 5 ? w->n_rows : 5);
    w->limited = brute_chance(&random, 80);
    w->limit = w->limited ? brute_below(&random, w->n_rows + 1) : 0;
    w->keep_order = brute_chance(&random, 50);
    w->treatment = ((const char *[]){"keep", "drop", "exempt"})[brute_below(&random, 3)];
    w->method = ((const char *[]){"mingen", "datafly", "samarati"})[brute_below(&random, 3)];
}

static void write_input(const wild *w)
{
    brute_text text = {0};
    char name[80], delimiter[2] = {w->delimiter, '\0'};
    const char *line_end = w->crlf ? "\r\n" : "\n";
    if (w->byte_order_mark)
        brute_append_text(&text, "\xEF\xBB\xBF");
    for (int c = 0; c < w->n_columns; c++) {
        append_quoted(name, w->name[c]);
        brute_append_text(&text, c > 0 ? delimiter : "");
        brute_append_text(&text, needs_quotes(w->name[c], w->delimiter) ? name : w->name[c]);
    }
    for (int r = 0; r < w->n_rows; r++) {
        brute_append_text(&text, line_end);
        for (int c = 0; c < w->n_columns; c++) {
            brute_append_text(&text, c > 0 ? delimiter : "");
            brute_append_text(&text, w->raw[r][c]);
        }
    }
    if (w->final_newline)
        brute_append_text(&text, line_end);
    brute_write("input.csv", text.data, text.size);
    free(text.data);
}

static void write_hierarchies(const wild *w)
{
    for (int c = 0; c < w->n_columns; c++) {
        if (w->role[c] != QUASI || !w->given[c])
            continue;
        brute_text text = {0};
        char cell[80], file[] = "h0.csv";
        file[1] = (char)('0' + c);
        for (int i = 0; i < VALUES; i++)
            for (int l = 0; l < LEVELS; l++) {
                append_quoted(cell, label_of(w, c, l, i));
                brute_append_text(&text, cell);
                brute_append_text(&text, l + 1 < LEVELS ? ";" : "\n");
            }
        brute_write(file, text.data, text.size);
        free(text.data);
    }
}

static void set_field(mgl_job *job, const wild *w, int column, const char *field, const char *value)
{
    char key[128], name[80];
    append_quoted(name, w->name[column]);
    snprintf(key, sizeof key, "attributes.%s.%s", name, field);
    brute_set(job, key, value);
}

static mgl_job *make_job(const wild *w, const char *output)
{
    mgl_job *job;
    char text[32] = {w->delimiter, '\0'};
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "input.csv");
    brute_set(job, "output", output);
    brute_set(job, "allow-leaks", "true"); /* in a few rows columns tell of each other by chance */
    brute_set(job, "delimiter", w->delimiter == '\t' ? "tab" : text);
    for (int c = 0; c < w->n_columns; c++) {
        char file[] = "h0.csv";
        file[1] = (char)('0' + c);
        set_field(job, w, c, "role", roles[w->role[c]]);
        if (w->role[c] == QUASI)
            set_field(job, w, c, "hierarchy", w->given[c] ? file : "suppress");
    }
    snprintf(text, sizeof text, "%d", w->k);
    brute_set(job, "k", text);
    snprintf(text, sizeof text, "%d", w->limit);
    if (w->limited)
        brute_set(job, "suppress", text);
    brute_set(job, "suppressed", w->treatment);
    brute_set(job, "method", w->method);
    brute_set(job, "threads", w->seed % 2 == 0 ? "1" : "2");
    if (w->keep_order)
        brute_set(job, "keep-order", "true");
    return job;
}

/* ---- Judging the release ------------------------------------------------------------------- */

typedef struct judged {
    const wild *w;
    brute_csv csv;
    int column[COLUMNS]; /* column of the input, by column of the release */
    int n_columns;
    int level[COLUMNS]; /* by column of the input */
} judged;

static _Noreturn void refuse(const wild *w, const char *what)
{
    size_t size;
    char *text = brute_read("input.csv", &size), *release = brute_read("release.csv", &size);
    fprintf(stderr, "# input:\n%s\n# release:\n%s\n", text, release != NULL ? release : "(none)");
    free(text);
    free(release);
    fail_msg("seed %llu: %s", (unsigned long long)w->seed, what);
    abort(); /* fail_msg does not return, but does not say so */
}

/* Do the cells that are passed through agree, byte by byte? */
static bool same_others(const judged *j, size_t row, int input_row)
{
    for (int c = 0; c < j->n_columns; c++)
        if (j->w->role[j->column[c]] != QUASI &&
            strcmp(brute_csv_raw(&j->csv, row, (size_t)c), j->w->raw[input_row][j->column[c]]) != 0)
            return false;
    return true;
}

static bool is_top(const judged *j, size_t row)
{
    for (int c = 0; c < j->n_columns; c++)
        if (j->w->role[j->column[c]] == QUASI &&
            strcmp(brute_csv_value(&j->csv, row, (size_t)c),
                   label_of(j->w, j->column[c], j->w->given[j->column[c]] ? 2 : 1, 0)) != 0)
            return false;
    return true;
}

/* Is the row of the release this row of the input, generalized to the node? */
static bool is_generalized(const judged *j, size_t row, int input_row)
{
    for (int c = 0; c < j->n_columns; c++) {
        int from = j->column[c];
        if (j->w->role[from] == QUASI &&
            strcmp(brute_csv_value(&j->csv, row, (size_t)c),
                   label_of(j->w, from, j->level[from], j->w->leaf[input_row][from])) != 0)
            return false;
    }
    return same_others(j, row, input_row);
}

/* In their order; what is skipped was dropped. Returns how many rows are suppressed. */
static int match_in_order(const judged *j)
{
    size_t row = 1;
    int suppressed = 0;
    for (int r = 0; r < j->w->n_rows; r++) {
        bool more = row < j->csv.n_rows;
        if (more && is_generalized(j, row, r)) {
            row++;
        } else if (more && is_top(j, row) && same_others(j, row, r)) {
            row++;
            suppressed++;
        } else if (strcmp(j->w->treatment, "drop") == 0) {
            suppressed++;
        } else {
            refuse(j->w, "a row is not where it should be");
        }
    }
    if (row != j->csv.n_rows)
        refuse(j->w, "there are rows that the input does not have");
    return suppressed;
}

/* In any order: generalized rows first, then suppressed ones by their other cells. */
static int match_shuffled(const judged *j)
{
    bool used[ROWS] = {false};
    int suppressed = 0, left = j->w->n_rows;
    for (int pass = 0; pass < 2; pass++)
        for (size_t row = 1; row < j->csv.n_rows; row++) {
            int found = -1;
            bool generalized = false;
            for (int r = 0; r < j->w->n_rows && !generalized; r++)
                generalized = is_generalized(j, row, r);
            if (generalized != (pass == 0))
                continue;
            for (int r = 0; r < j->w->n_rows && found < 0; r++)
                if (!used[r] && (pass == 0 ? is_generalized(j, row, r)
                                           : is_top(j, row) && same_others(j, row, r)))
                    found = r;
            if (found < 0)
                refuse(j->w, "a released row is no row of the input");
            used[found] = true;
            suppressed += pass;
            left--;
        }
    if (left > 0 && strcmp(j->w->treatment, "drop") != 0)
        refuse(j->w, "rows are missing");
    return suppressed + left;
}

static void check_k(const judged *j)
{
    bool exempt = strcmp(j->w->treatment, "exempt") == 0;
    for (size_t row = 1; row < j->csv.n_rows; row++) {
        if (exempt && is_top(j, row))
            continue;
        int size = 0;
        for (size_t other = 1; other < j->csv.n_rows; other++) {
            bool same = true;
            for (int c = 0; same && c < j->n_columns; c++)
                same = j->w->role[j->column[c]] != QUASI ||
                       strcmp(brute_csv_value(&j->csv, row, (size_t)c),
                              brute_csv_value(&j->csv, other, (size_t)c)) == 0;
            size += same;
        }
        if (size < j->w->k)
            refuse(j->w, "a class is smaller than k");
    }
}

static void judge(const wild *w, const json_t *document)
{
    judged j = {.w = w};
    size_t size;
    char *text = brute_read("release.csv", &size);
    assert_non_null(text);
    if (!brute_csv_parse(text, size, w->delimiter, &j.csv))
        refuse(w, "the release is no table");
    for (int c = 0; c < w->n_columns; c++)
        if (w->role[c] != IDENTIFIER)
            j.column[j.n_columns++] = c;
    if (j.csv.n_columns != (size_t)j.n_columns)
        refuse(w, "the number of columns is wrong");
    for (int c = 0; c < j.n_columns; c++)
        assert_string_equal(brute_csv_value(&j.csv, 0, (size_t)c), w->name[j.column[c]]);
    if (j.csv.crlf != w->crlf || j.csv.byte_order_mark != w->byte_order_mark)
        refuse(w, "line ends or byte order mark are not the input's");
    for (size_t row = 1; j.n_columns == 1 && row < j.csv.n_rows; row++)
        if (j.w->role[j.column[0]] == QUASI && brute_csv_raw(&j.csv, row, 0)[0] == '\0')
            refuse(w, "an empty cell that is the whole line is not quoted");
    if (size == 0 || text[size - 1] != '\n')
        refuse(w, "the last line is not ended");
    const json_t *node = json_object_get(document, "node");
    for (int c = 0; c < w->n_columns; c++)
        if (w->role[c] == QUASI)
            j.level[c] = (int)json_integer_value(json_object_get(node, w->name[c]));
    int suppressed = w->keep_order ? match_in_order(&j) : match_shuffled(&j);
    if (w->limited && suppressed > w->limit)
        refuse(w, "more rows are suppressed than allowed");
    check_k(&j);
    assert_int_equal(json_integer_value(json_object_get(document, "released_rows")),
                     j.csv.n_rows - 1);
    brute_csv_free(&j.csv);
    free(text);
}

static void releases_are_the_input_generalized(void **state)
{
    (void)state;
    int released = 0, n = brute_cases(300);
    for (int i = 0; i < n; i++) {
        static wild w;
        mgl_error err = {0};
        mgl_result *result = NULL;
        make_wild(&w, (uint64_t)i);
        write_input(&w);
        write_hierarchies(&w);
        brute_write_text("release.csv", "old");
        int names = brute_count_names(".");
        mgl_job *job = make_job(&w, "release.csv");
        mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
        if (status == MGL_OK) {
            json_t *document = brute_document(result);
            judge(&w, document);
            json_decref(document);
            mgl_result_free(result);
            released++;
        } else {
            char *old = brute_read("release.csv", NULL);
            if (status != MGL_UNMET)
                refuse(&w, err.message);
            assert_string_equal(old, "old");
            free(old);
        }
        assert_int_equal(brute_count_names("."), names);
        mgl_job_free(job);
    }
    assert_true(released > n / 2);
}

/* ---- The order ------------------------------------------------------------------------------ */

static char *run_to(mgl_job *job, const char *output, size_t *size)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    brute_set(job, "output", output);
    brute_set(job, "allow-leaks", "true"); /* the table numbers its rows on purpose */
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_result_free(result);
    return brute_read(output, size);
}

/* rows numbered lines, with cells of different length; every row can be told apart. */
static void write_numbered(int rows)
{
    brute_text text = {0};
    char line[96];
    brute_append_text(&text, "q,number,filler\n");
    for (int r = 0; r < rows; r++) {
        snprintf(line, sizeof line, "v%d,%d,%.*s\n", r % 3, r, r % 40,
                 "........................................");
        brute_append_text(&text, line);
    }
    brute_write("numbered.csv", text.data, text.size);
    free(text.data);
}

static mgl_job *numbered_job(void)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "numbered.csv");
    brute_set(job, "qi", "q");
    brute_set(job, "rest", "insensitive");
    brute_set(job, "k", "2");
    return job;
}

/* Each row once, none twice. Returns how many rows stand where they stood. */
static int check_permutation(const char *text, size_t size, int rows)
{
    brute_csv csv;
    int fixed = 0;
    assert_true(brute_csv_parse(text, size, ',', &csv));
    assert_int_equal(csv.n_rows, rows + 1);
    bool *seen = calloc((size_t)rows, sizeof *seen);
    for (size_t row = 1; row < csv.n_rows; row++) {
        int number = atoi(brute_csv_value(&csv, row, 1));
        char wanted[16];
        assert_true(number >= 0 && number < rows && !seen[number]);
        seen[number] = true;
        fixed += (size_t)number + 1 == row;
        snprintf(wanted, sizeof wanted, "v%d", number % 3);
        assert_string_equal(brute_csv_value(&csv, row, 0), wanted);
        assert_int_equal(strlen(brute_csv_value(&csv, row, 2)), number % 40);
    }
    free(seen);
    brute_csv_free(&csv);
    return fixed;
}

static void order_is_random_unless_asked(void **state)
{
    (void)state;
    enum { N = 400 };
    size_t sizes[5];
    char *texts[5];
    static const char *const seeds[5] = {NULL, NULL, "5", "5", "6"};
    write_numbered(N);
    for (int i = 0; i < 5; i++) {
        mgl_job *job = numbered_job();
        if (seeds[i] != NULL)
            brute_set(job, "seed", seeds[i]);
        texts[i] = run_to(job, "ordered.csv", &sizes[i]);
        assert_true(check_permutation(texts[i], sizes[i], N) < N / 4);
        mgl_job_free(job);
    }
    assert_string_not_equal(texts[0], texts[1]);
    assert_string_equal(texts[2], texts[3]);
    assert_string_not_equal(texts[3], texts[4]);
    for (int i = 0; i < 5; i++)
        free(texts[i]);
    mgl_job *job = numbered_job();
    brute_set(job, "keep-order", "true");
    texts[0] = run_to(job, "ordered.csv", &sizes[0]);
    assert_int_equal(check_permutation(texts[0], sizes[0], N), N);
    free(texts[0]);
    mgl_job_free(job);
}

/* Every place is equally likely for a row; a shuffle that favours some shows here. */
static void every_place_is_equally_likely_for_a_row(void **state)
{
    (void)state;
    enum { N = 6, RUNS = 300 };
    int at[N][N] = {{0}};
    brute_write_text("numbered.csv", "q,number,filler\nv0,0,\nv1,1,.\nv2,2,..\nv0,3,...\n"
                                     "v1,4,....\nv2,5,.....\n");
    for (int i = 0; i < RUNS; i++) {
        char seed[16];
        size_t size;
        brute_csv csv;
        mgl_job *job = numbered_job();
        snprintf(seed, sizeof seed, "%d", i);
        brute_set(job, "seed", seed);
        char *text = run_to(job, "small.csv", &size);
        assert_true(brute_csv_parse(text, size, ',', &csv));
        for (size_t row = 1; row <= N; row++)
            at[atoi(brute_csv_value(&csv, row, 1))][row - 1]++;
        brute_csv_free(&csv);
        free(text);
        mgl_job_free(job);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) /* 50 expected, 6.5 the standard deviation */
            assert_in_range(at[i][j], 18, 85);
}

/* More rows than the memory allows: buckets go to a spool and come back. */
static void large_tables_are_shuffled_too(void **state)
{
    (void)state;
    enum { N = 60000 };
    static const char *const memories[] = {"64K", "1M", "1G"};
    write_numbered(N); /* about 2 MB */
    for (int i = 0; i < 3; i++) {
        size_t size;
        mgl_job *job = numbered_job();
        brute_set(job, "memory", memories[i]);
        brute_set(job, "seed", "9");
        char *text = run_to(job, "large.csv", &size);
        assert_true(check_permutation(text, size, N) < 50);
        free(text);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_are_the_input_generalized),
        cmocka_unit_test(order_is_random_unless_asked),
        cmocka_unit_test(every_place_is_equally_likely_for_a_row),
        cmocka_unit_test(large_tables_are_shuffled_too),
    };
    return cmocka_run_group_tests_name("release", tests, brute_enter_folder, brute_leave_folder);
}
