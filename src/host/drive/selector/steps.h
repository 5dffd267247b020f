/* The parsed form of a selector: steps and their conditions. */
#ifndef DEJANK_DRIVE_SELECTOR_STEPS_H
#define DEJANK_DRIVE_SELECTOR_STEPS_H

#include <regex.h>

#include "drive/ui_tree.h"

enum {
    DJ_SELECTOR_STEPS_MAX = 16,
    DJ_SELECTOR_TERMS_MAX = 16 /* in one step */
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
    unsigned flag; /* DJ_HOW_FLAG */
    char *value;   /* owned; NULL for flags */
    regex_t regex; /* DJ_HOW_REGEX */
};

/* The relation between the views of two steps. */
enum dj_selector_axis {
    DJ_AXIS_ANYWHERE, /* the first step */
    DJ_AXIS_CHILD,
    DJ_AXIS_DESCENDANT,
    DJ_AXIS_PARENT,
    DJ_AXIS_ANCESTOR
};

struct dj_selector_step {
    enum dj_selector_axis axis;
    struct dj_selector_term terms[DJ_SELECTOR_TERMS_MAX];
    size_t term_count; /* 0: any view */
    bool indexed;
    int index; /* index among the views that the step finds, from 0; negative: from the
                  end (−1 is the last) */
    size_t begin, end; /* bytes of the text */
};

struct dj_selector {
    char *text; /* owned */
    struct dj_selector_step steps[DJ_SELECTOR_STEPS_MAX];
    size_t step_count;
};

#endif
