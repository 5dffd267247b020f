#include "report/triage/flame.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/units.h"
#include "memory/memory.h"

/* Maximum number of rows, and the smallest part of the width that a span may have. */
enum { ROWS_MOST = 48 };
static const double PART_LEAST = 0.002;

/* How the time of a node in janky frames differs from smooth frames. */
enum difference { MOSTLY_EXTRA, PARTLY_EXTRA, UNCHANGED, LESS, DIFFERENCES };

static const struct {
    const char *name;
    char letter;
    enum dj_color_role role;
} looks[DIFFERENCES] = {
    [MOSTLY_EXTRA] = {"mostly extra time", 'X', DJ_ROLE_BAD},
    [PARTLY_EXTRA] = {"partly extra time", 'x', DJ_ROLE_FOURTH},
    [UNCHANGED] = {"as in smooth frames", 'o', DJ_ROLE_MUTED},
    [LESS] = {"less than in smooth frames", '-', DJ_ROLE_GOOD},
};

struct graph {
    const struct dj_calls_tree *calls;
    const double *janky_ns, *smooth_ns;
    /* Nodes, sorted by caller, then by their time in janky frames. Owned by this
     * struct. */
    uint32_t *order;
    /* For each node, the index of its first callee in `order`. Owned by this struct. */
    size_t *first;
    size_t count;
    struct dj_chart *chart;
    enum difference shown; /* The spans that are being added. */
};

static int by_caller(const void *a, const void *b, void *graph)
{
    const struct graph *all = graph;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int order =
        DJ_COMPARE(all->calls->nodes[left].parent, all->calls->nodes[right].parent);
    order = order != 0 ? order : DJ_COMPARE(all->janky_ns[right], all->janky_ns[left]);
    return order != 0 ? order : DJ_COMPARE(left, right);
}

static void sort_nodes(struct graph *graph)
{
    graph->order = dj_xresize(NULL, graph->count, sizeof(*graph->order));
    graph->first = dj_xcalloc(graph->count + 1, sizeof(*graph->first));
    for (size_t i = 1; i < graph->count; i++) {
        graph->order[i - 1] = (uint32_t)i;
        graph->first[graph->calls->nodes[i].parent + 1]++;
    }
    for (size_t i = 1; i <= graph->count; i++) {
        graph->first[i] += graph->first[i - 1];
    }
    if (graph->count > 0) {
        qsort_r(graph->order, graph->count - 1, sizeof(*graph->order), by_caller, graph);
    }
}

static enum difference classify(const struct graph *graph, uint32_t node)
{
    double janky_ns = graph->janky_ns[node];
    double extra_ns = janky_ns - graph->smooth_ns[node];
    return extra_ns >= janky_ns / 2          ? MOSTLY_EXTRA
           : extra_ns >= janky_ns / 10       ? PARTLY_EXTRA
           : extra_ns <= -0.1 * janky_ns - 1 ? LESS
                                             : UNCHANGED;
}

static const char *get_name(const struct dj_calls_tree *calls, uint32_t node)
{
    return calls->functions[calls->nodes[node].function].name;
}

static void add_span(struct graph *graph, uint32_t node, double start_ns, size_t row)
{
    struct dj_text label = {0};
    double extra_ms = (graph->janky_ns[node] - graph->smooth_ns[node]) / 1e6;
    dj_text_add(&label, get_name(graph->calls, node));
    if (fabs(extra_ms) >= 0.05) {
        dj_text_format(&label, " (%s%.1f" DJ_NBSP "ms)", extra_ms < 0 ? "−" : "+",
                       fabs(extra_ms));
    }
    dj_chart_add_span(graph->chart, start_ns / 1e6,
                      (start_ns + graph->janky_ns[node]) / 1e6, row, dj_xtext(&label));
    dj_text_finish(&label);
}

/* Adds the spans of the callees of a node from `start_ns` on. */
static void add_callees(struct graph *graph, uint32_t node, double start_ns, size_t row)
{
    double least_ns = PART_LEAST * graph->janky_ns[DJ_CALLS_ROOT];
    for (size_t at = graph->first[node]; at < graph->first[node + 1] && row < ROWS_MOST;
         at++) {
        uint32_t callee = graph->order[at];
        if (graph->janky_ns[callee] < least_ns || graph->janky_ns[callee] <= 0) {
            return;
        }
        if (classify(graph, callee) == graph->shown) {
            add_span(graph, callee, start_ns, row);
        }
        add_callees(graph, callee, start_ns, row + 1);
        start_ns += graph->janky_ns[callee];
    }
}

static struct dj_chart *create_chart(const char *title, const char *x_label)
{
    struct dj_chart *chart = dj_chart_create(title);
    dj_chart_set_x(chart, x_label, "ms");
    dj_chart_set_y(chart, "call depth", "", true);
    dj_chart_name_spans(chart);
    return chart;
}

void dj_report_add_flame_graph(struct dj_document *document,
                               const struct dj_triage_result *result)
{
    const struct dj_triage_functions *functions = result->functions;
    if (functions == NULL || functions->difference.node_count == 0 ||
        functions->difference.janky_ns[DJ_CALLS_ROOT] <= 0) {
        return;
    }
    struct graph graph = {.calls = result->calls,
                          .janky_ns = functions->difference.janky_ns,
                          .smooth_ns = functions->difference.smooth_ns,
                          .count = functions->difference.node_count};
    sort_nodes(&graph);
    graph.chart = create_chart("Functions in janky frames, compared with smooth frames",
                               "mean time per janky frame");
    for (int i = 0; i < DIFFERENCES; i++) {
        graph.shown = (enum difference)i;
        dj_chart_add_series(graph.chart, looks[i].name, DJ_MARK_SPAN, looks[i].role);
        dj_chart_set_letter(graph.chart, looks[i].letter);
        add_callees(&graph, DJ_CALLS_ROOT, 0, 0);
    }
    dj_document_add_chart(document, graph.chart);
    free(graph.order);
    free(graph.first);
}

