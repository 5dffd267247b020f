#include "import/parsed_dump.h"

#include <stdlib.h>

#include "gfxinfo/column_sets.h"
#include "memory/memory.h"
#include "metrics/judged_rows.h"

static const char *const outcomes[DJ_OUTCOME_COUNT] = {
    [DJ_OUTCOME_OK] = "ok",
    [DJ_OUTCOME_NO_FRAMES] = "no-frames",
    [DJ_OUTCOME_NO_PROCESS] = "no-process",
    [DJ_OUTCOME_PERMISSION_DENIED] = "permission-denied",
    [DJ_OUTCOME_DUMP_FAILED] = "dump-failed",
    [DJ_OUTCOME_NOT_GFXINFO] = "not-gfxinfo",
};

static const enum dj_dump_outcome refusals[] = {
    [DJ_REFUSAL_NONE] = DJ_OUTCOME_NOT_GFXINFO,
    [DJ_REFUSAL_DENIED] = DJ_OUTCOME_PERMISSION_DENIED,
    [DJ_REFUSAL_FAILED] = DJ_OUTCOME_DUMP_FAILED,
};

const char *dj_import_outcome_get_name(enum dj_dump_outcome outcome)
{
    return outcomes[outcome];
}

static void compute_window(const struct dj_parsed *parsed,
                           const struct dj_dump_process *process,
                           const struct dj_dump_window *window,
                           struct dj_window_facts *facts)
{
    struct dj_judged_rows judged = {0};
    dj_xcheck(dj_metrics_judged_rows_open(&judged, &parsed->dump, process, window));
    dj_metrics_judged_rows_judge(&judged, window->frames, window->frame_count);
    facts->summary = judged.summary;
    facts->findings = judged.findings;
    facts->rules = judged.rules;
    facts->interval_ns = judged.rules.interval_ns;
    facts->interval_assumed = judged.rules.interval_assumed;
    facts->rows = judged.facts;
    judged.facts = NULL;
    dj_metrics_judged_rows_close(&judged);
}

static void compute_process(struct dj_parsed *parsed, size_t index)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    struct dj_process_facts *facts = &parsed->processes[index];
    struct dj_window_facts *windows = dj_xcalloc(process->window_count, sizeof(*windows));
    facts->windows = windows;
    for (size_t i = 0; i < process->window_count; i++) {
        compute_window(parsed, process, &process->windows[i], &windows[i]);
        windows[i].skips_unknown = dj_gfxinfo_is_of_surface(process);
        facts->has_interval = facts->has_interval || !windows[i].interval_assumed;
    }
    parsed->has_interval = parsed->has_interval || facts->has_interval;
}

struct row_counts {
    size_t read_count, unreadable;
    size_t columns; /* Number of columns of the first unreadable row, or 0 if unknown. */
};

static void set_unreadable(struct dj_parsed *parsed, const struct row_counts *rows)
{
    struct dj_text known = {0};
    dj_gfxinfo_column_sets_describe(&known);
    if (rows->columns > 0) {
        dj_error_set(&parsed->error, DJ_E_NO_DATA,
                     "no row can be read (%zu row%s): there is no header; expected %s "
                     "columns, found %zu",
                     rows->unreadable, rows->unreadable == 1 ? "" : "s", dj_xtext(&known),
                     rows->columns);
    } else {
        dj_error_set(
            &parsed->error, DJ_E_NO_DATA,
            "no row can be read (%zu row%s): the header has no column IntendedVsync",
            rows->unreadable, rows->unreadable == 1 ? "" : "s");
    }
    dj_text_finish(&known);
}

/* Returns whether figures can be computed from the dump. *rows counts the rows of the
 * dump, both usable and unusable ones. */
