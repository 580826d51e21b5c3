"""Tables of tests as Arrow files and streams, by pyarrow: all columns are texts, an empty one is
null."""
import pyarrow
from pyarrow import feather, ipc


def table_of(columns):
    return pyarrow.table({name: pyarrow.array([cell or None for cell in cells], pyarrow.string())
                          for name, cells in columns.items()})


def write(path, columns, kinds):
    table = table_of(columns)
    if path.endswith(".arrows"):
        with ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=17)
    else:
        feather.write_feather(table, path)


def read(path):
    table = ipc.open_stream(path).read_all() if path.endswith(".arrows") else \
        feather.read_table(path)
    table.validate(full=True)
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()]
               for column in table.columns]
    return table.column_names, [list(row) for row in zip(*columns)]
