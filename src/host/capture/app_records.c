#include "capture/app_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "device/deadline.h"
#include "frame/recovery.h"
#include "segment/select.h"

/* ---- which processes ---- */

/* As dumpsys knows it, or one that it started, or the program. */
static bool is_wanted(const struct dj_records *records,
                      const struct dj_segment_identity *identity)
{
    size_t length = records->app != NULL ? strlen(records->app) : 0;
    return records->app == NULL || strcmp(identity->program, records->app) == 0 ||
           (strncmp(identity->name, records->app, length) == 0 &&
            (identity->name[length] == '\0' || identity->name[length] == ':'));
}

static struct dj_records_process *find_process(struct dj_records *records,
                                               const char *path)
{
    for (size_t i = 0; i < records->count; i++) {
        if (strcmp(records->processes[i].path, path) == 0) {
            return &records->processes[i];
        }
    }
    return NULL;
}

/* NULL: it is not of the capture, or out of memory. */
static struct dj_records_process *add_process(struct dj_records *records,
                                              const struct dj_segment_candidate *found)
{
    bool of_before = found->identity.ended && found->identity.last_ns < records->from_ns;
    if (of_before || records->count == DJ_RECORDS_PROCESSES) {
        return NULL;
    }
    struct dj_records_process *grown = dj_array_resize(
        records->processes, records->count + 1, sizeof(*records->processes));
    if (grown == NULL) {
        return NULL;
    }
    records->processes = grown;
    struct dj_records_process *process = &grown[records->count++];
    *process = (struct dj_records_process){.owner = found->file.owner,
                                           .pid = found->identity.pid};
    memcpy(process->path, found->file.path, sizeof(process->path));
    memcpy(process->name, found->identity.name, sizeof(process->name));
    return process;
}

/* ---- frames ---- */

static struct dj_records_window *find_window(struct dj_records_process *process,
                                             const struct dj_snapshot_window *seen)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].key == seen->key) {
            return &process->windows[i];
        }
    }
    struct dj_records_window *grown = dj_array_resize(
        process->windows, process->window_count + 1, sizeof(*process->windows));
    if (grown == NULL) {
        return NULL;
    }
    process->windows = grown;
    struct dj_records_window *window = &grown[process->window_count++];
    *window = (struct dj_records_window){.key = seen->key};
    return window;
}

static bool put_frame(struct dj_records_window *window, const struct dj_frame *frame)
{
    if (window->count == window->capacity) {
        size_t capacity = 2 * window->capacity + 256;
        void *grown = dj_array_resize(window->frames, capacity, sizeof(*window->frames));
        if (grown == NULL) {
            return false;
        }
        window->frames = grown;
        window->capacity = capacity;
    }
    window->frames[window->count++] = *frame;
    return true;
}

static bool take_frame(struct dj_records *records, struct dj_records_window *window,
                       const struct dj_frame *frame)
{
    struct dj_verdict verdict;
    bool judged = dj_tracker_judge(&window->tracker, frame, &verdict);
    int64_t end_ns = dj_frame_get(frame, DJ_COLUMN_FRAME_COMPLETED, 0);
    if (end_ns < records->from_ns) {
        return true;
    }
    if (judged && dj_verdict_janky(&verdict)) {
        records->janky_count++;
        if (records->janky != NULL) {
            records->janky(records->user,
                           dj_frame_get(frame, DJ_COLUMN_INTENDED_VSYNC, end_ns), end_ns);
        }
    }
    return put_frame(window, frame);
}

static bool take_window(struct dj_records *records, struct dj_records_process *process,
                        const struct dj_snapshot *snapshot,
                        const struct dj_snapshot_window *seen)
{
    struct dj_records_window *window = find_window(process, seen);
    if (window == NULL) {
        return false;
    }
    if (!window->begun) {
        window->begun = true;
        window->next_index = seen->first_index;
        window->dialect = snapshot->dialect;
        dj_tracker_init(&window->tracker, snapshot->dialect,
                        seen->interval_ns > 0 ? seen->interval_ns
                                              : snapshot->interval_ns);
        window->tracker.rejudges = snapshot->dialect->judge == dj_judge_frame_deadline;
    }
    memcpy(window->title, seen->title, sizeof(window->title));
    window->interval_ns = window->tracker.interval_ns;
    if (seen->first_index > window->next_index) {
        records->lost_frames += seen->first_index - window->next_index;
        window->next_index = seen->first_index;
    }
    for (size_t i = window->next_index - seen->first_index; i < seen->frame_count; i++) {
        if (!dj_frame_complete(&seen->frames[i])) {
            break;
        }
        if (!take_frame(records, window, &seen->frames[i])) {
            return false;
        }
        window->next_index = seen->first_index + i + 1;
    }
    return true;
}

