#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "report/verdict/assessment.h"
#include "support.h"

/* A process with `counted` frames, `janky` of them janky, and made rows. */
static struct dj_dump create_dump(uint32_t counted, uint32_t janky, size_t rows)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = rows, .freeze = SIZE_MAX, .process = "com.x", .window = "a"});
    struct dj_stats_block *block = &dump.processes[0].stats;
    *block = (struct dj_stats_block){.present = true, .lines = UINT32_MAX};
    block->stats.counter[DJ_COUNTER_TOTAL] = counted;
    block->stats.counter[DJ_COUNTER_JANKY] = janky;
    return dump;
}

/* The windows' own blocks are built from the rows; here only the process's block counts.
 */
static struct dj_assessment compute_assessment(struct dj_dump *dump)
{
    struct dj_assessment assessment;
    for (size_t i = 0; i < dump->processes[0].window_count; i++) {
        dump->processes[0].windows[i].stats.present = false;
    }
    assessment = dj_assessment_compute(compute_facts(dump), 0);
    return assessment;
}

Test(assessment, a_sample_is_graded_by_the_guides_shares)
{
    static const struct {
        struct dj_jank_sample sample;
        enum dj_grade grade;
    } rows[] = {
        {{0, 0}, DJ_GRADE_NO_FRAMES}, {{1, 0}, DJ_GRADE_FEW},
        {{29, 29}, DJ_GRADE_FEW},     {{30, 0}, DJ_GRADE_SMOOTH},
        {{100, 2}, DJ_GRADE_SMOOTH},  {{1000, 21}, DJ_GRADE_UNEVEN},
        {{100, 10}, DJ_GRADE_UNEVEN}, {{1000, 101}, DJ_GRADE_JANKY},
        {{30, 30}, DJ_GRADE_JANKY},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(dj_assessment_grade_sample(&rows[i].sample), rows[i].grade,
                     "sample %zu", i);
    }
}

Test(assessment, nothing_drawn_is_not_smooth)
{
    struct dj_dump dump = create_dump(0, 0, 0);
    struct dj_assessment assessment = compute_assessment(&dump);
    cr_assert_eq(assessment.grade, DJ_GRADE_NO_FRAMES);
    cr_assert_eq(assessment.counts.frames, 0);
    cr_assert_eq(assessment.rows.frames, 0);
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, the_worse_of_counters_and_rows_is_the_grade)
{
    /* Every ninth made row is janky: 11.7 %. */
    struct dj_dump dump = create_dump(5000, 10, 120);
    struct dj_assessment assessment = compute_assessment(&dump);
    cr_assert_eq(assessment.counts.frames, 5000);
    cr_assert_eq(assessment.rows.frames, 120);
    cr_assert_gt(assessment.rows.janky, 12);
    cr_assert_eq(assessment.grade, DJ_GRADE_JANKY, "the newest frames are");
    dj_gfxinfo_dump_finish(&dump);
    dump = create_dump(5000, 4000, 5);
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_JANKY);
    dj_gfxinfo_dump_finish(&dump);
    dump = create_dump(5000, 10, 5);
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_SMOOTH,
                 "five rows are a hint only");
    dj_gfxinfo_dump_finish(&dump);
}

/* A block that was truncated before the line "Janky frames" contains nothing about jank.
 */
Test(assessment, frames_without_a_count_of_janky_ones_are_not_judged)
{
    struct dj_dump dump = create_dump(500, 0, 0);
    dump.processes[0].stats.lines = 1U << 1; /* Total frames rendered. */
    struct dj_assessment assessment = compute_assessment(&dump);
    cr_assert_eq(assessment.grade, DJ_GRADE_UNJUDGED);
    cr_assert_eq(assessment.counts.frames, 0);
    dj_gfxinfo_dump_finish(&dump);
}

/* A missing percentage was truncated, and perhaps the count before it too. */
Test(assessment, a_truncated_count_of_janky_frames_is_ignored)
{
    struct dj_dump dump = create_dump(500, 1, 0);
    struct dj_stats_block *block = &dump.processes[0].stats;
    block->printed_janky_pct = (double)NAN;
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_SMOOTH,
                 "made by us: nothing is cut");
    block->lines = UINT32_MAX - 1;
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_UNJUDGED);
    block->stats.counter[DJ_COUNTER_TOTAL] = 0;
    cr_assert(dj_assessment_has_jank_count(block), "of no frames hwui prints NaN itself");
    dj_gfxinfo_dump_finish(&dump);
    struct dj_graphicsstats entry = {.stats = {.lines = UINT32_MAX - 1}};
    entry.stats.stats.counter[DJ_COUNTER_TOTAL] = 100;
    cr_assert_eq(dj_assessment_read_graphicsstats(&entry).frames, 100);
    entry.stats.printed_janky_pct = (double)NAN;
    cr_assert_eq(dj_assessment_read_graphicsstats(&entry).frames, 0);
}

