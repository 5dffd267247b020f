#include <inttypes.h>

#include "memory/memory.h"
#include "report/dump/dump.h"
#include "report/dump/page_process.h"
#include "report/dump/verdict.h"
#include "report/escape/name.h"
#include "report/verdict/next_step.h"
#include "report/view/notes.h"

enum {
    PAGE_COLUMNS = 96,
    /* Beyond this size, dumps in which no process drew are only counted. */
    WEAK_BYTES = 1 << 20
};

/* Finds the worst process; returns false if there is none. */
static bool find_worst(const struct dj_parsed *parsed, size_t *worst,
                       struct dj_assessment *assessment)
{
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_assessment other = dj_assessment_compute(parsed, i);
        if (i == 0 || dj_assessment_is_worse(&other, assessment)) {
            *worst = i;
            *assessment = other;
        }
    }
    return parsed->dump.process_count > 0;
}

/* The views are in the order of the processes; each process has at least one. */
static void write_processes(struct dj_terminal *out, const struct dj_parsed *parsed,
                            const struct dj_views *views)
{
    size_t next = 0;
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_assessment assessment = dj_assessment_compute(parsed, i);
        size_t count = 0;
        while (next + count < views->count &&
               views->view[next + count].process == &parsed->dump.processes[i]) {
            count++;
        }
        dj_text_add(out->text, i > 0 ? "\n" : "");
        dj_verdict_write_process(out, parsed, i, &assessment);
        dj_page_write_process(out, &views->view[next], count);
        next += count;
    }
}

static void write_dump(struct dj_text *text, const struct dj_parsed *parsed, size_t worst)
{
    struct dj_terminal out = {text, {.width = PAGE_COLUMNS, .unicode = true}};
    struct dj_views views = {0};
    struct dj_text refusal = {0};
    size_t start = text->length;
    dj_report_add_views(&views, parsed);
    dj_verdict_write_dump(&out, parsed, worst);
    if (parsed->dump.process_count > 1) {
        dj_notes_describe_refusal(parsed, &refusal);
        dj_page_write_notes(&out, &refusal, NULL);
        dj_text_add(text, refusal.length > 0 ? "\n" : "");
    }
    write_processes(&out, parsed, &views);
    dj_terminal_remove_blanks(text, start);
    dj_text_finish(&refusal);
    dj_report_finish_views(&views);
}

enum { EVIDENCE_NONE, EVIDENCE_NOTHING, EVIDENCE_DAVEYS, EVIDENCE_SUMS, EVIDENCE_FRAMES };

static void update_next_step(struct dj_dump_page *page, const struct dj_parsed *parsed,
                             size_t worst, const struct dj_assessment *assessment)
{
    struct dj_next_subject subject;
    bool drew = assessment != NULL && assessment->grade != DJ_GRADE_NO_FRAMES;
    int evidence = drew                                   ? EVIDENCE_FRAMES
                   : parsed->dump.graphicsstats_count > 0 ? EVIDENCE_SUMS
                   : parsed->dump.davey_count > 0         ? EVIDENCE_DAVEYS
                                                          : EVIDENCE_NOTHING;
    dj_next_step_find_subject(parsed, worst, &subject);
    if (page->name.length == 0) {
        dj_text_add(&page->name, dj_xtext(&subject.name));
    }
    if (evidence > page->evidence ||
        (evidence == EVIDENCE_FRAMES &&
         dj_assessment_is_worse(assessment, &page->assessment))) {
        dj_text_finish(&page->subject.name);
        page->subject = subject;
        page->evidence = evidence;
        page->assessment = assessment != NULL ? *assessment : (struct dj_assessment){0};
        page->step = dj_next_step_find(parsed, assessment);
    } else {
        dj_text_finish(&subject.name);
    }
}

enum { SHOWN_DAVEYS = 20, PACKAGES_BYTES = 1 << 20 };

