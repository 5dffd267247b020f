#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/series.h"
#include "trend/trend.h"

enum { DAY = 86400, FIRST = 1600000000 };

/* ---- a store of this test ---- */

static char path[64];

static struct dj_store *open_store(void)
{
    struct dj_store *store;
    struct dj_error err = {0};
    snprintf(path, sizeof(path), "/tmp/dejank-trend-XXXXXX");
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    cr_assert_eq(dj_store_open(path, DJ_STORE_CREATE, &store, &err), 0, "%s",
                 err.message);
    return store;
}

static void close_store(struct dj_store *store)
{
    static const char *const companions[] = {"", "-wal", "-shm"};
    dj_store_close(store);
    for (size_t i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof(name), "%s%s", path, companions[i]);
        unlink(name);
    }
}

/* Returns a deterministic noise factor within 1 % of 1. */
static double noise(int i)
{
    static const int steps[] = {3, -7, 1, 9, -4, -1, 6, -9, 4, -2, 8, -6};
    return 1 + 0.001 * steps[i % 12] + 0.0005 * ((i * 7) % 5 - 2);
}

static void insert_csv(struct dj_store *store, const char *csv)
{
    static const struct dj_series_defaults none;
    struct dj_series_file file;
    struct dj_store_series_counts stored;
    struct dj_error err = {0};
    cr_assert_eq(dj_import_read_series(csv, strlen(csv), &none, &file, &err), 0, "%s",
                 err.message);
    cr_assert_eq(dj_store_insert_series(store, "app", &file, "x", &stored, &err), 0, "%s",
                 err.message);
    dj_store_series_finish(&file);
}

/* Adds `points` days to a series. From the day `step` on, the values are `factor` times
 * as large. */
static void insert_steps(struct dj_store *store, const char *device, const char *unit,
                         int points, int step, double factor)
{
    struct dj_text csv = {0};
    dj_text_add(&csv, "time,version,commit,metric,device,unit,value\n");
    for (int i = 0; i < points; i++) {
        dj_text_format(&csv, "%d,1.%d,c%07d,p95,%s,%s,%.6f\n", FIRST + i * DAY, i, i,
                       device, unit, 16 * noise(i) * (i >= step ? factor : 1));
    }
    insert_csv(store, dj_text_get(&csv));
    dj_text_finish(&csv);
}

static struct dj_trend read_trend(struct dj_store *store,
                                  const struct dj_trend_query *query)
{
    struct dj_trend trend = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_trend_read(store, query, &trend, &err), 0, "%s", err.message);
    return trend;
}

static const struct dj_trend_query any;

/* ---- changes ---- */

Test(trend, change_has_a_start_and_a_size)
{
    struct dj_store *store = open_store();
    insert_steps(store, "A", "ms", 40, 25, 1.12);
    struct dj_trend trend = read_trend(store, &any);
    cr_assert_eq(trend.segment_count, 1);
    const struct dj_trend_segment *segment = &trend.segments[0];
    cr_assert_eq(segment->point_count, 40);
    cr_assert_eq(segment->gap, DJ_TREND_WHOLE);
    cr_assert_eq(segment->change_count, 1);
    const struct dj_trend_change *change = &segment->changes[0];
    cr_assert_eq(change->index, 25);
    cr_assert_float_eq(change->ratio, 1.12, 0.01);
    cr_assert(change->ci.low < 1.12 && change->ci.high > 1.12);
    cr_assert_lt(change->p, 1e-6);
    cr_assert_float_eq(change->before, 16, 0.2);
    cr_assert_float_eq(change->after, 17.92, 0.2);
    cr_assert(change->worse && !change->better);
    cr_assert(dj_trend_change_holds(segment, change));
    char name[DJ_TREND_NAME_BYTES];
    dj_trend_format_point_name(&segment->points[25], name);
    cr_assert_str_eq(name, "1.25");
    dj_trend_finish(&trend);
    close_store(store);
}

/* A rise is no longer in effect after the figure fell again. For some metrics more is
 * better. */
