#include "plan/prepare.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "device/program.h"
#include "memory/memory.h"
#include "plan/plan_private.h"

/* Largest window of a flow that ends when its driver ends. */
static const int64_t DRIVEN_NS = 3600 * DJ_SECOND_NS;
static const int64_t WINDOW_NS = 10 * DJ_SECOND_NS;

typedef void report_fn(const char *sentence);

/* Reports a fault, with the path of the plan if it was read from a file. */
static void report_fault(const struct dj_plan *plan, report_fn *report, const char *place,
                         const char *message)
{
    char sentence[1024];
    bool has_file = plan->file != NULL;
    snprintf(sentence, sizeof(sentence), "%s%s%s%s", has_file ? plan->file : "",
             has_file ? place : "", has_file ? ": " : "", message);
    report(sentence);
}

/* Sets the package of a command. `path` is its program, or NULL if the command runs on
 * another machine. The package is then the name of the program's file. */
static void set_package(struct dj_batch_plan *batch, char *const *command,
                        const char *path, struct dj_plan_prepared *ready)
{
    const char *slash = strrchr(command[0], '/');
    if (batch->package != NULL) {
        return;
    }
    batch->package = slash != NULL ? slash + 1 : command[0];
    if (path != NULL) {
        dj_device_program_default_name(path, command, ready->package,
                                       sizeof(ready->package));
        batch->package = ready->package;
    }
}

static int check_build(struct dj_batch_plan *batch, const struct dj_build_plan *build,
                       bool is_here, struct dj_plan_prepared *ready, struct dj_error *err)
{
    char path[PATH_MAX];
    if (build->apk != NULL && access(build->apk, R_OK) != 0) {
        return dj_error_set(err, DJ_E_USAGE, "cannot read %s: %s", build->apk,
                            strerror(errno));
    }
    if (build->command == NULL) {
        return 0;
    }
    if (!is_here) {
        set_package(batch, build->command, NULL, ready);
        return 0;
    }
    int code = dj_device_program_find(build->command[0], path, err);
    if (code != 0) {
        /* DJ_E_NOT_FOUND would mean that a device is missing. Here the program is
         * missing, so the error is DJ_E_USAGE. */
        return code == DJ_E_NOT_FOUND ? DJ_E_USAGE : code;
    }
    const char *obstacle = dj_device_program_preload_obstacle(path);
    if (obstacle != NULL) {
        return dj_error_set(err, DJ_E_NO_DATA, "%s cannot be recorded: %s",
                            build->command[0], obstacle);
    }
    set_package(batch, build->command, path, ready);
    return 0;
}

static int check_builds(struct dj_plan *plan, struct dj_plan_prepared *ready,
                        report_fn *report)
{
    /* Only programs of this machine can be checked. */
    const bool is_here = dj_plan_count_local(plan) > 0;
    int code = 0;
    for (size_t i = 0; i < plan->batch.build_count; i++) {
        const struct dj_build_plan *build = &plan->batch.builds[i];
        struct dj_error err = {0};
        char place[256];
        int own = check_build(&plan->batch, build, is_here, ready, &err);
        if (own != 0) {
            snprintf(place, sizeof(place), ": build '%.200s'",
                     build->label != NULL ? build->label : "A");
            report_fault(plan, report, place, err.message);
            own = plan->file != NULL ? DJ_E_NO_DATA : own;
            code = code == 0 ? own : code;
        }
    }
    return code;
}

static int make_drivers(const struct dj_plan *plan, struct dj_plan_prepared *ready,
                        report_fn *report)
{
    int code = 0;
    for (size_t i = 0; i < plan->flow_count; i++) {
        const struct dj_plan_flow *flow = &plan->flows[i];
        struct dj_plan_driver *driver = &ready->drivers[i];
        struct dj_error err = {0};
        char place[300];
        int own = dj_plan_init_driver(flow, &plan->batch, driver, &err);
        if (own != 0) {
            snprintf(place, sizeof(place), ":%zu: flow '%.200s'", flow->line,
                     flow->name != NULL ? flow->name : "");
            report_fault(plan, report, place, err.message);
            code = code == 0 ? own : code;
        }
        ready->flows[i] = (struct dj_flow_plan){
            .name = flow->name != NULL ? flow->name : driver->name,
            .maker = &driver->maker,
            .duration_ns = flow->duration_ns > 0             ? flow->duration_ns
                           : strcmp(flow->kind, "idle") == 0 ? WINDOW_NS
                                                             : DRIVEN_NS,
            .runs = flow->runs,
        };
    }
    return code;
}

static int find_devices(const struct dj_plan *plan, bool dry_run,
                        struct dj_plan_prepared *ready, struct dj_error *err)
{
    int code = dj_plan_range_find(plan, dry_run, &ready->range, err);
    if (code == 0 && ready->range.count == 0 && !dry_run) {
        code = dj_error_set(err, DJ_E_NOT_FOUND, "none of the devices is connected");
    }
    ready->devices = dj_xcalloc(ready->range.count, sizeof(*ready->devices));
    for (size_t i = 0; i < ready->range.count; i++) {
        ready->devices[i] = ready->range.device[i].name;
    }
    return code;
}

/* Returns DJ_E_USAGE if a command must run on a recorded device. Such a device replays
 * answers and cannot start programs. */
static int check_commands(const struct dj_plan *plan,
                          const struct dj_plan_prepared *ready, struct dj_error *err)
{
    for (size_t i = 0; i < ready->range.count; i++) {
        const char *device = ready->devices[i];
        for (size_t k = 0; k < plan->batch.build_count; k++) {
            char *const *command = plan->batch.builds[k].command;
            if (command != NULL && strncmp(device, "replay:", 7) == 0) {
                return dj_error_set(err, DJ_E_USAGE,
                                    "%s is a recorded device and cannot start %s", device,
                                    command[0]);
            }
        }
    }
    return 0;
}

int dj_plan_prepare(struct dj_plan *plan, bool dry_run, struct dj_plan_prepared *ready,
                    report_fn *report)
{
    struct dj_error err = {0};
    ready->drivers = dj_xcalloc(plan->flow_count, sizeof(*ready->drivers));
    ready->flows = dj_xcalloc(plan->flow_count, sizeof(*ready->flows));
    int builds = check_builds(plan, ready, report);
    int code = make_drivers(plan, ready, report);
    code = code == 0 && !dry_run ? builds : code;
    if (code != 0) {
        return code;
    }
    code = find_devices(plan, dry_run, ready, &err);
    code = code == 0 && !dry_run ? check_commands(plan, ready, &err) : code;
    if (code != 0) {
        report_fault(plan, report, "", err.message);
        return code;
    }
    plan->batch.flows = ready->flows;
    plan->batch.flow_count = plan->flow_count;
    plan->batch.devices = ready->devices;
    plan->batch.device_count = ready->range.count;
    return 0;
}

void dj_plan_prepared_finish(struct dj_plan_prepared *ready)
{
    dj_plan_range_finish(&ready->range);
    free(ready->drivers);
    free(ready->flows);
    free(ready->devices);
    *ready = (struct dj_plan_prepared){0};
}
