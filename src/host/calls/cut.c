#include "calls/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "memory/memory.h"

/* Cost of a cause in an explanation: the square of three standard errors. Chance hardly
 * makes a difference of this size. If COST, RATIO_ERROR or NEW_TIME is halved or doubled,
 * the rates of docs/attribution.md change by about 1 %. */
static const double COST = 9;

/* A function is shared if no single caller accounts for this fraction of the function's
 * usual time. */
static const double OWN_LEAST = 0.9;

/* In the later rounds, the limit for functions that are called only below shared
 * functions: such a function is shared too if no single caller accounts for this fraction
 * of its usual time. */
static const double OWNER_LEAST = 0.34;

/* A shared function is slower everywhere if this fraction of its usual time is in calls
 * that became slower. A call became slower if its extra time is at least HALF of the
 * extra time that it would have if all calls slowed down by the same ratio. */
static const double EVERYWHERE = 0.9;
static const double HALF = 0.5;

/* Relative error of a difference. The calls of a function never slow down by exactly the
 * same ratio, so a difference is known only to this fraction of itself. */
static const double RATIO_ERROR = 0.1;

/* Fraction of the time in janky frames that is added to the usual time. Without it, a
 * function that only janky frames call would have a usual time of 0 and no ratio. */
static const double NEW_TIME = 0.05;

/* Two explanations are equal if their worths differ by less than this fraction. */
static const double EQUAL = 1e-9;

/* A function that is in this fraction of all samples, such as `main`, does not show where
 * the time went. */
static const double IN_ALL = 0.95;

/* A node of the tree that may be a cause, with its own time. Shared callees have no part,
 * so their time is included in the own time of their callers. */
struct part {
    double smooth_ns, janky_ns;
    double smooth_squares; /* Sum of the squares of the times in smooth frames. */
    double cost;           /* Cost of the node as a cause. */
    /* Sums over the parts at and below the node: D·w/v and w²/v, where D is the
     * difference, w the usual time and v the squared error of D. */
    double products, weights;
    /* Worth of the best explanation that uses only nodes below this node. */
    double below;
    double own; /* Worth of the own time as a cause. */
    /* Worth of the best explanation that uses this node or nodes below it. */
    double worth;
};

struct cut {
    const struct dj_calls_sides *sides;
    const struct dj_calls_means *means;
    double sample_ns;
    struct part *parts;
    /* For each node, the node itself if it has a part, otherwise the nearest caller that
     * has one. */
    uint32_t *owner;
    bool *nested; /* True if a caller of the node is the same function. */
};

double dj_calls_cut_compute_error(const struct dj_calls_sides *sides, double sample_ns,
                                  struct dj_calls_moments smooth)
{
    double janky_count = (double)sides->janky_count;
    double smooth_count = (double)sides->smooth_count;
    /* The variance is at least the variance of sampling: even a constant time has one
     * sample more or less in each frame, and smooth frames without any sample may be
     * chance. */
    double samples = smooth.mean_ns / sample_ns;
    double least = (samples < 0.25 ? samples : 0.25) + 1 / smooth_count;
    least *= sample_ns * sample_ns;
    double variance = smooth.variance > least ? smooth.variance : least;
    return variance * (1 / janky_count + 1 / smooth_count);
}

/* All calls of a function. Recursive calls are a part of the outermost one. */
struct calls {
    double janky_ns, smooth_ns;
    double usual_ns;
    /* Usual time of the calls by the main caller, which is the function that calls this
     * one most. */
    double main_ns;
    double grown_ns; /* Usual time of the calls that became slower in janky frames. */
    double extra_ns; /* Sum of the positive extra times of the function's nodes. */
    bool has_part;   /* True if the function's nodes have parts. */
};

static double get_usual(const struct cut *cut, uint32_t node)
{
    return cut->means->smooth_ns[node] + NEW_TIME * cut->means->janky_ns[node];
}

static double get_extra(const struct cut *cut, uint32_t node)
{
    return cut->means->janky_ns[node] - cut->means->smooth_ns[node];
}

