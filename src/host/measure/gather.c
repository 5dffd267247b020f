#include "measure/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checked.h"

static int no_memory(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

static void finish_window(struct dj_gather_window *window)
{
    free(window->key);
    free(window->title);
    free(window->stats_title);
    for (size_t i = 0; window->vendor != NULL && i < window->rows.vendor_count; i++) {
        free(window->vendor[i].name);
    }
    free(window->vendor);
    dj_row_store_finish(&window->rows);
}

static void finish_process(struct dj_gather_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        finish_window(&process->windows[i]);
    }
    free(process->windows);
    free(process->name);
    free(process->pipeline);
    free(process->disabled);
}

void dj_gather_finish(struct dj_gather *gather)
{
    for (size_t i = 0; i < gather->process_count; i++) {
        finish_process(&gather->processes[i]);
    }
    free(gather->processes);
    *gather = (struct dj_gather){0};
}

/* Keeps the newest value; a text that went away leaves the old one. */
static bool keep_text(char **kept, const char *now)
{
    if (now == NULL || (*kept != NULL && strcmp(*kept, now) == 0)) {
        return true;
    }
    char *copy = strdup(now);
    if (copy == NULL) {
        return false;
    }
    free(*kept);
    *kept = copy;
    return true;
}

static struct dj_gather_process *find_process(struct dj_gather *gather, int64_t pid)
{
    for (size_t i = 0; i < gather->process_count; i++) {
        if (gather->processes[i].pid == pid) {
            return &gather->processes[i];
        }
    }
    return NULL;
}

static struct dj_gather_process *add_process(struct dj_gather *gather, int64_t pid)
{
    if (!DJ_ARRAY_ROOM(gather->processes, gather->process_count)) {
        return NULL;
    }
    struct dj_gather_process *process = &gather->processes[gather->process_count++];
    *process = (struct dj_gather_process){.pid = pid};
    return process;
}

static const char *key_of(const struct dj_dump_window *window)
{
    if (window->title != NULL) {
        return window->title;
    }
    return window->stats_title != NULL ? window->stats_title : "";
}

/* Which of several windows of the same name in this section. */
static size_t ordinal_of(const struct dj_dump_process *section, size_t index)
{
    size_t ordinal = 0;
    for (size_t i = 0; i < index; i++) {
        ordinal +=
            strcmp(key_of(&section->windows[i]), key_of(&section->windows[index])) == 0;
    }
    return ordinal;
}

static struct dj_gather_window *take_window(struct dj_gather *gather,
                                            struct dj_gather_process *process,
                                            const char *key, size_t ordinal)
{
    for (size_t i = 0; i < process->window_count; i++) {
        struct dj_gather_window *window = &process->windows[i];
        if (window->ordinal == ordinal && strcmp(window->key, key) == 0) {
            return window;
        }
    }
    if (!DJ_ARRAY_ROOM(process->windows, process->window_count)) {
        return NULL;
    }
    struct dj_gather_window *window = &process->windows[process->window_count];
    *window = (struct dj_gather_window){
        .ordinal = ordinal, .visibility = -1, .rows.budget = &gather->budget};
    window->key = strdup(key);
    if (window->key == NULL) {
        return NULL;
    }
    process->window_count++;
    return window;
}

/* Counters that began inside the window are all ours. Without "Stats since" a process
 * first seen in mid-window is taken for new. */
static bool is_all_ours(const struct dj_gather *gather, const struct dj_stats *stats,
                        bool opening)
{
    return !opening && (stats->since_ns == 0 || stats->since_ns >= gather->start_ns);
}

static void read_block(const struct dj_gather *gather, struct dj_tally *tally,
                       uint32_t *lines, const struct dj_stats_block *block, bool opening)
{
    if (!block->present) {
        return;
    }
    *lines = block->lines;
    if (tally->opened) {
        dj_tally_read(tally, &block->stats);
    } else {
        dj_tally_open(tally, &block->stats, is_all_ours(gather, &block->stats, opening));
    }
}

