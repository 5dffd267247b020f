#include "report/others.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/parse.h"

/* ---- graphicsstats ---- */

static void append_time(struct dj_text *text, const char *before, int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm utc;
    char time[32];
    if (ms > 0 && gmtime_r(&seconds, &utc) != NULL &&
        strftime(time, sizeof(time), "%Y-%m-%d %H:%M", &utc) > 0) {
        dj_text_format(text, "%s%s UTC", before, time);
    }
}

/* "graphicsstats of version 35, from 2025-04-05 14:46 UTC to 2025-04-05 18:25 UTC" */
static char *title_of(const struct dj_graphicsstats *entry)
{
    struct dj_text title = {0};
    dj_text_string(&title, "graphicsstats");
    if (entry->version >= 0) {
        dj_text_format(&title, " of version %" PRId64, entry->version);
    }
    append_time(&title, ", from ", entry->start_ms);
    append_time(&title, " to ", entry->end_ms);
    char *string = title.failed ? NULL : strdup(dj_text_get(&title));
    dj_text_finish(&title);
    return string;
}

static bool add_entry(struct dj_dump *dump, const struct dj_graphicsstats *entry)
{
    struct dj_dump_process *process = dj_dump_add_process(dump);
    struct dj_dump_window *window = process != NULL ? dj_dump_add_window(process) : NULL;
    if (window == NULL) {
        return false;
    }
    process->name = strdup(entry->package != NULL ? entry->package : "no package");
    window->stats = entry->stats;
    window->stats.lines &= ~dj_lines_of_kind(DJ_LINE_SINCE); /* the title has the days */
    window->title = title_of(entry);
    return process->name != NULL && window->title != NULL;
}

/* A dump of the same input, by the same rule. */
static void begin(const struct dj_parsed *parsed, struct dj_parsed *made)
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

int dj_others_graphicsstats(const struct dj_parsed *parsed, struct dj_parsed *made)
{
    bool added = true;
    begin(parsed, made);
    for (size_t i = 0; i < parsed->dump.graphicsstats_count && added; i++) {
        added = add_entry(&made->dump, &parsed->dump.graphicsstats[i]);
    }
    return added ? dj_parsed_compute(made) : DJ_E_NO_MEMORY;
}

/* ---- log lines ---- */

static size_t frames_of(const struct dj_dump *dump, int64_t pid)
{
    size_t count = 0;
    for (size_t i = 0; i < dump->davey_count; i++) {
        count += dump->daveys[i].pid == pid;
    }
    return count;
}

static bool is_known(const struct dj_dump *dump, int64_t pid)
{
    for (size_t i = 0; i < dump->process_count; i++) {
        if (dump->processes[i].pid == pid) {
            return true;
        }
    }
    return false;
}

/* The index of a column of that name; vendor_count: out of memory, or there are as many
 * as are kept. */
static size_t find_or_add_column(struct dj_dump_window *window, const char *name)
{
    size_t i = 0;
    while (i < window->vendor_count && strcmp(window->vendor[i].name, name) != 0) {
        i++;
    }
    if (i < window->vendor_count || i >= DJ_PARSE_VENDOR_COLUMNS) {
        return i;
    }
    char *copy = strdup(name);
    if (copy == NULL || !DJ_ARRAY_PUSH(window->vendor, window->vendor_count,
                                       (struct dj_vendor_column){.name = copy})) {
        free(copy);
    }
    return i;
}

/* Adds the other numbers of log lines as columns of the window. */
static bool add_others(struct dj_dump_window *window, const struct dj_dump *dump,
                       int64_t pid)
{
    for (size_t i = 0; i < dump->davey_count; i++) {
        const struct dj_davey *davey = &dump->daveys[i];
        for (size_t k = 0; davey->pid == pid && k < davey->other_count; k++) {
            find_or_add_column(window, davey->others[k].name);
        }
    }
    window->vendor_values =
        calloc(window->frame_count * window->vendor_count + 1, sizeof(struct dj_number));
    if (window->vendor_values == NULL) {
        return false;
    }
    struct dj_number *numbers = window->vendor_values;
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
    return true;
}

static bool add_frames(struct dj_dump *made, const struct dj_dump *dump, int64_t pid)
{
    struct dj_dump_process *process = dj_dump_add_process(made);
    struct dj_dump_window *window = process != NULL ? dj_dump_add_window(process) : NULL;
    if (window == NULL) {
        return false;
    }
    process->pid = pid;
    window->has_frames = true;
    window->title = strdup("frames of 0.7 s and more, from the log (\"Davey!\")");
    window->frames = calloc(frames_of(dump, pid), sizeof(*window->frames));
    for (size_t i = 0; window->frames != NULL && i < dump->davey_count; i++) {
        if (dump->daveys[i].pid == pid) {
            window->frames[window->frame_count++] = dump->daveys[i].frame;
        }
    }
    return window->title != NULL && window->frames != NULL &&
           add_others(window, dump, pid);
}

int dj_others_daveys(const struct dj_parsed *parsed, struct dj_parsed *made)
{
    bool added = true;
    begin(parsed, made);
    for (size_t i = 0; i < parsed->dump.davey_count && added; i++) {
        int64_t pid = parsed->dump.daveys[i].pid;
        added = is_known(&made->dump, pid) || add_frames(&made->dump, &parsed->dump, pid);
    }
    dj_dump_find_bounds(&made->dump);
    return added ? dj_parsed_compute(made) : DJ_E_NO_MEMORY;
}