static int take_frames(struct dj_records *records, struct dj_records_process *process,
                       struct dj_error *err)
{
    const struct dj_snapshot_options whole = {.ignore_reset = true};
    struct dj_snapshot snapshot = {0};
    bool fits = true;
    if (dj_snapshot_read(process->path, process->owner, &whole, &snapshot, NULL) == 0) {
        for (size_t i = 0; i < snapshot.window_count && fits; i++) {
            if (snapshot.windows[i].open) {
                fits = take_window(records, process, &snapshot, &snapshot.windows[i]);
            }
        }
    }
    dj_snapshot_finish(&snapshot);
    return fits ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for frames");
}

/* ---- sections ---- */

static struct dj_records_thread *find_thread(struct dj_records_process *process,
                                             uint32_t tid)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        if (process->threads[i].tid == tid) {
            return &process->threads[i];
        }
    }
    struct dj_records_thread *grown = dj_array_resize(
        process->threads, process->thread_count + 1, sizeof(*process->threads));
    if (grown == NULL) {
        return NULL;
    }
    process->threads = grown;
    grown[process->thread_count] = (struct dj_records_thread){.tid = tid};
    return &grown[process->thread_count++];
}

/* Of what a thread did before the capture, only the sections count that it was in. */
static void cut_before(struct dj_sections *sections, int64_t from_ns)
{
    enum { DEPTH = 64 };
    size_t kept = 0, before = 0;
    while (before < sections->count && sections->events[before].at_ns < from_ns) {
        before++;
    }
    for (size_t i = 0; i < before; i++) {
        const struct dj_section_event *event = &sections->events[i];
        size_t depth = 0, innermost = kept;
        if (event->kind == DJ_SECTION_BEGIN) {
            sections->events[kept++] = *event;
            continue;
        }
        for (size_t k = kept; k > 0 && depth < DEPTH && event->kind == DJ_SECTION_END;
             k--, depth++) {
            if (sections->events[k - 1].tid == event->tid) {
                innermost = k - 1;
                break;
            }
        }
        if (innermost < kept) {
            memmove(&sections->events[innermost], &sections->events[innermost + 1],
                    (kept - innermost - 1) * sizeof(*event));
            kept--;
        }
    }
    if (kept < before) {
        memmove(&sections->events[kept], &sections->events[before],
                (sections->count - before) * sizeof(*sections->events));
        sections->count -= before - kept;
    }
}

static bool put_event(struct dj_sections *all, const struct dj_section_event *event,
                      uint32_t names_at)
{
    if (all->count == all->capacity) {
        size_t capacity = 2 * all->capacity + 1024;
        void *grown = dj_array_resize(all->events, capacity, sizeof(*all->events));
        if (grown == NULL) {
            return false;
        }
        all->events = grown;
        all->capacity = capacity;
    }
    struct dj_section_event *put = &all->events[all->count];
    *put = *event;
    put->name += names_at;
    put->order = all->count++;
    return true;
}

static bool take_thread_name(struct dj_sections *all,
                             const struct dj_section_thread *thread)
{
    for (size_t i = 0; i < all->thread_count; i++) {
        if (all->threads[i].tid == thread->tid) {
            return true;
        }
    }
    void *grown =
        dj_array_resize(all->threads, all->thread_count + 1, sizeof(*all->threads));
    if (grown == NULL) {
        return false;
    }
    all->threads = grown;
    all->threads[all->thread_count++] = *thread;
    return true;
}

/* Whether an event was not among those that were taken before: a thread's come in order,
 * and several may have one stamp. */
static bool is_new(struct dj_records_thread *thread, int64_t at_ns)
{
    if (at_ns != thread->at_ns) {
        bool later = at_ns > thread->at_ns;
        thread->at_ns = later ? at_ns : thread->at_ns;
        thread->same = later ? 0 : thread->same;
        thread->met = later ? 0 : thread->met;
        if (!later) {
            return false;
        }
    }
    thread->met++;
    if (thread->met <= thread->same) {
        return false;
    }
    thread->same = thread->met;
    return true;
}

