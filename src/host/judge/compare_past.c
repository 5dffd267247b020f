#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/compare_parts.h"

enum { PAST_MOST = 20 };

/* ---- which batches ---- */

struct segment {
    const struct dj_side_batch *of;
    int64_t before_unix_ms;
    const struct dj_side *newer;
    int64_t keys[PAST_MOST];
    size_t count;
};

static bool is_of(const struct dj_side *side, int64_t key)
{
    for (size_t i = 0; i < side->batch_count; i++) {
        if (side->batches[i].key == key) {
            return true;
        }
    }
    return false;
}

static int take(void *user, const struct dj_batch_row *batch)
{
    struct segment *segment = user;
    if (segment->count < PAST_MOST && batch->device_key == segment->of->device_key &&
        batch->began_unix_ms < segment->before_unix_ms && batch->runs.clean >= 2 &&
        !is_of(segment->newer, batch->key)) {
        segment->keys[segment->count++] = batch->key;
    }
    return 0;
}

static int64_t began(const struct dj_side *side)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < side->batch_count; i++) {
        const struct dj_side_batch *batch = &side->batches[i];
        first = batch->began_unix_ms < first ? batch->began_unix_ms : first;
    }
    return first;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Both are of one project, flow and device, and of this very store. */
static bool one_segment(const struct dj_side *a, const struct dj_side *b,
                        const struct dj_history *history)
{
    const struct dj_side *sides[] = {a, b};
    if (a->batch_count == 0 || b->batch_count == 0) {
        return false;
    }
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < sides[s]->batch_count; i++) {
            const struct dj_side_batch *batch = &sides[s]->batches[i];
            if (batch->device_key != a->batches[0].device_key ||
                !same_text(batch->project, a->batches[0].project) ||
                !same_text(batch->name, a->batches[0].name) ||
                !same_text(batch->store, dj_history_path(history))) {
                return false;
            }
        }
    }
    return true;
}

/* ---- their centres ---- */

static int add_centre(struct dj_comparison_metric *metric, const struct dj_side *batch)
{
    struct dj_effect_side side = {.count = batch->run_count};
    double *value;
    double *of;
    int code = DJ_E_NO_MEMORY;
    if (dj_side_values(batch, metric->metric, metric->otherwise, &value, &of)) {
        side.value = value;
        side.of = of;
        double centre = dj_effect_log_centre(&side, metric->metric->kind);
        double *own = (double *)metric->past.log_centre;
        if (isfinite(centre)) {
            own[metric->past.count++] = centre;
        }
        code = 0;
    }
    free(value);
    free(of);
    return code;
}

static int add_batch(struct dj_comparison *comparison, struct dj_history *history,
                     int64_t key, struct dj_error *err)
{
    struct dj_side batch = {0};
    int code = dj_side_add_figures(&batch, history, key, err);
    for (size_t i = 0; i < comparison->metric_count && code == 0; i++) {
        code = add_centre(&comparison->metrics[i], &batch);
        if (code != 0) {
            dj_error_set(err, code, "out of memory");
        }
    }
    dj_side_finish(&batch);
    return code;
}

static int make_room(struct dj_comparison *comparison, struct dj_error *err)
{
    for (size_t i = 0; i < comparison->metric_count; i++) {
        struct dj_comparison_metric *metric = &comparison->metrics[i];
        metric->past.log_centre = calloc(PAST_MOST, sizeof(double));
        if (metric->past.log_centre == NULL) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    return 0;
}

int dj_compare_past(struct dj_comparison *comparison, struct dj_history *history,
                    struct dj_error *err)
{
    const struct dj_side *a = comparison->a;
    const struct dj_side *b = comparison->b;
    if (history == NULL || !one_segment(a, b, history)) {
        return 0;
    }
    struct segment segment = {.of = &a->batches[0], .newer = began(b) > began(a) ? b : a};
    const struct dj_batch_filter filter = {.project = segment.of->project,
                                           .name = segment.of->name,
                                           .serial = segment.of->serial};
    segment.before_unix_ms = began(segment.newer);
    int code = dj_history_each_batch(history, &filter, take, &segment, err);
    code =
        code == 0 && segment.count >= DJ_PAST_LEAST ? make_room(comparison, err) : code;
    for (size_t i = 0; i < segment.count && code == 0 && segment.count >= DJ_PAST_LEAST;
         i++) {
        code = add_batch(comparison, history, segment.keys[i], err);
    }
    comparison->past_batches = segment.count;
    for (size_t i = 0; i < comparison->metric_count && code == 0; i++) {
        struct dj_comparison_metric *metric = &comparison->metrics[i];
        metric->member.rules.past = metric->past.count > 0 ? &metric->past : NULL;
    }
    return code;
}
