#include "measure/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checked.h"

static int fail_no_memory(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

void dj_measure_gather_finish(struct dj_gather *gather)
{
    for (size_t i = 0; i < gather->process_count; i++) {
        struct dj_gather_process *process = &gather->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            free(process->windows[k].key);
            dj_row_store_finish(&process->windows[k].rows);
        }
        free(process->windows);
    }
    free(gather->processes);
    dj_gfxinfo_dump_finish(&gather->dump);
    *gather = (struct dj_gather){0};
}

/* Replaces *stored by a copy of the text `now`. Does nothing if `now` is NULL. Returns
 * false if memory runs out. */
static bool replace_text(char **stored, const char *now)
{
    if (now == NULL || (*stored != NULL && strcmp(*stored, now) == 0)) {
        return true;
    }
    char *copy = strdup(now);
    if (copy == NULL) {
        return false;
    }
    free(*stored);
    *stored = copy;
    return true;
}

/* Returns the index of the process, or the number of processes if no process has this
 * pid. */
static size_t find_process(const struct dj_gather *gather, int64_t pid)
{
    size_t i = 0;
    while (i < gather->process_count && gather->dump.processes[i].pid != pid) {
        i++;
    }
    return i;
}

static bool add_process(struct dj_gather *gather, const struct dj_dump_process *section,
                        bool opening)
{
    struct dj_dump_process *made = NULL;
    if (DJ_ARRAY_ROOM(gather->processes, gather->process_count)) {
        made = dj_gfxinfo_dump_add_process(&gather->dump);
    }
    if (made == NULL) {
        return false;
    }
    made->pid = section->pid;
    gather->processes[gather->process_count++] =
        (struct dj_gather_process){.ignored = opening && section->ended,
                                   .dropped_before = opening ? section->dropped : 0};
    return true;
}

/* Finds or adds a window, and sets *at to its index. Returns false if memory runs out. */
static bool find_or_add_window(struct dj_gather *gather, size_t process_at,
                               const char *key, size_t ordinal, size_t *at)
{
    struct dj_gather_process *process = &gather->processes[process_at];
    for (*at = 0; *at < process->window_count; ++*at) {
        const struct dj_gather_window *window = &process->windows[*at];
        if (window->ordinal == ordinal && strcmp(window->key, key) == 0) {
            return true;
        }
    }
    char *copy = strdup(key);
    if (copy == NULL || !DJ_ARRAY_ROOM(process->windows, process->window_count) ||
        dj_gfxinfo_dump_add_window(&gather->dump.processes[process_at]) == NULL) {
        free(copy);
        return false;
    }
    process->windows[process->window_count++] = (struct dj_gather_window){
        .key = copy, .ordinal = ordinal, .rows.budget = &gather->budget};
    return true;
}

static void read_block(const struct dj_gather *gather, struct dj_stats_accumulator *tally,
                       uint32_t *lines, const struct dj_stats_block *block, bool opening)
{
    if (!block->present) {
        return;
    }
    *lines = block->lines;
    /* Counters that began during the window are included completely. If the dump has no
     * "Stats since" line, the counters of a process are assumed to have begun during the
     * window if the process first appears during the window. */
    int64_t since_ns = block->stats.since_ns;
    bool all_ours = !opening && (since_ns == 0 || since_ns >= gather->start_ns);
    if (tally->started) {
        dj_frame_accumulator_add(tally, &block->stats);
    } else {
        dj_frame_accumulator_start(tally, &block->stats, all_ours);
    }
}

enum { BURST_ROWS = 60 };

/* Returns the frame rate of the newest rows, or 0 if there are too few rows. The time
 * until the next reading depends on it. */
static double estimate_burst_hz(const struct dj_dump_window *section)
{
    size_t count = section->frame_count < BURST_ROWS ? section->frame_count : BURST_ROWS;
    if (count < 2) {
        return 0;
    }
    const struct dj_frame *first = &section->frames[section->frame_count - count];
    const struct dj_frame *last = &section->frames[section->frame_count - 1];
    int64_t span_ns = dj_checked_subtract_saturated(dj_frame_get_time(last, 0),
                                                    dj_frame_get_time(first, 0));
    return span_ns > 0 ? (double)(count - 1) * 1e9 / (double)span_ns : 0;
}

