#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"

#define HEAD "plan: 1\npackage: com.example.app\n"
#define DEVICES "devices: [emulator-5554]\n"
#define FLOWS "flows:\n  - {name: scroll, gesture: scroll-down}\n"
#define WHOLE HEAD DEVICES FLOWS

static struct dj_plan plan;
static struct dj_plan_faults faults;
static struct dj_error failure;

static int read_plan(const char *text)
{
    failure = (struct dj_error){0};
    return dj_plan_read("dir/p.yaml", text, strlen(text), &plan, &faults, &failure);
}

static void forget(void)
{
    dj_plan_finish(&plan);
    dj_text_finish(&faults.lines);
}

/* Fails unless the plan has exactly these faults, in this order. */
static void expect_faults(const char *text, const char *lines)
{
    cr_expect(read_plan(text) == DJ_E_INVALID, "%s", text);
    cr_expect_str_eq(dj_text_get(&faults.lines), lines, "of:\n%s\nfound:\n%s", text,
                     dj_text_get(&faults.lines));
    forget();
}

static void expect_plan(const char *text)
{
    cr_assert(read_plan(text) == 0, "%s%s", failure.message, dj_text_get(&faults.lines));
}

TestSuite(plan, .fini = forget);

Test(plan, a_minimal_plan_has_the_defaults_of_options)
{
    struct dj_batch_plan options = dj_measure_batch_plan_default();
    expect_plan(WHOLE);
    cr_expect_str_eq(plan.batch.package, "com.example.app");
    cr_expect(plan.batch.runs == options.runs && plan.batch.warmups == options.warmups);
    cr_expect(plan.batch.build_count == 1 && plan.device_count == 1);
    cr_expect_str_eq(plan.devices[0].selector, "emulator-5554");
    cr_expect(plan.flow_count == 1);
    cr_expect_str_eq(plan.flows[0].name, "scroll");
    cr_expect_str_eq(plan.flows[0].kind, "gesture");
    cr_expect_str_eq(plan.flows[0].argument, "scroll-down");
    cr_expect(plan.flows[0].duration_ns == 0 && plan.batch.package != NULL);
    cr_expect(dj_plan_run_ns(&plan, &plan.flows[0]) == INT64_C(15000000000));
    cr_expect_null(plan.batch.objectives);
}

Test(plan, all_keys_are_read)
{
    expect_plan(HEAD
                "project: shop\nactivity: .Main\nruns: 12\nwarmup: 0\nretries: 3\n"
                "settle: 500ms\ncool-down: 2m\nseed: 7\nfor: 1.5s\nrefresh: 120 Hz\n"
                "aggregate-only: yes\nprofile: on\nstore: perf.db\n"
                "builds:\n  - {label: old, apk: a.apk, version: '1.0', commit: abc}\n"
                "  - {label: new, command: [glxgears, -fullscreen]}\n"
                "devices:\n  - local:\n  - {class: low-end, at-most: 2}\n"
                "flows:\n  - {idle: true, for: 3}\n"
                "  - {instrument: com.t/R, class: 'C#m', runs: 5, priority: high}\n"
                "  - {name: buy, script: flows/buy.lua}\n");
    const struct dj_batch_plan *batch = &plan.batch;
    cr_expect_str_eq(batch->project, "shop");
    cr_expect(batch->runs == 12 && batch->warmups == 0 && batch->retries == 3);
    cr_expect(batch->settle_ns == 500000000 && batch->seed == 7);
    cr_expect(batch->cool_down_ns == INT64_C(120000000000));
    cr_expect(batch->refresh_hz == 120 && batch->aggregate_only && batch->profile);
    cr_expect_str_eq(plan.store, "dir/perf.db");
    cr_expect(batch->build_count == 2);
    cr_expect_str_eq(batch->builds[0].apk, "dir/a.apk");
    cr_expect_str_eq(batch->builds[0].version, "1.0");
    cr_expect_str_eq(batch->builds[1].command[1], "-fullscreen");
    cr_expect_null(batch->builds[1].command[2]);
    cr_expect_str_eq(plan.devices[0].selector, "local:");
    cr_expect_null(plan.devices[1].selector);
    cr_expect(plan.devices[1].most == 2);
    cr_expect(plan.flows[0].duration_ns == INT64_C(3000000000));
    cr_expect(plan.flows[1].duration_ns == INT64_C(1500000000));
    cr_expect(plan.flows[1].runs == 5);
    cr_expect_str_eq(plan.flows[1].test_class, "C#m");
    cr_expect_str_eq(plan.flows[2].argument, "dir/flows/buy.lua");
}

