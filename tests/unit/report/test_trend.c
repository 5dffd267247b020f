#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"
#include "report/document/render.h"
#include "report/escape/name.h"
#include "report/trend_pages.h"

enum { POINTS = 24, STEP = 16 };
static const int64_t FIRST_MS = INT64_C(1600000000000);
static const int64_t DAY_MS = INT64_C(86400000);

static struct dj_document document;
static struct dj_trend_summary summary;
static struct dj_text text;
static struct dj_trend_point points[POINTS];
static char versions[POINTS][16];
static char ids[POINTS][16];

static void make_points(void)
{
    for (size_t i = 0; i < POINTS; i++) {
        double value = i < STEP ? 10 : 12;
        snprintf(versions[i], sizeof(versions[i]), "1.%zu", i);
        snprintf(ids[i], sizeof(ids[i]), "batch%02zu", i);
        points[i] = (struct dj_trend_point){.id = ids[i],
                                            .version = versions[i],
                                            .commit = i < STEP ? "aaaa111122223333"
                                                               : "bbbb111122223333",
                                            .at_unix_ms = FIRST_MS + (int64_t)i * DAY_MS,
                                            .runs = 4,
                                            .value = value,
                                            .ci = {value - 0.5, value + 0.5}};
    }
}

static struct dj_trend_segment make_segment(const char *key)
{
    struct dj_trend_segment segment = {.project = "com.example",
                                       .flow = "scroll",
                                       .serial = "serial-1",
                                       .model = "Phone",
                                       .release = "14",
                                       .config = "for 10 s",
                                       .metric = "frame_time_p95",
                                       .words = "p95 frame time",
                                       .unit = "ms",
                                       .digits = 2,
                                       .less_is_better = true,
                                       .points = points,
                                       .point_count = POINTS};
    snprintf(segment.key, sizeof(segment.key), "%s", key);
    return segment;
}

static const char *suspects[] = {"bbbb111122223333", "cccc"};

/* From 10 to 12, which is worse. */
static struct dj_trend_change make_change(void)
{
    struct dj_trend_change change = {.id = "0123abcd",
                                     .index = STEP,
                                     .from = 0,
                                     .to = POINTS,
                                     .direction = 1,
                                     .ratio = 1.2,
                                     .ci = {1.18, 1.22},
                                     .p = 2e-9,
                                     .before = 10,
                                     .after = 12,
                                     .worse = true,
                                     .commits = suspects,
                                     .commit_count = 2};
    return change;
}

static void finish(void)
{
    dj_document_finish(&document);
    dj_report_finish_trend_summary(&summary);
    dj_text_finish(&text);
}

static const char *draw(bool all)
{
    const struct dj_terminal_style style = {.width = 80, .unicode = true};
    dj_text_clear(&text);
    dj_document_write_terminal(&text, &document, &style, all);
    return dj_xtext(&text);
}

static void expect(const char *where, const char *string)
{
    cr_expect(strstr(where, string) != NULL, "'%s' is not in:\n%s", string, where);
}

/* The document of what was added to the summary. */
static const char *draw_summary(bool is_whole)
{
    const struct dj_trend_commands commands = {
        .store = "my store.db", .suggests_page = true, .hidden = "the rest"};
    dj_report_start_trend_document(&document, &summary, is_whole);
    dj_report_end_trend_document(&document, &summary, &commands);
    return draw(false);
}

TestSuite(trend_report, .init = make_points, .fini = finish);

/* ---- words ---- */

Test(trend_report, the_state_of_a_change_is_one_word)
{
    struct dj_trend_change changes[] = {make_change(), make_change()};
    struct dj_trend_segment segment = make_segment("a");
    const struct dj_trend_blessing blessing = {"id", "ann", "more shadows", FIRST_MS};
    segment.changes = changes;
    segment.change_count = 1;
    cr_expect_eq(dj_report_get_trend_state(&segment, &changes[0]), DJ_TREND_WORSE);
    segment.change_count = 2;
    changes[1].after = 10.1;
    cr_expect_eq(dj_report_get_trend_state(&segment, &changes[0]), DJ_TREND_RECOVERED);
    changes[0].blessing = &blessing;
    cr_expect_eq(dj_report_get_trend_state(&segment, &changes[0]), DJ_TREND_ACCEPTED);
    changes[0].blessing = NULL;
    changes[0].worse = false;
    cr_expect_eq(dj_report_get_trend_state(&segment, &changes[0]), DJ_TREND_CHANGED);
    changes[0].better = true;
    cr_expect_eq(dj_report_get_trend_state(&segment, &changes[0]), DJ_TREND_BETTER);
    cr_expect_str_eq(dj_report_get_trend_state_name(DJ_TREND_TOO_FEW), "too few points");
}