static bool is_nested(const struct dj_calls_tree *tree, uint32_t node)
{
    uint32_t function = tree->nodes[node].function;
    uint32_t at = tree->nodes[node].parent;
    while (at != DJ_CALLS_ROOT && tree->nodes[at].function != function) {
        at = tree->nodes[at].parent;
    }
    return at != DJ_CALLS_ROOT;
}

static void sum_calls(struct cut *cut, struct calls *calls)
{
    const struct dj_calls_tree *tree = cut->sides->tree;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct calls *of = &calls[tree->nodes[node].function];
        cut->nested[node] = is_nested(tree, node);
        if (!cut->nested[node]) {
            of->usual_ns += get_usual(cut, node);
            of->janky_ns += cut->means->janky_ns[node];
            of->smooth_ns += cut->means->smooth_ns[node];
        }
    }
}

/* Sets main_ns of each function: the usual time of the calls by its main caller. The
 * caller of a node is the function of the node that owns its parent. */
static void find_main_callers(const struct cut *cut, struct calls *calls)
{
    const struct dj_calls_tree *tree = cut->sides->tree;
    struct dj_map pairs = {0};
    double *pair_ns = NULL;
    size_t pair_count = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct calls *of = &calls[tree->nodes[node].function];
        uint32_t owner = cut->owner[tree->nodes[node].parent];
        uint32_t caller =
            owner == DJ_CALLS_ROOT ? UINT32_MAX : tree->nodes[owner].function;
        uint64_t key = (uint64_t)caller << 32 | tree->nodes[node].function;
        size_t pair = dj_map_get(&pairs, key);
        if (cut->nested[node]) {
            continue;
        }
        if (pair == DJ_MAP_NONE) {
            pair = pair_count;
            dj_xcheck(dj_map_set(&pairs, key, pair));
            DJ_XPUSH(pair_ns, pair_count, 0.0);
        }
        pair_ns[pair] += get_usual(cut, node);
        of->main_ns = fmax(of->main_ns, pair_ns[pair]);
    }
    free(pair_ns);
    dj_map_finish(&pairs);
}

/* Returns true if the function is slower no matter which function calls it. Returns false
 * if smooth frames hardly call the function, because its callers then explain the
 * difference better. */
static bool is_slower_everywhere(const struct calls *calls)
{
    return calls->janky_ns > calls->smooth_ns &&
           calls->smooth_ns >= NEW_TIME * calls->janky_ns &&
           calls->grown_ns >= EVERYWHERE * calls->smooth_ns;
}

/* Sets grown_ns of each function: the usual time of the calls that became slower. */
static void sum_grown(const struct cut *cut, struct calls *calls)
{
    const struct dj_calls_tree *tree = cut->sides->tree;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct calls *of = &calls[tree->nodes[node].function];
        double smooth_ns = cut->means->smooth_ns[node];
        double expected_ns =
            smooth_ns * (of->janky_ns - of->smooth_ns) / fmax(of->smooth_ns, 1);
        if (!cut->nested[node] && get_extra(cut, node) >= HALF * expected_ns) {
            of->grown_ns += smooth_ns;
        }
    }
}

static void set_owners(struct cut *cut, const struct calls *calls)
{
    const struct dj_calls_tree *tree = cut->sides->tree;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        bool has_part = !cut->nested[node] && calls[tree->nodes[node].function].has_part;
        cut->owner[node] = has_part ? node : cut->owner[tree->nodes[node].parent];
    }
}

/* Removes the parts of each function whose main caller makes less than the fraction
 * `least` of the calls, measured by usual time. Returns true if the function removed any
 * parts. */
static bool remove_shared(const struct cut *cut, struct calls *calls, double least)
{
    bool removed = false;
    find_main_callers(cut, calls);
    for (size_t i = 0; i < cut->sides->tree->function_count; i++) {
        struct calls *of = &calls[i];
        if (of->has_part && of->main_ns < least * of->usual_ns &&
            !is_slower_everywhere(of)) {
            of->has_part = false;
            removed = true;
        }
        of->main_ns = 0;
    }
    return removed;
}

