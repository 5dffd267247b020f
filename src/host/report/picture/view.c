#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/picture/charts.h"
#include "report/view/figures.h"
#include "report/view/notes.h"

enum {
    CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
    GAP = 16,
    TILE_GAP = 12,
    TILE_HEIGHT = 84,
    TILES_MAX = 6,
    FINDINGS_MAX = 3
};

static double draw_head(struct dj_canvas *canvas, const struct dj_view *view, double y)
{
    const struct dj_canvas_font name = {
        .size = 27, .bold = true, .ink = DJ_INK_TEXT, .max_width = CONTENT};
    const struct dj_canvas_font window = {
        .size = 17, .ink = DJ_INK_TEXT, .max_width = CONTENT};
    const struct dj_canvas_font muted = {
        .size = 14, .ink = DJ_INK_MUTED, .max_width = CONTENT};
    struct dj_text text = {0};
    dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + 27, &name,
                        dj_view_get_process_name(view));
    y += 36;
    if (dj_view_get_window_name(view) != NULL) {
        dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + 18, &window,
                            dj_view_get_window_name(view));
        y += 26;
    }
    dj_notes_write_facts(view, &text);
    if (view->parsed->source != NULL) {
        /* A long path loses its middle, so the facts keep their space. */
        struct dj_canvas_font source = {.size = muted.size, .ink = muted.ink};
        dj_text_add(&text, " · ");
        double used = dj_canvas_measure_text(canvas, &source, dj_xtext(&text));
        source.max_width = CONTENT - used;
        dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN + used, y + 16, &source,
                            view->parsed->source);
    }
    dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + 16, &muted, dj_xtext(&text));
    dj_text_finish(&text);
    return y + 24;
}

static void shrink_font(struct dj_canvas *canvas, struct dj_canvas_font *type,
                        const char *string, double max_width, double least)
{
    while (type->size > least &&
           dj_canvas_measure_text(canvas, type, string) > max_width) {
        type->size -= 0.5;
    }
    type->max_width = max_width;
}

static void draw_tile(struct dj_canvas *canvas, const struct dj_canvas_rect *place,
                      const struct dj_figure *figure)
{
    const char *exact = figure->cell[DJ_FIGURE_EXACT];
    const char *hwui = figure->cell[DJ_FIGURE_HWUI];
    double max_width = place->width - 24;
    double x = place->x + 12;
    const struct dj_canvas_font name = {
        .size = 12.5, .ink = DJ_INK_MUTED, .max_width = max_width};
    struct dj_canvas_font small = {.size = 12.5, .ink = DJ_INK_MUTED};
    struct dj_canvas_font value = {.size = 22, .bold = true, .ink = DJ_INK_TEXT};
    struct dj_text source = {0};
    const char *large = exact[0] != '\0' ? exact : hwui;
    dj_text_add(&source, dj_figures_get_column_name(exact[0] != '\0' ? DJ_FIGURE_EXACT
                                                                     : DJ_FIGURE_HWUI));
    if (exact[0] != '\0') {
        dj_text_format(&source, "; %s %s", dj_figures_get_column_name(DJ_FIGURE_HWUI),
                       hwui[0] != '\0' ? hwui : "none");
    }
    shrink_font(canvas, &value, large, max_width, 12);
    shrink_font(canvas, &small, dj_xtext(&source), max_width, 9);
    dj_canvas_draw_card(canvas, place, DJ_INK_EDGE);
    dj_canvas_draw_text(canvas, x, place->y + 22, &name, figure->name);
    dj_canvas_draw_text(canvas, x, place->y + 49, &value, large);
    dj_canvas_draw_text(canvas, x, place->y + 71, &small, dj_xtext(&source));
    dj_text_finish(&source);
}

