#include "report/view/notes.h"

#include <inttypes.h>

#include "frame/findings_text.h"
#include "gfxinfo/release.h"
#include "memory/memory.h"
#include "report/dump/jank.h"
#include "report/escape/name.h"
#include "report/verdict/assessment.h"

/* Writes the source of the figures, if it is not a dump of gfxinfo. */
static void write_origin(const struct dj_view *view, struct dj_text *out)
{
    static const char *const sentences[] = {
        [DJ_ORIGIN_GFXINFO] = "",
        [DJ_ORIGIN_GRAPHICSSTATS] =
            "graphicsstats counts the frames of all windows of this package version.",
        [DJ_ORIGIN_DAVEYS] = ("The log names only frames of 0.7 s or more, so the share "
                              "of janky frames is unknown."),
    };
    dj_text_add(out, sentences[view->origin]);
}

static size_t count_presents(const struct dj_view *view)
{
    return view->summary.excluded[DJ_ROW_PRESENT_ONLY];
}

/* Writes the figures of presents, if the rows have nothing else. */
static void write_presents(const struct dj_view *view, struct dj_text *out)
{
    if (count_presents(view) == 0) {
        return;
    }
    const struct dj_process_facts *process =
        &view->parsed->processes[view->process - view->parsed->dump.processes];
    struct dj_jank_figures figures;
    dj_dump_compute_jank(
        view->window, &process->windows[view->window - view->process->windows], &figures);
    const struct dj_present_figures *present = &figures.present;
    dj_text_format(out, "The display showed %zu frames of these rows", present->presents);
    if (!dj_gfxinfo_is_of_surface(view->process)) {
        dj_text_format(out, " and skipped %zu", present->skipped);
    }
    dj_text_add(out, ".");
    if (present->step.count > 0) {
        dj_text_format(
            out,
            " Time from present to present: median %.2f ms, p95 %.2f ms, longest "
            "%.2f ms, without pauses.",
            present->step.p50_ns / 1e6, present->step.p95_ns / 1e6,
            dj_units_ms(present->step.max_ns));
    }
    if (present->has_refreshes) {
        dj_text_format(out, " %zu %s late by at least one refresh.", present->late_total,
                       present->late_total == 1 ? "present was" : "presents were");
    }
}

/* Writes a note about what presents cannot show. */
static void write_present_limits(const struct dj_view *view, struct dj_text *out)
{
    if (count_presents(view) > 0) {
        dj_text_format(out,
                       "A present is the moment at which the display showed a frame. "
                       "Presents do not show how long the program worked on a frame. %d "
                       "refreshes without a new frame count as a pause.",
                       DJ_PAUSE_INTERVALS);
    }
}

static void write_end(const struct dj_view *view, struct dj_text *out)
{
    if (view->process->ended) {
        dj_text_add(out, "The process has ended. The frames are from before its end.");
    }
}

static void write_recovery(const struct dj_view *view, struct dj_text *out)
{
    const struct dj_dump_process *process = view->process;
    if (process->expected < 0) {
        return;
    }
    dj_text_format(out,
                   "Recovered %" PRId64 " of %" PRId64 " frames of the collection window",
                   process->recovered, process->expected);
    if (process->expected > 0 && process->recovered < process->expected) {
        dj_text_format(out, " (%.1f %%)",
                       100.0 * (double)process->recovered / (double)process->expected);
    }
    if (process->stats.stats.counter[DJ_COUNTER_TOTAL] > process->expected) {
        dj_text_add(out, ", and the counters include the time of the readings");
    }
    dj_text_add(out, ".");
}

static void write_recount(const struct dj_view *view, struct dj_text *out)
{
    const struct dj_dump_recount *recount = &view->process->recount;
    if (recount->from != NULL) {
        dj_text_format(
            out,
            "The frames were recorded by the rule of Android %s. dejank counted them "
            "again by the rule of Android %s, from the %" PRIu64 " of %" PRIu64
            " frames that are still kept.",
            recount->from->name, recount->to->name, recount->kept, recount->counted);
    }
}

static void write_dropped_frames(const struct dj_view *view, struct dj_text *out)
{
    if (view->process->dropped > 0) {
        dj_text_format(out, "%" PRIu64 " frames could not be recorded.",
                       view->process->dropped);
    }
}