Test(trend, direction_of_the_metric_decides_what_is_worse)
{
    struct dj_store *store = open_store();
    struct dj_text csv = {0};
    dj_text_add(&csv, "time,metric,unit,value\n");
    for (int i = 0; i < 60; i++) {
        dj_text_format(&csv, "%d,bump,ms,%.6f\n", FIRST + i * DAY,
                       16 * noise(i) * (i >= 20 && i < 40 ? 1.2 : 1));
        dj_text_format(&csv, "%d,rate,fps,%.6f\n", FIRST + i * DAY,
                       60 * noise(i) * (i >= 20 ? 0.8 : 1));
        dj_text_format(&csv, "%d,thing,,%.6f\n", FIRST + i * DAY,
                       60 * noise(i) * (i >= 20 ? 0.8 : 1));
    }
    insert_csv(store, dj_text_get(&csv));
    dj_text_finish(&csv);
    struct dj_trend trend = read_trend(store, &any);
    cr_assert_eq(trend.segment_count, 3);
    const struct dj_trend_segment *bump = &trend.segments[0], *rate = &trend.segments[1],
                                  *thing = &trend.segments[2];
    cr_assert_eq(bump->change_count, 2);
    cr_assert(bump->changes[0].worse && bump->changes[1].better);
    cr_assert_not(dj_trend_change_holds(bump, &bump->changes[0]), "the figure recovered");
    cr_assert_eq(rate->change_count, 1);
    cr_assert(rate->changes[0].worse && dj_trend_change_holds(rate, &rate->changes[0]));
    cr_assert_eq(thing->change_count, 1);
    cr_assert(!thing->changes[0].worse && !thing->changes[0].better);
    dj_trend_finish(&trend);
    close_store(store);
}

/* If a figure is 0 or negative, changes are differences, not ratios. */
Test(trend, values_without_logarithm_use_differences)
{
    struct dj_store *store = open_store();
    struct dj_text csv = {0};
    dj_text_add(&csv, "time,metric,unit,value\n");
    for (int i = 0; i < 40; i++) {
        dj_text_format(&csv, "%d,slack,ms,%.6f\n", FIRST + i * DAY,
                       (i >= 20 ? -3 : 2) + 10 * (noise(i) - 1));
    }
    insert_csv(store, dj_text_get(&csv));
    dj_text_finish(&csv);
    struct dj_trend trend = read_trend(store, &any);
    const struct dj_trend_segment *segment = &trend.segments[0];
    cr_assert(segment->linear);
    cr_assert_eq(segment->change_count, 1);
    cr_assert_eq(segment->changes[0].index, 20);
    cr_assert(isnan(segment->changes[0].ratio));
    cr_assert_float_eq(segment->changes[0].before, 2, 0.1);
    cr_assert_float_eq(segment->changes[0].after, -3, 0.1);
    dj_trend_finish(&trend);
    close_store(store);
}

/* A step between two devices is no change. Each device alone has too few points. */
Test(trend, devices_are_not_joined)
{
    struct dj_store *store = open_store();
    insert_steps(store, "A", "ms", 14, 99, 1);
    insert_steps(store, "B", "ms", 14, 0, 2);
    struct dj_trend trend = read_trend(store, &any);
    cr_assert_eq(trend.segment_count, 2);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(trend.segments[i].gap, DJ_TREND_FEW_POINTS);
        cr_assert_eq(trend.segments[i].change_count, 0);
        cr_assert_eq(trend.segments[i].point_count, 14);
    }
    cr_assert_str_neq(trend.segments[0].key, trend.segments[1].key);
    dj_trend_finish(&trend);
    const struct dj_trend_query query = {
        .serial = "B", .metrics = {"p95"}, .metric_count = 1};
    trend = read_trend(store, &query);
    cr_assert_eq(trend.segment_count, 1);
    dj_trend_finish(&trend);
    const struct dj_trend_query other = {.metrics = {"fps"}, .metric_count = 1};
    trend = read_trend(store, &other);
    cr_assert_eq(trend.segment_count, 0);
    dj_trend_finish(&trend);
    close_store(store);
}

/* Values with the same time and commit are the runs of one batch. */
Test(trend, equal_times_are_runs_of_a_batch)
{
    struct dj_store *store = open_store();
    insert_csv(store, "time,commit,value\n1600000000,a,10\n1600000000,a,10.5\n"
                      "1600000000,a,11\n1600000000,b,20\n1600086400,b,30\n");
    struct dj_trend trend = read_trend(store, &any);
    const struct dj_trend_segment *segment = &trend.segments[0];
    cr_assert_eq(segment->point_count, 3);
    cr_assert_eq(segment->points[0].runs, 3);
    cr_assert_float_eq(segment->points[0].value, 10.5, 0.05);
    cr_assert(segment->points[0].ci.low < 10.5 && segment->points[0].ci.high > 10.5);
    cr_assert_eq(segment->points[1].runs, 1);
    cr_assert(isnan(segment->points[1].ci.low));
    dj_trend_finish(&trend);
    close_store(store);
}

/* ---- blessings ---- */

