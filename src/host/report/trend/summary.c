#include "report/trend/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

/* A list of changes is cut after this number of bytes. */
enum { OTHERS_BYTES = 400 };

static void free_finding(struct dj_trend_finding *finding)
{
    for (size_t i = 0; i < DJ_FINDING_TEXTS; i++) {
        free(finding->texts[i]);
    }
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        free(finding->notes[i]);
    }
    *finding = (struct dj_trend_finding){.state = DJ_TREND_STATES};
}

void dj_report_finish_trend_summary(struct dj_trend_summary *summary)
{
    for (size_t i = 0; i < summary->finding_count; i++) {
        free_finding(&summary->findings[i]);
    }
    dj_chart_free(summary->chart);
    free(summary->last_project);
    *summary = (struct dj_trend_summary){.finding_count = 0};
}

static double compute_size(const struct dj_trend_change *change)
{
    double size = fabs(log(change->ratio));
    return isfinite(size) ? size : 0;
}

const struct dj_trend_change *
dj_report_choose_trend_change(const struct dj_trend_segment *segment,
                              enum dj_trend_state *state)
{
    const struct dj_trend_change *chosen = NULL;
    *state = segment->gap == DJ_TREND_FEW_POINTS    ? DJ_TREND_TOO_FEW
             : segment->gap == DJ_TREND_MANY_POINTS ? DJ_TREND_TOO_MANY
                                                    : DJ_TREND_UNCHANGED;
    for (size_t i = 0; i < segment->change_count; i++) {
        enum dj_trend_state one =
            dj_report_get_trend_state(segment, &segment->changes[i]);
        if (chosen == NULL || one <= *state) {
            chosen = &segment->changes[i];
            *state = one;
        }
    }
    return chosen;
}

static bool is_before(const struct dj_trend_finding *a, const struct dj_trend_finding *b)
{
    return a->state != b->state ? a->state < b->state
           : a->size != b->size ? a->size > b->size
                                : a->number < b->number;
}

static void set_text(struct dj_trend_finding *finding, enum dj_trend_finding_text which,
                     const char *name)
{
    struct dj_text text = {0};
    dj_text_append_name(&text, "", name, "");
    finding->texts[which] = dj_xtext_detach(&text);
}

/* Lists the changes of the segment except `change`. */
static void set_others(struct dj_trend_finding *finding,
                       const struct dj_trend_segment *segment,
                       const struct dj_trend_change *change)
{
    struct dj_text text = {0};
    for (size_t i = 0; i < segment->change_count && text.length < OTHERS_BYTES; i++) {
        const struct dj_trend_change *other = &segment->changes[i];
        if (other != change) {
            dj_text_add(&text, text.length > 0 ? ", " : "");
            dj_report_format_trend_size(&text, other);
            dj_text_add(&text, " since ");
            dj_report_describe_trend_point(&text, &segment->points[other->index]);
            dj_text_format(&text, " (%s)",
                           dj_report_get_trend_state_name(
                               dj_report_get_trend_state(segment, other)));
        }
    }
    dj_text_add(&text, text.length >= OTHERS_BYTES ? ", …" : "");
    finding->texts[DJ_FINDING_OTHERS] = dj_xtext_detach(&text);
}

static void set_change(struct dj_trend_finding *finding,
                       const struct dj_trend_segment *segment,
                       const struct dj_trend_change *change)
{
    const struct dj_trend_point *point = &segment->points[change->index];
    struct dj_text text = {0};
    dj_report_format_trend_size(&text, change);
    finding->texts[DJ_FINDING_SIZE] = dj_xtext_detach(&text);
    dj_report_describe_trend_point(&text, point);
    finding->texts[DJ_FINDING_SINCE] = dj_xtext_detach(&text);
    dj_report_format_trend_day(&text, point->at_unix_ms);
    finding->texts[DJ_FINDING_DAY] = dj_xtext_detach(&text);
    dj_report_describe_trend_change(&text, segment, change);
    finding->texts[DJ_FINDING_CHANGE] = dj_xtext_detach(&text);
    dj_report_describe_trend_reason(&text, segment, change);
    finding->texts[DJ_FINDING_REASON] = dj_xtext_detach(&text);
    set_others(finding, segment, change);
    set_text(finding, DJ_FINDING_ID, change->id);
    set_text(finding, DJ_FINDING_OLDER, point[-1].id);
    set_text(finding, DJ_FINDING_NEWER, point->id);
}