/* hwui counts such rows as frames and never as janky. */
static void exempt_rows(struct dj_dump *dump, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        dump->processes[0].windows[0].frames[i].value[DJ_COLUMN_FLAGS] =
            DJ_FLAG_SURFACE_CANVAS;
    }
}

Test(assessment, rows_that_the_rule_exempts_are_not_smooth)
{
    struct dj_text words = {0};
    for (size_t rows = 1; rows <= 100; rows += 33) {
        struct dj_dump dump = create_dump(0, 0, rows);
        exempt_rows(&dump, rows);
        struct dj_assessment assessment = compute_assessment(&dump);
        cr_assert_eq(assessment.grade, DJ_GRADE_UNJUDGED, "%zu rows", rows);
        cr_assert_eq(assessment.rows.frames, 0);
        cr_assert_eq(assessment.exempt, rows);
        dj_text_clear(&words);
        dj_assessment_describe(&words, &assessment);
        cr_assert_not_null(strstr(dj_text_get(&words), "exempt from the release's rule"));
        struct dj_views views = create_views(&dump);
        struct dj_assessment of_view;
        of_view = dj_assessment_compute_view(&views.view[0]);
        cr_assert_eq(of_view.grade, DJ_GRADE_UNJUDGED);
        cr_assert_eq(of_view.exempt, rows);
        dj_report_finish_views(&views);
        dj_gfxinfo_dump_finish(&dump);
    }
    dj_text_finish(&words);
}

Test(assessment, counters_of_exempt_rows_count_only_with_jank)
{
    struct dj_dump dump = create_dump(300, 0, 50);
    exempt_rows(&dump, 50);
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_UNJUDGED,
                 "they may all be exempt");
    dump.processes[0].stats.stats.counter[DJ_COUNTER_JANKY] = 100;
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_JANKY);
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, rows_next_to_exempt_ones_are_judged_separately)
{
    struct dj_dump dump = create_dump(0, 0, 90); /* Every ninth is janky. */
    exempt_rows(&dump, 45);
    struct dj_assessment assessment = compute_assessment(&dump);
    cr_assert_eq(assessment.rows.frames, 45);
    cr_assert_eq(assessment.rows.janky, 5);
    cr_assert_eq(assessment.exempt, 45);
    cr_assert_eq(assessment.grade, DJ_GRADE_JANKY);
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, the_rule_of_5_judges_no_row)
{
    struct dj_dump dump = create_dump(0, 0, 90);
    dump.dialect = dj_frame_dialect_find("5");
    cr_assert_eq(compute_assessment(&dump).grade, DJ_GRADE_UNJUDGED);
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, the_simple_dump_is_not_judged)
{
    struct dj_profile_row rows[] = {
        {5, 1, 2, 3}, {5, -1, 6, 6}, {50, 0, 0, 0}, {5, 5, 5, 1.6F}};
    struct dj_dump dump = create_dump(0, 0, 0);
    struct dj_dump_window *window = &dump.processes[0].windows[0];
    window->has_profile = true;
    window->profile = rows;
    window->profile_count = 4;
    struct dj_assessment assessment = compute_assessment(&dump);
    cr_assert_eq(assessment.grade, DJ_GRADE_UNJUDGED);
    cr_assert_eq(assessment.simple_rows, 4);
    cr_assert_eq(assessment.simple_over, 2, "columns that are not there are no −1 ms");
    window->profile = NULL;
    window->profile_count = 0;
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, the_window_with_the_most_rows_is_named)
{
    struct dj_dump dump = create_dump(0, 0, 20);
    add_window(&dump.processes[0],
               &(struct made_dump){.frames = 50, .freeze = SIZE_MAX, .window = "b"});
    add_window(&dump.processes[0],
               &(struct made_dump){.frames = 30, .freeze = SIZE_MAX, .window = "c"});
    struct dj_assessment assessment = compute_assessment(&dump);
    cr_assert_eq(assessment.window, 1);
    cr_assert_eq(assessment.rows.frames, 100);
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, worse_is_by_grade_then_share_then_frames)
{
    static const struct dj_assessment from_good_to_bad[] = {
        {.grade = DJ_GRADE_NO_FRAMES},
        {.grade = DJ_GRADE_UNJUDGED, .simple_rows = 100},
        {.grade = DJ_GRADE_FEW, .counts = {5, 5}},
        {.grade = DJ_GRADE_SMOOTH, .counts = {100, 1}},
        {.grade = DJ_GRADE_UNEVEN, .counts = {100, 5}},
        {.grade = DJ_GRADE_UNEVEN, .rows = {100, 6}},
        {.grade = DJ_GRADE_UNEVEN, .counts = {200, 12}},
        {.grade = DJ_GRADE_JANKY, .counts = {40, 20}},
    };
    enum { COUNT = sizeof(from_good_to_bad) / sizeof(from_good_to_bad[0]) };
    for (size_t a = 0; a < COUNT; a++) {
        for (size_t b = 0; b < COUNT; b++) {
            cr_assert_eq(
                dj_assessment_is_worse(&from_good_to_bad[b], &from_good_to_bad[a]), b > a,
                "%zu and %zu", a, b);
        }
    }
}

