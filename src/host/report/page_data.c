#include "report/page_data.h"

#include "report/figures.h"
#include "report/json.h"
#include "report/name.h"
#include "report/notes.h"

/* Names as the page shows them: escaped as for a terminal, quoted as JSON. */
static void name_value(struct dj_text *text, const char *key, const char *name)
{
    struct dj_text shown = {0};
    dj_json_key(text, key);
    if (name == NULL) {
        dj_json_null(text);
    } else {
        dj_name_append(&shown, name, false);
        dj_json_string(text, dj_text_get(&shown));
    }
    text->failed = text->failed || shown.failed;
    dj_text_finish(&shown);
}

static void int_value(struct dj_text *text, const char *key, int64_t value)
{
    dj_json_key(text, key);
    dj_json_int(text, value);
}

static void bool_value(struct dj_text *text, const char *key, bool value)
{
    dj_json_key(text, key);
    dj_json_bool(text, value);
}

static void string_value(struct dj_text *text, const char *key, const char *value)
{
    dj_json_key(text, key);
    dj_json_string(text, value);
}

static void open(struct dj_text *text, const char *key, const char *bracket)
{
    dj_json_comma(text);
    if (key != NULL) {
        dj_json_key(text, key);
    }
    dj_text_string(text, bracket);
}

static void close(struct dj_text *text, const char *bracket)
{
    dj_text_string(text, bracket);
}

/* −1 stands for unknown where only lengths ≥ 0 are known. */
static void length_or_null(struct dj_text *text, int64_t ns)
{
    if (ns < 0) {
        dj_json_null(text);
    } else {
        dj_json_int(text, ns);
    }
}

/* A stamp that tells a time: no sentinels for "no input", "no deadline", "not written
 * yet". */
static bool is_stamp(const struct dj_frame *frame, enum dj_column column)
{
    return dj_frame_has(frame, column) && dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC) &&
           frame->value[column] > 0 && frame->value[column] != INT64_MAX;
}

static bool is_stamp_column(enum dj_column column)
{
    enum dj_column_kind kind = dj_column_kind(column);
    return kind == DJ_KIND_STAGE || kind == DJ_KIND_INPUT || kind == DJ_KIND_DEADLINE ||
           kind == DJ_KIND_LATE;
}

/* Stamps as offsets from the frame's IntendedVsync: exact in a browser's numbers, which
 * nanoseconds since boot need not be. */
static void column(struct dj_text *text, const struct dj_view *view,
                   enum dj_column column)
{
    bool any = false;
    for (size_t i = 0; i < view->frame_count && !any; i++) {
        any = is_stamp(view->frames[i].frame, column);
    }
    if (!any) {
        return;
    }
    open(text, NULL, "{");
    string_value(text, "name", dj_column_name(column));
    open(text, "ns", "[");
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_frame *frame = view->frames[i].frame;
        if (is_stamp(frame, column)) {
            dj_json_int(text,
                        frame->value[column] - frame->value[DJ_COLUMN_INTENDED_VSYNC]);
        } else {
            dj_json_null(text);
        }
    }
    close(text, "]}");
}

static void stage(struct dj_text *text, const struct dj_view *view, enum dj_stage stage)
{
    enum dj_column start;
    enum dj_column end;
    if ((view->stages_known & (1U << stage)) == 0) {
        return;
    }
    dj_stage_columns(stage, &start, &end);
    open(text, NULL, "{");
    int_value(text, "id", (int64_t)stage);
    string_value(text, "name", dj_stage_name(stage));
    string_value(text, "from", dj_column_name(start));
    string_value(text, "to", dj_column_name(end));
    bool_value(text, "wait", stage == DJ_STAGE_WAIT);
    open(text, "ns", "[");
    for (size_t i = 0; i < view->frame_count; i++) {
        const struct dj_stages *stages = &view->frames[i].stages;
        length_or_null(text,
                       (stages->known & (1U << stage)) != 0 ? stages->ns[stage] : -1);
    }
    close(text, "]}");
}

static int64_t at_ns(const struct dj_view_frame *frame)
{
    return frame->at_ns;
}

static int64_t frame_time_ns(const struct dj_view_frame *frame)
{
    return frame->frame_time_ns;
}

static int64_t guide_total_ns(const struct dj_view_frame *frame)
{
    return frame->guide_total_ns;
}

static int64_t janky(const struct dj_view_frame *frame)
{
    return frame->janky;
}

static int64_t flags(const struct dj_view_frame *frame)
{
    return dj_frame_get(frame->frame, DJ_COLUMN_FLAGS, 0);
}

/* One number a frame, of each kind. */
static const struct {
    const char *key;
    int64_t (*of)(const struct dj_view_frame *frame);
} per_frame[] = {
    {"at_ns", at_ns}, {"time_ns", frame_time_ns}, {"guide_total_ns", guide_total_ns},
    {"janky", janky}, {"flags", flags},
};

