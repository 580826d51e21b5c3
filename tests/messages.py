# messages.py PROJECT: what is wrong with what the library of PROJECT says, one line each:
# - an option in a string of src outside src/cli: messages name keys, and programs spell them
# - words between backquotes in a string that are neither a key, a command nor a known phrase
# - a code of errors that has no name, that nothing fails with, or that docs/library.md does not tell
import glob, os, re, sys

os.chdir(sys.argv[1])
STRING = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# Files whose strings are no messages: CSS has properties of its own.
EXEMPT = ("src/cli/", "src/report/html/style.c")
# Strings that are command lines of other programs, with options of theirs.
TOOLS = ("sqlite3: ", "trino ", "bq ", "clickhouse-client ")
# What stands between backquotes besides keys: fields of a column, and places that hold others.
FIELDS = {"role", "weight", "attributes", "privacy", "quasi-identifiers", "json"}

def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

def strings(text):
    """The texts of strings, those that stand side by side as one, with their lines."""
    whole, line, end = "", 0, 0
    for found in STRING.finditer(text):
        if not found[0].startswith('"'):
            continue
        if whole and text[end:found.start()].strip():
            yield line, whole
            whole = ""
        if not whole:
            line = text.count("\n", 0, found.start()) + 1
        whole, end = whole + found[0][1:-1], found.end()
    if whole:
        yield line, whole

def known_words(sources):
    words = set(FIELDS)
    for path, text in sources.items():
        if path.startswith("src/job/keys/"):
            words.update(re.findall(r'\.(?:name|field) = "([\w-]+)"', text))
        words.update(re.findall(r'\.option = "([\w-]+)"', text))
        if path.startswith(("src/search/", "src/privacy/")):
            words.update(re.findall(r'\.name = "([\w-]+)"', text))
        if path == "src/job/keys/commands.c":
            words.update(re.findall(r'\{"([\w-]+)"', text))
    return words | {"help", "completion"}

def is_known(phrase, words):
    """suppress; suppressed: keep; attributes.age.level: 1; hierarchy show; %s, which others fill."""
    phrase = phrase.replace('\\"', '"')
    column = re.fullmatch(r"attributes\..+?\.([\w-]+)(: .*)?", phrase)
    word = column[1] if column else re.split(r"[: ]", phrase)[0]
    return "%" in word or word in words

def wrong_strings(path, text, words):
    for line, whole in strings(text):
        options = [] if whole.startswith(TOOLS) else re.findall(r"(?<![\w-])--[a-z][\w-]*", whole)
        for option in options:
            yield f"{path}:{line}: names the option {option}"
        for phrase in re.findall(r"`([^`]+)`", whole):
            if not is_known(phrase, words):
                yield f"{path}:{line}: `{phrase}` is no key"

def wrong_codes(sources):
    """The enum, the table of names, the uses and the page agree."""
    header = "include/mingle/error.h"
    if not os.path.exists(header):
        return
    number, codes = -1, {}
    for name, said in re.findall(r"^\s+MGL_CODE_(\w+)(?: = (\d+))?\b", read(header), re.M):
        number = int(said) if said else number + 1
        codes[name] = number
    names = dict(re.findall(r'\{MGL_CODE_(\w+), "([\w-]+)"\}', sources["src/base/error_codes.c"]))
    rows = dict((name, int(number)) for number, name in
                re.findall(r"^\| (\d+) \| `([\w-]+)` \|", read("docs/library.md"), re.M))
    used = set(re.findall(r"\bMGL_CODE_(\w+)", "".join(
        text for path, text in sources.items() if path != "src/base/error_codes.c")))
    for code, number in codes.items():
        if code not in names:
            yield f"{header}: MGL_CODE_{code} has no name"
        elif names[code] != code.lower().replace("_", "-"):
            yield f"{header}: MGL_CODE_{code} is called {names[code]}"
        elif number > 0 and rows.get(names[code]) != number:
            yield f"docs/library.md: has no row | {number} | `{names[code]}` |"
        if number % 100 and code not in used:
            yield f"{header}: nothing fails with MGL_CODE_{code}"
    for name in rows.keys() - names.values():
        yield f"docs/library.md: there is no code {name}"

sources = {path: read(path) for path in sorted(glob.glob("src/**/*.[ch]", recursive=True))}
words = known_words(sources)
wrong = []
for path, text in sources.items():
    if not path.startswith(EXEMPT):
        wrong += wrong_strings(path, text, words)
wrong += wrong_codes(sources)
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
