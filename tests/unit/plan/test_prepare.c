/* Tests the preparation of plans from files and from options. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "plan/prepare.h"

static struct dj_plan plan;
static struct dj_plan_flow flows[2];
static struct dj_plan_device devices[3];
static struct dj_plan_prepared ready;
static char said[2000];

static void keep_sentence(const char *sentence)
{
    strncat(said, sentence, sizeof(said) - strlen(said) - 2);
    strcat(said, "\n");
}

/* Makes a plan from options: one flow on this machine, without a file. */
static void make_plan(void)
{
    flows[0] = (struct dj_plan_flow){.kind = "idle", .priority = "normal"};
    devices[0] = (struct dj_plan_device){.selector = "local:"};
    plan = (struct dj_plan){.batch = dj_measure_batch_plan_default(),
                            .flows = flows,
                            .flow_count = 1,
                            .devices = devices,
                            .device_count = 1};
    plan.batch.package = "com.example.app";
    plan.batch.build_count = 1;
}

static void finish(void)
{
    dj_plan_prepared_finish(&ready);
}

static void expect_ready(void)
{
    cr_assert_eq(dj_plan_prepare(&plan, false, &ready, keep_sentence), 0, "%s", said);
    cr_expect_str_empty(said);
}

static void expect_fault(int code, const char *sentences)
{
    cr_expect_eq(dj_plan_prepare(&plan, false, &ready, keep_sentence), code);
    cr_expect_str_eq(said, sentences);
}

TestSuite(ready, .init = make_plan, .fini = finish);

Test(ready, a_flow_gets_a_missing_name_and_time)
{
    flows[1] = (struct dj_plan_flow){.kind = "gesture", .argument = "swipe 1,2 3,4 1s"};
    plan.flow_count = 2;
    expect_ready();
    cr_expect_eq(plan.batch.flow_count, 2);
    cr_expect_str_eq(plan.batch.flows[0].name, "idle");
    cr_expect_eq(plan.batch.flows[0].duration_ns, 10 * DJ_SECOND_NS);
    cr_expect_str_eq(plan.batch.flows[1].name, "swipe");
    cr_expect_eq(plan.batch.flows[1].duration_ns, 3600 * DJ_SECOND_NS);
    cr_expect_str_eq(plan.batch.flows[1].maker->kind, "gesture");
    cr_expect_str_eq(plan.batch.flows[1].maker->arguments, "swipe 1,2 3,4 1s");
}

Test(ready, settings_of_a_flow_are_unchanged)
{
    flows[0].name = "rest";
    flows[0].duration_ns = 5;
    flows[0].runs = 3;
    expect_ready();
    cr_expect_str_eq(plan.batch.flows[0].name, "rest");
    cr_expect_eq(plan.batch.flows[0].duration_ns, 5);
    cr_expect_eq(plan.batch.flows[0].runs, 3);
}

Test(ready, test_arguments_change_the_fingerprint)
{
    static const char *const arguments[] = {"size", "large", NULL};
    flows[0] = (struct dj_plan_flow){.kind = "instrument",
                                     .argument = "com.example.tests",
                                     .test_class = "A#b",
                                     .arguments = arguments};
    expect_ready();
    const char *const *more = plan.batch.flows[0].maker->more;
    cr_expect_str_eq(more[0], "A#b");
    cr_expect_str_eq(more[1], "size");
    cr_expect_str_eq(more[2], "large");
    cr_expect_null(more[3]);
}

Test(ready, a_device_selected_twice_is_listed_once)
{
    devices[1].selector = "replay:/somewhere";
    devices[2].selector = "local:";
    plan.device_count = 3;
    expect_ready();
    cr_assert_eq(plan.batch.device_count, 2);
    cr_expect_str_eq(plan.batch.devices[0], "local:");
    cr_expect_str_eq(plan.batch.devices[1], "replay:/somewhere");
}

Test(ready, a_command_names_the_app)
{
    char program[] = "/bin/sh";
    char *command[] = {program, NULL};
    plan.batch.package = NULL;
    plan.batch.builds[0].command = command;
    devices[0].selector = "emulator-5554";
    expect_ready();
    cr_expect_str_eq(plan.batch.package, "sh");
}

/* ---- faults ---- */

Test(ready, a_missing_program_is_a_usage_error)
{
    char program[] = "/no/such/program";
    char *command[] = {program, NULL};
    plan.batch.builds[0].command = command;
    cr_expect_eq(dj_plan_prepare(&plan, false, &ready, keep_sentence), DJ_E_USAGE);
    cr_expect_not_null(strstr(said, "/no/such/program"), "%s", said);
}

Test(ready, a_missing_file_of_a_plan_file_is_no_data)
{
    char file[] = "p.yaml";
    plan.file = file;
    plan.batch.builds[0].apk = "/no/such.apk";
    plan.batch.builds[0].label = "old";
    expect_fault(
        DJ_E_NO_DATA,
        "p.yaml: build 'old': cannot read /no/such.apk: No such file or directory\n");
}

Test(ready, every_fault_is_reported)
{
    char file[] = "p.yaml";
    plan.file = file;
    plan.batch.builds[0].apk = "/no/such.apk";
    flows[0] = (struct dj_plan_flow){
        .name = "a", .kind = "script", .argument = "/no/such.lua", .line = 7};
    flows[1] = (struct dj_plan_flow){
        .name = "b", .kind = "gesture", .argument = "dance", .line = 8};
    plan.flow_count = 2;
    cr_expect_eq(dj_plan_prepare(&plan, false, &ready, keep_sentence) != 0, true);
    cr_expect_not_null(strstr(said, "p.yaml: build 'A': cannot read /no/such.apk"));
    cr_expect_not_null(strstr(said, "\np.yaml:7: flow 'a': --script: "), "%s", said);
    cr_expect_not_null(strstr(said, "\np.yaml:8: flow 'b': --gesture: "), "%s", said);
}

Test(ready, a_replay_starts_nothing)
{
    char program[] = "true";
    char *command[] = {program, NULL};
    plan.batch.builds[0].command = command;
    devices[0].selector = "replay:/somewhere";
    expect_fault(DJ_E_USAGE,
                 "replay:/somewhere is a recorded device and cannot start true\n");
}

Test(ready, a_dry_run_continues_without_a_build)
{
    plan.batch.builds[0].apk = "/no/such.apk";
    devices[0].selector = "replay:/somewhere";
    cr_expect_eq(dj_plan_prepare(&plan, true, &ready, keep_sentence), 0);
    cr_expect_not_null(strstr(said, "cannot read /no/such.apk"));
    cr_expect_not(ready.range.device[0].reachable);
}