static void write_reason(struct dj_text *out, const char *what, const char *reason)
{
    if (reason != NULL) {
        dj_text_format(out, "%s: ", what);
        dj_name_escape(out, reason, false);
        dj_text_add(out, ".");
    }
}

static void write_recording_stop(const struct dj_view *view, struct dj_text *out)
{
    write_reason(out, "Recording stopped", view->process->disabled);
}

static void write_early_end(const struct dj_view *view, struct dj_text *out)
{
    write_reason(out, "The collection ended early", view->process->cut_short);
}

/* Writes that the interval is assumed. Names the smallest part of the dump that lacks the
 * interval. */
static void write_assumed_interval(const struct dj_view *view, struct dj_text *out)
{
    const struct dj_parsed *parsed = view->parsed;
    size_t own = (size_t)(view->process - parsed->dump.processes);
    const char *where = parsed->processes[own].has_interval ? "this window"
                        : parsed->has_interval              ? "this process"
                                                            : "the dump";
    if (view->interval_assumed) {
        dj_text_format(out,
                       "The deadline of %.2f ms (60 Hz) is assumed: %s has no frame "
                       "interval.",
                       dj_units_ms(view->interval_ns), where);
    }
}

static void write_missing_columns(const struct dj_view *view, struct dj_text *out)
{
    uint64_t mask = view->process->not_recorded;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if ((mask & DJ_COLUMN_BIT(i)) != 0) {
            dj_text_add(out,
                        out->length == 0 ? "Not recorded (unknown, not zero): " : ", ");
            dj_text_add(out, dj_frame_column_name((enum dj_column)i));
        }
    }
    if (out->length > 0) {
        dj_text_add(out, ".");
    }
}

static void write_excluded_rows(const struct dj_view *view, struct dj_text *out)
{
    const struct dj_summary *summary = &view->summary;
    size_t rows = summary->rows - summary->usable;
    if (count_presents(view) > 0) {
        return; /* write_presents() adds the notes about these rows. */
    }
    for (size_t i = 0; i < DJ_USABILITY_COUNT && rows > 0; i++) {
        if (summary->excluded[i] > 0) {
            if (out->length == 0) {
                dj_text_format(
                    out, "%zu of %zu rows %s excluded from the exact figures: ", rows,
                    summary->rows, rows == 1 ? "is" : "are");
            } else {
                dj_text_add(out, ", ");
            }
            dj_text_format(out, "%zu %s", summary->excluded[i],
                           dj_frame_usability_name((enum dj_usability)i));
        }
    }
    dj_text_add(out, rows > 0 ? "." : "");
}

static void write_other_columns(const struct dj_view *view, struct dj_text *out)
{
    size_t count = view->window != NULL ? view->window->vendor_count : 0;
    for (size_t i = 0; i < count; i++) {
        dj_text_add(out, i > 0 ? ", "
                               : "Columns of no known release (kept in JSON and CSV): ");
        dj_name_escape(out, view->window->vendor[i].name, false);
    }
    dj_text_add(out, count > 0 ? "." : "");
}

static void write_unjudged_rows(const struct dj_view *view, struct dj_text *out)
{
    size_t rows = view->summary.usable - view->summary.judged;
    if (rows > 0) {
        dj_text_format(out,
                       "The rule of Android %s cannot judge %zu of %zu rows, because "
                       "these rows lack a column or consist of waits.",
                       view->dialect->name, rows, view->summary.rows);
    }
}

/* Writes how many rows are exempt. hwui counts these rows as frames, but never as janky.
 */
static void write_exempt_rows(const struct dj_view *view, struct dj_text *out)
{
    size_t rows = 0;
    for (size_t i = 0; i < view->frame_count; i++) {
        rows += dj_assessment_row_is_exempt(view->dialect, view->frames[i].frame);
    }
    if (rows > 0) {
        dj_text_format(
            out, "The rule of Android %s never counts %zu of %zu rows as janky%s.",
            view->dialect->name, rows, view->summary.rows,
            view->dialect->exempt_flags != 0 ? " (flag 4: drawn to a Surface's canvas)"
                                             : "");
    }
}