/* Decides which nodes have parts, and finds the owners of the other nodes. At first, all
 * nodes have parts, so the owners are the direct callers. When shared functions lose
 * their parts, functions that only they call have several owners and may become shared
 * too. */
static void find_owners(struct cut *cut)
{
    const struct dj_calls_tree *tree = cut->sides->tree;
    struct calls *calls = dj_xcalloc(tree->function_count + 1, sizeof(*calls));
    sum_calls(cut, calls);
    sum_grown(cut, calls);
    for (size_t i = 0; i < tree->function_count; i++) {
        calls[i].has_part = true;
    }
    set_owners(cut, calls);
    for (bool more = remove_shared(cut, calls, OWN_LEAST); more;
         more = remove_shared(cut, calls, OWNER_LEAST)) {
        set_owners(cut, calls);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        calls[tree->nodes[node].function].extra_ns +=
            cut->owner[node] == node ? fmax(get_extra(cut, node), 0) : 0;
    }
    cut->parts[DJ_CALLS_ROOT].cost = COST;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        double all_ns = calls[tree->nodes[node].function].extra_ns;
        double extra_ns = get_extra(cut, node);
        cut->parts[node].cost =
            extra_ns > 0 && extra_ns < all_ns ? COST * extra_ns / all_ns : COST;
    }
    free(calls);
}

static int by_frame(const void *a, const void *b)
{
    const struct dj_calls_sample *left = a, *right = b;
    return (left->frame > right->frame) - (left->frame < right->frame);
}

/* Adds the samples of one frame to the parts. `frame_ns` is all zero before and after. */
static void add_frame(struct cut *cut, const struct dj_calls_sample *samples,
                      size_t count, double *frame_ns)
{
    bool janky = samples[0].frame < cut->sides->janky_count;
    for (size_t i = 0; i < count; i++) {
        frame_ns[cut->owner[samples[i].node]] += (double)samples[i].ns;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t owner = cut->owner[samples[i].node];
        struct part *part = &cut->parts[owner];
        double ns = frame_ns[owner];
        frame_ns[owner] = 0;
        part->janky_ns += janky ? ns / (double)cut->sides->janky_count : 0;
        part->smooth_ns += janky ? 0 : ns / (double)cut->sides->smooth_count;
        part->smooth_squares += janky ? 0 : ns * ns;
    }
}

static void sum_times(struct cut *cut)
{
    const struct dj_calls_sides *sides = cut->sides;
    size_t count = sides->sample_count;
    struct dj_calls_sample *sorted = dj_xresize(NULL, count, sizeof(*sorted));
    double *frame_ns = dj_xcalloc(sides->tree->node_count, sizeof(*frame_ns));
    memcpy(sorted, sides->samples, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), by_frame);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && sorted[to].frame == sorted[from].frame; to++) {
        }
        add_frame(cut, &sorted[from], to - from, frame_ns);
    }
    free(frame_ns);
    free(sorted);
}

/* Returns the squared standard error of the difference between the part's own times in
 * janky and smooth frames. */
static double compute_error(const struct cut *cut, const struct part *part)
{
    double count = (double)cut->sides->smooth_count;
    double squares = part->smooth_squares - count * part->smooth_ns * part->smooth_ns;
    double ratio_error = RATIO_ERROR * (part->janky_ns - part->smooth_ns);
    struct dj_calls_moments smooth = {part->smooth_ns, fmax(squares, 0) / (count - 1)};
    return dj_calls_cut_compute_error(cut->sides, cut->sample_ns, smooth) +
           ratio_error * ratio_error;
}

/* Returns the worth of the explanation that the node causes all extra time at and below
 * it. */
static double compute_whole(const struct part *part)
{
    return part->products > 0
               ? part->products * part->products / part->weights - part->cost
               : 0;
}

static bool is_in_all(const struct cut *cut, uint32_t node)
{
    const struct dj_calls_means *means = cut->means;
    return means->janky_ns[node] >= IN_ALL * means->janky_ns[DJ_CALLS_ROOT] &&
           means->smooth_ns[node] >= IN_ALL * means->smooth_ns[DJ_CALLS_ROOT];
}