Test(assessment, the_worst_package_has_enough_frames)
{
    struct dj_dump dump = {0};
    cr_assert_eq(dj_assessment_find_worst_package(&dump), 0);
    static const struct dj_jank_sample samples[] = {
        {29, 29}, {100, 10}, {50, 10}, {0, 0}};
    for (size_t i = 0; i < 4; i++) {
        struct dj_graphicsstats *entry = dj_gfxinfo_dump_add_graphicsstats(&dump);
        entry->stats.lines = UINT32_MAX;
        entry->stats.stats.counter[DJ_COUNTER_TOTAL] = (uint32_t)samples[i].frames;
        entry->stats.stats.counter[DJ_COUNTER_JANKY] = (uint32_t)samples[i].janky;
    }
    cr_assert_eq(dj_assessment_find_worst_package(&dump), 2);
    dj_gfxinfo_dump_finish(&dump);
}

static void expect_sentences(struct dj_dump *dump, const char *verdict, const char *rest)
{
    struct dj_text words = {0};
    struct dj_assessment assessment = compute_assessment(dump);
    dj_assessment_describe(&words, &assessment);
    cr_expect_str_eq(dj_text_get(&words), verdict);
    dj_text_clear(&words);
    dj_assessment_describe_rest(&words, &assessment);
    cr_expect_str_eq(dj_text_get(&words), rest);
    dj_text_finish(&words);
}

/* The sample with the worse grade decides, so it is named first. */
Test(assessment, the_worse_sample_is_named_first)
{
    struct dj_dump dump = create_dump(1000, 300, 90);
    expect_sentences(&dump, "300 of 1000 frames janky (30.00 %)",
                     "This is hwui's count of all frames. Of the 90 frames with rows, 10 "
                     "are janky (11.11 %).");
    dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 80;
    dump.processes[0].stats.stats.counter[DJ_COUNTER_JANKY] = 40;
    expect_sentences(&dump, "40 of 80 frames janky (50.00 %)",
                     "This is hwui's count. Of the 90 frames with rows, 10 are janky "
                     "(11.11 %).");
    dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 90;
    dump.processes[0].stats.stats.counter[DJ_COUNTER_JANKY] = 10;
    expect_sentences(&dump, "10 of 90 frames janky (11.11 %)",
                     "hwui's count and the rows of the dump agree.");
    dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 1000;
    dump.processes[0].stats.stats.counter[DJ_COUNTER_JANKY] = 0;
    expect_sentences(&dump, "10 of 90 rows janky (11.11 %)",
                     "This is the share of frames with rows. hwui counted 1000 frames, 0 "
                     "of them janky (0.00 %).");
    dj_gfxinfo_dump_finish(&dump);
    dump = create_dump(1000, 300, 0);
    expect_sentences(&dump, "300 of 1000 frames janky (30.00 %)", "");
    dj_gfxinfo_dump_finish(&dump);
    dump = create_dump(0, 0, 0);
    expect_sentences(&dump, "no frame was drawn", "");
    dj_gfxinfo_dump_finish(&dump);
}

Test(assessment, every_grade_is_explained_in_one_line)
{
    for (size_t i = 0; i < DJ_GRADE_COUNT; i++) {
        const char *sentence = dj_assessment_explain((enum dj_grade)i);
        cr_expect_leq(strlen(sentence), 80);
        cr_expect_eq(sentence[strlen(sentence) - 1], '.');
    }
    cr_expect(strstr(dj_assessment_explain(DJ_GRADE_JANKY), "10 %") != NULL);
    cr_expect(strstr(dj_assessment_explain(DJ_GRADE_FEW), "30 frames") != NULL);
}
