#include "cli/run/play_plan.h"
#include "cli/terminal_style.h"

#include "memory/memory.h"
#include "output/file.h"
#include "plan/prepare.h"
#include "plan/read_file.h"
#include "report/plan.h"
#include "report/run_tests.h"

static void print_message(const char *sentence)
{
    dj_cli_print_message("%s", sentence);
}

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
        return dj_cli_print_usage_error(
            "--junit requires instrumentation tests, and no flow runs any");
    }
    return dj_cli_finish(dj_output_check(junit, &err), &err);
}

static int write_tests(const struct dj_run_tests *tests, const char *path,
                       struct dj_error *err)
{
    struct dj_text text = {0};
    dj_report_write_junit(&text, &tests->junit);
    int code = dj_output_write(path, &text, err);
    dj_text_finish(&text);
    return code;
}

static void collect_tests(const struct dj_plan *plan, struct dj_plan_prepared *ready,
                          struct dj_run_tests *tests)
{
    for (size_t i = 0; i < plan->flow_count; i++) {
        if (is_test(&plan->flows[i])) {
            ready->drivers[i].instrument.done = dj_report_run_tests_add;
            ready->drivers[i].instrument.user = tests;
        }
    }
}

/* Keeps the requested flows, and returns their number. */
static size_t choose_flows(const struct dj_plan_prepared *ready, size_t flow_count,
                           const struct dj_play_options *run)
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

static void set_trace(struct dj_plan *plan, enum dj_trace_selection what)
{
    struct dj_trace_plan *trace = &plan->batch.trace;
    trace->what = what != DJ_TRACE_NONE ? what : trace->what;
    if (trace->what == DJ_TRACE_ALL && (trace->before_ns > 0 || trace->after_ns > 0)) {
        dj_cli_print_message(
            "%s: 'before' and 'after' require 'around: janky', and --trace=all ignores "
            "them",
            plan->file);
        trace->before_ns = trace->after_ns = 0;
    }
}

static int play(struct dj_plan *plan, struct dj_plan_prepared *ready,
                const struct dj_play_options *run)
{
    struct dj_batch_plan *batch = &plan->batch;
    struct dj_run_tests tests = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct dj_error err = {0};
    for (size_t i = 0; i < ready->range.unmatched_count; i++) {
        dj_cli_print_message(
            "%s: no device of class '%s' is connected; dejank continues without this "
            "class",
            plan->file, ready->range.unmatched[i]->class.name);
    }
    batch->flow_count = choose_flows(ready, plan->flow_count, run);
    batch->resume = run->resume;
    batch->extended = run->extended;
    collect_tests(plan, ready, &tests);
    int result =
        dj_play_batch_plan(batch, run->store != NULL ? run->store : plan->store, run);
    if (run->junit != NULL && write_tests(&tests, run->junit, &err) != 0) {
        result = dj_cli_finish(err.code, &err);
    }
    dj_report_finish_junit(&tests.junit);
    return result;
}

int dj_play_plan(struct dj_plan *plan, const struct dj_play_options *run)
{
    struct dj_plan_prepared ready = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    int code = check_junit(plan, run->junit);
    if (code == DJ_EXIT_OK) {
        code =
            dj_cli_exit_code(dj_plan_prepare(plan, run->dry_run, &ready, print_message));
    }
    if (code == DJ_EXIT_OK) {
        set_trace(plan, run->trace);
    }
    if (code == DJ_EXIT_OK && run->dry_run && run->json) {
        dj_report_dry_run_json(&text, plan, &ready.range);
        code = dj_cli_finish_output(0, &text, &err);
    } else if (code == DJ_EXIT_OK && run->dry_run) {
        struct dj_document document = {0};
        dj_report_build_dry_run(&document, plan, &ready.range);
        dj_cli_append_document(&text, &document, true);
        code = dj_cli_finish_output(0, &text, &err);
    } else if (code == DJ_EXIT_OK) {
        code = play(plan, &ready, run);
    }
    dj_plan_prepared_finish(&ready);
    return code;
}

int dj_play_plan_file(const char *file, const struct dj_play_options *run)
{
    struct dj_text bytes = {0};
    struct dj_plan plan = {0};
    int code = dj_cli_exit_code(dj_plan_read_file(file, &dj_cli_messages, &bytes, &plan));
    if (code == DJ_EXIT_OK) {
        code = dj_play_plan(&plan, run);
    }
    dj_plan_finish(&plan);
    dj_text_finish(&bytes);
    return code;
}
