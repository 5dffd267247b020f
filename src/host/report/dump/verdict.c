#include "report/dump/verdict.h"

#include <inttypes.h>
#include <math.h>

#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/verdict/assessment.h"

static const char *const outcomes[DJ_OUTCOME_COUNT] = {
    [DJ_OUTCOME_NO_FRAMES] = "NO FRAMES",
    [DJ_OUTCOME_NO_PROCESS] = "NO SUCH PROCESS",
    [DJ_OUTCOME_PERMISSION_DENIED] = "PERMISSION DENIED",
    [DJ_OUTCOME_DUMP_FAILED] = "THE DUMP FAILED",
    [DJ_OUTCOME_NOT_GFXINFO] = "NOTHING TO READ",
};

static void append_process(struct dj_text *line, const struct dj_dump_process *process)
{
    if (process->name != NULL) {
        dj_name_escape(line, process->name, false);
    } else {
        dj_text_add(line, "process without a name");
    }
    if (process->pid >= 0) {
        dj_text_format(line, " (pid %" PRId64 ")", process->pid);
    }
}

void dj_verdict_write_dump(struct dj_terminal *out, const struct dj_parsed *parsed,
                           size_t worst)
{
    const struct dj_dump *dump = &parsed->dump;
    struct dj_text line = {0};
    bool is_reported =
        parsed->outcome == DJ_OUTCOME_NO_FRAMES && dump->process_count == 1;
    if (parsed->outcome != DJ_OUTCOME_OK && !is_reported) {
        dj_text_format(&line, "%s: ", outcomes[parsed->outcome]);
        dj_name_escape(&line, parsed->source, false);
        dj_text_add(&line, ": ");
        dj_name_escape(&line, parsed->error.message, false);
        dj_terminal_wrap_and_finish(out, "", "  ", &line);
        dj_text_add(out->text, dump->process_count > 0 ? "\n" : "");
    }
    if (dump->process_count > 1) {
        size_t drew = 0;
        for (size_t i = 0; i < dump->process_count; i++) {
            drew += dj_assessment_compute(parsed, i).grade != DJ_GRADE_NO_FRAMES;
        }
        dj_text_format(&line, "%zu of %zu processes drew frames", drew,
                       dump->process_count);
        if (drew > 0) {
            dj_text_format(
                &line, "; the worst is %s: ",
                dj_assessment_get_grade_text(dj_assessment_compute(parsed, worst).grade));
            append_process(&line, &dump->processes[worst]);
        }
        dj_terminal_wrap_and_finish(out, "", "  ", &line);
        dj_text_add(out->text, "\n");
    }
}

static void append_rule(struct dj_text *line, const struct dj_parsed *parsed,
                        const struct dj_dump_process *process,
                        const struct dj_assessment *assessment)
{
    const struct dj_dialect *dialect = dj_gfxinfo_dump_dialect(&parsed->dump, process);
    dj_name_escape(line, parsed->source, false);
    bool known = dj_import_dump_get_release(parsed, process) != NULL;
    if (!known && assessment->rows_read == 0) {
        dj_text_add(line, ": release not recognised.");
    } else if (!known) {
        dj_text_format(line,
                       ": release not recognised; rows are judged by the rule of Android "
                       "%s.",
                       dialect->name);
    } else {
        dj_text_format(line, ": in the form of Android %s.", dialect->name);
    }
}

/* Applies each rule to the same frames: the results differ, and people compare them. */
static void append_rules(struct dj_text *line, const struct dj_window_facts *facts,
                         size_t exempt, const char *rule)
{
    const struct dj_summary *summary = &facts->summary;
    size_t judged = summary->judged - exempt;
    if (judged == 0) {
        dj_text_format(line, "Android %s's rule exempts all %zu", rule, exempt);
    } else {
        dj_text_format(line, "By Android %s's rule %zu of %zu are janky", rule,
                       summary->janky, judged);
    }
    if (judged > 0 && exempt > 0) {
        dj_text_format(line, ", and %zu more are exempt", exempt);
    }
    if (summary->guide.count > 0) {
        dj_text_format(
            line,
            "; by the guide's, over rows with Flags 0 and with waits in, %zu of %zu",
            summary->guide_over, summary->guide.count);
    }
    double rate_hz = dj_frame_summary_rate_hz(summary);
    dj_text_add(line, ".");
    if (isfinite(rate_hz)) {
        dj_text_format(line,
                       " Made were %.1f frames per second, and %zu display intervals "
                       "passed without a new one.",
                       rate_hz, summary->dropped_intervals);
    }
}

void dj_verdict_write_process(struct dj_terminal *out, const struct dj_parsed *parsed,
                              size_t index, const struct dj_assessment *assessment)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    struct dj_text line = {0};
    /* The device refused, or the app did not answer, so it is unknown whether frames were
     * drawn. */
    bool refused = assessment->grade == DJ_GRADE_NO_FRAMES &&
                   (parsed->outcome == DJ_OUTCOME_PERMISSION_DENIED ||
                    parsed->outcome == DJ_OUTCOME_DUMP_FAILED);
    dj_text_format(
        &line,
        "%s: ", refused ? "NOT DUMPED" : dj_assessment_get_grade_text(assessment->grade));
    append_process(&line, process);
    if (!refused) {
        dj_assessment_describe(&line, assessment);
    }
    dj_terminal_wrap_and_finish(out, "", "  ", &line);
    if (assessment->rows.frames + assessment->exempt > 0) {
        const struct dj_window_facts *facts =
            &parsed->processes[index].windows[assessment->window];
        if (process->window_count > 1) {
            dj_text_add(&line, "Of the window with the most rows: ");
        }
        const struct dj_spread *times = &facts->summary.frame_time;
        dj_text_format(
            &line,
            "Half of the rows took at most %.2f ms, 95 %% at most %.2f ms, "
            "99 %% at most %.2f ms; the display gives each %.2f ms (%.0f Hz%s).",
            times->p50_ns / 1e6, times->p95_ns / 1e6, times->p99_ns / 1e6,
            dj_units_ms(facts->interval_ns), 1e9 / (double)facts->interval_ns,
            facts->interval_assumed ? ", assumed" : "");
        dj_terminal_wrap_and_finish(out, "  ", "  ", &line);
        append_rules(&line, facts,
                     dj_assessment_count_exempt_rows(parsed, index, assessment->window),
                     dj_gfxinfo_dump_dialect(&parsed->dump, process)->name);
        dj_terminal_wrap_and_finish(out, "  ", "  ", &line);
    }
    append_rule(&line, parsed, process, assessment);
    dj_terminal_wrap_and_finish(out, "  ", "  ", &line);
}