Test(trend_report, a_change_and_its_reason_are_described)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    const struct dj_trend_blessing blessing = {"id", "ann", "more shadows", FIRST_MS};
    segment.changes = &change;
    segment.change_count = 1;
    dj_report_describe_trend_change(&text, &segment, &change);
    cr_expect_str_eq(dj_xtext(&text),
                     "+20.0 % (95 % CI +18.0 … +22.0 %), 10.00 → 12.00 ms, p 2e-09, "
                     "since 1.16 (2020-09-29): worse");
    dj_text_clear(&text);
    dj_report_describe_trend_reason(&text, &segment, &change);
    cr_expect_str_eq(dj_xtext(&text),
                     "last before it 1.15 (aaaa11112222), first after it 1.16 "
                     "(bbbb11112222); 2 commits between them (known to the store): "
                     "bbbb11112222 cccc");
    dj_text_clear(&text);
    change.blessing = &blessing;
    dj_report_describe_trend_reason(&text, &segment, &change);
    cr_expect_str_eq(dj_xtext(&text), "accepted by ann on 2020-09-13: more shadows");
}

Test(trend_report, notes_say_what_limits_a_trend)
{
    struct dj_trend_change hints[] = {make_change()};
    struct dj_trend_segment segment = make_segment("a");
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_report_describe_trend_note(&text, &segment, i);
    }
    cr_expect_eq(text.length, 0, "%s", dj_xtext(&text));
    segment.gap = DJ_TREND_FEW_POINTS;
    segment.point_count = 9;
    segment.hints = hints;
    segment.hint_count = 1;
    segment.correlation = 0.28;
    segment.backwards = 2;
    segment.objective = (struct dj_objective_line){true, false, 16.7, NAN, ""};
    for (size_t i = 0; i < DJ_TREND_NOTES; i++) {
        dj_report_describe_trend_note(&text, &segment, i);
        dj_text_add(&text, "\n");
    }
    expect(dj_xtext(&text), "9 points are too few to search for changes (15 needed)\n");
    expect(dj_xtext(&text), "possible smaller changes: +20.0 % since 1.16. They may be "
                            "drift, because neighbouring points correlate (ρ 0.28)\n");
    expect(dj_xtext(&text), "objective: ≤ 16.70 ms\n");
    expect(dj_xtext(&text), "2 batches are older than batches that were stored before");
}

/* ---- charts ---- */

Test(trend_report, a_chart_has_points_levels_changes_and_the_objective)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    segment.changes = &change;
    segment.change_count = 1;
    segment.objective = (struct dj_objective_line){true, false, 11, NAN, ""};
    struct dj_chart *chart = dj_report_create_trend_chart(&segment);
    cr_expect_str_eq(chart->title, "p95 frame time of scroll on Phone by version");
    cr_assert_eq(chart->series_count, 2);
    cr_expect_eq(chart->series[0].mark, DJ_MARK_STEP);
    cr_assert_eq(chart->series[0].point_count, 3);
    cr_expect_float_eq(chart->series[0].points[1].x, STEP - 0.5, 1e-9);
    cr_assert_eq(chart->series[1].point_count, POINTS);
    cr_expect_str_eq(chart->series[1].points[0].label,
                     "1.0 (2020-09-13): 10.00 ms (95 % CI 9.50 … 10.50), 4 runs");
    cr_assert_eq(chart->threshold_count, 2);
    cr_expect_str_eq(chart->thresholds[0].label, "+20.0 % since 1.16: worse");
    cr_expect(chart->thresholds[0].is_vertical);
    cr_expect_eq(chart->thresholds[0].role, DJ_ROLE_BAD);
    cr_expect_str_eq(chart->thresholds[1].label, "objective ≤ 11.00 ms");
    cr_assert_eq(chart->tick_count, POINTS);
    cr_expect_str_eq(chart->ticks[POINTS - 1].label, "1.23");
    dj_chart_free(chart);
}