static void write_entry(struct dj_text *text, const struct dj_graphicsstats *entry)
{
    struct dj_jank_sample sample = dj_assessment_read_graphicsstats(entry);
    uint32_t frames = entry->stats.stats.counter[DJ_COUNTER_TOTAL];
    struct dj_text day = {0};
    dj_text_append_utc(&day, entry->start_ms > 0 ? "%Y-%m-%d" : "-",
                       entry->start_ms / 1000);
    dj_text_format(text, "%12s", dj_xtext(&day));
    dj_text_finish(&day);
    dj_text_format(text, "%10" PRIu32, frames);
    if (sample.frames > 0) {
        dj_text_format(text, "%10" PRIu64 "%9.2f", sample.janky,
                       dj_gfxinfo_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY));
    } else {
        dj_text_format(text, "%10s%9s", "-", "-");
    }
    for (size_t i = 0; i < 4; i++) {
        if (frames > 0) {
            dj_text_format(text, "%7" PRIu32, entry->stats.printed_percentile_ms[i]);
        } else {
            dj_text_format(text, "%7s", "-");
        }
    }
    dj_text_add(text, "  ");
    dj_name_escape(text, entry->package != NULL ? entry->package : "(no package)", false);
    if (entry->version >= 0) {
        dj_text_format(text, " %" PRId64, entry->version);
    }
    dj_text_add(text, "\n");
}

static void update_worst(struct dj_dump_logs *logs, const struct dj_dump *dump)
{
    size_t worst = dj_assessment_find_worst_package(dump);
    if (worst == dump->graphicsstats_count) {
        return;
    }
    const struct dj_graphicsstats *entry = &dump->graphicsstats[worst];
    struct dj_jank_sample sample = dj_assessment_read_graphicsstats(entry);
    if (logs->worst.frames == 0 || dj_assessment_compute_percent(&sample) >
                                       dj_assessment_compute_percent(&logs->worst)) {
        logs->worst = sample;
        logs->worst_pct = dj_gfxinfo_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY);
        dj_text_clear(&logs->worst_package);
        dj_name_escape(&logs->worst_package,
                       entry->package != NULL ? entry->package : "(no package)", false);
    }
}

static void add_logs(struct dj_dump_logs *logs, const struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        if (logs->packages.length < PACKAGES_BYTES) {
            write_entry(&logs->packages, &dump->graphicsstats[i]);
        } else {
            logs->packages_beyond++;
        }
    }
    logs->package_count += dump->graphicsstats_count;
    update_worst(logs, dump);
    for (size_t i = 0; i < dump->davey_count; i++) {
        const struct dj_davey *davey = &dump->daveys[i];
        if (logs->davey_count++ >= SHOWN_DAVEYS) {
            continue;
        }
        dj_text_format(&logs->daveys, "  line %zu: %" PRId64 " ms", davey->line,
                       davey->duration_ms);
        if (davey->pid >= 0) {
            dj_text_format(&logs->daveys, ", pid %" PRId64, davey->pid);
        }
        dj_text_add(&logs->daveys, "\n");
    }
}

static void finish_logs(struct dj_dump_logs *logs)
{
    dj_text_finish(&logs->packages);
    dj_text_finish(&logs->worst_package);
    dj_text_finish(&logs->daveys);
}

static void write_logs_verdict(struct dj_terminal *out, const struct dj_dump_logs *logs,
                               const char *source)
{
    struct dj_text line = {0};
    const struct dj_jank_sample *worst = &logs->worst;
    dj_text_format(&line, "%s: ",
                   dj_assessment_get_grade_text(worst->frames > 0
                                                    ? dj_assessment_grade_sample(worst)
                                                    : DJ_GRADE_UNJUDGED));
    dj_name_escape(&line, source, false);
    if (logs->package_count > 0) {
        dj_text_format(&line, ": graphicsstats of %zu %s", logs->package_count,
                       logs->package_count == 1 ? "package" : "packages");
    } else {
        dj_text_format(&line, ": %zu log %s of frames that took 0.7 s and more",
                       logs->davey_count, logs->davey_count == 1 ? "line" : "lines");
    }
    if (worst->frames > 0) {
        dj_text_format(
            &line,
            "; the worst has %" PRIu64 " of %" PRIu64 " frames janky (%.2f %%): %s",
            worst->janky, worst->frames, logs->worst_pct, dj_xtext(&logs->worst_package));
    }
    dj_terminal_wrap_and_finish(out, "", "  ", &line);
}

static void write_table(struct dj_text *text, const struct dj_text *lines, size_t beyond)
{
    dj_text_add(text, dj_xtext(lines));
    if (beyond > 0) {
        dj_text_format(text, "  … and %zu more\n", beyond);
    }
}