static int read_rows(struct dj_gather *gather, struct dj_gather_window *window,
                     const struct dj_dump_window *section, uint64_t required,
                     bool opening, struct dj_error *err)
{
    uint64_t new_rows = 0;
    size_t vendors = section->vendor_count;
    bool same = vendors > 0 && vendors == window->rows.vendor_count;
    for (size_t i = 0; i < section->frame_count; i++) {
        const struct dj_frame *frame = &section->frames[i];
        bool added = false;
        bool stored = true;
        if (!dj_frame_has_all(frame, required)) {
            /* An incomplete row must not replace a complete row of the same frame. */
            continue;
        }
        if (!opening) {
            stored = dj_row_store_add(&window->rows, frame,
                                      same ? section->vendor_values + i * vendors : NULL,
                                      &added);
        } else if (dj_frame_is_complete(frame)) {
            stored = dj_row_store_exclude(&window->rows, frame);
        }
        if (!stored) {
            return fail_no_memory(err);
        }
        new_rows += added ? 1 : 0;
        gather->interval_ns =
            dj_frame_get(frame, DJ_COLUMN_FRAME_INTERVAL, gather->interval_ns);
    }
    gather->rows += new_rows;
    gather->new_rows = new_rows > gather->new_rows ? new_rows : gather->new_rows;
    return 0;
}

static uint32_t get_total(const struct dj_stats_accumulator *tally)
{
    return tally->last.counter[DJ_COUNTER_TOTAL];
}

/* Copies the vendor's columns if no earlier reading had such columns. */
static bool copy_vendor_columns(struct dj_dump_window *stored, struct dj_row_store *rows,
                                const struct dj_dump_window *from)
{
    if (from->vendor_count == 0 || stored->vendor != NULL || rows->count > 0) {
        return true;
    }
    stored->vendor = calloc(from->vendor_count, sizeof(*stored->vendor));
    if (stored->vendor == NULL) {
        return false;
    }
    stored->vendor_count = rows->vendor_count = from->vendor_count;
    bool copied = true;
    for (size_t i = 0; copied && i < from->vendor_count; i++) {
        stored->vendor[i].position = from->vendor[i].position;
        copied = replace_text(&stored->vendor[i].name, from->vendor[i].name);
    }
    return copied;
}

static int read_window(struct dj_gather *gather, size_t process_at,
                       const struct dj_dump_process *section, size_t index, bool opening,
                       struct dj_error *err)
{
    size_t at;
    const struct dj_dump_window *from = &section->windows[index];
    if (!find_or_add_window(gather, process_at, dj_gfxinfo_dump_window_title(from),
                            dj_gfxinfo_dump_window_ordinal(section, index), &at)) {
        return fail_no_memory(err);
    }
    struct dj_gather_window *window = &gather->processes[process_at].windows[at];
    struct dj_dump_window *stored = &gather->dump.processes[process_at].windows[at];
    if (!replace_text(&stored->title, from->title) ||
        !replace_text(&stored->stats_title, from->stats_title)) {
        return fail_no_memory(err);
    }
    stored->visibility = from->visibility;
    stored->has_frames = stored->has_frames || from->has_frames;
    if (from->has_frames) {
        stored->columns = from->columns;
        if (!copy_vendor_columns(stored, &window->rows, from)) {
            return fail_no_memory(err);
        }
    }
    read_block(gather, &window->tally, &window->lines, &from->stats, opening);
    double burst_hz = estimate_burst_hz(from);
    gather->burst_hz = burst_hz > gather->burst_hz ? burst_hz : gather->burst_hz;
    return read_rows(gather, window, from,
                     dj_gfxinfo_dump_required_columns(section, from), opening, err);
}