/* The spans of a frame that have begun. */
struct timeline {
    const struct dj_calls_tree *calls;
    const struct dj_triage_functions *functions;
    const struct dj_triage_worst *frame;
    struct dj_chart *chart;
    bool found; /* Whether spans of the named functions are being added, or the others. */
    struct {
        uint32_t node;
        int64_t start_ns;
    } open[ROWS_MOST];
    size_t depth;
    int64_t until_ns; /* End of the last sample. */
};

/* Returns true if the node belongs to a function that took extra time. */
static bool is_named(const struct timeline *timeline, uint32_t node)
{
    const struct dj_triage_functions *functions = timeline->functions;
    for (size_t i = 0; functions != NULL && i < functions->count; i++) {
        if (&timeline->calls->functions[timeline->calls->nodes[node].function] ==
            functions->all[i].function) {
            return true;
        }
    }
    return false;
}

/* Ends the spans from `depth` on. */
static void close_spans(struct timeline *timeline, size_t depth, int64_t at_ns)
{
    while (timeline->depth > depth) {
        size_t row = --timeline->depth;
        uint32_t node = timeline->open[row].node;
        if (is_named(timeline, node) == timeline->found) {
            int64_t from_ns = timeline->open[row].start_ns - timeline->frame->start_ns;
            dj_chart_add_span(timeline->chart, dj_units_ms(from_ns),
                              dj_units_ms(at_ns - timeline->frame->start_ns), row,
                              get_name(timeline->calls, node));
        }
    }
}

/* Continues the spans that the stack of the sample shares with the stack before, and
 * begins the others. */
static void add_sample(struct timeline *timeline, const struct dj_triage_sample *sample)
{
    uint32_t path[DJ_CALLS_DEPTH_MAX];
    size_t count = 0, same = 0;
    for (uint32_t node = sample->node;
         node != DJ_CALLS_ROOT && count < DJ_CALLS_DEPTH_MAX;
         node = timeline->calls->nodes[node].parent) {
        path[count++] = node;
    }
    bool continues = sample->at_ns <= timeline->until_ns + sample->ns / 2;
    int64_t end_ns = continues ? sample->at_ns : timeline->until_ns;
    while (continues && same < timeline->depth && same < count &&
           timeline->open[same].node == path[count - 1 - same]) {
        same++;
    }
    close_spans(timeline, same, end_ns);
    for (; timeline->depth < count && timeline->depth < ROWS_MOST; timeline->depth++) {
        timeline->open[timeline->depth].node = path[count - 1 - timeline->depth];
        timeline->open[timeline->depth].start_ns = sample->at_ns;
    }
    timeline->until_ns = sample->at_ns + sample->ns;
    if (timeline->until_ns > timeline->frame->end_ns) {
        timeline->until_ns = timeline->frame->end_ns;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct dj_triage_sample *left = a, *right = b;
    return DJ_COMPARE(left->at_ns, right->at_ns);
}

static void add_spans(struct timeline *timeline, const struct dj_triage_sample *samples,
                      size_t count)
{
    timeline->depth = 0;
    timeline->until_ns = INT64_MIN / 2;
    for (size_t i = 0; i < count; i++) {
        add_sample(timeline, &samples[i]);
    }
    close_spans(timeline, 0, timeline->until_ns);
}

static void add_frame(struct dj_document *document, const struct dj_triage_result *result,
                      size_t index, const char *title)
{
    const struct dj_triage_worst *frame = &result->worst[index];
    struct timeline timeline = {.calls = result->calls,
                                .functions = result->functions,
                                .frame = frame,
                                .chart = create_chart(title, "time in the frame")};
    struct dj_triage_sample *samples =
        dj_xresize(NULL, frame->sample_count, sizeof(*samples));
    for (size_t i = 0; i < frame->sample_count; i++) {
        samples[i] = frame->samples[i];
    }
    /* Samples of one thread are sorted, but the critical path can have several. */
    qsort(samples, frame->sample_count, sizeof(*samples), by_time);
    dj_chart_add_series(timeline.chart, "functions with extra time", DJ_MARK_SPAN,
                        DJ_ROLE_BAD);
    dj_chart_set_letter(timeline.chart, 'X');
    timeline.found = true;
    add_spans(&timeline, samples, frame->sample_count);
    dj_chart_add_series(timeline.chart, "other functions", DJ_MARK_SPAN, DJ_ROLE_MUTED);
    dj_chart_set_letter(timeline.chart, 'o');
    timeline.found = false;
    add_spans(&timeline, samples, frame->sample_count);
    dj_chart_add_threshold(timeline.chart, true,
                           dj_units_ms(frame->deadline_ns - frame->start_ns),
                           DJ_ROLE_DEADLINE, "deadline");
    dj_document_add_chart(document, timeline.chart);
    free(samples);
}

void dj_report_add_frame_stacks(struct dj_document *document,
                                const struct dj_triage_result *result,
                                void (*describe)(struct dj_text *words,
                                                 const struct dj_triage_result *result,
                                                 size_t index))
{
    for (size_t i = 0; i < result->worst_count; i++) {
        struct dj_text title = {0};
        if (result->worst[i].sample_count > 0) {
            describe(&title, result, i);
            add_frame(document, result, i, dj_xtext(&title));
        }
        dj_text_finish(&title);
    }
}
