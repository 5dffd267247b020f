#include "calls/difference.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "stats/special.h"

/* The penalty of usual time, the number of standard errors of a cause, and its part of
 * the whole difference. Measured; see docs/attribution.md before changing one. */
static const double PENALTY = 0.4;
static const double ERRORS = 3;
static const double PART_LEAST = 0.1;

/* The gain that a step from a function to its callees needs: to callees that only it
 * calls, to callees that others call too, and in standard errors of the sampling. */
static const double GAIN_OWN = 0.02;
static const double GAIN_SHARED = 0.2;
static const double GAIN_ERRORS = 0.7;

/* A function is shared if less than this part of its time is at one node. */
static const double OWN_LEAST = 0.9;

/* A function that is in this part of all samples says nothing about where the time
 * went: all stacks have it in common, such as `main`. */
static const double IN_ALL = 0.95;

/* Two nodes have the same samples if their times differ by at most this part. */
static const double SAME = 0.02;

/* ---- times of nodes ---- */

struct work {
    const struct dj_calls_sides *sides;
    struct dj_calls_difference *result;
    double sample_ns;     /* Mean time of a sample. */
    double gain_least_ns; /* Smallest gain of a step that is not chance. */
    /* For each function, its time at all nodes. */
    double *function_ns;
    double *best;  /* For each node, the value of the best cut at or below it. */
    double *below; /* Sum of the values of the parts directly below the node. */
    /* The parts of `best` and `below` in functions that have several callers. */
    double *best_shared, *below_shared;
    double *self_d, *self_s; /* D and S of a node without its callees. */
    /* For each node, the index of its group plus 1, or 0. */
    uint32_t *group;
    bool *self_only; /* True if only the node's own time is in the cut. */
};

static double *create_numbers(size_t count)
{
    return dj_xcalloc(count > 0 ? count : 1, sizeof(double));
}

/* Sets the mean times of all nodes, including their callees. Callees have larger numbers
 * than their callers, so they are complete before them. */
static void compute_means(struct work *work)
{
    const struct dj_calls_sides *sides = work->sides;
    struct dj_calls_difference *result = work->result;
    double total_ns = 0;
    for (size_t i = 0; i < sides->sample_count; i++) {
        const struct dj_calls_sample *sample = &sides->samples[i];
        bool janky = sample->frame < sides->janky_count;
        (janky ? result->janky_ns : result->smooth_ns)[sample->node] +=
            (double)sample->ns /
            (double)(janky ? sides->janky_count : sides->smooth_count);
        total_ns += (double)sample->ns;
    }
    for (size_t i = result->node_count; i-- > 1;) {
        uint32_t parent = sides->tree->nodes[i].parent;
        result->janky_ns[parent] += result->janky_ns[i];
        result->smooth_ns[parent] += result->smooth_ns[i];
    }
    work->sample_ns = total_ns / (double)sides->sample_count;
    result->excess_ns =
        result->janky_ns[DJ_CALLS_ROOT] - result->smooth_ns[DJ_CALLS_ROOT];
}

/* ---- the cut ---- */

static bool is_in_all_stacks(const struct dj_calls_difference *result, uint32_t node)
{
    return result->janky_ns[node] >= IN_ALL * result->janky_ns[DJ_CALLS_ROOT] &&
           result->smooth_ns[node] >= IN_ALL * result->smooth_ns[DJ_CALLS_ROOT];
}

static double get_extra(const struct dj_calls_difference *result, uint32_t node)
{
    return result->janky_ns[node] - result->smooth_ns[node];
}

static double compute_value(const struct dj_calls_difference *result, uint32_t node)
{
    return is_in_all_stacks(result, node)
               ? 0
               : get_extra(result, node) - PENALTY * result->smooth_ns[node];
}

static double compute_self_value(const struct work *work, uint32_t node)
{
    double value = work->self_d[node] - PENALTY * work->self_s[node];
    return value > 0 ? value : 0;
}

/* Returns true if the cut goes below the node. The sum of the parts below is too large by
 * chance, because parts with a negative value are left out. If the function called shared
 * callees more often, the function is the better answer, so that a step to them needs
 * more gain. */
static bool goes_below(const struct work *work, uint32_t node)
{
    double value = compute_value(work->result, node);
    double below = work->below[node];
    if (value <= 0) {
        return below > 0;
    }
    double shared = below > 0 ? work->below_shared[node] / below : 0;
    double gain = GAIN_OWN + (GAIN_SHARED - GAIN_OWN) * shared;
    return below > (1 + gain) * value && below > value + work->gain_least_ns;
}

