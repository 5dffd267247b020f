/* Chooses the versions whose frame times are shown next to each other. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/trend.h"

static int add_version(struct dj_trend_stack *stack, const struct dj_trend_row *row,
                       struct dj_store *history, struct dj_error *err)
{
    struct dj_histogram all = {0};
    int code = 0;
    for (size_t i = 0; i < row->count && code == 0; i++) {
        struct dj_histogram one = {0};
        code = dj_store_read_batch_histogram(history,
                                             stack->segment->points[row->first + i].key,
                                             DJ_HISTOGRAM_FRAME_TIME, &one, err);
        dj_xcheck(dj_exponential_merge(&all, &one));
        dj_exponential_finish(&one);
    }
    if (code != 0 || all.count == 0) {
        dj_exponential_finish(&all);
        return code;
    }
    stack->version[stack->count].times = all;
    dj_trend_format_point_name(&stack->segment->points[row->first],
                               stack->version[stack->count++].name);
    return 0;
}

static int fill_stack(struct dj_trend_stack *stack, struct dj_store *history,
                      struct dj_error *err)
{
    struct dj_trend_row row;
    size_t rows = 0;
    size_t chosen = 0;
    size_t index = 0;
    int code = 0;
    for (size_t at = 0; dj_report_read_trend_row(stack->segment, at, &row);
         at += row.count) {
        rows++;
    }
    for (size_t at = 0; code == 0 && chosen < DJ_TREND_STACK_MAX &&
                        dj_report_read_trend_row(stack->segment, at, &row);
         at += row.count) {
        /* Evenly from the first to the last. */
        bool is_chosen = rows <= DJ_TREND_STACK_MAX ||
                         index == chosen * (rows - 1) / (DJ_TREND_STACK_MAX - 1);
        index++;
        if (is_chosen) {
            code = add_version(stack, &row, history, err);
            chosen++;
        }
    }
    return code;
}

int dj_report_read_trend_stacks(struct dj_trend_page *page, struct dj_store *history,
                                struct dj_error *err)
{
    const struct dj_trend *trend = page->trend;
    int code = 0;
    page->stacks = dj_xcalloc(trend->segment_count, sizeof(*page->stacks));
    for (size_t i = 0; i < trend->segment_count && code == 0; i++) {
        const struct dj_trend_segment *segment = &trend->segments[i];
        /* One stack for all metrics of a history. */
        if (segment->device_key != 0 &&
            (page->stack_count == 0 ||
             strcmp(page->stacks[page->stack_count - 1].segment->key, segment->key) !=
                 0)) {
            struct dj_trend_stack *stack = &page->stacks[page->stack_count++];
            stack->segment = segment;
            code = fill_stack(stack, history, err);
        }
    }
    return code;
}

void dj_report_end_trend_part(struct dj_trend_page *page)
{
    for (size_t i = 0; i < page->stack_count; i++) {
        for (size_t k = 0; k < page->stacks[i].count; k++) {
            dj_exponential_finish(&page->stacks[i].version[k].times);
        }
    }
    free(page->stacks);
    page->stacks = NULL;
    page->stack_count = 0;
    page->before += page->trend != NULL ? page->trend->segment_count : 0;
    page->trend = NULL;
}
