#include "trend/segment.h"

#include <math.h>
#include <string.h>

#include "base/optional_text.h"
#include "memory/memory.h"
#include "store/sha256.h"
#include "trend/changes.h"

struct dj_trend_segment *dj_trend_add_segment(struct dj_trend *trend,
                                              const struct dj_trend_segment *head,
                                              struct dj_error *err)
{
    if (trend->segment_count == DJ_TREND_SEGMENTS_MAX) {
        dj_error_set(err, DJ_E_LIMIT,
                     "there are more than %d trends to show. hint: choose one project, "
                     "flow or device",
                     DJ_TREND_SEGMENTS_MAX);
        return NULL;
    }
    DJ_XPUSH(trend->segments, trend->segment_count, *head);
    struct dj_trend_segment *segment = &trend->segments[trend->segment_count - 1];
    segment->objective.bound = segment->objective.goal = NAN;
    return segment;
}

bool dj_trend_remove_empty(struct dj_trend *trend)
{
    bool empty = trend->segments[trend->segment_count - 1].point_count == 0;
    trend->segment_count -= empty;
    return empty;
}

void dj_trend_add_point(struct dj_trend_segment *segment,
                        const struct dj_trend_point *batch,
                        const struct dj_trend_centre *centre)
{
    struct dj_trend_point point = *batch;
    point.ordinal = (int64_t)segment->point_count;
    point.runs = centre->runs;
    point.value = centre->value;
    point.log = centre->log;
    point.ci = centre->ci;
    DJ_XPUSH(segment->points, segment->point_count, point);
    segment->linear = segment->linear || centre->linear;
}

void dj_trend_set_segment_key(struct dj_trend_segment *segment, const char *device)
{
    const char *const parts[] = {segment->project, segment->flow, device,
                                 segment->release, segment->config};
    char hex[DJ_SHA256_HEX_BYTES];
    dj_store_sha256_of_texts(parts, COUNT_OF(parts), hex);
    memcpy(segment->key, hex, DJ_TREND_KEY_BYTES - 1);
    segment->key[DJ_TREND_KEY_BYTES - 1] = '\0';
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(dj_optional_text_or_empty(a), dj_optional_text_or_empty(b));
}

int dj_trend_compare_segments(const void *left, const void *right)
{
    const struct dj_trend_segment *a = left;
    const struct dj_trend_segment *b = right;
    int order = compare_texts(a->project, b->project);
    order = order != 0 ? order : compare_texts(a->flow, b->flow);
    order = order != 0 ? order : compare_texts(a->serial, b->serial);
    order = order != 0 ? order : compare_texts(a->release, b->release);
    order = order != 0 ? order : compare_texts(a->config, b->config);
    order = order != 0 ? order : strcmp(a->key, b->key);
    return order != 0 ? order : compare_texts(a->metric, b->metric);
}
