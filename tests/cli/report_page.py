"""report_page.py PAGE [TEXT...]: is the page what every report must be?

It is well-formed, loads and runs nothing, names what its plots show, links only within itself, and
shows each TEXT as text. Prints what is wrong; the exit code is 1 then.
"""
import re
import sys
import xml.etree.ElementTree as tree

path, texts = sys.argv[1], sys.argv[2:]
source = open(path, encoding="utf-8").read()
wrong = []


def check(right, what):
    if not right:
        wrong.append(what)


try:
    root = tree.fromstring(source)
except tree.ParseError as problem:
    sys.exit(f"{path} is not well-formed: {problem}")
elements = list(root.iter())
ids = [e.get("id") for e in elements if e.get("id")]
check(len(ids) == len(set(ids)), "an id is given twice")

allowed = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "nav", "section", "footer",
    "div", "span", "p", "h1", "h2", "h3", "ul", "li", "a", "b", "strong", "em", "small", "code", "bdi",
    "dl", "dt", "dd", "figure", "figcaption", "details", "summary", "table", "thead", "tbody", "tr",
    "th", "td", "svg", "desc", "rect", "line", "path", "circle", "text",
}
for e in elements:
    check(e.tag in allowed, f"element {e.tag}")
    for name, value in e.attrib.items():
        check(not name.startswith("on") and name not in ("src", "srcset", "xlink:href"),
              f"attribute {name} of {e.tag}")
        check(name != "href" or value[:1] == "#" and value[1:] in ids, f"link to {value}")
        if name.startswith("aria-labelledby"):
            check(all(i in ids for i in value.split()), f"{e.tag} is labelled by {value}")
for e in elements:
    if e.tag == "svg" and e.get("role") == "img":
        for part in ("title", "desc"):
            found = e.find(part)
            check(found is not None and (found.text or "").strip(), f"a plot without {part}")
check(not re.search(r"(https?:)?//[a-z]", source), "an address")
check("url(" not in source and "@import" not in source, "a style that loads something")
check("default-src 'none'" in source, "no policy")
check(len(root.findall(".//h1")) == 1, "not exactly one h1")
check(root.get("lang") == "en", "no language")
check(root.find(".//table/thead/tr/th") is not None, "no table")
# Control characters and what turns the direction of writing are shown by number.
check(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]",
                    source), "a hidden character")

shown = "\n".join("".join(e.itertext()) for e in elements if e.tag in ("body",))
for text in texts:
    check(text in shown, f"no text {text!r}")
if wrong:
    print(*sorted(set(wrong)), sep="\n")
sys.exit(1 if wrong else 0)