/* What is new of this reading, behind what was taken before. */
static bool append(struct dj_records *records, struct dj_records_process *process,
                   const struct dj_sections *read)
{
    struct dj_sections *all = &process->sections;
    uint32_t names_at = (uint32_t)all->names.length;
    size_t before = all->count;
    bool fits = true;
    for (size_t i = 0; i < process->thread_count; i++) {
        process->threads[i].met = 0;
    }
    for (size_t i = 0; i < read->count && fits; i++) {
        const struct dj_section_event *event = &read->events[i];
        struct dj_records_thread *thread = find_thread(process, event->tid);
        if (thread == NULL) {
            return false;
        }
        if (is_new(thread, event->at_ns) && all->count < DJ_RECORDS_EVENTS) {
            fits = put_event(all, event, names_at);
        }
    }
    for (size_t i = 0; i < read->thread_count && fits; i++) {
        fits = take_thread_name(all, &read->threads[i]);
    }
    if (all->count > before) {
        dj_text_append(&all->names, read->names.data, read->names.length);
    }
    records->section_count += all->count - before;
    return fits && !all->names.failed;
}

static int take_sections(struct dj_records *records, struct dj_records_process *process,
                         struct dj_error *err)
{
    char path[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    struct dj_sections read = {0};
    int64_t now_ns = dj_host_now_ns();
    bool fits = true;
    snprintf(path, sizeof(path), "%s" DJ_SECTIONS_SUFFIX, process->path);
    if (dj_sections_read(path, process->owner, &read, NULL) == 0) {
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
            cut_before(&read, records->from_ns);
        }
        fits = append(records, process, &read);
        process->polled_ns = now_ns;
    }
    dj_sections_finish(&read);
    return fits ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for sections");
}

/* ---- all of it ---- */

/* Processes that came. */
static int find_new(struct dj_records *records, struct dj_error *err)
{
    struct dj_segment_selection all = {0};
    int code = dj_segment_select(NULL, NULL, NULL, &all, err);
    for (size_t i = 0; i < all.count && code == 0; i++) {
        const struct dj_segment_candidate *found = &all.candidates[i];
        if (!is_wanted(records, &found->identity)) {
            continue;
        }
        struct dj_records_process *process = find_process(records, found->file.path);
        process = process != NULL ? process : add_process(records, found);
        if (process != NULL) {
            process->ended = found->identity.ended;
        }
    }
    dj_segment_selection_finish(&all);
    return code;
}

int dj_records_poll_known(struct dj_records *records, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < records->count && code == 0; i++) {
        code = take_frames(records, &records->processes[i], err);
        code = code == 0 ? take_sections(records, &records->processes[i], err) : code;
    }
    return code;
}

int dj_records_poll(struct dj_records *records, struct dj_error *err)
{
    int code = find_new(records, err);
    return code == 0 ? dj_records_poll_known(records, err) : code;
}

/* Frames that began later are of what came after the capture. */
static size_t count_until(const struct dj_records_window *window, int64_t to_ns)
{
    size_t count = window->count;
    while (count > 0 && dj_frame_get(&window->frames[count - 1], DJ_COLUMN_INTENDED_VSYNC,
                                     to_ns) > to_ns) {
        count--;
    }
    return count;
}

static int by_time(const void *a, const void *b)
{
    const struct dj_section_event *left = a;
    const struct dj_section_event *right = b;
    int time = (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
    return time != 0 ? time : (left->order > right->order) - (left->order < right->order);
}

/* Each reading was in order of time: threads that were late in one are not in all. */
static void sort_until(struct dj_sections *sections, int64_t to_ns)
{
    if (sections->count > 0) {
        qsort(sections->events, sections->count, sizeof(*sections->events), by_time);
    }
    while (sections->count > 0 && sections->events[sections->count - 1].at_ns > to_ns) {
        sections->count--;
    }
}

static int give_process(struct dj_records_process *process, int64_t to_ns,
                        struct dj_recorded *recorded, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < process->window_count && code == 0; i++) {
        const struct dj_records_window *window = &process->windows[i];
        const struct dj_frame_rows rows = {
            .window = window->title,
            .pid = (int32_t)process->pid,
            .interval_ns = window->interval_ns,
            .dialect = window->dialect,
            .frames = window->frames,
            .count = count_until(window, to_ns),
            .first = window->next_index - window->count,
        };
        code = dj_recorded_add_rows(recorded, &rows, err);
    }
    struct dj_sections *sections = &process->sections;
    sort_until(sections, to_ns);
    if (code == 0 && sections->pid != 0) {
        code = dj_recorded_add_sections(recorded, sections, err);
        *sections = (struct dj_sections){0};
    }
    return code;
}

int dj_records_give(struct dj_records *records, int64_t to_ns,
                    struct dj_recorded *recorded, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < records->count && code == 0; i++) {
        code = give_process(&records->processes[i], to_ns, recorded, err);
    }
    return code;
}

void dj_records_finish(struct dj_records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        struct dj_records_process *process = &records->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            free(process->windows[k].frames);
        }
        free(process->windows);
        free(process->threads);
        dj_sections_finish(&process->sections);
    }
    free(records->processes);
    records->processes = NULL;
    records->count = 0;
}
