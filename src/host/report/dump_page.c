#include <inttypes.h>

#include "memory/memory.h"
#include "report/dump/page_process.h"
#include "report/dump/verdict.h"
#include "report/dump_output.h"
#include "report/name.h"
#include "report/next_step.h"
#include "report/notes.h"

enum {
    PAGE_COLUMNS = 96,
    /* Beyond this size, dumps in which no process drew are only counted. */
    WEAK_BYTES = 1 << 20
};

/* Finds the worst process; returns false if there is none. */
static bool find_worst(const struct dj_parsed *parsed, size_t *worst,
                       struct dj_standing *standing)
{
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_standing other = dj_standing_of(parsed, i);
        if (i == 0 || dj_standing_is_worse(&other, standing)) {
            *worst = i;
            *standing = other;
        }
    }
    return parsed->dump.process_count > 0;
}

/* The views are in the order of the processes; each process has at least one. */
static void put_processes(struct dj_terminal *out, const struct dj_parsed *parsed,
                          const struct dj_views *views)
{
    size_t next = 0;
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_standing standing = dj_standing_of(parsed, i);
        size_t count = 0;
        while (next + count < views->count &&
               views->view[next + count].process == &parsed->dump.processes[i]) {
            count++;
        }
        dj_text_string(out->text, i > 0 ? "\n" : "");
        dj_verdict_of_process(out, parsed, i, &standing);
        dj_page_process(out, &views->view[next], count);
        next += count;
    }
}

static void put_dump(struct dj_text *text, const struct dj_parsed *parsed, size_t worst)
{
    struct dj_terminal out = {text, {.width = PAGE_COLUMNS, .unicode = true}};
    struct dj_views views = {0};
    struct dj_text refusal = {0};
    size_t start = text->length;
    dj_views_add(&views, parsed);
    dj_verdict_of_dump(&out, parsed, worst);
    if (parsed->dump.process_count > 1) {
        dj_note_refusal(parsed, &refusal);
        dj_page_notes(&out, &refusal, NULL);
        dj_text_string(text, refusal.length > 0 ? "\n" : "");
    }
    put_processes(&out, parsed, &views);
    dj_terminal_strip_blanks(text, start);
    dj_text_finish(&refusal);
    dj_views_finish(&views);
}

enum { EVIDENCE_NONE, EVIDENCE_NOTHING, EVIDENCE_DAVEYS, EVIDENCE_SUMS, EVIDENCE_FRAMES };

static void take_next_step(struct dj_page *page, const struct dj_parsed *parsed,
                           size_t worst, const struct dj_standing *standing)
{
    struct dj_next_subject subject;
    bool drew = standing != NULL && standing->grade != DJ_GRADE_NO_FRAMES;
    int evidence = drew                                   ? EVIDENCE_FRAMES
                   : parsed->dump.graphicsstats_count > 0 ? EVIDENCE_SUMS
                   : parsed->dump.davey_count > 0         ? EVIDENCE_DAVEYS
                                                          : EVIDENCE_NOTHING;
    dj_next_subject_of(parsed, worst, &subject);
    if (page->name.length == 0) {
        dj_text_string(&page->name, dj_xtext(&subject.name));
    }
    if (evidence > page->evidence || (evidence == EVIDENCE_FRAMES &&
                                      dj_standing_is_worse(standing, &page->standing))) {
        dj_text_finish(&page->subject.name);
        page->subject = subject;
        page->evidence = evidence;
        page->standing = standing != NULL ? *standing : (struct dj_standing){0};
        page->step = dj_next_step_of(parsed, standing);
    } else {
        dj_text_finish(&subject.name);
    }
}

enum { SHOWN_DAVEYS = 20, PACKAGES_BYTES = 1 << 20 };

static void put_entry(struct dj_text *text, const struct dj_graphicsstats *entry)
{
    struct dj_sample sample = dj_graphicsstats_sample(entry);
    uint32_t frames = entry->stats.stats.counter[DJ_COUNTER_TOTAL];
    struct dj_text day = {0};
    dj_text_utc(&day, entry->start_ms > 0 ? "%Y-%m-%d" : "-", entry->start_ms / 1000);
    dj_text_format(text, "%12s", dj_xtext(&day));
    dj_text_finish(&day);
    dj_text_format(text, "%10" PRIu32, frames);
    if (sample.frames > 0) {
        dj_text_format(text, "%10" PRIu64 "%9.2f", sample.janky,
                       dj_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY));
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
    dj_text_string(text, "  ");
    dj_name_append(text, entry->package != NULL ? entry->package : "(no package)", false);
    if (entry->version >= 0) {
        dj_text_format(text, " %" PRId64, entry->version);
    }
    dj_text_string(text, "\n");
}

static void take_worst(struct dj_logs *logs, const struct dj_dump *dump)
{
    size_t worst = dj_graphicsstats_worst(dump);
    if (worst == dump->graphicsstats_count) {
        return;
    }
    const struct dj_graphicsstats *entry = &dump->graphicsstats[worst];
    struct dj_sample sample = dj_graphicsstats_sample(entry);
    if (logs->worst.frames == 0 || dj_sample_pct(&sample) > dj_sample_pct(&logs->worst)) {
        logs->worst = sample;
        logs->worst_pct = dj_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY);
        dj_text_clear(&logs->worst_package);
        dj_name_append(&logs->worst_package,
                       entry->package != NULL ? entry->package : "(no package)", false);
    }
}

