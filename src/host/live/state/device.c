#include <stdlib.h>
#include <string.h>

#include "frame/recovery.h"
#include "live/state/state.h"

/* Maximum time between two readings. A longer time would save little work. */
#define MOST_DELAY_NS (DJ_SECOND_NS / 2)
/* After an error, the next reading waits for this time. */
#define RETRY_NS DJ_SECOND_NS

/* Number of rows that a full ring may lack, because their slots are being written. */
enum { RING_SLACK = 8 };

static struct dj_live_process *find_process(struct dj_live *live, int64_t pid)
{
    for (size_t i = live->process_count; i-- > 0;) {
        struct dj_live_process *process = &live->processes[i];
        if (process->pid == pid && !process->is_ended) {
            return process;
        }
    }
    return NULL;
}

static bool has_title(const struct dj_live_window_state *window, const char *title)
{
    return strncmp(window->window.title, title, sizeof(window->window.title) - 1) == 0;
}

static struct dj_live_window_state *find_window(struct dj_live *live, uint32_t process_id,
                                                const char *title, size_t ordinal)
{
    for (size_t i = live->window_count; i-- > 0;) {
        struct dj_live_window_state *window = &live->windows[i];
        if (window->process_id == process_id && !window->window.is_ended &&
            window->ordinal == ordinal && has_title(window, title)) {
            return window;
        }
    }
    return NULL;
}

static int64_t get_start(const struct dj_frame *row)
{
    return dj_frame_get_time(row, -1);
}

/* The new complete rows of a window. */
struct new_rows {
    size_t first, count;
    bool has_known; /* Whether the dump also contains a row that was already read. */
};

/* Finds the rows after the last one that was read. The newest rows may be incomplete,
 * and are left for the next reading. */
static struct new_rows find_new_rows(const struct dj_live_window_state *window,
                                     const struct dj_dump_window *now)
{
    struct new_rows rows = {0};
    size_t end = now->frame_count;
    while (end > 0 && !dj_frame_is_complete(&now->frames[end - 1])) {
        end--;
    }
    size_t first = end;
    while (first > 0 && get_start(&now->frames[first - 1]) > window->last_start_ns) {
        first--;
    }
    rows.has_known = first > 0;
    rows.first = first;
    rows.count = end - first;
    return rows;
}

/* Returns the number of frames that were overwritten between two readings, or −1 if it is
 * unknown. `counted` is the number of frames that the app has counted in this time, or −1
 * if it is unknown. */
static int64_t find_lost(const struct dj_live *live,
                         const struct dj_live_window_state *window,
                         const struct dj_dump_window *now, const struct new_rows *rows,
                         int64_t counted)
{
    bool is_full = now->frame_count + RING_SLACK >= live->plan.ring_rows;
    if (window->last_start_ns < 0 || rows->has_known || rows->count == 0 || !is_full) {
        return 0;
    }
    return counted > (int64_t)rows->count ? counted - (int64_t)rows->count : -1;
}

static int read_window(struct dj_live *live, struct dj_live_process *process,
                       const struct dj_dump *dump, const struct dj_dump_process *section,
                       size_t index, int64_t counted, struct dj_error *err)
{
    const struct dj_dump_window *now = &section->windows[index];
    size_t ordinal = dj_gfxinfo_dump_window_ordinal(section, index);
    struct dj_live_window_state *window =
        find_window(live, process->id, dj_gfxinfo_dump_window_title(now), ordinal);
    if (window == NULL) {
        window = dj_live_add_window(live, process, dj_gfxinfo_dump_window_title(now));
        if (window == NULL) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        window->ordinal = ordinal;
    }
    window->is_seen = true;
    struct new_rows found = find_new_rows(window, now);
    if (window->last_start_ns < 0 && live->now_ns >= 0) {
        while (found.count > 0 &&
               get_start(&now->frames[found.first]) < live->now_ns - DJ_LIVE_SPAN_NS) {
            found.first++;
            found.count--;
        }
    }
    int64_t lost = find_lost(live, window, now, &found, counted);
    uint64_t gap = lost < 0 ? 1 : (uint64_t)lost;
    const struct dj_live_rows rows = {.frames = now->frames + found.first,
                                      .count = found.count,
                                      .first_number = window->next_number + gap,
                                      .lost_before = lost,
                                      .dump = dump,
                                      .process = section,
                                      .window = now};
    return dj_live_add_rows(live, window, &rows, err);
}

/* Returns the number of frames that the process has counted since the last reading, or −1
 * if it is unknown. */
static int64_t count_frames(struct dj_live_process *process,
                            const struct dj_dump_process *section)
{
    if (!section->stats.present) {
        return -1;
    }
    uint32_t total = section->stats.stats.counter[DJ_COUNTER_TOTAL];
    int64_t counted = process->has_total && total >= process->total
                          ? (int64_t)(total - process->total)
                          : -1;
    process->has_total = true;
    process->total = total;
    return counted;
}

static void end_unseen_windows(struct dj_live *live, uint32_t process_id)
{
    for (size_t i = 0; i < live->window_count; i++) {
        struct dj_live_window_state *window = &live->windows[i];
        if (window->process_id == process_id && !window->is_seen) {
            window->window.is_ended = true;
        }
    }
}

