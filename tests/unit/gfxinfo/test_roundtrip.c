/* Tests with generated dumps that a printed dump is the same after parsing. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "frame/tracker.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

enum { DUMPS = 400 };

/* xorshift64* gives the same dumps on every machine. */
static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

static uint64_t below(uint64_t limit)
{
    return next_random() % limit;
}

static const char *const names[] = {
    "com.example.app",
    "glxgears",
    "it's \"quoted\"; rm -rf $(x) `y`",
    "Grüße, 世界 — 🎞",
    "a [b] c] **",
    "** Graphics info for pid 3 [x] **",
    "brackets (visibility=8) inside",
    "Total frames rendered: 12",
    "1,2,3",
    "---PROFILEDATA---",
    "> quoted | piped",
    "Note: process has ended",
    "Window: x",
    "Window: x (visibility=4)",
    "\x1b[31mred\x07",
    "inner  spaces\tand tab",
    "\xff\xfe not UTF-8",
};

static char *some_name(void)
{
    return strdup(names[below(sizeof(names) / sizeof(names[0]))]);
}

static void fill_stats(struct dj_stats_block *block)
{
    *block = (struct dj_stats_block){.present = true, .lines = ~UINT32_C(0)};
    block->stats.since_ns = (int64_t)(next_random() >> 1);
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        /* Android 11 does not print these lines, so they cannot be parsed again. */
        bool printed =
            i != DJ_COUNTER_JANKY_LEGACY && i != DJ_COUNTER_DEADLINE_MISSED_LEGACY;
        block->stats.counter[i] = printed ? (uint32_t)(next_random() >> below(64)) : 0;
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        block->stats.frame_histogram[i] = (uint32_t)(next_random() >> (32 + below(32)));
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        block->stats.gpu_histogram[i] = (uint32_t)(next_random() >> (32 + below(32)));
    }
    dj_frame_dialect_apply_quirks(dj_frame_dialect_default(), &block->stats);
}

static int64_t some_value(int64_t stamp_ns)
{
    static const int64_t odd[] = {INT64_MAX, INT64_MIN, -1, 0, 1, 99999999, 100000000};
    return below(20) == 0 ? odd[below(sizeof(odd) / sizeof(odd[0]))] : stamp_ns;
}

static void fill_frame(struct dj_frame *frame, const struct dj_column_list *columns,
                       uint64_t unknown)
{
    int64_t stamp_ns = (int64_t)below(UINT64_C(1) << 50);
    *frame = (struct dj_frame){0};
    for (size_t i = 0; i < columns->count; i++) {
        enum dj_column column = (enum dj_column)columns->column[i];
        stamp_ns += (int64_t)below(5000000);
        if ((unknown & DJ_COLUMN_BIT(column)) == 0 || below(4) == 0) {
            dj_frame_set(frame, column, some_value(stamp_ns));
        }
    }
    if (dj_frame_get(frame, DJ_COLUMN_SYNC_START, 1) == 0) {
        /* hwui omits rows with SyncStart 0. */
        dj_frame_set(frame, DJ_COLUMN_SYNC_START, 1);
    }
}

static void fill_window(struct dj_dump_window *window,
                        const struct dj_column_list *columns)
{
    window->title = below(8) > 0 ? some_name() : NULL;
    window->visibility = (int)below(3) * 4;
    window->stats_title = below(8) > 0 ? some_name() : NULL;
    if (below(8) > 0) {
        fill_stats(&window->stats);
    }
    window->has_frames = below(8) > 0;
    if (window->has_frames) {
        uint64_t unknown = below(2) == 0 ? next_random() & next_random() : 0;
        window->frame_count = below(4) == 0 ? 0 : below(150);
        window->frames = calloc(window->frame_count + 1, sizeof(window->frames[0]));
        for (size_t i = 0; i < window->frame_count; i++) {
            fill_frame(&window->frames[i], columns, unknown);
        }
    }
    window->has_profile = below(4) == 0;
    if (window->has_profile) {
        bool prepare = below(2) == 0;
        window->profile_lacks_prepare = !prepare;
        window->profile_count = below(130);
        window->profile = calloc(window->profile_count + 1, sizeof(window->profile[0]));
        for (size_t i = 0; i < window->profile_count; i++) {
            window->profile[i] = (struct dj_profile_row){
                (float)((double)below(5001) / 100),
                prepare ? (float)((double)below(5001) / 100) : -1.0F,
                (float)((double)below(5001) / 100), (float)((double)below(5001) / 100)};
        }
    }
}

