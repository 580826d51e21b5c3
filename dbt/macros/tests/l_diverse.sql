{#- Every class has at least l different values of the sensitive column (distinct l-diversity);
    missing is none of them. Returns the classes that have fewer. -#}
{% test l_diverse(model, quasi, sensitive, l) %}
{{- mingle.require_columns(quasi) }}{{ mingle.require(l is integer and l >= 1, "l is no whole number of at least 1") }}
select {{ mingle.quasi_names(quasi) }}, count(*) as n_rows, count(distinct s) as n_values
from (select {{ mingle.quasi_cells(quasi) }}, {{ mingle.value(sensitive) }} as s from {{ model }}) cells
group by {{ mingle.quasi_names(quasi) }}
having count(distinct s) < {{ l }}
{% endtest %}
