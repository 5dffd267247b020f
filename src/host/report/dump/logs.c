#include "report/dump/other_dumps.h"

#include <inttypes.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "memory/memory.h"

/* Returns a title such as "graphicsstats of version 35, from 2025-04-05 14:46 UTC to
 * 2025-04-05 18:25 UTC". */
static char *format_title(const struct dj_graphicsstats *entry)
{
    struct dj_text title = {0};
    dj_text_add(&title, "graphicsstats");
    if (entry->version >= 0) {
        dj_text_format(&title, " of version %" PRId64, entry->version);
    }
    if (entry->start_ms > 0) {
        dj_text_append_utc(&title, ", from %Y-%m-%d %H:%M UTC", entry->start_ms / 1000);
    }
    if (entry->end_ms > 0) {
        dj_text_append_utc(&title, " to %Y-%m-%d %H:%M UTC", entry->end_ms / 1000);
    }
    return dj_xtext_detach(&title);
}

/* Adds a process with one window. */
static struct dj_dump_process *add_process(struct dj_dump *dump)
{
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
    dj_xcheck(process != NULL && dj_gfxinfo_dump_add_window(process) != NULL);
    return process;
}

/* Starts the dump *made with the source and the release of *parsed. */
static void init_dump(const struct dj_parsed *parsed, struct dj_parsed *made)
{
    *made = (struct dj_parsed){
        .source = parsed->source,
        .dump = {.uptime_ms = -1,
                 .realtime_ms = -1,
                 .dialect = parsed->dump.dialect,
                 .dialect_inferred = parsed->dump.dialect_inferred,
                 .evidence = parsed->dump.evidence},
    };
}

void dj_other_dumps_from_graphicsstats(const struct dj_parsed *parsed,
                                       struct dj_parsed *made)
{
    init_dump(parsed, made);
    for (size_t i = 0; i < parsed->dump.graphicsstats_count; i++) {
        const struct dj_graphicsstats *entry = &parsed->dump.graphicsstats[i];
        struct dj_dump_process *process = add_process(&made->dump);
        struct dj_dump_window *window = process->windows;
        process->name =
            dj_xstrdup(entry->package != NULL ? entry->package : "no package");
        window->stats = entry->stats;
        /* The window's title already contains the times, so the line "Stats since" is
         * removed. */
        window->stats.lines &= ~dj_gfxinfo_lines_of_kind(DJ_LINE_SINCE);
        window->title = format_title(entry);
    }
    dj_import_compute_dump(made);
}

static bool has_process(const struct dj_dump *dump, int64_t pid)
{
    for (size_t i = 0; i < dump->process_count; i++) {
        if (dump->processes[i].pid == pid) {
            return true;
        }
    }
    return false;
}

/* Returns the index of the column with that name, or vendor_count if the table is full.
 */
static size_t find_or_add_column(struct dj_dump_window *window, const char *name)
{
    size_t i = 0;
    while (i < window->vendor_count && strcmp(window->vendor[i].name, name) != 0) {
        i++;
    }
    if (i == window->vendor_count && i < DJ_PARSE_VENDOR_COLUMNS) {
        DJ_XPUSH(window->vendor, window->vendor_count,
                 (struct dj_vendor_column){.name = dj_xstrdup(name)});
    }
    return i;
}

/* Adds the numbers of log lines that are not stamps of a frame as columns of the window.
 */
static void add_others(struct dj_dump_window *window, const struct dj_dump *dump,
                       int64_t pid)
{
    for (size_t i = 0; i < dump->davey_count; i++) {
        const struct dj_davey *davey = &dump->daveys[i];
        for (size_t k = 0; davey->pid == pid && k < davey->other_count; k++) {
            find_or_add_column(window, davey->others[k].name);
        }
    }
    struct dj_number *numbers =
        dj_xcalloc(window->frame_count * window->vendor_count, sizeof(*numbers));
    window->vendor_values = numbers;
    for (size_t i = 0; i < dump->davey_count; i++) {
        const struct dj_davey *davey = &dump->daveys[i];
        for (size_t k = 0; davey->pid == pid && k < davey->other_count; k++) {
            size_t column = find_or_add_column(window, davey->others[k].name);
            if (column < window->vendor_count) {
                numbers[column] = (struct dj_number){davey->others[k].value, true};
            }
        }
        numbers += davey->pid == pid ? window->vendor_count : 0;
    }
}

static void add_frames(struct dj_dump *made, const struct dj_dump *dump, int64_t pid)
{
    struct dj_dump_process *process = add_process(made);
    struct dj_dump_window *window = process->windows;
    process->pid = pid;
    window->has_frames = true;
    window->title = dj_xstrdup("frames of 0.7 s and more, from the log (\"Davey!\")");
    for (size_t i = 0; i < dump->davey_count; i++) {
        if (dump->daveys[i].pid == pid) {
            DJ_XPUSH(window->frames, window->frame_count, dump->daveys[i].frame);
        }
    }
    add_others(window, dump, pid);
}

void dj_other_dumps_from_daveys(const struct dj_parsed *parsed, struct dj_parsed *made)
{
    init_dump(parsed, made);
    for (size_t i = 0; i < parsed->dump.davey_count; i++) {
        int64_t pid = parsed->dump.daveys[i].pid;
        if (!has_process(&made->dump, pid)) {
            add_frames(&made->dump, &parsed->dump, pid);
        }
    }
    dj_gfxinfo_dump_find_bounds(&made->dump);
    dj_import_compute_dump(made);
}
