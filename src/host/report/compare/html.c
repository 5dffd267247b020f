#include "report/escape/html.h"
#include "memory/memory.h"
#include "report/compare/describe.h"
#include "report/page/html.h"

static const char head[] = DJ_HTML_PLAIN_HEAD
    "table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #8884}\n"
    "td:nth-child(2),td:nth-child(3){text-align:right}\n"
    "td:nth-child(2),td:nth-child(3),td:nth-child(4){font-variant-numeric:tabular-nums}\n"
    ".devices td{text-align:left}\n"
    ".regression,.likely-regression{color:#d55e00}\n"
    ".improvement,.likely-improvement,.equivalent{color:#0072b2}\n"
    "pre{overflow-x:auto;line-height:1.2}\n"
    "</style>\n<title>";

static void write_row(struct dj_text *text, const struct dj_comparison_metric *metric)
{
    struct dj_comparison_cells cells = dj_report_format_comparison_cells(metric);
    struct dj_text name = {0};
    struct dj_text *all[] = {&name, &cells.a, &cells.b, &cells.change};
    dj_text_format(&name, "%s%s, %s", metric->member.gates ? "* " : "",
                   metric->metric->words, metric->metric->unit);
    dj_text_add(text, "<tr>");
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        dj_text_add(text, "<td>");
        dj_html_escape_and_finish(text, all[i]);
        dj_text_add(text, "</td>");
    }
    dj_text_format(text, "<td class=\"%s\">",
                   dj_compare_verdict_name(metric->member.effect.verdict));
    dj_html_escape_and_finish(text, &cells.verdict);
    dj_text_add(text, "</td></tr>\n");
}

static void write_warnings(struct dj_text *text, const struct dj_comparison *comparison,
                           const char *heading)
{
    if (comparison->warning_count == 0) {
        return;
    }
    dj_text_format(text, "<%s>Warnings</%s>\n<ul>\n", heading, heading);
    for (size_t i = 0; i < comparison->warning_count; i++) {
        dj_text_add(text, "<li>");
        dj_html_escape(text, comparison->warnings[i].text);
        dj_text_add(text, "</li>\n");
    }
    dj_text_add(text, "</ul>\n");
}

void dj_report_open_comparison_page(struct dj_text *text, const char *words,
                                    enum dj_compare_verdict verdict)
{
    dj_text_add(text, head);
    dj_html_escape(text, words);
    dj_text_format(text, "</title>\n</head>\n<body>\n<h1 class=\"%s\">",
                   dj_compare_verdict_name(verdict));
    dj_html_escape(text, words);
    dj_text_add(text, "</h1>\n");
}

void dj_report_write_comparison_figures(struct dj_text *text,
                                        const struct dj_comparison *comparison,
                                        const char *heading)
{
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    struct dj_text words = {0};
    for (int i = 0; i < 2; i++) {
        dj_text_format(text, "<p>%c: ", 'A' + i);
        dj_report_describe_side(&words, sides[i]);
        dj_html_escape_and_finish(text, &words);
        dj_text_add(text, "</p>\n");
    }
    write_warnings(text, comparison, heading);
    dj_text_add(text, "<table>\n<tr><th>metric</th><th>A</th><th>B</th><th>B against "
                      "A</th><th>verdict</th></tr>\n");
    for (size_t i = 0; i < comparison->metric_count; i++) {
        write_row(text, &comparison->metrics[i]);
    }
    dj_text_format(text, "</table>\n<%s>In pictures</%s>\n<pre>", heading, heading);
    dj_report_write_comparison_text(
        &words, comparison, &(struct dj_terminal_style){.width = 110, .unicode = true});
    dj_html_escape_and_finish(text, &words);
    dj_text_add(text, "</pre>\n");
}

void dj_report_write_comparison_html(struct dj_text *text,
                                     const struct dj_comparison *comparison)
{
    struct dj_text words = {0};
    dj_compare_format_verdict(comparison, &words);
    dj_report_open_comparison_page(text, dj_xtext(&words), comparison->overall.verdict);
    dj_text_finish(&words);
    dj_report_write_comparison_figures(text, comparison, "h2");
    dj_text_add(text, "</body>\n</html>\n");
}
