#include <string.h>

#include "report/dump_output.h"

/* Called for every window of a dump, in its order; returns how many rows it put. */
typedef size_t window_visitor(struct dj_text *text, const struct dj_parsed *parsed,
                              const struct dj_dump_process *process,
                              const struct dj_dump_window *window,
                              const struct dj_window_facts *facts);

static size_t visit_windows(struct dj_text *text, const struct dj_parsed *parsed,
                            window_visitor *visit)
{
    size_t rows = 0;
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        const struct dj_dump_process *process = &parsed->dump.processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            rows += visit(text, parsed, process, &process->windows[k],
                          &parsed->processes[i].windows[k]);
        }
    }
    return rows;
}

static const char *title_of(const struct dj_dump_window *window)
{
    return window->title != NULL ? window->title : window->stats_title;
}

/* ---- CSV ---- */

/* As RFC 4180 has it; a field that begins like a formula is the reader's business. */
static void put_quoted(struct dj_text *text, const char *field)
{
    if (strpbrk(field, ",\"\r\n") == NULL) {
        dj_text_string(text, field);
        return;
    }
    dj_text_append(text, "\"", 1);
    for (; *field != '\0'; field++) {
        if (*field == '"') {
            dj_text_append(text, "\"", 1);
        }
        dj_text_append(text, field, 1);
    }
    dj_text_append(text, "\"", 1);
}

/* Names come from outside: a file of them may be shown on a terminal. */
static void put_field(struct dj_text *text, const char *field)
{
    struct dj_text safe = {0};
    if (field != NULL) {
        dj_text_escaped(&safe, field, strlen(field));
        put_quoted(text, dj_text_get(&safe));
    }
    text->failed = text->failed || safe.failed;
    dj_text_finish(&safe);
}

void dj_report_dump_csv_header(struct dj_text *text)
{
    dj_text_string(text, "source,pid,process,window");
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        dj_text_append(text, ",", 1);
        dj_text_string(text, dj_column_name((enum dj_column)i));
    }
    dj_text_string(text, ",total_ns,guide_total_ns,janky,usable\n");
}

static void put_values(struct dj_text *text, const struct dj_frame *frame)
{
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        dj_text_append(text, ",", 1);
        if (dj_frame_has(frame, (enum dj_column)i)) {
            dj_text_int(text, frame->value[i]);
        }
    }
}

static bool guide_total_of(const struct dj_frame *frame, int64_t *total_ns)
{
    return dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                       DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED)) &&
           !__builtin_sub_overflow(frame->value[DJ_COLUMN_FRAME_COMPLETED],
                                   frame->value[DJ_COLUMN_INTENDED_VSYNC], total_ns);
}

static void put_facts(struct dj_text *text, const struct dj_frame *frame,
                      const struct dj_row_facts *row)
{
    int64_t guide_total_ns;
    dj_text_append(text, ",", 1);
    if (row->judged) {
        dj_text_int(text, row->frame_time_ns);
    }
    dj_text_append(text, ",", 1);
    if (guide_total_of(frame, &guide_total_ns)) {
        dj_text_int(text, guide_total_ns);
    }
    dj_text_append(text, ",", 1);
    if (row->judged) {
        dj_text_int(text, row->janky);
    }
    dj_text_append(text, ",", 1);
    dj_text_int(text, row->usability == DJ_ROW_USABLE);
    dj_text_append(text, "\n", 1);
}

/* What stands before the numbers of every row of a window. */
static void put_names(struct dj_text *names, const struct dj_parsed *parsed,
                      const struct dj_dump_process *process,
                      const struct dj_dump_window *window)
{
    put_field(names, parsed->source);
    dj_text_append(names, ",", 1);
    if (process->pid >= 0) {
        dj_text_int(names, process->pid);
    }
    dj_text_append(names, ",", 1);
    put_field(names, process->name);
    dj_text_append(names, ",", 1);
    put_field(names, title_of(window));
}

/* Whole rows alone: what is cut would look like what is unknown. */
static size_t put_csv_window(struct dj_text *text, const struct dj_parsed *parsed,
                             const struct dj_dump_process *process,
                             const struct dj_dump_window *window,
                             const struct dj_window_facts *facts)
{
    struct dj_text names = {0};
    uint64_t required = dj_dump_required_columns(process, window);
    size_t rows = 0;
    put_names(&names, parsed, process, window);
    for (size_t i = 0; i < window->frame_count; i++) {
        if (dj_frame_has_all(&window->frames[i], required)) {
            dj_text_append(text, dj_text_get(&names), names.length);
            put_values(text, &window->frames[i]);
            put_facts(text, &window->frames[i], &facts->rows[i]);
            rows++;
        }
    }
    text->failed = text->failed || names.failed;
    dj_text_finish(&names);
    return rows;
}

size_t dj_report_dump_csv(struct dj_text *text, const struct dj_parsed *parsed)
{
    return visit_windows(text, parsed, put_csv_window);
}

void dj_report_dump_csv_profile_header(struct dj_text *text)
{
    dj_text_string(text, "source,pid,process,window,Draw,Prepare,Process,Execute\n");
}

