#include <math.h>

#include "base/json.h"
#include "report/trend.h"

static void put_build(struct dj_text *text, const struct dj_trend_point *point)
{
    dj_json_put_string(text, "batch", point->id);
    dj_json_put_string(text, "version", point->version);
    dj_json_put_string(text, "commit", point->commit);
}

static void put_time(struct dj_text *text, const struct dj_trend_point *point)
{
    dj_json_put_known(text, "at_unix_ms",
                      point->at_unix_ms != INT64_MIN ? point->at_unix_ms : -1);
}

static void put_point(struct dj_text *text, const struct dj_trend_point *point)
{
    dj_json_open_object(text, NULL);
    put_build(text, point);
    dj_json_put_string(text, "label", point->label);
    put_time(text, point);
    dj_json_put_int(text, "runs", (int64_t)point->runs);
    dj_json_put_number(text, "value", point->value);
    dj_json_put_bounds(text, "ci", point->ci.low, point->ci.high);
    dj_json_close(text, "}");
}

static void put_end(struct dj_text *text, const char *key,
                    const struct dj_trend_point *point)
{
    char name[DJ_TREND_NAME];
    dj_trend_point_name(point, name);
    dj_json_open_object(text, key);
    dj_json_put_string(text, "name", name);
    put_build(text, point);
    put_time(text, point);
    dj_json_close(text, "}");
}

static void put_blessing(struct dj_text *text, const struct dj_trend_blessing *blessing)
{
    if (blessing == NULL) {
        dj_json_put_null(text, "blessing");
        return;
    }
    dj_json_open_object(text, "blessing");
    dj_json_put_string(text, "id", blessing->id);
    dj_json_put_string(text, "who", blessing->who);
    dj_json_put_string(text, "why", blessing->why);
    dj_json_put_int(text, "made_unix_ms", blessing->made_unix_ms);
    dj_json_close(text, "}");
}

/* The size of a change, and the points before and after it. */
static void put_step(struct dj_text *text, const struct dj_trend_segment *segment,
                     const struct dj_trend_change *change)
{
    dj_json_put_number(text, "ratio", change->ratio);
    dj_json_put_bounds(text, "ci", change->ci.low, change->ci.high);
    dj_json_put_number(text, "p", change->p);
    dj_json_put_number(text, "before", change->before);
    dj_json_put_number(text, "after", change->after);
    put_end(text, "last_before", &segment->points[change->index - 1]);
    put_end(text, "first_after", &segment->points[change->index]);
}

static void put_place(struct dj_text *text, const struct dj_trend_change *change)
{
    dj_json_put_int(text, "index", (int64_t)change->index);
    dj_json_put_string(text, "direction", change->direction > 0 ? "up" : "down");
    dj_json_put_string(text, "means",
                       change->worse    ? "worse"
                       : change->better ? "better"
                                        : "neutral");
}

static void put_change(struct dj_text *text, const struct dj_trend_segment *segment,
                       const struct dj_trend_change *change)
{
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "id", change->id);
    put_place(text, change);
    dj_json_put_bool(text, "stands", dj_trend_stands(segment, change));
    put_step(text, segment, change);
    dj_json_put_string(text, "commits_from", change->from_git ? "git" : "store");
    dj_json_open_array(text, "commits");
    for (size_t i = 0; i < change->commit_count; i++) {
        dj_json_string(text, change->commits[i]);
    }
    dj_json_close(text, "]");
    put_blessing(text, change->blessing);
    dj_json_close(text, "}");
}

static void put_objective(struct dj_text *text, const struct dj_trend_segment *segment)
{
    if (!segment->objective.known) {
        dj_json_put_null(text, "objective");
        return;
    }
    dj_json_open_object(text, "objective");
    dj_json_put_number(text, segment->objective.at_least ? "at_least" : "at_most",
                       segment->objective.bound);
    dj_json_put_number(text, "goal", segment->objective.goal);
    dj_json_put_string(text, "by", segment->objective.by);
    dj_json_close(text, "}");
}

static void put_head(struct dj_text *text, const struct dj_trend_segment *segment)
{
    static const char *const gaps[] = {[DJ_TREND_WHOLE] = NULL,
                                       [DJ_TREND_FEW_POINTS] = "few-points",
                                       [DJ_TREND_MANY_POINTS] = "many-points"};
    dj_json_put_string(text, "segment", segment->key);
    dj_json_put_string(text, "project", segment->project);
    dj_json_put_string(text, "flow", segment->flow);
    dj_json_put_string(text, "device", segment->serial);
    dj_json_put_string(text, "model", segment->model);
    dj_json_put_string(text, "release", segment->release);
    dj_json_put_string(text, "config", segment->config);
    dj_json_put_bool(text, "imported", segment->imported);
    dj_json_put_string(text, "metric", segment->metric);
    dj_json_put_string(text, "unit", segment->unit);
    dj_json_put_string(text, "better",
                       segment->less_is_better   ? "less"
                       : segment->more_is_better ? "more"
                                                 : "neutral");
    dj_json_put_string(text, "no_changes_looked_for", gaps[segment->gap]);
    dj_json_put_int(text, "backwards", (int64_t)segment->backwards);
}

static void put_segment(struct dj_text *text, const struct dj_trend_segment *segment)
{
    dj_json_open_object(text, NULL);
    put_head(text, segment);
    put_objective(text, segment);
    dj_json_open_array(text, "points");
    for (size_t i = 0; i < segment->point_count; i++) {
        put_point(text, &segment->points[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "changes");
    for (size_t i = 0; i < segment->change_count; i++) {
        put_change(text, segment, &segment->changes[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "hints");
    for (size_t i = 0; i < segment->hint_count; i++) {
        dj_json_open_object(text, NULL);
        put_place(text, &segment->hints[i]);
        put_step(text, segment, &segment->hints[i]);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    dj_json_put_number(text, "correlation",
                       segment->gap == DJ_TREND_WHOLE ? segment->correlation : NAN);
    dj_json_close(text, "}");
}

static void put_head_of_all(struct dj_text *text, const struct dj_trend_page *page,
                            const struct dj_trend_told *told)
{
    (void)page;
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "schema", "dejank.history/1");
    dj_json_put_int(text, "unclassed", (int64_t)told->unclassed);
    dj_json_put_name(text, "git", told->git_note);
    dj_json_open_array(text, "segments");
}

static void put_part(struct dj_text *text, struct dj_trend_page *page)
{
    dj_text_string(text, page->before > 0 ? "," : "");
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        put_segment(text, &page->trend->segments[i]);
    }
}

const struct dj_trend_form dj_trend_json = {
    .suffix = ".json", .part = put_part, .head = put_head_of_all, .tail = "]}\n"};
