#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/xml.h"
#include "report/gate.h"
#include "report/junit.h"

/* A test case and its result. */
struct one_case {
    struct dj_text name, message;
    /* XML element of the case: "failure", "error" or "skipped". NULL if the case
     * passed. */
    const char *element;
    const char *type;
};

struct suite {
    struct dj_text cases;
    struct dj_junit_counts counts;
};

/* Writes a case, and finishes its texts. */
static void write_case(struct suite *suite, const struct dj_gate_cell *cell,
                       struct one_case *one)
{
    struct dj_text *text = &suite->cases;
    suite->counts.tests++;
    dj_text_add(text, "    <testcase");
    dj_xml_write_attribute(text, "classname", cell->batches->serial);
    dj_xml_write_attribute(text, "name", dj_xtext(&one->name));
    if (one->element != NULL) {
        bool skipped = strcmp(one->element, "skipped") == 0;
        suite->counts.failures += strcmp(one->element, "failure") == 0;
        suite->counts.errors += strcmp(one->element, "error") == 0;
        suite->counts.skipped += skipped;
        dj_text_format(text, ">\n      <%s", one->element);
        dj_xml_write_attribute(text, "message", dj_xtext(&one->message));
        if (!skipped) {
            dj_xml_write_attribute(text, "type", one->type);
        }
    }
    dj_text_add(text, one->element != NULL ? "/>\n    </testcase>\n" : "/>\n");
    dj_text_finish(&one->name);
    dj_text_finish(&one->message);
}

/* Returns the element of an undecided cell. The cell fails, unless the user lets
 * undecided cells pass: then the case is shown as skipped. */
static const char *choose_open_element(const struct dj_gate_report *report)
{
    return report->undecided_passes ? "skipped" : "failure";
}

static void write_metric(struct suite *suite, const struct dj_gate_report *report,
                         const struct dj_gate_cell *cell,
                         const struct dj_comparison_metric *metric)
{
    const struct dj_effect *effect = &metric->member.effect;
    bool worse = effect->verdict == DJ_VERDICT_REGRESSION;
    bool open = effect->verdict == DJ_VERDICT_LIKELY_REGRESSION ||
                effect->verdict == DJ_VERDICT_INCONCLUSIVE;
    struct one_case one = {
        .element = worse  ? "failure"
                   : open ? choose_open_element(report)
                          : NULL,
        .type = dj_compare_verdict_name(effect->verdict),
    };
    dj_text_add(&one.name, metric->metric->words);
    dj_text_format(&one.message, "%s: ", one.type);
    if (isfinite(effect->ratio)) {
        dj_compare_format_change(&one.message, effect->ratio);
        dj_text_add(&one.message, " % [");
        dj_compare_format_change(&one.message, effect->ci.low);
        dj_text_add(&one.message, ", ");
        dj_compare_format_change(&one.message, effect->ci.high);
        dj_text_add(&one.message, "], ");
    }
    dj_text_format(&one.message, "%zu against %zu runs", effect->n_b, effect->n_a);
    write_case(suite, cell, &one);
}

static void write_objective(struct suite *suite, const struct dj_gate_report *report,
                            const struct dj_gate_cell *cell,
                            const struct dj_gate_objective *objective)
{
    static const char *const elements[] = {[DJ_OBJECTIVE_MISSED] = "failure",
                                           [DJ_OBJECTIVE_NOT_MEASURED] = "error",
                                           [DJ_OBJECTIVE_STATES] = NULL};
    enum dj_objective_state state = objective->result.state;
    struct one_case one = {
        .element = !objective->gates && state != DJ_OBJECTIVE_MET ? "skipped"
                   : state == DJ_OBJECTIVE_UNDECIDED ? choose_open_element(report)
                                                     : elements[state],
        .type = dj_gate_objective_state_name(state),
    };
    dj_text_add(&one.name, "objective ");
    dj_gate_objective_format(&one.name, objective->objective, &objective->result);
    dj_text_format(&one.message, "%s%s: ", one.type,
                   objective->gates ? "" : ", not due yet");
    dj_gate_objective_format_reason(&one.message, objective->objective,
                                    &objective->result);
    write_case(suite, cell, &one);
}

static void write_cell(struct suite *suite, const struct dj_gate_report *report,
                       const struct dj_gate_cell *cell)
{
    const struct dj_comparison_metric *metric;
    for (size_t i = 0; (metric = dj_gate_metric_at(cell, i)) != NULL; i++) {
        write_metric(suite, report, cell, metric);
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        write_objective(suite, report, cell, &cell->objective[i]);
    }
    if (cell->missing.length > 0 || cell->is_new) {
        struct one_case one = {.element = cell->is_new ? "skipped" : "error",
                               .type = "not-measured"};
        dj_text_add(&one.name, "measured");
        dj_text_add(&one.message, cell->is_new
                                      ? "new: the baseline has no batch to compare with"
                                      : dj_xtext(&cell->missing));
        write_case(suite, cell, &one);
    }
}

static void write_suite(struct dj_text *text, const char *name, struct suite *suite)
{
    dj_text_add(text, "  <testsuite");
    dj_xml_write_attribute(text, "name", name);
    dj_junit_write_counts(text, &suite->counts);
    dj_text_format(text, ">\n%s  </testsuite>\n", dj_xtext(&suite->cases));
    dj_text_finish(&suite->cases);
    suite->counts = (struct dj_junit_counts){0};
}

void dj_report_write_gate_junit(struct dj_text *text, const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    struct suite suite = {0};
    dj_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
                      "name=\"dejank gate\">\n");
    for (size_t i = 0; i < gate->cell_count; i++) {
        const char *flow = gate->cell[i].batches->flow;
        write_cell(&suite, report, &gate->cell[i]);
        if (i + 1 == gate->cell_count ||
            strcmp(gate->cell[i + 1].batches->flow, flow) != 0) {
            write_suite(text, flow, &suite);
        }
    }
    if (gate->stale) {
        /* If the store has no new data, this error gets a separate suite. */
        dj_text_format(
            text,
            "  <testsuite name=\"history\" tests=\"1\" failures=\"0\" errors=\"1\" "
            "skipped=\"0\">\n    <testcase classname=\"history\" name=\"new "
            "data\">\n      <error message=\"no new data for %.1f days\" "
            "type=\"not-measured\"/>\n    </testcase>\n  </testsuite>\n",
            (double)gate->age_ms / 86400000);
    }
    dj_text_add(text, "</testsuites>\n");
}
