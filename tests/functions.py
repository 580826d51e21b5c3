# functions.py PROJECT: what is wrong with the functions of src and include, one line each:
# - more than seven parameters
# - an out-parameter before err, or something else than outs behind it
# - a chain of if (status == MGL_OK): MGL_GO and a label done, or MGL_TRY, are for that
# - a variable used behind the label done, but declared behind a jump to it
# docs/conventions.md, "Functions", says the rules.
import glob, os, re, sys

os.chdir(sys.argv[1])
MOST_PARAMETERS = 7
IMPOSED = "struct MHD_Connection"  # of what libmicrohttpd calls it says the parameters
BLANKED = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
                     re.S | re.M)
LIST = re.compile(r"\w\s*\(|\)\s*\(")
HEAD = re.compile(r"\b(?:if|for|while)\s*\(")
DECLARED = re.compile(r"^    (?!return |goto |else )(?:const )?\w+ \**(\w+)(?:\[[^\]\n]*\])*(?: =|;|,)", re.M)
OK = re.compile(r"([\w.>\-*\[\]]*status) == MGL_OK")


def blank(text):
    """The same text, lines and all, without comments, texts and preprocessor lines."""
    return BLANKED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def closing(text, at):
    """Where what opens at `at` is closed again."""
    depth, pair = 0, {"(": ")", "{": "}"}[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == text[at]) - (text[i] == pair)
        if depth == 0:
            return i
    return len(text)


def split(text):
    """A text divided at the commas that are in no brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [" ".join(one.split()) for one in found if one.strip()]


def bodies(text):
    """The bodies of functions: braces behind a parameter list, where no other braces are but
    those of structures. And the text without them."""
    found, rest, at = [], [], 0
    for brace in re.finditer(r"\{", text):
        before = text[:brace.start()].rstrip()
        if brace.start() < at or not before.endswith((")", "=")):
            continue
        end = closing(text, brace.start())
        if before.endswith(")"):
            found.append((brace.start(), text[brace.start():end]))
        rest.append(text[at:brace.start()] + re.sub(r"[^\n]", " ", text[brace.start():end + 1]))
        at = end + 1
    return found, "".join(rest) + text[at:]


def is_error(parameter):
    return re.fullmatch(r"mgl_error \*\w*", parameter)


def is_named_out(parameter):
    named = re.search(r"[*\s](?:out|out_\w+|\w+_out)(?:\[.*)?$", parameter)
    return named and not parameter.startswith("const ") and ("*" in parameter or "[" in parameter)


def wrong_order(parameters):
    """Whoever writes the error itself takes it first, and a format stands behind it."""
    at = next((i for i, one in enumerate(parameters) if is_error(one)), 0)
    if at == 0:
        return
    for one in parameters[1:at]:
        if is_named_out(one) or re.fullmatch(r"bool \*\w+", one):
            yield f"the out '{one}' stands before err"
    behind = parameters[at + 1:]
    if behind[-1:] == ["..."]:
        behind = behind[:-2]
    for one in behind:
        if not re.search(r"[*\[]", one) or re.fullmatch(r"const [\w ]+ \*\w*", one):
            yield f"'{one}' stands behind err and is no out"


def wrong_lists(text):
    for found in LIST.finditer(text):
        begin = found.end() - 1
        parameters = split(text[begin + 1:closing(text, begin)])
        if len(parameters) > MOST_PARAMETERS and not any(IMPOSED in one for one in parameters):
            yield begin, f"{len(parameters)} parameters; group what belongs together"
        yield from ((begin, what) for what in wrong_order(parameters))


def wrong_body(at, body):
    """Conditions on the same status, in a function: one may be needed, two are a chain."""
    asked = {}
    for head in HEAD.finditer(body):
        begin = head.end() - 1
        for name in set(OK.findall(body[begin:closing(body, begin)])):
            asked.setdefault(name, []).append(at + begin)
    for name, places in asked.items():
        if len(places) > 1:
            yield places[1], f"a chain of if ({name} == MGL_OK); take MGL_GO or MGL_TRY"


def wrong_jumps(at, body):
    """Lines are laid out by the formatter: what a function declares for itself is at four blanks."""
    label, jump = body.find("\ndone:"), body.find("MGL_GO(")
    for found in DECLARED.finditer(body, max(jump, 0), max(label, 0)):
        if jump >= 0 and re.search(rf"\b{found[1]}\b", body[label:]):
            yield at + found.start(1), f"'{found[1]}' is used behind done; declare it before MGL_GO"


def wrong(path):
    with open(path, encoding="utf-8") as file:
        text = blank(file.read())
    functions, outside = bodies(text)
    found = list(wrong_lists(outside))
    for at, body in functions:
        found += [*wrong_body(at, body), *wrong_jumps(at, body)]
    for at, what in sorted(found):
        line = text.count("\n", 0, at) + 1
        yield f"{path}:{line}: {what}"


complaints = [line for folder in ("include", "src")
              for path in sorted(glob.glob(f"{folder}/**/*.[ch]", recursive=True))
              for line in wrong(path)]
print("\n".join(complaints), end="\n" if complaints else "")
sys.exit(1 if complaints else 0)
