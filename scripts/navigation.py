# navigation.py PAGE: the navigation of the documents' site, as MkDocs takes it: each heading of PAGE
# with a list of pages below it, and the pages of that list in their order, each once.
import re
import sys


def sections(text):
    """(heading, pages of its list) for each heading that has one."""
    seen = set()
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        items = "\n".join(line for line in part.split("\n") if line.startswith("- "))
        pages = []
        for page in re.findall(r"\]\(([\w-]+\.md)\)", items):
            if page not in seen:
                seen.add(page)
                pages.append(page)
        if pages:
            yield part.split("\n", 1)[0], pages


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    print("nav:\n  - README.md")
    for heading, pages in sections(text):
        print(f"  - {heading}:")
        for page in pages:
            print(f"      - {page}")


main()
