#include "cli/run_plan.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/read_input.h"
#include "cli/run_drivers.h"
#include "cli/run_junit.h"
#include "device/program.h"

/* As long as a driver that ends the window itself may take where nobody says less. */
static const int64_t DRIVEN_NS = INT64_C(3600) * 1000000000;
static const int64_t WINDOW_NS = INT64_C(10) * 1000000000;

/* What a plan's batch points to beside the plan. */
struct played {
    struct dj_driver_choice *choices;
    struct dj_flow_plan *flows;
    const char **devices;
    struct dj_run_junit junit;
    bool has_tests; /* a flow is of instrumentation */
    char package[256];
};

static void finish_played(struct played *played)
{
    dj_run_junit_finish(&played->junit);
    free(played->choices);
    free(played->flows);
    free(played->devices);
}

static void complain_of_plan(const struct dj_plan_faults *faults)
{
    const char *line = dj_text_get(&faults->lines);
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        dj_complain("run", "%.*s", (int)(end - line), line);
    }
    if (faults->count > DJ_PLAN_FAULTS) {
        dj_complain("run", "%s: %zu more faults", faults->file,
                    faults->count - DJ_PLAN_FAULTS);
    }
}

/* ---- what it needs of this machine ---- */

static int choose_drivers(const struct dj_plan *plan, struct played *played)
{
    int code = 0;
    for (size_t i = 0; i < plan->flow_count; i++) {
        const struct dj_plan_flow *flow = &plan->flows[i];
        struct dj_error err = {0};
        struct dj_driver_words words = {
            .gesture = strcmp(flow->kind, "gesture") == 0 ? flow->argument : NULL,
            .instrument = strcmp(flow->kind, "instrument") == 0 ? flow->argument : NULL,
            .script = strcmp(flow->kind, "script") == 0 ? flow->argument : NULL,
            .idle = strcmp(flow->kind, "idle") == 0,
            .test = flow->test_class,
            .arguments = flow->arguments,
            .package = plan->batch.package,
            .activity = plan->batch.activity,
        };
        struct dj_driver_choice *choice = &played->choices[i];
        int one = dj_driver_choose(&words, choice, &err);
        if (one != 0) {
            dj_complain("run", "%s:%zu: flow '%s': %s", plan->file, flow->line,
                        flow->name, err.message);
            code = code == 0 ? (int)dj_exit_for(one) : code;
        }
        if (words.instrument != NULL && one == 0) {
            choice->instrument.done = dj_run_junit_take;
            choice->instrument.user = &played->junit;
            played->has_tests = true;
        }
        int64_t unsaid_ns = choice->ends_window ? DRIVEN_NS : WINDOW_NS;
        played->flows[i] = (struct dj_flow_plan){
            .name = flow->name,
            .maker = &choice->maker,
            .duration_ns = flow->duration_ns > 0 ? flow->duration_ns : unsaid_ns,
            .runs = flow->runs,
        };
    }
    return code;
}

/* Whether a build's command may be one of this machine. */
static bool is_here(const struct dj_plan *plan)
{
    for (size_t i = 0; i < plan->device_count; i++) {
        const char *selector = plan->devices[i].selector;
        if (selector != NULL && strcmp(selector, "local:") == 0) {
            return true;
        }
    }
    return false;
}

/* What is started elsewhere is called by its file's name. */
static void name_elsewhere(struct dj_batch_plan *batch, const char *program)
{
    const char *slash = strrchr(program, '/');
    if (batch->package == NULL) {
        batch->package = slash != NULL ? slash + 1 : program;
    }
}

