/* Decides whether the frames of a window are read from gfxinfo or from SurfaceFlinger. */
#include <string.h>

#include "base/checked.h"
#include "measure/window/collector.h"

/* An app draws if a frame was shown in this time before the window. */
#define RECENT_NS DJ_SECOND_NS
/* Time between the two readings that show whether the app draws without gfxinfo. */
#define PROBE_NS (300 * DJ_MILLISECOND_NS)

/* Returns how many frames gfxinfo has counted, over all processes. */
static uint64_t sum_frames(const struct dj_dump *dump)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        sum += dump->processes[i].stats.stats.counter[DJ_COUNTER_TOTAL];
    }
    return sum;
}

static int64_t find_latest_end(const struct dj_dump *dump)
{
    int64_t latest_ns = INT64_MIN;
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            const struct dj_dump_window *window = &process->windows[k];
            for (size_t n = 0; n < window->frame_count; n++) {
                int64_t end_ns = dj_frame_get_end(&window->frames[n], INT64_MIN);
                latest_ns = end_ns > latest_ns ? end_ns : latest_ns;
            }
        }
    }
    return latest_ns;
}

void dj_source_note_opening(struct dj_collector *collector,
                            const struct dj_device_gfxinfo *reading)
{
    int64_t latest_ns = find_latest_end(&reading->dump);
    bool is_recent = reading->dev_ns < 0 || dj_checked_subtract_saturated(
                                                reading->dev_ns, latest_ns) < RECENT_NS;
    collector->opening_frames = sum_frames(&reading->dump);
    /* Only Android has SurfaceFlinger. Elsewhere, a reading comes from dejank. */
    collector->is_silent =
        !reading->reset_keeps_rows && !reading->reset_is_exact &&
        (latest_ns == INT64_MIN
             ? collector->opening_frames == 0 || !collector->options->aggregate_only
             : !is_recent);
}

/* Reads the presents of the app's layers. Returns the latest, or 0 if none is known. */
static int64_t read_latest(struct dj_surface_reader *reader, int64_t *dev_ns)
{
    const struct dj_surface_request request = {.opening = false};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error ignored = {0};
    int code = dj_surface_reader_read(reader, &request, &reading, &ignored);
    *dev_ns = reading.dev_ns;
    dj_device_gfxinfo_finish(&reading);
    return code == 0 ? dj_surface_reader_find_latest(reader) : 0;
}

/* Returns whether gfxinfo has counted a frame since the first reading. */
static bool has_counted(const struct dj_collector *collector)
{
    const struct dj_gfxinfo_request request = {.package = collector->options->package,
                                               .since_ns = -1};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error ignored = {0};
    int code = dj_device_read_gfxinfo(collector->device, &request, &reading, &ignored);
    bool counted = code != 0 || sum_frames(&reading.dump) != collector->opening_frames;
    dj_device_gfxinfo_finish(&reading);
    return counted;
}

bool dj_source_is_surface(const struct dj_collector *collector)
{
    struct dj_surface_reader reader = {.device = collector->device,
                                       .package = collector->options->package};
    int64_t dev_ns = -1;
    if (!collector->is_silent) {
        return false;
    }
    int64_t first_ns = read_latest(&reader, &dev_ns);
    bool draws = first_ns > 0 && dev_ns - first_ns < RECENT_NS;
    if (draws) {
        dj_host_sleep_ns(PROBE_NS);
        draws = read_latest(&reader, &dev_ns) > first_ns && !has_counted(collector);
    }
    dj_surface_reader_finish(&reader);
    return draws;
}