enum { BURST_ROWS = 60 };

/* How fast frames came last, so that the first wait fits an app that is under way
 * already. */
static double burst_hz_of(const struct dj_dump_window *section)
{
    size_t count = section->frame_count < BURST_ROWS ? section->frame_count : BURST_ROWS;
    if (count < 2) {
        return 0;
    }
    const struct dj_frame *first = &section->frames[section->frame_count - count];
    const struct dj_frame *last = &section->frames[section->frame_count - 1];
    int64_t span_ns =
        dj_subtract_saturated(dj_frame_get(last, DJ_COLUMN_INTENDED_VSYNC, 0),
                              dj_frame_get(first, DJ_COLUMN_INTENDED_VSYNC, 0));
    return span_ns > 0 ? (double)(count - 1) * 1e9 / (double)span_ns : 0;
}

static int read_rows(struct dj_gather *gather, struct dj_gather_window *window,
                     const struct dj_dump_window *section, uint64_t required,
                     bool opening, struct dj_error *err)
{
    uint64_t fresh = 0;
    size_t vendors = section->vendor_count;
    bool same = vendors > 0 && vendors == window->rows.vendor_count;
    for (size_t i = 0; i < section->frame_count; i++) {
        const struct dj_frame *frame = &section->frames[i];
        bool added = false;
        bool stored = true;
        if (!dj_frame_has_all(frame, required)) {
            continue; /* a cut row must not take the place of a whole one */
        }
        if (!opening) {
            stored = dj_row_store_put(&window->rows, frame,
                                      same ? section->vendor_values + i * vendors : NULL,
                                      &added);
        } else if (dj_frame_complete(frame)) {
            stored = dj_row_store_exclude(&window->rows, frame);
        }
        if (!stored) {
            return no_memory(err);
        }
        fresh += added ? 1 : 0;
        gather->interval_ns =
            dj_frame_get(frame, DJ_COLUMN_FRAME_INTERVAL, gather->interval_ns);
    }
    gather->rows += fresh;
    gather->fresh = fresh > gather->fresh ? fresh : gather->fresh;
    return 0;
}

static uint32_t total_of(const struct dj_tally *tally)
{
    return tally->last.counter[DJ_COUNTER_TOTAL];
}

/* The first reading with a vendor's columns tells which there are. */
static bool keep_vendor(struct dj_gather_window *window,
                        const struct dj_dump_window *from)
{
    if (from->vendor_count == 0 || window->vendor != NULL || window->rows.count > 0) {
        return true;
    }
    window->vendor = calloc(from->vendor_count, sizeof(*window->vendor));
    window->rows.vendor_count = window->vendor != NULL ? from->vendor_count : 0;
    bool kept = window->vendor != NULL;
    for (size_t i = 0; kept && i < from->vendor_count; i++) {
        window->vendor[i].position = from->vendor[i].position;
        kept = keep_text(&window->vendor[i].name, from->vendor[i].name);
    }
    return kept;
}

static int read_window(struct dj_gather *gather, struct dj_gather_process *process,
                       const struct dj_dump_process *section, size_t index, bool opening,
                       struct dj_error *err)
{
    const struct dj_dump_window *from = &section->windows[index];
    struct dj_gather_window *window =
        take_window(gather, process, key_of(from), ordinal_of(section, index));
    if (window == NULL || !keep_text(&window->title, from->title) ||
        !keep_text(&window->stats_title, from->stats_title)) {
        return no_memory(err);
    }
    window->visibility = from->visibility;
    window->has_frames = window->has_frames || from->has_frames;
    if (from->has_frames) {
        window->columns = from->columns;
        if (!keep_vendor(window, from)) {
            return no_memory(err);
        }
    }
    read_block(gather, &window->tally, &window->lines, &from->stats, opening);
    double burst_hz = burst_hz_of(from);
    gather->burst_hz = burst_hz > gather->burst_hz ? burst_hz : gather->burst_hz;
    return read_rows(gather, window, from, dj_dump_required_columns(section, from),
                     opening, err);
}

