#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/tracker.h"
#include "gfxinfo/print.h"

/* ---- texts ---- */

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
    struct dj_dump_window *window = dj_dump_add_window(process);
    struct dj_tracker tracker;
    cr_assert_not_null(window);
    window->title = copy_of("com.example/com.example.Main");
    window->stats_title = copy_of("com.example/com.example.Main");
    window->visibility = 0;
    window->has_frames = spec->rows;
    window->columns = dj_dialect_find("6.0")->columns;
    window->frames = calloc(spec->frames + 1, sizeof(*window->frames));
    cr_assert_not_null(window->frames);
    window->stats = (struct dj_stats_block){.present = true, .lines = UINT32_MAX};
    dj_tracker_init(&tracker, dj_dialect_default(), INTERVAL_NS);
    for (size_t i = 0; i < spec->frames; i++) {
        struct dj_verdict verdict;
        make_frame(&window->frames[i], i, spec);
        if (dj_tracker_judge(&tracker, &window->frames[i], &verdict)) {
            dj_stats_add(&window->stats.stats, &verdict);
        }
    }
    window->frame_count = spec->rows ? spec->frames : 0;
    dj_stats_merge(&process->stats.stats, &window->stats.stats);
}

struct dj_dump make_dump(const struct made_text *spec)
{
    struct dj_dump dump = {
        .uptime_ms = 1, .realtime_ms = 1, .dialect = dj_dialect_default()};
    for (size_t i = 0; i < (spec->processes > 0 ? spec->processes : 1); i++) {
        struct dj_dump_process *process = dj_dump_add_process(&dump);
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
    struct dj_print_options options = {.dialect = dj_dialect_default(),
                                       .framestats = spec->rows};
    struct dj_dump dump = make_dump(spec);
    struct dj_text text = {0};
    dj_print_dump(&text, &dump, &options);
    cr_assert_not(text.failed);
    dj_dump_finish(&dump);
    return text;
}

/* ---- folders ---- */

static char folder[64];

static void remove_folder(void)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    rmdir(folder);
}

const char *test_folder(void)
{
    if (folder[0] == '\0') {
        snprintf(folder, sizeof(folder), "/tmp/dejank-history-XXXXXX");
        cr_assert_not_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    return folder;
}

char *test_path(const char *name)
{
    char *path;
    cr_assert_geq(asprintf(&path, "%s/%s", test_folder(), name), 0);
    return path;
}

/* ---- stores ---- */

struct dj_history *open_store(const char *path)
{
    struct dj_history *history;
    struct dj_error err = {0};
    expect_ok(dj_history_open(path, DJ_HISTORY_CREATE, &history, &err), err);
    return history;
}

int64_t add_run(struct dj_history *history, int64_t batch, int64_t number,
                enum dj_run_outcome outcome)
{
    const struct made_text spec = {
        .frames = 50 + (size_t)number, .slow_every = 10, .rows = true};
    struct dj_text text = make_text(&spec);
    const struct dj_history_evidence evidence = {DJ_EVIDENCE_GFXINFO, "gfxinfo.txt",
                                                 text.data, text.length};
    const struct dj_condition before[] = {{"battery", 83, NULL, "%"},
                                          {"governor", (double)NAN, "schedutil", NULL}};
    const struct dj_history_run run = {
        .number = number,
        .order_index = number - 1,
        .outcome = outcome,
        .reason = outcome == DJ_RUN_OK ? NULL : "as the test says",
        .started_unix_ms = INT64_C(1700000000000) + number,
        .duration_ns = 2000000000,
        .span = {FIRST_NS, FIRST_NS + 100 * (int64_t)INTERVAL_NS},
        .before = before,
        .before_count = 2,
        .evidence = &evidence,
        .evidence_count = 1,
    };
    struct dj_history_committed committed;
    struct dj_error err = {0};
    expect_ok(dj_history_commit(history, batch, &run, &committed, &err), err);
    dj_text_finish(&text);
    return committed.key;
}

int64_t add_batch(struct dj_history *history, const char *name, int runs)
{
    static const struct dj_fact facts[] = {{"ram", "2048", "MB"}, {"gpu", "Mali", NULL}};
    const struct dj_history_batch batch = {
        .project = "com.example",
        .build = {.version = "1.0", .commit = "abc", .label = "A"},
        .device = {.serial = "serial-1",
                   .kind = "adb",
                   .model = "Pixel",
                   .release = "14",
                   .facts = facts,
                   .fact_count = 2},
        .name = name,
        .kind = "run",
        .fingerprint = name,
        .planned = 10,
        .options = "{\"for\":10}",
    };
    char id[DJ_HISTORY_ID];
    int64_t key;
    struct dj_error err = {0};
    expect_ok(dj_history_begin(history, &batch, id, &key, &err), err);
    for (int i = 1; i <= runs; i++) {
        add_run(history, key, i, DJ_RUN_OK);
    }
    return key;
}
