#include <math.h>
#include <string.h>

#include "report/escape/name.h"
#include "report/trend.h"
#include "stats/order.h"

enum { COMMITS_SHOWN = 8, COMMIT_LENGTH = 12, HINTS_SHOWN = 8 };

static bool is_same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static bool is_one_row(const struct dj_trend_point *a, const struct dj_trend_point *b)
{
    return a->version != NULL || b->version != NULL ? is_same(a->version, b->version)
                                                    : is_same(a->commit, b->commit);
}

/* Returns the median of the values of a row, or the median of a sample of them if there
 * are many. */
static double compute_median(const struct dj_trend_segment *segment, size_t first,
                             size_t count)
{
    double values[256];
    size_t step = (count + 255) / 256;
    size_t taken = 0;
    for (size_t i = 0; i < count; i += step) {
        values[taken++] = segment->points[first + i].value;
    }
    dj_order_sort(values, taken);
    return (values[(taken - 1) / 2] + values[taken / 2]) / 2;
}

bool dj_report_read_trend_row(const struct dj_trend_segment *segment, size_t first,
                              struct dj_trend_row *row)
{
    if (first >= segment->point_count) {
        return false;
    }
    size_t end = first + 1;
    *row = (struct dj_trend_row){.first = first, .runs = segment->points[first].runs};
    while (end < segment->point_count &&
           is_one_row(&segment->points[first], &segment->points[end])) {
        row->runs += segment->points[end++].runs;
    }
    row->count = end - first;
    row->value = compute_median(segment, first, row->count);
    row->ci = row->count == 1 ? segment->points[first].ci : (struct dj_bounds){NAN, NAN};
    return true;
}

size_t dj_report_find_trend_row(const struct dj_trend_segment *segment, size_t most)
{
    size_t rows = 0;
    size_t at = segment->point_count;
    while (at > 0 && (most == 0 || rows < most)) {
        at--;
        while (at > 0 && is_one_row(&segment->points[at - 1], &segment->points[at])) {
            at--;
        }
        rows++;
    }
    return at;
}

const struct dj_trend_change *
dj_report_find_trend_change(const struct dj_trend_segment *segment, size_t first,
                            size_t count)
{
    for (size_t i = 0; i < segment->change_count; i++) {
        if (segment->changes[i].index >= first &&
            segment->changes[i].index < first + count) {
            return &segment->changes[i];
        }
    }
    return NULL;
}

void dj_report_describe_trend_segment(struct dj_text *text,
                                      const struct dj_trend_segment *segment)
{
    dj_text_append_escaped_name(text, segment->project);
    dj_text_append_name(text, ", flow ", segment->flow, "");
    if (segment->serial[0] != '\0') {
        dj_text_add(text, ", ");
        dj_text_append_escaped_name(text, segment->model != NULL ? segment->model
                                                                 : segment->serial);
        if (segment->model != NULL && strcmp(segment->model, segment->serial) != 0) {
            dj_text_append_name(text, " (", segment->serial, ")");
        }
    }
    dj_text_append_name(text, ", release ", segment->release, "");
    dj_text_append_name(text, ", ", segment->config, "");
}

void dj_report_format_trend_value(struct dj_text *text,
                                  const struct dj_trend_segment *segment, double value)
{
    if (isnan(value)) {
        return;
    }
    if (segment->digits < 0) {
        dj_text_format(text, "%.6g", value);
    } else {
        dj_text_format(text, "%.*f", segment->digits, value);
    }
}

void dj_report_format_trend_interval(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_bounds *ci)
{
    if (!isnan(ci->low)) {
        dj_report_format_trend_value(text, segment, ci->low);
        dj_text_add(text, " … ");
        dj_report_format_trend_value(text, segment, ci->high);
    }
}

void dj_report_format_trend_day(struct dj_text *text, int64_t unix_ms)
{
    if (unix_ms != INT64_MIN) {
        dj_text_append_utc(text, "%Y-%m-%d", unix_ms / 1000);
    }
}

void dj_report_describe_trend_point(struct dj_text *text,
                                    const struct dj_trend_point *point)
{
    char name[DJ_TREND_NAME_BYTES];
    dj_trend_format_point_name(point, name);
    dj_text_append_escaped_name(text, name);
}

void dj_report_format_trend_size(struct dj_text *text,
                                 const struct dj_trend_change *change)
{
    if (isnan(change->ratio)) {
        dj_text_add(text, change->direction > 0 ? "up" : "down");
    } else {
        dj_text_format(text, "%+.1f %%", (change->ratio - 1) * 100);
    }
}