static void frames(struct dj_text *text, const struct dj_view *view)
{
    open(text, "frames", "{");
    int_value(text, "count", (int64_t)view->frame_count);
    for (size_t k = 0; k < sizeof(per_frame) / sizeof(per_frame[0]); k++) {
        open(text, per_frame[k].key, "[");
        for (size_t i = 0; i < view->frame_count; i++) {
            dj_json_int(text, per_frame[k].of(&view->frames[i]));
        }
        close(text, "]");
    }
    open(text, "stages", "[");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        stage(text, view, (enum dj_stage)i);
    }
    close(text, "]");
    open(text, "columns", "[");
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if (is_stamp_column((enum dj_column)i)) {
            column(text, view, (enum dj_column)i);
        }
    }
    close(text, "]}");
}

static void hwui(struct dj_text *text, const struct dj_view *view)
{
    uint32_t from_ms[DJ_FRAME_BUCKETS];
    if (view->hwui == NULL) {
        dj_json_key(text, "hwui");
        dj_json_null(text);
        return;
    }
    dj_view_bucket_edges(from_ms);
    open(text, "hwui", "{");
    open(text, "histogram", "[");
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        uint32_t count = view->hwui->stats.frame_histogram[i];
        if (count > 0) {
            open(text, NULL, "[");
            dj_json_int(text, from_ms[i]);
            length_or_null(text, i + 1 < DJ_FRAME_BUCKETS ? (int64_t)from_ms[i + 1] : -1);
            dj_json_int(text, count);
            close(text, "]");
        }
    }
    close(text, "]}");
}

static void append_note(void *context, const char *sentence)
{
    dj_json_string(context, sentence);
}

static void cell(struct dj_text *text, const char *value)
{
    dj_json_string(text, value[0] == '\0' ? NULL : value);
}

static void figures(struct dj_text *text, const struct dj_view *view)
{
    struct dj_figures table;
    dj_figures_of(view, &table);
    open(text, "figure_columns", "[");
    for (size_t i = 0; i < DJ_FIGURE_COLUMNS; i++) {
        dj_json_string(text, dj_figure_column_name((enum dj_figure_column)i));
    }
    close(text, "]");
    string_value(text, "figures_about", dj_figures_about(view));
    open(text, "figures", "[");
    for (size_t i = 0; i < table.count; i++) {
        open(text, NULL, "{");
        string_value(text, "name", table.row[i].name);
        bool_value(text, "headline", table.row[i].headline);
        open(text, "cells", "[");
        for (size_t k = 0; k < DJ_FIGURE_COLUMNS; k++) {
            cell(text, table.row[i].cell[k]);
        }
        close(text, "]}");
    }
    close(text, "]");
}

static void profile(struct dj_text *text, const struct dj_dump_window *window)
{
    open(text, "profile", "[");
    for (size_t i = 0; window != NULL && i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        const float values[] = {row->draw_ms, row->prepare_ms, row->process_ms,
                                row->execute_ms};
        open(text, NULL, "[");
        for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
            dj_json_comma(text);
            if (values[k] >= 0) {
                dj_text_format(text, "%.2f", (double)values[k]);
            } else {
                dj_text_string(text, "null");
            }
        }
        close(text, "]");
    }
    close(text, "]");
}

static void one_view(struct dj_text *text, const struct dj_view *view)
{
    struct dj_text empty = {0};
    open(text, NULL, "{");
    name_value(text, "process", view->process->name);
    int_value(text, "pid", view->process->pid);
    name_value(text, "window", dj_view_window_name(view));
    int_value(text, "interval_ns", view->interval_ns);
    bool_value(text, "interval_assumed", view->interval_assumed);
    open(text, "notes", "[");
    dj_notes_of(view, &(struct dj_note_sink){append_note, text});
    close(text, "]");
    if (dj_view_is_empty(view)) {
        dj_note_empty(view, &empty);
    }
    dj_json_key(text, "empty");
    dj_json_string(text, empty.length > 0 ? dj_text_get(&empty) : NULL);
    dj_text_finish(&empty);
    bool_value(text, "stages_missing", view->process->not_recorded != 0);
    figures(text, view);
    hwui(text, view);
    frames(text, view);
    profile(text, view->window);
    close(text, "}");
}

void dj_report_json(struct dj_text *text, const struct dj_views *views,
                    const char *source)
{
    const struct dj_dump *dump = views->view[0].dump;
    dj_text_string(text, "{");
    string_value(text, "schema", "dejank.report-page/1");
    string_value(text, "version", DEJANK_VERSION);
    name_value(text, "source", source);
    string_value(text, "release", dump->dialect == NULL ? NULL : dump->dialect->name);
    open(text, "views", "[");
    for (size_t i = 0; i < views->count; i++) {
        one_view(text, &views->view[i]);
    }
    close(text, "]}");
}
