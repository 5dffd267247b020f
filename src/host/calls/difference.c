#include "calls/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "calls/cut.h"
#include "memory/memory.h"
#include "stats/special.h"

/* Minimum difference of a cause in standard errors. The value was measured: read
 * docs/attribution.md before you change it or PART_LEAST. */
static const double ERRORS = 3;
static const double PART_LEAST = 0.1;

/* Two nodes have the same samples if their times differ by at most this fraction. */
static const double SAME = 0.02;

struct work {
    const struct dj_calls_sides *sides;
    struct dj_calls_difference *result;
    double sample_ns; /* Mean time that one sample represents. */
    /* For each node, the node of the cut that contains its own time, or UINT32_MAX. */
    uint32_t *top;
    /* For each node of the cut, the index of its group plus 1. */
    uint32_t *group;
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
    memset(result->janky_ns, 0, result->node_count * sizeof(*result->janky_ns));
    memset(result->smooth_ns, 0, result->node_count * sizeof(*result->smooth_ns));
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

/* The nodes of the cut that are the same function. */
struct group {
    uint32_t function, node;
    double extra_ns; /* Sum of the extra times of all nodes of the group. */
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

/* Joins the nodes of the cut that are the same function into groups. */
static void find_groups(struct work *work, struct groups *groups)
{
    const struct dj_calls_sides *sides = work->sides;
    size_t count = work->result->node_count;
    double *extra_ns = create_numbers(count);
    for (size_t i = 0; i < sides->sample_count; i++) {
        const struct dj_calls_sample *sample = &sides->samples[i];
        uint32_t top = work->top[sample->node];
        if (top != UINT32_MAX) {
            extra_ns[top] += sample->frame < sides->janky_count
                                 ? (double)sample->ns / (double)sides->janky_count
                                 : -(double)sample->ns / (double)sides->smooth_count;
        }
    }
    for (uint32_t node = 1; node < count; node++) {
        if (work->top[node] == node) {
            work->group[node] = add_to_group(groups, sides->tree->nodes[node].function,
                                             node, extra_ns[node]);
        }
    }
    free(extra_ns);
}

/* The time of a group in each frame, and the samples of the group in janky frames. */
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
        uint32_t top = work->top[sample->node];
        if (top == UINT32_MAX || work->group[top] != group) {
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

static struct dj_calls_moments compute_moments(const double *values, size_t count)
{
    struct dj_calls_moments moments = {0, 0};
    for (size_t i = 0; i < count; i++) {
        moments.mean_ns += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double apart = values[i] - moments.mean_ns;
        moments.variance += apart * apart / (double)(count - 1);
    }
    return moments;
}

static double compute_error(const struct work *work, struct dj_calls_moments smooth)
{
    return sqrt(dj_calls_cut_compute_error(work->sides, work->sample_ns, smooth));
}

/* Sets the confidence interval of the cause by Welch's test. */
static void set_interval(const struct work *work, struct dj_calls_cause *cause,
                         struct dj_calls_moments janky, struct dj_calls_moments smooth)
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
    struct dj_calls_moments janky =
        compute_moments(observed.frame_ns, sides->janky_count);
    struct dj_calls_moments smooth =
        compute_moments(observed.frame_ns + sides->janky_count, sides->smooth_count);
    struct dj_calls_cause cause = {.function = group->function,
                                   .node = group->node,
                                   .extra_ns = janky.mean_ns - smooth.mean_ns,
                                   .samples = observed.samples};
    if (cause.extra_ns > ERRORS * compute_error(work, smooth) &&
        cause.extra_ns >= PART_LEAST * result->excess_ns) {
        cause.named = (double)observed.named / (double)observed.samples;
        cause.guessed = (double)observed.guessed / (double)observed.samples;
        set_interval(work, &cause, janky, smooth);
        count_frames(work, &cause, observed.frame_ns, smooth.mean_ns);
        find_chain(work, &cause);
        result->causes[result->cause_count++] = cause;
    }
    free(observed.frame_ns);
}

/* Adds the causes, the largest first. Each node refers to the group that it belongs to by
 * its number plus 1. */
static void add_causes(struct work *work, struct groups *groups)
{
    struct dj_calls_difference *result = work->result;
    if (groups->count > 0) {
        qsort(groups->all, groups->count, sizeof(*groups->all), by_extra);
    }
    for (size_t i = 0; i < groups->count && result->cause_count < DJ_CALLS_CAUSES_MAX;
         i++) {
        const struct group *group = &groups->all[i];
        if (group->extra_ns < PART_LEAST * result->excess_ns || group->extra_ns <= 0) {
            return;
        }
        add_cause(work, group, work->group[group->node]);
    }
}

/* Returns true if janky frames took significantly longer than smooth frames in total. */
static bool is_excess_significant(const struct work *work)
{
    const struct dj_calls_sides *sides = work->sides;
    double *frame_ns = create_numbers(sides->janky_count + sides->smooth_count);
    for (size_t i = 0; i < sides->sample_count; i++) {
        frame_ns[sides->samples[i].frame] += (double)sides->samples[i].ns;
    }
    struct dj_calls_moments smooth =
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
    const struct dj_calls_means means = {work->result->janky_ns, work->result->smooth_ns};
    work->top = dj_calls_cut_compute(work->sides, &means, work->sample_ns);
    work->group = dj_xcalloc(work->result->node_count, sizeof(*work->group));
    find_groups(work, &groups);
    add_causes(work, &groups);
    free(groups.all);
    free(work->group);
    free(work->top);
}

/* Returns the samples with the functions of the program that called the kernel. */
static struct dj_calls_sample *create_program_samples(const struct dj_calls_sides *sides)
{
    struct dj_calls_sample *samples =
        dj_xresize(NULL, sides->sample_count, sizeof(*samples));
    for (size_t i = 0; i < sides->sample_count; i++) {
        samples[i] = sides->samples[i];
        samples[i].node = dj_calls_tree_find_kernel_caller(sides->tree, samples[i].node);
    }
    return samples;
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
    struct dj_calls_sample *samples = create_program_samples(sides);
    struct dj_calls_sides program = *sides;
    program.samples = samples;
    struct work work = {.sides = &program, .result = result};
    compute_means(&work);
    if (!result->too_few_janky && !result->too_few_smooth) {
        find_causes(&work);
    }
    work.sides = sides;
    compute_means(&work);
    free(samples);
}

void dj_calls_difference_finish(struct dj_calls_difference *result)
{
    free(result->janky_ns);
    free(result->smooth_ns);
    *result = (struct dj_calls_difference){0};
}
