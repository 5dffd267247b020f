#include "capture/janky.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checked.h"
#include "base/compare.h"
#include "metrics/judged_rows.h"

static int set_no_memory(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for janky frames");
}

size_t dj_janky_keep_count_before(const struct dj_keep *keep, int64_t at_ns)
{
    size_t low = 0, high = keep->count;
    DJ_SEARCH(low, high, middle, keep->spans[middle].to_ns < at_ns);
    return low;
}

static int insert_span(struct dj_keep *keep, size_t at, struct dj_keep_span span,
                       struct dj_error *err)
{
    if (keep->count >= DJ_KEEP_MAX) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "there are more than %d spans around janky frames",
                            DJ_KEEP_MAX);
    }
    if (!DJ_ARRAY_ROOM(keep->spans, keep->count)) {
        return set_no_memory(err);
    }
    memmove(keep->spans + at + 1, keep->spans + at,
            (keep->count - at) * sizeof(*keep->spans));
    keep->spans[at] = span;
    keep->count++;
    return 0;
}

/* Replaces the spans with index `at` to `end` − 1 by one span, which contains these spans
 * and `span`. */
static void merge_spans(struct dj_keep *keep, size_t at, size_t end,
                        struct dj_keep_span span)
{
    for (size_t i = at; i < end; i++) {
        const struct dj_keep_span *other = &keep->spans[i];
        span.from_ns = other->from_ns < span.from_ns ? other->from_ns : span.from_ns;
        span.to_ns = other->to_ns > span.to_ns ? other->to_ns : span.to_ns;
        span.frames += other->frames;
    }
    keep->spans[at] = span;
    memmove(keep->spans + at + 1, keep->spans + end,
            (keep->count - end) * sizeof(*keep->spans));
    keep->count -= end - at - 1;
}

int dj_janky_keep_add_frame(struct dj_keep *keep, int64_t from_ns, int64_t to_ns,
                            int64_t before_ns, int64_t after_ns, struct dj_error *err)
{
    bool is_new = keep->frames == 0 || from_ns > keep->newest_ns;
    struct dj_keep_span span = {.from_ns =
                                    dj_checked_subtract_saturated(from_ns, before_ns),
                                .to_ns = dj_checked_add_saturated(to_ns, after_ns),
                                .frames = is_new};
    size_t at = dj_janky_keep_count_before(keep, span.from_ns), end = at;
    while (end < keep->count && keep->spans[end].from_ns <= span.to_ns) {
        end++;
    }
    int code = 0;
    if (end == at) {
        code = insert_span(keep, at, span, err);
    } else {
        merge_spans(keep, at, end, span);
    }
    if (code == 0 && is_new) {
        keep->frames++;
        keep->newest_ns = from_ns;
    }
    return code;
}

bool dj_janky_keep_overlaps(const struct dj_keep *keep, int64_t from_ns, int64_t to_ns)
{
    size_t at = dj_janky_keep_count_before(keep, from_ns);
    return at < keep->count && keep->spans[at].from_ns <= to_ns;
}

void dj_janky_keep_finish(struct dj_keep *keep)
{
    free(keep->spans);
    *keep = (struct dj_keep){0};
}

static int add_window(const struct dj_dump *dump, const struct dj_dump_process *process,
                      const struct dj_dump_window *window, dj_janky_callback *callback,
                      void *user, struct dj_error *err)
{
    struct dj_judged_rows judged = {0};
    if (!dj_metrics_judged_rows_open(&judged, dump, process, window)) {
        dj_metrics_judged_rows_close(&judged);
        return set_no_memory(err);
    }
    dj_metrics_judged_rows_judge(&judged, window->frames, window->frame_count);
    int code = 0;
    for (size_t i = 0; i < window->frame_count && code == 0; i++) {
        const struct dj_row_facts *facts = &judged.facts[i];
        const int64_t *value = window->frames[i].value;
        if (facts->judged && facts->janky && dj_frame_row_was_counted(facts)) {
            code = callback(user, value[DJ_COLUMN_INTENDED_VSYNC],
                            value[DJ_COLUMN_FRAME_COMPLETED]);
        }
    }
    dj_metrics_judged_rows_close(&judged);
    return code;
}

int dj_capture_janky_find(const struct dj_dump *dump, dj_janky_callback *callback,
                          void *user, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < dump->process_count && code == 0; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        for (size_t w = 0; w < process->window_count && code == 0; w++) {
            code = add_window(dump, process, &process->windows[w], callback, user, err);
        }
    }
    return code;
}
