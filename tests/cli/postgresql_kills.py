"""Kills a release inside PostgreSQL, or one on two shards, at 20 moments and between the renames of the shards: under
the final name stands nothing, or all of it, or the record says how to finish or undo it.

postgresql_kills.py MINGLE HOST [SECOND_HOST]"""
import os
import re
import signal
import subprocess
import sys
import time

ROWS = 3000
mingle, hosts = sys.argv[1], sys.argv[2:]
job = ["--qi", "zip,age", "--rest", "insensitive", "--allow-leaks", "-k", "5", "--quiet"]
if len(hosts) > 1:
    with open("shards.txt", "w", encoding="utf-8") as file:
        file.writelines(f"postgresql://owner@/test?host={host}&table=t\n" for host in hosts)
    command = [mingle, "anonymize", "--shards", "shards.txt", "-o", "shards:?table=made", *job]
else:
    command = [mingle, "anonymize", f"postgresql://owner@/test?host={hosts[0]}&table=t",
               "-o", f"postgresql://owner@/test?host={hosts[0]}&table=made", *job]


def psql(host, *statements):
    args = [part for s in statements for part in ("-c", s)]
    done = subprocess.run(["psql", "-h", host, "-U", "owner", "-d", "test", "-qAtX", "-v", "ON_ERROR_STOP=1", *args],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{statements}: {done.stderr}")
    return done.stdout.strip()


def wait_for_servers():
    """Until what the client asked for has ended, too."""
    for host in hosts:
        for _ in range(200):
            if psql(host, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mingle'") == "0":
                break
            time.sleep(0.05)
        else:
            sys.exit("what the client asked for goes on")


def tables(kind):
    return [psql(host, f"SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^{kind}'").split() for host in hosts]


def run_record(way):
    with open("shards.txt.unfinished", encoding="utf-8") as file:
        finish, undo = re.split(r"^# Or to undo:.*\n", file.read(), flags=re.MULTILINE)
    for line in (finish if way == "finish" else undo).splitlines():
        if line.startswith("psql"):
            subprocess.run(line, shell=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.remove("shards.txt.unfinished")


def judge(moment, way):
    """What a kill has left, which is cleared away then: none, all, or finished or undone by the record."""
    wait_for_servers()
    recorded = os.path.exists("shards.txt.unfinished")
    if recorded:
        run_record(way)
    made = tables("made$")
    whole = all(made)
    if whole:
        rows = sum(int(psql(host, "SELECT count(*) FROM made")) for host in hosts)
        assert rows == ROWS, f"{moment}: {rows} rows of {ROWS}"
    else:
        assert not any(made), f"{moment}: only some shards have the release: {made}"
    assert not recorded or whole == (way == "finish"), f"{moment}: {way} left {made}"
    staged = tables("mingle")
    # Shares that were committed on some shards before there was a record; of one database there are none.
    assert not any(staged) or (len(hosts) > 1 and not recorded and not whole), f"{moment}: {staged} is left"
    for host, names in zip(hosts, [a + b for a, b in zip(made, staged)]):
        for name in names:
            psql(host, f"DROP TABLE {name}")
    return "by the record" if recorded else "all" if whole else "staged shares" if any(staged) else "nothing"


for i, host in enumerate(hosts):
    share = f"SELECT * FROM generate_series(1, {ROWS}) i WHERE i % {len(hosts)} = {i}"
    psql(host, "DROP TABLE IF EXISTS t, made",
         f"CREATE TABLE t AS SELECT 'z' || i % 7 AS zip, i % 90 AS age, 'd' || i % 3 AS d FROM ({share}) s")
begin = time.monotonic()
subprocess.run(command, check=True)
took = time.monotonic() - begin
for host in hosts:
    psql(host, "DROP TABLE made")
seen = []
for moment in range(20):
    process = subprocess.Popen(command)
    time.sleep(took * moment / 20)
    process.kill()
    process.wait()
    seen.append(judge(f"moment {moment}", "finish" if moment % 2 else "undo"))
print("20 kills left: " + ", ".join(seen))

# The second shard takes its time to give the name: the client is killed while only the first has it.
if len(hosts) > 1:
    psql(hosts[1], "CREATE FUNCTION wait_a_bit() RETURNS event_trigger LANGUAGE plpgsql AS "
                   "$$ BEGIN PERFORM pg_sleep(600); END $$",
         "CREATE EVENT TRIGGER wait_a_bit ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION wait_a_bit()")
    for way in ("finish", "undo"):
        with subprocess.Popen(command) as process:
            for _ in range(600):
                if tables("made$")[0] and psql(hosts[1], "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' "
                                                        "AND query LIKE 'ALTER TABLE%'") == "1":
                    break
                time.sleep(0.05)
            assert tables("made$") == [["made"], []], "the client is not between the names"
            process.send_signal(signal.SIGKILL)
        wait_for_servers()
        assert tables("made$") == [["made"], []] and os.path.exists("shards.txt.unfinished"), way
        again = subprocess.run(command, capture_output=True, text=True, check=False)
        assert again.returncode == 3 and "got its name on some shards only" in again.stderr, again.stderr
        psql(hosts[1], "ALTER EVENT TRIGGER wait_a_bit DISABLE")
        judge("between the names", way)
        psql(hosts[1], "ALTER EVENT TRIGGER wait_a_bit ENABLE")
    psql(hosts[1], "DROP EVENT TRIGGER wait_a_bit")
    print("a kill between the names can be finished and undone")
