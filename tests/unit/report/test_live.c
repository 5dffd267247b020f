#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "live/state/state.h"
#include "report/escape/name.h"
#include "report/live.h"
#include "support.h"

#define MS INT64_C(1000000)

/* Returns a view of an app with one window, whose process runs. */
static struct dj_live *open_app(const char *name, int64_t pid)
{
    struct dj_live *live;
    cr_assert_eq(dj_live_open("local:", name, &live, NULL), 0);
    struct dj_live_process *process = dj_live_add_process(live, pid, name);
    cr_assert_not_null(process);
    struct dj_live_window_state *window = dj_live_add_window(live, process, "Main");
    cr_assert_not_null(window);
    window->window.interval_ns = INTERVAL_NS;
    live->opened_ns = live->now_ns = 1000 * MS;
    dj_live_set_state(live);
    return live;
}

static void add_frame(struct dj_live *live, uint64_t number, int64_t frame_time_ns,
                      int64_t lost)
{
    struct dj_live_frame frame = {.number = number,
                                  .lost_before = lost,
                                  .window = live->last_window_id,
                                  .start_ns = live->now_ns,
                                  .frame_time_ns = frame_time_ns,
                                  .is_judged = true,
                                  .is_janky = frame_time_ns > INTERVAL_NS};
    frame.stages.known = 1U << DJ_STAGE_DRAW | 1U << DJ_STAGE_SWAP;
    frame.stages.ns[DJ_STAGE_SWAP] = MS;
    frame.stages.ns[DJ_STAGE_DRAW] = frame_time_ns - MS;
    frame.findings = frame.is_janky ? 1U << DJ_FINDING_DRAW : 0;
    cr_assert(dj_live_add_frame(live, &frame, live->now_ns + frame_time_ns));
    live->now_ns += 20 * MS;
}

static void expect_event(const struct dj_live *live, struct dj_live_viewer *viewer,
                         const char *expected)
{
    struct dj_text text = {0};
    cr_assert(dj_report_live_next_event(&text, live, viewer));
    cr_assert_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
}

static void expect_no_event(const struct dj_live *live, struct dj_live_viewer *viewer)
{
    struct dj_text text = {0};
    cr_assert_not(dj_report_live_next_event(&text, live, viewer));
    cr_assert_eq(text.length, 0);
}

Test(live, writes_frames_as_json)
{
    struct dj_live *live = open_app("a\"b", 42);
    struct dj_live_viewer viewer = {0};
    expect_no_event(live, &viewer);
    add_frame(live, 1, 5 * MS, 0);
    add_frame(live, 2, 40 * MS, 0);
    expect_event(
        live, &viewer,
        "{\"schema\":\"dejank.live/1\",\"kind\":\"frames\",\"device\":\"local:\","
        "\"app\":\"a\\\"b\",\"pid\":42,\"process\":\"a\\\"b\",\"window\":1,"
        "\"title\":\"Main\",\"interval_ns\":16666667,\"interval_assumed\":false,"
        "\"sequence\":2,\"frames\":["
        "{\"number\":1,\"start_ns\":1000000000,\"frame_time_ns\":5000000,"
        "\"janky\":false,\"stages\":{\"draw\":4000000,\"swap\":1000000},"
        "\"findings\":[]},"
        "{\"number\":2,\"start_ns\":1020000000,\"frame_time_ns\":40000000,"
        "\"janky\":true,\"stages\":{\"draw\":39000000,\"swap\":1000000},"
        "\"findings\":[\"draw\"]}]}\n");
    expect_no_event(live, &viewer);
    dj_live_close(live);
}

Test(live, writes_null_for_unknown_values)
{
    struct dj_live *live = open_app("app", 42);
    struct dj_live_viewer viewer = {0};
    struct dj_text text = {0};
    struct dj_live_frame frame = {.number = 7, .window = 1, .frame_time_ns = -1};
    live->windows[0].window.interval_ns = 0;
    cr_assert(dj_live_add_frame(live, &frame, 0));
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_not_null(strstr(dj_text_get(&text), "\"interval_ns\":null"));
    cr_assert_not_null(strstr(dj_text_get(&text), "\"frame_time_ns\":null"));
    cr_assert_not_null(strstr(dj_text_get(&text), "\"janky\":null,\"stages\":{}"));
    dj_text_finish(&text);
    dj_live_close(live);
}

