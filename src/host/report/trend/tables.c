/* Trends as CSV, Markdown and HTML. */
#include <inttypes.h>
#include <math.h>

#include "base/csv.h"
#include "memory/memory.h"
#include "report/escape/html.h"
#include "report/escape/markdown.h"
#include "report/escape/name.h"
#include "report/page/html.h"
#include "report/trend.h"

static void write_field(struct dj_text *text, const char *string)
{
    dj_text_add(text, ",");
    dj_csv_append_cell(text, string, DJ_CSV_QUOTED | DJ_CSV_ONE_LINE);
}

static void write_number(struct dj_text *text, double value)
{
    dj_text_add(text, ",");
    if (isfinite(value)) {
        dj_text_format(text, "%.10g", value);
    }
}

static void write_line(struct dj_text *text, const struct dj_trend_segment *segment,
                       size_t index)
{
    const struct dj_trend_point *point = &segment->points[index];
    const struct dj_trend_change *change = dj_report_find_trend_change(segment, index, 1);
    const char *const names[] = {segment->project, segment->flow,   segment->serial,
                                 segment->release, segment->config, segment->metric,
                                 segment->unit,    point->id,       point->version,
                                 point->commit,    point->label};
    dj_text_add(text, segment->key);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        write_field(text, names[i]);
    }
    if (point->at_unix_ms != INT64_MIN) {
        dj_text_format(text, ",%" PRId64, point->at_unix_ms);
    } else {
        dj_text_add(text, ",");
    }
    dj_text_format(text, ",%zu", point->runs);
    write_number(text, point->value);
    write_number(text, point->ci.low);
    write_number(text, point->ci.high);
    write_field(text, change != NULL ? change->id : "");
    write_number(text, change != NULL ? change->ratio : NAN);
    write_field(text,
                change != NULL && change->blessing != NULL ? change->blessing->who : "");
    dj_text_add(text, "\n");
}

static void write_header(struct dj_text *text, const struct dj_trend_page *page,
                         const struct dj_trend_totals *told)
{
    (void)page;
    (void)told;
    dj_text_add(text,
                "segment,project,flow,device,release,config,metric,unit,batch,version,"
                "commit,label,at_unix_ms,runs,value,low,high,change,ratio,blessed_by\n");
}

static void write_lines(struct dj_text *text, struct dj_trend_page *page)
{
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        const struct dj_trend_segment *segment = &page->trend->segments[i];
        for (size_t k = 0; k < segment->point_count; k++) {
            write_line(text, segment, k);
        }
    }
}

const struct dj_trend_form dj_report_trend_csv = {
    .suffix = ".csv", .part = write_lines, .head = write_header};

static void write_cells(struct dj_text *text, const struct dj_trend_segment *segment,
                        const struct dj_trend_row *row, struct dj_text *words)
{
    dj_report_describe_trend_point(words, &segment->points[row->first]);
    dj_text_add(text, "| ");
    dj_markdown_escape_and_finish(text, words);
    dj_text_add(text, " | ");
    dj_report_format_trend_day(text, segment->points[row->first].at_unix_ms);
    dj_text_format(text, " | %zu | ", row->runs);
    dj_report_format_trend_value(text, segment, row->value);
    dj_report_format_trend_interval(text, segment, &row->ci,
                                    (const char *const[]){" \\[", ", ", "\\]"});
    dj_text_add(text, " |\n");
}

static void write_section(struct dj_text *text, const struct dj_trend_segment *segment)
{
    struct dj_text words = {0};
    struct dj_trend_row row;
    dj_text_add(text, "### ");
    dj_name_format(&words, "%s: ", segment->words);
    dj_report_describe_trend_segment(&words, segment);
    dj_markdown_escape_and_finish(text, &words);
    dj_text_add(text, "\n\n| version | since | runs | ");
    dj_text_append_escaped_name(&words,
                                segment->unit[0] != '\0' ? segment->unit : "value");
    dj_markdown_escape_and_finish(text, &words);
    dj_text_add(text, " |\n| --- | --- | ---: | --- |\n");
    for (size_t at = dj_report_find_trend_row(segment, DJ_TREND_ROWS);
         dj_report_read_trend_row(segment, at, &row); at += row.count) {
        write_cells(text, segment, &row, &words);
    }
    dj_text_add(text, "\n");
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        dj_text_format(text, "* `%s` ", change->id);
        dj_report_describe_trend_change(&words, segment, change);
        dj_markdown_escape_and_finish(text, &words);
        dj_text_add(text, "; ");
        dj_report_describe_trend_reason(&words, segment, change);
        dj_markdown_escape_and_finish(text, &words);
        dj_text_add(text, "\n");
    }
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_report_describe_trend_note(&words, segment, i);
        if (words.length > 0) {
            dj_text_add(text, "* ");
            dj_markdown_escape_and_finish(text, &words);
            dj_text_add(text, "\n");
        }
    }
    dj_text_add(text, "\n");
}

