#include "measure/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checked.h"
#include "measure/window/collector.h"
#include "process/deadline.h"

#define SLICE_NS (100 * DJ_MILLISECOND_NS)
#define RETRY_NS (200 * DJ_MILLISECOND_NS)
/* If the caller requests a reading, it starts at the earliest this time after the
 * previous one. */
#define DUE_NS (300 * DJ_MILLISECOND_NS)

enum { LAST_ATTEMPTS = 3 };

static int64_t get_now_ns(const struct dj_collector *collector)
{
    const struct dj_collect_callbacks *callbacks = collector->callbacks;
    return callbacks->now_ns != NULL ? callbacks->now_ns(callbacks->user)
                                     : dj_host_now_ns();
}

static void wait_ns(const struct dj_collector *collector, int64_t ns)
{
    const struct dj_collect_callbacks *callbacks = collector->callbacks;
    if (callbacks->sleep_ns != NULL) {
        callbacks->sleep_ns(callbacks->user, ns);
    } else {
        dj_host_sleep_ns(ns);
    }
}

static bool is_stopped(const struct dj_collector *collector)
{
    return dj_interrupt_latest_ns(&collector->device->interrupt) != INT64_MAX;
}

static void report_event(const struct dj_collector *collector, const char *message)
{
    if (collector->callbacks->event != NULL) {
        collector->callbacks->event(collector->callbacks->user, message);
    }
}

static void report_progress(const struct dj_collector *collector)
{
    if (collector->callbacks->progress != NULL) {
        struct dj_collect_progress progress = {
            .elapsed_ns = get_now_ns(collector) - collector->begun_ns,
            .duration_ns = collector->options->duration_ns,
            .readings = collector->out->readings,
            .rows = collector->gather->rows,
        };
        collector->callbacks->progress(collector->callbacks->user, &progress);
    }
}

static bool note_busy(struct dj_collector *collector,
                      const struct dj_device_gfxinfo *reading)
{
    if (reading->dev_ns < 0) {
        return true;
    }
    return DJ_ARRAY_PUSH(
        collector->busy, collector->busy_count,
        (struct dj_busy){reading->dev_ns,
                         dj_checked_add_saturated(reading->dev_ns, reading->cost_ns)});
}

static void report_changes(struct dj_collector *collector, size_t restarts)
{
    if (collector->gather->restarts > restarts) {
        report_event(collector, "the app runs again as a new process");
    } else if (collector->was_running && !collector->gather->is_running) {
        report_event(collector, "the app has ended; dejank waits until the end of the "
                                "window in case the app starts again");
    }
    collector->was_running = collector->gather->is_running;
}

static int add_reading(struct dj_collector *collector,
                       const struct dj_device_gfxinfo *reading, bool opening,
                       struct dj_error *err)
{
    size_t restarts = collector->gather->restarts;
    int code = opening ? dj_measure_gather_open(collector->gather, reading, err)
                       : dj_measure_gather_add(collector->gather, reading, err);
    int64_t done_ns = get_now_ns(collector);
    if (opening) {
        snprintf(collector->first_warning, sizeof(collector->first_warning), "%s",
                 reading->report.warning[0].message);
        collector->plan.rate_hz = collector->gather->burst_hz;
    } else {
        dj_measure_poll_plan_observe(&collector->plan, collector->gather->new_rows,
                                     done_ns - collector->read_ns);
        report_changes(collector, restarts);
    }
    collector->was_running = collector->gather->is_running;
    collector->plan.ring_rows = reading->ring_rows;
    collector->plan.interval_ns = collector->gather->interval_ns;
    collector->plan.cost_ns = reading->cost_ns;
    collector->read_ns = done_ns;
    collector->dev_ns = reading->dev_ns;
    if (collector->gather->is_running) {
        collector->out->alive_ns = reading->dev_ns;
    }
    collector->out->dump.uptime_ms = reading->dump.uptime_ms;
    collector->out->dump.realtime_ms = reading->dump.realtime_ms;
    return code;
}

/* When a reading takes place. */
enum moment { OPENING, MIDDLE, LAST };