Test(plan, aliases_are_replaced_by_their_anchors)
{
    expect_plan(HEAD DEVICES "definitions:\n  slow: &slow {for: 20s, runs: 3}\n"
                             "flows:\n  - {<<: *slow, name: a, idle: true}\n"
                             "  - {<<: *slow, name: b, idle: true, runs: 9}\n");
    cr_expect(plan.flows[0].duration_ns == INT64_C(20000000000));
    cr_expect(plan.flows[0].runs == 3 && plan.flows[1].runs == 9);
}

/* ---- faults ---- */

Test(plan, an_unknown_key_suggests_the_most_similar)
{
    expect_faults(WHOLE "runz: 3\n",
                  "dir/p.yaml:6:1: a plan has no 'runz'; did you mean 'runs'?\n");
    expect_faults(
        HEAD DEVICES "flows:\n  - {name: a, gestur: tap}\n",
        "dir/p.yaml:5:15: a flow has no 'gestur'; did you mean 'gesture'?\n"
        "dir/p.yaml:5:5: expected one of gesture, instrument, script or idle in "
        "a flow, found none\n");
}

Test(plan, a_duplicate_key_is_a_fault)
{
    expect_faults(WHOLE "runs: 3\nruns: 4\n",
                  "dir/p.yaml:7:1: 'runs' occurs twice, first in line 6\n");
}

Test(plan, values_of_the_wrong_kind_are_faults)
{
    expect_faults(WHOLE "runs: many\n",
                  "dir/p.yaml:6:7: 'runs': expected a whole number of 1 to 100000, found "
                  "'many'\n");
    expect_faults(WHOLE "runs: 0\nwarmup: 1.5\n",
                  "dir/p.yaml:6:7: 'runs': expected a whole number of 1 to 100000, found "
                  "'0'\n"
                  "dir/p.yaml:7:9: 'warmup': expected a whole number of 0 to 1000, found "
                  "'1.5'\n");
    expect_faults(WHOLE "for: 10 parsecs\n",
                  "dir/p.yaml:6:6: 'for': expected a duration such as 10s, 1.5s or 200ms "
                  "of at least 0.1 s, found '10 parsecs'\n");
    expect_faults(WHOLE "runs: [1]\nprofile: maybe\n",
                  "dir/p.yaml:6:7: 'runs': expected a whole number of 1 to 100000, found "
                  "a list\n"
                  "dir/p.yaml:7:10: 'profile': expected true or false, found 'maybe'\n");
    expect_faults(
        HEAD DEVICES "flows: scroll\n",
        "dir/p.yaml:4:8: expected a list of flows, found 'scroll'. hint: write flows: "
        "[{name: main list, gesture: scroll-down}]\n");
    expect_faults("- plan\n",
                  "dir/p.yaml:1:1: expected a plan as a map, found a list. hint: start "
                  "the file with 'plan: 1' (docs/format/plan.md has an example)\n");
    expect_faults(HEAD DEVICES "flows: [scroll, '', [tap]]\n",
                  "dir/p.yaml:4:9: expected a flow as a map, found 'scroll'. hint: write "
                  "{name: main list, gesture: scroll-down}\n"
                  "dir/p.yaml:4:17: expected a flow as a map, found ''. hint: write "
                  "{name: main list, gesture: scroll-down}\n"
                  "dir/p.yaml:4:21: expected a flow as a map, found a list. hint: write "
                  "{name: main list, gesture: scroll-down}\n");
    expect_faults(HEAD DEVICES "flows: []\n",
                  "dir/p.yaml:4:8: expected a list of flows, found an empty one. hint: "
                  "write flows: [{name: main list, gesture: scroll-down}]\n");
}

Test(plan, missing_keys_are_faults)
{
    expect_faults("plan: 1\n", "dir/p.yaml:1:1: a plan lacks 'devices'\ndir/p.yaml:1:1: "
                               "a plan lacks 'flows'\ndir/p.yaml:1:1: a plan needs "
                               "'package' (unless its builds have a 'command')\n");
    expect_faults(
        "plan: 2\npackage: a\n" DEVICES FLOWS,
        "dir/p.yaml:1:7: 'plan': expected a whole number of 1 to 1, found '2'\n");
    expect_faults(
        HEAD "devices:\n" FLOWS,
        "dir/p.yaml:3:9: expected a list of devices, found nothing. hint: write "
        "devices: [emulator-5554] or devices: [{class: any}]\n");
    expect_faults("", "dir/p.yaml:1:1: empty; expected a plan (docs/format/plan.md)\n");
}

