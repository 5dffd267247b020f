#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/optional_text.h"
#include "memory/memory.h"
#include "store/sha256.h"
#include "trend/trend_reading.h"

/* What `from` keeps is then kept by the trend. */
static void take_texts(struct dj_strings *texts, struct dj_strings *from)
{
    while (from->count > 0) {
        DJ_XPUSH(texts->all, texts->count, DJ_ARRAY_POP(from->all, from->count));
    }
}

struct dj_trend_segment *dj_trend_add_segment(struct dj_trend *trend,
                                              const struct dj_trend_segment *head,
                                              struct dj_error *err)
{
    if (trend->segment_count == DJ_TREND_SEGMENTS) {
        dj_error_set(err, DJ_E_LIMIT,
                     "more than %d histories at once: ask for one project, flow or "
                     "device",
                     DJ_TREND_SEGMENTS);
        return NULL;
    }
    DJ_XPUSH(trend->segments, trend->segment_count, *head);
    struct dj_trend_segment *segment = &trend->segments[trend->segment_count - 1];
    segment->objective.bound = segment->objective.goal = NAN;
    return segment;
}

bool dj_trend_drop_empty(struct dj_trend *trend)
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

void dj_trend_name_segment(struct dj_trend_segment *segment, const char *device)
{
    const char *const parts[] = {segment->project, segment->flow, device,
                                 segment->release, segment->config};
    char hex[DJ_SHA256_HEX];
    dj_sha256_of_texts(parts, COUNT_OF(parts), hex);
    memcpy(segment->key, hex, DJ_TREND_KEY - 1);
    segment->key[DJ_TREND_KEY - 1] = '\0';
}

void dj_trend_point_name(const struct dj_trend_point *point, char name[DJ_TREND_NAME])
{
    time_t seconds = (time_t)(point->at_unix_ms / 1000);
    struct tm utc;
    if (point->version != NULL) {
        snprintf(name, DJ_TREND_NAME, "%s", point->version);
    } else if (point->commit != NULL) {
        snprintf(name, DJ_TREND_NAME, "%.12s", point->commit);
    } else if (point->label != NULL) {
        snprintf(name, DJ_TREND_NAME, "%s", point->label);
    } else if (point->at_unix_ms != INT64_MIN && gmtime_r(&seconds, &utc) != NULL) {
        strftime(name, DJ_TREND_NAME, "%Y-%m-%d %H:%M", &utc);
    } else {
        snprintf(name, DJ_TREND_NAME, "#%" PRId64, point->ordinal);
    }
}

/* ---- the whole ---- */

static int compare_texts(const char *a, const char *b)
{
    return strcmp(dj_texts_or_empty(a), dj_texts_or_empty(b));
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

static int find_all_changes(struct dj_trend *trend, const struct dj_trend_query *query,
                            struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < trend->segment_count && code == 0; i++) {
        code = dj_trend_find_changes(&trend->segments[i], query->rules, err);
    }
    return code;
}

static int read_part(struct dj_trend_outline *outline, size_t from, size_t to,
                     struct dj_trend *trend, struct dj_error *err)
{
    int code = dj_trend_read_batches(outline, from, to, trend, err);
    if (code != 0 || (code = dj_trend_read_series(outline, from, to, trend, err)) != 0) {
        return code;
    }
    if (trend->segment_count > 0) {
        qsort(trend->segments, trend->segment_count, sizeof(*trend->segments),
              dj_trend_compare_segments);
    }
    if ((code = find_all_changes(trend, outline->query, err)) != 0 ||
        (code = dj_trend_bless(trend, outline->history, err)) != 0) {
        return code;
    }
    code = dj_trend_bisect(trend, outline, err);
    trend->git_note = dj_trend_git_note(outline->git);
    return code;
}

