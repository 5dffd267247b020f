/* Reads the maps of a plan. Each map has a table of its fields with the expected kinds of
 * values. Errors are reported with their position and what was expected. */
#ifndef DEJANK_PLAN_FIELDS_H
#define DEJANK_PLAN_FIELDS_H

#include "plan/tree.h"

enum dj_field_kind {
    /* The value is const char *, a text that is not empty. The tree owns the text. */
    DJ_FIELD_TEXT,
    DJ_FIELD_COUNT, /* The value is int64_t, a number from `least` to `most`. */
    /* The value is int64_t, a duration in ns, written as 10s, 1.5s, 200ms or 2m. A number
     * without a unit is in seconds. */
    DJ_FIELD_DURATION,
    /* The value is double, a rate above 0 in Hz, written as "120" or "120 Hz". */
    DJ_FIELD_RATE,
    DJ_FIELD_FLAG, /* The value is bool, written as true, false, yes, no, on or off. */
    /* The value is const struct dj_tree_node *, any node, which is not checked. */
    DJ_FIELD_NODE
};

struct dj_field {
    const char *name;
    enum dj_field_kind kind;
    size_t offset; /* Offset of the value in the struct that is filled. */
    /* Range of the value. For a duration only `least` is checked. */
    int64_t least, most;
    bool required;
};

/* The table of a map's fields. */
struct dj_field_table {
    const char *what; /* The object that the map describes, such as "a flow". */
    /* A hint with an example, for plans that have no map in this place. */
    const char *hint;
    const struct dj_field *fields;
    size_t count;
};

/* Reads the fields of a map into the struct `values`. Reports unknown keys, with the most
 * similar field, and missing required fields. If the node is not a map, reports a fault
 * and returns false. */
bool dj_fields_read(const struct dj_tree_node *map, const struct dj_field_table *table,
                    void *values, struct dj_plan_faults *faults);

/* Reports a node of the wrong kind: "expected a flow as a map, found 'tap'", and the
 * hint. */
void dj_fields_report_kind(const struct dj_tree_node *node, const char *expected,
                           const char *hint, struct dj_plan_faults *faults);

/* Writes "; did you mean 'x'?" with the most similar word. If no word is similar, writes
 * "; expected a, b or c". */
void dj_fields_suggest(const char *word, const char *const *words, size_t count,
                       char *buffer, size_t size);

/* Reads true, false, yes, no, on or off in upper or lower case. Returns false for any
 * other text. */
bool dj_fields_read_flag(const char *text, bool *value);

/* Describes a node in a message: returns the text of a scalar, or the kind of another
 * node. */
const char *dj_fields_describe_node(const struct dj_tree_node *node);

/* Returns the kind of a node for a message: "nothing" (no value), "a single value",
 * "a list" or "a map". */
const char *dj_fields_node_kind(const struct dj_tree_node *node);

#endif