Test(plan, invalid_yaml_is_a_fault)
{
    cr_expect(read_plan(HEAD "devices: [a\nflows: b\n") == DJ_E_INVALID);
    cr_expect(strncmp(dj_text_get(&faults.lines), "dir/p.yaml:4:", 13) == 0, "%s",
              dj_text_get(&faults.lines));
    forget();
    cr_expect(read_plan("a: \xff\xfe\n") == DJ_E_INVALID);
    cr_expect(strstr(dj_text_get(&faults.lines), "not UTF-8") != NULL, "%s",
              dj_text_get(&faults.lines));
    forget();
    cr_expect(read_plan("a: *b\n") == DJ_E_INVALID);
    cr_expect(strstr(dj_text_get(&faults.lines), "undefined alias") != NULL, "%s",
              dj_text_get(&faults.lines));
    forget();
    expect_faults("a: 1\n---\nb: 2\n",
                  "dir/p.yaml:3:1: a second document; expected one plan in a file\n");
}

Test(plan, sizes_are_limited)
{
    struct dj_text text = {0};
    dj_text_add(&text, HEAD DEVICES "flows:\n");
    for (int i = 0; i < 101; i++) {
        dj_text_format(&text, "  - {idle: true, name: f%d}\n", i);
    }
    expect_faults(dj_text_get(&text),
                  "dir/p.yaml:105:5: expected at most 100 flows, found 101\n");
    dj_text_clear(&text);
    for (int i = 0; i < 40; i++) {
        dj_text_add(&text, "[");
    }
    for (int i = 0; i < 40; i++) {
        dj_text_add(&text, "]");
    }
    cr_expect(read_plan(dj_text_get(&text)) == DJ_E_INVALID);
    cr_expect(strstr(dj_text_get(&faults.lines), "nested deeper than 16") != NULL);
    forget();
    cr_expect(read_plan("a: &a [*a]\n") == DJ_E_INVALID);
    forget();
    dj_text_clear(&text);
    for (int i = 0; i <= DJ_PLAN_BYTES; i++) {
        dj_text_add(&text, "#");
    }
    cr_expect(read_plan(dj_text_get(&text)) == DJ_E_INVALID);
    cr_expect(strstr(dj_text_get(&faults.lines), "expected at most 1048576") != NULL);
    dj_text_finish(&text);
}

/* Aliases of aliases need few nodes, but visiting all of them would take very long. */
Test(plan, aliases_do_not_multiply)
{
    struct dj_text text = {0};
    dj_text_add(&text, "a0: &a0 [1,1,1,1,1,1,1,1,1]\n");
    for (int i = 1; i < 14; i++) {
        dj_text_format(&text, "a%d: &a%d [", i, i);
        for (int k = 0; k < 9; k++) {
            dj_text_format(&text, "%s*a%d", k > 0 ? "," : "", i - 1);
        }
        dj_text_add(&text, "]\n");
    }
    cr_expect(read_plan(dj_text_get(&text)) == DJ_E_INVALID);
    dj_text_finish(&text);
}

Test(plan, contradictory_flows_devices_and_builds_are_faults)
{
    expect_faults(
        HEAD DEVICES "flows:\n  - {name: a, idle: true, gesture: tap}\n"
                     "  - {name: a, idle: true, class: C}\n",
        "dir/p.yaml:5:5: expected one of gesture, instrument, script or idle in a flow, "
        "found several\ndir/p.yaml:6:34: 'class' selects tests of 'instrument', but this "
        "flow has no 'instrument'\ndir/p.yaml:6:5: two flows are named 'a', the other in "
        "line 5; each flow needs its own name\n");
    expect_faults(
        HEAD FLOWS "devices: [a, a, {select: b, ram: 3 GB}, {}]\n",
        "dir/p.yaml:5:14: device 'a' is listed twice\ndir/p.yaml:5:34: 'ram' is a "
        "condition of a class, but this device is selected by name\ndir/p.yaml:5:41: "
        "expected either 'select' with a device or 'class' with a name\n");
    expect_faults(WHOLE "builds: [{label: x, apk: a, command: [b]}, {label: x}, {}]\n",
                  "dir/p.yaml:6:56: expected at most 2 builds, found 3\n");
    expect_faults(WHOLE "builds: [{label: x, apk: a, command: [b]}, {label: x}]\n",
                  "dir/p.yaml:6:10: expected 'apk' or 'command' in a build, found both\n"
                  "dir/p.yaml:6:44: both builds are labelled 'x'\n");
    expect_plan("plan: 1\n" DEVICES FLOWS "builds: [{command: [glxgears]}]\n");
    forget();
    expect_faults(
        WHOLE "builds: [{command: glxgears -v}]\n",
        "dir/p.yaml:6:20: expected a list of words (a program and its "
        "arguments), found 'glxgears -v'. hint: write command: [./shop, --demo]\n");
}

