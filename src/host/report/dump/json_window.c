#include "base/json.h"
#include "frame/findings_text.h"
#include "import/parsed_dump.h"
#include "report/dump/dump.h"
#include "report/dump/jank.h"
#include "report/dump/windows.h"

static void write_spread(struct dj_text *text, const struct dj_spread *spread)
{
    dj_json_add_int(text, "frames", (int64_t)spread->count);
    if (spread->count == 0) {
        return;
    }
    dj_json_open_object(text, "percentiles_ns");
    dj_json_add_real(text, "50", spread->p50_ns);
    dj_json_add_real(text, "90", spread->p90_ns);
    dj_json_add_real(text, "95", spread->p95_ns);
    dj_json_add_real(text, "99", spread->p99_ns);
    dj_json_close(text, "}");
    dj_json_add_int(text, "total_ns_sum", spread->total_ns);
    dj_json_add_real(text, "mean_ns", spread->mean_ns);
    dj_json_add_int(text, "min_ns", spread->min_ns);
    dj_json_add_int(text, "max_ns", spread->max_ns);
}

static void write_stages(struct dj_text *text, const struct dj_summary *summary)
{
    dj_json_open_array(text, "stages");
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if (summary->stage[i].count > 0) {
            dj_json_open_object(text, NULL);
            dj_json_add_string(text, "name", dj_frame_stage_name((enum dj_stage)i));
            write_spread(text, &summary->stage[i]);
            dj_json_close(text, "}");
        }
    }
    dj_json_close(text, "]");
}

static void write_computed(struct dj_text *text, const struct dj_dialect *dialect,
                           const struct dj_window_facts *facts)
{
    const struct dj_summary *summary = &facts->summary;
    dj_json_open_object(text, "computed");
    dj_json_add_string(text, "rule", dialect->name);
    dj_json_add_int(text, "interval_ns", facts->interval_ns);
    dj_json_add_bool(text, "interval_assumed", facts->interval_assumed);
    dj_json_add_int(text, "janky", (int64_t)summary->janky);
    dj_json_add_int(text, "deadline_missed", (int64_t)summary->deadline_missed);
    write_spread(text, &summary->frame_time);
    dj_json_add_int(text, "unjudged", (int64_t)(summary->usable - summary->judged));
    dj_json_open_object(text, "guide_total");
    write_spread(text, &summary->guide_total);
    dj_json_close(text, "}");
    /* Figures of the rows that Android's guide considers, judged by the guide's simple
     * rule. */
    dj_json_open_object(text, "guide");
    dj_json_add_int(text, "janky", (int64_t)summary->guide_over);
    write_spread(text, &summary->guide);
    dj_json_close(text, "}");
    write_stages(text, summary);
    dj_json_add_real(text, "rate_hz", dj_frame_summary_rate_hz(summary));
    dj_json_add_known(text, "dropped_intervals",
                      summary->making_frames > 0 ? (int64_t)summary->dropped_intervals
                                                 : -1);
    dj_json_open_object(text, "replayed");
    dj_json_add_int(text, "total_frames", summary->replayed.counter[DJ_COUNTER_TOTAL]);
    dj_json_add_int(text, "janky_frames", summary->replayed.counter[DJ_COUNTER_JANKY]);
    dj_json_add_int(text, "frame_deadline_missed",
                    summary->replayed.counter[DJ_COUNTER_DEADLINE_MISSED]);
    dj_json_close(text, "}}");
}

static void write_finding(struct dj_text *text, enum dj_finding_id id,
                          const struct dj_dump_window *window,
                          const struct dj_finding *finding)
{
    const struct dj_frame_finding_rule *rule = dj_frame_finding_rule(id);
    const struct dj_frame_finding_text *words = dj_frame_finding_get_text(id);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "id", rule->id);
    dj_json_add_string(text, "title", words->title);
    dj_json_add_string(text, "look_at", words->look_at);
    dj_json_add_string(text, "stage",
                       rule->stage < DJ_STAGE_COUNT ? dj_frame_stage_name(rule->stage)
                                                    : NULL);
    dj_json_add_string(text, "from", dj_frame_column_name(rule->start));
    dj_json_add_string(text, "to", dj_frame_column_name(rule->end));
    dj_json_add_int(text, "limit_ns", finding->limit_ns);
    dj_json_add_int(text, "frames", (int64_t)finding->frames);
    dj_json_add_int(text, "janky_frames", (int64_t)finding->janky_frames);
    dj_json_add_int(text, "measured_frames", (int64_t)finding->measured_frames);
    dj_json_add_int(text, "total_ns_sum", finding->total_ns);
    dj_json_open_object(text, "worst");
    dj_json_add_int(text, "row", (int64_t)finding->worst_row);
    dj_json_add_int(text, "intended_vsync_ns",
                    window->frames[finding->worst_row].value[DJ_COLUMN_INTENDED_VSYNC]);
    dj_json_add_int(text, "ns", finding->worst_ns);
    dj_json_close(text, "}}");
}

/* Appends the findings, most severe first. Then appends for every rule the number of
 * frames that the rule could measure. */
static void write_findings(struct dj_text *text, const struct dj_dump_window *window,
                           const struct dj_findings *findings)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t found = dj_frame_findings_sort(findings, order);
    dj_json_open_array(text, "findings");
    for (size_t i = 0; i < found; i++) {
        write_finding(text, order[i], window, &findings->of[order[i]]);
    }
    dj_json_close(text, "]");
    dj_json_open_object(text, "findings_measured");
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        dj_json_add_int(text, dj_frame_finding_rule((enum dj_finding_id)i)->id,
                        (int64_t)findings->of[i].measured_frames);
    }
    dj_json_close(text, "}");
}

