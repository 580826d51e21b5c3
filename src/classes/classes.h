/* classes: the frequency list, and the classes that a recoding makes of it.
 *
 * The list holds each distinct quasi-identifier tuple once, with its count and, per sensitive
 * attribute, a sparse histogram. Everything after reading works on it; rows matter again only when
 * the release is written. */
#ifndef MGL_CLASSES_H
#define MGL_CLASSES_H

#include "hierarchy/hierarchy.h"
#include "table/table.h"

/* How the cells of a tuple lie in a key of one or more 64-bit words: the first attribute
 * in the highest bits, so that the order of keys is the order of tuples. */
typedef struct mgl_packing {
    size_t n_attributes, n_words;
    struct {
        uint32_t word;
        uint8_t shift, bits;
    } * fields; /* [n_attributes] */
} mgl_packing;

/* n_values[a]: cells of a are 0..n_values[a]-1. Free with mgl_packing_free. */
mgl_status mgl_packing_init(mgl_packing *packing, const uint32_t *n_values, size_t n_attributes,
                            mgl_error *err);
void mgl_packing_free(mgl_packing *packing);

static inline uint32_t mgl_packing_cell(const mgl_packing *packing, const uint64_t *key, size_t a)
{
    uint64_t mask = (UINT64_C(1) << packing->fields[a].bits) - 1;
    return (uint32_t)(key[packing->fields[a].word] >> packing->fields[a].shift & mask);
}

/* Histograms of one sensitive attribute: those of tuple t lie at start[t]..start[t+1]. */
typedef struct mgl_sparse {
    uint32_t n_values; /* size of the attribute's dictionary */
    size_t *start;     /* [n_tuples + 1] */
    uint32_t *values;
    uint64_t *counts;
} mgl_sparse;

/* Persons with several rows (--entity). A person whose rows all lie in one tuple adds to
 * that tuple's count; one whose rows are spread over several tuples is carried as an id, so
 * that a class of these tuples counts it once. Where values count, each value of such a person has
 * an id of its own. */
typedef struct mgl_spread {
    size_t n_ids;     /* ids are below this */
    size_t *start;    /* [n_tuples + 1] */
    uint32_t *ids;    /* of tuple t at start[t]..start[t+1], ascending */
    uint32_t *values; /* the sensitive value of each id; NULL where only persons count */
} mgl_spread;

typedef struct mgl_persons {
    uint64_t n;           /* distinct persons */
    uint64_t *local;      /* [n_tuples] persons that are in this tuple only */
    mgl_spread spread;    /* the others */
    mgl_spread *by_value; /* [n_judged] the others, with each of their values */
} mgl_persons;

/* The joined view: a person's rows are one observation. The bundle of a person is the multiset of
 * the tuples of all its rows. Tuples of such a list differ by the bundles of the persons that have
 * them, so that several can have the same key. Persons, and their sensitive values, count at the
 * first tuple of their bundle and nowhere else: groups must hold all tuples of a bundle or none. */
typedef struct mgl_joined {
    size_t n_bundles;
    uint32_t *of_tuple;     /* [n_tuples] its bundle */
    uint64_t *persons;      /* [n_bundles] that have it */
    uint32_t *tuple_of_row; /* [rows of the table] */
} mgl_joined;

/* What rows weigh, by the values of one of the histograms that models are judged with: a row adds
 * of_value[its value] to the population of its group. */
typedef struct mgl_weighing {
    size_t histogram;
    uint64_t *of_value; /* NULL: rows weigh nothing */
    uint64_t unit;      /* the weight of a person */
    uint64_t total;     /* of all rows */
} mgl_weighing;

typedef struct mgl_remembered mgl_remembered;

typedef struct mgl_frequency_list {
    size_t n_attributes;
    const mgl_hierarchy **hierarchies; /* [n_attributes]; the hierarchies are borrowed */
    mgl_packing packing;               /* of leaves */
    size_t n_tuples;
    uint64_t *keys;   /* [n_tuples * packing.n_words], ascending */
    uint64_t *counts; /* [n_tuples] */
    uint64_t n_rows;  /* sum of the counts */
    bool regrouped;   /* some tuples are groups that rare ones were put into */
    size_t n_histograms;
    mgl_sparse *sensitive; /* [n_histograms] */
    /* Histograms of sensitive attributes come first, n_sensitive of them. The first n_judged are
     * in the groups that models see; a class label that is only measured comes after these. */
    size_t n_sensitive, n_judged;
    mgl_weighing weighing;
    /* The histogram, one of those that are judged, whose values are the sizes of the households of
     * rows, plus 1; 0: none is. */
    size_t household_sizes;
    mgl_persons *persons; /* NULL: every row is a person of its own. Otherwise the sensitive
                             histograms count persons that are in one tuple only. */
    mgl_joined *joined;   /* NULL: rows are looked at one by one. Otherwise there are persons. */
    mgl_remembered *remembered; /* the tuples of the rows; NULL: not known */
} mgl_frequency_list;

