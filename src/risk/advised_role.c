/* Gives columns roles from their profiles, as a careful person would at first sight. What is not
 * known to be harmless counts as known to others: only columns without information are insensitive.
 */
#include "risk/risk.h"

#include <stdarg.h>
#include <stdio.h>

/* A rule gives a role with a reason and returns true, or returns false. */
typedef bool rule(const mgl_profile *profile, mgl_advice *out);

static bool MGL_PRINTF(3, 4) give(mgl_advice *out, mgl_role role, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out->role = role;
    vsnprintf(out->reason, sizeof out->reason, format, args);
    va_end(args);
    return true;
}

static unsigned percent(double share)
{
    return (unsigned)(100 * share + 0.5);
}

static bool is_text(const mgl_profile *p)
{
    return p->kind == MGL_VALUE_CODE || p->kind == MGL_VALUE_CATEGORY ||
           p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_TEXT;
}

static mgl_role role_of(const mgl_topic *topic)
{
    static const mgl_role roles[MGL_TOPICS] = {
        [MGL_TOPIC_HEALTH] = MGL_ROLE_SENSITIVE,  [MGL_TOPIC_MONEY] = MGL_ROLE_SENSITIVE,
        [MGL_TOPIC_PRIVATE] = MGL_ROLE_SENSITIVE, [MGL_TOPIC_POSTCODE] = MGL_ROLE_QUASI,
        [MGL_TOPIC_PLACE] = MGL_ROLE_QUASI,       [MGL_TOPIC_AGE] = MGL_ROLE_QUASI,
        [MGL_TOPIC_BIRTH] = MGL_ROLE_QUASI,       [MGL_TOPIC_BODY] = MGL_ROLE_QUASI,
        [MGL_TOPIC_FAMILY] = MGL_ROLE_QUASI,      [MGL_TOPIC_WORK] = MGL_ROLE_QUASI,
        [MGL_TOPIC_EVENT] = MGL_ROLE_QUASI,       [MGL_TOPIC_NOTICED] = MGL_ROLE_QUASI,
        [MGL_TOPIC_WEIGHT] = MGL_ROLE_NONE,       [MGL_TOPIC_HOUSEHOLD] = MGL_ROLE_NONE,
        [MGL_TOPIC_PERSON] = MGL_ROLE_IDENTIFIER,
    };
    return topic != NULL ? roles[topic->id] : MGL_ROLE_NONE;
}

/* A column whose content identifies is not released, whatever it is called. */
static bool identifies(const mgl_profile *p, mgl_advice *out)
{
    unsigned alone = percent(mgl_profile_alone_share(p));
    switch (mgl_profile_identity(p)) {
    case MGL_IDENTITY_CONTACT:
        return give(out, MGL_ROLE_IDENTIFIER, "its values look like %s", p->looks->name);
    case MGL_IDENTITY_PERSON:
        return give(out, MGL_ROLE_IDENTIFIER, "its values have the form of names of persons");
    case MGL_IDENTITY_ADDRESS:
        return give(out, MGL_ROLE_IDENTIFIER, "its values look like addresses");
    case MGL_IDENTITY_KEY:
        return give(out, MGL_ROLE_IDENTIFIER,
                    "%s without a scale, and %u %% of the rows are alone with theirs: a key",
                    mgl_value_kind_name(p->kind), alone);
    case MGL_IDENTITY_TEXT:
        return give(out, MGL_ROLE_IDENTIFIER, "%s, and %u %% of the rows are alone with theirs",
                    p->kind == MGL_VALUE_TEXT ? "free text, which can name persons"
                                              : mgl_value_kind_name(p->kind),
                    alone);
    case MGL_IDENTITY_REPEATS:
        return give(out, MGL_ROLE_IDENTIFIER,
                    "%s, %llu different with a few rows each, as keys of persons are",
                    mgl_value_kind_name(p->kind), (unsigned long long)p->distinct);
    default:
        return false;
    }
}

static bool is_constant(const mgl_profile *p, mgl_advice *out)
{
    return mgl_profile_is_constant(p) && p->named == NULL && p->looks == NULL &&
           give(out, MGL_ROLE_INSENSITIVE,
                p->distinct == 0 ? "no values: it says nothing about anyone"
                                 : "the same value in all rows: it says nothing about anyone");
}

static bool is_weight(const mgl_profile *p, mgl_advice *out)
{
    return mgl_profile_is_weight(p) &&
           give(out, MGL_ROLE_IDENTIFIER,
                "its name suggests sampling weights, which disclose the stratum and are not "
                "released; `risk` uses them (`weight`)");
}