static double get_total(const struct dj_calls_difference *result, uint32_t node)
{
    return result->janky_ns[node] + result->smooth_ns[node];
}

static bool is_shared(const struct work *work, uint32_t node)
{
    uint32_t function = work->sides->tree->nodes[node].function;
    return get_total(work->result, node) < OWN_LEAST * work->function_ns[function];
}

/* Sets the value of the best cut of the node, whose callees are complete, and adds it to
 * the caller. */
static void compute_cut(struct work *work, uint32_t node)
{
    double value = compute_value(work->result, node);
    work->below[node] += compute_self_value(work, node);
    if (goes_below(work, node)) {
        work->best[node] = work->below[node];
        work->best_shared[node] = work->below_shared[node];
    } else if (value > 0) {
        work->best[node] = value;
        work->best_shared[node] =
            node != DJ_CALLS_ROOT && is_shared(work, node) ? value : 0;
    }
    if (node != DJ_CALLS_ROOT) {
        uint32_t parent = work->sides->tree->nodes[node].parent;
        work->below[parent] += work->best[node];
        work->below_shared[parent] += work->best_shared[node];
    }
}

/* Computes the value of the best cut of each node. */
static void compute_cuts(struct work *work)
{
    const struct dj_calls_difference *result = work->result;
    const struct dj_calls_node *nodes = work->sides->tree->nodes;
    for (size_t i = 0; i < result->node_count; i++) {
        work->self_d[i] = get_extra(result, (uint32_t)i);
        work->self_s[i] = result->smooth_ns[i];
    }
    for (size_t i = result->node_count; i-- > 1;) {
        work->self_d[nodes[i].parent] -= get_extra(result, (uint32_t)i);
        work->self_s[nodes[i].parent] -= result->smooth_ns[i];
        work->function_ns[nodes[i].function] += get_total(result, (uint32_t)i);
    }
    for (size_t i = result->node_count; i-- > 0;) {
        compute_cut(work, (uint32_t)i);
    }
}

/* ---- functions of the cut ---- */

struct group {
    uint32_t function, node;
    double extra_ns; /* Sum over the nodes of the group. */
    double node_extra_ns;
};

struct groups {
    struct group *all;
    size_t count;
};

static uint32_t add_to_group(struct groups *groups, uint32_t function, uint32_t node,
                             double extra_ns)
{
    size_t at = 0;
    while (at < groups->count && groups->all[at].function != function) {
        at++;
    }
    if (at == groups->count) {
        DJ_XPUSH(groups->all, groups->count,
                 (struct group){.function = function, .node = node});
    }
    struct group *group = &groups->all[at];
    group->extra_ns += extra_ns;
    if (extra_ns > group->node_extra_ns) {
        group->node = node;
        group->node_extra_ns = extra_ns;
    }
    return (uint32_t)at + 1;
}

/* Adds the parts of the cut to groups, one group for each function. Then gives the nodes
 * below them to the same group. */
static void find_groups(struct work *work, struct groups *groups)
{
    const struct dj_calls_tree *tree = work->sides->tree;
    bool *entered = dj_xcalloc(work->result->node_count, sizeof(*entered));
    for (size_t i = 0; i < work->result->node_count; i++) {
        uint32_t node = (uint32_t)i;
        uint32_t parent = tree->nodes[node].parent;
        bool is_root = node == DJ_CALLS_ROOT;
        if (!is_root && !work->self_only[parent]) {
            work->group[node] = work->group[parent];
        }
        if (work->group[node] != 0 || (!is_root && !entered[parent])) {
            continue;
        }
        entered[node] = goes_below(work, node);
        if (is_root || work->best[node] <= 0) {
            continue;
        }
        double self = compute_self_value(work, node);
        if (!entered[node]) {
            work->group[node] = add_to_group(groups, tree->nodes[node].function, node,
                                             get_extra(work->result, node));
        } else if (self > 0) {
            work->group[node] = add_to_group(groups, tree->nodes[node].function, node,
                                             work->self_d[node]);
            work->self_only[node] = true;
        }
    }
    free(entered);
}

/* ---- the result ---- */

/* The time of a group in each frame, and its samples in janky frames. */
struct observed {
    double *frame_ns;
    size_t samples, named, guessed;
};