static void write_ratio(struct dj_text *text, const struct dj_trend_change *change)
{
    if (isnan(change->ratio)) {
        return;
    }
    dj_report_format_trend_size(text, change);
    if (isfinite(change->ci.low) && isfinite(change->ci.high) && change->ci.low > 0) {
        dj_text_format(text, " (95 %% CI %+.1f … %+.1f %%)", (change->ci.low - 1) * 100,
                       (change->ci.high - 1) * 100);
    }
    dj_text_add(text, ", ");
}

void dj_report_describe_trend_change(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change)
{
    const struct dj_trend_point *point = &segment->points[change->index];
    write_ratio(text, change);
    dj_report_format_trend_value(text, segment, change->before);
    dj_text_add(text, " → ");
    dj_report_format_trend_value(text, segment, change->after);
    dj_text_append_name(text, " ", segment->unit, "");
    dj_text_format(text, ", p %.2g, since ", change->p);
    dj_report_describe_trend_point(text, point);
    if (point->at_unix_ms != INT64_MIN &&
        (point->version != NULL || point->commit != NULL || point->label != NULL)) {
        dj_text_add(text, " (");
        dj_report_format_trend_day(text, point->at_unix_ms);
        dj_text_add(text, ")");
    }
    dj_text_add(text, change->worse    ? ": worse"
                      : change->better ? ": better"
                                       : ": changed");
    if (change->worse && change->blessing == NULL &&
        !dj_trend_change_holds(segment, change)) {
        dj_text_add(text, ", recovered since");
    }
}

static void write_end(struct dj_text *text, const char *what,
                      const struct dj_trend_point *point)
{
    dj_text_add(text, what);
    dj_report_describe_trend_point(text, point);
    if (point->commit != NULL && point->version != NULL) {
        dj_text_add(text, " (");
        for (size_t i = 0; i < COMMIT_LENGTH && point->commit[i] != '\0'; i++) {
            const char one[2] = {point->commit[i], '\0'};
            dj_text_append_escaped_name(text, one);
        }
        dj_text_add(text, ")");
    }
}

static void write_bisection(struct dj_text *text, const struct dj_trend_segment *segment,
                            const struct dj_trend_change *change)
{
    const struct dj_trend_point *good = &segment->points[change->index - 1];
    const struct dj_trend_point *bad = &segment->points[change->index];
    write_end(text, "last before it ", good);
    write_end(text, ", first after it ", bad);
    if (change->commit_count == 0) {
        bool one = good->commit != NULL && is_same(good->commit, bad->commit);
        dj_text_add(
            text, one ? "; both have the same commit, so the code is not the cause" : "");
        return;
    }
    dj_text_format(text, "; %zu commit%s between them (%s):", change->commit_count,
                   change->commit_count == 1 ? "" : "s",
                   change->from_git ? "git" : "known to the store");
    for (size_t i = 0; i < change->commit_count && i < COMMITS_SHOWN; i++) {
        char commit[COMMIT_LENGTH + 1];
        snprintf(commit, sizeof(commit), "%s", change->commits[i]);
        dj_name_format(text, " %s", commit);
    }
    dj_text_add(text, change->commit_count > COMMITS_SHOWN ? " …" : "");
}

void dj_report_describe_trend_reason(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change)
{
    if (change->blessing != NULL) {
        dj_name_format(text, "accepted by %s on ", change->blessing->who);
        dj_report_format_trend_day(text, change->blessing->made_unix_ms);
        dj_name_format(text, ": %s", change->blessing->why);
    } else {
        write_bisection(text, segment, change);
    }
}

static void write_gap(struct dj_text *text, const struct dj_trend_segment *segment)
{
    bool few = segment->gap == DJ_TREND_FEW_POINTS;
    if (segment->gap != DJ_TREND_WHOLE) {
        dj_text_format(text, "%zu point%s %s too %s to search for changes (%d %s)",
                       segment->point_count, segment->point_count == 1 ? "" : "s",
                       segment->point_count == 1 ? "is" : "are", few ? "few" : "many",
                       few ? DJ_HISTORY_LEAST : DJ_HISTORY_MAX,
                       few ? "needed" : "possible");
    }
}