static int read_process(struct dj_gather *gather, const struct dj_dump_process *section,
                        bool opening, struct dj_error *err)
{
    size_t at = find_process(gather, section->pid);
    bool first = at == gather->process_count;
    if (first && !add_process(gather, section, opening)) {
        return fail_no_memory(err);
    }
    struct dj_gather_process *process = &gather->processes[at];
    struct dj_dump_process *stored = &gather->dump.processes[at];
    /* A process that called exec() has one section for each of its programs. The section
     * of the current program is first. Later sections are ignored, because their counters
     * no longer change. */
    bool earlier = process->seen;
    process->seen = true;
    if (earlier || process->ignored) {
        return 0;
    }
    if (!replace_text(&stored->name, section->name) ||
        !replace_text(&stored->pipeline, section->pipeline) ||
        !replace_text(&stored->disabled, section->disabled)) {
        return fail_no_memory(err);
    }
    stored->ended = section->ended;
    stored->interval_ns = section->interval_ns;
    stored->interval_assumed = section->interval_assumed;
    stored->dropped = section->dropped;
    gather->is_running = gather->is_running || !section->ended;
    if (section->interval_ns > 0) {
        gather->interval_ns = section->interval_ns;
    }
    uint32_t before = get_total(&process->tally);
    read_block(gather, &process->tally, &process->lines, &section->stats, opening);
    /* Usually the number of new rows shows the frame rate. If the ring has overwritten
     * unread rows, only the counters show it. */
    uint32_t counted = get_total(&process->tally) - before;
    if (!opening && !first && section->window_count == 1 && counted < UINT32_MAX / 2 &&
        counted > gather->new_rows) {
        gather->new_rows = counted;
    }
    stored->not_recorded |= section->not_recorded;
    for (size_t i = 0; i < section->window_count; i++) {
        int code = read_window(gather, at, section, i, opening, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Marks processes that have no section in this reading as ended. If a process has ended,
 * processes that first appear in this reading are counted as restarts. */
static void note_absent(struct dj_gather *gather, size_t known)
{
    bool lost = false;
    for (size_t i = 0; i < known; i++) {
        const struct dj_gather_process *process = &gather->processes[i];
        bool *ended = &gather->dump.processes[i].ended;
        *ended = *ended || !process->seen;
        lost = lost || (*ended && !process->ignored);
    }
    if (lost) {
        gather->restarts += gather->process_count - known;
    }
}

static int read_all(struct dj_gather *gather, const struct dj_device_gfxinfo *reading,
                    bool opening, struct dj_error *err)
{
    const struct dj_dump *dump = &reading->dump;
    size_t known = gather->process_count;
    gather->new_rows = 0;
    gather->burst_hz = 0;
    gather->is_running = false;
    if (dump->dialect != NULL) {
        gather->dump.dialect = dump->dialect;
    }
    for (size_t i = 0; i < known; i++) {
        gather->processes[i].seen = false;
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        int code = read_process(gather, &dump->processes[i], opening, err);
        if (code != 0) {
            return code;
        }
    }
    if (!opening) {
        note_absent(gather, known);
    }
    return 0;
}

int dj_measure_gather_open(struct dj_gather *gather,
                           const struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    gather->start_ns = reading->dev_ns >= 0 ? reading->dev_ns : INT64_MIN;
    return read_all(gather, reading, true, err);
}

int dj_measure_gather_add(struct dj_gather *gather,
                          const struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    int code = read_all(gather, reading, false, err);
    if (code == 0 && gather->rows > DJ_GATHER_ROWS_MAX) {
        code = dj_error_set(err, DJ_E_LIMIT,
                            "more than %d frames in one window: use a shorter window",
                            DJ_GATHER_ROWS_MAX);
    }
    return code;
}

void dj_measure_gather_note_reset(struct dj_gather *gather)
{
    for (size_t i = 0; i < gather->process_count; i++) {
        struct dj_gather_process *process = &gather->processes[i];
        dj_frame_accumulator_reset(&process->tally);
        for (size_t k = 0; k < process->window_count; k++) {
            dj_frame_accumulator_reset(&process->windows[k].tally);
        }
    }
}
