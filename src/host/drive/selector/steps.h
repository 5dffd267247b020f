/* The parsed form of a selector: a list of steps, each with conditions on one view. */
#ifndef DEJANK_DRIVE_SELECTOR_STEPS_H
#define DEJANK_DRIVE_SELECTOR_STEPS_H

#include <regex.h>

#include "drive/ui_tree.h"

enum {
    DJ_SELECTOR_STEPS_MAX = 16,
    DJ_SELECTOR_TERMS_MAX = 16 /* Maximum number of conditions in one step. */
};

enum dj_selector_comparison {
    DJ_HOW_EXACT,
    DJ_HOW_STARTS,
    DJ_HOW_ENDS,
    DJ_HOW_CONTAINS,
    DJ_HOW_REGEX,
    DJ_HOW_FLAG
};

struct dj_selector_term {
    bool not ;
    enum dj_selector_comparison how;
    enum dj_ui_field field;
    unsigned flag; /* The bit of dj_ui_node.flags, for DJ_HOW_FLAG. */
    /* The value to compare with, or NULL for DJ_HOW_FLAG. Owned by this struct. */
    char *value;
    regex_t regex; /* The compiled value, for DJ_HOW_REGEX. */
};

/* The relation between the views of two steps. */
enum dj_selector_axis {
    DJ_AXIS_ANYWHERE, /* Any view in the tree. Only the first step has this axis. */
    DJ_AXIS_CHILD,
    DJ_AXIS_DESCENDANT,
    DJ_AXIS_PARENT,
    DJ_AXIS_ANCESTOR
};

struct dj_selector_step {
    enum dj_selector_axis axis;
    struct dj_selector_term terms[DJ_SELECTOR_TERMS_MAX];
    size_t term_count; /* Number of terms. If it is 0, any view matches. */
    bool indexed;
    /* Index among the views that the step finds, from 0. Negative numbers count from the
     * end, where −1 is the last view. */
    int index;
    size_t begin, end; /* Range of the step in the text of the selector, in bytes. */
};

struct dj_selector {
    char *text; /* The text that was parsed. Owned by this struct. */
    struct dj_selector_step steps[DJ_SELECTOR_STEPS_MAX];
    size_t step_count;
};

#endif
