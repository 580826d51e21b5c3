{#- The values of the sensitive column are distributed in every class as in the table, up to a
    distance t. distance: equal (all values are equally far from each other) or ordered (numbers; the
    earth mover's distance over their ranks). Returns the classes that are farther away. -#}
{% test t_close(model, quasi, sensitive, t, distance="equal") %}
{{- mingle.require_columns(quasi) }}{{ mingle.require(t is number and t >= 0 and t <= 1, "t is no number from 0 to 1") }}
{{- mingle.require(distance in ["equal", "ordered"], "distance is neither equal nor ordered") }}
with cells as (
    select {{ mingle.quasi_cells(quasi) }}, {{ mingle.value(sensitive) }} as s from {{ model }}
),
of_class as (
    select {{ mingle.quasi_names(quasi) }}, count(*) as n_rows from cells
    group by {{ mingle.quasi_names(quasi) }}
),
of_value as (
    select s, count(*) as n_rows from cells group by s
),
of_both as (
    select {{ mingle.quasi_names(quasi) }}, s, count(*) as n_rows from cells
    group by {{ mingle.quasi_names(quasi) }}, s
),
whole as (
    select count(*) as n_rows, count(distinct s) + max(case when s is null then 1 else 0 end) as n_values
    from cells
),
{%- if distance == "equal" %}
distances as (
    select {{ mingle.quasi_names(quasi, "a.") }}, a.n_rows,
        sum(case when b.n_rows * whole.n_rows > v.n_rows * a.n_rows
            then cast(b.n_rows * whole.n_rows - v.n_rows * a.n_rows as {{ dbt.type_float() }})
            else 0 end)
        / max(cast(a.n_rows as {{ dbt.type_float() }}) * whole.n_rows) as distance
    from of_class a
    join of_both b on {{ mingle.same_class(quasi) }}
    join of_value v on v.s = b.s or (v.s is null and b.s is null)
    cross join whole
    group by {{ mingle.quasi_names(quasi, "a.") }}, a.n_rows
)
{%- else %}
ranks as (
    select s, n_rows, cast(s as {{ dbt.type_float() }}) as position from of_value
),
steps as (
    select {{ mingle.quasi_names(quasi, "a.") }}, a.n_rows as class_rows, ranks.position,
        ranks.n_rows as value_rows,
        coalesce((select sum(b.n_rows) from of_both b
                  where {{ mingle.same_class(quasi) }} and b.s = ranks.s), 0) as both_rows
    from of_class a cross join ranks
),
sums as (
    select {{ mingle.quasi_names(quasi) }}, class_rows,
        sum(both_rows) over (partition by {{ mingle.quasi_names(quasi) }} order by position
                             rows between unbounded preceding and current row) as both_below,
        sum(value_rows) over (partition by {{ mingle.quasi_names(quasi) }} order by position
                              rows between unbounded preceding and current row) as value_below
    from steps
),
distances as (
    select {{ mingle.quasi_names(quasi) }}, class_rows as n_rows,
        sum(abs(cast(both_below * whole.n_rows - value_below * class_rows as {{ dbt.type_float() }})))
        / max(cast(class_rows as {{ dbt.type_float() }}) * whole.n_rows
              * case when whole.n_values > 1 then whole.n_values - 1 else 1 end) as distance
    from sums cross join whole
    group by {{ mingle.quasi_names(quasi) }}, class_rows
)
{%- endif %}
select * from distances where distance > {{ t }} + 1e-12
{% endtest %}