static void observe(const struct work *work, uint32_t group, struct observed *observed)
{
    const struct dj_calls_sides *sides = work->sides;
    const struct dj_calls_tree *tree = sides->tree;
    for (size_t i = 0; i < sides->sample_count; i++) {
        const struct dj_calls_sample *sample = &sides->samples[i];
        if (work->group[sample->node] != group) {
            continue;
        }
        observed->frame_ns[sample->frame] += (double)sample->ns;
        if (sample->frame < sides->janky_count) {
            observed->samples++;
            observed->named += tree->functions[tree->nodes[sample->node].function].named;
            observed->guessed += sample->guessed;
        }
    }
}

struct moments {
    double mean, variance; /* The variance of the sample, with n − 1. */
};

static struct moments compute_moments(const double *values, size_t count)
{
    struct moments moments = {0, 0};
    for (size_t i = 0; i < count; i++) {
        moments.mean += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double apart = values[i] - moments.mean;
        moments.variance += apart * apart / (double)(count - 1);
    }
    return moments;
}

/* Returns the standard error of the difference if janky frames were smooth frames. The
 * variance is at least that of the sampling: a constant time has one sample more or less
 * in each frame, and smooth frames without any sample may only be lucky. */
static double compute_error(const struct work *work, struct moments smooth)
{
    double janky_count = (double)work->sides->janky_count;
    double smooth_count = (double)work->sides->smooth_count;
    double samples = smooth.mean / work->sample_ns;
    double least = (samples < 0.25 ? samples : 0.25) + 1 / smooth_count;
    least *= work->sample_ns * work->sample_ns;
    double variance = smooth.variance > least ? smooth.variance : least;
    return sqrt(variance * (1 / janky_count + 1 / smooth_count));
}

/* Sets the interval of Welch's test. */
static void set_interval(const struct work *work, struct dj_calls_cause *cause,
                         struct moments janky, struct moments smooth)
{
    double a = janky.variance / (double)work->sides->janky_count;
    double b = smooth.variance / (double)work->sides->smooth_count;
    double degrees = (a + b) * (a + b) /
                     (a * a / (double)(work->sides->janky_count - 1) +
                      b * b / (double)(work->sides->smooth_count - 1));
    double half = a + b > 0 ? sqrt(a + b) * dj_special_t_quantile(0.975, degrees) : 0;
    cause->low_ns = cause->extra_ns - half;
    cause->high_ns = cause->extra_ns + half;
}

static void count_frames(const struct work *work, struct dj_calls_cause *cause,
                         const double *frame_ns, double usual_ns)
{
    for (size_t i = 0; i < work->sides->janky_count; i++) {
        cause->frames += frame_ns[i] - usual_ns >= cause->extra_ns / 2;
        if (frame_ns[i] > cause->worst_ns) {
            cause->worst_ns = frame_ns[i];
            cause->worst_frame = (uint32_t)i;
        }
    }
}

static bool has_same_samples(const struct dj_calls_difference *result, uint32_t a,
                             uint32_t b)
{
    return fabs(result->janky_ns[a] - result->janky_ns[b]) <=
               SAME * result->janky_ns[a] &&
           fabs(result->smooth_ns[a] - result->smooth_ns[b]) <=
               SAME * result->smooth_ns[a];
}

static void find_chain(const struct work *work, struct dj_calls_cause *cause)
{
    const struct dj_calls_node *nodes = work->sides->tree->nodes;
    cause->chain_first = cause->chain_last = cause->node;
    uint32_t parent = nodes[cause->node].parent;
    while (parent != DJ_CALLS_ROOT &&
           has_same_samples(work->result, cause->node, parent)) {
        cause->chain_first = parent;
        parent = nodes[parent].parent;
    }
    for (size_t i = cause->node + 1; i < work->result->node_count; i++) {
        if (nodes[i].parent == cause->chain_last &&
            has_same_samples(work->result, cause->node, (uint32_t)i)) {
            cause->chain_last = (uint32_t)i;
        }
    }
}

static int by_extra(const void *a, const void *b)
{
    const struct group *left = a, *right = b;
    int order = DJ_COMPARE(right->extra_ns, left->extra_ns);
    return order != 0 ? order : DJ_COMPARE(left->node, right->node);
}

