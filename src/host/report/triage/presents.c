#include "report/triage/presents.h"

#include <math.h>

#include "base/json.h"
#include "base/units.h"
#include "report/dump/jank.h"

enum { LAYERS_SHOWN = 20 /* Maximum number of layers in the table. */ };

void dj_report_write_json_presents(struct dj_text *text,
                                   const struct dj_triage_result *result)
{
    dj_json_open_array(text, "presents");
    for (size_t i = 0; i < result->present_count; i++) {
        const struct dj_triage_presents *presents = &result->presents[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "layer", presents->layer);
        dj_json_add_name(text, "trace", presents->trace);
        dj_dump_write_json_present(text, &presents->figures, true);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

static const struct dj_present_figures *get_present(const void *record)
{
    return &((const struct dj_triage_presents *)record)->figures;
}

static void get_layer(struct dj_cell *cell, const void *record)
{
    const char *layer = ((const struct dj_triage_presents *)record)->layer;
    dj_cell_format(cell, "%s", layer[0] != '\0' ? layer : "unknown");
}

static void get_shown(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_present(record)->presents);
}

static void get_skipped(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_present(record)->skipped);
}

static void get_step_p50(struct dj_cell *cell, const void *record)
{
    const struct dj_spread *step = &get_present(record)->step;
    dj_cell_set_number(cell, step->count > 0 ? step->p50_ns / 1e6 : NAN, 2);
}

static void get_step_p95(struct dj_cell *cell, const void *record)
{
    const struct dj_spread *step = &get_present(record)->step;
    dj_cell_set_number(cell, step->count > 0 ? step->p95_ns / 1e6 : NAN, 2);
}

static void get_step_max(struct dj_cell *cell, const void *record)
{
    const struct dj_spread *step = &get_present(record)->step;
    dj_cell_set_number(cell, step->count > 0 ? dj_units_ms(step->max_ns) : NAN, 2);
}

static void get_late(struct dj_cell *cell, const void *record)
{
    const struct dj_present_figures *present = get_present(record);
    dj_cell_set_number(cell, present->has_refreshes ? (double)present->late_total : NAN,
                       0);
}

static void get_pacing(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_present(record)->pacing.p95_ns / 1e6, 2);
}

static void get_animation(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_present(record)->animation.p95_ns / 1e6, 2);
}

static const struct dj_table_column present_columns[] = {
    {"layer", NULL, false, get_layer},
    {"shown", NULL, true, get_shown},
    {"skipped", NULL, true, get_skipped},
    {"p50", "ms", true, get_step_p50},
    {"p95", "ms", true, get_step_p95},
    {"longest", "ms", true, get_step_max},
    {"late", NULL, true, get_late},
    {"pacing error, p95", "ms", true, get_pacing},
    {"animation error, p95", "ms", true, get_animation},
};

void dj_report_add_presents(struct dj_document *document,
                            const struct dj_triage_result *result)
{
    struct dj_text words = {0};
    if (result->present_count == 0) {
        return;
    }
    dj_document_begin_details(document, "when the display showed frames", true);
    dj_document_begin_table(document, present_columns, COUNT_OF(present_columns));
    for (size_t i = 0; i < result->present_count && i < LAYERS_SHOWN; i++) {
        dj_document_add_row(document, &result->presents[i]);
    }
    if (result->present_count > LAYERS_SHOWN) {
        dj_text_format(&words, "… and %zu more layers. ",
                       result->present_count - LAYERS_SHOWN);
    }
    dj_text_add(&words, "A present is the moment at which the display showed a frame. "
                        "p50, p95 and longest are times between two presents, without "
                        "pauses. late: frames shown at least one refresh too late.");
    dj_document_add_paragraph(document, &words);
    dj_document_end_details(document);
}