/* ---- classes ---- */

static struct dj_device_facts phone(double ram_gb, int width_px, int density)
{
    struct dj_device_facts facts;
    dj_facts_init(&facts);
    facts.ram_bytes = (int64_t)(ram_gb * 1e9);
    facts.width_px = width_px;
    facts.height_px = width_px * 2;
    facts.density_dpi = density;
    facts.emulator = DJ_KNOWN_NO;
    snprintf(facts.model, sizeof(facts.model), "Pixel 4a");
    return facts;
}

Test(plan, classes_contain_devices_within_their_bounds)
{
    struct dj_device_facts small = phone(2, 720, 320);
    struct dj_device_facts large = phone(8, 1600, 320);
    struct dj_device_facts unknown;
    dj_facts_init(&unknown);
    expect_plan(HEAD FLOWS
                "devices:\n  - class: low-end\n  - class: tablet\n"
                "  - {class: middle, ram: 2..8 GB, width: '<= 360 dp'}\n"
                "  - {class: mine, ram: '> 2 GB', emulator: no, model: pixel}\n"
                "  - class: any\n");
    static const bool of_small[] = {true, false, true, false, true};
    static const bool of_large[] = {false, true, false, true, true};
    for (size_t i = 0; i < 5; i++) {
        const struct dj_device_class *class = &plan.devices[i].class;
        cr_expect(dj_facts_class_matches(class, &small) == of_small[i], "small, %zu", i);
        cr_expect(dj_facts_class_matches(class, &large) == of_large[i], "large, %zu", i);
        cr_expect(dj_facts_class_matches(class, &unknown) == (i == 4), "unknown, %zu", i);
    }
    struct dj_text words = {0};
    dj_facts_class_format(&words, &plan.devices[2].class);
    cr_expect_str_eq(dj_text_get(&words), "ram ≥ 2 GB ≤ 8 GB, width ≤ 360 dp");
    dj_text_finish(&words);
}

Test(plan, invalid_classes_are_faults)
{
    expect_faults(HEAD FLOWS "devices: [{class: low-ent}, {class: own, ram: little}]\n",
                  "dir/p.yaml:5:19: class 'low-ent' has no condition; expected ram, "
                  "cores, cpu, api, density, refresh, width, emulator or model; did you "
                  "mean 'low-end'?\ndir/p.yaml:5:47: 'ram': expected a bound such as \"< "
                  "3 GB\" or a range \"2..4 GB\", found 'little'\n");
    expect_faults(
        HEAD FLOWS "devices: [{class: a, ram: '< 3 kg', emulator: perhaps}]\n",
        "dir/p.yaml:5:27: 'ram': expected a bound such as \"< 3 GB\" or a range "
        "\"2..4 GB\", found '< 3 kg'\n"
        "dir/p.yaml:5:47: 'emulator': expected yes or no, found 'perhaps'\n");
}

/* ---- objectives ---- */

