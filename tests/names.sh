#!/bin/bash
# No model, measure or method is known by its name outside the table's own file (tests/names.py says
# what that means), none of features outside their folders (tests/feature_names.py), rules of an
# audit name keys that are there (tests/rule_paths.py), and the checks catch what they are to catch.
set -eu
. "$(dirname "$0")/support/by_hand.bash"
check=$SOURCE/tests/names.py
echo 1..7
if found=$(python3 "$check" "$SOURCE"); then
    echo "ok 1 - models, measures and methods are known by what they say, not by their names"
else
    echo "not ok 1 - models, measures and methods are known by what they say, not by their names"
    echo "$found"
fi

# ---- The names are those of the program ---------------------------------------------------------
python3 "$check" --list "$SOURCE" | sort >listed
for kind in models measures methods; do
    [ ! -x "$MINGLE_RELEASE" ] || "$MINGLE_RELEASE" help "$kind" | sed -n 's/^  \([a-z][a-z_-]*\)\( .*\)*$/\1/p'
done | sort -u >told
if [ ! -x "$MINGLE_RELEASE" ]; then # the linters run before anything is built
    echo "ok 2 # SKIP no program yet"
elif missing=$(comm -23 told listed) && [ -s told ] && [ -z "$missing" ]; then
    echo "ok 2 - every model, measure and method of the program is among the names"
else
    echo "not ok 2 - every model, measure and method of the program is among the names"
    echo "$missing"
fi

# ---- The check itself: each marked line below must be caught, and nothing else ------------------
mkdir -p docs src/models src/search/deep src/proof
printf 'base:\nmodels:\nsearch: models\nproof:\n' >docs/modules.txt
printf 'MGL_ROW(mgl_k)\n' >src/models/model_rows.h
cat >src/models/models.c <<'END'
#define MGL_ROW(type) &type,
static const mgl_model_type *const types[] = {
#include "models/model_rows.h"
};
const mgl_model_type *find(const char *name)
{
    return strcmp(types[0]->name, name) == 0 ? types[0] : NULL;
}
END
cat >src/models/k.c <<'END'
/* "k-anonymity" in a comment */
static const mgl_parameter parameters[] = {{"toy-key", "rows"}};
const mgl_model_type mgl_k = {
    .name = "k-anonymity",
    .option = "k",
    .help = "k-anonymity",
    .parameters = parameters,
};
const mgl_measure_type mgl_m = {.name = "toy-measure", .key = "toy-key"};
const mgl_method_type mgl_c = {.name = "toy-method"};
static const row told[] = {{.key = "toy-key", .whole = true}};
END
sed -i 's/    .help = "k-anonymity",/    .help = "k-anonymity", \/\/ CAUGHT/' src/models/k.c
cat >src/search/good.c <<'END'
json_t *value = json_object_get(document, "toy-key");
double number = mgl_json_number(json_object_get(document, "utility"), "toy-key");
mgl_status status = mgl_job_take_value(job, "k-anonymity", NULL, "5", err);
mgl_status other = mgl_fail(err, MGL_USAGE, "use --method "
                                            "toy-method");
bool kept = model->type->k == MGL_K_IS && mgl_model_type_find(name) == model->type;
bool column = strcmp(columns[a].name, name) == 0 || strcmp(column->name, name) == 0;
mgl_page_label(page, "k");
printf("%s", type->name);
END
cat >src/search/deep/bad.c <<'END'
bool a = strcmp(model->type->name, "k-anonymity") == 0; // CAUGHT
bool b = mgl_span_is(text, "toy-measure"); // CAUGHT
bool c = strcmp(option, "k") == 0; // CAUGHT
static const char *const names[] = {"toy-method", NULL}; // CAUGHT
static const kind kinds[] = {{"toy-measure", SUM}}; // CAUGHT
const char *name = "toy-key"; // CAUGHT
bool d = is_named(type, "k-anonymity"); // CAUGHT
bool e = strcmp(model->type->name, other) == 0; // CAUGHT
const mgl_measure_type *const *all = mgl_measure_types(&n);
bool f = mgl_span_is(key, all[i]->key); // CAUGHT
bool g = strncmp(other, problem->method->name, strlen(other)) == 0; // CAUGHT
#define OWN "toy-" "method" // CAUGHT
bool h = strstr(settings->measure->key, other) != NULL; // CAUGHT
END
cat >src/proof/known.c <<'END'
static const struct known { const char *model; } known[] = {{"k-anonymity"}, {"toy-measure"}};
bool a = strcmp(known[i].model, model) == 0;
bool b = strcmp(model, "k-anonymity") == 0; // CAUGHT
const char *c[] = {"k-anonymity"}; // CAUGHT
END
grep -rn 'CAUGHT' src | cut -d: -f1,2 | sort >wanted
python3 "$check" . | cut -d: -f1,2 | sort -u >caught || true
if difference=$(diff wanted caught); then
    echo "ok 3 - planted names are caught, and nothing else"
else
    echo "not ok 3 - planted names are caught, and nothing else"
    echo "$difference"
fi

# ---- Features ------------------------------------------------------------------------------------
features=$SOURCE/tests/feature_names.py
if found=$(python3 "$features" "$SOURCE"); then
    echo "ok 4 - features are known by their descriptors, not by their names"
else
    echo "not ok 4 - features are known by their descriptors, not by their names"
    echo "$found"
fi
mkdir -p src/pipeline src/verify
cat >src/pipeline/names.c <<'END'
#include "feature/items/items.h"
/* items, treated: in a comment */
int a = reading->n_linked + is(settings, "household") + treatment; /* CAUGHT: n_linked */
int b = mgl_items_of(reading) != NULL; /* CAUGHT */
END
echo 'int c = treated;' >src/verify/treated_values.c # a judge
grep -n 'CAUGHT' src/pipeline/names.c | sed 's|:.*||; s|^|src/pipeline/names.c:|' >wanted
python3 "$features" . | cut -d: -f1,2 | sort -u >caught || true
if difference=$(diff wanted caught); then
    echo "ok 5 - planted names of features are caught, and nothing else"
else
    echo "not ok 5 - planted names of features are caught, and nothing else"
    echo "$difference"
fi

# ---- Rules of an audit ---------------------------------------------------------------------------
rules=$SOURCE/tests/rule_paths.py
if found=$(python3 "$rules" "$SOURCE"); then
    echo "ok 6 - rules of an audit name keys that are there"
else
    echo "not ok 6 - rules of an audit name keys that are there"
    echo "$found"
fi
mkdir -p src/command/audit
cat >src/command/audit/audit.c <<'END'
static const mgl_claim sections[] = {{"rows", MGL_OF_BOTH, "{first:i last:i}", .due = "rows.frist"},
                                     {.key = NULL}};
static const char *const rules[] = {"rows.first = rows.last if rows.last > 0",
                                    "rows.first = rows.lst", NULL};
END
if [ "$(python3 "$rules" . 2>/dev/null | cut -d'"' -f2 | sort | paste -sd' ')" = "frist lst" ]; then
    echo "ok 7 - planted keys that are not there are caught, and nothing else"
else
    echo "not ok 7 - planted keys that are not there are caught, and nothing else"
    python3 "$rules" .
fi