static void bless(struct dj_store *store, const struct dj_trend_segment *segment,
                  size_t place, bool up, char id[DJ_STORE_ID_BYTES])
{
    const struct dj_trend_point *point = &segment->points[place];
    const struct dj_blessing blessing = {.project = segment->project,
                                         .metric = segment->metric,
                                         .segment = segment->key,
                                         .up = up,
                                         .from_unix_ms = point->at_unix_ms,
                                         .from_ordinal = -1,
                                         .from_point = "x",
                                         .who = "ann",
                                         .why = "more shadows"};
    struct dj_error err = {0};
    cr_assert_eq(dj_store_add_blessing(store, &blessing, id, &err), 0, "%s", err.message);
}

Test(trend, blessed_change_is_no_longer_in_effect)
{
    static const struct {
        size_t place;
        bool up, holds;
    } cases[] = {{25, true, true},  {23, true, true},  {27, true, true},
                 {22, true, false}, {28, true, false}, {25, false, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_store *store = open_store();
        char id[DJ_STORE_ID_BYTES];
        struct dj_error err = {0};
        insert_steps(store, "A", "ms", 40, 25, 1.12);
        insert_steps(store, "B", "ms", 40, 25, 1.12);
        struct dj_trend trend = read_trend(store, &any);
        bless(store, &trend.segments[0], cases[i].place, cases[i].up, id);
        dj_trend_finish(&trend);
        trend = read_trend(store, &any);
        const struct dj_trend_segment *a = &trend.segments[0], *b = &trend.segments[1];
        cr_assert_eq(a->changes[0].blessing != NULL, cases[i].holds, "%zu", i);
        cr_assert_eq(dj_trend_change_holds(a, &a->changes[0]), !cases[i].holds, "%zu", i);
        cr_assert_null(b->changes[0].blessing, "the change of another device");
        dj_trend_finish(&trend);
        cr_assert_eq(dj_store_withdraw_blessing(store, id, "no", &err), 0);
        trend = read_trend(store, &any);
        cr_assert_null(trend.segments[0].changes[0].blessing);
        dj_trend_finish(&trend);
        close_store(store);
    }
}

Test(trend, change_ids_are_stable)
{
    struct dj_store *store = open_store();
    const struct dj_trend_segment *segment;
    const struct dj_trend_change *change;
    struct dj_error err = {0};
    char id[DJ_TREND_CHANGE_ID_BYTES];
    insert_steps(store, "A", "ms", 40, 25, 1.12);
    struct dj_trend trend = read_trend(store, &any);
    snprintf(id, sizeof(id), "%s", trend.segments[0].changes[0].id);
    dj_trend_finish(&trend);
    insert_steps(store, "A", "ms", 45, 25, 1.12);
    trend = read_trend(store, &any);
    cr_assert_eq(dj_trend_find_change(&trend, id, &segment, &change, &err), 0);
    cr_assert_eq(change->index, 25);
    id[5] = '\0';
    cr_assert_eq(dj_trend_find_change(&trend, id, &segment, &change, &err), 0);
    cr_assert_eq(dj_trend_find_change(&trend, "abc", &segment, &change, &err),
                 DJ_E_NO_DATA);
    dj_trend_finish(&trend);
    close_store(store);
}

/* ---- in parts ---- */

enum { MADE = 7, LONG = 450 };

struct parts_read {
    struct dj_text segments;
    size_t parts, most;
};

static void append_part(struct dj_text *text, const struct dj_trend *trend)
{
    for (size_t i = 0; i < trend->segment_count; i++) {
        const struct dj_trend_segment *one = &trend->segments[i];
        dj_text_format(text, "%s %s %s %s %zu points %zu changes", one->key, one->flow,
                       one->serial, one->metric, one->point_count, one->change_count);
        for (size_t k = 0; k < one->change_count; k++) {
            dj_text_format(text, " %s %.9g %d", one->changes[k].id, one->changes[k].ratio,
                           one->changes[k].blessing != NULL);
            for (size_t c = 0; c < one->changes[k].commit_count; c++) {
                dj_text_format(text, " %s", one->changes[k].commits[c]);
            }
        }
        dj_text_add(text, "\n");
    }
}

static int append_trend_part(void *user, const struct dj_trend *part)
{
    struct parts_read *parts_read = user;
    size_t points = 0;
    for (size_t i = 0; i < part->segment_count; i++) {
        points += part->segments[i].point_count;
    }
    parts_read->most = points > parts_read->most ? points : parts_read->most;
    parts_read->parts++;
    append_part(&parts_read->segments, part);
    return 0;
}

static int refuse_part(void *user, const struct dj_trend *part)
{
    (void)user;
    (void)part;
    return DJ_E_OUTPUT;
}

/* The parts together equal the whole trend, in the same order, and no part is longer than
 * necessary. */
Test(trend, parts_equal_the_whole)
{
    struct dj_store *store = open_store();
    for (int i = 0; i < MADE; i++) {
        char device[] = "X";
        device[0] = (char)('A' + MADE - i);
        insert_steps(store, device, "ms", i == 3 ? 3 * LONG : LONG, 25, 1.12);
    }
    struct dj_trend trend = read_trend(store, &any);
    cr_assert_eq(trend.segment_count, MADE);
    char id[DJ_STORE_ID_BYTES];
    bless(store, &trend.segments[5], 25, true, id);
    dj_trend_finish(&trend);
    trend = read_trend(store, &any);
    struct dj_text whole = {0};
    append_part(&whole, &trend);
    dj_trend_finish(&trend);
    struct parts_read parts_read = {0};
    struct dj_trend_totals sum;
    struct dj_error err = {0};
    cr_assert_eq(
        dj_trend_read_parts(store, &any, append_trend_part, &parts_read, &sum, &err), 0);
    cr_assert_str_eq(dj_text_get(&parts_read.segments), dj_text_get(&whole));
    cr_assert_not_null(strstr(dj_text_get(&whole), " 1 c0000025"),
                       "one change is blessed");
    cr_assert_eq(sum.segments, MADE);
    cr_assert_eq(parts_read.parts, 5,
                 "two segments per part, and one part for the long segment: %zu",
                 parts_read.parts);
    cr_assert_eq(parts_read.most, 3 * LONG);
    cr_assert_eq(dj_trend_read_parts(store, &any, refuse_part, NULL, &sum, &err),
                 DJ_E_OUTPUT);
    dj_text_finish(&parts_read.segments);
    dj_text_finish(&whole);
    close_store(store);
}

/* ---- where to look ---- */

Test(trend, store_lists_commits_without_git)
{
    struct dj_store *store = open_store();
    struct dj_text csv = {0};
    insert_steps(store, "A", "ms", 40, 25, 1.12);
    dj_text_add(&csv, "time,commit,metric,device,value\n");
    for (int i = 0; i < 3; i++) {
        dj_text_format(&csv, "%d,between%d,other,B,1\n", FIRST + 24 * DAY + 100 * (i + 1),
                       i);
    }
    insert_csv(store, dj_text_get(&csv));
    dj_text_finish(&csv);
    struct dj_trend trend = read_trend(store, &any);
    const struct dj_trend_change *change = &trend.segments[0].changes[0];
    cr_assert_not(change->from_git);
    cr_assert_eq(change->commit_count, 4);
    cr_assert_str_eq(change->commits[0], "c0000025");
    cr_assert_str_eq(change->commits[1], "between2");
    cr_assert_str_eq(change->commits[3], "between0");
    dj_trend_finish(&trend);
    const struct dj_trend_query query = {.repository = "/nowhere"};
    trend = read_trend(store, &query);
    cr_assert_not_null(trend.git_note);
    cr_assert_eq(trend.segments[0].changes[0].commit_count, 4);
    dj_trend_finish(&trend);
    close_store(store);
}

/* ---- configurations ---- */

Test(trend, config_lists_options_that_matter)
{
    static const struct {
        const char *options, *words;
    } cases[] = {
        {"{\"duration_ns\":10000000000,\"settle_ns\":1000000000,\"warmups\":1,"
         "\"retries\":2,\"aggregate_only\":false,\"profile\":true,\"attach\":false,"
         "\"driver\":\"gesture\",\"arguments\":\"scroll-down "
         "\\\"x\\\"\",\"apk\":\"a.apk\","
         "\"command\":[\"./a\",\"{\",\"]\"]}",
         "for 10 s, settled 1 s, profile, gesture, scroll-down \"x\""},
        {"{\"arguments\":\"tap \\u0022OK\\u0022 \\u003c\"}", "tap \"OK\" <"},
        {"{\"trace_after_ns\":250,\"trace_categories\":[\"gfx\",\"a b\"]}",
         "trace_after_ns 250, trace_categories [\"gfx\",\"a b\"]"},
        {"{\"command\":[\"a\"],\"refresh_hz\":120}", "at 120 Hz"},
        {"{\"driver\":\"idle\",\"arguments\":\"\"}", "idle"},
        {"{\"later\":{\"a\":[1,2]},\"apk\":null}", "later {\"a\":[1,2]}"},
        {" { } ", ""},
        {"", ""},
        {NULL, ""},
        {"[1]", ""},
        {"{\"a", ""},
        {"{\"a\":\"", ""},
        {"{\"a\":1", ""},
        {"{\"a\\", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_text words = {0};
        dj_trend_format_config(&words, cases[i].options);
        cr_assert_str_eq(dj_text_get(&words), cases[i].words, "%s", cases[i].options);
        dj_text_finish(&words);
    }
}