int dj_trend_read(struct dj_history *history, const struct dj_trend_query *query,
                  struct dj_trend *trend, struct dj_error *err)
{
    struct dj_trend_outline outline = {.history = history, .query = query};
    int code = dj_trend_outline_read(&outline, err);
    if (code == 0) {
        code = read_part(&outline, 0, outline.group_count, trend, err);
    }
    /* The heads' texts are now the trend's. */
    take_texts(&trend->texts, &outline.names);
    trend->git_note = dj_strings_keep(&trend->texts, trend->git_note);
    dj_trend_outline_finish(&outline);
    return code;
}

/* The end of the part that begins there. */
static size_t end_of_part(const struct dj_trend_outline *outline, size_t from)
{
    size_t most = dj_history_at_once(outline->history);
    size_t weight = outline->groups[from].weight;
    size_t to = from + 1;
    for (; to < outline->group_count && weight + outline->groups[to].weight <= most;
         to++) {
        weight += outline->groups[to].weight;
    }
    return to;
}

int dj_trend_each_part(struct dj_history *history, const struct dj_trend_query *query,
                       int (*take)(void *user, const struct dj_trend *part), void *user,
                       struct dj_trend_told *told, struct dj_error *err)
{
    struct dj_trend_outline outline = {.history = history, .query = query};
    *told = (struct dj_trend_told){0};
    int code = dj_trend_outline_read(&outline, err);
    if (code == 0 && outline.place_count == 0) {
        struct dj_trend none = {0}; /* that it is told how a database goes about it */
        code = dj_trend_read_batches(&outline, 0, 0, &none, err);
        dj_trend_finish(&none);
    }
    for (size_t from = 0, to; from < outline.group_count && code == 0; from = to) {
        struct dj_trend part = {0};
        to = end_of_part(&outline, from);
        code = read_part(&outline, from, to, &part, err);
        if (code == 0 && part.segment_count > 0) {
            code = take(user, &part);
        }
        told->segments += part.segment_count;
        dj_trend_finish(&part);
    }
    const char *note = dj_trend_git_note(outline.git);
    told->unclassed = outline.unclassed;
    snprintf(told->git_note, sizeof(told->git_note), "%s", note != NULL ? note : "");
    dj_trend_outline_finish(&outline);
    return code;
}

void dj_trend_finish(struct dj_trend *trend)
{
    for (size_t i = 0; i < trend->segment_count; i++) {
        for (size_t k = 0; k < trend->segments[i].change_count; k++) {
            free(trend->segments[i].changes[k].commits);
        }
        free(trend->segments[i].points);
        free(trend->segments[i].changes);
        free(trend->segments[i].hints);
    }
    for (size_t i = 0; i < trend->blessing_count; i++) {
        free(trend->blessings[i]);
    }
    dj_strings_finish(&trend->texts);
    free(trend->segments);
    free(trend->blessings);
    *trend = (struct dj_trend){0};
}

/* ---- looking into it ---- */

int dj_trend_find_change(const struct dj_trend *trend, const char *word,
                         const struct dj_trend_segment **segment,
                         const struct dj_trend_change **change, struct dj_error *err)
{
    size_t found = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i < trend->segment_count; i++) {
        for (size_t k = 0; k < trend->segments[i].change_count; k++) {
            if (length >= 4 &&
                strncmp(trend->segments[i].changes[k].id, word, length) == 0) {
                *segment = &trend->segments[i];
                *change = &trend->segments[i].changes[k];
                found++;
            }
        }
    }
    return found == 1 ? 0
           : found == 0
               ? dj_error_set(err, DJ_E_NO_DATA,
                              "no change is called '%.40s' (dejank history lists them)",
                              word)
               : dj_error_set(err, DJ_E_USAGE, "%zu changes are called so: '%.40s'",
                              found, word);
}

/* A level is good again where it is no worse than what the change left, by half of it. */
bool dj_trend_stands(const struct dj_trend_segment *segment,
                     const struct dj_trend_change *change)
{
    if (!change->worse || change->blessing != NULL || segment->change_count == 0) {
        return false;
    }
    double now = segment->changes[segment->change_count - 1].after;
    double half = (change->before + change->after) / 2;
    return change->direction > 0 ? now > half : now < half;
}