Test(trend_report, a_long_chart_is_thinned_and_large_values_are_finite)
{
    enum { MANY = 3 * DJ_TREND_POINTS_MAX + 1 };
    struct dj_trend_segment segment = make_segment("a");
    segment.points = dj_xcalloc(MANY, sizeof(*segment.points));
    segment.point_count = MANY;
    for (size_t i = 0; i < MANY; i++) {
        segment.points[i] =
            (struct dj_trend_point){.at_unix_ms = INT64_MIN,
                                    .ordinal = (int64_t)i,
                                    .value = i % 2 == 0 ? 1.7e308 : -1.7e308,
                                    .ci = {NAN, NAN}};
    }
    struct dj_chart *chart = dj_report_create_trend_chart(&segment);
    cr_expect_leq(chart->series[0].point_count, DJ_TREND_POINTS_MAX);
    cr_expect_gt(chart->series[0].point_count, DJ_TREND_POINTS_MAX / 2);
    cr_expect_leq(chart->tick_count, 102);
    struct dj_chart_range range = dj_chart_compute_range(chart);
    cr_expect(isfinite(range.y_first) && isfinite(range.y_last) &&
              isfinite(range.y_last - range.y_first));
    dj_chart_free(chart);
    free(segment.points);
}

/* ---- the summary ---- */

Test(trend_report, the_worst_change_comes_first)
{
    struct dj_trend_change worse = make_change();
    struct dj_trend_change better = make_change();
    struct dj_trend_segment segment = make_segment("a");
    better.worse = false;
    better.better = true;
    better.ratio = 0.1;
    segment.change_count = 1;
    segment.changes = &better;
    dj_report_add_to_trend_summary(&summary, &segment);
    segment.changes = &worse;
    dj_report_add_to_trend_summary(&summary, &segment);
    segment.flow = "start";
    snprintf(segment.key, sizeof(segment.key), "b");
    worse.ratio = 1.5;
    dj_report_add_to_trend_summary(&summary, &segment);
    segment.change_count = 0;
    dj_report_add_to_trend_summary(&summary, &segment);
    cr_assert_eq(summary.finding_count, 4);
    cr_expect_eq(summary.histories, 2);
    cr_expect_eq(summary.findings[0].number, 2);
    cr_expect_eq(summary.findings[1].number, 1);
    cr_expect_eq(summary.findings[2].state, DJ_TREND_BETTER);
    const char *shown = draw_summary(true);
    static const char line[] = "worse: p95 frame time of start +50.0 % since 1.16 "
                               "(2020-09-29); 1 more\n";
    cr_expect_eq(strncmp(shown, line, strlen(line)), 0, "%s", shown);
    expect(shown, "trends  4 trends of 2 histories\n");
    expect(shown, "p95 frame time of start on Phone by version\n");
    expect(shown, "worse: the metric became worse");
    expect(shown, "Not shown: the rest (--all shows everything).\n");
    expect(shown, "  dejank compare batch15 batch16 --store 'my store.db'\n");
    expect(shown, "  dejank history bless 0123abcd --why TEXT --store 'my store.db'\n");
}

Test(trend_report, other_changes_of_a_single_trend_are_listed)
{
    struct dj_trend_change changes[] = {make_change(), make_change()};
    struct dj_trend_segment segment = make_segment("a");
    changes[0].index = 5;
    changes[0].ratio = 0.7;
    changes[0].worse = false;
    changes[0].better = true;
    segment.changes = changes;
    segment.change_count = 2;
    dj_report_add_to_trend_summary(&summary, &segment);
    expect(draw_summary(true), "• other changes: -30.0 % since 1.5 (better)\n");
}

Test(trend_report, a_summary_of_many_trends_is_bounded)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    segment.changes = &change;
    segment.change_count = 1;
    for (int i = 0; i < 100; i++) {
        change.ratio = 1.01 + 0.01 * (i * 37 % 100);
        dj_report_add_to_trend_summary(&summary, &segment);
    }
    cr_expect_eq(summary.finding_count, DJ_TREND_FINDINGS_MAX);
    cr_expect_eq(summary.states[DJ_TREND_WORSE], 100);
    cr_expect_float_eq(summary.findings[0].size, log(2), 1e-9);
    for (size_t i = 1; i < summary.finding_count; i++) {
        cr_expect_leq(summary.findings[i].size, summary.findings[i - 1].size);
    }
}

