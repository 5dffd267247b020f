/*
 * Reads results of Android's Macrobenchmark with FrameTimingMetric. Each benchmark
 * becomes a process in the store, and each of its iterations becomes a run:
 *
 *     {"context": {"build": {"model": "Pixel 6", …}, …},
 *      "benchmarks": [{"name": "scroll", "className": "com.example.ScrollBenchmark",
 *        "sampledMetrics": {"frameDurationCpuMs": {"P50": 5.1, …, "runs": [[5.1, …], …]},
 *                           "frameOverrunMs": {…, "runs": [[-3.2, …], …]}}}]}
 *
 * frameDurationCpuMs is the time from Choreographer's doFrame to the end of the work of
 * the render thread. The file does not contain when frames began, and how long they
 * waited for doFrame and for the GPU.
 */
#include "import/log/json.h"

#include <jansson.h>
#include <math.h>

#include "memory/memory.h"

static const struct dj_log_json_fact build_facts[] = {
    {"model", "model"},   {"brand", "brand"},
    {"device", "device"}, {"fingerprint", "fingerprint"},
    {"id", "build-id"},
};

static const struct dj_log_json_fact context_facts[] = {
    {"cpuCoreCount", "cpu-cores"},
    {"cpuMaxFreqHz", "cpu-max-hz"},
    {"memTotalBytes", "memory-bytes"},
    {"cpuLocked", "cpu-locked"},
    {"osCodenameAbbreviated", "os-codename"},
};

static void read_facts(const json_t *root, struct dj_log *log)
{
    const json_t *context = json_object_get(root, "context");
    const json_t *build = json_object_get(context, "build");
    static const struct dj_log_json_fact sdk = {"sdk", "sdk"};
    dj_log_json_add_facts(log, build, build_facts, COUNT_OF(build_facts));
    dj_log_json_add_facts(log, context, context_facts, COUNT_OF(context_facts));
    dj_log_json_add_facts(log, json_object_get(build, "version"), &sdk, 1);
}

/* Returns the number of late frames, which are those with frameOverrunMs above 0. Returns
 * −1 if a frame has no frameOverrunMs. */
static int64_t count_late(const json_t *overruns, size_t frames)
{
    int64_t late = 0;
    if (json_array_size(overruns) != frames) {
        return -1;
    }
    for (size_t i = 0; i < frames; i++) {
        double over;
        if (!dj_log_json_get_number(json_array_get(overruns, i), &over)) {
            return -1;
        }
        late += over > 0;
    }
    return late;
}

/* Reads iteration k of benchmark i. */
static int read_iteration(const json_t *times, size_t i, size_t k,
                          struct dj_log_stream *stream, struct dj_log *log,
                          struct dj_error *err)
{
    int result = 0;
    for (size_t n = 0; n < json_array_size(times) && result == 0; n++) {
        double time;
        log->rows++;
        if (!dj_log_json_get_number(json_array_get(times, n), &time) || time <= 0 ||
            time > 1e9 || llround(time * 1e6) <= 0) {
            dj_log_add_bad_row(log, 0,
                               "benchmarks[%zu].sampledMetrics.frameDurationCpuMs.runs[%"
                               "zu][%zu]: expected ms above 0; skipped",
                               i, k, n);
            continue;
        }
        int64_t time_ns = llround(time * 1e6);
        result = dj_log_add_frame(log, stream, stream->clock_ns + time_ns, time_ns, err);
    }
    return result;
}

static void get_name(const json_t *benchmark, struct dj_text *name)
{
    const char *class = json_string_value(json_object_get(benchmark, "className"));
    const char *test = json_string_value(json_object_get(benchmark, "name"));
    dj_text_add(name, class != NULL ? class : "");
    dj_text_add(name, class != NULL && test != NULL ? "#" : "");
    dj_text_add(name, test != NULL ? test : "");
}

/* Reads benchmark i. Skips benchmarks without frame times, such as those of an app
 * start. */
static int read_benchmark(const json_t *benchmark, size_t i, struct dj_log *log,
                          struct dj_error *err)
{
    const json_t *sampled = json_object_get(benchmark, "sampledMetrics");
    const json_t *cpu = json_object_get(sampled, "frameDurationCpuMs");
    const json_t *runs = json_object_get(cpu, "runs");
    const json_t *overruns =
        json_object_get(json_object_get(sampled, "frameOverrunMs"), "runs");
    struct dj_text name = {0};
    int result = 0;
    get_name(benchmark, &name);
    if (cpu == NULL) {
        dj_log_note(log, 0, "benchmarks[%zu] has no frame times; skipped", i);
    } else if (!json_is_array(runs)) {
        result = dj_error_set(err, DJ_E_INVALID,
                              "benchmarks[%zu].sampledMetrics.frameDurationCpuMs.runs: "
                              "expected a list of iterations",
                              i);
    }
    for (size_t k = 0; k < json_array_size(runs) && result == 0; k++) {
        const json_t *times = json_array_get(runs, k);
        struct dj_log_stream *stream =
            dj_log_json_add_run(log, name.length > 0 ? dj_xtext(&name) : NULL, err);
        result =
            stream != NULL ? read_iteration(times, i, k, stream, log, err) : err->code;
        if (stream != NULL) {
            stream->late =
                count_late(json_array_get(overruns, k), json_array_size(times));
        }
    }
    dj_text_finish(&name);
    return result;
}

int dj_log_read_macrobenchmark(const json_t *root, struct dj_log *log,
                               struct dj_error *err)
{
    const json_t *benchmarks = json_object_get(root, "benchmarks");
    log->unit = "ms";
    log->times_are = "cpu";
    int result = 0;
    read_facts(root, log);
    if (!json_is_array(benchmarks)) {
        return dj_error_set(err, DJ_E_INVALID, "benchmarks: expected a list");
    }
    for (size_t i = 0; i < json_array_size(benchmarks) && result == 0; i++) {
        result = read_benchmark(json_array_get(benchmarks, i), i, log, err);
    }
    dj_log_note(
        log, 0,
        "frameDurationCpuMs is only the CPU time of a frame: it excludes the wait for "
        "doFrame and the GPU time, and the start times of frames are unknown");
    return result;
}
