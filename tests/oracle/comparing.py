"""Comparing what the program says with what the oracle computes."""
from program import Wrong

RELATIVE = 1e-9


def same(said, computed):
    """Equal numbers up to rounding; null equals None."""
    if said is None or computed is None:
        return said is None and computed is None
    return abs(float(said) - float(computed)) <= RELATIVE * max(1, abs(float(computed)))


def expect(what, said, computed):
    if not (said == computed or numbers(said, computed) and same(said, computed)):
        shown = float(computed) if hasattr(computed, "denominator") else computed
        raise Wrong(f"{what}: the program says {said}, the definition gives {shown}")


def numbers(said, computed):
    return not any(isinstance(value, (str, list, dict, tuple)) for value in (said, computed))


def expect_figures(what, said, computed, names=None):
    for name in names or computed:
        if name not in said:
            raise Wrong(f"{what}: {name} is missing")
        expect(f"{what} {name}", said[name], computed[name])
