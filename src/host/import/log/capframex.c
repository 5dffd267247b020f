/*
 * Reads captures of CapFrameX. They contain PresentMon's data of one program, in columns.
 * A file with combined captures has several runs:
 *
 *     {"Info": {"ProcessName": "game.exe", "Processor": "AMD Ryzen 7", "GPU": "RTX
 * 3070"}, "Runs": [{"CaptureData": {"TimeInSeconds": [0.0, 0.016, …],
 *                "MsBetweenPresents": [16.5, 16.6, …]}}]}
 */
#include "import/log/json.h"

#include <jansson.h>
#include <math.h>

static const struct dj_log_json_fact facts[] = {
    {"Processor", "cpu"},
    {"GPU", "gpu"},
    {"OS", "os"},
    {"SystemRam", "memory"},
    {"Motherboard", "motherboard"},
    {"GPUDriverVersion", "driver"},
    {"ApiInfo", "api"},
    {"ResolutionInfo", "resolution"},
};

/* Returns the time of the present that ends frame i. If the time is missing or goes back,
 * the frame ends `time_ns` after the previous one. */
static int64_t compute_frame_end(const json_t *stamps, size_t i,
                                 const struct dj_log_stream *stream, int64_t time_ns)
{
    double seconds;
    int64_t next_ns = stream->clock_ns + time_ns;
    if (!dj_log_json_get_number(json_array_get(stamps, i), &seconds) || seconds < 0 ||
        seconds > 1e8) {
        return next_ns;
    }
    int64_t end_ns = llround(seconds * 1e9);
    return end_ns >= stream->clock_ns ? end_ns : next_ns;
}

static int read_frames(const json_t *times, const json_t *stamps, size_t run,
                       struct dj_log *log, struct dj_log_stream *stream,
                       struct dj_error *err)
{
    int result = 0;
    for (size_t i = 0; i < json_array_size(times) && result == 0; i++) {
        double time;
        log->rows++;
        if (!dj_log_json_get_number(json_array_get(times, i), &time) || time < 0 ||
            time > 1e9) {
            dj_log_add_bad_row(log, 0,
                               "Runs[%zu].CaptureData.MsBetweenPresents[%zu]: expected "
                               "ms between presents; skipped",
                               run, i);
            continue;
        }
        int64_t time_ns = llround(time * 1e6);
        /* The first present has no time, because there is no present before it. */
        if (time_ns > 0) {
            int64_t end_ns = compute_frame_end(stamps, i, stream, time_ns);
            result = dj_log_add_frame(log, stream, end_ns, time_ns, err);
        }
    }
    return result;
}

static int read_run(const json_t *run, size_t i, const char *process, struct dj_log *log,
                    struct dj_error *err)
{
    const json_t *capture = json_object_get(run, "CaptureData");
    const json_t *times = json_object_get(capture, "MsBetweenPresents");
    const json_t *stamps = json_object_get(capture, "TimeInSeconds");
    if (!json_is_array(times)) {
        return dj_error_set(err, DJ_E_INVALID,
                            "Runs[%zu].CaptureData.MsBetweenPresents: expected a list of "
                            "numbers",
                            i);
    }
    struct dj_log_stream *stream = dj_log_json_add_run(log, process, err);
    return stream != NULL ? read_frames(times, stamps, i, log, stream, err) : err->code;
}

int dj_log_read_capframex(const json_t *root, struct dj_log *log, struct dj_error *err)
{
    const json_t *info = json_object_get(root, "Info");
    const json_t *runs = json_object_get(root, "Runs");
    const char *process = dj_log_json_get_text(info, "ProcessName");
    int result = 0;
    process = process != NULL ? process : dj_log_json_get_text(info, "GameName");
    log->unit = "ms";
    dj_log_json_add_facts(log, info, facts, COUNT_OF(facts));
    if (!json_is_array(runs)) {
        return dj_error_set(err, DJ_E_INVALID, "Runs: expected a list of runs");
    }
    for (size_t i = 0; i < json_array_size(runs) && result == 0; i++) {
        result = read_run(json_array_get(runs, i), i, process, log, err);
    }
    return result;
}
