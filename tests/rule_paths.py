"""Rules of an audit (src/claims/rules.c) name keys that are there: a rule about a key that no result
has would never say anything.

rule_paths.py PROJECT    prints the keys in rules, conditions and lists of what is open that neither
                         a shape nor a table of PROJECT has
"""
import pathlib
import re
import sys

TEXT = r'"(?:\\.|[^"\\\n])*"'
TEXTS = re.compile(TEXT + r"(?:\s+(?:[A-Z_]+\s+)?" + TEXT + r")*")
KEY = re.compile(r"[a-z_][a-z0-9_-]*")
# Between rules and paths: words of the language, and functions.
WORDS = {"if", "and", "or", "due", "needed", "only", "null", "false", "sum", "max", "count", "kinds",
         "last", "abs", "round", "true", "keys", "file_names", "texts", "number", "whole"}
TABLES = re.compile(r"(?:char \*const|mgl_claim|mgl_claim_open) (\w+)\[\] = \{(.*?)\n?\s*(?:NULL|\{\.\w+ = NULL\})\};",
                    re.S)


def sources(root):
    files = [*(root / "src/claims").glob("*.c"), *(root / "src/command/audit").glob("*.c"),
             *(root / "src/feature").rglob("*.c")]
    return {path: path.read_text(encoding="utf-8") for path in files}


def joined(text):
    """The texts of a piece of source; those side by side are one."""
    return ["".join(re.findall(r'"((?:\\.|[^"\\])*)"', match.group())) for match in TEXTS.finditer(text)]


def known_keys(root, texts):
    keys = set()
    for path in (root / "src").rglob("*.[ch]"):
        text = texts.get(path) or path.read_text(encoding="utf-8")
        # keys of shapes, those that are put into documents, and those of jobs
        keys.update(re.findall(r'(?:[{" ?])([a-z_0-9]+):[~a-zA-Z\[{<(*]', text))
        keys.update(re.findall(r'(?:mgl_json_set|note|json_object_get)\([^;"]*"([a-z_0-9-]+)"', text))
        keys.update(re.findall(r'\{"([a-z_]+)", MGL_OF', text))
        keys.update(re.findall(r'\.(?:name|field) = "([a-z-]+)"', text))
        keys.update(re.findall(r'\["?([a-z_]+)"?\]', text))
    return keys


def rules_of(text):
    for name, body in TABLES.findall(text):
        if name.endswith("rules"):
            yield from joined(body)
        else:
            yield from re.findall(r'\.due = "([^"]*)"', body)


def paths_of(rule):
    rule = re.sub(r"^.*: ", "", rule)
    rule = re.sub(r"'[^']*'", "", rule)
    for word in re.findall(r"[A-Za-z_][\w.<>*()-]*", rule):
        yield [key for key in re.findall(r"<\w+>|[\w-]+", word) if not key.startswith("<") and not key.isdigit()]


def main():
    root = pathlib.Path(sys.argv[1])
    texts = sources(root)
    known, n, failed = known_keys(root, texts), 0, False
    for path, text in sorted(texts.items()):
        for rule in rules_of(text):
            n += 1
            for keys in paths_of(rule):
                for key in keys:
                    if key not in known and key not in WORDS and key not in ("file", "found", "is", "job", "described", "audit"):
                        failed = True
                        print("%s: no result has \"%s\": %s" % (path.relative_to(root), key, rule))
    print("%d rules" % n, file=sys.stderr)
    sys.exit(failed or n < 100)


main()
