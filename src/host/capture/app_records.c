#include "capture/app_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "frame/recovery.h"
#include "segment/select.h"

static bool is_pid(const char *app, int64_t pid)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)pid);
    return strcmp(app, text) == 0;
}

/* Returns true if the process belongs to the plan's app. The plan may name the app by the
 * name of the process in dumpsys, by the part of this name before ':', by its program, or
 * by its process id. */
static bool is_wanted(const struct dj_records *records,
                      const struct dj_segment_identity *identity)
{
    size_t length = records->app != NULL ? strlen(records->app) : 0;
    return records->app == NULL || strcmp(identity->program, records->app) == 0 ||
           is_pid(records->app, identity->pid) ||
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

/* Adds a process and returns it. Returns NULL if the process ended before the capture, if
 * there are too many processes, or if memory is exhausted. */
static struct dj_records_process *add_process(struct dj_records *records,
                                              const struct dj_segment_candidate *found)
{
    bool ended_before =
        found->identity.ended && found->identity.last_ns < records->from_ns;
    if (ended_before || records->count == DJ_RECORDS_PROCESSES ||
        !DJ_ARRAY_ROOM(records->processes, records->count)) {
        return NULL;
    }
    struct dj_records_process *process = &records->processes[records->count++];
    *process = (struct dj_records_process){.owner = found->file.owner,
                                           .pid = found->identity.pid};
    memcpy(process->path, found->file.path, sizeof(process->path));
    memcpy(process->name, found->identity.name, sizeof(process->name));
    return process;
}

/* Adds a window to the process. If the window first appears in the second or a later
 * poll, all its frames belong to the capture. */
static bool add_window(const struct dj_records *records,
                       const struct dj_snapshot *snapshot,
                       const struct dj_snapshot_window *seen,
                       struct dj_records_process *process)
{
    struct dj_records_window window = {.key = seen->key,
                                       .next_index = records->polled ? seen->opened_index
                                                                     : seen->first_index,
                                       .dialect = snapshot->dialect};
    dj_frame_tracker_init(&window.tracker, snapshot->dialect,
                          seen->interval_ns > 0 ? seen->interval_ns
                                                : snapshot->interval_ns);
    window.tracker.rejudges = snapshot->dialect->judge == dj_tracker_judge_frame_deadline;
    return DJ_ARRAY_PUSH(process->windows, process->window_count, window);
}

static struct dj_records_window *find_window(const struct dj_records *records,
                                             const struct dj_snapshot *snapshot,
                                             const struct dj_snapshot_window *seen,
                                             struct dj_records_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].key == seen->key) {
            return &process->windows[i];
        }
    }
    return add_window(records, snapshot, seen, process)
               ? &process->windows[process->window_count - 1]
               : NULL;
}

static bool add_frame(struct dj_records *records, struct dj_records_window *window,
                      const struct dj_frame *frame)
{
    struct dj_verdict verdict;
    bool judged = dj_frame_tracker_judge(&window->tracker, frame, &verdict);
    int64_t end_ns = dj_frame_get_end(frame, 0);
    if (end_ns < records->from_ns) {
        return true;
    }
    if (judged && dj_frame_verdict_is_janky(&verdict) && records->janky != NULL) {
        records->janky(records->user,
                       dj_frame_get(frame, DJ_COLUMN_INTENDED_VSYNC, end_ns), end_ns);
    }
    return DJ_ARRAY_PUSH(window->frames, window->count, *frame);
}