static bool is_household(const mgl_profile *p, mgl_advice *out)
{
    return mgl_profile_is_household(p) &&
           give(out, MGL_ROLE_IDENTIFIER, "its name suggests %s; `risk` uses them (`household`)",
                p->topic->what);
}

static bool counts_rows(const mgl_profile *p, mgl_advice *out)
{
    return mgl_profile_counts_rows(p) && role_of(p->topic) != MGL_ROLE_QUASI &&
           give(out, MGL_ROLE_IDENTIFIER, "it counts the rows");
}

/* What others can know takes precedence: whatever the values are, they are generalized. */
static bool has_known_topic(const mgl_profile *p, mgl_advice *out)
{
    return role_of(p->topic) == MGL_ROLE_QUASI &&
           give(out, MGL_ROLE_QUASI, "its name suggests %s, which others may know", p->topic->what);
}

static bool is_named_identifier(const mgl_profile *p, mgl_advice *out)
{
    bool answers = p->distinct <= 3 && p->rows >= MGL_FEWEST_JUDGED; /* member: yes, no */
    if (role_of(p->topic) == MGL_ROLE_IDENTIFIER && !answers)
        return give(out, MGL_ROLE_IDENTIFIER, "its name suggests %s", p->topic->what);
    return p->named != NULL && role_of(p->topic) == MGL_ROLE_NONE &&
           give(out, MGL_ROLE_IDENTIFIER, "its name suggests %s", p->named->name);
}

static bool is_alone_text(const mgl_profile *p, mgl_advice *out)
{
    double share = mgl_profile_alone_share(p);
    return is_text(p) && share >= MGL_SINGLES_OUT_SHARE && !mgl_profile_is_measured(p) &&
           give(out, MGL_ROLE_IDENTIFIER, "%s, and %u %% of the rows are alone with theirs",
                p->kind == MGL_VALUE_TEXT ? "free text, which can name persons"
                                          : mgl_value_kind_name(p->kind),
                percent(share));
}

/* Many different words are no amounts, nor classes of them. */
static bool is_words_for_money(const mgl_profile *p)
{
    return p->topic != NULL && p->topic->id == MGL_TOPIC_MONEY && is_text(p) &&
           p->distinct > MGL_FEW_VALUES && !mgl_profile_is_measured(p) &&
           p->content.single_words + p->content.full_names >= MGL_MOST_VALUES;
}

static bool has_sensitive_topic(const mgl_profile *p, mgl_advice *out)
{
    return role_of(p->topic) == MGL_ROLE_SENSITIVE && !is_words_for_money(p) &&
           give(out, MGL_ROLE_SENSITIVE, "its name suggests %s, which is confidential",
                p->topic->what);
}

static bool is_date(const mgl_profile *p, mgl_advice *out)
{
    return mgl_profile_is_date(p) &&
           give(out, MGL_ROLE_QUASI, "%s, which others may know", mgl_value_kind_name(p->kind));
}

static bool singles_out(const mgl_profile *p, mgl_advice *out)
{
    return mgl_profile_singles_out(p) &&
           give(out, MGL_ROLE_QUASI,
                "%s, and %u %% of the rows are alone with theirs: anyone who knows one knows the "
                "row",
                mgl_value_kind_name(p->kind), percent(mgl_profile_alone_share(p)));
}

static bool is_doubtful(const mgl_profile *p, mgl_advice *out)
{
    out->doubtful = true;
    if (p->distinct <= MGL_FEW_VALUES)
        return give(out, MGL_ROLE_QUASI,
                    "few values (%llu), which others may know; decide yourself",
                    (unsigned long long)p->distinct);
    return give(out, MGL_ROLE_QUASI, "%s, %llu different, which others may know; decide yourself",
                mgl_value_kind_name(p->kind), (unsigned long long)p->distinct);
}

mgl_advice mgl_advise(const mgl_profile *profile)
{
    static rule *const rules[] = {
        is_constant,         is_weight,       is_household,        identifies,
        counts_rows,         has_known_topic, is_named_identifier, is_alone_text,
        has_sensitive_topic, is_date,         singles_out,         is_doubtful,
    };
    mgl_advice advice = {.role = MGL_ROLE_NONE};
    for (size_t i = 0; advice.role == MGL_ROLE_NONE; i++)
        rules[i](profile, &advice);
    return advice;
}