static void write_hints(struct dj_text *text, const struct dj_trend_segment *segment)
{
    for (size_t i = 0; i < segment->hint_count && i < HINTS_SHOWN; i++) {
        const struct dj_trend_change *hint = &segment->hints[i];
        dj_text_add(text, i == 0 ? "possible smaller changes: " : ", ");
        dj_report_format_trend_size(text, hint);
        dj_text_add(text, " since ");
        dj_report_describe_trend_point(text, &segment->points[hint->index]);
    }
    if (segment->hint_count > HINTS_SHOWN) {
        dj_text_format(text, " and %zu more", segment->hint_count - HINTS_SHOWN);
    }
    if (segment->hint_count > 0) {
        dj_text_format(text,
                       ". They may be drift, because neighbouring points correlate "
                       "(ρ %.2f)",
                       segment->correlation);
    }
}

static void write_on_time(struct dj_text *text, const struct dj_trend_segment *segment)
{
    struct dj_trend_row first;
    struct dj_trend_row last;
    if (!segment->share || strcmp(segment->metric, "jank_rate") != 0 ||
        !dj_report_read_trend_row(segment, 0, &first) ||
        !dj_report_read_trend_row(segment, dj_report_find_trend_row(segment, 1), &last)) {
        return;
    }
    dj_text_format(text, "frames on time: %.1f %% (", 100 - first.value);
    dj_report_describe_trend_point(text, &segment->points[first.first]);
    dj_text_format(text, ") → %.1f %% (", 100 - last.value);
    dj_report_describe_trend_point(text, &segment->points[last.first]);
    dj_text_add(text, ")");
    if (segment->objective.known) {
        dj_text_format(text, ", objective %.6g %%", 100 - segment->objective.bound);
        if (!isnan(segment->objective.goal)) {
            dj_text_format(text, ", goal %.6g %%", 100 - segment->objective.goal);
            dj_text_append_name(text, " by ", segment->objective.by, "");
        }
    }
}

static void write_objective(struct dj_text *text, const struct dj_trend_segment *segment)
{
    if (segment->objective.known) {
        dj_text_format(text, "objective: %s ", segment->objective.at_least ? "≥" : "≤");
        dj_report_format_trend_value(text, segment, segment->objective.bound);
        dj_text_append_name(text, " ", segment->unit, "");
    }
}

static void write_backwards(struct dj_text *text, const struct dj_trend_segment *segment)
{
    size_t count = segment->backwards;
    if (count > 0) {
        dj_text_format(text,
                       "%zu batch%s older than batches that were stored before (the "
                       "clock was set, or stores were merged). Here the time decides "
                       "the order",
                       count, count == 1 ? " is" : "es are");
    }
}

void dj_report_describe_trend_note(struct dj_text *text,
                                   const struct dj_trend_segment *segment, size_t note)
{
    static void (*const writers[DJ_TREND_NOTES])(struct dj_text *,
                                                 const struct dj_trend_segment *) = {
        write_gap, write_hints, write_on_time, write_objective, write_backwards};
    writers[note](text, segment);
}

static const struct {
    const char *name;
    enum dj_tone tone;
} states[DJ_TREND_STATES] = {
    [DJ_TREND_WORSE] = {"worse", DJ_TONE_BAD},
    [DJ_TREND_CHANGED] = {"changed", DJ_TONE_PLAIN},
    [DJ_TREND_BETTER] = {"better", DJ_TONE_GOOD},
    [DJ_TREND_ACCEPTED] = {"accepted", DJ_TONE_MUTED},
    [DJ_TREND_RECOVERED] = {"recovered", DJ_TONE_MUTED},
    [DJ_TREND_UNCHANGED] = {"no change", DJ_TONE_PLAIN},
    [DJ_TREND_TOO_FEW] = {"too few points", DJ_TONE_MUTED},
    [DJ_TREND_TOO_MANY] = {"too many points", DJ_TONE_MUTED},
};

const char *dj_report_get_trend_state_name(enum dj_trend_state state)
{
    return states[state].name;
}

enum dj_tone dj_report_get_trend_state_tone(enum dj_trend_state state)
{
    return states[state].tone;
}

enum dj_trend_state dj_report_get_trend_state(const struct dj_trend_segment *segment,
                                              const struct dj_trend_change *change)
{
    return change->blessing != NULL                 ? DJ_TREND_ACCEPTED
           : change->better                         ? DJ_TREND_BETTER
           : !change->worse                         ? DJ_TREND_CHANGED
           : dj_trend_change_holds(segment, change) ? DJ_TREND_WORSE
                                                    : DJ_TREND_RECOVERED;
}
