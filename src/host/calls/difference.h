/*
 * Finds the functions in which janky frames spent more time than smooth frames.
 *
 * Each node of the call tree has a mean time per janky frame and per smooth frame. An
 * explanation is a cut through the tree: a set of nodes, none below another. It claims
 * that everything at and below such a node took longer by the same ratio, and that
 * nothing else took longer. Its error is the sum of (difference − claim)² / (standard
 * error)² over all functions. The result is the explanation with the smallest error,
 * where each node costs as much as the square of three standard errors. So `main`
 * explains little, because most of its time did not become longer. A callee explains less
 * than its caller if other callees of this caller took longer, too.
 *
 * The time of a function that several functions call belongs to these callers, because
 * shared callees would split the time of the function that calls them. If the calls by
 * all of them take longer, the shared function itself may be in the cut. A function at
 * several nodes is one cause. A function that is in nearly all samples is never a cause
 * as a whole. If it explains most, no function stands out.
 *
 * Time in the kernel belongs to the function of the program that called the kernel. So
 * recordings with and without functions of the kernel have the same result.
 *
 * A function is reported if its difference is more than three standard errors of the
 * smooth frames and at least 10 % of the whole difference. The standard error of the
 * janky frames is not used for this: if janky frames have different causes, it is large
 * for each of them.
 */
#ifndef DEJANK_CALLS_DIFFERENCE_H
#define DEJANK_CALLS_DIFFERENCE_H

#include "calls/sides.h"

enum {
    /* Minimum number of frames on each side. With fewer frames, there is no result. */
    DJ_CALLS_FRAMES_LEAST = 5,
    DJ_CALLS_CAUSES_MAX = 8 /* Maximum number of functions in a result. */
};

/* A function in which janky frames spent more time than smooth frames. */
struct dj_calls_cause {
    uint32_t function; /* Index in tree->functions. */
    /* The node of this function that has the largest share of the extra time. */
    uint32_t node;
    /* The outermost and the innermost node of a chain of calls that contains `node`. All
     * nodes of the chain have the same samples, because each function calls only the next
     * one. Often both are `node`. */
    uint32_t chain_first, chain_last;
    /* Mean extra time per janky frame, and its 95 % confidence interval. */
    double extra_ns, low_ns, high_ns;
    size_t samples; /* Number of samples in janky frames. */
    /* Fraction of these samples whose innermost function has a symbol, and fraction whose
     * stack is partly a guess of the unwinder. From 0 to 1. */
    double named, guessed;
    /* Number of janky frames in which the function took at least half of extra_ns more
     * than its mean in smooth frames. */
    size_t frames;
    uint32_t worst_frame; /* The janky frame in which the function took longest. */
    double worst_ns;      /* Time of the function in worst_frame. */
};

struct dj_calls_difference {
    /* Functions, sorted by extra_ns, the largest first. */
    struct dj_calls_cause causes[DJ_CALLS_CAUSES_MAX];
    size_t cause_count;
    /* For each node, the mean time per janky and per smooth frame, including callees,
     * also those in the kernel. Owned by this struct. */
    double *janky_ns, *smooth_ns;
    size_t node_count;
    /* Mean time of a janky frame minus mean time of a smooth frame, summed over all
     * samples. */
    double excess_ns;
    /* True if there are fewer than DJ_CALLS_FRAMES_LEAST janky or smooth frames. There
     * are then no causes. */
    bool too_few_janky, too_few_smooth;
};

/* Compares the samples of janky frames with those of smooth frames, and sets *result to
 * the causes. Call dj_calls_difference_finish() to free *result. */
void dj_calls_difference_compute(const struct dj_calls_sides *sides,
                                 struct dj_calls_difference *result);
void dj_calls_difference_finish(struct dj_calls_difference *result);

#endif
