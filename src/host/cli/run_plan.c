#include "cli/run_plan.h"

#include "cli/output_file.h"
#include "cli/read_input.h"
#include "cli/run_junit.h"
#include "memory/memory.h"
#include "plan/ready.h"

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

static void collect_tests(const struct dj_plan *plan, struct dj_plan_ready *ready,
                          struct dj_run_junit *tests)
{
    for (size_t i = 0; i < plan->flow_count; i++) {
        if (is_test(&plan->flows[i])) {
            ready->drivers[i].instrument.done = dj_run_junit_take;
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
    struct dj_run_junit tests;
    struct dj_error err = {0};
    for (size_t i = 0; i < ready->range.unmatched_count; i++) {
        dj_complain("%s: no device of class '%s' is there; going on without", plan->file,
                    ready->range.unmatched[i]->class.name);
    }
    batch->flow_count = choose_flows(ready, plan->flow_count, run);
    batch->resume = run->resume;
    batch->extended = run->extended;
    dj_run_junit_init(&tests);
    collect_tests(plan, ready, &tests);
    int result = dj_run_batch(batch, run->store != NULL ? run->store : plan->store, run);
    if (run->junit != NULL && dj_run_junit_write(&tests, run->junit, &err) != 0) {
        result = dj_verb_end(err.code, &err);
    }
    dj_run_junit_finish(&tests);
    return result;
}

static int show(const struct dj_plan *plan, const struct dj_plan_range *range, bool json)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    (json ? dj_dry_run_json : dj_dry_run_page)(&text, plan, range);
    return dj_output_end(0, &text, &err);
}

int dj_run_plan(struct dj_plan *plan, const struct dj_plan_run *run)
{
    struct dj_plan_ready ready = {0};
    int code = check_junit(plan, run->junit);
    if (code == DJ_EXIT_OK) {
        code = dj_exit_for(dj_plan_make_ready(plan, run->dry_run, &ready, complain));
    }
    if (code == DJ_EXIT_OK) {
        set_trace(plan, run->trace);
        code =
            run->dry_run ? show(plan, &ready.range, run->json) : play(plan, &ready, run);
    }
    dj_plan_ready_finish(&ready);
    return code;
}

/* ---- a plan's file ---- */

int dj_plan_file_read(const char *file, struct dj_text *bytes, struct dj_plan *plan)
{
    struct dj_plan_faults faults = {0};
    struct dj_error err = {0};
    if (dj_read_whole(file, bytes, &err) != 0) {
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
