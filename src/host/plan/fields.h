/* Reading maps of a plan by tables of their keys: each value's kind is checked, and what
 * is wrong is reported with its place and what was expected. Private to this module.
 */
#ifndef DEJANK_PLAN_FIELDS_H
#define DEJANK_PLAN_FIELDS_H

#include "plan/tree.h"

enum dj_field_kind {
    DJ_FIELD_TEXT,     /* const char *, the tree's; not empty */
    DJ_FIELD_COUNT,    /* int64_t of least … most */
    DJ_FIELD_DURATION, /* int64_t ns: 10s, 1.5s, 200ms, 2m; a bare number is seconds */
    DJ_FIELD_RATE,     /* double > 0: Hz, "120", "120 Hz" */
    DJ_FIELD_FLAG,     /* bool: true, false, yes, no, on, off */
    DJ_FIELD_NODE      /* const struct dj_tree_node *: looked at by its reader */
};

struct dj_field {
    const char *name;
    enum dj_field_kind kind;
    size_t offset;       /* in the reader's struct */
    int64_t least, most; /* of a duration only the least counts */
    bool required;
};

/*
 * Fills `values` from a map. A key that is in no row is a fault that names the nearest
 * one; keys that lack are faults where they are required. `what` is what the map
 * describes: "a flow". False: it is no map at all (told).
 */
bool dj_fields_read(const struct dj_tree_node *map, const char *what,
                    const struct dj_field *fields, size_t count, void *values,
                    struct dj_plan_faults *faults);

/* ", did you mean 'x'?" of the nearest of some words, or "; expected a, b or c". */
void dj_words_near(const char *word, const char *const *words, size_t count, char *buffer,
                   size_t size);

/* True, false, yes, no, on or off, whatever its case. False: it is none of them. */
bool dj_flag_read(const char *text, bool *value);

/* What stands there, for messages: a text itself, of others their kind. */
const char *dj_node_shown(const struct dj_tree_node *node);

/* "a text", "a list", "a map": as messages name what stands there. */
const char *dj_node_kind(const struct dj_tree_node *node);

#endif