/* View counts have the order of the windows. Only a title identifies a window. */
static void fill_views(struct dj_dump_process *process)
{
    bool memory = below(2) == 0;
    for (size_t i = 0; i < process->window_count; i++) {
        struct dj_dump_window *window = &process->windows[i];
        if (window->title != NULL) {
            window->views = 1 + (uint32_t)(next_random() >> (32 + below(32)));
            window->views_kb = memory ? (double)(1 + below(100000)) / 100 : -1;
        }
    }
}

static void fill_process(struct dj_dump_process *process,
                         const struct dj_column_list *columns)
{
    process->pid = (int64_t)below(4000000);
    process->name = below(10) > 0 ? some_name() : NULL;
    if (below(6) > 0) {
        fill_stats(&process->stats);
    }
    process->pipeline = below(3) > 0 ? strdup("Skia (OpenGL)") : NULL;
    process->interval_ns = below(3) > 0 ? 1 + (int64_t)below(40000000) : 0;
    process->interval_assumed = process->interval_ns > 0 && below(2) == 0;
    process->dropped = below(3) == 0 ? below(1000) : 0;
    process->rows_kept = below(3) == 0 ? 120 + (uint32_t)below(65417) : 0;
    process->ended = below(3) == 0;
    process->disabled = below(4) == 0 ? some_name() : NULL;
    process->cut_short = below(4) == 0 ? some_name() : NULL;
    if (below(2) == 0) {
        process->recovered = (int64_t)below(600);
        process->expected = process->recovered + (int64_t)below(10);
    }
    for (size_t windows = below(4); windows > 0; windows--) {
        struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
        cr_assert_not_null(window);
        fill_window(window, columns);
    }
    if (below(2) == 0) {
        fill_views(process);
    }
}

/* Removes a case that text cannot represent: a value in a column that the note names as
 * not recorded, if the value is the one that would be printed for an unknown value. */
static void remove_ambiguous_values(struct dj_dump_process *process,
                                    const struct dj_column_list *columns)
{
    for (size_t w = 0; w < process->window_count; w++) {
        for (size_t f = 0; f < process->windows[w].frame_count; f++) {
            for (size_t i = 0; i < columns->count; i++) {
                enum dj_column column = (enum dj_column)columns->column[i];
                if (!dj_frame_has(&process->windows[w].frames[f], column)) {
                    process->not_recorded |= DJ_COLUMN_BIT(column);
                }
            }
        }
    }
    for (size_t w = 0; w < process->window_count; w++) {
        for (size_t f = 0; f < process->windows[w].frame_count; f++) {
            struct dj_frame *frame = &process->windows[w].frames[f];
            for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
                enum dj_column column = (enum dj_column)i;
                if ((process->not_recorded & DJ_COLUMN_BIT(i)) != 0 &&
                    dj_frame_has(frame, column) &&
                    frame->value[i] ==
                        dj_frame_fallback(frame, column, process->interval_ns)) {
                    frame->known &= ~DJ_COLUMN_BIT(i);
                    frame->value[i] = 0;
                }
            }
        }
    }
}

