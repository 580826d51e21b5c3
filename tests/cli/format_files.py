"""Writes and reads tables in formats of tests: columns are texts, those of `kinds` numbers; an empty
text is a cell without a value."""
import json


def write_json_lines(path, columns, kinds):
    with open(path, "w", encoding="utf-8") as file:
        for row in zip(*columns.values()):
            members = []
            for name, cell in zip(columns, row):
                bare = cell == "" or name in kinds
                value = "null" if cell == "" else cell if bare else json.dumps(cell)
                members.append(json.dumps(name) + ": " + value)
            file.write("{" + ", ".join(members) + "}\n")


def text_of(value):
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def read_json_lines(path):
    head, rows = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line, parse_int=str, parse_float=str)
            head = head or list(row)
            rows.append([text_of(row[name]) for name in head])
    return head, rows


def write(path, columns, kinds):
    if path.endswith(".jsonl"):
        return write_json_lines(path, columns, kinds)
    import arrow_files
    return arrow_files.write(path, columns, kinds)


def read(path):
    if path.endswith(".jsonl"):
        return read_json_lines(path)
    import arrow_files
    return arrow_files.read(path)
