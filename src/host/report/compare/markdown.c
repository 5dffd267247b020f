#include "report/escape/markdown.h"
#include "report/compare/describe.h"

static void write_row(struct dj_text *text, const struct dj_comparison_metric *metric)
{
    struct dj_comparison_cells cells = dj_report_format_comparison_cells(metric);
    struct dj_text *all[] = {&cells.a, &cells.b, &cells.change, &cells.verdict};
    const char *bold = metric->member.gates ? "**" : "";
    dj_text_format(text, "\n| %s%s%s, %s |", bold, metric->metric->words, bold,
                   metric->metric->unit);
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        dj_text_add(text, " ");
        dj_markdown_escape_and_finish(text, all[i]);
        dj_text_add(text, " |");
    }
}

void dj_report_write_comparison_markdown(struct dj_text *text,
                                         const struct dj_comparison *comparison)
{
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    struct dj_text words = {0};
    dj_text_format(text,
                   "**%s**: ", dj_compare_verdict_name(comparison->overall.verdict));
    dj_compare_format_verdict(comparison, &words);
    dj_markdown_escape_and_finish(text, &words);
    for (int i = 0; i < 2; i++) {
        dj_text_format(text, "%s%c: ", i == 0 ? "\n\n" : "  \n", 'A' + i);
        dj_report_describe_side(&words, sides[i]);
        dj_markdown_escape_and_finish(text, &words);
    }
    dj_text_add(text, "\n\n| metric | A: median/mean | B: median/mean | B against A | "
                      "verdict |\n|---|--:|--:|---|---|");
    for (size_t i = 0; i < comparison->metric_count; i++) {
        write_row(text, &comparison->metrics[i]);
    }
    dj_text_add(text, "\n");
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct dj_finding_change *change = &comparison->findings[i];
        if (change->appeared || change->went) {
            dj_text_add(text, "\n* ");
            dj_report_describe_finding_change(&words, change);
            dj_markdown_escape_and_finish(text, &words);
        }
    }
    for (size_t i = 0; i < comparison->warning_count; i++) {
        dj_text_add(text, "\n* ⚠ ");
        dj_markdown_escape(text, comparison->warnings[i].text);
    }
    dj_text_add(text, "\n");
}
