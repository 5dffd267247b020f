#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/notes.h"
#include "report/terminal_page.h"
#include "report/view.h"

/* ---- findings ---- */

/* Names the findings of which there are none, in rows that tell them or in rows that do
 * not: unknown is never the same as in order. */
static void print_others(struct dj_terminal *out, const struct dj_findings *findings,
                         const char *before, bool measured)
{
    struct dj_text line = {0};
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        const struct dj_finding *finding = &findings->of[i];
        if (finding->frames == 0 && (finding->measured_frames > 0) == measured) {
            dj_text_string(&line, line.length > 0 ? ", " : before);
            dj_text_string(&line, dj_finding_rule((enum dj_finding_id)i)->id);
        }
    }
    if (line.length > 0) {
        dj_text_string(&line, ".");
        dj_terminal_put(out, "", "  ", &line);
    }
}

void dj_terminal_findings(struct dj_terminal *out, const struct dj_view *view)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    const struct dj_findings *findings = view->findings;
    if (findings == NULL || view->summary.usable == 0) {
        return;
    }
    size_t found = dj_findings_order(findings, order);
    dj_terminal_heading(out, "Findings (the guide's advice per column)");
    for (size_t i = 0; i < found; i++) {
        struct dj_text sentence = {0};
        dj_note_finding(view, order[i], &sentence);
        dj_terminal_put(out, dj_terminal_glyph(out, "• ", "* "), "  ", &sentence);
        dj_terminal_wrap(out, "  ", "  ", dj_finding_text(order[i])->look_at);
    }
    print_others(out, findings, "In order: ", true);
    print_others(out, findings, "Not told by these rows: ", false);
}

/* ---- the longest frames ---- */

static void print_long_frame(struct dj_terminal *out, const struct dj_view *view,
                             const struct dj_view_frame *frame)
{
    enum dj_stage stage = dj_longest_stage(&frame->stages);
    dj_text_format(out->text, "%8zu %10.3f %10.2f %9.1f", frame->row,
                   dj_ms(frame->at_ns) / 1e3, dj_ms(frame->frame_time_ns),
                   (double)frame->frame_time_ns / (double)view->interval_ns);
    if (stage < DJ_STAGE_COUNT) {
        dj_text_format(out->text, "   %s %.2f ms", dj_stage_name(stage),
                       dj_ms(frame->stages.ns[stage]));
    }
    dj_text_string(out->text, frame->janky ? ", janky\n" : "\n");
}

void dj_terminal_longest(struct dj_terminal *out, const struct dj_view *view)
{
    size_t longest[DJ_LONGEST_FRAMES];
    size_t count = dj_view_longest(view, longest);
    if (count == 0) {
        return;
    }
    dj_terminal_heading(out, "Longest frames");
    dj_text_format(out->text, "%8s %10s %10s %9s   %s\n", "row", "at, s", "time, ms",
                   "intervals", "longest stage");
    for (size_t i = 0; i < count; i++) {
        print_long_frame(out, view, &view->frames[longest[i]]);
    }
}