static bool same_string(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void expect_same_stats(const struct dj_stats_block *got,
                              const struct dj_stats_block *want)
{
    cr_assert_eq(got->present, want->present);
    if (!want->present) {
        return;
    }
    cr_assert_eq(memcmp(&got->stats, &want->stats, sizeof(got->stats)), 0);
    cr_assert_eq(got->lines, dj_gfxinfo_lines_of_dialect(dj_frame_dialect_default()));
    for (size_t i = 0; i < DJ_PERCENTILE_COUNT; i++) {
        cr_assert_eq(
            got->printed_percentile_ms[i],
            dj_frame_stats_percentile_ms(&want->stats, dj_gfxinfo_percentiles[i]));
        cr_assert_eq(
            got->printed_gpu_percentile_ms[i],
            dj_frame_stats_gpu_percentile_ms(&want->stats, dj_gfxinfo_percentiles[i]));
    }
}

static void expect_same_window(const struct dj_dump_window *got,
                               const struct dj_dump_window *want)
{
    cr_assert(same_string(got->title, want->title), "got \"%s\", want \"%s\"", got->title,
              want->title);
    cr_assert_eq(got->visibility, want->visibility);
    cr_assert_eq(got->views, want->views, "%s: got %u views, want %u", want->title,
                 got->views, want->views);
    double kb_difference = got->views_kb - want->views_kb;
    cr_assert(kb_difference < 0.001 && kb_difference > -0.001);
    cr_assert(same_string(got->stats_title, want->stats_title));
    expect_same_stats(&got->stats, &want->stats);
    cr_assert_eq(got->has_frames, want->has_frames);
    cr_assert_eq(got->frame_count, want->frame_count);
    cr_assert_not(got->columns_inferred);
    for (size_t i = 0; i < want->frame_count; i++) {
        cr_assert(dj_frame_equal(&got->frames[i], &want->frames[i]), "frame %zu", i);
    }
    cr_assert_eq(got->has_profile, want->has_profile);
    cr_assert_eq(got->profile_count, want->profile_count);
    for (size_t i = 0; i < want->profile_count; i++) {
        cr_assert_eq(memcmp(&got->profile[i], &want->profile[i], sizeof(got->profile[i])),
                     0);
    }
}

static void expect_same_process(const struct dj_dump_process *got,
                                const struct dj_dump_process *want)
{
    cr_assert_eq(got->pid, want->pid);
    cr_assert(same_string(got->name, want->name), "got \"%s\", want \"%s\"", got->name,
              want->name);
    expect_same_stats(&got->stats, &want->stats);
    cr_assert(same_string(got->pipeline, want->pipeline));
    cr_assert_eq(got->not_recorded, want->not_recorded);
    cr_assert_eq(got->interval_ns, want->interval_ns);
    cr_assert_eq(got->interval_assumed, want->interval_assumed);
    cr_assert_eq(got->ended, want->ended);
    cr_assert_eq(got->dropped, want->dropped);
    cr_assert_eq(got->rows_kept, want->rows_kept);
    cr_assert_eq(got->recovered, want->recovered);
    cr_assert_eq(got->expected, want->expected);
    cr_assert(same_string(got->disabled, want->disabled));
    cr_assert(same_string(got->cut_short, want->cut_short));
    cr_assert_eq(got->window_count, want->window_count, "got %zu windows, want %zu",
                 got->window_count, want->window_count);
    for (size_t i = 0; i < want->window_count; i++) {
        expect_same_window(&got->windows[i], &want->windows[i]);
    }
}

static void make_dump(struct dj_dump *dump, uint64_t seed)
{
    const struct dj_column_list *columns = &dj_frame_dialect_default()->columns;
    random_state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    *dump = (struct dj_dump){.uptime_ms = (int64_t)below(1000000000),
                             .realtime_ms = (int64_t)below(1000000000)};
    for (size_t processes = below(4); processes > 0; processes--) {
        struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
        cr_assert_not_null(process);
        fill_process(process, columns);
        remove_ambiguous_values(process, columns);
    }
}

static size_t warning_of_end(const struct dj_parse_report *report)
{
    return report->warning_count == 1 &&
           strstr(report->warning[0].message, "ends within the output for a process") !=
               NULL;
}

Test(roundtrip, printed_dumps_are_read_back)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = true};
    for (uint64_t seed = 1; seed <= DUMPS; seed++) {
        struct dj_dump want;
        struct dj_dump got;
        struct dj_parse_report report;
        struct dj_error err = {0};
        struct dj_text text = {0};
        make_dump(&want, seed);
        dj_gfxinfo_print_dump(&text, &want, &options);
        cr_assert_not(text.failed);
        cr_assert_eq(
            dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &got, &report, &err),
            0, "seed %llu: %s", (unsigned long long)seed, err.message);
        /* Without dejank's notes, a process section does not show where it ends. */
        size_t ends = warning_of_end(&report);
        cr_assert_eq(report.warning_count, ends, "seed %llu, line %zu: %s",
                     (unsigned long long)seed, report.warning[0].line,
                     report.warning[0].message);
        cr_assert_eq(got.uptime_ms, want.uptime_ms);
        cr_assert_eq(got.realtime_ms, want.realtime_ms);
        cr_assert_null(got.not_found);
        cr_assert_eq(got.process_count, want.process_count);
        for (size_t i = 0; i < want.process_count; i++) {
            expect_same_process(&got.processes[i], &want.processes[i]);
        }
        dj_gfxinfo_dump_finish(&got);
        dj_gfxinfo_dump_finish(&want);
        dj_text_finish(&text);
    }
}

