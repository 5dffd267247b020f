#include "cli/run_plan.h"

#include <pthread.h>
#include <time.h>

#include "device/output_file.h"
#include "input/read.h"
#include "memory/memory.h"
#include "plan/ready.h"
#include "report/junit.h"
#include "report/plan.h"

static void complain(const char *sentence)
{
    dj_complain("%s", sentence);
}

/* ---- the tests of its runs ---- */

static bool is_test(const struct dj_plan_flow *flow)
{
    return strcmp(flow->kind, "instrument") == 0;
}

static int check_junit(const struct dj_plan *plan, const char *junit)
{
    struct dj_error err = {0};
    size_t tests = 0;
    if (junit == NULL) {
        return DJ_EXIT_OK;
    }
    for (size_t i = 0; i < plan->flow_count; i++) {
        tests += is_test(&plan->flows[i]);
    }
    if (tests == 0) {
        return dj_refuse("--junit is of instrumentation tests, and no flow runs any");
    }
    return dj_verb_end(dj_output_check(junit, &err), &err);
}

enum { TEST_DEVICES = 256 }; /* whose runs are counted each for itself */

struct tests {
    pthread_mutex_t lock;
    struct dj_junit junit;
    struct {
        char name[128];
        int runs;
    } devices[TEST_DEVICES];
    size_t device_count;
};

/* Which run of the device this is, from 1; 0: past what is counted. */
static int count_run(struct tests *all, const char *device)
{
    size_t at = 0;
    while (at < all->device_count && strcmp(all->devices[at].name, device) != 0) {
        at++;
    }
    if (at == all->device_count) {
        if (at == TEST_DEVICES) {
            return 0;
        }
        snprintf(all->devices[at].name, sizeof(all->devices[at].name), "%s", device);
        all->device_count++;
    }
    return ++all->devices[at].runs;
}

/* When the run began: its first begin to its last end ago. */
static int64_t started_unix(const struct dj_instrument_results *results)
{
    int64_t begin_ns = INT64_MAX;
    int64_t end_ns = 0;
    for (size_t i = 0; i < results->test_count; i++) {
        const struct dj_test *test = &results->tests[i];
        begin_ns =
            test->begin_ns >= 0 && test->begin_ns < begin_ns ? test->begin_ns : begin_ns;
        end_ns = test->end_ns > end_ns ? test->end_ns : end_ns;
    }
    int64_t took_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    return (int64_t)time(NULL) - took_ns / DJ_SECOND_NS;
}

/* A run's results, as a suite "DEVICE, run N" (warm-ups and repetitions are counted,
 * too). A struct dj_instrument_request's `done`. Any thread. */
static void take_results(void *all, const struct dj_device *device,
                         const struct dj_instrument_results *results)
{
    struct tests *tests = all;
    char name[200];
    pthread_mutex_lock(&tests->lock);
    int run = count_run(tests, device->name);
    int length = snprintf(name, sizeof(name), "%s", device->name);
    if (run > 0) {
        snprintf(name + length, sizeof(name) - (size_t)length, ", run %d", run);
    }
    dj_junit_add(&tests->junit,
                 &(struct dj_junit_run){.name = name,
                                        .device = device->name,
                                        .started_unix = started_unix(results),
                                        .results = results});
    pthread_mutex_unlock(&tests->lock);
}

static int write_tests(const struct tests *tests, const char *path, struct dj_error *err)
{
    struct dj_text text = {0};
    dj_junit_write(&text, &tests->junit);
    int code = dj_output_write(path, &text, err);
    dj_text_finish(&text);
    return code;
}

static void collect_tests(const struct dj_plan *plan, struct dj_plan_ready *ready,
                          struct tests *tests)
{
    for (size_t i = 0; i < plan->flow_count; i++) {
        if (is_test(&plan->flows[i])) {
            ready->drivers[i].instrument.done = take_results;
            ready->drivers[i].instrument.user = tests;
        }
    }
}

/* ---- playing ---- */