static void put_csv_ms(struct dj_text *text, float ms)
{
    dj_text_append(text, ",", 1);
    if (ms >= 0) {
        dj_text_format(text, "%.2f", (double)ms);
    }
}

/* That of 4.x has no Prepare, and is whole without. */
static bool is_whole(const struct dj_dump_window *window,
                     const struct dj_profile_row *row)
{
    return row->draw_ms >= 0 && row->process_ms >= 0 && row->execute_ms >= 0 &&
           (row->prepare_ms >= 0 || window->profile_lacks_prepare);
}

static size_t put_csv_profile_window(struct dj_text *text, const struct dj_parsed *parsed,
                                     const struct dj_dump_process *process,
                                     const struct dj_dump_window *window,
                                     const struct dj_window_facts *facts)
{
    (void)facts;
    struct dj_text names = {0};
    size_t rows = 0;
    put_names(&names, parsed, process, window);
    for (size_t i = 0; i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        if (!is_whole(window, row)) {
            continue;
        }
        dj_text_append(text, dj_text_get(&names), names.length);
        put_csv_ms(text, row->draw_ms);
        put_csv_ms(text, row->prepare_ms);
        put_csv_ms(text, row->process_ms);
        put_csv_ms(text, row->execute_ms);
        dj_text_append(text, "\n", 1);
        rows++;
    }
    text->failed = text->failed || names.failed;
    dj_text_finish(&names);
    return rows;
}

size_t dj_report_dump_csv_profile(struct dj_text *text, const struct dj_parsed *parsed)
{
    return visit_windows(text, parsed, put_csv_profile_window);
}

/* ---- the table ---- */

/* Wide enough for the name above it. */
static void put_ms(struct dj_text *text, int width, bool known, int64_t ns)
{
    if (known) {
        dj_text_format(text, " %*.3f", width, (double)ns / 1e6);
    } else {
        dj_text_format(text, " %*s", width, "-");
    }
}

/* A column per stage that any row of the window has. */
static uint32_t stages_known(const struct dj_dump_window *window)
{
    uint32_t known = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        struct dj_stages stages;
        dj_stages_of(&window->frames[i], &stages);
        known |= stages.known;
    }
    return known;
}

static void put_table_header(struct dj_text *text, uint32_t known)
{
    dj_text_format(text, "%7s %10s %10s %10s %11s", "row", "at", "flags", "time",
                   "guide_total");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((known & (1U << i)) != 0) {
            dj_text_format(text, " %14s", dj_stage_name((enum dj_stage)i));
        }
    }
    dj_text_string(text, "\n");
}

static void put_table_row(struct dj_text *text, const struct dj_frame *frame,
                          const struct dj_row_facts *row, int64_t first_ns,
                          uint32_t known)
{
    struct dj_stages stages;
    int64_t at_ns;
    int64_t guide_total_ns = 0;
    bool starts =
        dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC) &&
        !__builtin_sub_overflow(frame->value[DJ_COLUMN_INTENDED_VSYNC], first_ns, &at_ns);
    dj_stages_of(frame, &stages);
    put_ms(text, 10, starts, starts ? at_ns : 0);
    if (dj_frame_has(frame, DJ_COLUMN_FLAGS)) {
        dj_text_format(text, " %10lld", (long long)frame->value[DJ_COLUMN_FLAGS]);
    } else {
        dj_text_format(text, " %10s", "-");
    }
    put_ms(text, 10, row->judged, row->frame_time_ns);
    bool total = guide_total_of(frame, &guide_total_ns);
    put_ms(text, 11, total, guide_total_ns);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((known & (1U << i)) != 0) {
            put_ms(text, 14, (stages.known & (1U << i)) != 0, stages.ns[i]);
        }
    }
    if (row->janky) {
        dj_text_string(text, "  janky");
    }
    if (row->usability != DJ_ROW_USABLE) {
        dj_text_format(text, "  (%s)",
                       dj_usability_name((enum dj_usability)row->usability));
    }
    dj_text_string(text, "\n");
}

static size_t put_table_window(struct dj_text *text, const struct dj_parsed *parsed,
                               const struct dj_dump_process *process,
                               const struct dj_dump_window *window,
                               const struct dj_window_facts *facts)
{
    if (!window->has_frames) {
        return 0;
    }
    uint32_t known = stages_known(window);
    int64_t first_ns = window->frame_count > 0
                           ? dj_frame_get(&window->frames[0], DJ_COLUMN_INTENDED_VSYNC, 0)
                           : 0;
    dj_text_format(
        text, "%s: %s, window %s: %zu rows, times in ms, from the first row on\n",
        parsed->source, process->name != NULL ? process->name : "(no name)",
        title_of(window) != NULL ? title_of(window) : "(no title)", window->frame_count);
    put_table_header(text, known);
    for (size_t i = 0; i < window->frame_count; i++) {
        dj_text_format(text, "%7zu", i + 1);
        put_table_row(text, &window->frames[i], &facts->rows[i], first_ns, known);
    }
    dj_text_string(text, "\n");
    return window->frame_count;
}

size_t dj_report_dump_table(struct dj_text *text, const struct dj_parsed *parsed)
{
    return visit_windows(text, parsed, put_table_window);
}