static void write_truncated_count(const struct dj_view *view, struct dj_text *out)
{
    if (view->hwui != NULL && dj_view_count_hwui_frames(view) > 0 &&
        count_presents(view) == 0 && !dj_assessment_has_jank_count(view->hwui)) {
        dj_text_add(out, "The line \"Janky frames\" is truncated or missing, so the "
                         "number of janky frames is unknown.");
    }
}

/* Writes that the release is inferred. In a dump with several releases, each process has
 * its own release. */
static void write_inferred_release(const struct dj_view *view, struct dj_text *out)
{
    const struct dj_dump *dump = &view->parsed->dump;
    struct dj_text evidence = {0};
    bool stated = !dump->dialect_inferred && view->dialect == dump->dialect &&
                  (dump->evidence.hints & DJ_HINT_FINGERPRINT) != 0;
    if (view->release_known && stated) {
        dj_text_format(out, "The build fingerprint states the release, Android %s.",
                       view->dialect->name);
    }
    if (!dump->dialect_inferred || !view->release_known) {
        return;
    }
    dj_text_format(out, "Android %s is inferred", view->dialect->name);
    if (view->dialect != dump->dialect) {
        dj_text_add(out, " from the lines and columns of this process.");
    } else {
        dj_gfxinfo_release_describe(&evidence, &dump->evidence);
        dj_text_format(out, evidence.length > 0 ? " (%s)." : "%s.", dj_xtext(&evidence));
    }
    dj_text_finish(&evidence);
}

/* Writes how many frames have no rows, if hwui counted more frames than there are rows.
 * Exact figures describe only the rows. */
static void write_coverage(const struct dj_view *view, struct dj_text *out)
{
    uint32_t total = dj_view_count_hwui_frames(view);
    if (view->frame_count > 0 && total > view->frame_count) {
        dj_text_format(out,
                       "The exact figures describe %zu of %" PRIu32
                       " frames: only these have usable rows.",
                       view->frame_count, total);
    }
}

/* Writes that the window or the process has no rows. If it has only unusable rows,
 * write_excluded_rows() reports that instead. */
static void write_missing_rows(const struct dj_view *view, struct dj_text *out)
{
    if (view->summary.rows > 0 || dj_view_is_empty(view) ||
        view->origin != DJ_ORIGIN_GFXINFO) {
        return;
    }
    bool any = false;
    for (size_t i = 0; i < view->process->window_count; i++) {
        any = any || view->process->windows[i].frame_count > 0;
    }
    if (any) {
        dj_text_add(out, "This window has no frame rows, so exact figures and stages "
                         "are unknown.");
    } else {
        dj_text_add(out, "This process has no frame rows, so exact figures and stages "
                         "are unknown.");
    }
}

void dj_notes_describe_refusal(const struct dj_parsed *parsed, struct dj_text *sentence)
{
    static const char *const sentences[] = {
        [DJ_REFUSAL_NONE] = "",
        [DJ_REFUSAL_DENIED] = "The device denied permission for a part of the dump.",
        [DJ_REFUSAL_FAILED] = "The dump is incomplete: an app did not answer in time.",
    };
    if (parsed->was_refused && parsed->outcome == DJ_OUTCOME_OK) {
        dj_text_add(sentence, sentences[parsed->refusal]);
    }
}

/* Writes that the device refused a part of the dump, if the dump has one process. With
 * several processes, it is unknown which one was refused. */
static void write_refusal(const struct dj_view *view, struct dj_text *out)
{
    if (view->parsed->dump.process_count == 1) {
        dj_notes_describe_refusal(view->parsed, out);
    }
}

bool dj_notes_get_next(const struct dj_view *view, size_t *at, struct dj_text *sentence)
{
    static void (*const kinds[])(const struct dj_view *view, struct dj_text *out) = {
        write_origin,
        write_presents,
        write_present_limits,
        write_refusal,
        write_end,
        write_recording_stop,
        write_early_end,
        write_recovery,
        write_recount,
        write_dropped_frames,
        write_missing_rows,
        write_coverage,
        write_missing_columns,
        write_assumed_interval,
        write_excluded_rows,
        write_other_columns,
        write_unjudged_rows,
        write_exempt_rows,
        write_truncated_count,
        write_inferred_release,
    };
    dj_text_clear(sentence);
    while (*at < COUNT_OF(kinds) && sentence->length == 0) {
        kinds[(*at)++](view, sentence);
    }
    if (sentence->length > 0) {
        return true;
    }
    dj_text_finish(sentence);
    return false;
}