Test(trend_report, the_first_line_fits_whatever_the_names_are)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    segment.changes = &change;
    segment.change_count = 1;
    segment.flow = "a flow with a name of many, many, many words that fills the line";
    points[STEP].version = "1.16.0-alpha.20260101120000+build.0123456789abcdef0123456789";
    dj_report_add_to_trend_summary(&summary, &segment);
    dj_report_start_trend_document(&document, &summary, true);
    cr_assert_eq(document.blocks[0].kind, DJ_BLOCK_VERDICT);
    cr_expect_leq(dj_name_count_columns(document.blocks[0].text), 80, "%s",
                  document.blocks[0].text);
    expect(document.blocks[0].text, "worse: p95 frame time +20.0 % since 1.16.0-alpha");
}

Test(trend_report, a_quiet_trend_says_why_it_is_quiet)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    const struct dj_trend_blessing blessing = {"id", "ann", "more shadows", FIRST_MS};
    segment.gap = DJ_TREND_FEW_POINTS;
    segment.point_count = 9;
    dj_report_add_to_trend_summary(&summary, &segment);
    expect(draw_summary(true),
           "unknown: too few points to find a change (9, but 15 are needed)\n");
    dj_document_finish(&document);
    segment = make_segment("a");
    dj_report_add_to_trend_summary(&summary, &segment);
    expect(draw_summary(true), "no change in 1 trend\n");
    expect(dj_xtext(&text), "1 trend has fewer than 15 points: too few");
    dj_document_finish(&document);
    change.blessing = &blessing;
    segment.changes = &change;
    segment.change_count = 1;
    dj_report_add_to_trend_summary(&summary, &segment);
    expect(draw_summary(true), "no open change: 1 accepted, 1 without a change\n");
    expect(dj_xtext(&text), "accepted by ann on 2020-09-13: more");
    cr_expect_null(strstr(dj_xtext(&text), "--why TEXT"));
}

/* ---- sections ---- */

Test(trend_report, a_section_has_the_last_versions_and_its_changes)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    segment.changes = &change;
    segment.change_count = 1;
    dj_report_add_trend_segment(
        &document, &segment,
        &(struct dj_trend_section){.number = 7, .rows = 10, .names_history = true});
    cr_expect_str_eq(document.blocks[0].text,
                     "com.example, flow scroll, Phone (serial-1), release 14, for 10 s");
    cr_expect_str_eq(document.blocks[1].label, "trend-7");
    const char *shown = draw(true);
    expect(shown, "14 older points are not in this table.\n");
    expect(shown, "1.16     2020-09-29     4  12.00  11.50 … 12.50  +20.0 % (worse)\n");
    expect(shown, "Compare: dejank compare batch15 batch16\n");
    cr_expect(strstr(shown, "1.13 ") == NULL, "%s", shown);
}

Test(trend_report, on_the_server_a_section_links_to_batches_and_comparisons)
{
    struct dj_trend_change change = make_change();
    struct dj_trend_segment segment = make_segment("a");
    struct dj_text html = {0};
    segment.changes = &change;
    segment.change_count = 1;
    dj_report_add_trend_segment(
        &document, &segment, &(struct dj_trend_section){.rows = 10, .has_links = true});
    dj_document_write_html(&html, &document);
    static const char *const expected[] = {
        "<a href=\"/compare/batch15..batch16\">",
        "<a href=\"/batches/batch16\">1.16</a>",
        "\"/batches/batch16\"]",
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        cr_expect_not_null(strstr(dj_xtext(&html), expected[i]), "%s", expected[i]);
    }
    cr_expect_null(strstr(dj_xtext(&html), "dejank compare"));
    dj_text_finish(&html);
}

static void add_version(struct dj_trend_stack *stack, const char *name, int64_t fast,
                        int64_t slow)
{
    struct dj_histogram_bucket buckets[] = {
        {dj_exponential_key(10000000), (uint64_t)fast},
        {dj_exponential_key(30000000), (uint64_t)slow}};
    const struct dj_histogram times = {buckets, 2};
    snprintf(stack->version[stack->count].name, DJ_TREND_NAME_BYTES, "%s", name);
    cr_assert(dj_exponential_merge(&stack->version[stack->count++].times, &times));
}

Test(trend_report, frame_times_are_a_chart_and_a_table)
{
    struct dj_trend_stack stack = {.count = 0};
    dj_report_add_trend_stack(&document, &stack);
    cr_expect_eq(document.block_count, 0);
    add_version(&stack, "1.0", 90, 10);
    add_version(&stack, "1.1", 50, 50);
    dj_report_add_trend_stack(&document, &stack);
    cr_assert_eq(document.blocks[1].kind, DJ_BLOCK_CHART);
    const struct dj_chart *chart = document.blocks[1].chart;
    cr_assert_eq(chart->series[0].point_count, 2);
    cr_expect_float_eq(chart->series[0].points[0].y, 10, 0.1);
    cr_expect_float_eq(chart->series[0].points[0].high, 30, 0.3);
    expect(chart->series[0].points[1].label, "50.0 % longer than 16.67 ms");
    expect(draw(true), "10.0\n1.1 ");
    dj_report_finish_trend_stack(&stack);
}