Test(plan, objectives_become_json)
{
    expect_plan(WHOLE "objectives:\n"
                      "  - {metric: smooth_pct, at-least: 90 %, goal: 98}\n"
                      "  - {metric: frame_time_p90_ns, at-most: 16 ms, flow: scroll,\n"
                      "     statistic: mean, priority: high, note: 'say \"no\"\\'}\n");
    cr_expect(plan.objectives.count == 2);
    cr_expect_str_eq(
        plan.batch.objectives,
        "{\"schema\":\"dejank.objectives/1\",\"flows\":[{\"name\":\"scroll\","
        "\"priority\":\"normal\"}],\"objectives\":["
        "{\"metric\":\"smooth_pct\",\"at_least\":90,\"goal\":98,\"statistic\":"
        "\"median\","
        "\"flow\":null,\"devices\":null,\"priority\":\"normal\",\"note\":null},"
        "{\"metric\":\"frame_time_p90_ns\",\"at_most\":16000000,\"goal\":null,"
        "\"statistic\":\"mean\",\"flow\":\"scroll\",\"devices\":null,\"priority\":"
        "\"high\","
        "\"note\":\"say \\\"no\\\"\\\\\"}]}");
}

Test(plan, objectives_with_unknown_names_are_faults)
{
    expect_faults(WHOLE "objectives: [{metric: jank_pct, at-most: 10}]\n",
                  "dir/p.yaml:6:23: no metric 'jank_pct'; did you mean 'janky_pct'?\n");
    expect_faults(
        WHOLE "objectives: [{metric: janky_pct, at-most: 16 ms, flow: scrol}]\n",
        "dir/p.yaml:6:56: the plan has no flow 'scrol'; did you mean 'scroll'?\n"
        "dir/p.yaml:6:43: 'at-most' of janky_pct: expected a share in percent, such as "
        "10 %, found '16 ms'\n");
    expect_faults(WHOLE "objectives: [{metric: janky_pct}]\n",
                  "dir/p.yaml:6:14: expected 'at-most' or 'at-least' in an objective, "
                  "found neither\n");
    expect_faults(
        WHOLE "objectives: [{metric: frame_time_p90_ns, at-most: 16, devices: tablet}]\n",
        "dir/p.yaml:6:64: the plan has no device or class 'tablet'; expected "
        "emulator-5554\n"
        "dir/p.yaml:6:51: 'at-most' of frame_time_p90_ns: expected a time with its unit, "
        "such as 16 ms, found '16'\n");
}

Test(plan, short_metrics_and_sentences_are_objectives)
{
    expect_plan(WHOLE "objectives:\n"
                      "  - {metric: p95, at-most: 16 ms}\n"
                      "  - 'p95 <= 16 ms'\n"
                      "  - smooth >= 98 % worst by 2027-03-31\n");
    cr_assert_eq(plan.objectives.count, 3);
    for (size_t i = 0; i < 2; i++) {
        const struct dj_objective *one = &plan.objectives.objective[i];
        cr_expect_eq(one->metric, DJ_METRIC_FRAME_TIME_P95);
        cr_expect(!one->at_least && one->bound == 16e6 && isnan(one->goal));
        cr_expect_eq(one->statistic, DJ_OBJECTIVE_MEDIAN);
        cr_expect_str_eq(one->priority, "normal");
    }
    const struct dj_objective *last = &plan.objectives.objective[2];
    cr_expect(last->smooth && last->at_least && last->bound == 98);
    cr_expect_eq(last->statistic, DJ_OBJECTIVE_WORST);
    cr_expect_str_eq(last->by, "2027-03-31");
    const char *stored = strstr(plan.batch.objectives, "\"objectives\":[");
    const char *next = strstr(stored, "},{");
    size_t length = (size_t)(next - stored) + 1 - strlen("\"objectives\":[");
    cr_expect_eq(strncmp(stored + strlen("\"objectives\":["), next + 2, length), 0,
                 "both are stored equally: %s", stored);
    cr_expect_not_null(strstr(stored, "\"metric\":\"frame_time_p95_ns\""));
}

Test(plan, invalid_objective_words_are_faults_with_position)
{
    expect_faults(
        WHOLE "objectives: ['p95 <= 16', {metric: p95, at-most: 16}]\n",
        "dir/p.yaml:6:14: 'p95 <= 16' is not an objective: expected a time with its "
        "unit, such as 16 ms\ndir/p.yaml:6:50: 'at-most' of frame_time_p95_ns: expected "
        "a time with its unit, such as 16 ms, found '16'\n");
    expect_faults(WHOLE "objectives: ['']\n",
                  "dir/p.yaml:6:14: expected an objective as a map, found ''. hint: "
                  "write 'p95 <= 16.7 ms' or {metric: p95, at-most: 16.7 ms}\n");
}

