/* Logs in JSON: CapFrameX, Macrobenchmark, flashlight. */
#include <criterion/criterion.h>

#include "import/log.h"

static struct dj_log taken;
static struct dj_error failure;

static void forget(void)
{
    dj_import_finish_log(&taken);
}

static int read_log(const char *text)
{
    failure = (struct dj_error){0};
    cr_expect(dj_import_is_log(text, strlen(text)));
    return dj_import_read_log(text, strlen(text), &taken, &failure);
}

static void expect_failure(const char *text, int code, size_t line, const char *words)
{
    cr_expect(read_log(text) == code, "%s: code %d", text, failure.code);
    cr_expect(taken.error_line == line, "%s: line %zu", text, taken.error_line);
    cr_expect(strstr(failure.message, words) != NULL, "%s", failure.message);
    dj_import_finish_log(&taken);
}

static void expect_frame(size_t stream, size_t i, int64_t end_ns, int64_t time_ns)
{
    cr_assert(stream < taken.stream_count);
    cr_assert(i < taken.streams[stream].frame_count);
    const struct dj_log_frame *frame = &taken.streams[stream].frames[i];
    cr_expect(frame->end_ns == end_ns, "end %ld", (long)frame->end_ns);
    cr_expect(frame->time_ns == time_ns, "time %ld", (long)frame->time_ns);
}

static bool noted(const char *words)
{
    for (size_t i = 0; i < taken.note_count && i < DJ_LOG_NOTES; i++) {
        if (strstr(taken.notes[i].message, words) != NULL) {
            return true;
        }
    }
    return false;
}

TestSuite(log_json, .fini = forget);

#define INFO                                                                             \
    "\"Info\": {\"ProcessName\": \"game.exe\", \"Processor\": \"AMD\", \"GPU\": null},"

Test(log_json, a_capture_of_capframex_is_read)
{
    cr_assert(
        read_log("\xef\xbb\xbf{" INFO
                 "\"Runs\": [{\"CaptureData\": {\"TimeInSeconds\": [0.0, 0.016, 0.05],"
                 "\"MsBetweenPresents\": [0, 16, 33.5]}},"
                 "{\"CaptureData\": {\"MsBetweenPresents\": [5, \"NaN\", 7]}}]}") == 0,
        "%s", failure.message);
    cr_expect_str_eq(dj_log_name(&taken), "capframex");
    cr_expect_str_eq(taken.unit, "ms");
    cr_expect(dj_import_count_runs(&taken) == 2 && taken.frames == 4);
    cr_expect(taken.streams[0].run == 0 && taken.streams[1].run == 1);
    cr_expect_str_eq(taken.streams[1].process, "game.exe");
    expect_frame(0, 0, 16000000, 16000000);
    expect_frame(0, 1, 50000000, 33500000);
    expect_frame(1, 1, 12000000, 7000000); /* Without times, frames follow each other. */
    cr_expect(taken.fact_count == 1, "what is null is unknown");
    cr_expect_str_eq(taken.facts[0].name, "cpu");
    cr_expect(taken.rows == 6 && taken.rows_bad == 1);
    cr_expect(noted("Runs[1].CaptureData.MsBetweenPresents[1]: expected ms"));
    cr_expect_null(taken.times_are);
}

Test(log_json, iterations_of_macrobenchmark_are_runs_of_their_test)
{
    cr_assert(
        read_log("{\"context\": {\"build\": {\"model\": \"Pixel 6\","
                 "\"version\": {\"sdk\": 34}}, \"memTotalBytes\": 7800000000},"
                 "\"benchmarks\": ["
                 "{\"name\": \"cold\", \"className\": \"c.Start\", \"metrics\": {}},"
                 "{\"name\": \"scroll\", \"className\": \"c.Lists\", \"sampledMetrics\":"
                 "{\"frameDurationCpuMs\": {\"P50\": 5, \"runs\": [[5.5, 6], [7]]},"
                 "\"frameOverrunMs\": {\"runs\": [[-3.5, 1.25], [0, 1]]}}}]}") == 0,
        "%s", failure.message);
    cr_expect_str_eq(dj_log_name(&taken), "macrobenchmark");
    cr_expect_str_eq(taken.times_are, "cpu");
    cr_expect(dj_import_count_runs(&taken) == 2 && taken.frames == 3);
    cr_expect_str_eq(taken.streams[1].process, "c.Lists#scroll");
    expect_frame(0, 0, 5500000, 5500000);
    cr_expect(taken.streams[0].late == 1, "%ld", (long)taken.streams[0].late);
    cr_expect(taken.streams[1].late == -1, "two overruns of one frame say nothing");
    cr_expect(taken.fact_count == 3, "%zu", taken.fact_count);
    cr_expect(noted("benchmarks[0] has no frame times"));
    cr_expect(noted("the wait for doFrame"));
}

Test(log_json, measures_of_flashlight_are_means)
{
    cr_assert(read_log("{\"name\": \"home\", \"iterations\": ["
                       "{\"status\": \"SUCCESS\", \"measures\": ["
                       "{\"fps\": 50, \"time\": 500}, {\"fps\": 0, \"time\": 1000},"
                       "{\"fps\": 40, \"time\": 1500}]},"
                       "{\"status\": \"FAILURE\", \"measures\": [{\"fps\": 9}]}],"
                       "\"specs\": {\"refreshRate\": 60, \"bundleId\": \"com.a\"}}") == 0,
              "%s", failure.message);
    cr_expect_str_eq(dj_log_name(&taken), "flashlight");
    cr_expect_str_eq(taken.times_are, "mean");
    cr_expect(taken.sample_ns == 500000000);
    cr_expect(dj_import_count_runs(&taken) == 1 && taken.frames == 2 &&
              taken.rows_bad == 1);
    cr_expect_str_eq(taken.streams[0].process, "com.a");
    expect_frame(0, 0, 20000000, 20000000);
    expect_frame(0, 1, 45000000, 25000000);
    cr_expect(noted("iterations[1] has the status FAILURE"));
    cr_expect(noted("does not record single frames"));
}

Test(log_json, unexpected_objects_are_refused_with_their_path)
{
    expect_failure("{\"Runs\": [\n{\"CaptureData\": ]}", DJ_E_INVALID, 2,
                   "invalid JSON at column");
    expect_failure("{\"Runs\": {\"CaptureData\": 1}}", DJ_E_INVALID, 0,
                   "Runs: expected a list of runs");
    expect_failure("{\"Runs\": [{\"CaptureData\": {}}]}", DJ_E_INVALID, 0,
                   "Runs[0].CaptureData.MsBetweenPresents: expected a list");
    expect_failure("{\"benchmarks\": 3, \"a\": \"frameDurationCpuMs\"}", DJ_E_INVALID, 0,
                   "benchmarks: expected a list");
    expect_failure("{\"benchmarks\": [{\"sampledMetrics\": {\"frameDurationCpuMs\": "
                   "{}}}]}",
                   DJ_E_INVALID, 0,
                   "benchmarks[0].sampledMetrics.frameDurationCpuMs.runs: expected");
    expect_failure("{\"iterations\": [{\"measures\": 1}]}", DJ_E_INVALID, 0,
                   "iterations[0].measures: expected a list");
    expect_failure("{\"iterations\": [], \"measures\": 1}", DJ_E_NO_DATA, 0,
                   "no frame in this flashlight result");
    cr_expect_not(dj_import_is_log("{\"Runs\": 1}", 11));
    cr_expect_not(dj_import_is_log("\"CaptureData\" \"Runs\"", 20));
}
