#include "cli/verbs/compare_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/share.h"
#include "memory/memory.h"

enum { NAME_MOST = 64 };

static int reject_metric(const char *name)
{
    struct dj_text known = {0};
    const struct dj_compare_metric *metric;
    for (size_t i = 0; (metric = dj_compare_metric(i)) != NULL; i++) {
        dj_text_format(&known, " %s", metric->name);
    }
    dj_cli_print_message("--metric: unknown metric '%.60s'", name);
    dj_cli_print_hint("the metrics are:%s", dj_xtext(&known));
    dj_text_finish(&known);
    return DJ_EXIT_USAGE;
}

static int add_gate(const char *text, size_t length, struct dj_compare_gate *gates,
                    size_t *count)
{
    char name[NAME_MOST];
    snprintf(name, sizeof(name), "%.*s", (int)length, text);
    char *margin = strchr(name, '=');
    struct dj_compare_gate gate = {0};
    if (margin != NULL) {
        *margin++ = '\0';
    }
    gate.metric = dj_compare_metric_find(name);
    if (gate.metric == NULL || length >= NAME_MOST) {
        return reject_metric(name);
    }
    if (margin != NULL && !dj_compare_parse_share(dj_str_of(margin), &gate.margin)) {
        return dj_cli_print_usage_error(
            "--metric %s: expected a margin such as 5%%, found '%s'", name, margin);
    }
    for (size_t i = 0; i < *count; i++) {
        if (gates[i].metric == gate.metric) {
            return dj_cli_print_usage_error("--metric: %s is given twice", name);
        }
    }
    if (*count == DJ_COMPARE_GATES_MOST) {
        return dj_cli_print_usage_error("--metric: expected at most %d metrics",
                                        DJ_COMPARE_GATES_MOST);
    }
    gates[(*count)++] = gate;
    return DJ_EXIT_OK;
}

static int add_gates(const struct dj_option_list *metrics, struct dj_compare_gate *gates,
                     size_t *count)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const char *at = metrics->values[i];
        do {
            size_t length = strcspn(at, ",");
            int code = add_gate(at, length, gates, count);
            if (code != DJ_EXIT_OK) {
                return code;
            }
            at += length;
        } while (*at++ == ',');
    }
    return DJ_EXIT_OK;
}

/* Notes how a margin is understood, if it is a number without a unit that could also mean
 * another margin: 5 is 5 %, and 0.5 is 50 %. */
static void note_margin(const char *text, size_t length)
{
    enum { LARGE_PERCENT = 30 };
    char number[NAME_MOST];
    double share;
    snprintf(number, sizeof(number), "%.*s", (int)length, text);
    if (strchr(number, '%') == NULL &&
        dj_compare_parse_share(dj_str_of(number), &share) &&
        (strtod(number, NULL) >= 1 || 100 * share >= LARGE_PERCENT)) {
        dj_cli_print_message("the margin %s means %.4g %%: write %.4g%% or %.4g", number,
                             100 * share, 100 * share, share);
    }
}

void dj_cli_note_margins(const struct dj_option_list *metrics, const char *margin)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const char *at = metrics->values[i];
        while (*at != '\0') {
            size_t name = strcspn(at, "=,"), length = strcspn(at, ",");
            if (at[name] == '=') {
                note_margin(at + name + 1, length - name - 1);
            }
            at += length + (at[length] == ',');
        }
    }
    if (margin != NULL) {
        note_margin(margin, strlen(margin));
    }
}

int dj_cli_read_compare_rules(const struct dj_compare_rule_options *values,
                              struct dj_compare_gate gates[DJ_COMPARE_GATES_MOST],
                              struct dj_compare_rules *rules)
{
    if (values->margin != NULL &&
        !dj_compare_parse_share(dj_str_of(values->margin), &rules->margin)) {
        return dj_cli_print_usage_error(
            "--margin: expected a share above 0 such as 5%% or 0.05, found '%s'",
            values->margin);
    }
    if (values->alpha != NULL &&
        !dj_compare_parse_alpha(dj_str_of(values->alpha), &rules->alpha)) {
        return dj_cli_print_usage_error(
            "--alpha: expected a probability above 0 and below 0.5, found '%s'",
            values->alpha);
    }
    rules->gates = gates;
    int code = add_gates(&values->metrics, gates, &rules->gate_count);
    if (code == DJ_EXIT_OK) {
        dj_cli_note_margins(&values->metrics, values->margin);
    }
    return code;
}

int dj_cli_choose_exit(enum dj_compare_verdict verdict)
{
    static const int exits[DJ_VERDICT_COUNT] = {
        [DJ_VERDICT_REGRESSION] = DJ_EXIT_REGRESSION,
        [DJ_VERDICT_LIKELY_REGRESSION] = DJ_EXIT_UNDECIDED,
        [DJ_VERDICT_INCONCLUSIVE] = DJ_EXIT_UNDECIDED,
    };
    return exits[verdict];
}