/* Files and programs that are not there are said before anything is begun. */
static int check_builds(struct dj_plan *plan, struct played *played)
{
    struct dj_batch_plan *batch = &plan->batch;
    int code = 0;
    for (size_t i = 0; i < batch->build_count; i++) {
        const struct dj_build_plan *build = &batch->builds[i];
        struct dj_error err = {0};
        char path[PATH_MAX];
        if (build->apk != NULL && access(build->apk, R_OK) != 0) {
            dj_error_set(&err, DJ_E_NO_DATA, "%s: %s", build->apk, strerror(errno));
        } else if (build->command != NULL && !is_here(plan)) {
            name_elsewhere(batch, build->command[0]);
        } else if (build->command != NULL &&
                   dj_program_find(build->command[0], path, &err) == 0) {
            const char *obstacle = dj_program_obstacle(path);
            if (obstacle != NULL) {
                dj_error_set(&err, DJ_E_NO_DATA, "%s cannot be recorded: %s",
                             build->command[0], obstacle);
            } else if (batch->package == NULL) {
                dj_program_default_name(path, played->package, sizeof(played->package));
                batch->package = played->package;
            }
        }
        if (err.code != 0) {
            dj_complain("run", "%s: build '%s': %s", plan->file,
                        build->label != NULL ? build->label : "A", err.message);
            code = DJ_EXIT_DATA;
        }
    }
    return code;
}

/* A command is started: recordings start nothing. */
static int check_range(const struct dj_plan *plan, const struct dj_range *range)
{
    if (range->count == 0) {
        dj_complain("run", "%s: none of its devices is there", plan->file);
        return DJ_EXIT_DEVICE;
    }
    for (size_t i = 0; i < range->count; i++) {
        for (size_t k = 0; k < plan->batch.build_count; k++) {
            if (plan->batch.builds[k].command != NULL &&
                strncmp(range->device[i].name, "replay:", 7) == 0) {
                dj_complain("run",
                            "%s: build '%s' has a command, which %s, a recorded device, "
                            "cannot start",
                            plan->file, plan->batch.builds[k].label,
                            range->device[i].name);
                return DJ_EXIT_USAGE;
            }
        }
    }
    return DJ_EXIT_OK;
}

/* ---- playing ---- */

/* Leaves those flows that are asked for; how many. */
static size_t choose_flows(const struct dj_plan *plan, struct played *played,
                           const struct dj_plan_run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->flow_count; i++) {
        bool asked = run->flows == NULL;
        for (size_t k = 0; k < run->flow_count; k++) {
            asked = asked || strcmp(run->flows[k], played->flows[i].name) == 0;
        }
        if (asked) {
            played->flows[count++] = played->flows[i];
        }
    }
    return count;
}

static int name_devices(struct dj_plan *plan, const struct dj_range *range,
                        struct played *played)
{
    played->devices = calloc(range->count + 1, sizeof(*played->devices));
    if (played->devices == NULL) {
        return DJ_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < range->count; i++) {
        played->devices[i] = range->device[i].name;
    }
    plan->batch.devices = played->devices;
    plan->batch.device_count = range->count;
    return DJ_EXIT_OK;
}

static void set_trace(struct dj_plan *plan, enum dj_trace_wish what)
{
    struct dj_trace_plan *trace = &plan->batch.trace;
    trace->what = what != DJ_TRACE_NONE ? what : trace->what;
    if (trace->what == DJ_TRACE_ALL && (trace->before_ns > 0 || trace->after_ns > 0)) {
        dj_complain("run",
                    "%s: its 'before' and 'after' are of 'around: janky', and mean "
                    "nothing with --trace=all",
                    plan->file);
        trace->before_ns = trace->after_ns = 0;
    }
}

static int play(struct dj_plan *plan, const struct dj_range *range, struct played *played,
                const struct dj_plan_run *run)
{
    struct dj_batch_plan *batch = &plan->batch;
    for (size_t i = 0; i < range->unmatched_count; i++) {
        dj_complain("run", "%s: no device of class '%s' is there; going on without",
                    plan->file, range->unmatched[i]->class.name);
    }
    batch->flows = played->flows;
    batch->flow_count = choose_flows(plan, played, run);
    batch->resume = run->resume;
    batch->extended = run->extended;
    struct dj_run_show show = {
        .store = run->store != NULL ? run->store : plan->store,
        .json_lines = run->json_lines,
        .silent = run->silent,
    };
    int result = dj_run_batch(batch, 1, &show);
    struct dj_error err = {0};
    if (run->junit != NULL && dj_run_junit_write(&played->junit, run->junit, &err) != 0) {
        dj_complain("run", "%s", err.message);
        result = (int)dj_exit_for(err.code);
    }
    return result;
}