static int read_source(struct dj_collector *collector, enum moment moment, bool reset,
                       struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    const struct dj_collect_options *options = collector->options;
    const struct dj_surface_request surface_request = {.opening = moment == OPENING,
                                                       .last = moment == LAST,
                                                       .aggregate_only =
                                                           options->aggregate_only};
    const struct dj_gfxinfo_request request = {
        .package = options->package,
        .framestats = !options->aggregate_only,
        .reset = reset,
        /* The first reading needs only the counters and the newest rows, which show the
         * frames before the window. Older rows would only take time. */
        .since_ns = moment == OPENING ? -1 : collector->dev_ns};
    if (collector->is_surface) {
        return dj_surface_reader_read(&collector->surface, &surface_request, reading,
                                      err);
    }
    int code = dj_device_read_gfxinfo(collector->device, &request, reading, err);
    if (code == 0 && moment == OPENING) {
        dj_source_note_opening(collector, reading);
    }
    return code;
}

static int read_device(struct dj_collector *collector, enum moment moment, bool reset,
                       struct dj_error *err)
{
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_collection *out = collector->out;
    bool opening = moment == OPENING;
    int code = read_source(collector, moment, reset, &reading, err);
    if (code == 0 && dj_source_is_unanswered(&reading)) {
        code = dj_source_set_unanswered(err);
    }
    if (code == 0) {
        out->readings++;
        out->cost_ns += reading.cost_ns;
        out->cost_max_ns =
            reading.cost_ns > out->cost_max_ns ? reading.cost_ns : out->cost_max_ns;
        if (!note_busy(collector, &reading)) {
            code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
    }
    if (code == 0) {
        code = add_reading(collector, &reading, opening, err);
    }
    if (code == 0 && reset) {
        out->resets++;
        if (!reading.reset_keeps_rows) {
            dj_measure_gather_note_reset(collector->gather);
            out->blind_ns += reading.reset_is_exact ? 0 : reading.cost_ns;
        }
    }
    dj_device_gfxinfo_finish(&reading);
    return code;
}

/* Returns true if the window continues after this error. The error may be temporary: the
 * app hangs, or the device was slow once. */
static bool is_transient(int code)
{
    return code == DJ_E_TIMEOUT || code == DJ_E_NO_DATA;
}

static bool is_over(struct dj_collector *collector)
{
    const struct dj_collect_callbacks *callbacks = collector->callbacks;
    collector->is_ended = collector->is_ended || (callbacks->is_ended != NULL &&
                                                  callbacks->is_ended(callbacks->user));
    return collector->is_ended;
}

static bool is_due(struct dj_collector *collector)
{
    const struct dj_collect_callbacks *callbacks = collector->callbacks;
    bool requested =
        callbacks->is_requested != NULL && callbacks->is_requested(callbacks->user);
    collector->is_requested = collector->is_requested || requested;
    return collector->is_requested &&
           get_now_ns(collector) - collector->read_ns >= DUE_NS;
}

static void wait_until(struct dj_collector *collector, int64_t until_ns)
{
    while (!is_stopped(collector) && !is_over(collector) && !is_due(collector)) {
        int64_t left_ns = until_ns - get_now_ns(collector);
        report_progress(collector);
        if (left_ns <= 0) {
            return;
        }
        wait_ns(collector, left_ns < SLICE_NS ? left_ns : SLICE_NS);
    }
}

static int64_t compute_next_reading_ns(const struct dj_collector *collector,
                                       int64_t end_ns)
{
    int64_t every_ns = collector->options->every_ns;
    int64_t next_ns;
    if (collector->options->aggregate_only) {
        return end_ns;
    }
    if (every_ns > 0) {
        int64_t passed = (get_now_ns(collector) - collector->begun_ns) / every_ns;
        next_ns = collector->begun_ns + (passed + 1) * every_ns;
    } else {
        next_ns = get_now_ns(collector) + dj_measure_poll_plan_delay_ns(&collector->plan);
    }
    return next_ns < end_ns ? next_ns : end_ns;
}

/* Reads the device at the end of the window. If that fails, tries again, because the
 * result needs this reading. */
static int read_last(struct dj_collector *collector, struct dj_error *err)
{
    int code = 0;
    for (int attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
        code = read_device(collector, LAST, false, err);
        if (!is_transient(code)) {
            return code;
        }
        collector->out->failed_readings++;
        wait_ns(collector, RETRY_NS);
    }
    return code;
}

/* Makes the last reading. If SurfaceFlinger was chosen as the source, finds out too
 * whether the app hangs, as the last reading of gfxinfo would. */
static int end_window(struct dj_collector *collector, struct dj_error *err)
{
    int code = read_last(collector, err);
    if (code != 0 || !collector->is_chosen || is_stopped(collector)) {
        return code;
    }
    code = dj_source_check_answer(collector, err);
    for (int attempt = 1; attempt < LAST_ATTEMPTS && is_transient(code); attempt++) {
        wait_ns(collector, RETRY_NS);
        code = dj_source_check_answer(collector, err);
    }
    return code;
}

/* Reads the device until the window ends. The duration of the window starts at the end of
 * the first reading. So at the last reading, the device's clock has passed the end of the
 * window. */
static int read_until_end(struct dj_collector *collector, struct dj_error *err)
{
    int64_t end_ns = collector->begun_ns + collector->options->duration_ns;
    for (;;) {
        wait_until(collector, compute_next_reading_ns(collector, end_ns));
        if (is_stopped(collector) || collector->is_ended ||
            get_now_ns(collector) >= end_ns) {
            collector->out->interrupted =
                is_stopped(collector) && get_now_ns(collector) < end_ns;
            return end_window(collector, err);
        }
        collector->is_requested = false;
        int code =
            read_device(collector, MIDDLE,
                        collector->options->every_ns > 0 && !collector->is_surface, err);
        if (code != 0 && !is_transient(code)) {
            return code;
        }
        collector->out->failed_readings += code != 0 ? 1 : 0;
    }
}

static bool has_source(const struct dj_collector *collector, const char *name)
{
    const char *source = collector->options->source;
    return strcmp(source != NULL ? source : "auto", name) == 0;
}

static void use_surface(struct dj_collector *collector)
{
    collector->is_surface = true;
    collector->out->from_surface = true;
    collector->surface =
        (struct dj_surface_reader){.device = collector->device,
                                   .package = collector->options->package,
                                   .journal = collector->options->journal};
}

/* Chooses the source and makes the first reading. It does not reset the counters. If the
 * only process with this name has ended, a reset would discard all its frames. */
static int open_source(struct dj_collector *collector, struct dj_error *err)
{
    if (has_source(collector, "surface")) {
        use_surface(collector);
    }
    int code = read_device(collector, OPENING, false, err);
    if (code == 0 && has_source(collector, "auto") && dj_source_is_surface(collector)) {
        report_event(collector, "gfxinfo does not have the app, so dejank reads its "
                                "frames from SurfaceFlinger: only the times at which the "
                                "display showed them are known");
        dj_measure_gather_finish(collector->gather);
        use_surface(collector);
        collector->is_chosen = true;
        code = read_device(collector, OPENING, false, err);
    }
    return code;
}

static int collect_window(struct dj_collector *collector, struct dj_error *err)
{
    struct dj_collection *out = collector->out;
    int code = open_source(collector, err);
    if (code != 0) {
        return code;
    }
    if (!collector->gather->is_running && !collector->options->awaited) {
        out->outcome = DJ_COLLECT_NOT_RUNNING;
        dj_collector_set_hint(collector);
        return 0;
    }
    collector->begun_ns = collector->read_ns;
    code = read_until_end(collector, &out->error);
    if (code == DJ_E_NO_MEMORY) {
        return dj_error_set(err, code, "out of memory");
    }
    if (code == 0) {
        out->error = (struct dj_error){0};
    }
    out->interrupted = out->interrupted || code == DJ_E_INTERRUPTED;
    dj_collector_compute_result(collector);
    return 0;
}

int dj_measure_collect(struct dj_device *device, const struct dj_collect_options *options,
                       const struct dj_collect_callbacks *callbacks,
                       struct dj_collection *collection, struct dj_error *err)
{
    struct dj_collector collector = {.device = device,
                                     .options = options,
                                     .callbacks = callbacks,
                                     .out = collection,
                                     .dev_ns = -1};
    collection->alive_ns = -1;
    collection->gather = calloc(1, sizeof(*collection->gather));
    if (collection->gather == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    collector.gather = collection->gather;
    int code = collect_window(&collector, err);
    dj_surface_reader_finish(&collector.surface);
    free(collector.busy);
    return code;
}
