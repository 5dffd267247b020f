#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "gate/objectives.h"
#include "memory/memory.h"

bool dj_gate_objective_read_bound(const char *metric, const char *text, double *bound,
                                  const char **expected)
{
    const struct dj_metrics_units *units = dj_metrics_units(metric);
    char *end;
    *expected = units->expected;
    if (text[0] == '\0' || strchr("0123456789.-", text[0]) == NULL) {
        return false;
    }
    double number = strtod(text, &end);
    const char *unit = end + strspn(end, " ");
    for (size_t i = 0; end > text && isfinite(number) && units->unit[i].factor > 0; i++) {
        if (strcmp(unit, units->unit[i].name) == 0) {
            *bound = number * units->unit[i].factor;
            return true;
        }
    }
    return false;
}

static const struct {
    const char *word, *metric;
} shorts[] = {{"p50", "frame_time_p50_ns"},   {"p90", "frame_time_p90_ns"},
              {"p95", "frame_time_p95_ns"},   {"p99", "frame_time_p99_ns"},
              {"max", "frame_time_max_ns"},   {"mean", "frame_time_mean_ns"},
              {"jank", "janky_pct"},          {"smooth", DJ_OBJECTIVE_SMOOTH},
              {"frame_rate", "frame_rate_hz"}};

bool dj_gate_objective_set_metric(const char *name, struct dj_objective *objective)
{
    for (size_t i = 0; i < COUNT_OF(shorts); i++) {
        name = strcmp(name, shorts[i].word) == 0 ? shorts[i].metric : name;
    }
    objective->smooth = strcmp(name, DJ_OBJECTIVE_SMOOTH) == 0;
    objective->metric_name = name;
    objective->metric = DJ_METRIC_JANKY_PCT;
    return objective->smooth || dj_metrics_find(name, &objective->metric);
}

bool dj_gate_objective_is_date(const char *text)
{
    int64_t day;
    return dj_date_parse(dj_str_of(text), &day);
}

static const struct {
    const char *word;
    bool at_least;
} signs[] = {{"<=", false}, {">=", true}, {"≤", false}, {"≥", true}};

/* Finds the comparison sign, such as "<=", and sets *after to the text after it. Returns
 * NULL if there is no sign. */
static const char *find_sign(const char *words, bool *at_least, const char **after)
{
    for (const char *at = words; *at != '\0'; at++) {
        for (size_t i = 0; i < COUNT_OF(signs); i++) {
            size_t length = strlen(signs[i].word);
            if (strncmp(at, signs[i].word, length) == 0) {
                *at_least = signs[i].at_least;
                *after = at + length;
                return at;
            }
        }
    }
    return NULL;
}

static void trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') {
        text[--length] = '\0';
    }
}

/* Reads a date such as "by 2027-03-31" at the end of the text and removes it from the
 * text. Returns false if the date is invalid. */
static bool read_date(char *rest, struct dj_objective *objective)
{
    char *by = strstr(rest, " by ");
    if (by == NULL) {
        return true;
    }
    char *date = by + 4 + strspn(by + 4, " ");
    trim(date);
    *by = '\0';
    if (!dj_gate_objective_is_date(date)) {
        return false;
    }
    memcpy(objective->by, date, DJ_OBJECTIVE_DATE_BYTES);
    return true;
}

/* Reads a statistic such as "worst" at the end of the text, if there is one, and removes
 * it from the text. */
static void read_statistic(char *rest, struct dj_objective *objective)
{
    trim(rest);
    char *space = strrchr(rest, ' ');
    if (space != NULL && dj_gate_statistic_find(space + 1, &objective->statistic)) {
        *space = '\0';
    }
}

static int report_invalid(const char *words, const char *expected, struct dj_error *err)
{
    return dj_error_set(err, DJ_E_USAGE, "'%.80s' is not an objective: expected %s",
                        words, expected);
}

static int parse_parts(char *metric, char *rest, const char *words,
                       struct dj_objective *objective, struct dj_error *err)
{
    const char *expected;
    trim(metric);
    if (!dj_gate_objective_set_metric(metric, objective)) {
        return report_invalid(words,
                              "a metric before <= or >=, such as p95, jank, smooth_pct "
                              "or frame_time_p95_ns (metrics: docs/format/store.md)",
                              err);
    }
    if (!read_date(rest, objective)) {
        return report_invalid(words, "a date such as 2027-03-31 after 'by'", err);
    }
    read_statistic(rest, objective);
    trim(rest);
    rest += strspn(rest, " ");
    return dj_gate_objective_read_bound(objective->metric_name, rest, &objective->bound,
                                        &expected)
               ? 0
               : report_invalid(words, expected, err);
}

/* Rewrites an objective without a metric. "≥ 98 % of frames on time by DATE" becomes
 * "smooth >= 98 % by DATE", and "no frame > 700 ms" becomes "max <= 700 ms worst". */