/* Appends the text as quoted in a mail, indented, or with the line ends of old versions
 * of adb. */
static void append_quoted(struct dj_text *out, const struct dj_text *text,
                          const char *before, const char *after)
{
    const char *at = dj_text_get(text);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        dj_text_add(out, before);
        dj_text_append(out, at, length);
        dj_text_add(out, after);
        at += length + (at[length] == '\n');
    }
}

Test(roundtrip, printed_dumps_are_read_with_every_prefix_and_line_end)
{
    static const struct {
        const char *before, *after;
    } disguises[] = {{"", "\r\n"}, {"", "\r\r\n"},     {"    ", "\n"},
                     {"> ", "\n"}, {"\t> > ", "\r\n"}, {"| ", " \n"}};
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = true};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct dj_dump want;
        struct dj_dump got;
        struct dj_text plain = {0};
        struct dj_text text = {0};
        size_t n = seed % (sizeof(disguises) / sizeof(disguises[0]));
        make_dump(&want, seed);
        dj_gfxinfo_print_dump(&plain, &want, &options);
        dj_text_add(&text, "\xEF\xBB\xBFHello, is this bad?\n\n");
        append_quoted(&text, &plain, disguises[n].before, disguises[n].after);
        dj_text_add(&text, "\nThanks!\n");
        cr_assert_eq(
            dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &got, NULL, NULL), 0);
        cr_assert_eq(got.process_count, want.process_count, "seed %llu",
                     (unsigned long long)seed);
        for (size_t i = 0; i < want.process_count; i++) {
            expect_same_process(&got.processes[i], &want.processes[i]);
        }
        dj_gfxinfo_dump_finish(&got);
        dj_gfxinfo_dump_finish(&want);
        dj_text_finish(&plain);
        dj_text_finish(&text);
    }
}

/* Compares a complete row, or the values before the truncation of the last row. */
static void expect_same_as_far_as_known(const struct dj_frame *got,
                                        const struct dj_frame *want, bool whole)
{
    cr_assert_eq(got->known & ~want->known, 0);
    cr_assert(!whole || got->known == want->known);
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if (dj_frame_has(got, (enum dj_column)i)) {
            cr_assert_eq(got->value[i], want->value[i], "column %zu", i);
        }
    }
}

/* If the text is truncated anywhere, the parser does not crash, and every complete row
 * has its values. */
