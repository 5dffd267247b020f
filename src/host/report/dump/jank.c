#include "report/dump/jank.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/dump/windows.h"
#include "report/dump_forms.h"

void dj_dump_compute_jank(const struct dj_dump_window *window,
                          const struct dj_window_facts *facts,
                          struct dj_jank_figures *figures)
{
    struct dj_jank_totals totals = {0};
    dj_xcheck(dj_jank_add_rows(&totals, window->frames, facts->rows, window->frame_count,
                               &facts->rules));
    dj_jank_compute(&totals, figures);
    dj_jank_finish(&totals);
}

static void write_rule(struct dj_text *text, const struct dj_jank_rule *rule,
                       const struct dj_jank_figure *figure)
{
    dj_json_open_object(text, rule->slug);
    dj_json_add_rounded(text, "value", 9, figure->value);
    dj_json_add_string(text, "unit", rule->unit);
    dj_json_add_optional(text, "events", rule->counts_frames && !isnan(figure->value),
                         (int64_t)figure->events);
    dj_json_add_int(text, "frames", (int64_t)figure->frames);
    if (figure->reason != NULL) {
        dj_json_add_string(text, "reason", figure->reason);
    }
    dj_json_close(text, "}");
}

static void write_error(struct dj_text *text, const char *key,
                        const struct dj_present_error *error)
{
    dj_json_open_object(text, key);
    dj_json_add_int(text, "count", (int64_t)error->count);
    dj_json_add_real(text, "mean", error->mean_ns);
    dj_json_add_real(text, "p95", error->p95_ns);
    dj_json_add_real(text, "max", error->max_ns);
    dj_json_close(text, "}");
}

static void write_step(struct dj_text *text, const struct dj_spread *step)
{
    bool known = step->count > 0;
    double unknown = (double)NAN;
    dj_json_open_object(text, "present_to_present_ns");
    dj_json_add_int(text, "count", (int64_t)step->count);
    dj_json_add_real(text, "p50", known ? step->p50_ns : unknown);
    dj_json_add_real(text, "p95", known ? step->p95_ns : unknown);
    dj_json_add_real(text, "p99", known ? step->p99_ns : unknown);
    dj_json_add_optional(text, "max", known, step->max_ns);
    dj_json_close(text, "}");
}

void dj_dump_write_json_present(struct dj_text *text,
                                const struct dj_present_figures *present,
                                bool skips_known)
{
    bool known = present->has_refreshes;
    dj_json_open_object(text, "present");
    dj_json_add_int(text, "presents", (int64_t)present->presents);
    write_step(text, &present->step);
    dj_json_open_array(text, "late_by_refreshes");
    for (size_t i = 0; i < DJ_PRESENT_LATE; i++) {
        dj_json_add_optional(text, NULL, known, (int64_t)present->late[i]);
    }
    dj_json_close(text, "]");
    dj_json_add_optional(text, "presents_late", known, (int64_t)present->late_total);
    dj_json_add_optional(text, "repeated_refreshes", known, (int64_t)present->repeated);
    dj_json_add_optional(text, "skipped_frames", skips_known && present->presents > 0,
                         (int64_t)present->skipped);
    write_error(text, "pacing_error_ns", &present->pacing);
    write_error(text, "animation_error_ns", &present->animation);
    if (present->reason != NULL) {
        dj_json_add_string(text, "reason", present->reason);
    }
    dj_json_close(text, "}");
}

void dj_dump_write_json_jank(struct dj_text *text, const struct dj_dump_window *window,
                             const struct dj_window_facts *facts)
{
    struct dj_jank_figures figures;
    if (!window->has_frames) {
        dj_json_add_null(text, "jank_rules");
        dj_json_add_null(text, "present");
        return;
    }
    dj_dump_compute_jank(window, facts, &figures);
    dj_json_open_object(text, "jank_rules");
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        write_rule(text, dj_jank_rule_get((enum dj_jank_rule_id)i), &figures.rule[i]);
    }
    dj_json_close(text, "}");
    dj_dump_write_json_present(text, &figures.present, !facts->skips_unknown);
}

