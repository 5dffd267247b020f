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

static bool has_rows(const struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            if (process->windows[k].frame_count > 0) {
                return true;
            }
        }
    }
    return false;
}

bool dj_source_is_unanswered(const struct dj_device_gfxinfo *reading)
{
    for (size_t i = 0; i < reading->dump.process_count; i++) {
        const struct dj_dump_process *process = &reading->dump.processes[i];
        if (process->stats.present || process->window_count > 0) {
            return false;
        }
    }
    return reading->report.refusal == DJ_REFUSAL_FAILED;
}

int dj_source_set_unanswered(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_DATA, "the app did not answer the dump in time");
}

void dj_source_note_opening(struct dj_collector *collector,
                            const struct dj_device_gfxinfo *reading)
{
    /* Only Android has SurfaceFlinger. Elsewhere, a reading comes from dejank. */
    collector->may_draw_without_gfxinfo =
        !reading->reset_keeps_rows && !reading->reset_is_exact &&
        sum_frames(&reading->dump) == 0 && !has_rows(&reading->dump);
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

static int read_gfxinfo(const struct dj_collector *collector,
                        struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    const struct dj_gfxinfo_request request = {.package = collector->options->package,
                                               .since_ns = -1};
    return dj_device_read_gfxinfo(collector->device, &request, reading, err);
}

/* Returns whether the app answers gfxinfo, which still has not counted a frame. */
static bool is_answered_without_frames(const struct dj_collector *collector)
{
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error ignored = {0};
    int code = read_gfxinfo(collector, &reading, &ignored);
    bool without_frames =
        code == 0 && !dj_source_is_unanswered(&reading) && sum_frames(&reading.dump) == 0;
    dj_device_gfxinfo_finish(&reading);
    return without_frames;
}

bool dj_source_is_surface(const struct dj_collector *collector)
{
    struct dj_surface_reader reader = {.device = collector->device,
                                       .package = collector->options->package};
    int64_t dev_ns = -1;
    if (!collector->may_draw_without_gfxinfo) {
        return false;
    }
    int64_t first_ns = read_latest(&reader, &dev_ns);
    bool draws = first_ns > 0 && dev_ns - first_ns < RECENT_NS;
    if (draws) {
        dj_host_sleep_ns(PROBE_NS);
        draws = read_latest(&reader, &dev_ns) > first_ns &&
                is_answered_without_frames(collector);
    }
    dj_surface_reader_finish(&reader);
    return draws;
}

int dj_source_check_answer(const struct dj_collector *collector, struct dj_error *err)
{
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    int code = read_gfxinfo(collector, &reading, err);
    if (code == 0 && dj_source_is_unanswered(&reading)) {
        code = dj_source_set_unanswered(err);
    }
    dj_device_gfxinfo_finish(&reading);
    return code;
}
