#!/bin/bash
# shellcheck disable=SC2154 # what is sourced sets package, and small
# The package as others get it: packed, installed from the tarball without a network, and run as
# npx mingle-privacy, which treats files, streams and exit codes as the program does.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/package.bash"
. "$SOURCE/tests/cli/support.bash"
if ! command -v npm >/dev/null; then
    echo "skipped: no npm"
    exit 77
fi
export npm_config_cache=$PWD/cache npm_config_offline=true npm_config_audit=false \
    npm_config_fund=false npm_config_update_notifier=false

mkdir app
npm pack "$package" >pack.out 2>&1 || { cat pack.out; exit 1; }
(cd app && echo '{"private": true}' >package.json &&
    npm install ../mingle-*.tgz >../install.out 2>&1) || { cat install.out; exit 1; }
cd app || exit 1
truth "nothing but the package is installed" test "$(ls node_modules)" = mingle-privacy

cat >run <<'END'
#!/bin/sh
exec npx --no-install mingle-privacy "$@"
END
chmod +x run
native=$MINGLE_RELEASE MINGLE=./run
small_table
expect 0 out "^mingle [0-9.]+$" --version
expect 0 out "k-anonymity k=2 holds" anonymize data.csv "${small[@]}" -k 2 --seed 1 -o here.csv
"$native" anonymize data.csv "${small[@]}" -k 2 --seed 1 -o native.csv --quiet
truth "the release is that of the native program" cmp here.csv native.csv
"$MINGLE" anonymize - "${small[@]}" -k 2 --seed 1 -o - --quiet <data.csv >streamed.csv
truth "standard input and output" cmp streamed.csv native.csv
mkdir -p folder/below
expect 0 out "" anonymize data.csv "${small[@]}" -k 2 --seed 1 -o "$PWD/folder/below/o.csv.gz"
truth "an absolute path, packed" sh -c 'gzip -dc folder/below/o.csv.gz | cmp - native.csv'
expect 1 err "k = 100" anonymize data.csv "${small[@]}" -k 100 -o none.csv
truth "nothing is left of what was refused" test ! -e none.csv
expect 2 err "unknown option" anonymize --no-such-option
expect 3 err "nothing.csv" check nothing.csv --qi race
printf PAR1 >table.parquet
expect 4 err "no part of this build" check table.parquet --qi race

cat >use.mjs <<'END'
import { open } from "mingle-privacy";
import { createEngine } from "mingle-privacy/embedded";
const table = await open("sex,age\nf,30\nf,30\nm,40\nm,40\n");
const release = await table.anonymize({ qi: ["sex", "age"], k: 2 });
if (release.result.classes.min !== 2 || typeof createEngine !== "function") process.exit(1);
END
truth "a program imports it" node use.mjs
if command -v tsc >/dev/null; then
    cat >use.mts <<'END'
import { open, MingleError } from "mingle-privacy";
import type { Capabilities, Engine, Release } from "mingle-privacy";
export async function use(engine: Engine): Promise<number> {
    const can: Capabilities = await engine.capabilities();
    const table = await open(new Uint8Array(1), { engine });
    const release: Release = await table.anonymize({ k: 2 }, { as: "release.csv" });
    const error = new MingleError({ status: 2, code: "usage", message: can.version });
    return release.result.classes.min + error.status;
}
END
    cat >tsconfig.json <<'END'
{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "lib": ["es2022", "dom"],
  "target": "es2022", "module": "node16", "moduleResolution": "node16" }, "files": ["use.mts"] }
END
    truth "its declarations do for TypeScript" tsc -p .
fi
finish
