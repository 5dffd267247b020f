#include "base/json.h"
#include "memory/memory.h"
#include "report/compare.h"

static void write_shown(struct dj_text *text, const char *key,
                        const struct dj_compare_metric *metric, double value)
{
    dj_json_add_number(text, key, value / metric->factor);
}

double dj_report_get_run_value(const struct dj_comparison_metric *metric,
                               const struct dj_effect_side *side, size_t i)
{
    bool share = metric->metric->kind == DJ_EFFECT_SHARE;
    double value = share ? side->value[i] / side->of[i] : side->value[i];
    return value / metric->metric->factor;
}

static void write_runs(struct dj_text *text, const char *key,
                       const struct dj_comparison_metric *metric,
                       const struct dj_effect_side *side)
{
    dj_json_open_array(text, key);
    for (size_t i = 0; i < side->count; i++) {
        dj_json_add_number(text, NULL, dj_report_get_run_value(metric, side, i));
    }
    dj_json_close(text, "]");
}

void dj_report_write_compared_metric(struct dj_text *text,
                                     const struct dj_comparison_metric *metric,
                                     const char *device)
{
    const struct dj_compare_metric *what = metric->metric;
    const struct dj_effect *effect = &metric->member.effect;
    dj_json_open_object(text, NULL);
    if (device != NULL) {
        dj_json_add_string(text, "device", device);
    }
    dj_json_add_string(text, "metric", what->name);
    dj_json_add_string(text, "name", what->words);
    dj_json_add_string(text, "unit", what->unit);
    dj_json_add_bool(text, "gates", metric->member.gates);
    dj_json_add_string(text, "instead_of",
                       metric->replaced_metric != NULL ? metric->replaced_metric->name
                                                       : NULL);
    write_shown(text, "a", what, effect->a);
    write_shown(text, "b", what, effect->b);
    write_shown(text, "a_mean", what, effect->mean_a);
    write_shown(text, "b_mean", what, effect->mean_b);
    dj_json_add_number(text, "ratio", effect->ratio);
    dj_json_add_bounds(text, "ci", effect->ci.low, effect->ci.high);
    dj_json_add_number(text, "level", effect->level);
    dj_json_add_number(text, "margin", effect->margin);
    dj_json_add_number(text, "p", effect->p);
    dj_json_add_number(text, "p_adjusted", metric->member.adjusted_p);
    dj_json_add_int(text, "n_a", (int64_t)effect->n_a);
    dj_json_add_int(text, "n_b", (int64_t)effect->n_b);
    dj_json_add_string(text, "verdict", dj_compare_verdict_name(effect->verdict));
    dj_json_add_string(text, "refused", dj_compare_refusal_name(effect->refusal));
    dj_json_add_bool(text, "capped", effect->capped);
    dj_json_add_number(text, "runs_needed", effect->runs_needed);
    dj_json_add_number(text, "b_greater", effect->b_greater);
    dj_json_add_number(text, "standardised", effect->standardised);
    dj_json_add_number(text, "tie_share", effect->tie_share);
    dj_json_add_bool(text, "more_is_better", what->more_is_better);
    write_runs(text, "runs_a", metric, &metric->member.a);
    write_runs(text, "runs_b", metric, &metric->member.b);
    dj_json_close(text, "}");
}

static void write_side(struct dj_text *text, const char *key, const struct dj_side *side)
{
    dj_json_open_object(text, key);
    dj_json_add_string(text, "name", side->name);
    dj_json_add_int(text, "runs", (int64_t)side->run_count);
    dj_json_open_array(text, "batches");
    for (size_t i = 0; i < side->batch_count; i++) {
        dj_json_append_string(text, side->batches[i].id);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "sources");
    for (size_t i = 0; i < side->run_count && side->batch_count == 0; i++) {
        dj_json_append_string(text, side->runs[i].source);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "left_out");
    for (size_t i = 0; i < side->left_out_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "what", side->left_out[i].what);
        dj_json_add_string(text, "why", side->left_out[i].why);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void write_shift(struct dj_text *text, const struct dj_comparison *comparison)
{
    dj_json_open_object(text, "shift");
    dj_json_add_string(text, "of",
                       comparison->shift_guide_total ? "guide_total" : "frame_time");
    dj_json_add_string(text, "unit", "ms");
    dj_json_open_array(text, "points");
    for (size_t i = 0; i < comparison->shift_count; i++) {
        const struct dj_shift_point *point = &comparison->shift[i];
        dj_json_open_object(text, NULL);
        dj_json_add_number(text, "q", point->q);
        dj_json_add_number(text, "a", point->a_ns / 1e6);
        dj_json_add_number(text, "b", point->b_ns / 1e6);
        dj_json_add_number(text, "ratio", point->ratio);
        dj_json_add_bounds(text, "ci", point->ci.low, point->ci.high);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void write_findings(struct dj_text *text, const struct dj_comparison *comparison)
{
    dj_json_open_array(text, "findings");
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct dj_finding_change *change = &comparison->findings[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "finding", dj_frame_finding_rule(change->id)->id);
        dj_json_add_int(text, "runs_a", (int64_t)change->runs_a);
        dj_json_add_int(text, "runs_b", (int64_t)change->runs_b);
        dj_json_add_int(text, "known_a", (int64_t)change->known_a);
        dj_json_add_int(text, "known_b", (int64_t)change->known_b);
        dj_json_add_string(text, "change",
                           change->appeared ? "appeared"
                           : change->went   ? "went"
                                            : NULL);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

void dj_report_write_comparison_warnings(struct dj_text *text,
                                         const struct dj_comparison *comparison,
                                         const char *device)
{
    for (size_t i = 0; i < comparison->warning_count; i++) {
        struct dj_text words = {0};
        dj_text_format(&words,
                       "%s: ", dj_compare_warning_name(comparison->warnings[i].id));
        if (device != NULL) {
            dj_text_format(&words, "%s: ", device);
        }
        dj_text_add(&words, comparison->warnings[i].text);
        dj_json_add_text(text, NULL, &words);
    }
}

void dj_report_write_comparison_members(struct dj_text *text,
                                        const struct dj_comparison *comparison)
{
    static const char *const orders[] = {
        [DJ_ORDER_UNKNOWN] = NULL,
        [DJ_ORDER_INTERLEAVED] = "interleaved",
        [DJ_ORDER_APART] = "apart",
    };
    struct dj_text words = {0};
    dj_compare_format_verdict(comparison, &words);
    dj_json_add_string(text, "verdict",
                       dj_compare_verdict_name(comparison->overall.verdict));
    dj_json_add_text(text, "words", &words);
    dj_json_add_number(text, "runs_needed", comparison->runs_needed);
    dj_json_add_number(text, "alpha", comparison->alpha);
    dj_json_add_string(text, "order", orders[comparison->interleaving]);
    dj_json_add_int(text, "past_batches", (int64_t)comparison->past_batches);
    write_side(text, "a", comparison->a);
    write_side(text, "b", comparison->b);
    dj_json_open_array(text, "metrics");
    for (size_t i = 0; i < comparison->metric_count; i++) {
        dj_report_write_compared_metric(text, &comparison->metrics[i], NULL);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "warnings");
    dj_report_write_comparison_warnings(text, comparison, NULL);
    dj_json_close(text, "]");
    write_shift(text, comparison);
    write_findings(text, comparison);
}

void dj_report_write_comparison_json(struct dj_text *text,
                                     const struct dj_comparison *comparison)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "schema", "dejank.compare/1");
    dj_report_write_comparison_members(text, comparison);
    dj_json_close(text, "}\n");
}