Test(roundtrip, a_dump_truncated_anywhere_keeps_complete_rows)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = true};
    struct dj_dump want = {0};
    struct dj_text text = {0};
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&want);
    process->pid = 7;
    struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
    window->title = strdup("w");
    window->stats_title = strdup("w");
    fill_stats(&window->stats);
    window->has_frames = true;
    window->frame_count = 6;
    window->frames = calloc(6, sizeof(window->frames[0]));
    random_state = 5;
    for (size_t i = 0; i < 6; i++) {
        fill_frame(&window->frames[i], &options.dialect->columns, 0);
    }
    dj_gfxinfo_print_dump(&text, &want, &options);
    for (size_t length = 0; length < text.length; length++) {
        /* ASan detects a read after the end. */
        char *exact = malloc(length > 0 ? length : 1);
        struct dj_dump got;
        memcpy(exact, text.data, length);
        int code = dj_gfxinfo_parse_dump(exact, length, &got, NULL, NULL);
        cr_assert(code == 0 || code == DJ_E_NO_DATA);
        size_t rows = 0;
        for (size_t i = 0; i < got.process_count; i++) {
            for (size_t k = 0; k < got.processes[i].window_count; k++) {
                const struct dj_dump_window *part = &got.processes[i].windows[k];
                rows += part->frame_count;
                for (size_t f = 0; f < part->frame_count; f++) {
                    expect_same_as_far_as_known(&part->frames[f], &window->frames[f],
                                                f + 1 < part->frame_count);
                }
            }
        }
        cr_assert_leq(rows, 6);
        dj_gfxinfo_dump_finish(&got);
        free(exact);
    }
    dj_gfxinfo_dump_finish(&want);
    dj_text_finish(&text);
}

enum { EVERY_ROWS = 130 };

/* Fills frames like those of a phone, with ascending timestamps and occasional long
 * frames. */
static void fill_stream(struct dj_frame *frames, const struct dj_dialect *dialect)
{
    const int64_t interval_ns = 16666666;
    for (size_t i = 0; i < EVERY_ROWS; i++) {
        int64_t at_ns = INT64_C(1000000000000) + (int64_t)i * interval_ns;
        int64_t start_ns = at_ns;
        frames[i] = (struct dj_frame){0};
        for (size_t k = 0; k < dialect->columns.count; k++) {
            enum dj_column column = (enum dj_column)dialect->columns.column[k];
            at_ns += dj_frame_column_kind(column) == DJ_KIND_STAGE
                         ? 1 + (int64_t)below(i % 7 == 0 ? 5000000 : 900000)
                         : 0;
            dj_frame_set(&frames[i], column,
                         dj_frame_column_kind(column) == DJ_KIND_STAGE ||
                                 dj_frame_column_kind(column) == DJ_KIND_LATE
                             ? at_ns
                             : (int64_t)below(1000));
        }
        dj_frame_set(&frames[i], DJ_COLUMN_FRAME_START_TIME, start_ns);
        dj_frame_set(&frames[i], DJ_COLUMN_FRAME_INTERVAL, interval_ns);
        dj_frame_set(&frames[i], DJ_COLUMN_WORKLOAD_TARGET, interval_ns);
        dj_frame_set(&frames[i], DJ_COLUMN_FRAME_DEADLINE, start_ns + interval_ns);
    }
}

static void judge_stream(struct dj_frame *frames, const struct dj_dialect *dialect,
                         bool rejudges, struct dj_stats *stats)
{
    struct dj_tracker tracker;
    dj_frame_tracker_init(&tracker, dialect, 16666666);
    tracker.rejudges = rejudges;
    *stats = (struct dj_stats){.since_ns = 1};
    for (size_t i = 0; i < EVERY_ROWS; i++) {
        struct dj_verdict verdict;
        dj_frame_tracker_judge(&tracker, &frames[i], &verdict);
        dj_frame_stats_add(stats, &verdict);
        if (verdict.deadline_moved) {
            frames[i].value[DJ_COLUMN_FRAME_DEADLINE] = verdict.deadline_ns;
        }
    }
}

