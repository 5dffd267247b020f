#include "report/picture/canvas.h"

#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/picture/canvas_private.h"

static const double LINE_SPACING = 1.45;

/* The middle of a longer string is removed before the string is measured. */
enum { LINE_BYTES_MAX = 1200 };

static const uint32_t colors[DJ_INK_COUNT] = {
    [DJ_INK_TEXT] = 0x16181d,
    [DJ_INK_MUTED] = 0x59606b,
    [DJ_INK_GRID] = 0xe3e6ea,
    [DJ_INK_EDGE] = 0xd4d8de,
    [DJ_INK_PAPER] = 0xf5f6f8,
    [DJ_INK_CARD] = 0xffffff,
    [DJ_INK_DEADLINE] = 0xb00020,
    [DJ_INK_GOOD] = 0x0072b2,
    [DJ_INK_BAD] = 0xd55e00,
    [DJ_INK_STAGE + DJ_STAGE_APP] = 0x3b4cc0,
    [DJ_INK_STAGE + DJ_STAGE_VSYNC_DELAY] = 0x8a8f98,
    [DJ_INK_STAGE + DJ_STAGE_INPUT] = 0xcc79a7,
    [DJ_INK_STAGE + DJ_STAGE_ANIMATION] = 0x009e73,
    [DJ_INK_STAGE + DJ_STAGE_LAYOUT] = 0x56b4e9,
    [DJ_INK_STAGE + DJ_STAGE_DRAW] = 0x0072b2,
    [DJ_INK_STAGE + DJ_STAGE_WAIT] = 0x59606b,
    [DJ_INK_STAGE + DJ_STAGE_SYNC] = 0xe8d50c,
    [DJ_INK_STAGE + DJ_STAGE_ISSUE] = 0xe69f00,
    [DJ_INK_STAGE + DJ_STAGE_SWAP] = 0xd55e00,
};

/* Switches off hinting, so that text has the same width in an SVG and in a PNG of any
 * scale. */
void dj_canvas_init(struct dj_canvas *canvas, cairo_surface_t *surface, double scale)
{
    cairo_font_options_t *options = dj_cairo->cairo_font_options_create();
    *canvas = (struct dj_canvas){.cairo = dj_cairo->cairo_create(surface)};
    dj_cairo->cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    dj_cairo->cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    dj_cairo->cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    dj_cairo->cairo_set_font_options(canvas->cairo, options);
    dj_cairo->cairo_font_options_destroy(options);
    dj_cairo->cairo_scale(canvas->cairo, scale, scale);
}

void dj_canvas_finish(struct dj_canvas *canvas)
{
    dj_cairo->cairo_destroy(canvas->cairo);
}

