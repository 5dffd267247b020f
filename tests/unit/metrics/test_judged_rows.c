#include "metrics/judged_rows.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "made_text.h"

static struct dj_dump dump;
static struct dj_dump_window *window;
static struct dj_judged_rows judged;

static void set_up(void)
{
    const struct made_text spec = {.frames = 40, .slow_every = 8, .rows = true};
    dump = make_dump(&spec);
    window = &dump.processes[0].windows[0];
    judged = (struct dj_judged_rows){0};
    cr_assert(dj_metrics_judged_rows_open(&judged, &dump, &dump.processes[0], window));
}

static void tear_down(void)
{
    dj_metrics_judged_rows_close(&judged);
    dj_gfxinfo_dump_finish(&dump);
}

TestSuite(judged, .init = set_up, .fini = tear_down);

Test(judged, all_rows)
{
    dj_metrics_judged_rows_judge(&judged, window->frames, window->frame_count);
    cr_expect_eq(judged.count, 40);
    cr_expect_eq(judged.rules.interval_ns, INTERVAL_NS);
    cr_expect_not(judged.rules.interval_assumed);
    cr_expect_eq(judged.summary.usable, 40);
    cr_expect_eq(judged.summary.janky, 5);
    for (size_t i = 0; i < judged.count; i++) {
        cr_expect_eq(judged.facts[i].janky, i % 8 == 7, "row %zu", i);
    }
}

/* The interval and the columns are those of all rows of the app window. */
Test(judged, a_part_of_the_rows_is_judged_by_the_same_rules)
{
    struct dj_frame some[3] = {window->frames[6], window->frames[7], window->frames[8]};
    dj_metrics_judged_rows_judge(&judged, some, 3);
    cr_expect_eq(judged.frames, some);
    cr_expect_eq(judged.summary.rows, 3);
    cr_expect_eq(judged.summary.janky, 1);
    cr_expect_eq(judged.rules.interval_ns, INTERVAL_NS);
    dj_metrics_judged_rows_judge(&judged, window->frames, 0);
    cr_expect_eq(judged.summary.rows, 0);
    cr_expect_eq(judged.summary.janky, 0);
}

Test(judged, rows_are_marked_on_request)
{
    uint32_t marks[40] = {0};
    size_t marked[DJ_FINDING_COUNT] = {0};
    judged.marks = marks;
    dj_metrics_judged_rows_judge(&judged, window->frames, window->frame_count);
    for (size_t i = 0; i < 40; i++) {
        for (size_t k = 0; k < DJ_FINDING_COUNT; k++) {
            marked[k] += (marks[i] >> k & 1) != 0;
        }
    }
    size_t found = 0;
    for (size_t k = 0; k < DJ_FINDING_COUNT; k++) {
        cr_expect_eq(marked[k], judged.findings.of[k].frames, "finding %zu", k);
        found += marked[k];
    }
    cr_expect_gt(found, 0);
}

Test(judged, an_unknown_interval_is_assumed)
{
    dump.processes[0].interval_ns = 0;
    dj_metrics_judged_rows_close(&judged);
    judged = (struct dj_judged_rows){0};
    window->frame_count = 1;
    dump.processes[0].interval_assumed = true;
    cr_assert(dj_metrics_judged_rows_open(&judged, &dump, &dump.processes[0], window));
    cr_expect(judged.rules.interval_assumed);
    cr_expect_gt(judged.rules.interval_ns, 0);
}
