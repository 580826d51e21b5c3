{#- Every row looks like at least k-1 others on the quasi-identifier. Returns the classes that are
    smaller. -#}
{% test k_anonymous(model, quasi, k) %}
{{- mingle.require_columns(quasi) }}{{ mingle.require(k is integer and k >= 1, "k is no whole number of at least 1") }}
select {{ mingle.quasi_names(quasi) }}, count(*) as n_rows
from (select {{ mingle.quasi_cells(quasi) }} from {{ model }}) cells
group by {{ mingle.quasi_names(quasi) }}
having count(*) < {{ k }}
{% endtest %}