void dj_notes_write_verdict(const struct dj_view *view, struct dj_text *sentence)
{
    struct dj_assessment assessment = dj_assessment_compute_view(view);
    size_t rows = view->frame_count;
    if (view->origin == DJ_ORIGIN_DAVEYS && rows > 0) {
        dj_text_format(sentence, "%s: the log names %zu frame%s of 0.7 s or more",
                       dj_assessment_get_grade_text(DJ_GRADE_UNJUDGED), rows,
                       rows == 1 ? "" : "s");
        return;
    }
    dj_text_format(sentence, "%s: ", dj_assessment_get_grade_text(assessment.grade));
    dj_assessment_describe(sentence, &assessment);
}

void dj_notes_explain_verdict(const struct dj_view *view, struct dj_text *sentences)
{
    struct dj_assessment assessment = dj_assessment_compute_view(view);
    bool is_log = view->origin == DJ_ORIGIN_DAVEYS && view->frame_count > 0;
    if (!is_log) {
        dj_assessment_describe_rest(sentences, &assessment);
    }
    dj_text_format(sentences, "%s%s", sentences->length > 0 ? " " : "",
                   dj_assessment_explain(is_log ? DJ_GRADE_UNJUDGED : assessment.grade));
}

static bool missed_deadline(const struct dj_frame *frame)
{
    int64_t deadline_ns = frame->value[DJ_COLUMN_FRAME_DEADLINE];
    return dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_FRAME_DEADLINE) |
                                       DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED)) &&
           deadline_ns > 0 && frame->value[DJ_COLUMN_GPU_COMPLETED] >= deadline_ns;
}

/* Appends the stage that is most often the longest one of the frames that missed their
 * deadline. */
static void describe_longest_stage(const struct dj_view *view, struct dj_text *sentence)
{
    size_t counts[DJ_STAGE_COUNT] = {0}, sum = 0, most = 0;
    for (size_t i = 0; i < view->frame_count; i++) {
        enum dj_stage stage = dj_view_get_longest_stage(&view->frames[i].stages);
        if (missed_deadline(view->frames[i].frame) && stage < DJ_STAGE_COUNT) {
            counts[stage]++;
            sum++;
            most = counts[stage] > counts[most] ? (size_t)stage : most;
        }
    }
    if (sum > 0) {
        dj_text_format(sentence, " Longest stage: %s in %zu of %zu.",
                       dj_frame_stage_name((enum dj_stage)most), counts[most], sum);
    }
}

void dj_notes_describe_finding(const struct dj_view *view, enum dj_finding_id id,
                               struct dj_text *sentence)
{
    const struct dj_finding *finding = &view->findings->of[id];
    dj_text_format(sentence, "%s: %zu of %zu frames",
                   dj_frame_finding_get_text(id)->title, finding->frames,
                   finding->measured_frames);
    if (finding->limit_ns > 0) {
        dj_text_format(sentence, " over %.4g ms", dj_units_ms(finding->limit_ns));
    }
    bool is_lateness = id == DJ_FINDING_DEADLINE_MISSED;
    dj_text_format(sentence, ", %zu of them janky, worst %.2f ms%s (row %zu).",
                   finding->janky_frames, dj_units_ms(finding->worst_ns),
                   is_lateness ? " late" : "", finding->worst_row + 1);
    if (is_lateness) {
        describe_longest_stage(view, sentence);
    }
}

void dj_notes_write_facts(const struct dj_view *view, struct dj_text *text)
{
    if (view->process->pid >= 0) {
        dj_text_format(text, "pid %" PRId64 " · ", view->process->pid);
    }
    if (!view->release_known) {
        dj_text_format(text, "unknown release, judged by the rule of Android %s",
                       view->dialect->name);
    } else {
        dj_text_format(text, "Android %s%s", view->dialect->name,
                       view->parsed->dump.dialect_inferred ? " (inferred)" : "");
    }
    dj_text_format(text, " · frame interval %.2f ms (%.0f Hz%s)",
                   dj_units_ms(view->interval_ns), 1e9 / (double)view->interval_ns,
                   view->interval_assumed ? ", assumed" : "");
    if (view->parsed->source != NULL) {
        dj_text_format(text, " · %s", view->parsed->source);
    }
}
