"""Models, measures and methods are known by what their descriptors say, never by their names.

names.py PROJECT           prints one line per violation
names.py --list PROJECT    prints the names

A name is what a descriptor (const mgl_model_type X = {...}, and likewise for measures and methods)
gives as .name, .key or .option. A string that is a name may stand in src only
- in a descriptor, as .name, .key or .option;
- in the folder of the table, the one with the list of its rows (*_rows.h), as .key of a row or at
  the beginning of one, {"name", ...}: what models take and what checks tell is called as models are;
- as an argument of a function that takes a key of a document or of a job: json_object_*, mgl_json_*
  and mgl_job_take_value;
- at the beginning of a row {"name", ...} of a table in a module that includes no other module
  (docs/modules.txt), and so cannot see the descriptors: the verifier of proofs knows what it can
  verify, and finds it in the file of that table.
So it can be compared with nothing, neither at once nor through an array or a variable. A name of one
letter is a word in other places, too: it must not be an argument of a function that compares.
And no function that compares may be given X->name, X->key or X->option of a descriptor but in the
table's own file, the one that makes an array of the rows: others ask that file for the descriptor.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|(?P<string>"(?:\\.|[^"\\\n])*")|'(?:\\.|[^'\\\n])*'|"""
                   r"(?P<word>[A-Za-z_]\w*)|(?P<other>->|[^\s\w]|\d[\w.]*)|\s+", re.S)
DESCRIPTOR = re.compile(r"mgl_(model|measure|method)_type")
FIELDS = ("name", "key", "option")
COMPARES = re.compile(r"\w*cmp\w*|strstr|strcasestr|strn?casecmp|\w*_(is|equals?|same|named|starts|"
                      r"begins)|(is|same|equals?)_\w+|is_one_of|fnmatch|regexec")
TAKES_KEY = re.compile(r"json_object_\w+|mgl_json_\w+|mgl_job_take_value")
OWN_TABLE = re.compile(r"#define MGL_ROW\(type\) &type,")


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def tokens_of(text):
    """Words, strings and signs; strings side by side are one."""
    found, line = [], 1
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "string" and found and found[-1].kind == "string":
            found[-1].text += match.group()[1:-1]
        elif kind:
            body = match.group()[1:-1] if kind == "string" else match.group()
            found.append(Token(kind, body, line))
        line += match.group().count("\n")
    return found


def descriptors(tokens):
    """(first, last) of the braces of each descriptor."""
    for i in range(len(tokens) - 4):
        if tokens[i].text == "const" and DESCRIPTOR.fullmatch(tokens[i + 1].text) and \
                tokens[i + 3].text == "=" and tokens[i + 4].text == "{":
            depth, at = 1, i + 5
            while depth > 0:
                depth += {"{": 1, "}": -1}.get(tokens[at].text, 0) \
                    if tokens[at].kind == "other" else 0
                at += 1
            yield i + 4, at


def is_field(tokens, i):
    """Is the string at i what .name, .key or .option is set to?"""
    return i >= 3 and [t.text for t in tokens[i - 3:i:2]] == [".", "="] and \
        tokens[i - 2].text in FIELDS


def opening(tokens, i):
    """Where the innermost bracket opens that the token at i stands in; -1: in none."""
    depth = 0
    for at in range(i - 1, -1, -1):
        if tokens[at].kind != "other":
            continue
        if tokens[at].text in ")]}":
            depth += 1
        elif tokens[at].text in "([{":
            if depth == 0:
                return at
            depth -= 1
        elif tokens[at].text == ";" and depth == 0:
            return -1
    return -1


def callee(tokens, at):
    """The function whose arguments the bracket at `at` opens; "": none."""
    return tokens[at - 1].text if at > 0 and tokens[at].text == "(" and \
        tokens[at - 1].kind == "word" else ""


def opens_row(tokens, i):
    """Is the string at i the first cell of a row of a table?"""
    return tokens[i - 1].text == "{" and tokens[i - 2].text in ("{", ",")


def pointers(tokens):
    """Variables of the file that point to descriptors."""
    found = set()
    for i, token in enumerate(tokens):
        if not DESCRIPTOR.fullmatch(token.text):
            continue
        at = i + 1
        while at < len(tokens) and tokens[at].text in ("*", "const"):
            at += 1
        if at > i + 1 and at < len(tokens) and tokens[at].kind == "word":
            found.add(tokens[at].text)
    return found


def points_to_descriptor(tokens, at, variables):
    """Is the expression that ends at `at` a descriptor: a variable, or a member X->type, X->method,
    X->measure?"""
    if tokens[at].text == "]":
        at = opening(tokens, at) - 1
    if tokens[at].kind != "word":
        return False
    member = tokens[at - 1].text in ("->", ".")
    return tokens[at].text in (("type", "method", "measure", "methods") if member else variables)


def named_fields(tokens, variables):
    """Where a name of a descriptor is read."""
    for i in range(2, len(tokens)):
        if tokens[i].text in FIELDS and tokens[i - 1].text == "->" and \
                points_to_descriptor(tokens, i - 2, variables):
            yield i


def in_comparison(tokens, i):
    """Is the token at i, or what it is a part of, an argument of a function that compares?"""
    at = opening(tokens, i)
    while at >= 0 and tokens[at].text in "([":
        if COMPARES.fullmatch(callee(tokens, at)):
            return True
        at = opening(tokens, at)
    return False


class Project:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.texts = {path: path.read_text(encoding="utf-8")
                      for path in sorted((self.root / "src").rglob("*.[ch]"))}
        self.tokens = {path: tokens_of(text) for path, text in self.texts.items()}
        self.fields = {path: {i for first, last in descriptors(tokens)
                              for i in range(first, last) if is_field(tokens, i) and
                              tokens[i].kind == "string"}
                       for path, tokens in self.tokens.items()}
        self.names = {self.tokens[path][i].text for path, found in self.fields.items()
                      for i in found}
        modules = (self.root / "docs/modules.txt").read_text(encoding="utf-8")
        self.folders = {path.parent for path in self.texts if path.name.endswith("_rows.h")}
        self.alone = set(re.findall(r"^([\w/]+):[ \t]*$", modules, re.M))

    def module_of(self, path):
        return str(path.relative_to(self.root / "src").parent)

    def string_is_allowed(self, path, i):
        tokens = self.tokens[path]
        if i in self.fields[path]:
            return True
        if len(tokens[i].text) == 1:
            return not in_comparison(tokens, i)
        if TAKES_KEY.fullmatch(callee(tokens, opening(tokens, i))):
            return True
        if path.parent in self.folders and (is_field(tokens, i) or opens_row(tokens, i)):
            return True
        return self.module_of(path) in self.alone and opens_row(tokens, i)

    def violations(self):
        for path, tokens in self.tokens.items():
            shown = path.relative_to(self.root)
            for i, token in enumerate(tokens):
                if token.kind == "string" and token.text in self.names and \
                        not self.string_is_allowed(path, i):
                    yield '%s:%d: "%s" is a name of a table' % (shown, token.line, token.text)
            if OWN_TABLE.search(self.texts[path]):
                continue
            for i in named_fields(tokens, pointers(tokens)):
                if in_comparison(tokens, i):
                    yield "%s:%d: the %s of a descriptor is compared" % (
                        shown, tokens[i].line, tokens[i].text)


def main():
    project = Project(sys.argv[-1])
    if sys.argv[1] == "--list":
        print("\n".join(sorted(project.names)))
        return
    found = list(project.violations())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