Test(live, writes_a_lost_range_before_the_frames_that_follow)
{
    struct dj_live *live = open_app("app", 42);
    struct dj_live_viewer viewer = {0};
    struct dj_text text = {0};
    add_frame(live, 1, 5 * MS, 0);
    add_frame(live, 22, 5 * MS, 20);
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_eq(viewer.sequence, 1);
    expect_event(live, &viewer,
                 "{\"schema\":\"dejank.live/1\",\"kind\":\"lost\",\"device\":\"local:\","
                 "\"app\":\"app\",\"pid\":42,\"process\":\"app\",\"window\":1,"
                 "\"title\":\"Main\",\"sequence\":1,\"count\":20,\"after\":1,"
                 "\"before\":22}\n");
    dj_text_clear(&text);
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_not_null(strstr(dj_text_get(&text), "\"number\":22"));
    expect_no_event(live, &viewer);
    dj_text_finish(&text);
    dj_live_close(live);
}

Test(live, tells_a_slow_viewer_what_it_missed)
{
    struct dj_live *live = open_app("app", 42);
    struct dj_live_viewer viewer = {.sequence = 3};
    struct dj_text text = {0};
    for (uint64_t i = 1; i <= 10; i++) {
        add_frame(live, i, 5 * MS, 0);
    }
    live->ring_first = 6; /* As if the ring had removed the first six. */
    live->frame_count = 4;
    expect_event(live, &viewer,
                 "{\"schema\":\"dejank.live/1\",\"kind\":\"lost\",\"device\":\"local:\","
                 "\"app\":\"app\",\"pid\":null,\"process\":null,\"window\":null,"
                 "\"title\":null,\"sequence\":6,\"count\":3,\"after\":null,"
                 "\"before\":null}\n");
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_not_null(strstr(dj_text_get(&text), "[{\"number\":7,"));
    dj_text_finish(&text);
    dj_live_close(live);
}

Test(live, resumes_after_the_last_event)
{
    struct dj_live *live = open_app("app", 42);
    struct dj_live_viewer viewer = {.sequence = 2};
    struct dj_text text = {0};
    for (uint64_t i = 1; i <= 3; i++) {
        add_frame(live, i, 5 * MS, 0);
    }
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_not_null(strstr(dj_text_get(&text), "[{\"number\":3,"));
    dj_text_finish(&text);
    dj_live_close(live);
}

Test(live, limits_the_frames_of_an_event)
{
    struct dj_live *live = open_app("app", 42);
    struct dj_live_viewer viewer = {0};
    struct dj_text text = {0};
    for (uint64_t i = 1; i <= DJ_LIVE_EVENT_FRAMES + 1; i++) {
        add_frame(live, i, 5 * MS, 0);
    }
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_eq(viewer.sequence, DJ_LIVE_EVENT_FRAMES);
    cr_assert(dj_report_live_next_event(&text, live, &viewer));
    cr_assert_eq(viewer.sequence, DJ_LIVE_EVENT_FRAMES + 1);
    dj_text_finish(&text);
    dj_live_close(live);
}

Test(live, writes_figures_and_state_on_a_line_each)
{
    struct dj_live *live = open_app("app", 42);
    struct dj_text text = {0};
    struct dj_error err = {0};
    for (uint64_t i = 1; i <= 10; i++) {
        add_frame(live, i, i == 10 ? 40 * MS : 5 * MS, 0);
    }
    dj_report_live_state_event(&text, live);
    cr_assert_eq(dj_report_live_second_event(&text, live, &err), 0);
    cr_assert_str_eq(
        dj_text_get(&text),
        "{\"schema\":\"dejank.live/1\",\"kind\":\"state\",\"device\":\"local:\","
        "\"app\":\"app\",\"pid\":42,\"state\":\"running\",\"restarts\":0}\n"
        "{\"schema\":\"dejank.live/1\",\"kind\":\"second\",\"device\":\"local:\","
        "\"app\":\"app\",\"pid\":42,\"state\":\"running\",\"now_ns\":1200000000,"
        "\"last_10_s\":{\"span_ns\":200000000,\"frames\":10,\"judged\":10,\"janky\":1,"
        "\"janky_percent\":10,\"lost\":0,\"lost_ranges\":0,\"fps\":50,"
        "\"p50_ns\":5000000,\"p90_ns\":8500000,\"p95_ns\":24250000,"
        "\"p99_ns\":36850000,\"longest_ns\":40000000},"
        "\"since_start\":{\"span_ns\":200000000,\"frames\":10,\"judged\":10,"
        "\"janky\":1,\"janky_percent\":10,\"lost\":0,\"lost_ranges\":0,\"fps\":50,"
        "\"p50_ns\":5014906,\"p90_ns\":8525341,\"p95_ns\":24322296,\"p99_ns\":36959860,"
        "\"longest_ns\":40000000}}\n");
    dj_text_finish(&text);
    dj_live_close(live);
}

