/* Tests of charts of call stacks. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/document/render.h"
#include "report/triage/flame.h"

enum { MS = 1000000 };

static struct dj_calls_tree calls;
static struct dj_triage_functions functions;
static struct dj_triage_result result;
static struct dj_document document;

static uint32_t add(uint32_t caller, const char *name, double janky_ms, double smooth_ms)
{
    static double janky_ns[16], smooth_ns[16];
    const struct dj_calls_address address = {.name = dj_str_of(name)};
    uint32_t node = dj_calls_tree_add_node(&calls, caller,
                                           dj_calls_tree_add_function(&calls, &address));
    janky_ns[node] = janky_ms * MS;
    smooth_ns[node] = smooth_ms * MS;
    if (caller == DJ_CALLS_ROOT) {
        janky_ns[0] = janky_ms * MS;
        smooth_ns[0] = smooth_ms * MS;
    }
    functions.difference = (struct dj_calls_difference){
        .janky_ns = janky_ns, .smooth_ns = smooth_ns, .node_count = calls.node_count};
    return node;
}

static void start(void)
{
    result.calls = &calls;
    result.functions = &functions;
}

static void finish(void)
{
    dj_document_finish(&document);
    dj_calls_tree_finish(&calls);
    memset(&functions, 0, sizeof(functions));
    memset(&result, 0, sizeof(result));
}

TestSuite(flame, .init = start, .fini = finish);

static const struct dj_chart *chart_of(size_t index)
{
    for (size_t i = 0; i < document.block_count; i++) {
        if (document.blocks[i].kind == DJ_BLOCK_CHART && index-- == 0) {
            return document.blocks[i].chart;
        }
    }
    cr_assert_fail("there is no such chart");
    return NULL;
}

/* Expects a span in the series. */
static void has_span(const struct dj_chart *chart, const char *series, const char *label,
                     double x, double x_end, double row)
{
    for (size_t i = 0; i < chart->series_count; i++) {
        for (size_t k = 0; k < chart->series[i].point_count; k++) {
            const struct dj_chart_point *point = &chart->series[i].points[k];
            if (strcmp(chart->series[i].name, series) == 0 &&
                strcmp(point->label, label) == 0 && point->y == row &&
                fabs(point->x - x) < 1e-6 && fabs(point->x_end - x_end) < 1e-6) {
                return;
            }
        }
    }
    cr_expect(false, "%s: no span %s at %.1f–%.1f in row %.0f", series, label, x, x_end,
              row);
}

static size_t count_spans(const struct dj_chart *chart)
{
    size_t count = 0;
    for (size_t i = 0; i < chart->series_count; i++) {
        count += chart->series[i].point_count;
    }
    return count;
}

Test(flame, callees_are_inside_their_callers_and_sorted_by_time)
{
    uint32_t caller = add(DJ_CALLS_ROOT, "main", 20, 10);
    add(caller, "layout", 4, 4);
    add(caller, "draw", 12, 3);
    add(caller, "text", 3, 4);
    add(caller, "tiny", 0.01, 0);
    dj_report_add_flame_graph(&document, &result);
    const struct dj_chart *chart = chart_of(0);
    has_span(chart, "mostly extra time",
             "main (+10.0\xc2\xa0"
             "ms)",
             0, 20, 0);
    has_span(chart, "mostly extra time",
             "draw (+9.0\xc2\xa0"
             "ms)",
             0, 12, 1);
    has_span(chart, "as in smooth frames", "layout", 12, 16, 1);
    has_span(chart, "less than in smooth frames",
             "text (−1.0\xc2\xa0"
             "ms)",
             16, 19, 1);
    cr_expect_eq(count_spans(chart), 4);
    cr_expect_eq(dj_chart_count_rows(chart), 2);
}

Test(flame, endless_recursion_ends_in_a_last_row)
{
    uint32_t node = DJ_CALLS_ROOT;
    for (int i = 0; i < 15; i++) {
        node = add(node, "again", 5, 1);
    }
    dj_report_add_flame_graph(&document, &result);
    cr_expect_eq(dj_chart_count_rows(chart_of(0)), 15);
}

Test(flame, no_samples_no_chart)
{
    result.functions = NULL;
    dj_report_add_flame_graph(&document, &result);
    cr_expect_eq(document.block_count, 0);
}

static void describe(struct dj_text *words, const struct dj_triage_result *of,
                     size_t index)
{
    dj_text_add(words, of->worst[index].frame);
}

Test(flame, stacks_of_a_frame_over_time)
{
    uint32_t caller = add(DJ_CALLS_ROOT, "main", 20, 10);
    uint32_t draw = add(caller, "draw", 12, 3);
    uint32_t text = add(caller, "text", 3, 4);
    functions.count = 1;
    functions.all[0].function = &calls.functions[calls.nodes[draw].function];
    /* draw for 2 ms, text for 1 ms, nothing for 3 ms, and draw again until the end. */
    const struct dj_triage_sample samples[] = {
        {.at_ns = 100 * MS, .ns = MS, .node = draw},
        {.at_ns = 101 * MS, .ns = MS, .node = draw},
        {.at_ns = 102 * MS, .ns = MS, .node = text},
        {.at_ns = 106 * MS, .ns = MS, .node = draw},
    };
    struct dj_triage_worst worst = {.frame = "frame 7",
                                    .start_ns = 99 * MS,
                                    .end_ns = 106 * MS + MS / 2,
                                    .deadline_ns = 104 * MS,
                                    .samples = samples,
                                    .sample_count = 4};
    result.worst = &worst;
    result.worst_count = 1;
    dj_report_add_frame_stacks(&document, &result, describe);
    const struct dj_chart *chart = chart_of(0);
    cr_expect_str_eq(chart->title, "frame 7");
    has_span(chart, "other functions", "main", 1, 4, 0);
    has_span(chart, "functions with extra time", "draw", 1, 3, 1);
    has_span(chart, "other functions", "text", 3, 4, 1);
    has_span(chart, "other functions", "main", 7, 7.5, 0);
    has_span(chart, "functions with extra time", "draw", 7, 7.5, 1);
    cr_expect_eq(count_spans(chart), 5);
    cr_expect_float_eq(chart->thresholds[0].at, 5, 1e-9);
    /* The deadline is between the functions that began before it and those after it. */
    struct dj_text shown = {0};
    struct dj_terminal_style style = {.width = 80};
    dj_document_write_terminal(&shown, &document, &style, true);
    const char *deadline = strstr(dj_text_get(&shown), "\n| deadline at 5.0");
    cr_assert_not_null(deadline, "%s", dj_text_get(&shown));
    cr_expect_null(strstr(deadline, "ms text"));
    cr_expect_not_null(strstr(deadline, "ms draw"));
    dj_text_finish(&shown);
}