/* Where the tests go is said to be wrong before anything is begun. */
static int check_junit(const struct dj_plan *plan, const struct played *played,
                       const struct dj_plan_run *run)
{
    struct dj_error err = {0};
    if (run->junit == NULL) {
        return DJ_EXIT_OK;
    }
    if (!played->has_tests) {
        dj_complain("run", "--junit is of instrumentation tests: %s has no such flow",
                    plan->file);
        return DJ_EXIT_USAGE;
    }
    if (dj_output_check(run->junit, &err) != 0) {
        dj_complain("run", "%s", err.message);
    }
    return (int)dj_exit_for(err.code);
}

static int show(const struct dj_plan *plan, const struct dj_range *range, bool json)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    (json ? dj_dry_run_json : dj_dry_run_page)(&text, plan, range);
    int result = text.failed ? dj_error_set(&err, DJ_E_NO_MEMORY, "out of memory")
                             : dj_output_print(&text, &err);
    if (result != 0) {
        dj_complain("run", "%s", err.message);
    }
    dj_text_finish(&text);
    return (int)dj_exit_for(result);
}

static int go(struct dj_plan *plan, const struct dj_plan_run *run)
{
    struct played played = {
        .choices = calloc(plan->flow_count + 1, sizeof(*played.choices)),
        .flows = calloc(plan->flow_count + 1, sizeof(*played.flows)),
    };
    struct dj_range range = {0};
    struct dj_error err = {0};
    dj_run_junit_init(&played.junit);
    int code = played.choices == NULL || played.flows == NULL ? DJ_EXIT_INTERNAL : 0;
    if (code == 0) {
        int builds = check_builds(plan, &played);
        code = choose_drivers(plan, &played);
        code = code == 0 && !run->dry_run ? builds : code;
        code = code == 0 ? check_junit(plan, &played, run) : code;
    }
    if (code == 0 && dj_range_find(plan, run->dry_run, &range, &err) != 0) {
        dj_complain("run", "%s: %s", plan->file, err.message);
        code = (int)dj_exit_for(err.code);
    }
    code = code == 0 ? name_devices(plan, &range, &played) : code;
    if (code == 0) {
        set_trace(plan, run->trace);
    }
    if (code == 0 && run->dry_run) {
        code = show(plan, &range, run->json);
    } else if (code == 0) {
        code = check_range(plan, &range);
        code = code == 0 ? play(plan, &range, &played, run) : code;
    }
    dj_range_finish(&range);
    finish_played(&played);
    return code;
}

int dj_run_plan(const struct dj_plan_run *run)
{
    struct dj_text bytes = {0};
    struct dj_plan plan = {0};
    struct dj_plan_faults faults = {0};
    struct dj_error err = {0};
    int code = DJ_EXIT_OK;
    if (dj_read_whole(run->file, &bytes, &err) != 0) {
        dj_complain("run", "%s", err.message);
        code = DJ_EXIT_DATA;
    } else if (dj_plan_read(run->file, dj_text_get(&bytes), bytes.length, &plan, &faults,
                            &err) != 0) {
        complain_of_plan(&faults);
        if (faults.count == 0) {
            dj_complain("run", "%s", err.message);
        }
        code = err.code == DJ_E_INVALID ? DJ_EXIT_USAGE : (int)dj_exit_for(err.code);
    } else {
        code = go(&plan, run);
    }
    dj_plan_finish(&plan);
    dj_text_finish(&faults.lines);
    dj_text_finish(&bytes);
    return code;
}