static void add_logs(struct dj_logs *logs, const struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        if (logs->packages.length < PACKAGES_BYTES) {
            put_entry(&logs->packages, &dump->graphicsstats[i]);
        } else {
            logs->packages_beyond++;
        }
    }
    logs->package_count += dump->graphicsstats_count;
    take_worst(logs, dump);
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
        dj_text_string(&logs->daveys, "\n");
    }
}

static void finish_logs(struct dj_logs *logs)
{
    dj_text_finish(&logs->packages);
    dj_text_finish(&logs->worst_package);
    dj_text_finish(&logs->daveys);
}

static void put_logs_verdict(struct dj_terminal *out, const struct dj_logs *logs,
                             const char *source)
{
    struct dj_text line = {0};
    const struct dj_sample *worst = &logs->worst;
    dj_text_format(
        &line, "%s: ",
        dj_grade_text(worst->frames > 0 ? dj_grade_of(worst) : DJ_GRADE_UNJUDGED));
    dj_name_append(&line, source, false);
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
    dj_terminal_put(out, "", "  ", &line);
}

static void put_table(struct dj_text *text, const struct dj_text *lines, size_t beyond)
{
    dj_text_string(text, dj_xtext(lines));
    if (beyond > 0) {
        dj_text_format(text, "  … and %zu more\n", beyond);
    }
}

static void put_logs(struct dj_terminal *out, const struct dj_logs *logs)
{
    if (logs->package_count > 0) {
        dj_terminal_heading(out, "graphicsstats: what packages drew in a day (UTC)");
        dj_text_format(out->text, "%12s%10s%10s%9s%7s%7s%7s%7s  %s\n", "day", "frames",
                       "janky", "%", "p50", "p90", "p95", "p99", "package, version; ms");
        put_table(out->text, &logs->packages, logs->packages_beyond);
    }
    if (logs->davey_count > 0) {
        dj_terminal_heading(out, "Frames of 0.7 s and more, from log lines (\"Davey!\")");
        put_table(out->text, &logs->daveys,
                  logs->davey_count > SHOWN_DAVEYS ? logs->davey_count - SHOWN_DAVEYS
                                                   : 0);
    }
}

static void put_gap(struct dj_text *text, struct dj_page *page)
{
    dj_text_string(text, page->any ? "\n" : "");
    page->any = true;
}

void dj_report_page_dump(struct dj_text *text, struct dj_page *page,
                         const struct dj_parsed *parsed)
{
    struct dj_standing standing = {0};
    size_t worst = 0;
    bool any = find_worst(parsed, &worst, &standing);
    /* graphicsstats and log lines without processes get their verdict at the end. */
    bool logs_alone = !any && parsed->outcome == DJ_OUTCOME_OK;
    if (any && standing.grade != DJ_GRADE_NO_FRAMES) {
        put_gap(text, page);
        put_dump(text, parsed, worst);
    } else if (page->weak.length > WEAK_BYTES) {
        page->weak_beyond++;
    } else if (!logs_alone) {
        dj_text_string(&page->weak, page->weak.length > 0 ? "\n" : "");
        put_dump(&page->weak, parsed, worst);
    }
    add_logs(&page->logs, &parsed->dump);
    take_next_step(page, parsed, worst, any ? &standing : NULL);
}

static void put_weak(struct dj_terminal *out, struct dj_page *page)
{
    if (page->weak.length > 0) {
        put_gap(out->text, page);
        dj_text_string(out->text, dj_xtext(&page->weak));
    }
    if (page->weak_beyond > 0) {
        dj_text_format(out->text, "… and %zu more dumps in which no process drew\n",
                       page->weak_beyond);
    }
}

/* A refusal of the device after the last dump. */
static void put_refusal(struct dj_terminal *out, const struct dj_input *input)
{
    struct dj_parsed rest = {.refusal = input->report.refusal,
                             .refused_here = dj_input_was_refused(input),
                             .outcome = input->outcome};
    struct dj_text sentence = {0};
    dj_note_refusal(&rest, &sentence);
    if (sentence.length > 0) {
        dj_text_string(out->text, "\n");
        dj_terminal_put(out, "  ", "  ", &sentence);
    }
}

void dj_report_page_end(struct dj_text *text, struct dj_page *page,
                        const struct dj_input *input)
{
    struct dj_terminal out = {text, {.width = PAGE_COLUMNS, .unicode = true}};
    size_t start = text->length;
    if (!page->any && page->logs.package_count + page->logs.davey_count > 0) {
        put_gap(text, page);
        put_logs_verdict(&out, &page->logs, input->source);
    }
    put_weak(&out, page);
    put_refusal(&out, input);
    put_logs(&out, &page->logs);
    dj_terminal_heading(&out, "Next");
    dj_terminal_wrap(&out, "  ", "  ", dj_next_step_text(page->step));
    if (page->subject.name.length == 0) {
        dj_text_string(&page->subject.name, dj_xtext(&page->name));
    }
    dj_next_step_commands(text, page->step, &page->subject, "    ");
    dj_terminal_strip_blanks(text, start);
    dj_report_page_finish(page);
}

void dj_report_page_finish(struct dj_page *page)
{
    finish_logs(&page->logs);
    dj_text_finish(&page->weak);
    dj_text_finish(&page->name);
    dj_text_finish(&page->subject.name);
    *page = (struct dj_page){0};
}
