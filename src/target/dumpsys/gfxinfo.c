#include "dumpsys/gfxinfo.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dumpsys/output.h"
#include "dumpsys/release.h"
#include "gfxinfo/print.h"
#include "segment/select.h"

enum {
    DUMP_ROWS = 120, /* Number of frames that hwui stores. */
    /* Maximum text of one process in bytes. This is enough for 16 windows with 16384 rows
     * each. */
    SECTION_BYTES_MAX = 1 << 26
};

static const char *const word_framestats = "framestats";
static const char word_since[] = "since=";

/* Returns a time in ns, or −1 if the word is not a time. */
static int64_t parse_stamp(const char *text)
{
    char *end;
    errno = 0;
    long long stamp_ns = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && stamp_ns >= 0 ? stamp_ns : -1;
}

struct dj_gfxinfo_arguments dj_gfxinfo_parse_arguments(int all, char *const *all_words)
{
    struct dj_gfxinfo_arguments arguments = {.since_ns = -1};
    const char *words[DJ_RELEASE_WORDS_MAX];
    int count = dj_release_extract(all, all_words, words, &arguments.release);
    arguments.framestats = count == 0;
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
        } else if (strncmp(words[i], word_since, sizeof(word_since) - 1) == 0) {
            arguments.since_ns = parse_stamp(words[i] + sizeof(word_since) - 1);
        }
    }
    return arguments;
}

static int64_t read_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t read_clock_ms(clockid_t clock)
{
    return read_clock_ns(clock) / 1000000;
}

/* Prints the first lines of the dump. If not_found is not NULL, also prints that there
 * is no such process. */
static int print_heading(const char *not_found)
{
    struct dj_text text = {0};
    struct dj_dump dump = {
        .uptime_ms = read_clock_ms(CLOCK_MONOTONIC),
        .realtime_ms = read_clock_ms(CLOCK_BOOTTIME),
    };
    char *name = not_found != NULL ? strdup(not_found) : NULL;
    dump.not_found = name;
    const struct dj_print_options options = {.dialect = dj_frame_dialect_default()};
    dj_gfxinfo_print_dump(&text, &dump, &options);
    dj_gfxinfo_dump_finish(&dump);
    return dj_output_print_text(&text);
}

/* Returns the number of rows to print, or 0 for all rows. If it is 0, drop_rows_before()
 * removes the rows that were not requested. */
static size_t get_printed_rows(const struct dj_gfxinfo_arguments *arguments)
{
    return arguments->since_ns < 0 ? DUMP_ROWS : 0;
}

/* Removes the rows that were completed before since_ns. The rows are sorted by their
 * completion. */
static void drop_rows_before(struct dj_dump_process *process, int64_t since_ns)
{
    for (size_t i = 0; i < process->window_count; i++) {
        struct dj_dump_window *window = &process->windows[i];
        size_t old = 0;
        while (old < window->frame_count &&
               dj_frame_get_end(&window->frames[old], 0) < since_ns) {
            old++;
        }
        window->frame_count -= old;
        if (old > 0) { /* The array of a window without rows may be NULL. */
            memmove(window->frames, window->frames + old,
                    window->frame_count * sizeof(*window->frames));
        }
    }
}

static int print_process(const struct dj_snapshot *snapshot,
                         const struct dj_gfxinfo_arguments *arguments,
                         const struct dj_recount *recount)
{
    struct dj_dump dump = {0};
    struct dj_text text = {.maximum = SECTION_BYTES_MAX};
    const struct dj_print_options options = {.dialect = snapshot->dialect,
                                             .framestats = arguments->framestats,
                                             .rows = get_printed_rows(arguments)};
    text.failed = dj_segment_snapshot_to_dump(snapshot, &dump) != 0;
    if (!text.failed) {
        drop_rows_before(&dump.processes[0], arguments->since_ns);
        /* A reader that requests more than 120 rows uses this number to plan its next
         * request. */
        dump.processes[0].rows_kept = arguments->since_ns < 0 ? 0 : snapshot->keep;
        if (recount->from != NULL) {
            dump.processes[0].recount = (struct dj_dump_recount){
                recount->from, snapshot->dialect, recount->kept, recount->counted};
        }
        dj_gfxinfo_print_process(&text, &dump.processes[0], &options);
    }
    dj_gfxinfo_dump_finish(&dump);
    return dj_output_print_text(&text);
}

/* Marks the printed rows of the simple dump as printed, and resets the statistics if
 * requested. The caller does this only after the text is written, so that no figures are
 * lost without being printed. */
static void clear_printed(const struct dj_segment_file *file,
                          const struct dj_snapshot *snapshot, bool reset)
{
    struct dj_error err = {0};
    if (snapshot->profile &&
        dj_segment_consume_profile(file->path, file->owner, snapshot, &err) != 0) {
        dj_output_report_error(&err);
    }
    if (reset && dj_segment_reset_to(file->path, file->owner, snapshot,
                                     read_clock_ns(CLOCK_MONOTONIC), &err) != 0) {
        dj_output_report_error(&err);
    }
}

/* Returns the number of rows to read, or 0 for all rows. The figures of another
 * release are computed from all rows. */
static size_t get_read_rows(const struct dj_gfxinfo_arguments *arguments)
{
    return arguments->release != NULL ? 0 : get_printed_rows(arguments);
}

static int dump_process(const struct dj_segment_file *file,
                        const struct dj_gfxinfo_arguments *arguments)
{
    struct dj_snapshot snapshot;
    struct dj_error err = {0};
    const struct dj_snapshot_options options = {.rows = get_read_rows(arguments)};
    const struct dj_dialect *dialect =
        arguments->release != NULL ? dj_frame_dialect_find(arguments->release) : NULL;
    struct dj_recount recount = {0};
    int status = 0;
    if (dj_segment_snapshot_read(file->path, file->owner, &options, &snapshot, &err) !=
        0) {
        dj_output_report_error(&err);
    } else {
        if (dialect != NULL && dialect != snapshot.dialect) {
            recount = dj_segment_snapshot_recount(&snapshot, dialect);
        }
        status = print_process(&snapshot, arguments, &recount);
        if (status == 0) {
            clear_printed(file, &snapshot, arguments->reset);
        }
    }
    dj_segment_snapshot_finish(&snapshot);
    return status;
}

int dj_gfxinfo_dump(int count, char *const *words)
{
    struct dj_gfxinfo_arguments arguments = dj_gfxinfo_parse_arguments(count, words);
    if (arguments.release != NULL && dj_frame_dialect_find(arguments.release) == NULL) {
        return dj_release_report_unknown(arguments.release);
    }
    struct dj_segment_selection selection = {0};
    struct dj_error err = {0};
    int status = DJ_OUTPUT_FAILED;
    if (dj_segment_select(arguments.wanted, dj_output_report_callback, NULL, &selection,
                          &err) != 0) {
        dj_output_report_error(&err);
    } else {
        bool missing = arguments.wanted != NULL && selection.count == 0;
        status = print_heading(missing ? arguments.wanted : NULL);
    }
    if (selection.cut) {
        dj_error_set(
            &err, DJ_E_LIMIT,
            "a directory contains more than %d segments, the others are not read",
            DJ_SELECT_FILES_PER_DIRECTORY);
        dj_output_report_error(&err);
    }
    for (size_t i = 0; status == 0 && i < selection.count; i++) {
        status = dump_process(&selection.candidates[i].file, &arguments);
    }
    dj_segment_selection_finish(&selection);
    return status;
}
