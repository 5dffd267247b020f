/* Tests of call stacks that are written for other tools. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/triage.h"

static char folder[] = "/tmp/dejank-calls-XXXXXX";
static struct dj_calls_tree calls;
static struct dj_triage_functions functions;
static struct dj_triage_result result;
static double janky_ns[] = {20000, 20000, 12000, 0};
static double smooth_ns[] = {9000, 9000, 2000, 4000};
static struct dj_error err;

static uint32_t add(uint32_t caller, const char *name)
{
    const struct dj_calls_address address = {.name = dj_str_of(name)};
    return dj_calls_tree_add_node(&calls, caller,
                                  dj_calls_tree_add_function(&calls, &address));
}

static void start(void)
{
    cr_assert_not_null(mkdtemp(folder));
    uint32_t caller = add(DJ_CALLS_ROOT, "main");
    add(caller, "draw;all\n");
    add(caller, "\"wait\"");
    functions.difference = (struct dj_calls_difference){
        .janky_ns = janky_ns, .smooth_ns = smooth_ns, .node_count = calls.node_count};
    result = (struct dj_triage_result){.calls = &calls, .functions = &functions};
}

static void finish(void)
{
    dj_calls_tree_finish(&calls);
    rmdir(folder);
}

TestSuite(call_export, .init = start, .fini = finish);

static const char *get_path(const char *name)
{
    static char path[100];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

/* Expects the file, and removes it. */
static void expect_file(const char *name, const char *expected)
{
    char text[2000];
    FILE *file = fopen(get_path(name), "r");
    cr_assert_not_null(file, "%s is missing", name);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    unlink(get_path(name));
    cr_expect_str_eq(text, expected);
}

Test(call_export, names_with_these_suffixes)
{
    cr_expect(dj_report_is_call_export("a.folded"));
    cr_expect(dj_report_is_call_export("a.speedscope.json"));
    cr_expect_not(dj_report_is_call_export("a.json"));
    cr_expect_not(dj_report_is_call_export(".folded"));
}

Test(call_export, folded_stacks_have_the_own_time_of_each_side)
{
    cr_assert_eq(dj_report_export_calls(get_path("a.folded"), &result, &err), 0, "%s",
                 err.message);
    expect_file("a.janky.folded", "main 8\nmain;draw_all_ 12\n");
    expect_file("a.smooth.folded", "main 3\nmain;draw_all_ 2\nmain;\"wait\" 4\n");
}

Test(call_export, speedscope_has_both_sides)
{
    cr_assert_eq(dj_report_export_calls(get_path("a.speedscope.json"), &result, &err), 0,
                 "%s", err.message);
    expect_file(
        "a.speedscope.json",
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
        "\"exporter\":\"dejank\",\"shared\":{\"frames\":[{\"name\":\"main\"},"
        "{\"name\":\"draw;all\\u000a\"},{\"name\":\"\\\"wait\\\"\"}]},\"profiles\":["
        "{\"type\":\"sampled\",\"name\":\"mean janky frame\",\"unit\":\"nanoseconds\","
        "\"samples\":[[0],[0,1]],\"weights\":[8000,12000],\"startValue\":0,"
        "\"endValue\":20000},"
        "{\"type\":\"sampled\",\"name\":\"mean smooth frame\",\"unit\":\"nanoseconds\","
        "\"samples\":[[0],[0,1],[0,2]],\"weights\":[3000,2000,4000],\"startValue\":0,"
        "\"endValue\":9000}]}\n");
}

Test(call_export, a_trace_without_stacks_writes_nothing)
{
    result.functions = NULL;
    cr_expect_eq(dj_report_export_calls(get_path("a.folded"), &result, &err),
                 DJ_E_NO_DATA);
    cr_expect_not_null(strstr(err.message, "trace capture --stacks"), "%s", err.message);
    cr_expect_neq(access(get_path("a.janky.folded"), F_OK), 0);
}