static bool add_window_frames(struct dj_records *records,
                              struct dj_records_process *process,
                              const struct dj_snapshot *snapshot,
                              const struct dj_snapshot_window *seen)
{
    struct dj_records_window *window = find_window(records, snapshot, seen, process);
    if (window == NULL) {
        return false;
    }
    memcpy(window->title, seen->title, sizeof(window->title));
    window->interval_ns = window->tracker.interval_ns;
    window->end_index = seen->first_index + seen->frame_count;
    double fill =
        (double)(window->end_index - window->next_index) / (double)snapshot->keep;
    records->fill = fill > records->fill ? fill : records->fill;
    if (seen->first_index > window->next_index) {
        *(records->to_ns > 0 ? &records->later_frames : &records->lost_frames) +=
            seen->first_index - window->next_index;
        window->next_index = seen->first_index;
    }
    for (size_t i = window->next_index - seen->first_index; i < seen->frame_count; i++) {
        if (!dj_frame_is_complete(&seen->frames[i])) {
            break;
        }
        if (!add_frame(records, window, &seen->frames[i])) {
            return false;
        }
        window->next_index = seen->first_index + i + 1;
    }
    return true;
}

static int add_frames(struct dj_records *records, struct dj_records_process *process,
                      struct dj_error *err)
{
    const struct dj_snapshot_options whole = {.ignore_reset = true};
    struct dj_snapshot snapshot = {0};
    bool fits = true;
    if (dj_segment_snapshot_read(process->path, process->owner, &whole, &snapshot,
                                 NULL) == 0) {
        for (size_t i = 0; i < snapshot.window_count && fits; i++) {
            if (snapshot.windows[i].open) {
                fits =
                    add_window_frames(records, process, &snapshot, &snapshot.windows[i]);
            }
        }
    }
    dj_segment_snapshot_finish(&snapshot);
    return fits ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for frames");
}

static int add_new_processes(struct dj_records *records, struct dj_error *err)
{
    struct dj_segment_selection all = {0};
    int code = dj_segment_select_all(&all, err);
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

int dj_app_records_poll(struct dj_records *records, bool known_only, struct dj_error *err)
{
    int code = known_only ? 0 : add_new_processes(records, err);
    records->fill = 0;
    for (size_t i = 0; i < records->count && code == 0; i++) {
        code = add_frames(records, &records->processes[i], err);
        code = code == 0
                   ? dj_app_records_add_sections(records, &records->processes[i], err)
                   : code;
    }
    records->polled = true;
    return code;
}

/* Returns the number of frames that began not later than `to_ns`, the end of the capture.
 */
static size_t count_until(const struct dj_records_window *window, int64_t to_ns)
{
    size_t count = window->count;
    while (count > 0 && dj_frame_get_time(&window->frames[count - 1], to_ns) > to_ns) {
        count--;
    }
    return count;
}

static void write_process(struct dj_records *records, struct dj_records_process *process,
                          int64_t to_ns, struct dj_trace_recording *recorded)
{
    for (size_t i = 0; i < process->window_count; i++) {
        const struct dj_records_window *window = &process->windows[i];
        const struct dj_trace_frame_rows rows = {
            .window = window->title,
            .pid = (int32_t)process->pid,
            .interval_ns = window->interval_ns,
            .dialect = window->dialect,
            .frames = window->frames,
            .count = count_until(window, to_ns),
            .first = window->next_index - window->count,
        };
        uint64_t before = recorded->frames;
        dj_trace_recording_add_rows(recorded, &rows);
        records->later_frames += window->count - rows.count;
        records->broken_frames += window->end_index - window->next_index;
        records->broken_frames += rows.count - (recorded->frames - before);
    }
    struct dj_sections *sections = &process->sections;
    dj_app_records_sort_sections(sections, to_ns);
    if (sections->pid != 0) {
        dj_trace_recording_add_sections(recorded, sections);
    }
}

void dj_app_records_write(struct dj_records *records, int64_t to_ns,
                          struct dj_trace_recording *recorded)
{
    for (size_t i = 0; i < records->count; i++) {
        write_process(records, &records->processes[i], to_ns, recorded);
    }
}

void dj_app_records_finish(struct dj_records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        struct dj_records_process *process = &records->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            free(process->windows[k].frames);
        }
        free(process->windows);
        free(process->threads);
        dj_segment_sections_finish(&process->sections);
    }
    free(records->processes);
    records->processes = NULL;
    records->count = 0;
}
