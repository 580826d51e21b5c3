# What MkDocs calls while it makes the site of docs (scripts/docs): links to files outside of docs,
# which the site does not have, become text that names the file.
import os
import posixpath
import re

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    def plain(found):
        text, target = found[1], found[2]
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), target))
        if re.match(r"[a-z]+:", target) or files.get_file_from_path(inside):
            return found[0]
        path = os.path.normpath(os.path.join("docs", inside))
        return text if text.strip("`") == path else f"{text} (`{path}`)"

    # Not in examples, whose lines are indented or fenced.
    lines, fenced = [], False
    for line in markdown.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        lines.append(line if fenced or line.startswith("    ") else LINK.sub(plain, line))
    return "\n".join(lines)
