#include "support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/tracker.h"

/* Nanoseconds from each stamp to the one before it, in a frame without jank. */
static const struct {
    enum dj_column column;
    int64_t ns;
} calm[] = {
    {DJ_COLUMN_HANDLE_INPUT_START, 300000},
    {DJ_COLUMN_ANIMATION_START, 200000},
    {DJ_COLUMN_PERFORM_TRAVERSALS_START, 500000},
    {DJ_COLUMN_DRAW_START, 500000},
    {DJ_COLUMN_SYNC_QUEUED, 2000000},
    {DJ_COLUMN_SYNC_START, 100000}, /* The wait, which is not part of the frame time. */
    {DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, 500000},
    {DJ_COLUMN_SWAP_BUFFERS, 3000000},
    {DJ_COLUMN_FRAME_COMPLETED, 1000000},
};

char *copy_string(const char *string)
{
    char *copy = strdup(string);
    cr_assert_not_null(copy);
    return copy;
}

static void make_frame(struct dj_frame *frame, size_t i, const struct made_dump *spec)
{
    int64_t at_ns = INT64_C(5000000000) + (int64_t)i * INTERVAL_NS;
    *frame = (struct dj_frame){0};
    dj_frame_set(frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, at_ns);
    dj_frame_set(frame, DJ_COLUMN_VSYNC, at_ns);
    dj_frame_set(frame, DJ_COLUMN_OLDEST_INPUT_EVENT, INT64_MAX);
    dj_frame_set(frame, DJ_COLUMN_NEWEST_INPUT_EVENT, 0);
    for (size_t k = 0; k < sizeof(calm) / sizeof(calm[0]); k++) {
        at_ns += calm[k].ns;
        at_ns += calm[k].column == DJ_COLUMN_SYNC_QUEUED ? (int64_t)(i % 20) * 100000 : 0;
        at_ns += calm[k].column == DJ_COLUMN_DRAW_START && i % 9 == 8 ? 20000000 : 0;
        at_ns +=
            calm[k].column == DJ_COLUMN_SWAP_BUFFERS && i == spec->freeze ? 392000000 : 0;
        dj_frame_set(frame, calm[k].column, at_ns);
    }
    for (size_t k = 0; k < DJ_COLUMN_COUNT; k++) {
        if ((spec->unknown & DJ_COLUMN_BIT(k)) != 0) {
            frame->value[k] = 0;
        }
    }
    frame->known &= ~spec->unknown;
}

struct dj_dump_window *add_window(struct dj_dump_process *process,
                                  const struct made_dump *spec)
{
    struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
    struct dj_tracker tracker;
    cr_assert_not_null(window);
    window->title = copy_string(spec->window);
    window->stats_title = copy_string(spec->window);
    window->has_frames = true;
    /* The columns that make_frame() sets. */
    window->columns = dj_frame_dialect_find("6.0")->columns;
    window->frames = calloc(spec->frames + 1, sizeof(*window->frames));
    cr_assert_not_null(window->frames);
    window->frame_count = spec->frames;
    window->stats.present = true;
    window->stats.lines = UINT32_MAX;
    window->stats.stats.since_ns = INT64_C(4000000000);
    dj_frame_tracker_init(&tracker, dj_frame_dialect_default(), INTERVAL_NS);
    for (size_t i = 0; i < spec->frames; i++) {
        struct dj_verdict verdict;
        make_frame(&window->frames[i], i, spec);
        if (dj_frame_tracker_judge(&tracker, &window->frames[i], &verdict)) {
            dj_frame_stats_add(&window->stats.stats, &verdict);
        }
    }
    dj_frame_stats_merge(&process->stats.stats, &window->stats.stats);
    return window;
}

struct dj_dump make_dump(const struct made_dump *spec)
{
    struct dj_dump dump = {
        .uptime_ms = 1, .realtime_ms = 1, .dialect = dj_frame_dialect_default()};
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&dump);
    cr_assert_not_null(process);
    process->name = copy_string(spec->process);
    process->pid = 4242;
    process->interval_ns = INTERVAL_NS;
    process->not_recorded = spec->unknown;
    process->stats.present = true;
    process->stats.lines = UINT32_MAX;
    add_window(process, spec);
    return dump;
}

/* Each test is a process of its own, so the facts stay until the process ends. */
static struct dj_parsed computed[1024];
static size_t computed_count;

const struct dj_parsed *compute_facts(const struct dj_dump *dump)
{
    cr_assert_lt(computed_count, sizeof(computed) / sizeof(computed[0]));
    struct dj_parsed *parsed = &computed[computed_count++];
    *parsed = (struct dj_parsed){.source = "dump.txt", .dump = *dump};
    dj_import_compute_dump(parsed);
    return parsed;
}

struct dj_views create_views(const struct dj_dump *dump)
{
    struct dj_views views = {0};
    dj_report_add_views(&views, compute_facts(dump));
    return views;
}

static char *read_golden(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s is missing: run make bless, and look at it", path);
    struct dj_text text = {0};
    char chunk[4096];
    size_t got;
    while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0) {
        dj_text_append(&text, chunk, got);
    }
    fclose(file);
    return text.data;
}

void expect_golden(const char *name, const struct dj_text *text)
{
    char path[4096];
    const char *bless = getenv("DEJANK_BLESS");
    snprintf(path, sizeof(path), "%s/%s", golden_folder, name);
    if (bless != NULL && strcmp(bless, "1") == 0) {
        FILE *file = fopen(path, "wb");
        cr_assert_not_null(file, "cannot write %s", path);
        cr_assert_eq(fwrite(text->data, 1, text->length, file), text->length);
        cr_assert_eq(fclose(file), 0);
        return;
    }
    char *golden = read_golden(path);
    cr_assert_str_eq(dj_text_get(text), golden,
                     "differs from %s; where that is meant: make bless\n%s", path,
                     dj_text_get(text));
    free(golden);
}

void expect_document(struct dj_document *document, int width, const char *expected)
{
    struct dj_text text = {0};
    const struct dj_terminal_style style = {.width = width};
    dj_document_write_terminal(&text, document, &style, true);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
    dj_document_finish(document);
}
