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

void dj_report_describe_comparison(struct dj_text *text,
                                   const struct dj_comparison *comparison)
{
    enum dj_compare_verdict verdict = comparison->overall.verdict;
    /* The sentence of an inconclusive verdict already starts with the name of the
     * verdict. */
    if (verdict != DJ_VERDICT_INCONCLUSIVE) {
        dj_text_format(text, "%s: ", dj_compare_verdict_name(verdict));
    }
    dj_compare_format_verdict(comparison, text);
}

static const char *const meanings[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = "B is worse than A by more than the margin",
    [DJ_VERDICT_LIKELY_REGRESSION] =
        "B is worse than A, but perhaps by less than the margin",
    [DJ_VERDICT_EQUIVALENT] = "A and B differ by less than the margin",
    [DJ_VERDICT_LIKELY_IMPROVEMENT] =
        "B is better than A, but perhaps by less than the margin",
    [DJ_VERDICT_IMPROVEMENT] = "B is better than A by more than the margin",
    [DJ_VERDICT_INCONCLUSIVE] = "these runs do not show whether A and B differ",
};

void dj_report_explain_verdict(struct dj_text *text,
                               const struct dj_comparison *comparison)
{
    const char *before = " Margins: ";
    dj_text_format(text, "%s: %s.", dj_compare_verdict_name(comparison->overall.verdict),
                   meanings[comparison->overall.verdict]);
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_family_member *member = &comparison->metrics[i].member;
        if (member->gates && member->effect.level > 0) {
            dj_text_format(text, "%s%s %g" DJ_NBSP "%%", before,
                           comparison->metrics[i].metric->words,
                           100 * member->effect.margin);
            before = ", ";
        }
    }
    dj_text_add(text, before[0] == ',' ? "." : "");
}

void dj_report_explain_comparison(struct dj_text *text,
                                  const struct dj_comparison *comparison)
{
    dj_text_format(text,
                   "A and B are medians over the runs; shares are of all frames of a "
                   "side. %zu metrics decide the verdict. For them together, the "
                   "probability of a false alarm is %g (Holm's correction). For the "
                   "other metrics, the false discovery rate is %g (Benjamini and "
                   "Hochberg). Because of these corrections, intervals have different "
                   "confidence levels.",
                   comparison->overall.gating, comparison->alpha, comparison->alpha);
}

double dj_report_compute_side_stage_ns(const struct dj_side *side, enum dj_stage stage)
{
    struct dj_center center;
    return dj_compare_side_center(side, dj_metrics_stage_median(stage), &center)
               ? center.median
               : NAN;
}

void dj_report_describe_finding_change(struct dj_text *text,
                                       const struct dj_finding_change *change)
{
    const struct dj_frame_finding_text *words = dj_frame_finding_get_text(change->id);
    dj_text_format(text, "%s %s %zu of %zu runs of %c: %s. %s", words->title,
                   change->appeared ? "appeared, in" : "disappeared; before in",
                   change->appeared ? change->runs_b : change->runs_a,
                   change->appeared ? change->known_b : change->known_a,
                   change->appeared ? 'B' : 'A', dj_frame_finding_rule(change->id)->id,
                   words->look_at);
}
