#include "made_text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "frame/tracker.h"
#include "gfxinfo/print.h"

static char *copy_of(const char *string)
{
    char *copy = strdup(string);
    cr_assert_not_null(copy);
    return copy;
}

static void make_frame(struct dj_frame *frame, size_t i, const struct made_text *spec)
{
    static const struct {
        enum dj_column column;
        int64_t ns;
    } stamps[] = {
        {DJ_COLUMN_VSYNC, 0},
        {DJ_COLUMN_HANDLE_INPUT_START, 300000},
        {DJ_COLUMN_ANIMATION_START, 200000},
        {DJ_COLUMN_PERFORM_TRAVERSALS_START, 500000},
        {DJ_COLUMN_DRAW_START, 500000},
        {DJ_COLUMN_SYNC_QUEUED, 2000000},
        {DJ_COLUMN_SYNC_START, 0},
        {DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, 500000},
        {DJ_COLUMN_SWAP_BUFFERS, 3000000},
        {DJ_COLUMN_FRAME_COMPLETED, 1000000},
    };
    int64_t at_ns = FIRST_NS + (int64_t)i * INTERVAL_NS;
    bool slow = spec->slow_every > 0 && i % spec->slow_every == spec->slow_every - 1;
    *frame = (struct dj_frame){0};
    dj_frame_set(frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, at_ns);
    dj_frame_set(frame, DJ_COLUMN_OLDEST_INPUT_EVENT, INT64_MAX);
    dj_frame_set(frame, DJ_COLUMN_NEWEST_INPUT_EVENT, 0);
    for (size_t k = 0; k < sizeof(stamps) / sizeof(stamps[0]); k++) {
        at_ns += stamps[k].ns;
        if (stamps[k].column == DJ_COLUMN_DRAW_START) {
            at_ns += slow ? 22000000 : (int64_t)(i % 10) * 100000;
        }
        dj_frame_set(frame, stamps[k].column, at_ns);
    }
}

static void add_window(struct dj_dump_process *process, const struct made_text *spec)
{
    struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
    struct dj_tracker tracker;
    cr_assert_not_null(window);
    window->title = copy_of("com.example/com.example.Main");
    window->stats_title = copy_of("com.example/com.example.Main");
    window->visibility = 0;
    window->has_frames = spec->rows;
    window->columns = dj_frame_dialect_find("6.0")->columns;
    window->frames = calloc(spec->frames + 1, sizeof(*window->frames));
    cr_assert_not_null(window->frames);
    window->stats = (struct dj_stats_block){.present = true, .lines = UINT32_MAX};
    dj_frame_tracker_init(&tracker, dj_frame_dialect_default(), INTERVAL_NS);
    for (size_t i = 0; i < spec->frames; i++) {
        struct dj_verdict verdict;
        make_frame(&window->frames[i], i, spec);
        if (dj_frame_tracker_judge(&tracker, &window->frames[i], &verdict)) {
            dj_frame_stats_add(&window->stats.stats, &verdict);
        }
    }
    window->frame_count = spec->rows ? spec->frames : 0;
    dj_frame_stats_merge(&process->stats.stats, &window->stats.stats);
}

struct dj_dump make_dump(const struct made_text *spec)
{
    struct dj_dump dump = {
        .uptime_ms = 1, .realtime_ms = 1, .dialect = dj_frame_dialect_default()};
    for (size_t i = 0; i < (spec->processes > 0 ? spec->processes : 1); i++) {
        struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&dump);
        cr_assert_not_null(process);
        process->name = copy_of("com.example");
        process->pid = 4242 + (int64_t)i;
        process->interval_ns = INTERVAL_NS;
        process->stats = (struct dj_stats_block){.present = true, .lines = UINT32_MAX};
        for (size_t k = 0; k < (spec->windows > 0 ? spec->windows : 1); k++) {
            add_window(process, spec);
        }
        if (spec->rows) {
            process->recovered = process->expected =
                process->stats.stats.counter[DJ_COUNTER_TOTAL];
        }
    }
    return dump;
}

struct dj_text make_text(const struct made_text *spec)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = spec->rows};
    struct dj_dump dump = make_dump(spec);
    struct dj_text text = {0};
    dj_gfxinfo_print_dump(&text, &dump, &options);
    cr_assert_not(text.failed);
    dj_gfxinfo_dump_finish(&dump);
    return text;
}