/* ---- files ---- */

static struct dj_error err;

/* Writes a trend of so many segments in parts of two, and reads the file back. */
static char *write_file(const char *suffix, const struct dj_trend_form *form,
                        size_t segments)
{
    char path[64];
    struct dj_trend_segment part[] = {make_segment("a"), make_segment("a")};
    const struct dj_trend trend = {.segments = part, .segment_count = 2};
    struct dj_trend_change change = make_change();
    struct dj_trend_totals totals = {.segments = segments};
    struct dj_trend_pages pages = {.form = form, .rows = 5, .err = &err};
    snprintf(path, sizeof(path), "/tmp/dejank-trend-%d%s", (int)getpid(), suffix);
    pages.path = path;
    part[0].changes = &change;
    part[0].change_count = 1;
    for (size_t i = 0; i < segments; i += 2) {
        cr_assert_eq(dj_report_trend_pages_add(&pages, &trend), 0);
    }
    cr_expect(pages.has_worse);
    cr_assert_eq(dj_report_trend_pages_write(&pages, &totals, &err), 0, "%s",
                 err.message);
    dj_report_trend_pages_finish(&pages);
    FILE *file = fopen(path, "rb");
    char *bytes = dj_xcalloc(8 << 20, 1);
    cr_assert_not_null(file);
    cr_assert_gt(fread(bytes, 1, (8 << 20) - 1, file), 0);
    fclose(file);
    unlink(path);
    return bytes;
}

static size_t count(const char *bytes, const char *string)
{
    size_t found = 0;
    while ((bytes = strstr(bytes, string)) != NULL) {
        found++;
        bytes += strlen(string);
    }
    return found;
}

Test(trend_report, a_page_is_written_part_by_part)
{
    char *page = write_file(".html", NULL, 6);
    cr_expect_eq(count(page, "<!doctype html>"), 1);
    expect(page, "<title>Trends of com.example — dejank history</title>");
    cr_expect_eq(count(page, "</html>"), 1);
    cr_expect_eq(count(page, "<figure class=\"chart\">"), 6);
    cr_expect_eq(count(page, "<h2>com.example, flow scroll"), 1, "one history");
    const char *verdict = strstr(page, "<p class=\"verdict bad\">worse: p95 frame time");
    const char *first = strstr(page, "<h3 id=\"trend-0\">");
    const char *last = strstr(page, "<h3 id=\"trend-5\">");
    const char *next = strstr(page, "<code>dejank compare batch15 batch16</code>");
    cr_expect(verdict != NULL && verdict < first && first < last && last < next);
    expect(page, "<a href=\"#trend-4\">");
    free(page);
}

Test(trend_report, markdown_and_json_have_each_segment_once)
{
    char *markdown = write_file(".md", NULL, 4);
    cr_expect_eq(count(markdown, "\n### p95 frame time, ms\n"), 4);
    cr_expect_eq(strncmp(markdown, "**worse: ", 9), 0);
    cr_expect_eq(count(markdown, "| 1.23 | 2020-10-06 | 4 | 12.00 |"), 4);
    cr_expect_eq(count(markdown, "| 1.18 |"), 0, "only five versions");
    free(markdown);
    char *json = write_file(".json", &dj_report_trend_json, 4);
    cr_expect_eq(strncmp(json, "{\"schema\":\"dejank.history/1\"", 28), 0);
    cr_expect_eq(count(json, "\"segment\":\"a\""), 4);
    cr_expect_eq(count(json, "},{\"segment\""), 3);
    free(json);
    char *csv = write_file(".csv", &dj_report_trend_csv, 4);
    cr_expect_eq(count(csv, "\n"), 1 + 4 * POINTS);
    free(csv);
}

Test(trend_report, a_picture_of_many_trends_is_bounded)
{
    char *drawing = write_file(".svg", NULL, DJ_TREND_PICTURE_MAX + 20);
    expect(drawing, "<svg");
    expect(drawing, "worse: p95 frame time");
    cr_expect_lt(strlen(drawing), (8 << 20) - 1, "the whole file was read");
    expect(drawing, "</svg>");
    free(drawing);
}
