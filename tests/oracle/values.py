"""Values of sensitive columns (docs/definitions.md#sensitive-values): which cells are one value, and
which are none."""
import unicodedata
from decimal import Decimal, InvalidOperation

MISSING = "\0missing"  # no cell reads like it
NO_WIDTH = "\ufeff\u200b"
KNOWN_ONLY = ("l-diversity", "entropy-l", "recursive-cl", "p-sensitive", "extended-p-sensitive",
              "alpha")


def is_blank(letter):
    return letter in "\t\n\v\f\r\x85" or unicodedata.category(letter) in ("Zs", "Zl", "Zp")


def folded(text):
    """The same for all spellings of a text."""
    text = unicodedata.normalize("NFC", text)
    text = "".join(" " if is_blank(letter) else letter for letter in text
                   if letter not in NO_WIDTH)
    text = " ".join(part for part in text.split(" ") if part)
    return unicodedata.normalize("NFC", text.casefold())


def as_number(text):
    """A plain number, or None."""
    text = folded(text)
    if not text or text.strip("+-.0123456789"):
        return None
    try:
        return Decimal(text).normalize() + 0
    except InvalidOperation:
        return None


def key(text, spelling, kind):
    if spelling == "exact":
        return text
    number = as_number(text) if kind == "number" else None
    return folded(text) if number is None else ("number", number)


def values(cells, missing, spelling="folded", kind=None):
    """What each cell is to the models: MISSING, or the bytewise least spelling of its value."""
    none = {key(token, spelling, kind) for token in missing}
    least = {}
    for cell in cells:
        one = key(cell, spelling, kind)
        least[one] = min(least.get(one, cell), cell, key=str.encode)
    return [MISSING if key(cell, spelling, kind) in none else least[key(cell, spelling, kind)]
            for cell in cells]


def known(counts):
    return {value: count for value, count in counts.items() if value != MISSING}
