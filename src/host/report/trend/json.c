#include <math.h>

#include "base/json.h"
#include "report/trend.h"

static void write_build(struct dj_text *text, const struct dj_trend_point *point)
{
    dj_json_add_string(text, "batch", point->id);
    dj_json_add_string(text, "version", point->version);
    dj_json_add_string(text, "commit", point->commit);
}

static void write_time(struct dj_text *text, const struct dj_trend_point *point)
{
    dj_json_add_known(text, "at_unix_ms",
                      point->at_unix_ms != INT64_MIN ? point->at_unix_ms : -1);
}

static void write_point(struct dj_text *text, const struct dj_trend_point *point)
{
    dj_json_open_object(text, NULL);
    write_build(text, point);
    dj_json_add_string(text, "label", point->label);
    write_time(text, point);
    dj_json_add_int(text, "runs", (int64_t)point->runs);
    dj_json_add_number(text, "value", point->value);
    dj_json_add_bounds(text, "ci", point->ci.low, point->ci.high);
    dj_json_close(text, "}");
}

static void write_end(struct dj_text *text, const char *key,
                      const struct dj_trend_point *point)
{
    char name[DJ_TREND_NAME_BYTES];
    dj_trend_format_point_name(point, name);
    dj_json_open_object(text, key);
    dj_json_add_string(text, "name", name);
    write_build(text, point);
    write_time(text, point);
    dj_json_close(text, "}");
}

static void write_blessing(struct dj_text *text, const struct dj_trend_blessing *blessing)
{
    if (blessing == NULL) {
        dj_json_add_null(text, "blessing");
        return;
    }
    dj_json_open_object(text, "blessing");
    dj_json_add_string(text, "id", blessing->id);
    dj_json_add_string(text, "who", blessing->who);
    dj_json_add_string(text, "why", blessing->why);
    dj_json_add_int(text, "made_unix_ms", blessing->made_unix_ms);
    dj_json_close(text, "}");
}

/* Writes the size of a change, and the points before and after it. */
static void write_step(struct dj_text *text, const struct dj_trend_segment *segment,
                       const struct dj_trend_change *change)
{
    dj_json_add_number(text, "ratio", change->ratio);
    dj_json_add_bounds(text, "ci", change->ci.low, change->ci.high);
    dj_json_add_number(text, "p", change->p);
    dj_json_add_number(text, "before", change->before);
    dj_json_add_number(text, "after", change->after);
    write_end(text, "last_before", &segment->points[change->index - 1]);
    write_end(text, "first_after", &segment->points[change->index]);
}

static void write_place(struct dj_text *text, const struct dj_trend_change *change)
{
    dj_json_add_int(text, "index", (int64_t)change->index);
    dj_json_add_string(text, "direction", change->direction > 0 ? "up" : "down");
    dj_json_add_string(text, "means",
                       change->worse    ? "worse"
                       : change->better ? "better"
                                        : "neutral");
}

static void write_change(struct dj_text *text, const struct dj_trend_segment *segment,
                         const struct dj_trend_change *change)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "id", change->id);
    write_place(text, change);
    dj_json_add_bool(text, "stands", dj_trend_change_holds(segment, change));
    write_step(text, segment, change);
    dj_json_add_string(text, "commits_from", change->from_git ? "git" : "store");
    dj_json_open_array(text, "commits");
    for (size_t i = 0; i < change->commit_count; i++) {
        dj_json_append_string(text, change->commits[i]);
    }
    dj_json_close(text, "]");
    write_blessing(text, change->blessing);
    dj_json_close(text, "}");
}

static void write_objective(struct dj_text *text, const struct dj_trend_segment *segment)
{
    if (!segment->objective.known) {
        dj_json_add_null(text, "objective");
        return;
    }
    dj_json_open_object(text, "objective");
    dj_json_add_number(text, segment->objective.at_least ? "at_least" : "at_most",
                       segment->objective.bound);
    dj_json_add_number(text, "goal", segment->objective.goal);
    dj_json_add_string(text, "by", segment->objective.by);
    dj_json_close(text, "}");
}

static void write_head(struct dj_text *text, const struct dj_trend_segment *segment)
{
    static const char *const gaps[] = {[DJ_TREND_WHOLE] = NULL,
                                       [DJ_TREND_FEW_POINTS] = "few-points",
                                       [DJ_TREND_MANY_POINTS] = "many-points"};
    dj_json_add_string(text, "segment", segment->key);
    dj_json_add_string(text, "project", segment->project);
    dj_json_add_string(text, "flow", segment->flow);
    dj_json_add_string(text, "device", segment->serial);
    dj_json_add_string(text, "model", segment->model);
    dj_json_add_string(text, "release", segment->release);
    dj_json_add_string(text, "config", segment->config);
    dj_json_add_bool(text, "imported", segment->imported);
    dj_json_add_string(text, "metric", segment->metric);
    dj_json_add_string(text, "unit", segment->unit);
    dj_json_add_string(text, "better",
                       segment->less_is_better   ? "less"
                       : segment->more_is_better ? "more"
                                                 : "neutral");
    dj_json_add_string(text, "no_changes_looked_for", gaps[segment->gap]);
    dj_json_add_int(text, "backwards", (int64_t)segment->backwards);
}

static void write_segment(struct dj_text *text, const struct dj_trend_segment *segment)
{
    dj_json_open_object(text, NULL);
    write_head(text, segment);
    write_objective(text, segment);
    dj_json_open_array(text, "points");
    for (size_t i = 0; i < segment->point_count; i++) {
        write_point(text, &segment->points[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "changes");
    for (size_t i = 0; i < segment->change_count; i++) {
        write_change(text, segment, &segment->changes[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "hints");
    for (size_t i = 0; i < segment->hint_count; i++) {
        dj_json_open_object(text, NULL);
        write_place(text, &segment->hints[i]);
        write_step(text, segment, &segment->hints[i]);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    dj_json_add_number(text, "correlation",
                       segment->gap == DJ_TREND_WHOLE ? segment->correlation : NAN);
    dj_json_close(text, "}");
}

static void write_start(struct dj_text *text, const struct dj_trend_totals *totals)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.history/1");
    dj_json_add_int(text, "unclassed", (int64_t)totals->unclassed);
    dj_json_add_name(text, "git", totals->git_note);
    dj_json_open_array(text, "segments");
}

static void write_part(struct dj_text *text, const struct dj_trend *part, size_t before)
{
    dj_text_add(text, before > 0 ? "," : "");
    for (size_t i = 0; i < part->segment_count; i++) {
        write_segment(text, &part->segments[i]);
    }
}

const struct dj_trend_form dj_report_trend_json = {
    .suffix = ".json", .head = write_start, .part = write_part, .tail = "]}\n"};
