#include <string.h>

#include "compare/share.h"
#include "fleet/compare.h"

#define AT(member) offsetof(struct dj_fleet_group, member)
#define QUANTILE(percent, p, margin_, gates_)                                            \
    {                                                                                    \
        .name = "frame_time_p" #percent, .short_name = "p" #percent,                     \
        .words = "p" #percent " frame time", .unit = "ms", .quantile = p,                \
        .margin = margin_, .gates = gates_                                               \
    }
#define SHARE(name_, short_, words_, count_, of_, known_, gates_)                        \
    {                                                                                    \
        .name = name_, .short_name = short_, .words = words_, .unit = "%",               \
        .margin = 0.2, .gates = gates_, .count = AT(count_), .of = AT(of_),              \
        .known = AT(known_)                                                              \
    }

/* The margins and the metrics that gate are those of compare/metrics.c. */
const struct dj_fleet_metric dj_fleet_metrics[DJ_FLEET_METRICS] = {
    [DJ_FLEET_P50] = QUANTILE(50, 0.5, 0.05, true),
    [DJ_FLEET_P90] = QUANTILE(90, 0.9, 0.05, false),
    [DJ_FLEET_P95] = QUANTILE(95, 0.95, 0.05, true),
    [DJ_FLEET_P99] = QUANTILE(99, 0.99, 0.1, false),
    [DJ_FLEET_JANKY] =
        SHARE("jank_rate", "jank", "jank rate", janky, janky_of, janky_of, true),
    [DJ_FLEET_SLOW] =
        SHARE("slow_frames", "slow", "slow frames", slow, slow_of, slow_of, false),
    [DJ_FLEET_FROZEN] = SHARE("frozen_frames", "frozen", "frozen frames", frozen,
                              frozen_of, frozen_of, false),
    [DJ_FLEET_SLOW_SESSIONS] = SHARE("slow_sessions", "slow-sessions", "slow sessions",
                                     slow_sessions, sessions, slow_of, false),
    [DJ_FLEET_FROZEN_SESSIONS] =
        SHARE("frozen_sessions", "frozen-sessions", "frozen sessions", frozen_sessions,
              sessions, frozen_of, false),
};

void dj_fleet_compare_rules_init(struct dj_fleet_compare_rules *rules)
{
    *rules = (struct dj_fleet_compare_rules){.alpha = 0.05};
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        rules->margin[i] = dj_fleet_metrics[i].margin;
        rules->gates[i] = dj_fleet_metrics[i].gates;
    }
}

static size_t find_metric(struct dj_str name)
{
    size_t i = 0;
    while (i < DJ_FLEET_METRICS && !dj_str_is(name, dj_fleet_metrics[i].name) &&
           !dj_str_is(name, dj_fleet_metrics[i].short_name)) {
        i++;
    }
    return i;
}

static int reject_metric(struct dj_str name, struct dj_error *err)
{
    struct dj_text known = {0};
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        dj_text_format(&known, "%s%s", i > 0 ? ", " : "", dj_fleet_metrics[i].name);
    }
    int code = dj_error_set(err, DJ_E_USAGE, "--metric: expected one of %s, found '%.*s'",
                            dj_text_get(&known),
                            (int)(name.length < 60 ? name.length : 60), name.at);
    dj_text_finish(&known);
    return code;
}

/* Returns the text before a character, and moves *rest after the character. *has_more is
 * whether there is one. */
static struct dj_str read_until(struct dj_str *rest, char stop, bool *has_more)
{
    const char *at = memchr(rest->at, stop, rest->length);
    struct dj_str before = *rest;
    *has_more = at != NULL;
    before.length = *has_more ? (size_t)(at - rest->at) : rest->length;
    *rest = dj_str_from(*rest, before.length + *has_more);
    return dj_str_trim(before);
}

/* Reads NAME or NAME=MARGIN. */
static int add_gate(struct dj_str word, struct dj_fleet_compare_rules *rules,
                    struct dj_error *err)
{
    bool has_margin;
    struct dj_str name = read_until(&word, '=', &has_margin);
    size_t metric = find_metric(name);
    if (metric == DJ_FLEET_METRICS) {
        return reject_metric(name, err);
    }
    if (rules->gates[metric]) {
        return dj_error_set(err, DJ_E_USAGE, "--metric: %s is given twice",
                            dj_fleet_metrics[metric].name);
    }
    rules->gates[metric] = true;
    return !has_margin || dj_compare_parse_share(word, &rules->margin[metric])
               ? 0
               : dj_error_set(err, DJ_E_USAGE,
                              "--metric %s: expected a margin such as 5%%, found '%.*s'",
                              dj_fleet_metrics[metric].name,
                              (int)(word.length < 40 ? word.length : 40), word.at);
}

static int add_gates(struct dj_str words, struct dj_fleet_compare_rules *rules,
                     struct dj_error *err)
{
    int code = 0;
    bool has_more = true;
    while (has_more && code == 0) {
        code = add_gate(read_until(&words, ',', &has_more), rules, err);
    }
    return code;
}

static int read_margin(const char *margin, struct dj_fleet_compare_rules *rules,
                       struct dj_error *err)
{
    double share = 0;
    if (!dj_compare_parse_share(dj_str_of(margin), &share)) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "--margin: expected a share above 0 such as 5%% or 0.05, found '%.40s'",
            margin);
    }
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        rules->margin[i] = share;
    }
    return 0;
}

int dj_fleet_parse_compare_rules(const char *const *metrics, size_t metric_count,
                                 const char *margin, const char *alpha,
                                 struct dj_fleet_compare_rules *rules,
                                 struct dj_error *err)
{
    dj_fleet_compare_rules_init(rules);
    if (alpha != NULL && !dj_compare_parse_alpha(dj_str_of(alpha), &rules->alpha)) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "--alpha: expected a probability above 0 and below 0.5, found '%.40s'",
            alpha);
    }
    int code = margin != NULL ? read_margin(margin, rules, err) : 0;
    if (metric_count > 0) {
        memset(rules->gates, 0, sizeof(rules->gates));
    }
    for (size_t i = 0; i < metric_count && code == 0; i++) {
        code = add_gates(dj_str_of(metrics[i]), rules, err);
    }
    return code;
}
