#include "report/notes.h"

#include <inttypes.h>

#include "report/name.h"

static void say(const struct dj_note_sink *sink, struct dj_text *sentence)
{
    if (sentence->length > 0) {
        sink->note(sink->context, dj_text_get(sentence));
    }
    dj_text_clear(sentence);
}

static void ended(const struct dj_view *view, struct dj_text *out)
{
    if (view->process->ended) {
        dj_text_string(out, "The process has ended; these are its frames up to then.");
    }
}

static void recovery(const struct dj_view *view, struct dj_text *out)
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
        dj_text_string(out, "; the counters cover the readings' own time, too");
    }
    dj_text_string(out, ".");
}

static void dropped(const struct dj_view *view, struct dj_text *out)
{
    if (view->process->dropped > 0) {
        dj_text_format(out, "%" PRIu64 " frames could not be recorded.",
                       view->process->dropped);
    }
}

static void put_reason(struct dj_text *out, const char *what, const char *reason)
{
    if (reason != NULL) {
        dj_text_format(out, "%s: ", what);
        dj_name_append(out, reason, false);
        dj_text_string(out, ".");
    }
}

static void disabled(const struct dj_view *view, struct dj_text *out)
{
    put_reason(out, "Recording stopped", view->process->disabled);
}

static void cut_short(const struct dj_view *view, struct dj_text *out)
{
    put_reason(out, "The collection ended before its time", view->process->cut_short);
}

static void interval(const struct dj_view *view, struct dj_text *out)
{
    if (view->interval_assumed) {
        dj_text_format(
            out,
            "The deadline of %.2f ms is assumed (60 Hz): the dump does not say the "
            "display's frame interval.",
            (double)view->interval_ns / 1e6);
    }
}

static void not_recorded(const struct dj_view *view, struct dj_text *out)
{
    uint64_t mask = view->process->not_recorded;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if ((mask & DJ_COLUMN_BIT(i)) != 0) {
            dj_text_string(out, out->length == 0
                                    ? "Not recorded, and so absent rather than zero: "
                                    : ", ");
            dj_text_string(out, dj_column_name((enum dj_column)i));
        }
    }
    if (out->length > 0) {
        dj_text_string(out, ".");
    }
}

static void left_out(const struct dj_view *view, struct dj_text *out)
{
    const struct dj_summary *summary = &view->summary;
    size_t rows = summary->rows - summary->usable;
    for (size_t i = 0; i < DJ_USABILITY_COUNT && rows > 0; i++) {
        if (summary->excluded[i] > 0) {
            if (out->length == 0) {
                dj_text_format(out,
                               "%zu of %zu rows %s left out of the exact figures: ", rows,
                               summary->rows, rows == 1 ? "is" : "are");
            } else {
                dj_text_string(out, ", ");
            }
            dj_text_format(out, "%zu %s", summary->excluded[i],
                           dj_usability_name((enum dj_usability)i));
        }
    }
    dj_text_string(out, rows > 0 ? "." : "");
}

static void not_judged(const struct dj_view *view, struct dj_text *out)
{
    size_t rows = view->summary.usable - view->summary.judged;
    if (rows > 0) {
        dj_text_format(out, "%zu %s what the rule of Android %s needs, and %s left out.",
                       rows, rows == 1 ? "row lacks" : "rows lack", view->dialect->name,
                       rows == 1 ? "is" : "are");
    }
}

static void inferred(const struct dj_view *view, struct dj_text *out)
{
    if (view->dump->dialect_inferred && view->dump->dialect != NULL) {
        dj_text_format(out,
                       "The release, Android %s, is inferred from the lines and columns "
                       "of the dump.",
                       view->dialect->name);
    }
}

/* More was counted than there are rows for: exact figures speak of the rows alone. */
static void coverage(const struct dj_view *view, struct dj_text *out)
{
    uint32_t total = dj_view_hwui_frames(view);
    if (view->frame_count > 0 && total > view->frame_count) {
        dj_text_format(out,
                       "hwui counted %" PRIu32
                       " frames; there are rows for %zu of them, and the exact "
                       "figures are of those.",
                       total, view->frame_count);
    }
}

static void only_counters(const struct dj_view *view, struct dj_text *out)
{
    if (view->frame_count == 0 && !dj_view_is_empty(view)) {
        dj_text_string(out, "The dump has no frame rows: there are no exact figures and "
                            "no stages. Ask for "
                            "them with `dumpsys gfxinfo NAME framestats`.");
    }
}

void dj_notes_of(const struct dj_view *view, const struct dj_note_sink *sink)
{
    static void (*const kinds[])(const struct dj_view *view, struct dj_text *out) = {
        ended,    disabled,     cut_short, recovery, dropped,    only_counters,
        coverage, not_recorded, interval,  left_out, not_judged, inferred,
    };
    struct dj_text sentence = {0};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        kinds[i](view, &sentence);
        say(sink, &sentence);
    }
    dj_text_finish(&sentence);
}

void dj_note_empty(const struct dj_view *view, struct dj_text *sentence)
{
    dj_text_string(sentence, "No frames were recorded");
    if (view->summary.rows > 0) {
        dj_text_format(sentence, ": none of the dump's %zu rows is a finished frame",
                       view->summary.rows);
    }
    dj_text_string(sentence, ". That says nothing about smoothness.");
}