static double draw_tiles(struct dj_canvas *canvas, const struct dj_view *view, double y)
{
    struct dj_figures figures = dj_figures_compute(view);
    const struct dj_figure *shown[TILES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < figures.count && count < TILES_MAX; i++) {
        if (figures.row[i].is_headline) {
            shown[count++] = &figures.row[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        double width = (CONTENT - TILE_GAP * ((double)count - 1)) / (double)count;
        draw_tile(
            canvas,
            &(struct dj_canvas_rect){DJ_CANVAS_MARGIN + (double)i * (width + TILE_GAP), y,
                                     width, TILE_HEIGHT},
            shown[i]);
    }
    return count > 0 ? y + TILE_HEIGHT + GAP : y;
}

/* The most severe findings, each with advice. */
static double draw_findings(struct dj_canvas *canvas, const struct dj_view *view,
                            double y)
{
    const struct dj_canvas_font type = {
        .size = 14, .bold = true, .ink = DJ_INK_TEXT, .max_width = CONTENT - 18};
    const struct dj_canvas_font muted = {
        .size = 13.5, .ink = DJ_INK_MUTED, .max_width = CONTENT - 18};
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t count =
        view->findings == NULL ? 0 : dj_frame_findings_sort(view->findings, order);
    for (size_t i = 0; i < count && i < FINDINGS_MAX; i++) {
        struct dj_text text = {0};
        double top = y;
        dj_notes_describe_finding(view, order[i], &text);
        y = dj_canvas_draw_and_finish(canvas, DJ_CANVAS_MARGIN + 18, y, &type, &text);
        y = dj_canvas_draw_paragraph(canvas, DJ_CANVAS_MARGIN + 18, y, &muted,
                                     dj_frame_finding_get_text(order[i])->look_at);
        dj_canvas_fill_rect(
            canvas, &(struct dj_canvas_rect){DJ_CANVAS_MARGIN, top + 2, 4, y - top - 6},
            DJ_INK_BAD);
        y += 6;
    }
    return count > 0 ? y + GAP / 2 : y;
}

static double draw_empty(struct dj_canvas *canvas, const struct dj_view *view, double y)
{
    const struct dj_canvas_font type = {
        .size = 17, .bold = true, .ink = DJ_INK_TEXT, .max_width = CONTENT - 36};
    struct dj_text text = {0};
    dj_notes_write_verdict(view, &text);
    double x = DJ_CANVAS_MARGIN + 18;
    dj_canvas_hide(canvas);
    double end = dj_canvas_draw_paragraph(canvas, x, y + 16, &type, dj_xtext(&text)) + 12;
    dj_canvas_show(canvas);
    dj_canvas_draw_card(canvas,
                        &(struct dj_canvas_rect){DJ_CANVAS_MARGIN, y, CONTENT, end - y},
                        DJ_INK_DEADLINE);
    dj_canvas_draw_and_finish(canvas, x, y + 16, &type, &text);
    return end + GAP;
}

double dj_picture_draw_view(struct dj_canvas *canvas, const struct dj_view *view,
                            double y)
{
    y = draw_head(canvas, view, y);
    if (dj_view_is_empty(view)) {
        y = draw_empty(canvas, view, y + 8);
    } else {
        const struct dj_canvas_font type = {
            .size = 17, .bold = true, .ink = DJ_INK_TEXT, .max_width = CONTENT};
        struct dj_text verdict = {0};
        dj_notes_write_verdict(view, &verdict);
        y = dj_canvas_draw_and_finish(canvas, DJ_CANVAS_MARGIN, y + 8, &type, &verdict) +
            8;
        y = draw_tiles(canvas, view, y);
        y = draw_findings(canvas, view, y);
        y = dj_picture_draw_histograms(canvas, view, y);
        y = dj_picture_draw_stages(canvas, view, y);
        y = dj_picture_draw_profile(canvas, view, y);
    }
    const struct dj_canvas_font type = {
        .size = 13.5, .ink = DJ_INK_MUTED, .max_width = CONTENT - 16};
    struct dj_text note = {0};
    size_t at = 0;
    while (dj_notes_get_next(view, &at, &note)) {
        dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + type.size, &type, "•");
        y = dj_canvas_draw_paragraph(canvas, DJ_CANVAS_MARGIN + 16, y, &type,
                                     dj_xtext(&note));
    }
    return y + GAP;
}
