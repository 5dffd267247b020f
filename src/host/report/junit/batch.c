#include <inttypes.h>

#include "report/batches.h"
#include "report/escape/xml.h"
#include "report/junit.h"

static void write_problem(struct dj_text *text, const struct dj_run_row *run,
                          struct dj_junit_counts *totals)
{
    const char *outcome = dj_facts_outcome_name(run->outcome);
    bool skipped = run->excluded != NULL;
    const char *reason = skipped ? run->excluded : run->reason;
    totals->skipped += skipped;
    totals->failures += !skipped;
    dj_text_add(text, skipped ? "<skipped" : "<failure");
    dj_xml_write_attribute(text, "message", reason != NULL ? reason : outcome);
    if (!skipped) {
        dj_xml_write_attribute(text, "type", outcome);
    }
    dj_text_add(text, "/>");
}

/* Returns the attempt that decides the result of a run number: the first attempt that
 * counts, or else the last one. Returns NULL if a run before index `first` has the same
 * number, so that each number has one case. */
static const struct dj_run_row *find_deciding_attempt(const struct dj_batch *batch,
                                                      size_t first)
{
    const struct dj_run_row *deciding = &batch->runs[first];
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct dj_run_row *run = &batch->runs[i];
        if (run->warmup || run->number != deciding->number) {
            continue;
        }
        if (i < first) {
            return NULL;
        }
        deciding = dj_store_run_counts(deciding) ? deciding : run;
    }
    return deciding;
}

static void write_case(struct dj_text *text, const struct dj_batch *batch,
                       const struct dj_run_row *run, struct dj_junit_counts *totals)
{
    char name[64];
    snprintf(name, sizeof(name), "run %" PRId64, run->number);
    totals->tests++;
    dj_text_add(text, "    <testcase");
    dj_xml_write_attribute(text, "classname",
                           batch->row.project != NULL ? batch->row.project
                                                      : batch->row.id);
    dj_xml_write_attribute(text, "name", name);
    dj_text_add(text, ">");
    if (!dj_store_run_counts(run)) {
        write_problem(text, run, totals);
    }
    dj_text_add(text, "</testcase>\n");
}

void dj_report_add_junit_batch(struct dj_junit *junit, const struct dj_batch *batch)
{
    struct dj_text cases = {0};
    struct dj_junit_counts totals = {0};
    for (size_t i = 0; i < batch->run_count; i++) {
        const struct dj_run_row *run =
            batch->runs[i].warmup ? NULL : find_deciding_attempt(batch, i);
        if (run != NULL) {
            write_case(&cases, batch, run, &totals);
        }
    }
    struct dj_text *text = &junit->suites;
    dj_text_add(text, "  <testsuite");
    dj_xml_write_attribute(text, "name",
                           batch->row.name != NULL ? batch->row.name : batch->row.id);
    dj_xml_write_attribute(text, "id", batch->row.id);
    dj_junit_write_counts(text, &totals);
    if (batch->row.serial != NULL) {
        dj_xml_write_attribute(text, "hostname", batch->row.serial);
    }
    dj_junit_end_suite(junit, &totals, &cases);
}
