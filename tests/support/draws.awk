# The generator that draws the tables of scripts: the same numbers by every awk, whose own rand()
# differs from one to the next. All products stay below 2^53, where arithmetic is exact.
# `drawn` of draws.bash runs a program with these functions.

# Begins anew. MGL_SEED (0 if it is not set) gives other tables to the same program.
function seed(n,    i) {
    state = (n + 7919 * moved) * 40503 % 4294967296
    for (i = 0; i < 4; i++) step()
}
function step() { return state = (state * 69069 + 12345) % 4294967296 }

# A number from 0 to below 1; an integer from 0 to below n; the same, the lower the more often.
function uniform() { return step() / 4294967296 }
function draw(n) { return int(step() / 65536) % n }
function skewed(n) { return draw(1 + draw(n)) }
