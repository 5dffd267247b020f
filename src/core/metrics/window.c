#include "metrics/window.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"
#include "metrics/printed_figures.h"
#include "metrics/row_figures.h"
#include "metrics/surface_figures.h"

static size_t select_rows(const struct dj_dump_window *window, const struct dj_span *span,
                          struct dj_frame *selected)
{
    size_t count = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        if (dj_frame_span_contains(span, &window->frames[i])) {
            selected[count++] = window->frames[i];
        }
    }
    return count;
}

struct computation {
    const struct dj_figure_rules *rules;
    const struct dj_span *windows;
    size_t count, whole;
    struct dj_row_figures *rows;
    struct dj_printed_figures printed;
    struct dj_surface_totals surfaces;
};

/* Adds the rows of one app window to each time window. Rows in a short time window are
 * judged by the rules of the whole run. */
static bool add_rows(struct computation *computation, const struct dj_dump_window *window,
                     struct dj_judged_rows *judged, struct dj_frame *selected)
{
    for (size_t i = 0; i < computation->count; i++) {
        if (i == computation->whole) {
            dj_metrics_judged_rows_judge(judged, window->frames, window->frame_count);
        } else {
            dj_metrics_judged_rows_judge(
                judged, selected,
                select_rows(window, &computation->windows[i], selected));
        }
        computation->rows[i].has_rows |= window->has_frames;
        if (!dj_row_figures_add(&computation->rows[i], judged)) {
            return false;
        }
    }
    return true;
}

static bool add_window(struct computation *computation, const struct dj_dump *dump,
                       const struct dj_dump_process *process,
                       const struct dj_dump_window *window)
{
    struct dj_judged_rows judged = {0};
    struct dj_frame *selected =
        dj_array_resize(NULL, window->frame_count + 1, sizeof(*selected));
    bool added = selected != NULL &&
                 dj_metrics_judged_rows_open(&judged, dump, process, window) &&
                 add_rows(computation, window, &judged, selected);
    dj_metrics_judged_rows_close(&judged);
    free(selected);
    return added;
}

static bool add_process(struct computation *computation, const struct dj_dump *dump,
                        const struct dj_dump_process *process)
{
    bool added = true;
    for (size_t i = 0; i < process->window_count && added; i++) {
        added = add_window(computation, dump, process, &process->windows[i]);
    }
    dj_printed_figures_add(&computation->printed, process,
                           dj_gfxinfo_dump_dialect(dump, process));
    return added;
}

static int add_dump(void *data, struct dj_dump *dump)
{
    struct computation *computation = data;
    if (computation->rules->release != NULL) {
        dj_gfxinfo_release_set(dump, computation->rules->release);
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        if (!add_process(computation, dump, &dump->processes[i])) {
            return DJ_E_NO_MEMORY;
        }
    }
    return dj_surface_totals_add(&computation->surfaces, dump) ? 0 : DJ_E_NO_MEMORY;
}

/* Sets frames and janky_frames. Uses the counts of hwui if they are known, because they
 * include all frames. Otherwise counts the rows, including rows that no rule can judge,
 * such as those from the log of another tool. If all rows have only a known present,
 * counts these rows. */
static void set_headline(struct dj_metrics *metrics)
{
    double *value = metrics->value;
    bool hwui = value[DJ_METRIC_HWUI_TOTAL] > 0 && !isnan(value[DJ_METRIC_HWUI_JANKY]);
    double rows = value[value[DJ_METRIC_ROWS_JUDGED] > 0 ? DJ_METRIC_ROWS_JUDGED
                                                         : DJ_METRIC_ROWS_USABLE];
    double frames = hwui ? value[DJ_METRIC_HWUI_TOTAL] : rows;
    double janky = value[hwui ? DJ_METRIC_HWUI_JANKY : DJ_METRIC_ROWS_JANKY];
    value[DJ_METRIC_FRAMES] = isnan(frames) ? value[DJ_METRIC_HWUI_TOTAL] : frames;
    if (frames == 0 && value[DJ_METRIC_PRESENTS] > 0) {
        value[DJ_METRIC_FRAMES] = value[DJ_METRIC_PRESENTS];
    }
    if (frames > 0 && !isnan(janky)) {
        value[DJ_METRIC_JANKY_FRAMES] = janky;
        value[DJ_METRIC_JANKY_PCT] = 100 * janky / frames;
    }
}

static bool set_figures(struct computation *computation,
                        struct dj_window_figures *figures)
{
    bool set = true;
    for (size_t i = 0; i < computation->count && set; i++) {
        set = dj_row_figures_fill(&computation->rows[i], computation->rules, &figures[i]);
        if (i == computation->whole && set) {
            set = dj_printed_figures_fill(&computation->printed, &figures[i]);
            dj_surface_totals_fill(&computation->surfaces, &figures[i].metrics);
        }
        if (computation->surfaces.is_collected) {
            /* SurfaceFlinger lists only frames that were shown. */
            figures[i].metrics.value[DJ_METRIC_SKIPPED_FRAMES] = (double)NAN;
        }
        set_headline(&figures[i].metrics);
    }
    return set;
}

static int read_text(struct computation *computation, const char *text, size_t length)
{
    struct dj_parse_report *report = calloc(1, sizeof(*report));
    struct dj_parser *parser =
        report != NULL ? dj_gfxinfo_parser_create(add_dump, computation, report) : NULL;
    int code = DJ_E_NO_MEMORY;
    if (parser != NULL) {
        code = dj_gfxinfo_parser_feed(parser, text, length);
        code = code == 0 ? dj_gfxinfo_parser_end(parser) : code;
    }
    dj_gfxinfo_parser_destroy(parser);
    free(report);
    return code;
}

int dj_metrics_compute(const char *text, size_t length,
                       const struct dj_figure_rules *rules, const struct dj_span *windows,
                       size_t count, size_t whole, struct dj_window_figures *figures,
                       struct dj_error *err)
{
    struct computation computation = {
        .rules = rules,
        .windows = windows,
        .count = count,
        .whole = whole,
        .rows = calloc(count + 1, sizeof(*computation.rows)),
    };
    for (size_t i = 0; i < count; i++) {
        figures[i] = (struct dj_window_figures){0};
        dj_metrics_clear(&figures[i].metrics);
    }
    int code =
        computation.rows != NULL ? read_text(&computation, text, length) : DJ_E_NO_MEMORY;
    if (code == 0 && !set_figures(&computation, figures)) {
        code = DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < count && computation.rows != NULL; i++) {
        dj_row_figures_finish(&computation.rows[i]);
    }
    free(computation.rows);
    dj_surface_totals_finish(&computation.surfaces);
    return code == 0
               ? 0
               : dj_error_set(err, code, "not enough memory for the frames of the run");
}

static const char *const kinds[DJ_HISTOGRAM_KINDS] = {
    [DJ_HISTOGRAM_HWUI] = "hwui",
    [DJ_HISTOGRAM_HWUI_GPU] = "hwui-gpu",
    [DJ_HISTOGRAM_FRAME_TIME] = "frame-time-ns",
};

const char *dj_metrics_histogram_kind_name(enum dj_histogram_kind kind)
{
    return kinds[kind];
}

void dj_metrics_window_figures_finish(struct dj_window_figures *figures)
{
    for (size_t i = 0; i < DJ_HISTOGRAM_KINDS; i++) {
        dj_exponential_finish(&figures->histogram[i]);
    }
    dj_exponential_finish(&figures->guide_totals);
}
