#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "live/state/state.h"

#define UPDATE_NS (DJ_SECOND_NS / DJ_LIVE_UPDATES_HZ)
/* Time between two searches for segments, while a process runs and while none runs. */
#define SCAN_NS DJ_SECOND_NS
#define SCAN_WAITING_NS (DJ_SECOND_NS / 4)

/* Minimum number of rows that an update reads from each window. */
enum { LEAST_ROWS = 32 };

static struct dj_live_process *find_process(struct dj_live *live, const char *path)
{
    for (size_t i = live->process_count; i-- > 0;) {
        if (strcmp(live->processes[i].file.path, path) == 0) {
            return &live->processes[i];
        }
    }
    return NULL;
}

/* Adds the process of a segment if it is new. A process may have started and ended since
 * the last search. */
static bool add_candidate(struct dj_live *live,
                          const struct dj_segment_candidate *candidate)
{
    const struct dj_segment_identity *identity = &candidate->identity;
    if (find_process(live, candidate->file.path) != NULL ||
        (identity->ended && identity->last_ns <= live->forget_ns)) {
        return true;
    }
    struct dj_live_process *process =
        dj_live_add_process(live, identity->pid, identity->name);
    if (process != NULL) {
        process->file = candidate->file;
        process->last_ns = identity->last_ns;
    }
    return process != NULL;
}