static void set_level(struct dj_trend_finding *finding,
                      const struct dj_trend_segment *segment,
                      const struct dj_trend_change *change)
{
    struct dj_trend_row row;
    struct dj_text text = {0};
    if (change != NULL) {
        dj_report_format_trend_value(&text, segment, change->before);
        dj_text_add(&text, " → ");
        dj_report_format_trend_value(&text, segment, change->after);
    } else if (dj_report_read_trend_row(segment, dj_report_find_trend_row(segment, 1),
                                        &row)) {
        dj_report_format_trend_value(&text, segment, row.value);
    }
    finding->texts[DJ_FINDING_LEVEL] = dj_xtext_detach(&text);
}

static void set_texts(struct dj_trend_finding *finding,
                      const struct dj_trend_segment *segment,
                      const struct dj_trend_change *change)
{
    struct dj_text text = {0};
    set_text(finding, DJ_FINDING_METRIC, segment->words);
    set_text(finding, DJ_FINDING_UNIT, segment->unit);
    set_text(finding, DJ_FINDING_PROJECT, segment->project);
    set_text(finding, DJ_FINDING_FLOW, segment->flow);
    set_text(finding, DJ_FINDING_DEVICE,
             segment->model != NULL ? segment->model : segment->serial);
    set_text(finding, DJ_FINDING_NAME, segment->metric);
    dj_report_describe_trend_segment(&text, segment);
    finding->texts[DJ_FINDING_HISTORY] = dj_xtext_detach(&text);
    set_level(finding, segment, change);
    if (change != NULL) {
        set_change(finding, segment, change);
    }
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_report_describe_trend_note(&text, segment, i);
        finding->notes[i] = text.length > 0 ? dj_xtext_detach(&text) : NULL;
    }
    dj_text_finish(&text);
}

static void count_segment(struct dj_trend_summary *summary,
                          const struct dj_trend_segment *segment,
                          enum dj_trend_state state)
{
    bool same_project = summary->last_project != NULL &&
                        strcmp(summary->last_project, segment->project) == 0;
    summary->segments++;
    summary->states[state]++;
    summary->histories += strcmp(summary->last_key, segment->key) != 0;
    memcpy(summary->last_key, segment->key, sizeof(summary->last_key));
    if (!same_project) {
        summary->projects++;
        free(summary->last_project);
        summary->last_project = dj_xstrdup(segment->project);
    }
    if (segment->point_count > summary->points_max) {
        summary->points_max = segment->point_count;
    }
}

static void insert_finding(struct dj_trend_summary *summary,
                           const struct dj_trend_finding *finding, size_t place)
{
    if (summary->finding_count == DJ_TREND_FINDINGS_MAX) {
        free_finding(&summary->findings[--summary->finding_count]);
    }
    memmove(&summary->findings[place + 1], &summary->findings[place],
            (summary->finding_count - place) * sizeof(*finding));
    summary->findings[place] = *finding;
    summary->finding_count++;
}

void dj_report_add_to_trend_summary(struct dj_trend_summary *summary,
                                    const struct dj_trend_segment *segment)
{
    struct dj_trend_finding finding = {.number = summary->segments};
    const struct dj_trend_change *change =
        dj_report_choose_trend_change(segment, &finding.state);
    finding.size = change != NULL ? compute_size(change) : 0;
    size_t place = summary->finding_count;
    count_segment(summary, segment, finding.state);
    while (place > 0 && is_before(&finding, &summary->findings[place - 1])) {
        place--;
    }
    if (place == DJ_TREND_FINDINGS_MAX) {
        return;
    }
    set_texts(&finding, segment, change);
    insert_finding(summary, &finding, place);
    if (place == 0) {
        dj_chart_free(summary->chart);
        summary->chart = dj_report_create_trend_chart(segment);
    }
}