static void add_cause(struct work *work, const struct group *group, uint32_t number)
{
    const struct dj_calls_sides *sides = work->sides;
    struct dj_calls_difference *result = work->result;
    struct observed observed = {
        .frame_ns = create_numbers(sides->janky_count + sides->smooth_count)};
    observe(work, number, &observed);
    struct moments janky = compute_moments(observed.frame_ns, sides->janky_count);
    struct moments smooth =
        compute_moments(observed.frame_ns + sides->janky_count, sides->smooth_count);
    struct dj_calls_cause cause = {.function = group->function,
                                   .node = group->node,
                                   .extra_ns = janky.mean - smooth.mean,
                                   .samples = observed.samples};
    if (cause.extra_ns > ERRORS * compute_error(work, smooth) &&
        cause.extra_ns >= PART_LEAST * result->excess_ns) {
        cause.named = (double)observed.named / (double)observed.samples;
        cause.guessed = (double)observed.guessed / (double)observed.samples;
        set_interval(work, &cause, janky, smooth);
        count_frames(work, &cause, observed.frame_ns, smooth.mean);
        find_chain(work, &cause);
        result->causes[result->cause_count++] = cause;
    }
    free(observed.frame_ns);
}

/* Adds the causes, the largest first. The nodes refer to groups by the order in which
 * they were found, so the number of a group is that of its node. */
static void add_causes(struct work *work, struct groups *groups)
{
    struct dj_calls_difference *result = work->result;
    qsort(groups->all, groups->count, sizeof(*groups->all), by_extra);
    for (size_t i = 0; i < groups->count && result->cause_count < DJ_CALLS_CAUSES_MAX;
         i++) {
        const struct group *group = &groups->all[i];
        if (group->extra_ns < PART_LEAST * result->excess_ns || group->extra_ns <= 0) {
            return;
        }
        add_cause(work, group, work->group[group->node]);
    }
}

/* Returns true if janky frames took significantly longer as a whole. */
static bool is_excess_significant(const struct work *work)
{
    const struct dj_calls_sides *sides = work->sides;
    double *frame_ns = create_numbers(sides->janky_count + sides->smooth_count);
    for (size_t i = 0; i < sides->sample_count; i++) {
        frame_ns[sides->samples[i].frame] += (double)sides->samples[i].ns;
    }
    struct moments smooth =
        compute_moments(frame_ns + sides->janky_count, sides->smooth_count);
    free(frame_ns);
    return work->result->excess_ns > ERRORS * compute_error(work, smooth);
}

static void find_causes(struct work *work)
{
    struct groups groups = {NULL, 0};
    if (!is_excess_significant(work)) {
        return;
    }
    /* A constant time has one sample more or less in each frame. */
    work->gain_least_ns = GAIN_ERRORS * 0.5 * work->sample_ns *
                          sqrt(1 / (double)work->sides->janky_count +
                               1 / (double)work->sides->smooth_count);
    compute_cuts(work);
    find_groups(work, &groups);
    add_causes(work, &groups);
    free(groups.all);
}

void dj_calls_difference_compute(const struct dj_calls_sides *sides,
                                 struct dj_calls_difference *result)
{
    size_t nodes = sides->tree->node_count;
    *result = (struct dj_calls_difference){
        .node_count = nodes,
        .janky_ns = create_numbers(nodes),
        .smooth_ns = create_numbers(nodes),
        .too_few_janky = sides->janky_count < DJ_CALLS_FRAMES_LEAST,
        .too_few_smooth = sides->smooth_count < DJ_CALLS_FRAMES_LEAST};
    if (sides->sample_count == 0 || sides->janky_count == 0 || sides->smooth_count == 0) {
        return;
    }
    struct work work = {.sides = sides,
                        .result = result,
                        .best = create_numbers(nodes),
                        .below = create_numbers(nodes),
                        .best_shared = create_numbers(nodes),
                        .below_shared = create_numbers(nodes),
                        .function_ns = create_numbers(sides->tree->function_count),
                        .self_d = create_numbers(nodes),
                        .self_s = create_numbers(nodes),
                        .group = dj_xcalloc(nodes, sizeof(uint32_t)),
                        .self_only = dj_xcalloc(nodes, sizeof(bool))};
    compute_means(&work);
    if (!result->too_few_janky && !result->too_few_smooth) {
        find_causes(&work);
    }
    free(work.best);
    free(work.below);
    free(work.best_shared);
    free(work.below_shared);
    free(work.function_ns);
    free(work.self_d);
    free(work.self_s);
    free(work.group);
    free(work.self_only);
}

void dj_calls_difference_finish(struct dj_calls_difference *result)
{
    free(result->janky_ns);
    free(result->smooth_ns);
    *result = (struct dj_calls_difference){0};
}