static int find_segments(struct dj_live *live, struct dj_error *err)
{
    struct dj_segment_selection selection = {0};
    int code = dj_segment_select(live->selected, NULL, NULL, &selection, err);
    for (size_t i = selection.count; code == 0 && i-- > 0;) {
        if (!add_candidate(live, &selection.candidates[i])) {
            code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    dj_segment_selection_finish(&selection);
    return code;
}

/* Finds the state of a window. Returns NULL if the slot has a new window. The previous
 * window of the slot has then ended. */
static struct dj_live_window_state *find_window(struct dj_live *live,
                                                const struct dj_live_process *process,
                                                uint32_t slot,
                                                const struct dj_snapshot_window *now)
{
    for (size_t i = live->window_count; i-- > 0;) {
        struct dj_live_window_state *window = &live->windows[i];
        if (window->process_id != process->id || window->slot != slot ||
            window->window.is_ended) {
            continue;
        }
        if (window->key == now->key && window->opened_index == now->opened_index) {
            return window;
        }
        window->window.is_ended = true;
    }
    return NULL;
}

static uint64_t get_next_index(const struct dj_live_window_state *window)
{
    return window->opened_index + window->next_number - 1;
}

/* Returns whether the snapshot lacks rows that the segment may still have. */
static bool lacks_rows(struct dj_live *live, const struct dj_live_process *process,
                       const struct dj_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *now = &snapshot->windows[i];
        const struct dj_live_window_state *window =
            now->open ? find_window(live, process, (uint32_t)i, now) : NULL;
        uint64_t next = window != NULL ? get_next_index(window) : now->opened_index;
        if (now->open && now->first_index > next) {
            return true;
        }
    }
    return false;
}

/* Reads the newest rows of each window, or all rows if the newest ones do not continue
 * those of the last update. */
static int read_snapshot(struct dj_live *live, const struct dj_live_process *process,
                         struct dj_snapshot *snapshot, struct dj_error *err)
{
    const struct dj_segment_file *file = &process->file;
    struct dj_snapshot_options options = {
        .rows = DJ_LEAST(DJ_MOST(live->rows, LEAST_ROWS), DJ_SEGMENT_KEEP_MAX),
        .ignore_reset = true};
    int code = dj_segment_snapshot_read(file->path, file->owner, &options, snapshot, err);
    if (code == 0 && lacks_rows(live, process, snapshot)) {
        dj_segment_snapshot_finish(snapshot);
        *snapshot = (struct dj_snapshot){0};
        options.rows = 0;
        code = dj_segment_snapshot_read(file->path, file->owner, &options, snapshot, err);
    }
    return code;
}

/* Removes the rows before index `first` from the snapshot. */
static void remove_rows(struct dj_snapshot_window *window, uint64_t first)
{
    if (first <= window->first_index) {
        return;
    }
    size_t removed = (size_t)DJ_LEAST(first - window->first_index, window->frame_count);
    window->frame_count -= removed;
    window->first_index += removed;
    if (window->frame_count > 0) {
        memmove(window->frames, window->frames + removed,
                window->frame_count * sizeof(window->frames[0]));
    }
}

/* Returns the index of the first row of a new window that is at most 10 s old. */
static uint64_t find_recent(const struct dj_live *live,
                            const struct dj_snapshot_window *window)
{
    size_t i = window->frame_count;
    while (i > 0 && dj_frame_get_end(&window->frames[i - 1], 0) >=
                        live->now_ns - DJ_LIVE_SPAN_NS) {
        i--;
    }
    return window->first_index + i;
}

/* A window of a snapshot with the state that it continues. */
struct continued {
    uint32_t id; /* Id of the window, or 0 if the slot is not open. */
    int64_t lost;
};

/* Finds the state of a window, or adds it. Removes the rows that were already read from
 * the snapshot. */
static bool continue_window(struct dj_live *live, const struct dj_live_process *process,
                            uint32_t slot, struct dj_snapshot_window *now,
                            struct continued *continued)
{
    struct dj_live_window_state *window = find_window(live, process, slot, now);
    if (window == NULL) {
        window = dj_live_add_window(live, process, now->title);
        if (window == NULL) {
            return false;
        }
        window->slot = slot;
        window->key = now->key;
        window->opened_index = now->opened_index;
        window->window.interval_ns = now->interval_ns;
        window->window.is_interval_assumed = now->interval_assumed;
        remove_rows(now, find_recent(live, now));
        window->next_number = now->first_index - now->opened_index + 1;
    } else {
        memcpy(window->window.title, now->title, sizeof(window->window.title));
        uint64_t next = get_next_index(window);
        remove_rows(now, next);
        continued->lost =
            now->first_index > next ? (int64_t)(now->first_index - next) : 0;
    }
    if (now->frame_count > 0) {
        live->rows = DJ_MOST(live->rows, now->frame_count * 2);
    }
    continued->id = window->window.id;
    return true;
}

static struct dj_live_window_state *get_window(struct dj_live *live, uint32_t id)
{
    for (size_t i = live->window_count; i-- > 0;) {
        if (live->windows[i].window.id == id) {
            return &live->windows[i];
        }
    }
    return NULL;
}

/* Adds the remaining rows of the snapshot. The dump contains the open windows in the
 * order of their slots. */
static int add_snapshot(struct dj_live *live, const struct dj_snapshot *snapshot,
                        const struct continued *continued, struct dj_error *err)
{
    struct dj_dump dump = {0};
    int code = dj_segment_snapshot_to_dump(snapshot, &dump);
    if (code != 0) {
        code = dj_error_set(err, code, "out of memory");
    }
    dump.dialect = snapshot->dialect;
    for (size_t i = 0, shown = 0; code == 0 && i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *now = &snapshot->windows[i];
        struct dj_live_window_state *window = get_window(live, continued[i].id);
        if (!now->open) {
            continue;
        }
        const struct dj_dump_window *printed = &dump.processes[0].windows[shown++];
        if (window == NULL || now->frame_count == 0) {
            continue;
        }
        const struct dj_live_rows rows = {.frames = now->frames,
                                          .count = now->frame_count,
                                          .first_number =
                                              now->first_index - now->opened_index + 1,
                                          .lost_before = continued[i].lost,
                                          .interval_ns = now->interval_ns,
                                          .dump = &dump,
                                          .process = &dump.processes[0],
                                          .window = printed};
        code = dj_live_add_rows(live, window, &rows, err);
        window->window.is_interval_assumed = now->interval_assumed;
    }
    dj_gfxinfo_dump_finish(&dump);
    return code;
}

static int add_windows(struct dj_live *live, const struct dj_live_process *process,
                       struct dj_snapshot *snapshot, struct dj_error *err)
{
    struct continued continued[DJ_SEGMENT_WINDOWS] = {{0}};
    size_t new_rows = 0;
    for (size_t i = 0; i < snapshot->window_count; i++) {
        struct dj_snapshot_window *now = &snapshot->windows[i];
        if (now->open &&
            !continue_window(live, process, (uint32_t)i, now, &continued[i])) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        new_rows += now->open ? now->frame_count : 0;
    }
    return new_rows > 0 ? add_snapshot(live, snapshot, continued, err) : 0;
}

/* Replaces the process by a new one if another file with the same name has replaced its
 * segment. This happens if a process calls exec() so often that a file name is used
 * again. */
static void note_created(struct dj_live *live, struct dj_live_process *process,
                         const struct dj_snapshot *snapshot)
{
    if (process->created_ns >= 0 && process->created_ns != snapshot->created_ns) {
        dj_live_end_process(live, process);
        process->is_ended = false;
        process->id = ++live->last_process_id;
        live->restarts++;
    }
    process->created_ns = snapshot->created_ns;
}

/* Returns whether the error is normal for a segment that appears, changes or
 * disappears. */
static bool is_transient(int code)
{
    return code == DJ_E_NOT_FOUND || code == DJ_E_NO_DATA || code == DJ_E_TIMEOUT;
}

static int read_process(struct dj_live *live, struct dj_live_process *process,
                        struct dj_error *err)
{
    struct dj_snapshot snapshot = {0};
    struct dj_error failure = {0};
    int code = read_snapshot(live, process, &snapshot, &failure);
    if (code == 0) {
        note_created(live, process, &snapshot);
        code = add_windows(live, process, &snapshot, &failure);
    }
    if (code == DJ_E_NOT_FOUND || (code == 0 && snapshot.ended)) {
        process->last_ns = live->now_ns;
        dj_live_end_process(live, process);
    }
    dj_segment_snapshot_finish(&snapshot);
    return code == 0 || is_transient(code)
               ? 0
               : dj_error_set(err, code, "%s", failure.message);
}

/* Reads the processes that run, or only those that were not read before. */
static int read_processes(struct dj_live *live, bool only_new, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < live->process_count; i++) {
        struct dj_live_process *process = &live->processes[i];
        if (!process->is_ended && (!only_new || process->created_ns < 0)) {
            int read_code = read_process(live, process, err);
            code = read_code != 0 ? read_code : code;
        }
    }
    return code;
}

int dj_live_read_local(struct dj_live *live, struct dj_error *err)
{
    live->now_ns = dj_host_now_ns();
    live->next_ns = live->now_ns + UPDATE_NS;
    /* Grows at once if a reading needs more rows, and shrinks gradually. */
    live->rows -= live->rows / 16;
    bool was_running = dj_live_has_running(live);
    int code = read_processes(live, false, err);
    bool has_ended = was_running && !dj_live_has_running(live);
    if (code == 0 && (has_ended || live->now_ns >= live->scan_ns)) {
        code = find_segments(live, err);
        code = code == 0 ? read_processes(live, true, err) : code;
        live->scan_ns =
            live->now_ns + (dj_live_has_running(live) ? SCAN_NS : SCAN_WAITING_NS);
    }
    return code;
}