static int read_section(struct dj_live *live, struct dj_live_process *process,
                        const struct dj_dump *dump, const struct dj_dump_process *section,
                        struct dj_error *err)
{
    int64_t counted = count_frames(process, section);
    if (section->window_count != 1) {
        counted = -1;
    }
    for (size_t i = 0; i < live->window_count; i++) {
        live->windows[i].is_seen = false;
    }
    for (size_t i = 0; i < section->window_count; i++) {
        int code = read_window(live, process, dump, section, i, counted, err);
        if (code != 0) {
            return code;
        }
    }
    end_unseen_windows(live, process->id);
    if (section->ended) {
        dj_live_end_process(live, process);
    }
    return 0;
}

static size_t count_sections(const struct dj_dump *dump, int64_t pid)
{
    size_t count = 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        count += dump->processes[i].pid == pid;
    }
    return count;
}

/* Returns whether an earlier section of the dump has the same pid. It belongs to the
 * current program of a process that called exec(). */
static bool is_replaced(const struct dj_dump *dump, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (dump->processes[i].pid == dump->processes[index].pid) {
            return true;
        }
    }
    return false;
}

/* Finds or adds the process of a section. Sets *process to NULL for a process that had
 * ended before it was first read. */
static bool find_or_add_process(struct dj_live *live, const struct dj_dump *dump,
                                const struct dj_dump_process *section,
                                struct dj_live_process **process)
{
    size_t sections = count_sections(dump, section->pid);
    *process = find_process(live, section->pid);
    if (*process != NULL && (*process)->section_count < sections) {
        dj_live_end_process(live, *process);
        *process = NULL;
    }
    if (*process == NULL && section->ended) {
        return true;
    }
    if (*process == NULL) {
        *process = dj_live_add_process(live, section->pid, section->name);
    }
    if (*process == NULL) {
        return false;
    }
    (*process)->section_count = sections;
    (*process)->is_seen = true;
    return true;
}

static int add_reading(struct dj_live *live, const struct dj_device_gfxinfo *reading,
                       struct dj_error *err)
{
    const struct dj_dump *dump = &reading->dump;
    for (size_t i = 0; i < live->process_count; i++) {
        live->processes[i].is_seen = false;
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *section = &dump->processes[i];
        struct dj_live_process *process;
        if (is_replaced(dump, i)) {
            continue;
        }
        if (!find_or_add_process(live, dump, section, &process)) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        int code = process != NULL ? read_section(live, process, dump, section, err) : 0;
        if (code != 0) {
            return code;
        }
    }
    for (size_t i = 0; i < live->process_count; i++) {
        if (!live->processes[i].is_seen && !live->processes[i].is_ended) {
            dj_live_end_process(live, &live->processes[i]);
        }
    }
    return 0;
}

/* Returns the time from which dejank's dumpsys should print rows. It is early enough to
 * include the last known row of each window that drew in the last 10 s. So the dump shows
 * whether rows between two readings are missing. */
static int64_t find_since(const struct dj_live *live)
{
    int64_t since_ns = -1;
    for (size_t i = 0; i < live->window_count; i++) {
        const struct dj_live_window_state *window = &live->windows[i];
        int64_t end_ns = window->last_end_ns;
        if (!window->window.is_ended && end_ns >= live->last_end_ns - DJ_LIVE_SPAN_NS &&
            end_ns >= 0 && (since_ns < 0 || end_ns < since_ns)) {
            since_ns = end_ns;
        }
    }
    return since_ns;
}

static void plan_next(struct dj_live *live, const struct dj_device_gfxinfo *reading)
{
    int64_t done_ns = dj_host_now_ns();
    if (live->has_read) {
        dj_measure_poll_plan_observe(&live->plan, live->new_count,
                                     done_ns - live->read_ns);
    }
    for (size_t i = 0; i < live->window_count; i++) {
        const struct dj_live_window *window = &live->windows[i].window;
        live->plan.interval_ns =
            window->is_ended ? live->plan.interval_ns : window->interval_ns;
    }
    live->plan.cost_ns = reading->cost_ns;
    live->read_ns = done_ns;
    live->has_read = true;
    int64_t delay_ns = dj_measure_poll_plan_delay_ns(&live->plan);
    live->next_ns = done_ns + (delay_ns < MOST_DELAY_NS ? delay_ns : MOST_DELAY_NS);
}

int dj_live_read_device(struct dj_live *live, struct dj_error *err)
{
    if (dj_host_now_ns() < live->next_ns) {
        return 0;
    }
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error failure = {0};
    const struct dj_gfxinfo_request request = {
        .package = live->selected, .framestats = true, .since_ns = find_since(live)};
    int code = dj_device_read_gfxinfo(live->device, &request, &reading, &failure);
    if (code == 0) {
        live->plan.ring_rows = reading.ring_rows;
        live->now_ns = reading.dev_ns >= 0 ? reading.dev_ns : live->last_end_ns;
        live->opened_ns = live->has_read ? live->opened_ns : live->now_ns;
        code = add_reading(live, &reading, &failure);
        plan_next(live, &reading);
    } else {
        live->next_ns = dj_host_now_ns() + RETRY_NS;
    }
    dj_device_gfxinfo_finish(&reading);
    return dj_live_ignore_transient(code, &failure, err);
}
