/* Computes the result of a window from its readings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "measure/window/collector.h"

void dj_measure_collection_finish(struct dj_collection *collection)
{
    dj_gfxinfo_dump_finish(&collection->dump);
    if (collection->gather != NULL) {
        dj_measure_gather_finish(collection->gather);
        free(collection->gather);
    }
    dj_text_finish(&collection->timestats);
    *collection = (struct dj_collection){.outcome = DJ_COLLECT_DONE};
}

/* Sets the interval of the device's clock that the result covers. It is at most as long
 * as requested, and ends not later than the last reading. If the device does not report
 * its clock, the interval has no limits, and all rows after the first reading belong to
 * it. */
static void set_window(struct dj_collector *collector)
{
    struct dj_span *window = &collector->out->window;
    bool cut = collector->is_ended || collector->out->interrupted ||
               collector->out->error.code != 0;
    if (collector->gather->start_ns == INT64_MIN || collector->dev_ns < 0) {
        *window = (struct dj_span){INT64_MIN, INT64_MAX};
        return;
    }
    window->start_ns = collector->gather->start_ns;
    window->end_ns =
        dj_checked_add_saturated(window->start_ns, collector->options->duration_ns);
    if (cut && collector->dev_ns < window->end_ns) {
        window->end_ns = collector->dev_ns;
    }
}

static size_t count_overlapped(const struct dj_collector *collector,
                               const struct dj_dump_window *window)
{
    size_t overlapped = 0;
    size_t at = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        const struct dj_frame *frame = &window->frames[i];
        while (at < collector->busy_count &&
               collector->busy[at].end_ns < dj_frame_get_time(frame, 0)) {
            at++;
        }
        overlapped += at < collector->busy_count &&
                      collector->busy[at].start_ns <= dj_frame_get_end(frame, 0);
    }
    return overlapped;
}

static enum dj_collect_outcome decide_outcome(const struct dj_collector *collector)
{
    const struct dj_collection *out = collector->out;
    bool ended = false;
    for (size_t i = 0; i < out->dump.process_count; i++) {
        ended = ended || out->dump.processes[i].ended;
    }
    if (out->error.code != 0 && out->error.code != DJ_E_LIMIT) {
        return DJ_COLLECT_GONE;
    }
    if (ended) {
        return DJ_COLLECT_ENDED;
    }
    if (out->dump.process_count == 0) {
        return DJ_COLLECT_NOT_RUNNING;
    }
    return out->recovery.expected == 0 && out->recovery.outside == 0
               ? DJ_COLLECT_NO_FRAMES
               : DJ_COLLECT_DONE;
}

/* A layer has many more rows than timestats have counted only if another program has
 * cleared these in the window, even if they began at 0. A few rows more are normal: those
 * of the time between the readings of rows and counters. */
static bool has_too_many_rows(const struct dj_collection *out, int64_t counted)
{
    int64_t span_ns =
        dj_checked_subtract_saturated(out->window.end_ns, out->window.start_ns);
    double rate = span_ns > 0 ? (double)out->recovery.recovered / (double)span_ns : 0;
    double spare = 2 * rate * (double)out->cost_max_ns + 3;
    return (double)out->recovery.recovered > 1.1 * (double)counted + spare;
}

static void set_surface_result(struct dj_collector *collector)
{
    struct dj_collection *out = collector->out;
    const struct dj_surface_reader *reader = &collector->surface;
    const struct dj_timestats *timestats = &reader->timestats;
    int64_t counted = dj_gfxinfo_surface_sum_frames(&timestats->frames, reader->package);
    out->gaps = dj_surface_reader_count_gaps(reader);
    out->is_cleared =
        timestats->is_read && (timestats->is_cleared || has_too_many_rows(out, counted));
    if (timestats->is_read && !out->is_cleared && counted > 0) {
        dj_gfxinfo_surface_print_timestats(&out->timestats, &timestats->frames,
                                           reader->package);
    }
}

void dj_collector_compute_result(struct dj_collector *collector)
{
    struct dj_collection *out = collector->out;
    set_window(collector);
    out->restarts = collector->gather->restarts;
    for (size_t i = 0; i < collector->gather->process_count; i++) {
        out->foreign_resets += collector->gather->processes[i].tally.restarts;
    }
    dj_measure_gather_get_dump(collector->gather, &out->window, &out->dump,
                               &out->recovery);
    for (size_t i = 0; i < out->dump.process_count; i++) {
        struct dj_dump_process *process = &out->dump.processes[i];
        /* The reason is also part of the dump, because readers of the stored dump have
         * nothing else. */
        if (out->error.code != 0) {
            process->cut_short = strdup(out->error.message);
        }
        for (size_t k = 0; k < process->window_count; k++) {
            out->overlapped += count_overlapped(collector, &process->windows[k]);
        }
    }
    if (collector->is_surface) {
        set_surface_result(collector);
    }
    out->outcome = decide_outcome(collector);
}

void dj_collector_set_hint(struct dj_collector *collector)
{
    struct dj_collection *out = collector->out;
    if (collector->is_surface) {
        snprintf(
            out->hint, sizeof(out->hint),
            "SurfaceFlinger shows no layer of %.100s; 'dumpsys SurfaceFlinger --list' "
            "prints all layers",
            collector->options->package);
    } else if (collector->gather->process_count > 0) {
        snprintf(out->hint, sizeof(out->hint),
                 "process %lld of that name has ended; `dumpsys gfxinfo` still prints "
                 "its frames",
                 (long long)collector->gather->dump.processes[0].pid);
    } else {
        snprintf(out->hint, sizeof(out->hint), "%s", collector->first_warning);
    }
}
