/* Reads the maps of a plan with tables of their keys. Checks the kind of each value.
 * Reports each error with its position and with what was expected. */
#ifndef DEJANK_PLAN_FIELDS_H
#define DEJANK_PLAN_FIELDS_H

#include "plan/tree.h"

enum dj_field_kind {
    DJ_FIELD_TEXT,     /* const char *, owned by the tree; not empty */
    DJ_FIELD_COUNT,    /* int64_t from least to most */
    DJ_FIELD_DURATION, /* int64_t ns: 10s, 1.5s, 200ms, 2m; a number without unit is
                        * seconds */
    DJ_FIELD_RATE,     /* double > 0: Hz, "120", "120 Hz" */
    DJ_FIELD_FLAG,     /* bool: true, false, yes, no, on, off */
    DJ_FIELD_NODE      /* const struct dj_tree_node *, not checked */
};

struct dj_field {
    const char *name;
    enum dj_field_kind kind;
    size_t offset;       /* in the struct that is filled */
    int64_t least, most; /* a duration checks only `least` */
    bool required;
};

/* Fills `values` from a map. Reports unknown keys, with the most similar known key,
 * and required keys that are missing. `what` names what the map describes: "a flow".
 * Reports a fault and returns false if the node is not a map. */
bool dj_fields_read(const struct dj_tree_node *map, const char *what,
                    const struct dj_field *fields, size_t count, void *values,
                    struct dj_plan_faults *faults);

/* Writes ", did you mean 'x'?" with the most similar word, or "; expected a, b or c". */
void dj_fields_suggest(const char *word, const char *const *words, size_t count,
                       char *buffer, size_t size);

/* Reads true, false, yes, no, on or off in upper or lower case. Returns false for
 * other text. */
bool dj_fields_read_flag(const char *text, bool *value);

/* Describes a node for messages: the text of a scalar, otherwise its kind. */
const char *dj_fields_describe_node(const struct dj_tree_node *node);

/* Returns the kind of a node for messages: "a text", "a list", "a map". */
const char *dj_fields_node_kind(const struct dj_tree_node *node);

#endif
