"""`mingle studio` over HTTP: studio.py MINGLE SOURCE. Plain sockets and http.client: the road from a
table to its release; foreign hosts, origins, sites and cookies; secrets that are used twice; paths
that lead elsewhere, hostile names, bodies that are too large or broken; runs that are cancelled; two
sessions; ends by signals. The release is compared with that of the program."""
import base64
import csv
import http.client
import json
import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

MINGLE, SOURCE = sys.argv[1], sys.argv[2]
failures = []


def check(name, truth, *words):
    if not truth:
        failures.append(name)
        print("not ok", name, *words, file=sys.stderr)


class Server:
    def __init__(self, *arguments, **environment):
        self.process = subprocess.Popen([MINGLE, "studio", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"
        self.secret = self.address.rsplit("/", 1)[1]
        self.cookie = None

    def raw(self, method, path, body=None, headers=None):
        """A request with just these headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        if body is not None and "Content-Length" not in (headers or {}):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        if body is not None:
            try:
                connection.send(body)
            except OSError:
                pass
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data, answer.headers

    def enter(self):
        status, _, headers = self.raw("GET", f"/open/{self.secret}", headers={"Host": self.host})
        if status == 303:
            self.cookie = headers["Set-Cookie"].split(";")[0]
        return status, headers

    def headers(self, **more):
        own = {"Host": self.host, "Origin": self.origin, "Sec-Fetch-Site": "same-origin", "Cookie": self.cookie or ""}
        own.update({name.replace("_", "-"): value for name, value in more.items()})
        return {name: value for name, value in own.items() if value is not None}

    def ask(self, method, path, document=None, body=None, **more):
        if document is not None:
            body = json.dumps(document).encode()
            more.setdefault("Content_Type", "application/json")
        status, data, headers = self.raw(method, path, body, self.headers(**more))
        told = json.loads(data) if headers.get("Content-Type") == "application/json" and data else data
        return status, told

    def open(self, table=None, job=None):
        return self.ask("POST", "/api/sessions", {"table": table, "job": job or {}})

    def run(self, session, command, job, files=None):
        status, told = self.ask("POST", f"/api/sessions/{session}/run",
                                {"command": command, "job": job, "files": files or {}})
        if status != 202:
            return status, told
        return self.wait(told["run"])

    def wait(self, run):
        while True:
            status, told = self.ask("GET", f"/api/runs/{run}")
            if status != 200 or "progress" not in told:
                told["run"] = run
                return status, told

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        try:
            return self.process.wait(timeout=60)
        finally:
            self.process.stdout.close()
            self.process.stderr.close()


def table(rows=200, seed=1):
    draw = random.Random(seed)
    lines = ["age,sex,zip,d"]
    lines += [f"{draw.randint(18, 80)},{draw.choice('fm')},{draw.choice(('02138', '02139', '02141'))},{draw.choice('xyz')}"
              for _ in range(rows)]
    return "\n".join(lines) + "\n"


JOB = {"attributes": {"age": {"role": "quasi", "hierarchy": "intervals(5,10,20)"}, "sex": {"role": "quasi"},
                      "zip": {"role": "quasi", "hierarchy": "mask(right)"}, "d": {"role": "insensitive"}},
       "privacy": [{"k-anonymity": 3}], "method": "mingen", "seed": 1, "allow-leaks": True}


# ---- The road --------------------------------------------------------------------------------------

def road(server):
    status, headers = server.enter()
    check("the secret opens", status == 303, status)
    check("the cookie is strict", "HttpOnly" in headers["Set-Cookie"] and "SameSite=Strict" in headers["Set-Cookie"])
    status, page, headers = server.raw("GET", "/", headers=server.headers(Origin=None, Sec_Fetch_Site="none"))
    check("the page is served", status == 200 and b"<" in page, status)
    check("with a policy", "default-src 'none'" in headers["Content-Security-Policy"]
          and "frame-ancestors 'none'" in headers["Content-Security-Policy"], headers["Content-Security-Policy"])
    check("that is not guessed at or kept", headers["X-Content-Type-Options"] == "nosniff"
          and headers["Cache-Control"] == "no-store")
    status, told = server.ask("GET", "/api/capabilities")
    check("capabilities", status == 200 and told["engine"] == "native" and "csv" in told["formats"], told)
    status, told = server.ask("GET", "/api/catalogue")
    check("catalogue", status == 200 and "suppress" in told["keys"])
    text = table()
    status, told = server.ask("POST", "/api/tables?name=people.csv", body=text.encode())
    check("a table is taken", status == 201, told)
    status, told = server.open(told["table"], {})
    check("a session opens", status == 201, told)
    session = told["session"]
    status, told = server.run(session, "anonymize", dict(JOB, output="memory:out.csv", result="memory:result.json"))
    check("a run ends", status == 200 and told.get("result", {}).get("released_rows") == 200, told)
    check("with files", set(told["files"]) == {"out.csv", "result.json"}, told.get("files"))
    status, data, headers = server.raw("GET", f"/api/runs/{told['run']}/files/out.csv", headers=server.headers())
    check("that are downloads", status == 200 and headers["Content-Disposition"] == "attachment"
          and len(data) == told["files"]["out.csv"])
    with open("people.csv", "w", encoding="utf-8") as file:
        file.write(text)
    with open("job.yaml", "w", encoding="utf-8") as file:
        json.dump(dict(JOB, data="people.csv", output="direct.csv"), file)
    subprocess.run([MINGLE, "anonymize", "job.yaml", "--quiet"], check=True)
    check("the release is that of the program", sorted(csv.reader(open("direct.csv", encoding="utf-8")))
          == sorted(csv.reader(data.decode().splitlines())))
    for command in ("look", "preview", "what-if", "risk", "check", "lattice", "hierarchy suggest"):
        status, told = server.run(session, command, JOB)
        check(command, status == 200 and told.get("result", {}).get("command") == command.split()[0], status, told)
    status, told = server.run(session, "anonymize", dict(JOB, privacy=[{"k-anonymity": 300}], output="memory:x.csv"))
    check("a refusal is told", status == 200 and told["error"]["status"] == 1 and "refused" in told["error"]["refusal"], told)
    tree = {"label": "*", "nodes": [{"label": "f"}, {"label": "m"}]}
    status, told = server.run(session, "hierarchy build", {"hierarchy": {"sex": "memory:sex.json"}},
                              {"sex.json": base64.b64encode(json.dumps(tree).encode()).decode()})
    check("files come with a run", status == 200 and "f;*" in told["result"]["hierarchies"][0]["file"], told)
    status, told = server.run(session, "nonsense", JOB)
    check("unknown commands", told["error"]["code"] == "unknown-name", told)
    status, _ = server.ask("DELETE", f"/api/sessions/{session}")
    check("a session closes", status == 204, status)
    check("and is gone", server.run(session, "look", {})[0] == 404)


def workbooks(server):
    """Formats that cannot be in memory go through the private folder, in and out."""
    made = subprocess.run([MINGLE, "anonymize", "people.csv", "--quiet", "--qi", "sex", "--rest", "insensitive", "-k", "1",
                           "--allow-leaks", "--method", "mingen", "--keep-order", "-o", "people.xlsx"], capture_output=True, text=True)
    if made.returncode != 0:
        return  # a build that writes no workbooks
    with open("people.xlsx", "rb") as file:
        status, told = server.ask("POST", "/api/tables?name=people.xlsx", body=file.read())
    status, told = server.open(told["table"], {})
    session = told["session"]
    job = dict(JOB, output="memory:out.xlsx", result="memory:result.json")
    status, told = server.run(session, "anonymize", {**job, "keep-order": True})
    check("a workbook is released as one", status == 200 and set(told.get("files", {})) == {"out.xlsx", "result.json"}, told)
    run = told["run"]
    _, book, _ = server.raw("GET", f"/api/runs/{run}/files/out.xlsx", headers=server.headers())
    check("which is whole", book[:2] == b"PK" and len(book) == told["files"]["out.xlsx"], len(book))
    _, result, _ = server.raw("GET", f"/api/runs/{run}/files/result.json", headers=server.headers())
    check("without a word on where it lay", b"mingle-studio-" not in result and b"memory:out.xlsx" in result, result[:400])
    given = {"result.json": base64.b64encode(result).decode(), "out.xlsx": base64.b64encode(book).decode()}
    status, told = server.run(session, "codebook", {"data": "memory:result.json", "release": "memory:out.xlsx",
                                                    "output": "memory:codebook.csv"}, given)
    check("and comes back with a request", status == 200 and "codebook.csv" in told.get("files", {}), told)
    with open("out.xlsx", "wb") as file:
        file.write(book)
    subprocess.run([MINGLE, "anonymize", "job.yaml", "--quiet", "--keep-order", "-o", "direct.csv"], check=True)
    looked = [json.loads(subprocess.run([MINGLE, "look", name, "--json", "--window", "1,200"], capture_output=True, check=True).stdout)["window"]
              for name in ("out.xlsx", "direct.csv")]
    check("it is the release of the program", looked[0] == looked[1])
    status, _ = server.ask("DELETE", f"/api/sessions/{session}")
    check("its session closes", status == 204, status)


def jobs(server):
    for text in ("k: 5\nqi: [a, b]\n", '{"data": "x.csv", "k": 3}'):
        status, told = server.ask("POST", "/api/job", body=text.encode(), Content_Type="text/plain")
        check("a job is read", status == 200 and told["command"].startswith("mingle anonymize"), told)
    status, told = server.ask("POST", "/api/job", {"job": {"k": 5}, "set": {"k": "7", "method": "mingen"}})
    check("a job is changed", status == 200 and told["job"]["privacy"] == [{"k-anonymity": "7"}]
          or told["job"]["privacy"] == [{"k-anonymity": 7}], told)
    status, told = server.ask("POST", "/api/job", body=b"k: [", Content_Type="text/plain")
    check("a wrong job", status == 422 and told["error"]["code"] == "job-file", told)


# ---- Command lines ---------------------------------------------------------------------------------

def recorded(arguments):
    done = subprocess.run([MINGLE, *arguments, "--dry-run", "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["audit"]["job"] if done.returncode in (0, 1) and done.stdout else done.stderr


def command_lines(server):
    names = ("age", "a,b", "x=y", 'say "x"', "it's", "größe", "b.c")
    for seed in range(12):
        draw = random.Random(seed)
        columns = draw.sample(names, 4)
        with open("named.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([columns] + [[str(draw.randint(1, 4)) for _ in columns] for _ in range(60)])
        attributes = {columns[0]: {"role": "quasi", "hierarchy": "intervals(2,4)", "weight": 2},
                      columns[1]: {"role": "quasi", "hierarchy": "mask(right)", "level": "0..1"},
                      columns[2]: {"role": "quasi"}, columns[3]: {"role": draw.choice(("sensitive", "insensitive"))}}
        job = {"data": "named.csv", "attributes": attributes, "privacy": [{"k-anonymity": draw.choice((2, 3))}],
               "method": draw.choice(("mingen", "cell", "mondrian")), "suppress": draw.choice(("2%", "5", "10%")),
               "suppressed": draw.choice(("keep", "drop")), "title": draw.choice(("a 'title'", "-t", "plain", "$HOME `x`")),
               "missing": draw.choice((["NA", ""], ["", "x,y", "-"])), "allow-leaks": draw.choice((True, [columns[3]]))}
        if attributes[columns[3]]["role"] == "sensitive":
            job["privacy"].append({"l-diversity": {"attribute": columns[3], "l": 2}})
            job["privacy"].append({"t-closeness": {"attribute": columns[3], "t": 0.9, "distance": "ordered"}})
        if draw.random() < 0.3:
            job["quasi-identifiers"] = [columns[:2], columns[1:3]]
            job["method"] = "mingen"
        same_job(server, job, f"command line of seed {seed}")
    for maker, folder, table_, names in (("make-patients", "patients", "patients.csv", ("job.yaml", "study.yaml")),
                                         ("make-adults", "psensitive", "adults.csv", ("k3p2.yaml", "k5p3.yaml"))):
        example(server, maker, folder, table_, names)


def example(server, maker, folder, table_, names):
    """The jobs of an example, as job files and as the command lines that are made of them."""
    maker = os.path.join(os.path.dirname(os.path.realpath(MINGLE)), maker)
    if not os.access(maker, os.X_OK):
        print("skipped: there is no", maker)
        return
    shutil.copytree(os.path.join(SOURCE, "examples", folder), folder, dirs_exist_ok=True)
    before = os.getcwd()
    os.chdir(folder)
    subprocess.run([maker, table_, "200"] if folder == "patients" else [maker, table_], check=True, stdout=subprocess.DEVNULL)
    for name in names:
        with open(name, encoding="utf-8") as file:
            status, told = server.ask("POST", "/api/job", body=file.read().encode(), Content_Type="text/plain")
        check(f"{name} as a command line", status == 200, told)
        by_file, by_line = recorded(["anonymize", name]), recorded(shlex.split(told["command"])[1:])
        check(f"{name} comes back", isinstance(by_file, dict) and by_file == by_line, told["command"], by_file, by_line)
    os.chdir(before)


def same_job(server, job, name):
    with open("named.yaml", "w", encoding="utf-8") as file:
        json.dump(job, file)
    status, told = server.ask("POST", "/api/job", {"job": job})
    check(name, status == 200, told)
    by_file, by_line = recorded(["anonymize", "named.yaml"]), recorded(shlex.split(told["command"])[1:])
    check(name, isinstance(by_file, dict) and by_file == by_line, told["command"], by_file, by_line)


# ---- What is refused -------------------------------------------------------------------------------

def refusals(server):
    get = lambda **more: server.raw("GET", "/api/capabilities", headers=server.headers(**more))[0]
    post = lambda **more: server.raw("POST", "/api/job", b"k: 5", server.headers(Content_Type="text/plain", **more))[0]
    check("allowed", get() == 200 and post() == 200)
    for host in (f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port}.evil.example", f"localhost:{server.port}",
                 f"127.0.0.1:{server.port + 1}", f"[::1]:{server.port}", "", f"127.0.0.1:{server.port}@evil.example"):
        check(f"host {host}", get(Host=host) == 403 and post(Host=host) == 403)
    check("no host", server.raw("GET", "/api/capabilities", headers=server.headers(Host=None))[0] in (400, 403))
    for origin in ("http://evil.example", "null", f"https://{server.host}", f"http://127.0.0.1:{server.port + 1}",
                   f"{server.origin}.evil.example", ""):
        check(f"origin {origin}", get(Origin=origin) == 403 and post(Origin=origin) == 403)
    check("changes without an origin", post(Origin=None) == 403 and get(Origin=None) == 200)
    for site in ("cross-site", "same-site", "none", "x"):
        check(f"site {site}", get(Sec_Fetch_Site=site) == 403)
    name = server.cookie.split("=")[0]
    for cookie in ("", None, "x=1", f"{name}=", f"{name}={'0' * 64}", server.cookie[:-1], server.cookie + "0",
                   f"x{server.cookie}", server.cookie.upper()):
        check(f"cookie {cookie}", get(Cookie=cookie) == 403 and post(Cookie=cookie) == 403)
    check("among other cookies", get(Cookie=f"a=1; {server.cookie}; b=2") == 200)
    check("the secret is good once", server.enter()[0] == 403)
    check("a wrong secret", server.raw("GET", "/open/" + "0" * 64, headers={"Host": server.host})[0] == 403)
    check("the page without the cookie", server.raw("GET", "/", headers={"Host": server.host})[0] == 403)
    check("the secret is no cookie", get(Cookie=f"{name}={server.secret}") == 403)


def half_requests(server, n):
    """Connections whose request never ends."""
    begun = []
    for i in range(n):
        one = socket.create_connection(("127.0.0.1", server.port))
        one.sendall((b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")[i % 3])
        one.setblocking(False)
        begun.append(one)
    return begun


def is_open(one):
    try:
        return one.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def half_open(server):
    """A request is answered while others have begun and do not end; no clock decides."""
    begun = half_requests(server, 200)
    check("answers beside 200 half-open connections", server.ask("GET", "/api/capabilities")[0] == 200)
    check("which are open", all(is_open(one) for one in begun))
    begun += half_requests(server, 600)
    for _ in range(3):
        check("answers beside 800", server.ask("GET", "/api/capabilities")[0] == 200)
    check("the oldest gave way", not is_open(begun[0]))
    for one in begun:
        one.close()
    check("answers afterwards", server.ask("GET", "/api/capabilities")[0] == 200)


def opener():
    """The secret is in no argument of the program that opens the browser: other users read these."""
    with tempfile.TemporaryDirectory() as private:
        words, made = os.path.join(private, "words"), os.path.join(private, "bin")
        os.mkdir(made)
        with open(os.path.join(made, "xdg-open"), "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\nimport json, os, signal, sys\n"
                       "told = {'words': sys.argv[1:], 'blocked': len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),\n"
                       "        'session': os.getsid(0)}\n"
                       f"with open({words + '.part'!r}, 'w', encoding='utf-8') as file:\n    json.dump(told, file)\n"
                       f"os.rename({words + '.part'!r}, {words!r})\n")
        os.chmod(os.path.join(made, "xdg-open"), 0o755)
        server = Server("--open", TMPDIR=private, PATH=made + os.pathsep + os.environ["PATH"])
        while not os.path.exists(words):
            if server.process.poll() is not None:
                check("the server lives", False)
                return
        with open(words, encoding="utf-8") as file:
            told = json.load(file)
        named = told["words"]
        check("one argument, without the secret", len(named) == 1 and server.secret not in named[0], named)
        state, folder = os.stat(named[0]), os.stat(os.path.dirname(named[0]))
        check("a private file", state.st_mode & 0o777 == 0o600 and folder.st_mode & 0o777 == 0o700)
        check("signals reach the browser", told["blocked"] == 0, told)
        check("but not those of the terminal", told["session"] != os.getsid(server.process.pid), told)
        with open(named[0], encoding="utf-8") as file:
            page = file.read()
        check("that leads to the address", f"url={server.address}" in page, page)
        status, body, headers = server.raw("GET", f"/open/{server.secret}",
                                           headers={"Host": server.host, "Sec-Fetch-Site": "cross-site"})
        check("a page leads on", status == 200 and b"url=/" in body and "Set-Cookie" in headers, status)
        check("the file is gone", not os.path.exists(named[0]))
        server.cookie = headers["Set-Cookie"].split(";")[0]
        check("the cookie is good", server.ask("GET", "/api/capabilities")[0] == 200)
        check("ends", server.end() == 0)
        unused = Server("--open", TMPDIR=private, PATH=made + os.pathsep + os.environ["PATH"])
        check("ends unopened", unused.end() == 0)
        left = sorted(name for name in os.listdir(private) if name.startswith("mingle"))
        check("nothing is left", left == [], left)


def paths(server):
    for path in ("/api/../../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "/api/runs/1/files/../../x",
                 "/api/runs/-1", "/api/runs/99999999999999999999", "/api/sessions/0x10", "//etc/passwd", "/api/",
                 "/studio.html", "/api/runs/1%00"):
        status, data, _ = server.raw("GET", path, headers=server.headers())
        check(f"path {path}", status in (400, 404) and b"root:" not in data, status)
    for method in ("PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"):
        check(method, server.raw(method, "/api/capabilities", headers=server.headers())[0] >= 400)


def files(server, session):
    """No job reads or writes what nobody named."""
    secret = os.path.abspath("secret.csv")
    with open(secret, "w", encoding="utf-8") as file:
        file.write("f;secret\nm;secret\n")
    reads = [{"hierarchy": {"sex": secret}}, {"hierarchy": {"sex": "secret.csv"}}, {"hierarchy": {"sex": f"groups({secret})"}},
             {"hierarchy": {"sex": f"order({secret})"}}, {"attributes": {"sex": {"role": "quasi", "hierarchy": secret}}},
             {"population": secret}, {"history": [secret]}, {"history": f'"memory:x","{secret}"'}, {"policy": secret},
             {"key": secret}, {"key": "env:HOME"}, {"sign": secret}, {"external": secret}, {"recoding": secret},
             {"parts": [secret]}, {"shards": secret}, {"shards": "memory:list"}, {"external": f"sqlite:{secret}?table=t"},
             {"external": "postgresql://127.0.0.1/x?table=t"}, {"external": "-"}, {"against": secret}, {"release": secret}]
    for job in reads:
        status, told = server.run(session, "anonymize", {**JOB, "output": "memory:o.csv", **job})
        check(f"reads {job}", status == 422 and "may not name" in told["error"]["message"], status, told)
    target = os.path.abspath("written.csv")
    for key in ("output", "result", "report", "save-recoding", "save-job", "save-map", "save-proof", "rows", "junit"):
        for place in (target, "written.csv", "../written.csv", "/dev/stdout", "-", "sqlite:written.csv?table=t"):
            status, told = server.run(session, "anonymize", {**JOB, "output": "memory:o.csv", key: place})
            check(f"writes {key} {place}", status == 422, status, told)
    check("nothing was written", not os.path.exists(target))
    status, told = server.open(None, {"data": secret})
    check("the table is the named one", status == 201, status, told)
    status, told = server.run(told["session"], "look", {})
    check("whatever a job says", [c["column"] for c in told["result"]["columns"]] == ["age", "sex", "zip", "d"], told)
    status, told = server.run(session, "look", {"data": secret, "window": "1,1"})
    check("data is that of the session", status == 200 and len(told["result"]["columns"]) == 4, told)


def bodies(server, session):
    check("a body that says it is too large", server.raw("POST", "/api/job", b"", server.headers(Content_Length=str(1 << 40)))[0] == 413)
    check("a table that says so", server.raw("POST", "/api/tables?name=x", b"", server.headers(Content_Length=str(1 << 40)))[0] == 413)
    check("no body where none belongs", server.raw("DELETE", "/api/runs/1", b"x" * 10, server.headers())[0] in (413, 404))
    for body in (b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"a":1,"a":2}', b"{}" * 5, b"[" * 100000):
        status, told = server.ask("POST", "/api/sessions", body=body, Content_Type="application/json")
        check(f"body {body[:20]}", status in (400, 422), status, told)
    for document in ({"table": "1"}, {"table": -5}, {"table": 1e30}, {"table": 77777}, {"table": None, "job": 5},
                     {"table": None, "job": {"nonsense": 1}}, {"table": None, "job": {"k": {"x": []}}}):
        status, told = server.ask("POST", "/api/sessions", document)
        check(f"session {document}", status in (400, 422), status, told)
    for document in ({}, {"command": 5}, {"command": "look", "job": "x"}, {"command": "look", "files": {"a": "!"}},
                     {"command": "x" * 1000, "job": {}}, {"command": "look", "job": {"window": "x"}}):
        status, told = server.ask("POST", f"/api/sessions/{session}/run", document)
        if status == 202:
            status, told = server.wait(told["run"])
            check(f"run {str(document)[:40]}", "error" in told, told)
        else:
            check(f"run {str(document)[:40]}", status in (400, 422), status, told)
    for type_ in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        status, _ = server.ask("POST", "/api/sessions", body=b'{"table":null,"job":{}}', Content_Type=type_)
        check(f"forms of type {type_}", status == 400, status)
    malformed(server)
    check("it is still there", server.ask("GET", "/api/capabilities")[0] == 200)


def malformed(server):
    """Bytes that are no requests, and requests that break off."""
    draw = random.Random(5)
    good = f"POST /api/job HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\nCookie: {server.cookie}\r\nContent-Length: 4\r\n\r\nk: 5"
    for i in range(60):
        data = bytearray(good.encode())
        for _ in range(draw.randint(1, 8)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        if i % 3 == 0:
            data = data[:draw.randrange(len(data))]
        if i % 7 == 0:
            data = bytearray(draw.randrange(256) for _ in range(500))
        with socket.create_connection(("127.0.0.1", server.port), timeout=0.5) as connection:
            connection.sendall(bytes(data))
            if i % 2 == 0:
                connection.shutdown(socket.SHUT_WR)
                try:
                    connection.recv(100)
                except OSError:
                    pass


def hostile_names(server):
    for name in ("../../x.csv", "/etc/passwd", "a:b#c?d.csv", ".hidden", "-o", "", "x" * 4000, "<script>.csv", "memory:x",
                 "\u202egnp.csv", "ü" * 200 + ".csv", "a b'\"`$(id).csv", "t.xlsx", "t.parquet"):
        query = "".join(f"%{byte:02x}" for byte in name.encode())
        status, told = server.ask("POST", f"/api/tables?name={query}", body=b"a,b\n1,2\n3,4\n")
        check(f"name {name[:30]!r}", status == 201 and "/" not in told["name"], told)
        status, opened = server.open(told["table"], {})
        if name.endswith((".xlsx", ".parquet")):
            check(f"no {name}", status in (422, 500), opened)
            continue
        check(f"opens {name[:30]!r}", status == 201, opened)
        if status == 201:
            check("closes", server.ask("DELETE", f"/api/sessions/{opened['session']}")[0] == 204)


def limits(server):
    opened = []
    while len(opened) < 50:
        status, told = server.ask("POST", "/api/tables?name=t.csv", body=b"a\n1\n2\n")
        if status == 429:
            break
        status, session = server.open(told["table"], {})
        if status != 201:
            break
        opened.append(session["session"])
    check("tables and sessions have a limit", 1 < len(opened) < 50, len(opened))
    for session in opened:
        server.ask("DELETE", f"/api/sessions/{session}")


# ---- Runs ------------------------------------------------------------------------------------------

def cancelling(server):
    draw = random.Random(3)
    wide = "a,b,c,d,e,f\n" + "".join(",".join(str(draw.randint(0, 60)) for _ in range(6)) + "\n" for _ in range(600))
    _, told = server.ask("POST", "/api/tables?name=wide.csv", body=wide.encode())
    _, opened = server.open(told["table"], {})
    job = {"qi": ["a", "b", "c", "d", "e", "f"], "k": 5, "method": "cell", "effort": "best", "dry-run": True,
           "hierarchy": {name: "intervals(2,4,8,16)" for name in "abcdef"}}
    _, first = server.ask("POST", f"/api/sessions/{opened['session']}/run", {"command": "anonymize", "job": job})
    _, second = server.ask("POST", f"/api/sessions/{opened['session']}/run", {"command": "anonymize", "job": job})
    other = server.open(None, {})
    check("a table was named", other[0] == 201, other)
    status, told = server.run(other[1]["session"], "look", {})
    check("another session does not wait", status == 200 and "result" in told, told)
    for run in (second, first):
        check("cancels", server.ask("DELETE", f"/api/runs/{run['run']}")[0] == 204)
        status, told = server.wait(run["run"])
        check("is cancelled", told.get("error", {}).get("code") == "cancelled", told)
    _, third = server.ask("POST", f"/api/sessions/{opened['session']}/run", {"command": "anonymize", "job": job})
    check("closing a session ends its runs", server.ask("DELETE", f"/api/sessions/{opened['session']}")[0] == 204)
    check("which is told", "error" in server.wait(third["run"])[1])
    return server.ask("POST", f"/api/sessions/{other[1]['session']}/run", {"command": "anonymize", "job": JOB | {"dry-run": True}})


def folders():
    os.makedirs("releases", exist_ok=True)
    server = Server("people.csv", "--folder", "releases")
    server.enter()
    check("the folder is told", server.ask("GET", "/api/capabilities")[1]["folder"] is True)
    _, opened = server.open(None, {})
    status, told = server.run(opened["session"], "anonymize", JOB | {"output": "out.csv", "result": "out.json"})
    check("outputs go to the folder", status == 200 and sorted(os.listdir("releases")) == ["out.csv", "out.json"], told)
    for place in ("../out.csv", "releases/../out.csv", os.path.abspath("out.csv"), ".hidden.csv", "sub/out.csv", "a:b.csv"):
        status, told = server.run(opened["session"], "anonymize", JOB | {"output": place})
        check(f"but not {place}", status == 422, told)
    check("nothing else is there", sorted(os.listdir("releases")) == ["out.csv", "out.json"])
    check("it ends", server.end(signal.SIGTERM) == 0)


def named_job():
    with open("sex.csv", "w", encoding="utf-8") as file:
        file.write("f;*\nm;*\n")
    job = json.loads(json.dumps(JOB))
    job["attributes"]["sex"]["hierarchy"] = "sex.csv"
    with open("named-job.yaml", "w", encoding="utf-8") as file:
        json.dump(dict(job, data="people.csv", output="never.csv"), file)
    server = Server("named-job.yaml")
    server.enter()
    told = server.ask("GET", "/api/capabilities")[1]
    check("the job is told", told["givenJob"]["attributes"]["sex"]["hierarchy"].endswith("sex.csv"), told)
    _, opened = server.open(None, told["givenJob"] | {"output": "memory:o.csv"})
    check("its table opens", "session" in opened, opened)
    status, answer = server.run(opened["session"], "anonymize", told["givenJob"] | {"output": "memory:o.csv"})
    check("its files are read", status == 200 and "result" in answer, answer)
    status, answer = server.run(opened["session"], "anonymize", told["givenJob"])
    check("its output is not written", status == 422 and not os.path.exists("never.csv"), answer)
    status, answer = server.run(opened["session"], "anonymize",
                                told["givenJob"] | {"output": "memory:o.csv", "population": told["givenJob"]["attributes"]["sex"]["hierarchy"]})
    check("by their own keys alone", status == 422, answer)
    check("it ends", server.end() == 0)


def main():
    with tempfile.TemporaryDirectory() as private:
        with open("people.csv", "w", encoding="utf-8") as file:
            file.write(table())
        server = Server("people.csv", TMPDIR=private)
        road(server)
        workbooks(server)
        jobs(server)
        command_lines(server)
        refusals(server)
        half_open(server)
        paths(server)
        _, opened = server.open(None, {})
        files(server, opened["session"])
        bodies(server, opened["session"])
        hostile_names(server)
        limits(server)
        cancelling(server)
        check("Ctrl-C ends it", server.end() == 0)
        check("nothing is left behind", os.listdir(private) == [], os.listdir(private))
    folders()
    opener()
    named_job()
    killed = Server()
    check("killed", killed.end(signal.SIGKILL) == -signal.SIGKILL)
    sys.exit(1 if failures else 0)


main()
