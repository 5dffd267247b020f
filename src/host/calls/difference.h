/*
 * Finds the functions in which janky frames spent more time than smooth frames.
 *
 * Each node of the call tree has a mean time per janky frame and per smooth frame,
 * including its callees. D is the difference, and S is the time in smooth frames. The
 * result is a cut through the tree: a set of nodes, none below another, with the largest
 * sum of D − 0.4·S. The penalty keeps the cut away from `main`, which contains all extra
 * time but also all usual time. The cut goes from a node to its callees only if that
 * gains more than chance, and 2 %. It must gain up to 20 % if the callees have other
 * callers, too, because shared callees would split the time of the function that calls
 * them.
 *
 * A function is reported if its D is more than three standard errors of the smooth frames
 * and at least 10 % of the whole difference. The standard error of the janky frames is
 * not used for this: if janky frames have different causes, it is large for each of them.
 */
#ifndef DEJANK_CALLS_DIFFERENCE_H
#define DEJANK_CALLS_DIFFERENCE_H

#include "calls/tree.h"

enum {
    DJ_CALLS_FRAMES_LEAST = 5, /* Fewer frames on a side are too few. */
    DJ_CALLS_CAUSES_MAX = 8    /* Maximum number of functions in a result. */
};

struct dj_calls_sample {
    uint32_t frame; /* Number of the frame. Janky frames come first. */
    uint32_t node;  /* Innermost node of the stack. */
    int64_t ns;     /* Time that the sample represents. */
    bool guessed;   /* True if a part of the stack is a guess of the unwinder. */
};

/* The samples of janky and smooth frames. */
struct dj_calls_sides {
    const struct dj_calls_tree *tree;
    const struct dj_calls_sample *samples; /* In any order. */
    size_t sample_count;
    /* Frames 0 to janky_count − 1 are janky, and the next smooth_count frames are smooth.
     * A frame may have no samples. */
    size_t janky_count, smooth_count;
};

/* A function in which janky frames spent more time. */
struct dj_calls_cause {
    uint32_t function; /* Index in tree->functions. */
    /* The node of the function that has the largest part of the extra time. */
    uint32_t node;
    /* The outermost and the innermost node of the chain that has the same samples as
     * `node`: functions that are only called by each other. Often both are `node`. */
    uint32_t chain_first, chain_last;
    /* Mean extra time per janky frame, and its 95 % confidence interval. */
    double extra_ns, low_ns, high_ns;
    size_t samples; /* Number of samples in janky frames. */
    /* Share of these samples whose innermost function has a symbol, and share whose stack
     * is partly a guess. From 0 to 1. */
    double named, guessed;
    /* Number of janky frames in which the function took at least half of extra_ns more
     * than its mean in smooth frames. */
    size_t frames;
    uint32_t worst_frame; /* The janky frame in which the function took longest. */
    double worst_ns;      /* Its time in this frame. */
};

struct dj_calls_difference {
    /* Functions, sorted by extra_ns, the largest first. */
    struct dj_calls_cause causes[DJ_CALLS_CAUSES_MAX];
    size_t cause_count;
    /* For each node, the mean time per frame, including callees. Owned. */
    double *janky_ns, *smooth_ns;
    size_t node_count;
    double excess_ns; /* Difference of the mean times of all samples. */
    /* True if there are fewer than DJ_CALLS_FRAMES_LEAST janky or smooth frames. There
     * are then no causes. */
    bool too_few_janky, too_few_smooth;
};

/* Computes the difference. Overwrites *result. */
void dj_calls_difference_compute(const struct dj_calls_sides *sides,
                                 struct dj_calls_difference *result);
void dj_calls_difference_finish(struct dj_calls_difference *result);

#endif