/* ---- screens ---- */

static struct dj_live_row make_row(struct dj_live *live)
{
    struct dj_live_row row = {.live = live};
    cr_assert_eq(dj_live_compute_last(live, &row.figures, NULL), 0);
    return row;
}

static struct dj_live *open_janky(const char *name, int64_t pid, uint64_t janky_every)
{
    struct dj_live *live = open_app(name, pid);
    for (uint64_t i = 1; i <= 20; i++) {
        bool is_janky = janky_every > 0 && i % janky_every == 0;
        add_frame(live, i, is_janky ? 40 * MS : 5 * MS, 0);
    }
    return live;
}

static void expect_widths(const struct dj_live_screen *screen, int width)
{
    for (size_t i = 0; i < screen->count; i++) {
        const char *line = dj_text_get(&screen->lines[i].text);
        cr_assert_leq(dj_name_count_columns(line), (size_t)width, "'%s'", line);
        cr_assert_null(strchr(line, '\n'));
        cr_assert_null(strchr(line, '\033'));
    }
}

Test(live, shows_more_columns_on_a_wider_screen)
{
    struct dj_live *live = open_janky("org.example.App", 4711, 10);
    struct dj_live_row row = make_row(live);
    const struct dj_terminal_style wide = {.width = 100};
    const struct dj_terminal_style narrow = {.width = 40};
    struct dj_live_screen screen = {0};
    dj_report_live_add_table(&screen, &wide, &row, 1);
    cr_assert_eq(screen.count, 2);
    cr_assert_str_eq(dj_text_get(&screen.lines[0].text),
                     "app                                  pid    fps p50 ms p95 ms p99 "
                     "ms  janky longest last 10 s       ");
    cr_assert_not_null(strstr(dj_text_get(&screen.lines[1].text),
                              "   4711   50.0    5.0   40.0   40.0  10.0%    40.0 "));
    dj_report_live_screen_finish(&screen);
    dj_report_live_add_table(&screen, &narrow, &row, 1);
    cr_assert_str_eq(dj_text_get(&screen.lines[0].text),
                     "app            fps p95 ms  janky longest");
    cr_assert_str_eq(dj_text_get(&screen.lines[1].text),
                     "org.exampl~   50.0   40.0  10.0%    40.0");
    dj_report_live_screen_finish(&screen);
    dj_live_close(live);
}

Test(live, fits_every_width)
{
    struct dj_live *live = open_janky("日本語の長い名前 \033[31m\nx", 4194304, 3);
    live->total.lost_ranges = 1;
    struct dj_live_row row = make_row(live);
    for (int width = DJ_TERMINAL_MIN_WIDTH; width <= DJ_TERMINAL_MAX_WIDTH; width++) {
        for (int unicode = 0; unicode < 2; unicode++) {
            const struct dj_terminal_style style = {.width = width,
                                                    .unicode = unicode != 0};
            struct dj_live_screen screen = {0};
            dj_report_live_add_table(&screen, &style, &row, 1);
            dj_report_live_add_app(&screen, &style, &row);
            dj_report_live_add_no_app(&screen, &style, true);
            expect_widths(&screen, width);
            dj_report_live_screen_finish(&screen);
        }
    }
    dj_live_close(live);
}

Test(live, says_what_to_do_without_apps)
{
    const struct dj_terminal_style style = {.width = 40};
    struct dj_live_screen screen = {0};
    dj_report_live_add_no_app(&screen, &style, true);
    cr_assert_str_eq(dj_text_get(&screen.lines[0].text),
                     "No app is recorded. Start one:");
    cr_assert_str_eq(dj_text_get(&screen.lines[1].text), "  dejank record -- CMD");
    dj_report_live_screen_finish(&screen);
}