static int read_process(struct dj_gather *gather, const struct dj_dump_process *section,
                        bool opening, struct dj_error *err)
{
    struct dj_gather_process *process = find_process(gather, section->pid);
    bool first = process == NULL;
    if (first) {
        process = add_process(gather, section->pid);
        if (process == NULL) {
            return no_memory(err);
        }
        process->ignored = opening && section->ended;
        process->dropped_before = opening ? section->dropped : 0;
    }
    /* A process that became another program has a section for each, the present one's
     * first; the earlier ones change no more. */
    bool earlier = process->seen;
    process->seen = true;
    if (earlier || process->ignored) {
        return 0;
    }
    if (!keep_text(&process->name, section->name) ||
        !keep_text(&process->pipeline, section->pipeline) ||
        !keep_text(&process->disabled, section->disabled)) {
        return no_memory(err);
    }
    process->ended = section->ended;
    process->interval_ns = section->interval_ns;
    process->interval_assumed = section->interval_assumed;
    process->dropped = section->dropped;
    gather->anyone = gather->anyone || !section->ended;
    if (section->interval_ns > 0) {
        gather->interval_ns = section->interval_ns;
    }
    uint32_t before = total_of(&process->tally);
    read_block(gather, &process->tally, &process->lines, &section->stats, opening);
    /* Rows tell a window's rate until the ring overruns; then only the counters know it.
     */
    uint32_t counted = total_of(&process->tally) - before;
    if (!opening && !first && section->window_count == 1 && counted < UINT32_MAX / 2 &&
        counted > gather->fresh) {
        gather->fresh = counted;
    }
    process->not_recorded |= section->not_recorded;
    for (size_t i = 0; i < section->window_count; i++) {
        int code = read_window(gather, process, section, i, opening, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* A process that is in no section any more has ended; one that came after that is its
 * restart. */
static void note_absent(struct dj_gather *gather, size_t known)
{
    bool lost = false;
    for (size_t i = 0; i < known; i++) {
        struct dj_gather_process *process = &gather->processes[i];
        process->ended = process->ended || !process->seen;
        lost = lost || (process->ended && !process->ignored);
    }
    if (lost) {
        gather->restarts += gather->process_count - known;
    }
}

static int read_all(struct dj_gather *gather, const struct dj_gfxinfo *reading,
                    bool opening, struct dj_error *err)
{
    const struct dj_dump *dump = &reading->dump;
    size_t known = gather->process_count;
    gather->fresh = 0;
    gather->burst_hz = 0;
    gather->anyone = false;
    if (dump->dialect != NULL) {
        gather->dialect = dump->dialect;
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

int dj_gather_open(struct dj_gather *gather, const struct dj_gfxinfo *reading,
                   struct dj_error *err)
{
    gather->start_ns = reading->dev_ns >= 0 ? reading->dev_ns : INT64_MIN;
    return read_all(gather, reading, true, err);
}

int dj_gather_read(struct dj_gather *gather, const struct dj_gfxinfo *reading,
                   struct dj_error *err)
{
    int code = read_all(gather, reading, false, err);
    if (code == 0 && gather->rows > DJ_GATHER_ROWS_MAX) {
        code = dj_error_set(err, DJ_E_LIMIT,
                            "more than %d frames: collect for a shorter time",
                            DJ_GATHER_ROWS_MAX);
    }
    return code;
}

void dj_gather_reset(struct dj_gather *gather)
{
    for (size_t i = 0; i < gather->process_count; i++) {
        struct dj_gather_process *process = &gather->processes[i];
        dj_tally_reset(&process->tally);
        for (size_t k = 0; k < process->window_count; k++) {
            dj_tally_reset(&process->windows[k].tally);
        }
    }
}
