/* Judges what a column is from its profile. docs/risk.md lists the judgements with their
 * thresholds. The leak guard, advice and suggestions ask here, so that they agree. */
#include "profile/profile.h"

#include <math.h>

static uint64_t rows_with_value(const mgl_profile *p)
{
    return p->rows > p->missing ? p->rows - p->missing : 0;
}

double mgl_profile_alone_share(const mgl_profile *p)
{
    uint64_t rows = rows_with_value(p);
    return rows == 0 ? 0 : fmin(1, (double)p->alone / (double)rows);
}

bool mgl_profile_is_constant(const mgl_profile *p)
{
    return p->distinct == 0 || (p->distinct == 1 && p->missing == 0);
}

bool mgl_profile_singles_out(const mgl_profile *p)
{
    return rows_with_value(p) >= MGL_FEWEST_JUDGED &&
           mgl_profile_alone_share(p) >= MGL_SINGLES_OUT_SHARE;
}

/* Estimates of a stream are not exact: a hundredth more or less is the same number. */
bool mgl_profile_counts_rows(const mgl_profile *p)
{
    uint64_t rows = rows_with_value(p);
    double run = p->shapes.high - p->shapes.low + 1;
    return p->kind == MGL_VALUE_INTEGER && rows >= MGL_FEWEST_COUNTED &&
           p->shapes.integers == p->shapes.values && mgl_profile_alone_share(p) >= 0.99 &&
           fabs(run - (double)rows) <= 0.01 * (double)rows;
}

/* Names of columns whose numbers nobody computes with. */
static const char nominal_words[] =
    "sex|gender|race|ethnicity|ethnic group|marital|marital status|civil status|hhcivil|"
    "relationship|relat|religion|party|region|state|province|district|county|country|nationality|"
    "citizenship|municipality|urbrur|occupation|profession|job|industry|workclass|department|"
    "diagnosis|type|category|group|code|status|geschlecht|familienstand|konfession|partei|"
    "bundesland|land|kreis|gemeinde|beruf|branche|sexe|pays|commune";

/* As many different values as a person would give codes to, and hardly any hole between them; more
 * where labels, zeros in front or the name of the column tell. */
bool mgl_profile_is_nominal(const mgl_profile *p)
{
    enum { MOST_NOMINAL = 5, WIDEST_NOMINAL = 10 };
    if (p->kind != MGL_VALUE_INTEGER || p->distinct > MGL_FEW_VALUES)
        return false;
    bool few = p->distinct <= MOST_NOMINAL && p->shapes.high - p->shapes.low < WIDEST_NOMINAL;
    bool told = p->labelled || p->shapes.padded > 0 || mgl_column_is_called(p->name, nominal_words);
    return few || told;
}

bool mgl_profile_is_number(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_DECIMAL || p->kind == MGL_VALUE_COMMA ||
           (p->kind == MGL_VALUE_INTEGER && !mgl_profile_is_nominal(p) && p->shapes.padded == 0);
}

bool mgl_profile_is_date(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_DATE || p->kind == MGL_VALUE_DATE_TIME;
}

bool mgl_profile_is_year(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_INTEGER && p->shapes.low >= 1850 && p->shapes.high <= 2150;
}

bool mgl_profile_is_measured(const mgl_profile *p)
{
    return p->content.times >= MGL_MOST_VALUES || p->content.measures;
}

bool mgl_profile_has_short_years(const mgl_profile *p)
{
    return mgl_profile_is_date(p) && 2 * p->shapes.short_years > p->shapes.values;
}

static bool speaks_of(const mgl_profile *p, mgl_topic_id topic)
{
    return p->topic != NULL && p->topic->id == topic;
}

bool mgl_profile_is_weight(const mgl_profile *p)
{
    bool number =
        p->kind == MGL_VALUE_INTEGER || p->kind == MGL_VALUE_DECIMAL || p->kind == MGL_VALUE_COMMA;
    return speaks_of(p, MGL_TOPIC_WEIGHT) && number && p->shapes.low > 0;
}

bool mgl_profile_is_household(const mgl_profile *p)
{
    return speaks_of(p, MGL_TOPIC_HOUSEHOLD) && p->distinct > 1;
}

/* Whole numbers that lie so near to each other that chance would make many of them equal, or that
 * all have the same five digits or more. */
static bool is_numbered(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    bool dense = s->high - s->low < 5 * (double)rows_with_value(p);
    bool equally_long = s->shortest == s->longest && s->longest >= 5;
    return p->kind == MGL_VALUE_INTEGER && (dense || equally_long || s->padded > 0);
}

bool mgl_profile_is_key(const mgl_profile *p)
{
    if (mgl_profile_counts_rows(p))
        return true;
    if (p->content.values > 0) {
        mgl_identity identity = mgl_profile_identity(p);
        return identity == MGL_IDENTITY_KEY || identity == MGL_IDENTITY_REPEATS;
    }
    return rows_with_value(p) >= MGL_FEWEST_JUDGED && mgl_profile_alone_share(p) >= MGL_KEY_SHARE &&
           (p->kind == MGL_VALUE_CODE || is_numbered(p));
}

bool mgl_profile_is_amount(const mgl_profile *p)
{
    return mgl_profile_is_number(p) &&
           (p->distinct > MGL_FEW_VALUES || mgl_profile_singles_out(p)) && !mgl_profile_is_key(p);
}

bool mgl_profile_can_differ(const mgl_profile *p)
{
    /* Missing cells are no value to models that ask for different ones, nor are codes for them. */
    double others = (double)(p->rows - p->missing) - (double)p->commonest;
    for (size_t i = 0; i < p->n_codes; i++)
        others -= p->codes[i].rows < p->commonest ? (double)p->codes[i].rows : 0;
    return p->values >= 2 + p->n_codes && others >= MGL_DIFFER_SHARE * (double)p->rows;
}
