#include <criterion/criterion.h>
#include <string.h>

#include "plan/quick_plan.h"

static struct dj_quick_options options;
static struct dj_quick_plan made;
static struct dj_error failure;

static void finish(void)
{
    dj_plan_quick_plan_finish(&made);
}

static void expect_plan(char **command)
{
    cr_assert_eq(dj_plan_quick_plan_init(&options, command, &made, &failure), 0, "%s",
                 failure.message);
}

static void expect_usage(char **command, const char *message)
{
    cr_expect_eq(dj_plan_quick_plan_init(&options, command, &made, &failure), DJ_E_USAGE);
    cr_expect_str_eq(failure.message, message);
}

TestSuite(quick_plan, .fini = finish);

Test(quick_plan, defaults_are_those_of_plans)
{
    const struct dj_batch_plan usual = dj_measure_batch_plan_default();
    options.batch.package = "com.x";
    expect_plan(NULL);
    cr_expect_eq(made.plan.batch.runs, usual.runs);
    cr_expect_eq(made.plan.batch.warmups, usual.warmups);
    cr_expect_eq(made.plan.batch.retries, usual.retries);
    cr_expect_eq(made.plan.batch.settle_ns, usual.settle_ns);
    cr_expect_eq(made.plan.batch.seed, usual.seed);
    cr_expect_float_eq(made.plan.batch.busy_pct, usual.busy_pct, 0);
    cr_expect_eq(made.plan.batch.build_count, 1);
    cr_expect_eq(made.plan.device_count, 1);
    cr_expect_str_eq(made.plan.devices[0].selector, "local:");
    cr_expect_eq(made.plan.flow_count, 1);
    cr_expect_str_eq(made.plan.flows[0].kind, "idle");
    cr_expect_str_eq(made.plan.flows[0].priority, "normal");
    cr_expect_null(made.plan.flows[0].argument);
}

Test(quick_plan, given_zero_is_not_the_default)
{
    options.batch = (struct dj_batch_plan){.package = "com.x",
                                           .warmups = DJ_QUICK_ZERO,
                                           .retries = DJ_QUICK_ZERO,
                                           .settle_ns = DJ_QUICK_ZERO};
    options.max_load = 30;
    expect_plan(NULL);
    cr_expect_eq(made.plan.batch.warmups, 0);
    cr_expect_eq(made.plan.batch.retries, 0);
    cr_expect_eq(made.plan.batch.settle_ns, 0);
    cr_expect_float_eq(made.plan.batch.busy_pct, 30, 0);
}

Test(quick_plan, every_given_device_is_a_selector)
{
    const char *const devices[] = {"emulator-5554", "adb:"};
    options.batch.package = "com.x";
    options.devices = devices;
    options.device_count = 2;
    expect_plan(NULL);
    cr_expect_eq(made.plan.device_count, 2);
    cr_expect_str_eq(made.plan.devices[0].selector, "emulator-5554");
    cr_expect_str_eq(made.plan.devices[1].selector, "adb:");
}

Test(quick_plan, second_build_is_the_second_command)
{
    char *command[] = {"app", NULL};
    char *second[] = {"app", "--new way", NULL};
    options.second_command = second;
    expect_plan(command);
    cr_expect_eq(made.plan.batch.build_count, 2);
    cr_expect_str_eq(made.plan.batch.builds[0].label, "A");
    cr_expect_str_eq(made.plan.batch.builds[1].label, "B");
    cr_expect_str_eq(made.plan.batch.builds[1].command[0], "app");
    cr_expect_str_eq(made.plan.batch.builds[1].command[1], "--new way");
    cr_expect_null(made.plan.batch.builds[1].command[2]);
}

Test(quick_plan, instrumentation_arguments_are_split_at_the_first_equals_sign)
{
    const char *const arguments[] = {"size=large", "filter=a=b"};
    options.batch.package = "com.x";
    options.instrument = "com.x.test";
    options.arguments = arguments;
    options.argument_count = 2;
    expect_plan(NULL);
    const char *const *found = made.plan.flows[0].arguments;
    cr_expect_str_eq(made.plan.flows[0].kind, "instrument");
    cr_expect_str_eq(made.plan.flows[0].argument, "com.x.test");
    cr_expect_str_eq(found[0], "size");
    cr_expect_str_eq(found[1], "large");
    cr_expect_str_eq(found[2], "filter");
    cr_expect_str_eq(found[3], "a=b");
    cr_expect_null(found[4]);
}

Test(quick_plan, instrumentation_argument_without_a_name_is_refused)
{
    const char *const arguments[] = {"=x"};
    options.batch.package = "com.x";
    options.instrument = "com.x.test";
    options.arguments = arguments;
    options.argument_count = 1;
    expect_usage(NULL, "--argument: expected NAME=VALUE, got '=x'");
}

Test(quick_plan, two_drivers_are_refused)
{
    options.batch.package = "com.x";
    options.gesture = "fling up";
    options.script = "a.lua";
    expect_usage(NULL, "expected only one of --gesture and --script");
}

Test(quick_plan, app_needs_a_package)
{
    expect_usage(NULL, "expected --package P, or -- CMD ARG… (see dejank run --help)");
}

Test(quick_plan, options_of_apps_do_not_go_with_a_command)
{
    char *command[] = {"app", NULL};
    options.batch.builds[0].apk = "a.apk";
    expect_usage(command,
                 "--apk and --ab are for Android apps; compare two commands with "
                 "'dejank compare --run A B'");
}

Test(quick_plan, attach_with_an_apk_is_refused)
{
    options.batch.package = "com.x";
    options.batch.attach = true;
    options.batch.builds[0].apk = "a.apk";
    expect_usage(
        NULL,
        "--attach cannot be used with --apk or --ab: a running app is not installed");
}

Test(quick_plan, second_app_needs_the_first)
{
    options.batch.package = "com.x";
    options.batch.builds[1].apk = "b.apk";
    expect_usage(NULL, "--ab needs the build A: --apk F");
}
