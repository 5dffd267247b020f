#include "dumpsys/gfxinfo.h"

#include <string.h>
#include <time.h>

#include "dumpsys/output.h"
#include "gfxinfo/print.h"
#include "segment/select.h"

enum {
    DUMP_ROWS = 120, /* hwui's ring */
    SECTION_BYTES_MAX =
        1 << 22 /* of one process's text: 16 windows of 120 rows need a quarter */
};

static const char *const word_framestats = "framestats";

struct dj_gfxinfo_arguments dj_gfxinfo_arguments(int count, char *const *words)
{
    struct dj_gfxinfo_arguments arguments = {.framestats = count == 0};
    if (count > 0 && words[0][0] != '-') {
        arguments.wanted = words[0];
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], word_framestats) == 0) {
            arguments.framestats = true;
        } else if (strcmp(words[i], "reset") == 0) {
            arguments.reset = true;
        } else if (strcmp(words[i], "-a") == 0) {
            arguments.framestats = true;
            arguments.reset = false;
        }
    }
    return arguments;
}

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t clock_ms(clockid_t clock)
{
    return clock_ns(clock) / 1000000;
}

/* "Applications Graphics Acceleration Info:", or that there is no such process. */
static int print_frame(const char *not_found)
{
    struct dj_text text = {0};
    struct dj_dump dump = {
        .uptime_ms = clock_ms(CLOCK_MONOTONIC),
        .realtime_ms = clock_ms(CLOCK_BOOTTIME),
    };
    char *name = not_found != NULL ? strdup(not_found) : NULL;
    dump.not_found = name;
    const struct dj_print_options options = {.dialect = dj_dialect_default()};
    dj_print_dump(&text, &dump, &options);
    dj_dump_finish(&dump);
    return dj_output_text(&text);
}

static int print_process(const struct dj_snapshot *snapshot, bool framestats)
{
    struct dj_dump dump = {0};
    struct dj_text text = {.maximum = SECTION_BYTES_MAX};
    const struct dj_print_options options = {
        .dialect = snapshot->dialect, .framestats = framestats, .rows = DUMP_ROWS};
    text.failed = dj_snapshot_to_dump(snapshot, &dump) != 0;
    if (!text.failed) {
        dj_print_process(&text, &dump.processes[0], &options);
    }
    dj_dump_finish(&dump);
    return dj_output_text(&text);
}

/* Only after the text is out: what nobody could read must not be cleared. */
static void clear_printed(const struct dj_segment_file *file,
                          const struct dj_snapshot *snapshot, bool reset)
{
    struct dj_error err = {0};
    if (snapshot->profile &&
        dj_segment_consume_profile(file->path, file->owner, snapshot, &err) != 0) {
        dj_output_error(&err);
    }
    if (reset && dj_segment_reset_to(file->path, file->owner, snapshot,
                                     clock_ns(CLOCK_MONOTONIC), &err) != 0) {
        dj_output_error(&err);
    }
}

static int dump_process(const struct dj_segment_file *file,
                        const struct dj_gfxinfo_arguments *arguments)
{
    struct dj_snapshot snapshot;
    struct dj_error err = {0};
    const struct dj_snapshot_options options = {.rows = DUMP_ROWS};
    int status = 0;
    if (dj_snapshot_read(file->path, file->owner, &options, &snapshot, &err) != 0) {
        dj_output_error(&err);
    } else {
        status = print_process(&snapshot, arguments->framestats);
        if (status == 0) {
            clear_printed(file, &snapshot, arguments->reset);
        }
    }
    dj_snapshot_finish(&snapshot);
    return status;
}

int dj_dump_gfxinfo(int count, char *const *words)
{
    struct dj_gfxinfo_arguments arguments = dj_gfxinfo_arguments(count, words);
    struct dj_segment_selection selection = {0};
    struct dj_error err = {0};
    int status = DJ_OUTPUT_FAILED;
    if (dj_segment_select(arguments.wanted, dj_output_complaint, NULL, &selection,
                          &err) != 0) {
        dj_output_error(&err);
    } else {
        bool missing = arguments.wanted != NULL && selection.count == 0;
        status = print_frame(missing ? arguments.wanted : NULL);
    }
    if (selection.cut) {
        dj_output_complaint(
            &(struct dj_error){.message = "more segments in one directory than are read"},
            NULL);
    }
    for (size_t i = 0; status == 0 && i < selection.count; i++) {
        status = dump_process(&selection.candidates[i].file, &arguments);
    }
    dj_segment_selection_finish(&selection);
    return status;
}
