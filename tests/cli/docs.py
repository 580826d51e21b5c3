# docs.py SOURCE MINGLE: what is wrong with the pages of SOURCE, one line each:
# - a command line that no test runs: "mingle COMMAND ..." in a block, without "$ " before it
# - commands on a page that does not say where they run (the README has its own test)
# - an option in `code` that the command beside it does not have, or none has
# - a link to a file or heading that is not there; a page of docs that the index does not name
# - an example of a man page or of --help that docs/examples.md does not show
import glob, os, re, subprocess, sys

source, mingle = sys.argv[1:]
os.chdir(source)
index, examples = "docs/README.md", "docs/examples.md"
pages = sorted(glob.glob("*.md") + glob.glob("docs/*.md") + glob.glob("examples/*/*.md")
               + glob.glob("tests/**/*.md", recursive=True))

def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

def printed(*words):
    return subprocess.run([mingle, *words], stdout=subprocess.PIPE, encoding="utf-8").stdout

# ---- Commands -----------------------------------------------------------------------------------

def joined(lines):
    """One line of several that end in a backslash, spaces made single."""
    return " ".join(" ".join(line.rstrip("\\") for line in lines).split())

def blocks(text):
    """The indented lines of a page, and whether each is run: a command and what continues it."""
    continued = False
    for line in text.split("\n"):
        if not line.startswith("    "):
            continued = False
            continue
        bare = line.strip()
        run = bare.startswith("$ ") or continued
        continued = run and bare.endswith("\\")
        yield bare, run

def commands(text):
    """The commands of a page that are run, each as one line."""
    found, parts = [], []
    for bare, run in blocks(text):
        if run:
            parts.append(bare.removeprefix("$ "))
            if not bare.endswith("\\"):
                found.append(joined(parts))
                parts = []
    return found

def unrun(page, text):
    if page == "README.md":
        return # tests/cli/readme.sh runs its lines
    for bare, run in blocks(text):
        if not run and re.match(r"(\S*/)?mingle [a-z]", bare):
            yield f"{page}: not run by a test: {bare}"
    if commands(text) and "\n<!-- commands run in " not in text:
        yield f"{page}: it has commands, and does not say where they run"

# ---- Options ------------------------------------------------------------------------------------

names = re.findall(r"^  mingle ([a-z][a-z-]*)", printed("help", "commands"), re.M)
options = {name: set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", printed("help", name, "all")))
           | {"--help"} for name in names}
served = {"studio"}  # run until a signal comes: tests/cli/studio.py does that
known = set().union(*options.values()) | {"--version", "--markdown"}

def wrong_options(page, text):
    prose = re.sub(r"^ {4}.*$", "", text, flags=re.M)
    for span in re.findall(r"`([^`\n]+)`", prose):
        command = re.match(r"(?:mingle )?([a-z][a-z-]*) -", span)
        mine = options.get(command[1], known) if command else known
        words = re.findall(r"(?:^|(?<= ))--[a-z][a-z-]*", span)
        if span.startswith(("-", "mingle ")) or command and command[1] in names:
            for word in words:
                if word not in mine:
                    yield f"{page}: there is no option {word}: `{span}`"

# ---- Links --------------------------------------------------------------------------------------

def headings(path):
    return {re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in read(path).split("\n") if line.startswith("#")}

def wrong_links(page, text):
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        path, _, heading = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(path):
            yield f"{page}: {link} is not there"
        elif heading and heading not in headings(path):
            yield f"{page}: {link}: there is no such heading"

# ---- Examples -----------------------------------------------------------------------------------

def of_help(name):
    block = re.search(r"\nExamples?:\n((?:  .*\n|\n)+)", printed("help", name))
    return re.split(r"(?<!\\)\n+", block[1].strip()) if block else []

def of_man(path):
    found = []
    for block in re.findall(r"^\.EX\n(.*?)^\.EE", read(path), re.M | re.S):
        text = block.replace("\\e", "\\").replace("\\-", "-").replace("\\(dq", '"').replace("\\(aq", "'")
        found += [part for part in re.split(r"(?<!\\)\n+", text) if part.lstrip().startswith("mingle")]
    return found

def missing_examples():
    shown = set(commands(read(examples)))
    given = [(f"mingle help {name}", e) for name in names for e in of_help(name) if name not in served]
    given += [(path, e) for path in sorted(glob.glob("docs/man/*.[1-9]")) for e in of_man(path)
              if not path.endswith(tuple(f"-{name}.1" for name in served))]
    for where, example in given:
        if joined(example.split("\n")) not in shown:
            yield f"{where}: {examples} does not show: {joined(example.split(chr(10)))}"
    for name in names:
        if not any(where == f"mingle help {name}" for where, _ in given) and name not in served | {"help"}:
            yield f"mingle help {name}: there is no example"

wrong = list(missing_examples())
for page in pages:
    text = read(page)
    wrong += [*unrun(page, text), *wrong_options(page, text), *wrong_links(page, text)]
named = read(index)
wrong += [f"{index}: does not name {page}" for page in pages
          if os.path.dirname(page) == "docs" and page != index and f"({os.path.basename(page)})" not in named]
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
