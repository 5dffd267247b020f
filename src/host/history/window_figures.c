#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"
#include "history/metrics.h"
#include "history/printed_figures.h"
#include "history/row_figures.h"

static const struct dj_dialect *dialect_of(const struct dj_dump *dump,
                                           const struct dj_dump_process *process)
{
    return process->dialect != NULL ? process->dialect
           : dump->dialect != NULL  ? dump->dialect
                                    : dj_dialect_default();
}

static size_t select_rows(const struct dj_dump_window *window, const struct dj_span *span,
                          struct dj_frame *selected)
{
    size_t count = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        if (dj_span_holds(span, &window->frames[i])) {
            selected[count++] = window->frames[i];
        }
    }
    return count;
}

/* Memory for the rows of one view window. */
struct desk {
    struct dj_frame *selected;
    struct dj_row_facts *facts;
    int64_t *scratch;
};

static bool open_desk(struct desk *desk, size_t rows)
{
    desk->selected = dj_array_resize(NULL, rows + 1, sizeof(*desk->selected));
    desk->facts = dj_array_resize(NULL, rows + 1, sizeof(*desk->facts));
    desk->scratch =
        dj_array_resize(NULL, rows + 1, DJ_SUMMARY_SCRATCH * sizeof(*desk->scratch));
    return desk->selected != NULL && desk->facts != NULL && desk->scratch != NULL;
}

static void close_desk(struct desk *desk)
{
    free(desk->selected);
    free(desk->facts);
    free(desk->scratch);
}

/* ---- the whole text ---- */

struct work {
    const struct dj_figure_rules *rules;
    const struct dj_span *windows;
    size_t count, whole;
    struct dj_row_figures *rows;
    struct dj_printed printed;
};

static bool add_window(struct work *work, const struct dj_dump *dump,
                       const struct dj_dump_process *process,
                       const struct dj_dump_window *window, struct desk *desk)
{
    /* Of all rows, so that a short window of the run is judged as the whole is. */
    const struct dj_summary_rules rules =
        dj_dump_rules(dump, process, window, desk->scratch);
    for (size_t i = 0; i < work->count; i++) {
        bool whole = i == work->whole;
        struct dj_judged_rows judged = {
            .frames = whole ? window->frames : desk->selected,
            .count = whole ? window->frame_count
                           : select_rows(window, &work->windows[i], desk->selected),
            .facts = desk->facts,
            .interval_ns = rules.interval_ns,
        };
        dj_summarize(judged.frames, judged.count, &rules, judged.facts, desk->scratch,
                     &judged.summary);
        dj_findings_of(judged.frames, judged.count, judged.facts, rules.interval_ns,
                       &judged.findings);
        work->rows[i].has_rows |= window->has_frames;
        if (!dj_row_figures_add(&work->rows[i], &judged)) {
            return false;
        }
    }
    return true;
}

static bool add_process(struct work *work, const struct dj_dump *dump,
                        const struct dj_dump_process *process)
{
    bool added = true;
    for (size_t i = 0; i < process->window_count && added; i++) {
        struct desk desk = {0};
        added = open_desk(&desk, process->windows[i].frame_count) &&
                add_window(work, dump, process, &process->windows[i], &desk);
        close_desk(&desk);
    }
    dj_printed_add(&work->printed, process, dialect_of(dump, process));
    return added;
}

static int take_dump(void *data, struct dj_dump *dump)
{
    struct work *work = data;
    if (work->rules->release != NULL) {
        dj_release_set(dump, work->rules->release);
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        if (!add_process(work, dump, &dump->processes[i])) {
            return DJ_E_NO_MEMORY;
        }
    }
    return 0;
}

/* ---- what it comes to ---- */

/* hwui's counts where it has them, for they are of all frames; else those of the rows.
 * Rows that no rule judges (of another tool's log) are frames all the same. */
static void set_headline(struct dj_metrics *metrics)
{
    double *value = metrics->value;
    bool hwui = value[DJ_METRIC_HWUI_TOTAL] > 0 && !isnan(value[DJ_METRIC_HWUI_JANKY]);
    double rows = value[value[DJ_METRIC_ROWS_JUDGED] > 0 ? DJ_METRIC_ROWS_JUDGED
                                                         : DJ_METRIC_ROWS_USABLE];
    double frames = hwui ? value[DJ_METRIC_HWUI_TOTAL] : rows;
    double janky = value[hwui ? DJ_METRIC_HWUI_JANKY : DJ_METRIC_ROWS_JANKY];
    value[DJ_METRIC_FRAMES] = isnan(frames) ? value[DJ_METRIC_HWUI_TOTAL] : frames;
    if (frames > 0 && !isnan(janky)) {
        value[DJ_METRIC_JANKY_FRAMES] = janky;
        value[DJ_METRIC_JANKY_PCT] = 100 * janky / frames;
    }
}

static bool settle(struct work *work, struct dj_window_figures *figures)
{
    bool settled = true;
    for (size_t i = 0; i < work->count && settled; i++) {
        settled = dj_row_figures_settle(&work->rows[i], &figures[i]);
        if (i == work->whole && settled) {
            settled = dj_printed_settle(&work->printed, &figures[i]);
        }
        set_headline(&figures[i].metrics);
    }
    return settled;
}

static int read_text(struct work *work, const char *text, size_t length)
{
    struct dj_parse_report *report = calloc(1, sizeof(*report));
    struct dj_parser *parser =
        report != NULL ? dj_parser_create(take_dump, work, report) : NULL;
    int code = DJ_E_NO_MEMORY;
    if (parser != NULL) {
        code = dj_parser_feed(parser, text, length);
        code = code == 0 ? dj_parser_end(parser) : code;
    }
    dj_parser_destroy(parser);
    free(report);
    return code;
}

int dj_figures_compute(const char *text, size_t length,
                       const struct dj_figure_rules *rules, const struct dj_span *windows,
                       size_t count, size_t whole, struct dj_window_figures *figures,
                       struct dj_error *err)
{
    struct work work = {
        .rules = rules,
        .windows = windows,
        .count = count,
        .whole = whole,
        .rows = calloc(count + 1, sizeof(*work.rows)),
    };
    for (size_t i = 0; i < count; i++) {
        figures[i] = (struct dj_window_figures){0};
        dj_metrics_clear(&figures[i].metrics);
    }
    int code = work.rows != NULL ? read_text(&work, text, length) : DJ_E_NO_MEMORY;
    if (code == 0 && !settle(&work, figures)) {
        code = DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < count && work.rows != NULL; i++) {
        dj_row_figures_finish(&work.rows[i]);
    }
    free(work.rows);
    return code == 0
               ? 0
               : dj_error_set(err, code, "the frames of a run do not fit into memory");
}