static void write_logs(struct dj_terminal *out, const struct dj_dump_logs *logs)
{
    if (logs->package_count > 0) {
        dj_terminal_write_heading(out,
                                  "graphicsstats: what packages drew in a day (UTC)");
        dj_text_format(out->text, "%12s%10s%10s%9s%7s%7s%7s%7s  %s\n", "day", "frames",
                       "janky", "%", "p50", "p90", "p95", "p99", "package, version; ms");
        write_table(out->text, &logs->packages, logs->packages_beyond);
    }
    if (logs->davey_count > 0) {
        dj_terminal_write_heading(
            out, "Frames of 0.7 s and more, from log lines (\"Davey!\")");
        write_table(out->text, &logs->daveys,
                    logs->davey_count > SHOWN_DAVEYS ? logs->davey_count - SHOWN_DAVEYS
                                                     : 0);
    }
}

static void write_gap(struct dj_text *text, struct dj_dump_page *page)
{
    dj_text_add(text, page->any ? "\n" : "");
    page->any = true;
}

void dj_report_write_page_dump(struct dj_text *text, struct dj_dump_page *page,
                               const struct dj_parsed *parsed)
{
    struct dj_assessment assessment = {0};
    size_t worst = 0;
    bool any = find_worst(parsed, &worst, &assessment);
    /* graphicsstats and log lines without processes get their verdict at the end. */
    bool logs_alone = !any && parsed->outcome == DJ_OUTCOME_OK;
    if (any && assessment.grade != DJ_GRADE_NO_FRAMES) {
        write_gap(text, page);
        write_dump(text, parsed, worst);
    } else if (page->weak.length > WEAK_BYTES) {
        page->weak_beyond++;
    } else if (!logs_alone) {
        dj_text_add(&page->weak, page->weak.length > 0 ? "\n" : "");
        write_dump(&page->weak, parsed, worst);
    }
    add_logs(&page->logs, &parsed->dump);
    update_next_step(page, parsed, worst, any ? &assessment : NULL);
}

static void write_weak(struct dj_terminal *out, struct dj_dump_page *page)
{
    if (page->weak.length > 0) {
        write_gap(out->text, page);
        dj_text_add(out->text, dj_xtext(&page->weak));
    }
    if (page->weak_beyond > 0) {
        dj_text_format(out->text, "… and %zu more dumps in which no process drew\n",
                       page->weak_beyond);
    }
}

/* A refusal of the device after the last dump. */
static void write_refusal(struct dj_terminal *out, const struct dj_dump_input *input)
{
    struct dj_parsed rest = {.refusal = input->report.refusal,
                             .was_refused = dj_import_input_was_refused(input),
                             .outcome = input->outcome};
    struct dj_text sentence = {0};
    dj_notes_describe_refusal(&rest, &sentence);
    if (sentence.length > 0) {
        dj_text_add(out->text, "\n");
        dj_terminal_wrap_and_finish(out, "  ", "  ", &sentence);
    }
}

void dj_report_end_page(struct dj_text *text, struct dj_dump_page *page,
                        const struct dj_dump_input *input)
{
    struct dj_terminal out = {text, {.width = PAGE_COLUMNS, .unicode = true}};
    size_t start = text->length;
    if (!page->any && page->logs.package_count + page->logs.davey_count > 0) {
        write_gap(text, page);
        write_logs_verdict(&out, &page->logs, input->source);
    }
    write_weak(&out, page);
    write_refusal(&out, input);
    write_logs(&out, &page->logs);
    dj_terminal_write_heading(&out, "Next");
    dj_terminal_wrap(&out, "  ", "  ", dj_next_step_get_text(page->step));
    if (page->subject.name.length == 0) {
        dj_text_add(&page->subject.name, dj_xtext(&page->name));
    }
    dj_next_step_write_commands(text, page->step, &page->subject, "    ");
    dj_terminal_remove_blanks(text, start);
    dj_report_finish_page(page);
}

void dj_report_finish_page(struct dj_dump_page *page)
{
    finish_logs(&page->logs);
    dj_text_finish(&page->weak);
    dj_text_finish(&page->name);
    dj_text_finish(&page->subject.name);
    *page = (struct dj_dump_page){0};
}