static void write_sections(struct dj_text *text, struct dj_trend_page *page)
{
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        write_section(text, &page->trend->segments[i]);
    }
}

const struct dj_trend_form dj_report_trend_markdown = {.suffix = ".md",
                                                       .part = write_sections};

static const char html_head[] = DJ_HTML_PLAIN_HEAD
    "svg{width:100%;height:auto}\n"
    "table{border-collapse:collapse}\n"
    "th,td{text-align:left;padding:.2rem .8rem;border-bottom:1px solid #8884}\n"
    "td:nth-child(3),td:nth-child(4){text-align:right;"
    "font-variant-numeric:tabular-nums}\n"
    ".worse{color:#d55e00}.better{color:#009e73}\n"
    "</style>\n<title>Trends — dejank</title>\n</head>\n<body>\n<h1>Trends</h1>\n";

static void write_html_row(struct dj_text *text, const struct dj_trend_segment *segment,
                           const struct dj_trend_row *row, struct dj_text *words)
{
    dj_report_describe_trend_point(words, &segment->points[row->first]);
    dj_text_add(text, "<tr><td>");
    dj_html_escape_and_finish(text, words);
    dj_text_add(text, "</td><td>");
    dj_report_format_trend_day(text, segment->points[row->first].at_unix_ms);
    dj_text_format(text, "</td><td>%zu</td><td>", row->runs);
    dj_report_format_trend_value(text, segment, row->value);
    dj_text_add(text, "</td><td>");
    dj_report_format_trend_interval(text, segment, &row->ci,
                                    (const char *const[]){"", " … ", ""});
    dj_text_add(text, "</td></tr>\n");
}

static void write_html_table(struct dj_text *text, const struct dj_trend_segment *segment,
                             struct dj_text *words)
{
    struct dj_trend_row row;
    dj_text_format(text,
                   "<details><summary>%zu points</summary>\n<table>\n<tr><th>version"
                   "</th><th>since</th><th>runs</th><th>",
                   segment->point_count);
    dj_text_append_escaped_name(words,
                                segment->unit[0] != '\0' ? segment->unit : "value");
    dj_html_escape_and_finish(text, words);
    dj_text_add(text, "</th><th>95 %</th></tr>\n");
    for (size_t at = 0; dj_report_read_trend_row(segment, at, &row); at += row.count) {
        write_html_row(text, segment, &row, words);
    }
    dj_text_add(text, "</table>\n</details>\n");
}

static void write_html_changes(struct dj_text *text,
                               const struct dj_trend_segment *segment,
                               struct dj_text *words)
{
    dj_text_add(text, "<ul>\n");
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        dj_text_format(text, "<li class=\"%s\"><code>%s</code> ",
                       change->blessing != NULL ? "blessed"
                       : change->worse          ? "worse"
                       : change->better         ? "better"
                                                : "neutral",
                       change->id);
        dj_report_describe_trend_change(words, segment, change);
        dj_html_escape_and_finish(text, words);
        dj_text_add(text, "<br>");
        dj_report_describe_trend_reason(words, segment, change);
        dj_html_escape_and_finish(text, words);
        dj_text_add(text, "</li>\n");
    }
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_report_describe_trend_note(words, segment, i);
        if (words->length > 0) {
            dj_text_add(text, "<li>");
            dj_html_escape_and_finish(text, words);
            dj_text_add(text, "</li>\n");
        }
    }
    dj_text_add(text, "</ul>\n");
}

static void write_html_head(struct dj_text *text, const struct dj_trend_page *page,
                            const struct dj_trend_totals *told)
{
    dj_text_add(text, html_head);
    dj_report_write_trend_svg_head(text, page, told);
}

static void write_html_sections(struct dj_text *text, struct dj_trend_page *page)
{
    struct dj_text words = {0};
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        const struct dj_trend_segment *segment = &page->trend->segments[i];
        dj_text_add(text, "<h2>");
        dj_name_format(&words, "%s: ", segment->words);
        dj_report_describe_trend_segment(&words, segment);
        dj_html_escape_and_finish(text, &words);
        dj_text_add(text, "</h2>\n");
        write_html_changes(text, segment, &words);
        write_html_table(text, segment, &words);
    }
}

const struct dj_trend_form dj_report_trend_html = {
    .suffix = ".html",
    .stacks = true,
    .draw = dj_report_draw_trend_svg,
    .part = write_html_sections,
    .head = write_html_head,
    .middle = "</svg>\n",
    .tail = "<p>Made by dejank " DEJANK_VERSION "</p>\n</body>\n</html>\n"};
