/* From a table and a job to a release: whatever is asked for, what is written holds, and the
 * verifier agrees with brute force. Four bytes draw the table and its models, four the method and
 * its options, the others change cells of the table. */
#include "fuzz.h"

#include "trial.h"

/* Each takes a hundred times as long as that of a parser. */
int fuzz_changes(void)
{
    return 120;
}

static uint32_t number(const uint8_t **data, size_t *size)
{
    uint32_t out = 0;
    size_t n = *size < sizeof out ? *size : sizeof out;
    memcpy(&out, *data, n);
    *data += n;
    *size -= n;
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static trial x;
    fuzz_enter_folder();
    uint32_t table = number(&data, &size), method = number(&data, &size);
    trial_make(&x, table, method, data, size);
    x.t.threads = 1; /* starting more takes as long as a run; make soak has them */
    x.time_limit = "0.2";
    trial_run(&x);
    return 0;
}