static void append_metric_name(struct dj_text *text, const char *words)
{
    static const char on_time[] = " of frames on time", no_frame[] = "no frame > ";
    bool at_least;
    const char *after;
    const char *phrase = strstr(words, on_time);
    if (strncmp(words, no_frame, sizeof(no_frame) - 1) == 0) {
        const char *bound = words + sizeof(no_frame) - 1;
        const char *by = strstr(bound, " by ");
        size_t length = by != NULL ? (size_t)(by - bound) : strlen(bound);
        dj_text_add(text, "max <= ");
        dj_text_append(text, bound, length);
        dj_text_format(text, " worst%s", bound + length);
    } else if (phrase != NULL && find_sign(words, &at_least, &after) == words) {
        dj_text_add(text, "smooth ");
        dj_text_append(text, words, (size_t)(phrase - words));
        dj_text_add(text, phrase + sizeof(on_time) - 1);
    } else {
        dj_text_add(text, words);
    }
}

int dj_gate_objective_parse(const char *words, struct dj_objectives *objectives,
                            struct dj_error *err)
{
    struct dj_objective objective = {.goal = NAN};
    struct dj_text named = {0};
    const char *after;
    words += strspn(words, " ");
    append_metric_name(&named, words);
    const char *text = dj_xtext(&named);
    const char *sign = find_sign(text, &objective.at_least, &after);
    if (sign == NULL) {
        dj_text_finish(&named);
        return report_invalid(
            words,
            "METRIC <= BOUND or METRIC >= BOUND, \"no frame > 700 ms\" or "
            "\">= 98 % of frames on time\"",
            err);
    }
    char *metric = dj_xcopy(text, (size_t)(sign - text));
    char *rest = dj_xstrdup(after);
    int code = parse_parts(metric, rest, words, &objective, err);
    if (code == 0) {
        code = dj_gate_objectives_add(objectives, &objective, err);
    }
    free(metric);
    free(rest);
    dj_text_finish(&named);
    return code;
}

void dj_gate_objective_format_value(struct dj_text *text,
                                    const struct dj_objective *objective, double value)
{
    const struct dj_metric_unit *unit = dj_metrics_units(objective->metric_name)->unit;
    if (!isfinite(value)) {
        dj_text_add(text, isnan(value) ? "unknown" : value < 0 ? "−∞" : "∞");
        return;
    }
    dj_text_format(text, "%.4g%s%s", value / unit->factor,
                   unit->name[0] != '\0' ? " " : "", unit->name);
}

/* Appends the name of a metric without its unit. "frame_time_p95_ns" becomes "frame time
 * p95". */
static void append_metric(struct dj_text *text, const char *metric)
{
    size_t length = strlen(metric) - strlen(dj_metrics_units(metric)->suffix);
    for (size_t i = 0; i < length; i++) {
        dj_text_append(text, metric[i] == '_' ? " " : &metric[i], 1);
    }
}

void dj_gate_objective_format(struct dj_text *text, const struct dj_objective *objective,
                              const struct dj_objective_result *result)
{
    bool replaced = result != NULL && result->metric != objective->metric;
    append_metric(text,
                  replaced ? dj_metrics_name(result->metric) : objective->metric_name);
    dj_text_add(text, objective->at_least ? " ≥ " : " ≤ ");
    dj_gate_objective_format_value(text, objective, objective->bound);
    if (objective->statistic != DJ_OBJECTIVE_MEDIAN) {
        dj_text_format(text, " (%s of runs)",
                       dj_gate_statistic_name(objective->statistic));
    }
    if (!isnan(objective->goal)) {
        dj_text_add(text, ", goal ");
        dj_gate_objective_format_value(text, objective, objective->goal);
    }
    if (objective->by[0] != '\0') {
        dj_text_format(text, " by %s", objective->by);
    }
}

static void append_value(struct dj_text *text, const char *before,
                         const struct dj_objective *objective, double value,
                         const char *after)
{
    dj_text_add(text, before);
    dj_gate_objective_format_value(text, objective, value);
    dj_text_add(text, after);
}

void dj_gate_objective_format_reason(struct dj_text *text,
                                     const struct dj_objective *objective,
                                     const struct dj_objective_result *result)
{
    if (result->state == DJ_OBJECTIVE_NOT_MEASURED) {
        dj_text_format(text, "no valid run has %s", objective->metric_name);
        return;
    }
    const struct dj_bounds *interval = &result->interval;
    dj_text_format(text, "%zu of %zu runs keep ", result->within_count, result->runs);
    append_value(text, "", objective, result->bound, "; ");
    dj_text_add(text, dj_gate_statistic_name(objective->statistic));
    append_value(text, " ", objective, result->value, "");
    if (objective->statistic != DJ_OBJECTIVE_WORST) {
        if (isfinite(interval->low) || isfinite(interval->high)) {
            append_value(text, " [", objective, interval->low, ", ");
            append_value(text, "", objective, interval->high, "]");
        }
        if (!isnan(result->confidence)) {
            dj_text_format(text, "; met with %.4g %% confidence",
                           100 * result->confidence);
        }
    } else if (result->within_count == result->runs) {
        dj_text_format(text, "; up to %.3g %% of runs may still break it",
                       100 * interval->high);
    }
    if (result->lacking > 0) {
        dj_text_format(text, "; %zu runs lack it", result->lacking);
    }
    if (objective->metric == DJ_METRIC_FRAME_TIME_MAX && result->unseen_pct > 0) {
        dj_text_format(text, "; %.2g %% of the frames were not seen", result->unseen_pct);
    }
    if (result->goal_gap > 0) {
        append_value(text, "; distance to the goal ", objective, result->goal_gap, "");
    }
}