/* Leaves those flows that are asked for; how many. */
static size_t choose_flows(const struct dj_plan_ready *ready, size_t flow_count,
                           const struct dj_plan_run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < flow_count; i++) {
        bool asked = run->flows == NULL;
        for (size_t k = 0; k < run->flow_count; k++) {
            asked = asked || strcmp(run->flows[k], ready->flows[i].name) == 0;
        }
        if (asked) {
            ready->flows[count++] = ready->flows[i];
        }
    }
    return count;
}

static void set_trace(struct dj_plan *plan, enum dj_trace_wish what)
{
    struct dj_trace_plan *trace = &plan->batch.trace;
    trace->what = what != DJ_TRACE_NONE ? what : trace->what;
    if (trace->what == DJ_TRACE_ALL && (trace->before_ns > 0 || trace->after_ns > 0)) {
        dj_complain("%s: its 'before' and 'after' are of 'around: janky', and mean "
                    "nothing with --trace=all",
                    plan->file);
        trace->before_ns = trace->after_ns = 0;
    }
}

static int play(struct dj_plan *plan, struct dj_plan_ready *ready,
                const struct dj_plan_run *run)
{
    struct dj_batch_plan *batch = &plan->batch;
    struct tests tests = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct dj_error err = {0};
    for (size_t i = 0; i < ready->range.unmatched_count; i++) {
        dj_complain("%s: no device of class '%s' is there; going on without", plan->file,
                    ready->range.unmatched[i]->class.name);
    }
    batch->flow_count = choose_flows(ready, plan->flow_count, run);
    batch->resume = run->resume;
    batch->extended = run->extended;
    collect_tests(plan, ready, &tests);
    int result = dj_run_batch(batch, run->store != NULL ? run->store : plan->store, run);
    if (run->junit != NULL && write_tests(&tests, run->junit, &err) != 0) {
        result = dj_verb_end(err.code, &err);
    }
    dj_junit_finish(&tests.junit);
    return result;
}

int dj_run_plan(struct dj_plan *plan, const struct dj_plan_run *run)
{
    struct dj_plan_ready ready = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    int code = check_junit(plan, run->junit);
    if (code == DJ_EXIT_OK) {
        code = dj_exit_for(dj_plan_make_ready(plan, run->dry_run, &ready, complain));
    }
    if (code == DJ_EXIT_OK) {
        set_trace(plan, run->trace);
    }
    if (code == DJ_EXIT_OK && run->dry_run) {
        (run->json ? dj_report_dry_run_json : dj_report_dry_run_text)(&text, plan,
                                                                      &ready.range);
        code = dj_output_end(0, &text, &err);
    } else if (code == DJ_EXIT_OK) {
        code = play(plan, &ready, run);
    }
    dj_plan_ready_finish(&ready);
    return code;
}

/* ---- a plan's file ---- */

int dj_plan_file_read(const char *file, struct dj_text *bytes, struct dj_plan *plan)
{
    struct dj_plan_faults faults = {0};
    struct dj_error err = {0};
    if (dj_input_read_whole(file, bytes, &dj_stderr_messages, &err) != 0) {
        dj_complain("%s", err.message);
        return DJ_EXIT_DATA;
    }
    int code = dj_plan_read(file, dj_xtext(bytes), bytes->length, plan, &faults, &err);
    const char *line = dj_xtext(&faults.lines);
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        dj_complain("%.*s", (int)(end - line), line);
    }
    if (faults.count > DJ_PLAN_FAULTS) {
        dj_complain("%s: %zu more faults", file, faults.count - DJ_PLAN_FAULTS);
    }
    if (code != 0 && faults.count == 0) {
        dj_complain("%s", err.message);
    }
    dj_text_finish(&faults.lines);
    return code == DJ_E_INVALID ? DJ_EXIT_USAGE : dj_exit_for(code);
}

int dj_run_plan_file(const char *file, const struct dj_plan_run *run)
{
    struct dj_text bytes = {0};
    struct dj_plan plan = {0};
    int code = dj_plan_file_read(file, &bytes, &plan);
    if (code == DJ_EXIT_OK) {
        code = dj_run_plan(&plan, run);
    }
    dj_plan_finish(&plan);
    dj_text_finish(&bytes);
    return code;
}
