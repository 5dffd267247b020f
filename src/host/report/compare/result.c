#include "report/compare.h"
#include "report/compare/range.h"

enum dj_compare_verdict
dj_report_get_result_verdict(const struct dj_comparison_result *result)
{
    return result->range != NULL ? dj_report_get_range_verdict(result->range)
                                 : result->sides->overall.verdict;
}

void dj_report_describe_result(struct dj_text *text,
                               const struct dj_comparison_result *result)
{
    if (result->range != NULL) {
        dj_text_format(
            text, "%s: ", dj_compare_verdict_name(dj_report_get_result_verdict(result)));
        dj_report_describe_range(text, result->range);
    } else {
        dj_report_describe_comparison(text, result->sides);
    }
    dj_text_add(text, "\n");
}

void dj_report_build_result(struct dj_document *document,
                            const struct dj_comparison_result *result)
{
    if (result->range != NULL) {
        dj_report_build_range(document, result->range);
    } else {
        dj_report_build_comparison(document, result->sides);
    }
}

void dj_report_write_result_json(struct dj_text *text,
                                 const struct dj_comparison_result *result)
{
    if (result->range != NULL) {
        dj_report_write_range_json(text, result->range);
    } else {
        dj_report_write_comparison_json(text, result->sides);
    }
}
