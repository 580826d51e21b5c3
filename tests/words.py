# words.py PROJECT: what is wrong with the comments of PROJECT, one line each:
# - a .c file of src that does not open with a sentence that says what it is for
# - a page or heading of docs that a comment names and that is not there
# - a source file that a comment or a page names and that is not there
import fnmatch, glob, os, re, sys

os.chdir(sys.argv[1])
LEAST_WORDS = 5 # fewer are a title, no sentence
sources = sorted(path for folder in ("src", "include", "tests", "bench", "examples")
                 for path in glob.glob(f"{folder}/**/*.[ch]", recursive=True))
known = {os.path.basename(path) for path in sources}

def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

def plain(comment):
    """The words of a comment, without what marks it as one."""
    return " ".join(re.sub(r"^ ?\* ?", "", line) for line in comment[2:-2].split("\n")).strip()

def comments(text):
    """Comments with their lines; what looks like one within a string is none."""
    for found in re.finditer(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', text, re.S):
        if found[0].startswith("/*"):
            yield text.count("\n", 0, found.start()) + 1, plain(found[0])

def headings(page, seen={}):
    if page not in seen:
        seen[page] = {re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
                      for line in read(page).split("\n") if line.startswith("#")}
    return seen[page]

def wrong_opening(path, text):
    first = next(comments(text), (0, ""))
    if not text.startswith("/*"):
        yield f"{path}:1: does not open with a comment that says what the file is for"
    elif len(first[1].split()) < LEAST_WORDS or not re.search(r"\w[`)\"]*\.(\s|$)", first[1]):
        yield f"{path}:1: opens with a comment that is no sentence: {first[1][:60]}"

def wrong_names(path, text):
    for line, words in comments(text):
        for page, heading in re.findall(r"\b(docs/[\w-]+\.md)(?:#([\w-]+))?", words):
            if not os.path.exists(page):
                yield f"{path}:{line}: there is no {page}"
            elif heading and heading not in headings(page):
                yield f"{path}:{line}: there is no heading #{heading} in {page}"
        for name in re.findall(r"(?<![\w*])(\w+\.[ch])\b(?!\()", words):
            if name not in known:
                yield f"{path}:{line}: there is no file {name}"

def wrong_paths(page, text):
    """Names of files and folders in `code` on a page, from the root or from a module on; * stands for
    anything, capitals for a name."""
    for name in re.findall(r"`([\w./*-]+\.[ch]|src/[\w/-]+)`", text):
        if re.search(r"[A-Z]{2}", name):
            continue
        found = (glob.glob(name) + glob.glob(f"src/**/{name}", recursive=True) if "/" in name
                 else [one for one in known if fnmatch.fnmatchcase(one, name)])
        if not found:
            yield f"{page}: there is no {name}"

wrong = []
for page in sorted(glob.glob("*.md") + glob.glob("docs/*.md")):
    wrong += wrong_paths(page, read(page))
for path in sources:
    text = read(path)
    if path.startswith("src/") and path.endswith(".c"):
        wrong += wrong_opening(path, text)
    wrong += wrong_names(path, text)
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