Test(plan, stored_objectives_equal_those_of_the_plan)
{
    struct dj_objectives read = {0};
    expect_plan(HEAD FLOWS "devices: [{class: old, ram: '< 2 GB'}]\n"
                           "objectives: [{metric: jank, at-most: 5 %, goal: 1, devices: "
                           "old, note: n}]\n");
    cr_assert_eq(dj_gate_objectives_read(plan.batch.objectives, &read, &failure), 0, "%s",
                 failure.message);
    cr_assert(read.count == 1 && plan.objectives.count == 1);
    const struct dj_objective *own = plan.objectives.objective, *back = read.objective;
    cr_expect_str_eq(back->metric_name, own->metric_name);
    cr_expect(back->metric == own->metric && back->bound == own->bound);
    cr_expect(back->goal == own->goal && back->at_least == own->at_least);
    cr_expect_str_eq(back->note, own->note);
    cr_expect(back->has_class && own->has_class);
    cr_assert_eq(back->class.need_count, own->class.need_count);
    cr_expect_eq(back->class.needs[0].most, own->class.needs[0].most);
    dj_gate_objectives_finish(&read);
}

/* The definition of a class is stored with the objectives, so that later readers know its
 * meaning. */
Test(plan, objectives_have_dates_and_classes)
{
    expect_plan(HEAD FLOWS "devices: [{class: low-end}, {class: old, model: Nexus}]\n"
                           "objectives: [{metric: smooth_pct, at-least: 98, by: "
                           "2027-03-31, devices: low-end}]\n");
    cr_expect_str_eq(
        plan.batch.objectives,
        "{\"schema\":\"dejank.objectives/1\",\"flows\":[{\"name\":\"scroll\","
        "\"priority\":\"normal\"}],\"classes\":[{\"name\":\"low-end\",\"model\":null,"
        "\"needs\":[{\"fact\":\"ram\",\"least\":null,\"most\":3000000000,\"above\":false,"
        "\"below\":true}]},{\"name\":\"old\",\"model\":\"Nexus\",\"needs\":[]}],"
        "\"objectives\":[{\"metric\":\"smooth_pct\",\"at_least\":98,\"goal\":null,\"by\":"
        "\"2027-03-31\",\"statistic\":\"median\",\"flow\":null,\"devices\":\"low-end\","
        "\"priority\":\"normal\",\"note\":null}]}");
    forget();
    expect_faults(WHOLE "objectives: [{metric: janky_pct, at-most: 1, by: spring}]\n",
                  "dir/p.yaml:6:50: 'by': expected a date such as 2027-03-31, found "
                  "'spring'\n");
}

/* ---- the gate ---- */

Test(plan, gate_settings_are_read)
{
    expect_plan(WHOLE "gate:\n"
                      "  metrics: {p95: 5 %, jank: 20%}\n"
                      "  margin: 3 %\n"
                      "  risk: 0.01\n"
                      "  baseline: last:8:main\n"
                      "  nearest: yes\n"
                      "  allow-new: yes\n"
                      "  undecided: rerun\n"
                      "  looks: [10, 15, 20, 30]\n"
                      "  stale: 7d\n");
    const struct dj_plan_gate *gate = &plan.gate;
    cr_assert_eq(gate->gate_count, 2);
    cr_expect_str_eq(gate->gates[0].metric->name, dj_compare_metric_find("p95")->name);
    cr_expect_float_eq(gate->gates[0].margin, 0.05, 1e-12);
    cr_expect_float_eq(gate->gates[1].margin, 0.2, 1e-12);
    cr_expect_float_eq(gate->margin, 0.03, 1e-12);
    cr_expect_float_eq(gate->alpha, 0.01, 1e-12);
    cr_expect(gate->has_baseline && gate->baseline.kind == DJ_BASELINE_LAST);
    cr_expect(gate->baseline.count == 8 && gate->baseline.nearest && gate->allow_new);
    cr_expect_eq(gate->undecided, DJ_UNDECIDED_RERUNS);
    cr_expect(gate->look_count == 4 && gate->looks[3] == 30);
    cr_expect_eq(gate->stale_ms, INT64_C(604800000));
}