/* How many bits tell n numbers apart. */
static inline unsigned mgl_bits_for(uint64_t n)
{
    return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

static inline uint32_t mgl_list_leaf(const mgl_frequency_list *list, size_t tuple, size_t a)
{
    return mgl_packing_cell(&list->packing, list->keys + tuple * list->packing.n_words, a);
}

/* One quasi-identifier column of a table, bound to its hierarchy. */
typedef struct mgl_bound_column {
    const mgl_column *column;
    const mgl_hierarchy *hierarchy;
    const uint32_t *leaf_of_code; /* [size of the dictionary] */
} mgl_bound_column;

/* What is counted of which rows. */
typedef struct mgl_count_request {
    const mgl_bound_column *quasi; /* [n_quasi] */
    size_t n_quasi;
    const mgl_column *const *counted; /* [n_counted] columns that get a histogram */
    size_t n_counted;
    size_t n_sensitive; /* the first so many of these are sensitive */
    size_t n_rows;
    const uint64_t *times; /* [n_rows] how often a row counts; NULL: once */
    bool remember; /* the tuples of rows will be asked for; 4 bytes for each row, where several
                      threads count */
} mgl_count_request;

/* Counts the distinct tuples of all rows. Free with mgl_frequency_list_free. */
mgl_status mgl_frequency_list_new(const mgl_count_request *request, mgl_pool *pool, mgl_error *err,
                                  mgl_frequency_list **out);
void mgl_frequency_list_free(mgl_frequency_list *list);

/* Makes a list weigh its rows by that histogram, one of those that are judged; takes over
 * of_value. */
void mgl_frequency_list_weigh(mgl_frequency_list *list, size_t histogram, uint64_t *of_value,
                              uint64_t unit);
/* What the rows of a tuple weigh together. */
uint64_t mgl_list_weight(const mgl_frequency_list *list, size_t tuple);

/* Makes a fresh list count persons instead of rows: entity is the person of each of the
 * n_rows rows. */
mgl_status mgl_frequency_list_persons(mgl_frequency_list *list, const mgl_bound_column *quasi,
                                      const mgl_column *const *counted, const mgl_column *entity,
                                      size_t n_rows, mgl_error *err);

/* The same in the joined view. */
mgl_status mgl_frequency_list_join(mgl_frequency_list *list, const mgl_bound_column *quasi,
                                   const mgl_column *const *counted, const mgl_column *entity,
                                   size_t n_rows, mgl_error *err);

/* Adds the counts of more, which has the same hierarchies and sensitive attributes. */
mgl_status mgl_frequency_list_merge(mgl_frequency_list *list, const mgl_frequency_list *more,
                                    mgl_error *err);

/* Groups tuples rarer than `least` rows with every attribute one level up, those of them that are
 * still rarer two levels up, and so on; what is left at the tops is one group, however rare. An
 * attribute stays at its top when others are higher. leaves[a][t] are then the leaves of the group
 * that tuple t is in: stand-ins, which the hierarchies must have, or its own. The list stays as it
 * is; the arrays are the caller's. */
mgl_status mgl_regroup_rare(const mgl_frequency_list *list, uint64_t least, mgl_error *err,
                            uint32_t *const *leaves);

/* The tuple of each of the rows first..first+n-1. */
typedef struct mgl_tuple_finder mgl_tuple_finder;
/* Free with mgl_tuple_finder_free. Borrows the list and the columns. */
mgl_status mgl_tuple_finder_new(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                mgl_error *err, mgl_tuple_finder **out);
/* The same, made by several threads. */
mgl_status mgl_tuple_finder_share(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                  mgl_pool *pool, mgl_error *err, mgl_tuple_finder **out);
void mgl_tuple_finder_free(mgl_tuple_finder *finder);
void mgl_tuple_find(const mgl_tuple_finder *finder, size_t first, size_t n, uint32_t *out);
/* The same where the rows may have to be brought into memory first. */
mgl_status mgl_tuple_reach(const mgl_tuple_finder *finder, size_t first, size_t n, mgl_error *err,
                           uint32_t *out);

/* Does the list know the tuples of the rows of these columns? It was counted from them then. */
bool mgl_list_remembers(const mgl_frequency_list *list, const mgl_bound_column *quasi);
/* Returns them as mgl_tuple_find does. */
void mgl_list_recall(const mgl_frequency_list *list, size_t first, size_t n, uint32_t *out);

/* The classes that cells make of tuples: equal cells, same class. Classes are numbered
 * in the order of their first tuple. Reusable without allocating again. */
typedef struct mgl_classes {
    size_t n_tuples, n_classes;
    uint32_t *of_tuple; /* [n_tuples] */
    uint64_t *sizes;    /* [n_classes] rows */
    uint32_t *first;    /* [n_classes] first tuple */
    /* scratch */
    uint64_t *keys;
    size_t key_words;
    uint32_t *slots;
    size_t n_slots;
} mgl_classes;

/* Room for lists of n_tuples tuples of n_attributes attributes. */
mgl_status mgl_classes_init(mgl_classes *classes, size_t n_tuples, size_t n_attributes,
                            mgl_error *err);
void mgl_classes_free(mgl_classes *classes);
/* The same classes, without room to group again. */
mgl_status mgl_classes_copy(const mgl_classes *from, mgl_error *err, mgl_classes *out);
/* From now on so many tuples, at most as many as there is room for. */
void mgl_classes_fit(mgl_classes *classes, size_t n_tuples);

/* Groups the tuples by cells[a][t] of the attributes named in attributes (NULL: all).
 * counts[t] rows each. n_values[a] bounds the cells of attribute a. */
void mgl_classes_group(mgl_classes *classes, uint32_t *const *cells, const uint32_t *n_values,
                       const uint32_t *attributes, size_t n_attributes, const uint64_t *counts);

/* What mgl_classes_group takes. */
typedef struct mgl_cells_to_group {
    uint32_t *const *cells;
    const uint32_t *n_values, *attributes;
    size_t n_attributes;
    const uint64_t *counts;
} mgl_cells_to_group;

/* The same by all threads of the pool, which must not be in use meanwhile. */
void mgl_classes_group_shared(mgl_classes *classes, const mgl_cells_to_group *cells,
                              mgl_pool *pool);

/* Makes joined classes of classes, for a list of the joined view: persons are in one if the rows of
 * each of them are in the same classes, as many in each. */
typedef struct mgl_joiner mgl_joiner;
/* Free with mgl_joiner_free. Borrows the list, whose tuples may become others, but not more. */
mgl_status mgl_joiner_new(const mgl_frequency_list *list, mgl_error *err, mgl_joiner **out);
void mgl_joiner_free(mgl_joiner *joiner);
/* The classes become the joined ones, in the order of their first tuples. */
void mgl_classes_join(mgl_joiner *joiner, mgl_classes *classes);
/* The same once, whatever room the classes have; they stay as they are if rows of the list are
 * looked at one by one. */
mgl_status mgl_classes_as_judged(const mgl_frequency_list *list, mgl_error *err,
                                 mgl_classes *classes);

/* The groups of a partition one after another, with the histograms that models judge.
 * Members are gathered once for all classes, then each class is summed up on demand. */
typedef struct mgl_group_maker mgl_group_maker;
/* Free with mgl_group_maker_free. Borrows the list. */
mgl_status mgl_group_maker_new(const mgl_frequency_list *list, mgl_error *err,
                               mgl_group_maker **out);
void mgl_group_maker_free(mgl_group_maker *maker);
/* Takes a partition, which is not needed afterwards: the number of the group of each tuple, or
 * MGL_NOT_FOUND for none. */
void mgl_group_maker_partition(mgl_group_maker *maker, const uint32_t *group_of_tuple,
                               size_t n_groups);
/* Where groups are numbers of rows and nothing else: these numbers, to be filled in instead of
 * taking a partition. Else NULL. */
uint64_t *mgl_group_maker_rows(mgl_group_maker *maker);
/* One of the groups; it lives until the next call. */
const mgl_group *mgl_group_maker_group(mgl_group_maker *maker, size_t number);
/* The group of these tuples, each given once; it lives until the next call, and the partition
 * is forgotten. */
const mgl_group *mgl_group_maker_gather(mgl_group_maker *maker, const uint32_t *tuples, size_t n);

/* A group that tuples join one by one, of a list without persons. */
typedef struct mgl_running_group mgl_running_group;
/* Free with mgl_running_group_free. Borrows the list. */
mgl_status mgl_running_group_new(const mgl_frequency_list *list, mgl_error *err,
                                 mgl_running_group **out);
void mgl_running_group_free(mgl_running_group *group);
/* How many values a group counts: what a look at it takes. */
size_t mgl_running_group_values(const mgl_frequency_list *list);
void mgl_running_group_join(mgl_running_group *group, uint32_t tuple);
/* The group as it is, and as it would be with the tuple; it lives until the next call. */
const mgl_group *mgl_running_group_now(mgl_running_group *group);
const mgl_group *mgl_running_group_with(mgl_running_group *group, uint32_t tuple);

#endif