_Static_assert(DJ_SURFACE_NO_TIME == DJ_JANK_UNKNOWN, "both separate frames");

void dj_dump_write_json_surface_present(struct dj_text *text,
                                        const struct dj_dump_surface *surface)
{
    struct dj_jank_totals totals = {0};
    struct dj_jank_figures figures;
    bool is_timeline = surface->kind == DJ_SURFACE_FRAME_TIMELINE;
    const struct dj_jank_presents presents = {
        .present_ns = surface->present_ns,
        .content_ns =
            surface->content_count == surface->present_count ? surface->content_ns : NULL,
        .count = surface->present_count,
        .interval_ns = surface->refresh_ns > 0 ? surface->refresh_ns : DJ_JANK_UNKNOWN};
    if (surface->present_count == 0) {
        dj_json_add_null(text, "present");
        return;
    }
    dj_xcheck(dj_jank_add_presents(&totals, &presents));
    dj_jank_compute(&totals, &figures);
    dj_jank_finish(&totals);
    if (is_timeline && surface->part_count > 0) {
        figures.present.skipped += (size_t)surface->parts[0].dropped_frames;
    }
    dj_dump_write_json_present(text, &figures.present, is_timeline);
}

struct line_writer {
    struct dj_text *text;
    const char *rule;
};

static void write_line(struct dj_text *text, const struct dj_jank_rule *rule,
                       const struct dj_jank_figure *figure)
{
    dj_text_format(text, "%s = ", rule->slug);
    if (figure->reason != NULL) {
        dj_text_format(text, "unknown: %s", figure->reason);
    } else {
        dj_text_format(text, "%.6g %s", figure->value, rule->unit);
    }
    if (figure->reason == NULL && rule->counts_frames) {
        dj_text_format(text, " (%zu of %zu)", figure->events, figure->frames);
    }
    dj_text_format(text, "; formula: %s\n", rule->formula);
}

static size_t write_window_lines(void *context, const struct dj_parsed *parsed,
                                 const struct dj_dump_process *process,
                                 const struct dj_dump_window *window,
                                 const struct dj_window_facts *facts)
{
    const struct line_writer *writer = context;
    struct dj_jank_figures figures;
    if (!window->has_frames) {
        return 0;
    }
    dj_dump_compute_jank(window, facts, &figures);
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        const struct dj_jank_rule *rule = dj_jank_rule_get((enum dj_jank_rule_id)i);
        const char *title = dj_parsed_get_window_title(window);
        if (!dj_jank_rule_is_named((enum dj_jank_rule_id)i, writer->rule)) {
            continue;
        }
        dj_text_format(writer->text, "%s: %s, window %s: ", parsed->source,
                       process->name != NULL ? process->name : "(no name)",
                       title != NULL ? title : "(no title)");
        write_line(writer->text, rule, &figures.rule[i]);
    }
    return window->frame_count;
}

size_t dj_dump_write_jank_rule(struct dj_text *text, const struct dj_parsed *parsed,
                               const char *rule)
{
    struct line_writer writer = {text, rule};
    return dj_parsed_visit_windows(parsed, write_window_lines, &writer);
}

static void get_slug(struct dj_cell *cell, const void *record)
{
    const struct dj_jank_rule *rule = record;
    dj_cell_format(cell, "%s", rule->slug);
}

static void get_formula(struct dj_cell *cell, const void *record)
{
    const struct dj_jank_rule *rule = record;
    dj_cell_format(cell, "%s (%s): %s. Source: %s", rule->name, rule->unit, rule->formula,
                   rule->source);
}

void dj_report_add_jank_rules(struct dj_document *document, const char *word)
{
    static const struct dj_table_column columns[] = {
        {"rule", NULL, false, get_slug},
        {"formula", NULL, false, get_formula},
    };
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (int i = 0; i < DJ_JANK_RULES; i++) {
        enum dj_jank_rule_id id = (enum dj_jank_rule_id)i;
        if (dj_jank_rule_is_named(id, word)) {
            dj_document_add_row(document, dj_jank_rule_get(id));
        }
    }
}