Test(plan, invalid_gate_settings_are_faults)
{
    expect_faults(
        WHOLE "gate: {metrics: [p96], margin: 5 ms, risk: 60 %}\n",
        "dir/p.yaml:6:32: 'margin': expected a share such as 5 %, found '5 "
        "ms'\ndir/p.yaml:6:44: 'risk': expected less than 50 %\ndir/p.yaml:6:18: there "
        "is no metric 'p96'; expected one such as p95 or jank\n");
    expect_faults(WHOLE "gate: {baseline: last:0, undecided: maybe, stale: 7}\n",
                  "dir/p.yaml:6:51: 'stale': expected an age such as 7d or 12h, found "
                  "'7'\ndir/p.yaml:6:18: 'last:0': expected last:N or last:N:BRANCH with "
                  "N from 1 to 1000\ndir/p.yaml:6:37: 'undecided' cannot be 'maybe'; "
                  "expected fail, pass or rerun\n");
    expect_faults(WHOLE "gate: {looks: [10, 5], metrics: {p95: much}}\n",
                  "dir/p.yaml:6:39: margin of frame_time_p95: expected a share such as 5 "
                  "%, found 'much'\ndir/p.yaml:6:15: 'looks': expected rising numbers of "
                  "runs per build, such as [10, 15, 20, 30], at most 12 of them\n");
}

Test(plan, a_trace_may_be_a_word)
{
    static const struct {
        const char *word;
        enum dj_trace_selection what;
    } cases[] = {{"all", DJ_TRACE_ALL}, {"janky", DJ_TRACE_JANKY},
                 {"yes", DJ_TRACE_ALL}, {"true", DJ_TRACE_ALL},
                 {"no", DJ_TRACE_NONE}, {"off", DJ_TRACE_NONE}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[400];
        snprintf(text, sizeof(text), WHOLE "trace: %s\n", cases[i].word);
        expect_plan(text);
        cr_expect(plan.batch.trace.what == cases[i].what, "%s", cases[i].word);
        forget();
    }
    expect_plan(WHOLE);
    cr_expect(plan.batch.trace.what == DJ_TRACE_NONE, "the plan has no trace");
}

#define HERE HEAD "devices: ['local:']\n" FLOWS

Test(plan, a_trace_option_is_all_or_janky)
{
    enum dj_trace_selection wish = DJ_TRACE_NONE;
    cr_expect(dj_measure_trace_selection_find("janky", &wish) && wish == DJ_TRACE_JANKY);
    cr_expect(dj_measure_trace_selection_find("all", &wish) && wish == DJ_TRACE_ALL);
    cr_expect_not(dj_measure_trace_selection_find("", &wish) ||
                  dj_measure_trace_selection_find("no", &wish));
}

Test(plan, a_trace_may_be_a_map)
{
    expect_plan(HERE "trace: {around: janky, before: 100ms, after: 2s, level: perf,\n"
                     "        categories: [sched, irq], buffer: 8, size: 32}\n");
    const struct dj_trace_plan *trace = &plan.batch.trace;
    cr_expect(trace->what == DJ_TRACE_JANKY);
    cr_expect(trace->before_ns == 100000000 && trace->after_ns == 2000000000);
    cr_expect(trace->level_required && trace->level == DJ_CAPTURE_PERF);
    cr_expect(trace->buffer_bytes == 8 << 20 && trace->size_bytes == 32 << 20);
    cr_assert(trace->category_count == 2);
    cr_expect_str_eq(trace->categories[0], "sched");
    cr_expect_str_eq(trace->categories[1], "irq");
    forget();
    expect_plan(HERE "trace: {size: 1}\n");
    cr_expect(plan.batch.trace.what == DJ_TRACE_ALL && !plan.batch.trace.level_required);
    forget();
    /* The categories of a device are not checked. */
    expect_plan(WHOLE "trace: {categories: [gfx, view]}\n");
    cr_expect(plan.batch.trace.category_count == 2);
}