static void expect_lines(const struct dj_stats_block *got, const struct dj_stats *want,
                         const struct dj_dialect *dialect)
{
    cr_assert_eq(got->lines, dj_gfxinfo_lines_of_dialect(dialect), "%s", dialect->name);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        if ((got->lines & (UINT32_C(1) << i)) == 0) {
            continue;
        }
        if (line->kind == DJ_LINE_COUNTER || line->kind == DJ_LINE_JANKY) {
            cr_assert_eq(got->stats.counter[line->field], want->counter[line->field],
                         "%s: %s", dialect->name, line->prefix);
        } else if (line->kind == DJ_LINE_PERCENTILE) {
            cr_assert_eq(got->printed_percentile_ms[line->field],
                         dj_frame_dialect_percentile_ms(
                             dialect, want, dj_gfxinfo_percentiles[line->field]),
                         "%s: %s", dialect->name, line->prefix);
        }
    }
}

/* Returns the release that is inferred for a dump of `release`: the oldest one that
 * prints the same text. */
static const char *find_inferred_release(const char *release)
{
    static const struct {
        const char *release, *oldest;
    } same[] = {{"9-10", "9"}, {"10", "9"}, {"12L", "12"}, {"14", "13"}, {"15", "13"}};
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        if (strcmp(same[i].release, release) == 0) {
            return same[i].oldest;
        }
    }
    return release;
}

/* The dump of each release is parsed with all its values. Judging its rows again gives
 * the same statistics, although the rows of Android 12 … 16 have deadlines that were
 * changed when the frames were judged first. */
Test(roundtrip, dumps_of_every_release_are_read_back)
{
    random_state = 99;
    for (size_t k = 0; dj_frame_dialect_at(k) != NULL; k++) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(k);
        if (dialect->columns.count == 0) {
            continue;
        }
        static struct dj_frame frames[EVERY_ROWS];
        struct dj_stats stats;
        fill_stream(frames, dialect);
        judge_stream(frames, dialect, false, &stats);
        struct dj_dump_window window = {.title = "w",
                                        .has_frames = true,
                                        .frames = frames,
                                        .frame_count = EVERY_ROWS};
        if (dialect->window_stats) {
            window.stats_title = "w";
            window.stats = (struct dj_stats_block){
                .present = true, .stats = stats, .lines = ~UINT32_C(0)};
        }
        struct dj_dump_process process = {
            .pid = 1,
            .stats = {.present = true, .stats = stats, .lines = ~UINT32_C(0)},
            .windows = &window,
            .window_count = 1,
            .expected = -1};
        struct dj_text text = {0};
        struct dj_dump got;
        dj_gfxinfo_print_process(
            &text, &process,
            &(struct dj_print_options){.dialect = dialect, .framestats = true});
        cr_assert_eq(
            dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &got, NULL, NULL), 0);
        cr_assert_not_null(got.dialect, "%s", dialect->name);
        cr_assert_str_eq(got.dialect->name, find_inferred_release(dialect->name));
        dj_frame_dialect_apply_quirks(dialect, &stats);
        expect_lines(&got.processes[0].stats, &stats, dialect);

        const struct dj_dump_window *back = &got.processes[0].windows[0];
        cr_assert_eq(back->columns_inferred, !dialect->has_header);
        cr_assert_eq(back->frame_count, EVERY_ROWS);
        for (size_t i = 0; i < EVERY_ROWS; i++) {
            for (size_t n = 0; n < dialect->columns.count; n++) {
                size_t column = dialect->columns.column[n];
                cr_assert_eq(back->frames[i].value[column], frames[i].value[column],
                             "%s, row %zu, %s", dialect->name, i,
                             dj_frame_column_name((enum dj_column)column));
            }
        }
        struct dj_stats again;
        judge_stream(back->frames, dialect, true, &again);
        dj_frame_dialect_apply_quirks(dialect, &again);
        cr_assert_eq(memcmp(&again, &stats, sizeof(stats)), 0, "%s", dialect->name);
        dj_gfxinfo_dump_finish(&got);
        dj_text_finish(&text);
    }
}
