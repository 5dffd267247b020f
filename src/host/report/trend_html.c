#include "report/html.h"
#include "report/name.h"
#include "report/trend.h"

static const char head[] = DJ_HTML_PLAIN_HEAD
    "svg{width:100%;height:auto}\n"
    "table{border-collapse:collapse}\n"
    "th,td{text-align:left;padding:.2rem .8rem;border-bottom:1px solid #8884}\n"
    "td:nth-child(3),td:nth-child(4){text-align:right;"
    "font-variant-numeric:tabular-nums}\n"
    ".worse{color:#d55e00}.better{color:#009e73}\n"
    "</style>\n<title>Trends — dejank</title>\n</head>\n<body>\n";

static void put_row(struct dj_text *text, const struct dj_trend_segment *segment,
                    const struct dj_trend_row *row, struct dj_text *words)
{
    dj_trend_words_point(words, &segment->points[row->first]);
    dj_text_string(text, "<tr><td>");
    dj_html_put(text, words);
    dj_text_string(text, "</td><td>");
    dj_trend_words_day(text, segment->points[row->first].at_unix_ms);
    dj_text_format(text, "</td><td>%zu</td><td>", row->runs);
    dj_trend_words_value(text, segment, row->value);
    dj_text_string(text, "</td><td>");
    dj_trend_words_interval(text, segment, &row->ci,
                            (const char *const[]){"", " … ", ""});
    dj_text_string(text, "</td></tr>\n");
}

static void put_table(struct dj_text *text, const struct dj_trend_segment *segment,
                      struct dj_text *words)
{
    struct dj_trend_row row;
    dj_text_format(text,
                   "<details><summary>%zu points</summary>\n<table>\n<tr><th>version"
                   "</th><th>since</th><th>runs</th><th>",
                   segment->point_count);
    dj_text_escaped_name(words, segment->unit[0] != '\0' ? segment->unit : "value");
    dj_html_put(text, words);
    dj_text_string(text, "</th><th>95 %</th></tr>\n");
    for (size_t at = 0; dj_trend_row_at(segment, at, &row); at += row.count) {
        put_row(text, segment, &row, words);
    }
    dj_text_string(text, "</table>\n</details>\n");
}

static void put_changes(struct dj_text *text, const struct dj_trend_segment *segment,
                        struct dj_text *words)
{
    dj_text_string(text, "<ul>\n");
    for (size_t i = 0; i < segment->change_count; i++) {
        const struct dj_trend_change *change = &segment->changes[i];
        dj_text_format(text, "<li class=\"%s\"><code>%s</code> ",
                       change->blessing != NULL ? "blessed"
                       : change->worse          ? "worse"
                       : change->better         ? "better"
                                                : "neutral",
                       change->id);
        dj_trend_words_change(words, segment, change);
        dj_html_put(text, words);
        dj_text_string(text, "<br>");
        dj_trend_words_reason(words, segment, change);
        dj_html_put(text, words);
        dj_text_string(text, "</li>\n");
    }
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_trend_words_note(words, segment, i);
        if (words->length > 0) {
            dj_text_string(text, "<li>");
            dj_html_put(text, words);
            dj_text_string(text, "</li>\n");
        }
    }
    dj_text_string(text, "</ul>\n");
}

static void put_head(struct dj_text *text, const struct dj_trend_page *page,
                     const struct dj_trend_told *told)
{
    dj_text_string(text, head);
    dj_text_string(text, "<h1>Trends</h1>\n");
    dj_trend_svg_head(text, page, told);
}

static void put_sections(struct dj_text *text, struct dj_trend_page *page)
{
    struct dj_text words = {0};
    for (size_t i = 0; i < page->trend->segment_count; i++) {
        const struct dj_trend_segment *segment = &page->trend->segments[i];
        dj_text_string(text, "<h2>");
        dj_name_format(&words, "%s: ", segment->words);
        dj_trend_words_segment(&words, segment);
        dj_html_put(text, &words);
        dj_text_string(text, "</h2>\n");
        put_changes(text, segment, &words);
        put_table(text, segment, &words);
    }
}

const struct dj_trend_form dj_trend_html = {.suffix = ".html",
                                            .stacks = true,
                                            .draw = dj_trend_svg_draw,
                                            .part = put_sections,
                                            .head = put_head,
                                            .middle = "</svg>\n",
                                            .tail = "<p>Made by dejank " DEJANK_VERSION
                                                    "</p>\n</body>\n</html>\n"};
