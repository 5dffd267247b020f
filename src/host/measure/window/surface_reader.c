#include "measure/window/surface_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "gfxinfo/lines.h"

#define READ_NS (15 * DJ_SECOND_NS)

/* A layer without frames is not read again after this many readings, until the last. */
enum { ATTEMPTS = 2 };

static int fail_no_memory(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

static int read_list(struct dj_surface_reader *reader, struct dj_error *err)
{
    static const char *const argv[] = {"dumpsys", "SurfaceFlinger", "--list", NULL};
    struct dj_device_result result = {0};
    struct dj_text package = {0};
    /* The process com.x:remote belongs to the package com.x. */
    dj_text_append(&package, reader->package, strcspn(reader->package, ":"));
    int code = dj_device_run(reader->device, argv, READ_NS, &result, err);
    if (code == 0 && (package.failed ||
                      !dj_surface_layers_list(&reader->layers, dj_text_get(&result.out),
                                              dj_text_get(&package)))) {
        code = fail_no_memory(err);
    }
    dj_text_finish(&package);
    dj_device_result_finish(&result);
    return code;
}

/* Reads the id of the app's process. Sets it to 0 if the app does not run. */
static int read_pid(const struct dj_surface_reader *reader, int64_t *pid,
                    struct dj_error *err)
{
    const char *const argv[] = {"pidof", reader->package, NULL};
    struct dj_device_result result = {0};
    int code = dj_device_run(reader->device, argv, READ_NS, &result, err);
    struct dj_str output = dj_text_str(&result.out);
    struct dj_str first = dj_str_until(dj_str_trim(output), " \r\n");
    if (code != 0 || result.exit_code != 0 || !dj_str_int(first, pid)) {
        *pid = 0;
    }
    dj_device_result_finish(&result);
    return code;
}

static int add_rows(struct dj_surface_reader *reader, struct dj_surface_layer *layer,
                    const struct dj_text *text, struct dj_dump_process *process,
                    struct dj_error *err)
{
    struct dj_dump dump = {0};
    struct dj_parse_report *report = calloc(1, sizeof(*report));
    int code = report == NULL ? fail_no_memory(err)
                              : dj_gfxinfo_parse_dump(dj_text_get(text), text->length,
                                                      &dump, report, err);
    code = code == DJ_E_NO_DATA ? 0 : code;
    for (size_t i = 0; i < dump.surfaces.count && code == 0; i++) {
        if (dump.surfaces.at[i].kind == DJ_SURFACE_LATENCY &&
            !dj_surface_layers_add_rows(&reader->layers, layer, &dump.surfaces.at[i],
                                        process)) {
            code = fail_no_memory(err);
        }
    }
    dj_gfxinfo_dump_finish(&dump);
    free(report);
    return code;
}

static int read_layer(struct dj_surface_reader *reader, struct dj_surface_layer *layer,
                      struct dj_dump_process *process, struct dj_error *err)
{
    const char *const argv[] = {"dumpsys", "SurfaceFlinger", "--latency", layer->name,
                                NULL};
    struct dj_device_result result = {0};
    int code = dj_device_run(reader->device, argv, READ_NS, &result, err);
    code = code == 0 ? add_rows(reader, layer, &result.out, process, err) : code;
    dj_device_result_finish(&result);
    return code;
}

static int read_layers(struct dj_surface_reader *reader,
                       const struct dj_surface_request *request,
                       struct dj_dump_process *process, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < reader->layers.count && code == 0; i++) {
        struct dj_surface_layer *layer = &reader->layers.at[i];
        if (layer->is_listed &&
            (request->last || layer->last_ns > 0 || layer->asked < ATTEMPTS)) {
            code = read_layer(reader, layer, process, err);
        }
    }
    return code;
}

static struct dj_dump_process *add_process(struct dj_surface_reader *reader, int64_t pid,
                                           struct dj_dump *dump)
{
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
    if (process == NULL) {
        return NULL;
    }
    dump->dialect = dj_frame_dialect_find("13");
    process->pid = pid > 0 ? pid : reader->first_pid > 0 ? reader->first_pid : -1;
    process->ended = pid <= 0;
    process->name = strdup(reader->package);
    process->pipeline = strdup(DJ_PIPELINE_SURFACE_FLINGER);
    reader->first_pid = reader->first_pid > 0 ? reader->first_pid : pid;
    return process->name != NULL && process->pipeline != NULL ? process : NULL;
}

