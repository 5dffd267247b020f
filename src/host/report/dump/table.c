#include "import/parsed_dump.h"
#include "report/dump/dump.h"
#include "report/dump/other_dumps.h"
#include "report/dump/windows.h"

/* Appends a time in ms, or a placeholder if it is unknown. `width` is the width of the
 * column's heading. */
static void write_ms(struct dj_text *text, int width, bool known, int64_t ns)
{
    if (known) {
        dj_text_format(text, " %*.3f", width, dj_units_ms(ns));
    } else {
        dj_text_format(text, " %*s", width, "-");
    }
}

static void write_table_header(struct dj_text *text, uint32_t known)
{
    dj_text_format(text, "%7s %10s %10s %10s %11s", "row", "at", "flags", "time",
                   "guide_total");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((known & (1U << i)) != 0) {
            dj_text_format(text, " %14s", dj_frame_stage_name((enum dj_stage)i));
        }
    }
    dj_text_add(text, "\n");
}

static void write_table_row(struct dj_text *text, const struct dj_frame *frame,
                            const struct dj_row_facts *row, int64_t first_ns,
                            uint32_t known)
{
    struct dj_stages stages;
    int64_t at_ns;
    int64_t guide_total_ns = 0;
    bool starts =
        dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC) &&
        !__builtin_sub_overflow(frame->value[DJ_COLUMN_INTENDED_VSYNC], first_ns, &at_ns);
    dj_frame_compute_stages(frame, &stages);
    write_ms(text, 10, starts, starts ? at_ns : 0);
    if (dj_frame_has(frame, DJ_COLUMN_FLAGS)) {
        dj_text_format(text, " %10lld", (long long)frame->value[DJ_COLUMN_FLAGS]);
    } else {
        dj_text_format(text, " %10s", "-");
    }
    write_ms(text, 10, row->judged, row->frame_time_ns);
    bool total = dj_parsed_compute_guide_total(frame, &guide_total_ns);
    write_ms(text, 11, total, guide_total_ns);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((known & (1U << i)) != 0) {
            write_ms(text, 14, (stages.known & (1U << i)) != 0, stages.ns[i]);
        }
    }
    if (row->janky) {
        dj_text_add(text, "  janky");
    }
    if (row->usability != DJ_ROW_USABLE) {
        dj_text_format(text, "  (%s)",
                       dj_frame_usability_name((enum dj_usability)row->usability));
    }
    dj_text_add(text, "\n");
}

static size_t write_table_window(void *context, const struct dj_parsed *parsed,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts)
{
    struct dj_text *text = context;
    if (!window->has_frames) {
        return 0;
    }
    uint32_t known = 0; /* Stages that occur in at least one row. Each gets a column. */
    for (size_t i = 0; i < window->frame_count; i++) {
        struct dj_stages stages;
        dj_frame_compute_stages(&window->frames[i], &stages);
        known |= stages.known;
    }
    int64_t first_ns = window->frame_count > 0
                           ? dj_frame_get(&window->frames[0], DJ_COLUMN_INTENDED_VSYNC, 0)
                           : 0;
    dj_text_format(
        text, "%s: %s, window %s: %zu rows, times in ms, from the first row on\n",
        parsed->source, process->name != NULL ? process->name : "(no name)",
        dj_parsed_get_window_title(window) != NULL ? dj_parsed_get_window_title(window)
                                                   : "(no title)",
        window->frame_count);
    write_table_header(text, known);
    for (size_t i = 0; i < window->frame_count; i++) {
        dj_text_format(text, "%7zu", i + 1);
        write_table_row(text, &window->frames[i], &facts->rows[i], first_ns, known);
    }
    dj_text_add(text, "\n");
    return window->frame_count;
}

size_t dj_report_write_dump_table(struct dj_text *text, const struct dj_parsed *parsed)
{
    return dj_parsed_visit_windows(parsed, write_table_window, text);
}