static void set_ink(struct dj_canvas *canvas, enum dj_ink ink)
{
    uint32_t color = colors[ink];
    dj_cairo->cairo_set_source_rgb(canvas->cairo, (color >> 16 & 0xff) / 255.0,
                                   (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0);
}

void dj_canvas_hide(struct dj_canvas *canvas)
{
    dj_cairo->cairo_save(canvas->cairo);
    dj_cairo->cairo_rectangle(canvas->cairo, 0, 0, 0, 0);
    dj_cairo->cairo_clip(canvas->cairo);
}

void dj_canvas_show(struct dj_canvas *canvas)
{
    dj_cairo->cairo_restore(canvas->cairo);
}

void dj_canvas_fill_rect(struct dj_canvas *canvas, const struct dj_canvas_rect *rect,
                         enum dj_ink ink)
{
    set_ink(canvas, ink);
    dj_cairo->cairo_rectangle(canvas->cairo, rect->x, rect->y, rect->width, rect->height);
    dj_cairo->cairo_fill(canvas->cairo);
}

static void draw_stroke(struct dj_canvas *canvas, const double from[2],
                        const double to[2], enum dj_ink ink, double width)
{
    set_ink(canvas, ink);
    dj_cairo->cairo_set_line_width(canvas->cairo, width);
    dj_cairo->cairo_move_to(canvas->cairo, from[0], from[1]);
    dj_cairo->cairo_line_to(canvas->cairo, to[0], to[1]);
    dj_cairo->cairo_stroke(canvas->cairo);
}

/* Returns the middle of a pixel. Elsewhere, a line of 1 px would cover two pixels by
 * half. */
static double find_pixel_middle(double at)
{
    return floor(at) + 0.5;
}

void dj_canvas_draw_line(struct dj_canvas *canvas, double x0, double y0, double x1,
                         double y1, enum dj_ink ink)
{
    draw_stroke(canvas, (double[]){find_pixel_middle(x0), find_pixel_middle(y0)},
                (double[]){find_pixel_middle(x1), find_pixel_middle(y1)}, ink, 1);
}

void dj_canvas_draw_dashes(struct dj_canvas *canvas, double x0, double y0, double x1,
                           double y1, enum dj_ink ink)
{
    static const double dashes[] = {7, 4};
    dj_cairo->cairo_set_dash(canvas->cairo, dashes, 2, 0);
    draw_stroke(canvas, (double[]){x0, y0}, (double[]){x1, y1}, ink, 1.6);
    dj_cairo->cairo_set_dash(canvas->cairo, NULL, 0, 0);
}

void dj_canvas_draw_segment(struct dj_canvas *canvas, double x0, double y0, double x1,
                            double y1, enum dj_ink ink)
{
    draw_stroke(canvas, (double[]){x0, y0}, (double[]){x1, y1}, ink, 2);
}

void dj_canvas_draw_dot(struct dj_canvas *canvas, double x, double y, double radius,
                        enum dj_ink ink)
{
    set_ink(canvas, ink);
    dj_cairo->cairo_new_sub_path(canvas->cairo);
    dj_cairo->cairo_arc(canvas->cairo, x, y, radius, 0, 2 * M_PI);
    dj_cairo->cairo_fill(canvas->cairo);
}

static bool has_glyph(struct dj_canvas *canvas, const char *bytes, size_t length)
{
    cairo_glyph_t one;
    cairo_glyph_t *glyphs = &one;
    int count = 1;
    cairo_status_t status = dj_cairo->cairo_scaled_font_text_to_glyphs(
        dj_cairo->cairo_get_scaled_font(canvas->cairo), 0, 0, bytes, (int)length, &glyphs,
        &count, NULL, NULL, NULL);
    bool has = status == CAIRO_STATUS_SUCCESS && count > 0 && glyphs[0].index != 0;
    if (glyphs != &one) {
        dj_cairo->cairo_glyph_free(glyphs);
    }
    return has;
}

/* Escapes the characters that the current font cannot draw. */
static void escape_undrawable(struct dj_canvas *canvas, const char *string,
                              struct dj_text *out)
{
    struct dj_text safe = {0};
    dj_name_escape(&safe, string, false);
    const char *at = dj_xtext(&safe);
    for (const char *end = at + safe.length; at < end;) {
        struct dj_character character = dj_name_read_character(at, (size_t)(end - at));
        if (character.code < 0x80 || has_glyph(canvas, at, character.bytes)) {
            dj_text_append(out, at, character.bytes);
        } else {
            char alone[8] = {0};
            memcpy(alone, at, character.bytes);
            dj_name_escape(out, alone, true);
        }
        at += character.bytes;
    }
    dj_text_finish(&safe);
}

/* Writes about `part_bytes` bytes of the start and of the end with "…" between them.
 * Splits no character. */
static void cut_middle(const struct dj_text *whole, size_t part_bytes,
                       struct dj_text *out)
{
    const char *string = dj_xtext(whole);
    size_t head = part_bytes;
    size_t tail = whole->length - part_bytes;
    while (head > 0 && dj_str_continues(string[head])) {
        head--;
    }
    while (tail < whole->length && dj_str_continues(string[tail])) {
        tail++;
    }
    dj_text_clear(out);
    dj_text_append(out, string, head);
    dj_text_add(out, "…");
    dj_text_append(out, string + tail, whole->length - tail);
}

static double measure_width(struct dj_canvas *canvas, const struct dj_text *text)
{
    cairo_text_extents_t extents;
    dj_cairo->cairo_text_extents(canvas->cairo, dj_xtext(text), &extents);
    return extents.x_advance;
}

/* Removes as much of the middle of *whole as needed to fit in max_width. Returns the
 * width of the result. */
static double shorten_to_width(struct dj_canvas *canvas, const struct dj_text *whole,
                               double max_width, struct dj_text *out)
{
    size_t fits = 0;
    size_t fails = (whole->length < LINE_BYTES_MAX ? whole->length : LINE_BYTES_MAX) / 2;
    while (fails - fits > 1) {
        size_t middle = (fits + fails) / 2;
        cut_middle(whole, middle, out);
        if (measure_width(canvas, out) <= max_width) {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    cut_middle(whole, fits, out);
    return measure_width(canvas, out);
}

/* Selects the font, sets *out to the escaped and shortened line, and returns its width.
 */
static double layout_line(struct dj_canvas *canvas, const struct dj_canvas_font *type,
                          const char *string, struct dj_text *out)
{
    dj_cairo->cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                     type->bold ? CAIRO_FONT_WEIGHT_BOLD
                                                : CAIRO_FONT_WEIGHT_NORMAL);
    dj_cairo->cairo_set_font_size(canvas->cairo, type->size);
    escape_undrawable(canvas, string, out);
    double width = out->length <= LINE_BYTES_MAX ? measure_width(canvas, out) : INFINITY;
    double max_width = type->max_width > 0 ? type->max_width : DJ_CANVAS_WIDTH;
    if (width > max_width) {
        struct dj_text whole = *out;
        *out = (struct dj_text){0};
        width = shorten_to_width(canvas, &whole, max_width, out);
        dj_text_finish(&whole);
    }
    return width;
}

void dj_canvas_draw_text(struct dj_canvas *canvas, double x, double y,
                         const struct dj_canvas_font *type, const char *string)
{
    static const double before[] = {
        [DJ_ALIGN_LEFT] = 0, [DJ_ALIGN_CENTER] = 0.5, [DJ_ALIGN_RIGHT] = 1};
    struct dj_text line = {0};
    double width = layout_line(canvas, type, string, &line);
    set_ink(canvas, type->ink);
    dj_cairo->cairo_move_to(canvas->cairo, x - before[type->align] * width, y);
    dj_cairo->cairo_show_text(canvas->cairo, dj_xtext(&line));
    dj_text_finish(&line);
}

double dj_canvas_measure_text(struct dj_canvas *canvas, const struct dj_canvas_font *type,
                              const char *string)
{
    struct dj_text line = {0};
    double width = layout_line(canvas, type, string, &line);
    dj_text_finish(&line);
    return width;
}

/* Returns whether `line` with another word would be wider than type->max_width. */
static bool breaks_before(struct dj_canvas *canvas, const struct dj_canvas_font *type,
                          const struct dj_text *line, const char *word, size_t length)
{
    struct dj_canvas_font free_type = *type;
    struct dj_text longer = {0};
    free_type.max_width = 0;
    dj_text_add(&longer, dj_xtext(line));
    dj_text_append(&longer, " ", 1);
    dj_text_append(&longer, word, length);
    double width = dj_canvas_measure_text(canvas, &free_type, dj_xtext(&longer));
    dj_text_finish(&longer);
    return line->length > 0 && width > type->max_width;
}

double dj_canvas_draw_paragraph(struct dj_canvas *canvas, double x, double y,
                                const struct dj_canvas_font *type, const char *string)
{
    struct dj_text line = {0};
    double base = y + type->size;
    for (const char *word = string; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (breaks_before(canvas, type, &line, word, length)) {
            dj_canvas_draw_text(canvas, x, base, type, dj_xtext(&line));
            base += LINE_SPACING * type->size;
            dj_text_clear(&line);
        }
        dj_text_add(&line, line.length > 0 ? " " : "");
        dj_text_append(&line, word, length);
        word += length + strspn(word + length, " ");
    }
    dj_canvas_draw_text(canvas, x, base, type, dj_xtext(&line));
    dj_text_finish(&line);
    return base + (LINE_SPACING - 1) * type->size;
}
