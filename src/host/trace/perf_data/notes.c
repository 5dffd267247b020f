#include "trace/perf_data/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "memory/memory.h"

static void add_note(struct dj_perf_data_notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_note(struct dj_perf_data_notes *notes, const char *format, ...)
{
    char note[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof(note), format, arguments);
    va_end(arguments);
    dj_text_append(&notes->sentences, note, strlen(note) + 1);
    dj_xcheck(!notes->sentences.failed);
    notes->count++;
}

/* Returns the first event that is used, or the first event of the file if none is
 * used. */
static const struct dj_perf_data_event *get_main_event(const struct dj_perf_data *file)
{
    for (size_t i = 0; i < file->event_count; i++) {
        if (file->events[i].use == DJ_PERF_DATA_TIME) {
            return &file->events[i];
        }
    }
    return file->event_count > 0 ? &file->events[0] : NULL;
}

const char *dj_perf_data_get_clock(const struct dj_perf_data *file)
{
    static const struct {
        int32_t id;
        const char *name;
    } clocks[] = {{CLOCK_MONOTONIC, "mono"},
                  {CLOCK_MONOTONIC_RAW, "mono_raw"},
                  {CLOCK_BOOTTIME, "boot"},
                  {CLOCK_REALTIME, "realtime"},
                  {CLOCK_TAI, "tai"}};
    const struct dj_perf_data_event *event = get_main_event(file);
    if (event != NULL && event->attr.use_clockid) {
        for (size_t i = 0; i < COUNT_OF(clocks); i++) {
            if (clocks[i].id == event->attr.clockid) {
                return clocks[i].name;
            }
        }
    }
    return dj_str_is(dj_perf_data_find_meta(file, "clockid"), "monotonic") ? "mono"
                                                                           : "perf";
}

/* Appends the names of all used events, or of all unused events, to `list`. */
static void list_events(const struct dj_perf_data *file, bool used, struct dj_text *list)
{
    enum { NAMED = 4 };
    size_t named = 0;
    for (size_t i = 0; i < file->event_count; i++) {
        const struct dj_perf_data_event *event = &file->events[i];
        bool is_listed = used ? event->use == DJ_PERF_DATA_TIME
                              : event->use == DJ_PERF_DATA_UNUSED && event->samples > 0;
        if (!is_listed || ++named > NAMED) {
            continue;
        }
        dj_text_add(list, named > 1 ? ", " : "");
        if (event->name[0] != '\0') {
            dj_text_add(list, event->name);
        } else {
            dj_text_format(list, "event %" PRIu32 ":%#" PRIx64, event->attr.type,
                           (uint64_t)event->attr.config);
        }
    }
    dj_text_add(list, named > NAMED ? " and others" : "");
}

static void add_event_notes(const struct dj_perf_data *file,
                            struct dj_perf_data_notes *notes)
{
    const struct dj_perf_data_event *event = get_main_event(file);
    struct dj_text used = {0}, unused = {0};
    list_events(file, true, &used);
    list_events(file, false, &unused);
    if (used.length > 0 && event->interval_ns > 0) {
        add_note(notes, "stacks are samples of %s, every %.3f ms", dj_xtext(&used),
                 (double)event->interval_ns / 1e6);
    } else if (used.length > 0) {
        add_note(notes, "stacks are samples of %s", dj_xtext(&used));
    }
    if (unused.length > 0) {
        add_note(notes, "samples of %s are not used%s", dj_xtext(&unused),
                 used.length > 0 ? ""
                                 : ": expected an event that measures time, such as "
                                   "cpu-clock or cycles");
    }
    dj_text_finish(&used);
    dj_text_finish(&unused);
}

static void add_stack_notes(const struct dj_perf_data_counts *counts,
                            struct dj_perf_data_notes *notes)
{
    char id[DJ_STACKS_BUILD_ID_TEXT] = "";
    const struct dj_stacks_module *missing = counts->missing;
    if (counts->incomplete == 0) {
        return;
    }
    if (missing == NULL) {
        add_note(notes, "%" PRIu64 " stacks are incomplete", counts->incomplete);
        return;
    }
    dj_stacks_build_id_format(&missing->build_id, id);
    add_note(
        notes, "%" PRIu64 " stacks are incomplete; the last one ends in %.200s%s%s%s%s",
        counts->incomplete, missing->path, id[0] != '\0' ? " with build-id " : "", id,
        missing->fault != NULL ? ": " : "", missing->fault != NULL ? missing->fault : "");
}

void dj_perf_data_add_notes(const struct dj_perf_data *file,
                            const struct dj_perf_data_counts *counts,
                            struct dj_perf_data_notes *notes)
{
    add_event_notes(file, notes);
    add_stack_notes(counts, notes);
    if (counts->not_unwound > 0) {
        add_note(notes,
                 "%" PRIu64 " stacks are not unwound: dejank unwinds 64-bit programs on "
                 "x86-64 and arm64, if the file states the machine",
                 counts->not_unwound);
    }
    if (counts->throttled > 0) {
        add_note(notes,
                 "the kernel lowered the rate of samples %" PRIu64
                 " times, because they took too much CPU time",
                 counts->throttled);
    }
}
