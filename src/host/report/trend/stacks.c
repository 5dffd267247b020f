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

static size_t count_rows(const struct dj_trend_segment *segment)
{
    struct dj_trend_row row;
    size_t rows = 0;
    for (size_t at = 0; dj_report_read_trend_row(segment, at, &row); at += row.count) {
        rows++;
    }
    return rows;
}

int dj_report_read_trend_stack(struct dj_trend_stack *stack,
                               const struct dj_trend_segment *segment,
                               struct dj_store *history, struct dj_error *err)
{
    struct dj_trend_row row;
    size_t rows = count_rows(segment);
    size_t chosen = 0;
    size_t index = 0;
    int code = 0;
    *stack = (struct dj_trend_stack){.segment = segment};
    for (size_t at = 0; code == 0 && chosen < DJ_TREND_STACK_MAX &&
                        dj_report_read_trend_row(segment, at, &row);
         at += row.count) {
        /* Chooses versions at equal distances, including the first and the last one. */
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

void dj_report_finish_trend_stack(struct dj_trend_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++) {
        dj_exponential_finish(&stack->version[i].times);
    }
    *stack = (struct dj_trend_stack){0};
}
