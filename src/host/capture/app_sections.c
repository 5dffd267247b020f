/* Collects the sections of an app. Each poll adds the section events that are new. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/compare.h"
#include "capture/app_records.h"
#include "process/deadline.h"

static struct dj_records_thread *find_thread(struct dj_records_process *process,
                                             uint32_t tid)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        if (process->threads[i].tid == tid) {
            return &process->threads[i];
        }
    }
    if (!DJ_ARRAY_ROOM(process->threads, process->thread_count)) {
        return NULL;
    }
    process->threads[process->thread_count] = (struct dj_records_thread){.tid = tid};
    return &process->threads[process->thread_count++];
}

/* Returns the index of the thread's last event among the first `count` events. Searches
 * only the last few of these events. Returns `count` if they contain no event of the
 * thread. */
static size_t find_last_event(const struct dj_sections *sections, size_t count,
                              uint32_t tid)
{
    enum { NEAR = 64 };
    for (size_t i = count; i > 0 && count - i < NEAR; i--) {
        if (sections->events[i - 1].tid == tid) {
            return i - 1;
        }
    }
    return count;
}

/* Removes the events of sections that ended before `from_ns`, the start of the capture.
 * Keeps sections that began before the capture and ended after its start. */
static void remove_ended_sections(struct dj_sections *sections, int64_t from_ns)
{
    size_t kept_count = 0, before = 0;
    while (before < sections->count && sections->events[before].at_ns < from_ns) {
        before++;
    }
    for (size_t i = 0; i < before; i++) {
        const struct dj_section_event *event = &sections->events[i];
        if (event->kind == DJ_SECTION_BEGIN) {
            sections->events[kept_count++] = *event;
            continue;
        }
        size_t innermost = event->kind == DJ_SECTION_END
                               ? find_last_event(sections, kept_count, event->tid)
                               : kept_count;
        if (innermost < kept_count) {
            memmove(&sections->events[innermost], &sections->events[innermost + 1],
                    (kept_count - innermost - 1) * sizeof(*event));
            kept_count--;
        }
    }
    if (kept_count < before) {
        memmove(&sections->events[kept_count], &sections->events[before],
                (sections->count - before) * sizeof(*sections->events));
        sections->count -= before - kept_count;
    }
}

static bool append_event(struct dj_sections *all, const struct dj_section_event *event,
                         uint32_t names_at)
{
    if (!DJ_ARRAY_ROOM(all->events, all->count)) {
        return false;
    }
    struct dj_section_event *added = &all->events[all->count];
    *added = *event;
    added->name += names_at;
    added->order = all->count++;
    return true;
}

static bool set_thread_name(struct dj_sections *all,
                            const struct dj_section_thread *thread)
{
    for (size_t i = 0; i < all->thread_count; i++) {
        if (all->threads[i].tid == thread->tid) {
            return true;
        }
    }
    return DJ_ARRAY_PUSH(all->threads, all->thread_count, *thread);
}

/* Returns true if the event was not collected yet. Call this function for the events of a
 * thread in order of time. If several events have the same time, counts them to find the
 * new ones. */
static bool is_new(struct dj_records_thread *thread, int64_t at_ns)
{
    if (at_ns < thread->at_ns) {
        return false;
    }
    if (at_ns > thread->at_ns) {
        thread->at_ns = at_ns;
        thread->same = thread->seen = 0;
    }
    thread->seen++;
    if (thread->seen <= thread->same) {
        return false;
    }
    thread->same = thread->seen;
    return true;
}

static bool append_events(struct dj_records *records, struct dj_records_process *process,
                          const struct dj_sections *read)
{
    struct dj_sections *all = &process->sections;
    uint32_t names_at = (uint32_t)all->names.length;
    size_t before = all->count;
    bool fits = true;
    for (size_t i = 0; i < process->thread_count; i++) {
        process->threads[i].seen = 0;
    }
    for (size_t i = 0; i < read->count && fits; i++) {
        const struct dj_section_event *event = &read->events[i];
        struct dj_records_thread *thread = find_thread(process, event->tid);
        if (thread == NULL) {
            return false;
        }
        if (is_new(thread, event->at_ns) && all->count < DJ_RECORDS_EVENTS) {
            fits = append_event(all, event, names_at);
        }
    }
    for (size_t i = 0; i < read->thread_count && fits; i++) {
        fits = set_thread_name(all, &read->threads[i]);
    }
    if (all->count > before) {
        dj_text_append(&all->names, read->names.data, read->names.length);
    }
    records->section_count += all->count - before;
    return fits && !all->names.failed;
}

int dj_app_records_add_sections(struct dj_records *records,
                                struct dj_records_process *process, struct dj_error *err)
{
    char path[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    struct dj_sections read = {0};
    int64_t now_ns = dj_host_now_ns();
    bool fits = true;
    snprintf(path, sizeof(path), "%s" DJ_SECTIONS_SUFFIX, process->path);
    if (dj_segment_sections_read(path, process->owner, &read, NULL) == 0) {
        bool first = process->polled_ns == 0;
        struct dj_sections *all = &process->sections;
        all->pid = read.pid;
        all->created_ns = read.created_ns;
        all->ended = read.ended;
        all->dropped = read.dropped;
        memcpy(all->name, read.name, sizeof(all->name));
        memcpy(all->program, read.program, sizeof(all->program));
        int64_t whole_since_ns = first ? records->from_ns : process->polled_ns;
        if (read.whole_from_ns > whole_since_ns) {
            records->lost_threads++;
            all->overwritten = read.overwritten;
            all->whole_from_ns = read.whole_from_ns;
        }
        if (first) {
            remove_ended_sections(&read, records->from_ns);
        }
        fits = append_events(records, process, &read);
        process->polled_ns = now_ns;
    }
    dj_segment_sections_finish(&read);
    return fits ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for sections");
}

static int compare_time(const void *a, const void *b)
{
    const struct dj_section_event *left = a;
    const struct dj_section_event *right = b;
    int time = DJ_COMPARE(left->at_ns, right->at_ns);
    return time != 0 ? time : DJ_COMPARE(left->order, right->order);
}

void dj_app_records_sort_sections(struct dj_sections *sections, int64_t to_ns)
{
    if (sections->count > 0) {
        qsort(sections->events, sections->count, sizeof(*sections->events), compare_time);
    }
    while (sections->count > 0 && sections->events[sections->count - 1].at_ns > to_ns) {
        sections->count--;
    }
}
