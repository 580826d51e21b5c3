{#- No column that is no quasi-identifier singles rows out, or (whole numbers) counts them. Sensitive columns may
    single out. allow: columns that are not looked at. Returns the columns that do. -#}
{% test no_leaks(model, quasi, sensitive=[], allow=[]) %}
{{- mingle.require_columns(quasi) }}
{%- set known = (quasi + sensitive + allow) | map("lower") | list %}
{%- set columns = [] %}
{%- if execute %}
    {%- for column in adapter.get_columns_in_relation(model) if column.name | lower not in known %}
        {%- do columns.append(column) %}
    {%- endfor %}
{%- endif %}
{%- for column in columns %}
select '{{ dbt.escape_single_quotes(column.name) }}' as leaking_column, n_rows, n_alone
from (
    select sum(n) as n_rows, sum(case when n = 1 then 1 else 0 end) as n_alone,
        count(*) as n_values, min(number) as least, max(number) as greatest, count(number) as n_numbers
    from (
        select c, count(*) as n, {{ "cast(c as " ~ dbt.type_bigint() ~ ")" if column.is_integer() else "cast(null as " ~ dbt.type_bigint() ~ ")" }} as number
        from (select {{ mingle.cell(column.name) }} as c from {{ model }}) cells
        where c is not null
        group by c
    ) counted
) profile
where (n_rows >= 20 and 2 * n_alone >= n_rows)
   or (n_rows >= 5 and n_numbers = n_values and n_alone >= 0.99 * n_rows
       and abs(greatest - least + 1 - n_rows) <= 0.01 * n_rows)
{{ "union all" if not loop.last }}
{%- else %}
select '' as leaking_column, 0 as n_rows, 0 as n_alone where 1 = 0
{%- endfor %}
{% endtest %}
