/* From a table and a job to a release: whatever is asked for, what is written holds, and the
 * verifier agrees with brute force. The first eight bytes draw the job and the table, the others
 * change cells of it. */
#include "fuzz.h"

#include "trial.h"

int fuzz_changes(void);

/* Each takes thousands of times as long as that of a parser. */
int fuzz_changes(void)
{
    return 40;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static trial x;
    uint64_t seed = 0;
    size_t n = size < sizeof seed ? size : sizeof seed;
    memcpy(&seed, data, n);
    fuzz_enter_folder();
    trial_make(&x, seed % 1000003, data + n, size - n);
    trial_run(&x);
    return 0;
}