/* Sets the number of frames that timestats have counted since the first reading. */
static void set_counter(struct dj_surface_reader *reader, bool opening,
                        struct dj_dump_process *process)
{
    const struct dj_timestats *timestats = &reader->timestats;
    bool same = process->pid == reader->first_pid;
    process->stats.lines = dj_gfxinfo_lines_without_frame_times();
    if (timestats->is_counting && same && !timestats->is_cleared &&
        (opening || timestats->is_read)) {
        int64_t frames =
            dj_gfxinfo_surface_sum_frames(&timestats->frames, reader->package);
        process->stats.present = true;
        process->stats.stats.counter[DJ_COUNTER_TOTAL] =
            frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
    }
}

static int read_app(struct dj_surface_reader *reader,
                    const struct dj_surface_request *request, struct dj_dump *dump,
                    struct dj_error *err)
{
    int64_t pid;
    int code = read_pid(reader, &pid, err);
    code = code == 0 ? read_list(reader, err) : code;
    bool exists = reader->layers.count > 0 || (pid > 0 && !request->opening);
    if (code != 0 || !exists) {
        return code;
    }
    struct dj_dump_process *process = add_process(reader, pid, dump);
    if (process == NULL) {
        return fail_no_memory(err);
    }
    /* The rows are read after the window's end, and before its start. So a frame that
     * was counted has a row, unless it was lost. */
    if (request->last) {
        code = dj_timestats_read(&reader->timestats, err);
    }
    if (code == 0 && !request->aggregate_only) {
        code = read_layers(reader, request, process, err);
    }
    if (code == 0 && request->opening) {
        code =
            dj_timestats_start(&reader->timestats, reader->device, reader->journal, err);
    }
    process->interval_ns = reader->layers.period_ns;
    set_counter(reader, request->opening, process);
    return code;
}

static int64_t read_clock(const struct dj_surface_reader *reader)
{
    int64_t dev_ns, uncertainty_ns;
    struct dj_error ignored = {0};
    return dj_device_read_clock(reader->device, &dev_ns, &uncertainty_ns, &ignored) == 0
               ? dev_ns
               : -1;
}

int dj_surface_reader_read(struct dj_surface_reader *reader,
                           const struct dj_surface_request *request,
                           struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    int64_t start_ns = dj_host_now_ns();
    reading->ring_rows = DJ_SURFACE_RING_ROWS;
    reading->dev_ns = read_clock(reader);
    int code = read_app(reader, request, &reading->dump, err);
    if (code == 0 && request->opening) {
        /* The window begins after this reading, which may have taken long. */
        reading->dev_ns = read_clock(reader);
    }
    reading->dump.uptime_ms =
        reading->dev_ns >= 0 ? reading->dev_ns / DJ_MILLISECOND_NS : -1;
    reading->dump.realtime_ms = reading->dump.uptime_ms;
    reading->cost_ns = dj_host_now_ns() - start_ns;
    return code;
}

size_t dj_surface_reader_count_gaps(const struct dj_surface_reader *reader)
{
    size_t gaps = 0;
    for (size_t i = 0; i < reader->layers.count; i++) {
        gaps += reader->layers.at[i].gaps;
    }
    return gaps;
}

int64_t dj_surface_reader_find_latest(const struct dj_surface_reader *reader)
{
    int64_t latest_ns = 0;
    for (size_t i = 0; i < reader->layers.count; i++) {
        int64_t last_ns = reader->layers.at[i].last_ns;
        latest_ns = last_ns > latest_ns ? last_ns : latest_ns;
    }
    return latest_ns;
}

void dj_surface_reader_finish(struct dj_surface_reader *reader)
{
    dj_timestats_stop(&reader->timestats);
    dj_surface_layers_finish(&reader->layers);
    *reader = (struct dj_surface_reader){0};
}
