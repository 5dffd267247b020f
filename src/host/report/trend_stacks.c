/* Chooses the versions whose frame times are shown next to each other. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/trend.h"

static int add_version(struct dj_trend_stack *stack, const struct dj_trend_row *row,
                       struct dj_history *history, struct dj_error *err)
{
    struct dj_histogram all = {0};
    int code = 0;
    for (size_t i = 0; i < row->count && code == 0; i++) {
        struct dj_histogram one = {0};
        code = dj_history_batch_histogram(history,
                                          stack->segment->points[row->first + i].key,
                                          DJ_HISTOGRAM_FRAME_TIME, &one, err);
        dj_xcheck(dj_histogram_merge(&all, &one));
        dj_histogram_finish(&one);
    }
    if (code != 0 || all.count == 0) {
        dj_histogram_finish(&all);
        return code;
    }
    stack->version[stack->count].times = all;
    dj_trend_point_name(&stack->segment->points[row->first],
                        stack->version[stack->count++].name);
    return 0;
}

static int fill_stack(struct dj_trend_stack *stack, struct dj_history *history,
                      struct dj_error *err)
{
    struct dj_trend_row row;
    size_t rows = 0;
    size_t taken = 0;
    size_t index = 0;
    int code = 0;
    for (size_t at = 0; dj_trend_row_at(stack->segment, at, &row); at += row.count) {
        rows++;
    }
    for (size_t at = 0;
         code == 0 && taken < DJ_TREND_STACK && dj_trend_row_at(stack->segment, at, &row);
         at += row.count) {
        /* Evenly from the first to the last. */
        bool is_chosen =
            rows <= DJ_TREND_STACK || index == taken * (rows - 1) / (DJ_TREND_STACK - 1);
        index++;
        if (is_chosen) {
            code = add_version(stack, &row, history, err);
            taken++;
        }
    }
    return code;
}

int dj_trend_stacks_read(struct dj_trend_page *page, struct dj_history *history,
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

void dj_trend_page_next(struct dj_trend_page *page)
{
    for (size_t i = 0; i < page->stack_count; i++) {
        for (size_t k = 0; k < page->stacks[i].count; k++) {
            dj_histogram_finish(&page->stacks[i].version[k].times);
        }
    }
    free(page->stacks);
    page->stacks = NULL;
    page->stack_count = 0;
    page->before += page->trend != NULL ? page->trend->segment_count : 0;
    page->trend = NULL;
}
