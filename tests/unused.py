# unused.py PROJECT BUILD: functions and objects of src that are external without need, one line
# each:
# - nothing but its own file names it, and no test: it should be static
# - no file of src names it, only tests do: tests should use what the program uses
# What is external is what nm finds in the objects of BUILD. What other objects need is used; so is
# what the text of another file names, since a build may lack a library. The functions of
# include are for others, and what src/base/fault.h declares is for tests.
import collections, glob, os, re, subprocess, sys

BLANKED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def names(path):
    """How often the code of a file has each name."""
    with open(path, encoding="utf-8") as file:
        return collections.Counter(re.findall(r"\bmgl_\w+", BLANKED.sub(" ", file.read())))


def objects(build):
    """The objects of the build whose sources are still there: (object, source)."""
    for path in glob.glob(build + "/CMakeFiles/*.dir/src/**/*.o", recursive=True):
        source = os.path.relpath(path, build).split("/", 2)[2][:-len(".o")]
        if os.path.exists(source):
            yield path, source


def symbols(build):
    """Where each external symbol is defined, and which sources need it."""
    defined, needed = {}, collections.defaultdict(set)
    sources = dict(objects(build))
    if not sources:
        sys.exit(f"no objects of src in {build}")
    lines = subprocess.run(["nm", "-A", "-g", "--format=posix", *sources], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    for line in lines.splitlines():
        path, name, kind = re.match(r"(.*): (\S+) (\S)", line).groups()
        if kind == "U":
            needed[name].add(sources[path])
        elif name.startswith("mgl_"):
            defined[name] = sources[path]
    return defined, needed


def main():
    build = os.path.abspath(sys.argv[2])
    os.chdir(sys.argv[1])
    defined, needed = symbols(build)
    for_others = set().union(*map(names, (*glob.glob("include/**/*.h", recursive=True),
                                          *glob.glob("src/base/fault.h"))))
    code = {path: names(path) for path in glob.glob("src/**/*.c", recursive=True)}
    tests = set()
    for folder in ("tests", "bench"):
        for path in glob.glob(folder + "/**/*.[ch]", recursive=True):
            tests |= set(names(path))
    wrong = []
    for name, home in defined.items():
        others = needed[name] | {path for path in code if path != home and name in code[path]}
        if others or name in for_others:
            continue
        if name not in tests:
            wrong.append(f"{home}: {name} is external, and no other file uses it; make it static")
        elif code[home][name] < 2:
            wrong.append(f"{home}: only tests use {name}; let them use what the program uses")
    print("\n".join(sorted(wrong)))
    return 1 if wrong else 0


sys.exit(main())