/* Computes the worth of a node's part after the parts of all its callees, and adds the
 * result to the part of its caller. */
static void complete_part(struct cut *cut, uint32_t node)
{
    struct part *part = &cut->parts[node];
    double extra_ns = part->janky_ns - part->smooth_ns;
    double usual_ns = part->smooth_ns + NEW_TIME * part->janky_ns;
    double squared_error = compute_error(cut, part);
    part->products += extra_ns * usual_ns / squared_error;
    part->weights += usual_ns * usual_ns / squared_error;
    part->own =
        extra_ns > 0 ? fmax(extra_ns * extra_ns / squared_error - part->cost, 0) : 0;
    part->below += part->own;
    part->worth = fmax(fmax(compute_whole(part), part->below), 0);
    if (node != DJ_CALLS_ROOT) {
        struct part *caller =
            &cut->parts[cut->owner[cut->sides->tree->nodes[node].parent]];
        caller->products += part->products;
        caller->weights += part->weights;
        caller->below += part->worth;
    }
}

/* Returns true if smooth frames do hardly any of this work. In that case everything took
 * longer, but the functions that took most of the time are still worth naming. */
static bool is_new(const struct cut *cut)
{
    return cut->means->smooth_ns[DJ_CALLS_ROOT] <
           NEW_TIME * cut->means->janky_ns[DJ_CALLS_ROOT];
}

enum choice { NOTHING, WHOLE, BELOW };

static enum choice choose(const struct cut *cut, uint32_t node)
{
    const struct part *part = &cut->parts[node];
    double whole = compute_whole(part);
    if (part->worth <= 0) {
        return NOTHING;
    }
    if (is_in_all(cut, node)) {
        return part->below >= (1 - EQUAL) * whole || is_new(cut) ? BELOW : NOTHING;
    }
    return whole >= (1 - EQUAL) * part->below ? WHOLE : BELOW;
}

/* Decides for each node, outermost first, whether it is in the cut, and sets its element
 * of `top`. */
static void choose_nodes(const struct cut *cut, uint32_t *top)
{
    const struct dj_calls_node *nodes = cut->sides->tree->nodes;
    size_t count = cut->sides->tree->node_count;
    uint8_t *choices = dj_xcalloc(count, sizeof(*choices));
    choices[DJ_CALLS_ROOT] = (uint8_t)choose(cut, DJ_CALLS_ROOT);
    top[DJ_CALLS_ROOT] = UINT32_MAX;
    for (uint32_t node = 1; node < count; node++) {
        uint32_t caller = cut->owner[nodes[node].parent];
        if (cut->owner[node] != node) {
            top[node] = top[caller];
        } else if (choices[caller] != BELOW) {
            choices[node] = choices[caller];
            top[node] = top[caller];
        } else {
            choices[node] = (uint8_t)choose(cut, node);
            bool chosen = choices[node] == WHOLE ||
                          (choices[node] == BELOW && cut->parts[node].own > 0);
            top[node] = chosen ? node : UINT32_MAX;
        }
    }
    free(choices);
}

uint32_t *dj_calls_cut_compute(const struct dj_calls_sides *sides,
                               const struct dj_calls_means *means, double sample_ns)
{
    size_t count = sides->tree->node_count;
    struct cut cut = {.sides = sides,
                      .means = means,
                      .sample_ns = sample_ns,
                      .parts = dj_xcalloc(count, sizeof(*cut.parts)),
                      .owner = dj_xcalloc(count, sizeof(*cut.owner)),
                      .nested = dj_xcalloc(count, sizeof(*cut.nested))};
    uint32_t *top = dj_xcalloc(count, sizeof(*top));
    find_owners(&cut);
    sum_times(&cut);
    for (size_t node = count; node-- > 0;) {
        if (cut.owner[node] == node) {
            complete_part(&cut, (uint32_t)node);
        }
    }
    choose_nodes(&cut, top);
    free(cut.parts);
    free(cut.owner);
    free(cut.nested);
    return top;
}
