#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/plan.h"
#include "support.h"

static const struct dj_flow_plan flows[2] = {{.name = "rest"}, {.name = "scroll"}};
static struct dj_plan_flow plan_flows[2] = {
    {.kind = "idle", .priority = "high", .duration_ns = 1000000000},
    {.kind = "gesture", .priority = "normal", .duration_ns = 6000000000, .runs = 5}};
static struct dj_plan_range_device devices[2];

/* Three runs of a flow of 1 s, each with 4 s before and after it. */
static struct dj_plan make_plan(size_t flow_count)
{
    return (struct dj_plan){
        .batch = {.package = "com.x",
                  .flows = flows,
                  .builds = {{.label = "1.0"}, {.label = "1.1", .apk = "x.apk"}},
                  .build_count = 1,
                  .runs = 3},
        .flows = plan_flows,
        .flow_count = flow_count};
}

static void set_device(size_t index, char *name, bool reachable)
{
    struct dj_plan_range_device *device = &devices[index];
    *device = (struct dj_plan_range_device){
        .name = name, .of = name, .reachable = reachable, .why = "no answer"};
    dj_facts_init(&device->facts);
    snprintf(device->facts.model, sizeof(device->facts.model), "Pixel");
}

static void build(struct dj_document *document, const struct dj_plan *plan,
                  size_t device_count)
{
    const struct dj_plan_range range = {.device = devices, .count = device_count};
    dj_report_build_dry_run(document, plan, &range);
}

Test(dry_run, the_time_then_flows_and_devices)
{
    struct dj_plan plan = make_plan(2);
    struct dj_document document = {0};
    set_device(0, "R58N", true);
    build(&document, &plan, 1);
    while (document.block_count > 0 &&
           document.blocks[document.block_count - 1].kind == DJ_BLOCK_NOTE) {
        /* The sentences on the range of devices have their own tests. */
        free(document.blocks[--document.block_count].text);
    }
    expect_document(&document, 80,
                    "Would measure com.x for about 65 s\n\n"
                    "scope  2 flows x 1 device x 1 build, 0 objectives\n"
                    "build  1.0, as it is installed\n\n"
                    "flow       driver   priority  runs  time\n"
                    "1. rest    idle     high      3     15 s\n"
                    "2. scroll  gesture  normal    5     50 s\n\n"
                    "device  facts\n"
                    "R58N    Pixel\n");
}

Test(dry_run, two_builds_are_interleaved)
{
    struct dj_plan plan = make_plan(1);
    struct dj_document document = {0};
    plan.batch.build_count = 2;
    plan.batch.seed = 42;
    plan.batch.warmups = 1;
    set_device(0, "R58N", true);
    build(&document, &plan, 1);
    cr_expect_str_eq(document.blocks[0].text,
                     "Would measure com.x for about 40" DJ_NBSP "s");
    cr_expect_str_eq(document.blocks[3].text, "1.1, installs x.apk");
    cr_expect_str_eq(document.blocks[4].text, "interleaved, with random seed 42");
    cr_expect_str_eq(dj_text_get(&document.blocks[5].table.cells[3].text),
                     "2 builds × 3 + 1 warm-up");
    dj_document_finish(&document);
}

Test(dry_run, a_device_that_cannot_be_reached_says_why)
{
    struct dj_plan plan = make_plan(1);
    struct dj_document document = {0};
    set_device(0, "a", true);
    set_device(1, "b", false);
    build(&document, &plan, 2);
    cr_expect_str_eq(document.blocks[1].text,
                     "1 flow × 2 devices × 1 build, 0 objectives; "
                     "devices measure at the same time");
    const struct dj_cell *cell = &document.blocks[4].table.cells[3];
    cr_expect_str_eq(dj_text_get(&cell->text), "cannot be reached: no answer");
    cr_expect_eq(cell->tone, DJ_TONE_BAD);
    dj_document_finish(&document);
}

Test(dry_run, no_device_and_a_class_without_one)
{
    struct dj_plan plan = make_plan(1);
    struct dj_document document = {0};
    const struct dj_plan_device low = {.class = {.name = "low"}};
    const struct dj_plan_device *unmatched[] = {&low};
    const struct dj_plan_range range = {
        .device = devices, .unmatched = unmatched, .unmatched_count = 1};
    dj_report_build_dry_run(&document, &plan, &range);
    cr_expect_str_eq(document.blocks[0].text,
                     "Would measure com.x, but no device is available");
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_BAD);
    cr_expect_str_eq(document.blocks[4].text, "No device belongs to class low");
    dj_document_finish(&document);
}

Test(dry_run, windows_of_different_flows_are_listed)
{
    static const struct dj_flow_plan timed[2] = {
        {.name = "rest", .duration_ns = 10000000000},
        {.name = "scroll", .duration_ns = 3600000000000}};
    struct dj_plan plan = make_plan(2);
    struct dj_document document = {0};
    plan.batch.flows = timed;
    set_device(0, "a", true);
    build(&document, &plan, 1);
    cr_expect_str_eq(document.blocks[3].label, "window");
    cr_expect_str_eq(document.blocks[3].text,
                     "1. 10" DJ_NBSP "s; 2. until the gesture ends, at most 1" DJ_NBSP
                     "h");
    dj_document_finish(&document);
    plan.flow_count = 1;
    build(&document, &plan, 1);
    cr_expect_str_eq(document.blocks[3].text, "10" DJ_NBSP "s");
    dj_document_finish(&document);
}

Test(dry_run, an_app_that_cannot_be_measured_is_a_note)
{
    struct dj_plan plan = make_plan(1);
    struct dj_document document = {0};
    set_device(0, "a", true);
    snprintf(devices[0].obstacle, sizeof(devices[0].obstacle), "com.x does not run");
    build(&document, &plan, 1);
    cr_expect_str_eq(document.blocks[0].text, "Would measure com.x for about 15" DJ_NBSP
                                              "s, but no device is ready");
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_BAD);
    cr_expect_str_eq(document.blocks[5].text, "com.x does not run");
    dj_document_finish(&document);
}

Test(dry_run, traces_are_a_field)
{
    struct dj_plan plan = make_plan(1);
    struct dj_document document = {0};
    plan.batch.trace.what = DJ_TRACE_JANKY;
    set_device(0, "a", true);
    build(&document, &plan, 1);
    cr_expect_str_eq(document.blocks[3].label, "traces");
    cr_expect_str_eq(document.blocks[3].text, "of each run, around janky frames");
    dj_document_finish(&document);
}
