#!/bin/bash
# Job files on the command line: paths, overrides, positions of mistakes.
# sanitized: the plain path through the program
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
mkdir -p job
cd job || exit 1
small_table
cd .. || exit 1
printf 'black;person;*\nwhite;person;*\n' >job/race.csv
cat >job/job.yaml <<'END'
data: data.csv
attributes:
  name:    {role: identifier}
  race:    {role: quasi, hierarchy: race.csv}
  zip:     {role: quasi, hierarchy: "mask(right,2)"}
  disease: {role: sensitive}
privacy: [{k-anonymity: 2}]
output: release.csv
END

expect 0 out 'k-anonymity k=2 holds' anonymize job/job.yaml
truth "paths are relative to the job file" test -s job/release.csv -a ! -e release.csv
expect 0 out 'k-anonymity k=4 holds' anonymize job/job.yaml -k 4 -o here.csv
truth "an option's path is relative to here" test -s here.csv
expect 0 out '^method +samarati' anonymize job/job.yaml --method samarati
expect 0 out 'levels +race ./2  zip ./3' anonymize job/job.yaml --method mingen
expect 0 out '^best +precision .*proved' anonymize job/job.yaml
expect 0 out '^k +1' check job/job.yaml -k 1
expect 0 out '^nodes +12,' lattice job/job.yaml
expect 0 out '^utility' utility job/job.yaml job/release.csv
expect 0 out '^race +job/race.csv' hierarchy check job/job.yaml
truth "hierarchy check writes nothing and does not say so" test -z "$(grep written out)"
cp job/job.yaml job/job.yml
expect 0 out 'holds' anonymize job/job.yml

# Keys of the program itself, which the library leaves alone.
(cat job/job.yaml; echo 'quiet: true') >job/own.yaml
expect 0 out '' anonymize job/own.yaml
truth "quiet in a job file leaves out the summary" test ! -s out
(cat job/job.yaml; echo 'json: true') >job/own.yaml
expect 0 out '"command": "anonymize"' anonymize job/own.yaml
expect 2 err 'both write to standard output' anonymize job/own.yaml -o -
(cat job/job.yaml; echo 'quiet: perhaps') >job/own.yaml
expect 2 err "^mingle: job/own.yaml:9:8: quiet: 'perhaps' is not possible; give true or false" \
    anonymize job/own.yaml
(cat job/job.yaml; echo 'quite: true') >job/own.yaml
expect 2 err "^mingle: job/own.yaml:9:1: unknown key 'quite'; did you mean 'quiet'\?" \
    anonymize job/own.yaml

cp job/release.csv before.csv
sed 's/^privacy/privaci/' job/job.yaml >job/bad.yaml
expect 2 err "^mingle: job/bad.yaml:7:1: unknown key 'privaci'; did you mean 'privacy'\?" \
    anonymize job/bad.yaml
sed 's/role: sensitive/rolle: sensitive/' job/job.yaml >job/bad.yaml
expect 2 err "^mingle: job/bad.yaml:6:13: unknown key of an attribute 'rolle'" anonymize job/bad.yaml
sed 's/k-anonymity: 2/k-anonymity: none/' job/job.yaml >job/bad.yaml
expect 2 err "^mingle: job/bad.yaml:7:25: privacy.k-anonymity: 'none' is no k" anonymize job/bad.yaml
(cat job/job.yaml; echo 'data: twice.csv') >job/bad.yaml
expect 2 err "^mingle: job/bad.yaml:9:1: key 'data' is given twice" anonymize job/bad.yaml
(cat job/job.yaml; echo 'missing: [') >job/bad.yaml
expect 2 err '^mingle: job/bad.yaml:10:' anonymize job/bad.yaml
expect 3 err '^mingle: job/nothere.yaml' anonymize job/nothere.yaml
truth "jobs that fail leave the release as it was" cmp -s before.csv job/release.csv
finish
