/*
 * Reads results of flashlight (bamlab), which measures frames per second, CPU and memory
 * every 500 ms. Each iteration is a run:
 *
 *     {"name": "home", "iterations": [{"time": 12000, "status": "SUCCESS", "measures":
 *        [{"fps": 58.9, "ram": 341.2, "cpu": {"perName": {…}, "perCore": {…}},
 *          "time": 500}, …]}], "specs": {"refreshRate": 60}}
 *
 * The file contains no times of single frames. Each measure becomes one frame with the
 * mean duration, which is 1 s ÷ fps. When nothing is drawn, flashlight reports the full
 * frame rate.
 */
#include "import/log/json.h"

#include <jansson.h>
#include <math.h>

static int read_measures(const json_t *measures, size_t run, struct dj_log *log,
                         struct dj_log_stream *stream, struct dj_error *err)
{
    int result = 0;
    for (size_t i = 0; i < json_array_size(measures) && result == 0; i++) {
        double fps;
        log->rows++;
        const json_t *value = json_object_get(json_array_get(measures, i), "fps");
        if (!dj_log_json_get_number(value, &fps) || fps <= 0 || fps > 1e6 || fps < 1e-6) {
            dj_log_add_bad_row(
                log, 0,
                "iterations[%zu].measures[%zu].fps: expected a rate above 0; skipped",
                run, i);
            continue;
        }
        int64_t time_ns = llround(1e9 / fps);
        result = dj_log_add_frame(log, stream, stream->clock_ns + time_ns, time_ns, err);
    }
    return result;
}

/* Returns the mean time between two measures in ns, or 0 if unknown. */
static int64_t compute_sample_interval_ns(const json_t *measures)
{
    double first;
    double last;
    size_t count = json_array_size(measures);
    const json_t *begin = json_object_get(json_array_get(measures, 0), "time");
    const json_t *end =
        json_object_get(json_array_get(measures, count > 0 ? count - 1 : 0), "time");
    if (count < 2 || !dj_log_json_get_number(begin, &first) ||
        !dj_log_json_get_number(end, &last) || last <= first || last - first > 1e12) {
        return 0;
    }
    return llround((last - first) * 1e6 / (double)(count - 1));
}

static int read_iteration(const json_t *iteration, size_t i, const char *name,
                          struct dj_log *log, struct dj_error *err)
{
    const json_t *measures = json_object_get(iteration, "measures");
    const char *status = json_string_value(json_object_get(iteration, "status"));
    if (!json_is_array(measures)) {
        return dj_error_set(err, DJ_E_INVALID,
                            "iterations[%zu].measures: expected a list", i);
    }
    if (status != NULL && strcmp(status, "SUCCESS") != 0) {
        dj_log_note(log, 0, "iterations[%zu] has the status %.40s; skipped", i, status);
        return 0;
    }
    log->sample_ns =
        log->sample_ns > 0 ? log->sample_ns : compute_sample_interval_ns(measures);
    struct dj_log_stream *stream = dj_log_json_add_run(log, name, err);
    return stream != NULL ? read_measures(measures, i, log, stream, err) : err->code;
}

int dj_log_read_flashlight(const json_t *root, struct dj_log *log, struct dj_error *err)
{
    static const struct dj_log_json_fact refresh_rate = {"refreshRate", "refresh-rate"};
    /* Interval of flashlight's measures if the file does not state it. */
    enum { USUAL_NS = 500000000 };
    const json_t *specs = json_object_get(root, "specs");
    const json_t *iterations = json_object_get(root, "iterations");
    const char *name = json_string_value(json_object_get(specs, "bundleId"));
    name = name != NULL ? name : json_string_value(json_object_get(root, "name"));
    log->unit = "fps";
    log->times_are = "mean";
    dj_log_json_add_facts(log, specs, &refresh_rate, 1);
    if (!json_is_array(iterations)) {
        return dj_error_set(err, DJ_E_INVALID, "iterations: expected a list");
    }
    int result = 0;
    for (size_t i = 0; i < json_array_size(iterations) && result == 0; i++) {
        result = read_iteration(json_array_get(iterations, i), i, name, log, err);
    }
    log->sample_ns = log->sample_ns > 0 ? log->sample_ns : USUAL_NS;
    dj_log_note(
        log, 0,
        "flashlight does not record single frames: each measure is read as one frame of "
        "1 s ÷ fps, a mean in which idle time counts as the full frame rate");
    return result;
}
