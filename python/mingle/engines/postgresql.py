"""PostgreSQL: the map goes in by COPY."""

from __future__ import annotations

from typing import Any

from .adapter import Engine


class PostgreSQL(Engine):
    longest_name = 63

    def _put(self, name: str, table: Any) -> Any:
        import ibis

        made = self.backend.create_table(name, schema=ibis.schema(table.schema), temp=True)
        copy = f"COPY {self.sql_name_of(name)} FROM STDIN"
        with self.backend.con.cursor() as cursor, cursor.copy(copy) as rows:
            for row in zip(*(column.to_pylist() for column in table.columns)):
                rows.write_row(row)
        self.execute(f"ANALYZE {self.sql_name_of(name)}")
        return made

    def sql_name_of(self, name: str) -> str:
        return f'"{name}"'