static bool has_frames(const struct dj_parsed *parsed, struct row_counts *rows)
{
    const struct dj_dump *dump = &parsed->dump;
    bool any = dump->davey_count > 0;
    for (size_t i = 0; i < dump->graphicsstats_count && !any; i++) {
        any = dump->graphicsstats[i].stats.stats.counter[DJ_COUNTER_TOTAL] > 0;
    }
    for (size_t i = 0; i < dump->surfaces.count && !any; i++) {
        any = dj_gfxinfo_surface_has_frames(&dump->surfaces.at[i]);
    }
    for (size_t i = 0; i < dump->process_count && !any; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        any = process->stats.stats.counter[DJ_COUNTER_TOTAL] > 0;
        for (size_t k = 0; k < process->window_count && !any; k++) {
            const struct dj_dump_window *window = &process->windows[k];
            rows->read_count += window->frame_count;
            rows->unreadable += window->rows_unreadable;
            rows->columns =
                rows->columns == 0 ? window->unreadable_columns : rows->columns;
            any = parsed->processes[i].windows[k].summary.usable > 0 ||
                  window->profile_count > 0 ||
                  window->stats.stats.counter[DJ_COUNTER_TOTAL] > 0;
        }
    }
    return any;
}

static void set_outcome(struct dj_parsed *parsed)
{
    const struct dj_dump *dump = &parsed->dump;
    struct row_counts rows = {0};
    if (has_frames(parsed, &rows)) {
        parsed->outcome = DJ_OUTCOME_OK;
    } else if (parsed->was_refused && parsed->refusal != DJ_REFUSAL_NONE) {
        parsed->outcome = refusals[parsed->refusal];
        dj_error_set(&parsed->error, DJ_E_NO_DATA,
                     "the device did not dump the frames of this app (%s)",
                     dj_import_outcome_get_name(parsed->outcome));
    } else if (dump->process_count == 0 && dump->not_found != NULL) {
        parsed->outcome = DJ_OUTCOME_NO_PROCESS;
        dj_error_set(
            &parsed->error, DJ_E_NO_DATA,
            "the dump says \"No process found for: %s\": start the app and dump again",
            dump->not_found);
    } else if (rows.read_count > 0) {
        parsed->outcome = DJ_OUTCOME_NO_FRAMES;
        dj_error_set(
            &parsed->error, DJ_E_NO_DATA,
            "none of the %zu rows has usable times, and the counters of the dump are 0",
            rows.read_count);
    } else if (rows.unreadable > 0) {
        parsed->outcome = DJ_OUTCOME_NO_FRAMES;
        set_unreadable(parsed, &rows);
    } else if (dump->process_count == 0 && dump->surfaces.count > 0) {
        parsed->outcome = DJ_OUTCOME_NO_FRAMES;
        dj_error_set(
            &parsed->error, DJ_E_NO_DATA,
            "the text describes %zu layer%s of SurfaceFlinger, but has no frame of "
            "%s: dump --timestats while the app draws",
            dump->surfaces.count, dump->surfaces.count == 1 ? "" : "s",
            dump->surfaces.count == 1 ? "it" : "them");
    } else {
        parsed->outcome = DJ_OUTCOME_NO_FRAMES;
        dj_error_set(
            &parsed->error, DJ_E_NO_DATA,
            "no frame was drawn (%zu process%s, no rows, no counted frames): use the "
            "app, then dump again",
            dump->process_count, dump->process_count == 1 ? "" : "es");
    }
}

void dj_import_compute_dump(struct dj_parsed *parsed)
{
    const struct dj_dump *dump = &parsed->dump;
    parsed->processes = dj_xcalloc(dump->process_count, sizeof(*parsed->processes));
    for (size_t i = 0; i < dump->process_count; i++) {
        compute_process(parsed, i);
    }
    set_outcome(parsed);
}

const struct dj_dialect *dj_import_dump_get_release(const struct dj_parsed *parsed,
                                                    const struct dj_dump_process *process)
{
    return process->dialect != NULL ? process->dialect : parsed->dump.dialect;
}

enum dj_dump_outcome
dj_parsed_dump_get_empty_outcome(const struct dj_parse_report *report)
{
    return report->refusal == DJ_REFUSAL_NONE && report->seen ? DJ_OUTCOME_NO_FRAMES
                                                              : refusals[report->refusal];
}

void dj_import_finish_dump(struct dj_parsed *parsed)
{
    for (size_t i = 0; parsed->processes != NULL && i < parsed->dump.process_count; i++) {
        struct dj_window_facts *windows = parsed->processes[i].windows;
        for (size_t k = 0; k < parsed->dump.processes[i].window_count; k++) {
            free(windows[k].rows);
        }
        free(windows);
    }
    free(parsed->processes);
    dj_gfxinfo_dump_finish(&parsed->dump);
    *parsed = (struct dj_parsed){0};
}
