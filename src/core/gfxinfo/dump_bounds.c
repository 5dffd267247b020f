#include "base/checked.h"
#include "gfxinfo/dump.h"
#include "stats/quantile.h"

/* Maximum number of sampled rows. A median and a majority need no more. */
enum { SAMPLE = 1024 };

static const int64_t NS_PER_MS = 1000000;

static size_t count_rows(const struct dj_dump *dump)
{
    size_t count = 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            count += process->windows[k].frame_count;
        }
    }
    return count;
}

/* The time of each row (dj_frame_find_time()), or of every n-th row if there are more
 * than SAMPLE. */
struct starts {
    int64_t ns[SAMPLE];
    size_t count;
    /* `stride` is the n in "every n-th row". `skip` is the number of rows to skip in the
     * next window. */
    size_t stride, skip;
};

static void add_starts(const struct dj_dump_window *window, struct starts *starts)
{
    size_t i = starts->skip;
    for (; i < window->frame_count; i += starts->stride) {
        int64_t ns = dj_frame_get_time(&window->frames[i], 0);
        if (ns > 0) {
            starts->ns[starts->count++] = ns;
        }
    }
    starts->skip = i - window->frame_count;
}

/* Finds the start times and sorts them in ascending order. */
static void find_starts(const struct dj_dump *dump, struct starts *starts)
{
    starts->count = starts->skip = 0;
    starts->stride = count_rows(dump) / SAMPLE + 1;
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            add_starts(&process->windows[k], starts);
        }
    }
    dj_quantile_sort_int64(starts->ns, starts->count);
}

/* Returns the latest plausible timestamp, or INT64_MAX if the uptime is unknown or too
 * large to convert to ns. */
static int64_t compute_latest_ns(const struct dj_dump *dump)
{
    int64_t most_ms = INT64_MAX / NS_PER_MS - DJ_DUMP_PRINTING_MS;
    return dump->uptime_ms >= 0 && dump->uptime_ms < most_ms
               ? (dump->uptime_ms + DJ_DUMP_PRINTING_MS) * NS_PER_MS
               : INT64_MAX;
}

void dj_gfxinfo_dump_find_bounds(struct dj_dump *dump)
{
    struct starts starts;
    int64_t latest_ns = compute_latest_ns(dump);
    dump->plausible = (struct dj_stamp_bounds){0};
    find_starts(dump, &starts);
    if (starts.count == 0) {
        return;
    }
    int64_t median_ns = starts.ns[(starts.count - 1) / 2];
    if (latest_ns < INT64_MAX && median_ns <= latest_ns) {
        dump->plausible = (struct dj_stamp_bounds){1, latest_ns};
        return;
    }
    int64_t day_ns = DJ_DUMP_DAY_MS * NS_PER_MS;
    dump->plausible.earliest_ns = median_ns > day_ns ? median_ns - day_ns : 1;
    dump->plausible.latest_ns = dj_checked_add_saturated(median_ns, day_ns);
}