Test(live, says_that_it_waits_for_an_app)
{
    struct dj_live *live;
    const struct dj_terminal_style style = {.width = 40};
    struct dj_live_screen screen = {0};
    cr_assert_eq(dj_live_open("local:", "app", &live, NULL), 0);
    dj_report_live_add_waiting(&screen, &style, live);
    cr_assert_str_eq(dj_text_get(&screen.lines[0].text), "Waiting for app. Start it:");
    dj_report_live_screen_finish(&screen);
    dj_live_close(live);
}

static bool has_line(const struct dj_live_screen *screen, const char *words)
{
    for (size_t i = 0; i < screen->count; i++) {
        if (strstr(dj_text_get(&screen->lines[i].text), words) != NULL) {
            return true;
        }
    }
    return false;
}

Test(live, shows_which_stage_of_a_janky_frame_was_long)
{
    struct dj_live *live = open_janky("app", 42, 10);
    struct dj_live_row row = make_row(live);
    const struct dj_terminal_style style = {.width = 80, .unicode = true};
    struct dj_live_screen screen = {0};
    dj_report_live_add_app(&screen, &style, &row);
    cr_assert(has_line(&screen, "app  pid 42  running"));
    cr_assert(has_line(&screen, "last 10 s   20 frames, 2 janky (10.0 %)"));
    cr_assert(has_line(&screen, "0.0–8.3 ms"));
    cr_assert(has_line(&screen, "#20      40.0 ms  Draw 39.0, usually 4.0"));
    cr_assert(has_line(&screen, "#10      40.0 ms  Draw 39.0, usually 4.0"));
    cr_assert(has_line(&screen, "  findings: draw"));
    dj_report_live_screen_finish(&screen);
    dj_live_close(live);
}

Test(live, sorts_the_rows)
{
    struct dj_live *smooth = open_janky("a", 3, 0);
    struct dj_live *janky = open_janky("b", 2, 2);
    struct dj_live *idle = open_app("c", 1);
    struct dj_live_row rows[] = {make_row(idle), make_row(smooth), make_row(janky)};
    dj_report_live_sort(rows, 3, "jank");
    cr_assert_eq(rows[0].live, janky);
    cr_assert_eq(rows[1].live, smooth);
    cr_assert_eq(rows[2].live, idle);
    dj_report_live_sort(rows, 3, "name");
    cr_assert_eq(rows[0].live, smooth);
    dj_report_live_sort(rows, 3, "pid");
    cr_assert_eq(rows[0].live, idle);
    dj_report_live_sort(rows, 3, "longest");
    cr_assert_eq(rows[0].live, janky);
    cr_assert_eq(rows[2].live, idle);
    dj_live_close(smooth);
    dj_live_close(janky);
    dj_live_close(idle);
}

Test(live, counts_only_apps_that_drew)
{
    struct dj_live *live = open_janky("app", 42, 10);
    struct dj_live_row rows[] = {make_row(live), {.live = live}};
    struct dj_document document = {0};
    struct dj_text text = {0};
    dj_report_build_live_table(&document, rows, 2, "1.0 s");
    dj_document_write_terminal(&text, &document, &(struct dj_terminal_style){.width = 80},
                               false);
    cr_assert_eq(strncmp(dj_text_get(&text), "1 app drew 20 frames", 20), 0, "%s",
                 dj_text_get(&text));
    dj_text_finish(&text);
    dj_document_finish(&document);
    dj_live_close(live);
}

Test(live, builds_a_table)
{
    struct dj_live *live = open_janky("app", 42, 10);
    struct dj_live_row row = make_row(live);
    struct dj_document document = {0};
    dj_report_build_live_table(&document, &row, 1, "1.0 s");
    expect_document(&document, 80,
                    "1 app drew 20 frames in 1.0 s, 2 janky\n"
                    "\n"
                    "app  pid   fps  p50, ms  p95, ms  p99, ms  janky, %  longest, ms\n"
                    "app   42  50.0      5.0     40.0     40.0      10.0         40.0\n");
    dj_live_close(live);
}
