{#- A cell as the tests compare it: its text; an empty text is missing, as in databases. -#}
{%- macro cell(column) -%}
    {%- set closing = adapter.quote("")[1:] -%} {#- a quote within a name is written twice -#}
    nullif(cast({{ adapter.quote(column | replace(closing, closing ~ closing)) }} as {{ dbt.type_string() }}), '')
{%- endmacro -%}

{#- A sensitive cell as models see it: its case and the blanks around it do not count. -#}
{%- macro value(column) -%}
    nullif(lower(trim({{ mingle.cell(column) }})), '')
{%- endmacro -%}

{#- The quasi-identifier, as q1, q2, ... -#}
{%- macro quasi_cells(quasi) -%}
    {%- for column in quasi %}{{ mingle.cell(column) }} as q{{ loop.index }}{{ ", " if not loop.last }}{% endfor -%}
{%- endmacro -%}

{%- macro quasi_names(quasi, of="") -%}
    {%- for column in quasi %}{{ of }}q{{ loop.index }}{{ ", " if not loop.last }}{% endfor -%}
{%- endmacro -%}

{#- Tables a and b have the same class in these rows; missing cells are equal. -#}
{%- macro same_class(quasi) -%}
    {%- for column in quasi -%}
    (a.q{{ loop.index }} = b.q{{ loop.index }} or (a.q{{ loop.index }} is null and b.q{{ loop.index }} is null))
    {{- " and " if not loop.last -}}
    {%- endfor -%}
{%- endmacro -%}

{#- Wrong arguments end the run instead of testing nothing. -#}
{%- macro require(condition, message) -%}
    {%- if execute and not condition -%}{{ exceptions.raise_compiler_error("mingle: " ~ message) }}{%- endif -%}
{%- endmacro -%}

{%- macro require_columns(quasi) -%}
    {{- mingle.require(quasi is iterable and quasi is not string and quasi | length > 0,
                       "quasi is no list of columns; write for example quasi: [birth, sex, zip]") -}}
{%- endmacro -%}
