"""Reads NAME.expect; README.md says what the lines mean."""
import os
import pathlib
import shlex

DEFAULT_EXITS = {"advise": {0}, "anonymize": {0}}


def words(line):
    """The words of a line; quotes group, a backslash is a backslash."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, "", ""
    return list(lexer)


def exits(text):
    return {int(code) for code in text.split("|")}


def pair(text):
    """COLUMN=WHAT, COLUMN may be empty."""
    column, _, what = text.partition("=")
    return column, what


class Hand:
    """A job by a person: options, and what must come of it."""

    def __init__(self, options):
        self.options, self.objections, self.lines, self.code = options, {}, [], None

    def exit(self):
        return self.code if self.code is not None else {1 if self.objections else 0}


class Expectation:
    """The lines about the advised job as (key, words), those of jobs by hand in .hands."""

    def __init__(self, path):
        self.name, self.folder = path.stem, path.parent
        self.table, self.read, self.args = None, {}, []
        self.exits, self.lines, self.hands = dict(DEFAULT_EXITS), [], []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                try:
                    self.take(words(line))
                except (ValueError, IndexError, KeyError) as error:
                    raise SystemExit("%s:%d: not understood: %s" % (path, number, error))

    def take(self, line):
        key, rest = line[0], line[1:]
        if key == "table":
            self.table = rest[0]
        elif key == "read":
            self.read = dict(pair(word) for word in rest)
        elif key == "args":
            self.args = rest
        elif key == "hand":
            self.hands.append(Hand(rest))
        elif key in DEFAULT_EXITS:
            self.exits[key] = exits(rest[1])
        elif key == "exit":
            self.hands[-1].code = exits(rest[0])
        elif key == "objection":
            self.hands[-1].objections[rest[1]] = rest[0].split("|")
        elif self.hands and key in ("warns", "cells", "varied"):
            self.hands[-1].lines.append((key, rest))
        elif not self.hands and key in ADVISED:
            self.lines.append((key, rest))
        else:
            raise ValueError(key)

    def of(self, key):
        return [rest for name, rest in self.lines if name == key]

    def location(self):
        """Where the table is, or None if it needs ../shared, which is not there."""
        if self.table is None:
            found = [p for p in sorted(self.folder.glob(self.name + ".*")) if p.suffix != ".expect"]
            return str(found[0])
        if self.table.startswith("$SHARED/"):
            shared = os.environ.get("SHARED")
            return shared and shared + self.table[len("$SHARED"):]
        return str(self.folder / self.table)


ADVISED = {"says", "warns", "job", "nojob", "role", "never", "reason", "builder", "nobuilder",
           "entity", "secret", "cells", "rows"}


def all_expectations(folder, names):
    paths = sorted(pathlib.Path(folder).glob("*.expect"))
    return [Expectation(p) for p in paths if not names or p.stem in names]