static void write_column_names(struct dj_text *text, const struct dj_dump_window *window)
{
    size_t columns = 0;
    size_t vendors = 0;
    dj_json_open_array(text, "columns");
    while (columns < window->columns.count || vendors < window->vendor_count) {
        if (dj_gfxinfo_dump_vendor_next(window, columns, vendors)) {
            dj_json_append_string(text, window->vendor[vendors++].name);
        } else {
            dj_json_append_string(
                text,
                dj_frame_column_name((enum dj_column)window->columns.column[columns++]));
        }
    }
    dj_json_close(text, "]");
}

/* Appends the extra columns, which no Android release has. Each has its name and the
 * number of rows with a value. */
static void write_other_columns(struct dj_text *text, const struct dj_dump_window *window)
{
    dj_json_open_array(text, "other_columns");
    for (size_t i = 0; i < window->vendor_count; i++) {
        size_t rows = 0;
        for (size_t row = 0; row < window->frame_count; row++) {
            rows += window->vendor_values[row * window->vendor_count + i].known;
        }
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", window->vendor[i].name);
        dj_json_add_int(text, "row_count", (int64_t)rows);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

static void write_frame_row(struct dj_text *text, const struct dj_dump_window *window,
                            size_t row)
{
    const struct dj_frame *frame = &window->frames[row];
    size_t columns = 0;
    size_t vendors = 0;
    dj_json_open_array(text, NULL);
    while (columns < window->columns.count || vendors < window->vendor_count) {
        if (dj_gfxinfo_dump_vendor_next(window, columns, vendors)) {
            const struct dj_number *number =
                &window->vendor_values[row * window->vendor_count + vendors++];
            dj_json_add_optional(text, NULL, number->known, number->value);
        } else {
            enum dj_column column = (enum dj_column)window->columns.column[columns++];
            dj_json_add_optional(text, NULL, dj_frame_has(frame, column),
                                 frame->value[column]);
        }
    }
    dj_json_close(text, "]");
}

static void write_framestats(struct dj_text *text, const struct dj_dialect *dialect,
                             const struct dj_dump_window *window,
                             const struct dj_window_facts *facts, bool rows)
{
    if (!window->has_frames) {
        dj_json_add_null(text, "framestats");
        return;
    }
    dj_json_open_object(text, "framestats");
    dj_json_add_int(text, "row_count",
                    (int64_t)(window->frame_count + window->rows_beyond));
    dj_json_add_int(text, "unreadable_row_count", (int64_t)window->rows_unreadable);
    write_column_names(text, window);
    write_other_columns(text, window);
    dj_json_add_bool(text, "header_inferred", window->columns_inferred);
    dj_json_add_int(text, "usable_row_count", (int64_t)facts->summary.usable);
    dj_json_open_object(text, "excluded");
    for (size_t i = 0; i < DJ_USABILITY_COUNT; i++) {
        if (facts->summary.excluded[i] > 0) {
            dj_json_add_int(text, dj_frame_usability_name((enum dj_usability)i),
                            (int64_t)facts->summary.excluded[i]);
        }
    }
    dj_json_close(text, "}");
    write_computed(text, dialect, facts);
    write_findings(text, window, &facts->findings);
    if (rows) {
        dj_json_open_array(text, "rows");
        for (size_t i = 0; i < window->frame_count; i++) {
            write_frame_row(text, window, i);
        }
        dj_json_close(text, "]");
    }
    dj_json_close(text, "}");
}

void dj_report_write_json_profile_row(struct dj_text *text,
                                      const struct dj_profile_row *row, bool prepare)
{
    const float values_ms[] = {row->draw_ms, row->prepare_ms, row->process_ms,
                               row->execute_ms};
    dj_json_open_array(text, NULL);
    for (size_t i = 0; i < COUNT_OF(values_ms); i++) {
        if (i == 1 && !prepare) {
            continue;
        }
        if (values_ms[i] < 0) {
            dj_json_add_null(text, NULL);
        } else {
            dj_json_append_comma(text);
            dj_text_format(text, "%.2f", (double)values_ms[i]);
        }
    }
    dj_json_close(text, "]");
}

static void write_profile(struct dj_text *text, const struct dj_dump_window *window,
                          bool rows)
{
    if (!window->has_profile) {
        dj_json_add_null(text, "profile");
        return;
    }
    bool prepare = !window->profile_lacks_prepare;
    dj_json_open_object(text, "profile");
    dj_json_add_int(text, "row_count", (int64_t)window->profile_count);
    dj_json_open_array(text, "columns");
    dj_json_append_string(text, "Draw");
    if (prepare) {
        dj_json_append_string(text, "Prepare");
    }
    dj_json_append_string(text, "Process");
    dj_json_append_string(text, "Execute");
    dj_json_close(text, "]");
    if (rows) {
        dj_json_open_array(text, "rows");
        for (size_t i = 0; i < window->profile_count; i++) {
            dj_report_write_json_profile_row(text, &window->profile[i], prepare);
        }
        dj_json_close(text, "]");
    }
    dj_json_close(text, "}");
}

void dj_report_write_json_window(struct dj_text *text, const struct dj_dialect *dialect,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts, bool rows)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "title", dj_parsed_get_window_title(window));
    dj_json_add_known(text, "visibility", window->visibility);
    dj_report_write_json_stats(text, &window->stats);
    write_profile(text, window, rows);
    write_framestats(text, dialect, window, facts, rows);
    dj_dump_write_json_jank(text, window, facts);
    dj_json_close(text, "}");
}
