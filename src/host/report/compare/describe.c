#include "report/compare/describe.h"

#include <math.h>

#include "frame/findings_text.h"
#include "report/batches.h"

enum { IDS_MAX = 4 };

void dj_report_describe_side(struct dj_text *text, const struct dj_side *side)
{
    const struct dj_batch_row *batch = side->batch_count > 0 ? side->batches : NULL;
    dj_text_append_name(text, "", side->name, "");
    if (batch != NULL) {
        dj_text_append_name(text, "; ", batch->project, "");
        dj_text_append_name(text, ", ", batch->name, "");
        dj_text_append_name(text, " on ",
                            batch->model != NULL ? batch->model : batch->serial, "");
        dj_text_append_name(text, ", ", batch->release, "");
        dj_text_append_name(text, "; version ", batch->version, "");
        dj_text_append_name(text, ", commit ", batch->commit, "");
        dj_text_append_name(text, ", ", batch->label, "");
    }
    dj_text_format(text, "; %zu run%s", side->run_count, side->run_count == 1 ? "" : "s");
    for (size_t i = 0; i < side->batch_count && i < IDS_MAX; i++) {
        dj_text_append_name(text,
                            i > 0                   ? ", "
                            : side->batch_count > 1 ? " of batches "
                                                    : " of batch ",
                            side->batches[i].id, "");
    }
    dj_text_add(text, side->batch_count > IDS_MAX ? ", …" : "");
}

static int choose_digits(double value)
{
    return fabs(value) >= 1000 ? 0 : fabs(value) >= 100 ? 1 : 2;
}

static void write_value(struct dj_text *text, const struct dj_compare_metric *metric,
                        double median, double mean)
{
    double shown = median / metric->factor;
    if (isnan(shown)) {
        dj_text_add(text, "–");
        return;
    }
    dj_text_format(text, "%.*f", choose_digits(shown), shown);
    if (metric->kind == DJ_EFFECT_RATIO && isfinite(mean)) {
        double other = mean / metric->factor;
        dj_text_format(text, "/%.*f", choose_digits(other), other);
    }
}

struct dj_comparison_cells
dj_report_format_comparison_cells(const struct dj_comparison_metric *metric)
{
    const struct dj_effect *effect = &metric->member.effect;
    const char *refusal = dj_compare_refusal_name(effect->refusal);
    struct dj_comparison_cells cells = {0};
    write_value(&cells.a, metric->metric, effect->a, effect->mean_a);
    write_value(&cells.b, metric->metric, effect->b, effect->mean_b);
    dj_compare_format_effect(effect, &cells.change);
    dj_text_add(&cells.verdict,
                refusal != NULL ? refusal : dj_compare_verdict_name(effect->verdict));
    return cells;
}

void dj_report_explain_comparison(struct dj_text *text,
                                  const struct dj_comparison *comparison)
{
    size_t gating = comparison->overall.gating;
    dj_text_format(text,
                   "Median/mean over the runs; of shares, all frames of a side. * the "
                   "verdict is of these %zu, together at alpha %g (Holm)",
                   gating, comparison->alpha);
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_family_member *member = &comparison->metrics[i].member;
        if (member->gates && member->effect.level > 0) {
            dj_text_format(text, "; %s: margin %g %%",
                           comparison->metrics[i].metric->words,
                           100 * member->effect.margin);
        }
    }
    dj_text_add(text, ". The others are looked through at a false discovery rate of "
                      "alpha (Benjamini and Hochberg).");
}

double dj_report_compute_side_stage_ns(const struct dj_side *side, enum dj_stage stage)
{
    struct dj_center center;
    return dj_compare_side_center(side, dj_metrics_stage_median(stage), &center)
               ? center.median
               : NAN;
}

void dj_report_describe_stage_change(struct dj_text *text, double a_ns, double b_ns)
{
    const double both[] = {a_ns, b_ns};
    for (int i = 0; i < 2; i++) {
        dj_text_add(text, i > 0 ? " → " : "");
        if (isnan(both[i])) {
            dj_text_add(text, "unknown");
        } else {
            dj_text_format(text, "%.2f", both[i] / 1e6);
        }
    }
    if (!isnan(a_ns) && !isnan(b_ns)) {
        dj_text_format(text, " (%+.2f)", (b_ns - a_ns) / 1e6);
    }
}

void dj_report_describe_finding_change(struct dj_text *text,
                                       const struct dj_finding_change *change)
{
    const struct dj_frame_finding_text *words = dj_frame_finding_get_text(change->id);
    dj_text_format(text, "%s %s %zu of %zu runs of %c: %s. %s", words->title,
                   change->appeared ? "appeared, in" : "went, it was in",
                   change->appeared ? change->runs_b : change->runs_a,
                   change->appeared ? change->known_b : change->known_a,
                   change->appeared ? 'B' : 'A', dj_frame_finding_rule(change->id)->id,
                   words->look_at);
}