Test(plan, a_trace_may_have_call_stacks)
{
    expect_plan(HERE "trace: {stacks: 'cpu,waits', stack-rate: 500, stack-size: 8192}\n");
    const struct dj_capture_stacks *stacks = &plan.batch.trace.stacks;
    cr_expect(stacks->cpu && stacks->waits);
    cr_expect(stacks->rate_hz == 500 && stacks->stack_bytes == 8192);
    forget();
    expect_plan(HERE "trace: {stacks: yes}\n");
    cr_expect(plan.batch.trace.stacks.cpu && !plan.batch.trace.stacks.waits);
    forget();
    expect_plan(HERE "trace: {stacks: no}\n");
    cr_expect(!plan.batch.trace.stacks.cpu && !plan.batch.trace.stacks.waits);
    forget();
    expect_faults(HERE "trace: {stacks: gpu}\n",
                  "dir/p.yaml:6:17: 'stacks': expected cpu, waits, 'cpu,waits' or no, "
                  "found 'gpu'\n");
    expect_faults(HERE "trace: {stack-rate: 500}\n",
                  "dir/p.yaml:6:21: 'stack-rate' and 'stack-size' need 'stacks'\n");
    expect_faults(HERE "trace: {stacks: cpu, stack-size: 10}\n",
                  "dir/p.yaml:6:34: 'stack-size': expected a whole number of 1024 to "
                  "65000, found '10'\n");
    expect_faults(WHOLE "trace: {stacks: cpu}\n",
                  "dir/p.yaml:6:17: 'stacks' is only for this machine, but no device of "
                  "this plan is 'local:'\n");
}

Test(plan, faults_of_a_trace_have_positions)
{
    expect_faults(HERE "trace: slow\n",
                  "dir/p.yaml:6:8: 'trace': expected all, janky, no or a map, found "
                  "'slow'\n");
    expect_faults(HERE "trace:\n",
                  "dir/p.yaml:6:7: 'trace': expected all, janky, no or a map, found "
                  "nothing\n");
    expect_faults(HERE "trace: [all]\n",
                  "dir/p.yaml:6:8: expected a trace as a map, found a list. hint: write "
                  "trace: all or trace: {around: janky}\n");
    expect_faults(HERE "trace:\n"
                       "  around: late\n"
                       "  level: prf\n"
                       "  size: 0\n"
                       "  buffer: 2000\n"
                       "  categories: [sched, gfx]\n"
                       "  befor: 1s\n",
                  "dir/p.yaml:12:3: a trace has no 'befor'; did you mean 'before'?\n"
                  "dir/p.yaml:10:11: 'buffer': expected a whole number of 1 to 1024, "
                  "found '2000'\n"
                  "dir/p.yaml:9:9: 'size': expected a whole number of 1 to 512, found "
                  "'0'\n"
                  "dir/p.yaml:7:11: 'around': expected janky, found 'late'\n"
                  "dir/p.yaml:8:10: no level 'prf'; did you mean 'perf'?\n"
                  "dir/p.yaml:11:23: unknown category 'gfx' (categories of this machine: "
                  "sched, irq, disk, "
                  "freq, idle, thermal, memory, binder, gpu)\n");
    expect_faults(HERE "trace: {after: 1s}\n",
                  "dir/p.yaml:6:16: 'before' and 'after' need 'around: janky'\n");
    expect_faults(WHOLE "trace: {level: perf}\n",
                  "dir/p.yaml:6:16: 'level' is only for this machine, but no device of "
                  "this plan is 'local:'\n");
    expect_faults(
        HERE "trace: {categories: sched}\n",
        "dir/p.yaml:6:21: expected a list of categories, found 'sched'. hint: write "
        "categories: [sched, irq]\n");
    expect_faults(HERE "trace: {categories: [[sched]]}\n",
                  "dir/p.yaml:6:22: expected a category of events, found a list\n");
}

/* Each setting changes the fingerprint, so that another batch begins. */
Test(plan, a_trace_changes_the_fingerprint)
{
    static const char *const traces[] = {"",
                                         "trace: all\n",
                                         "trace: janky\n",
                                         "trace: {around: janky, before: 1s}\n",
                                         "trace: {around: janky, after: 1s}\n",
                                         "trace: {size: 1}\n",
                                         "trace: {buffer: 1}\n",
                                         "trace: {level: tracefs}\n",
                                         "trace: {level: own-threads}\n",
                                         "trace: {categories: [irq]}\n"};
    enum { COUNT = sizeof(traces) / sizeof(traces[0]) };
    char digits[COUNT][DJ_FINGERPRINT];
    for (size_t i = 0; i < COUNT; i++) {
        char text[400];
        const struct dj_flow_plan flow = {.name = "x", .maker = &dj_driver_idle};
        snprintf(text, sizeof(text), HERE "%s", traces[i]);
        expect_plan(text);
        cr_assert(
            dj_batch_fingerprint(&plan.batch, &flow, "local:", digits[i], &failure) == 0);
        for (size_t k = 0; k < i; k++) {
            cr_expect_str_neq(digits[i], digits[k], "%s%s", traces[i], traces[k]);
        }
        forget();
    }
}
