#include "report/dump/surface_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "memory/memory.h"

/* Maximum number of stored layers, and of layers without frames that are shown. */
enum { ROWS_MAX = 2000, NAMES_SHOWN = 20 };

static char *copy_name(const char *name)
{
    return name != NULL && name[0] != '\0' ? dj_xstrdup(name) : NULL;
}

static struct dj_surface_row read_surface(const struct dj_dump_surface *surface)
{
    struct dj_surface_figures figures;
    dj_xcheck(dj_gfxinfo_surface_compute(surface, &figures));
    return (struct dj_surface_row){
        .layer = copy_name(surface->layer),
        .package = copy_name(surface->package),
        .kind = surface->kind,
        .has_frames = dj_gfxinfo_surface_has_frames(surface),
        .frames = surface->kind == DJ_SURFACE_LATENCY ? surface->complete_rows
                                                      : figures.total_frames,
        .dropped = figures.dropped_frames,
        .fps = figures.average_fps,
        .p50_ms = figures.percentile_ms[DJ_SURFACE_P50],
        .p90_ms = figures.percentile_ms[DJ_SURFACE_P90],
        .p99_ms = figures.percentile_ms[DJ_SURFACE_P99],
        .google_p90_fps = figures.google_p90_fps,
    };
}

static void free_row(struct dj_surface_row *row)
{
    free(row->layer);
    free(row->package);
}

static void update_best(struct dj_surface_tables *tables,
                        const struct dj_surface_row *row)
{
    if (tables->frames_count == 1 || row->frames > tables->best.frames) {
        free_row(&tables->best);
        tables->best = *row;
        tables->best.layer = copy_name(row->layer);
        tables->best.package = copy_name(row->package);
    }
}

void dj_surface_tables_read(struct dj_surface_tables *tables,
                            const struct dj_surfaces *surfaces)
{
    for (size_t i = 0; i < surfaces->count; i++) {
        const struct dj_dump_surface *surface = &surfaces->at[i];
        struct dj_surface_row row = read_surface(surface);
        tables->count[surface->kind]++;
        tables->pending_count +=
            surface->pending_rows > 0 ? (size_t)surface->pending_rows : 0;
        tables->several_rates += surface->part_count > 1;
        if (row.has_frames) {
            tables->frames_count++;
            tables->unknown_count += isnan(row.p50_ms);
            update_best(tables, &row);
        }
        if (tables->row_count < ROWS_MAX) {
            DJ_XPUSH(tables->rows, tables->row_count, row);
        } else {
            free_row(&row);
        }
    }
}

void dj_surface_tables_finish(struct dj_surface_tables *tables)
{
    for (size_t i = 0; i < tables->row_count; i++) {
        free_row(&tables->rows[i]);
    }
    free_row(&tables->best);
    free(tables->rows);
    *tables = (struct dj_surface_tables){0};
}

static size_t count_layers(const struct dj_surface_tables *tables)
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(tables->count); i++) {
        count += tables->count[i];
    }
    return count;
}

static const char *get_short_name(const struct dj_surface_row *row)
{
    return row->package != NULL ? row->package
           : row->layer != NULL ? row->layer
                                : "a layer without a name";
}

void dj_surface_tables_add_verdict(struct dj_document *document,
                                   const struct dj_surface_tables *tables,
                                   const char *source)
{
    const struct dj_surface_row *best = &tables->best;
    struct dj_text words = {0};
    size_t count = count_layers(tables);
    if (tables->frames_count == 0) {
        return;
    }
    dj_text_format(&words, "FRAMES SHOWN: %s: %" PRId64 " frame%s", get_short_name(best),
                   best->frames, best->frames == 1 ? "" : "s");
    if (isfinite(best->fps)) {
        dj_text_format(&words, ", %.1f" DJ_NBSP "fps on average", best->fps);
    } else if (isfinite(best->p50_ms)) {
        dj_text_format(&words, ", one every %.1f" DJ_NBSP "ms (median)", best->p50_ms);
    }
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
    if (tables->frames_count > 1) {
        dj_text_add(&words, "This is the layer with the most frames. ");
    }
    dj_text_add(&words, "SurfaceFlinger reports when frames reached the screen, for any "
                        "app. It does not report which stage of the app was slow.");
    dj_document_add_paragraph(document, &words);
    dj_text_format(&words, "%s · %zu layer%s of SurfaceFlinger", source, count,
                   count == 1 ? "" : "s");
    dj_document_add_paragraph(document, &words);
}

static const struct dj_surface_row *get_row(const void *record)
{
    return record;
}

static void set_count(struct dj_cell *cell, int64_t count)
{
    if (count >= 0) {
        dj_cell_format(cell, "%" PRId64, count);
    }
}

static void get_frames(struct dj_cell *cell, const void *record)
{
    set_count(cell, get_row(record)->frames);
}

static void get_dropped(struct dj_cell *cell, const void *record)
{
    set_count(cell, get_row(record)->dropped);
}

static void get_fps(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_row(record)->fps, 1);
}

static void get_p50(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_row(record)->p50_ms, 1);
}

static void get_p90(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_row(record)->p90_ms, 1);
}

static void get_p99(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_row(record)->p99_ms, 1);
}

static void get_google_p90(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, get_row(record)->google_p90_fps, 1);
}

static void get_layer(struct dj_cell *cell, const void *record)
{
    const char *layer = get_row(record)->layer;
    dj_cell_format(cell, "%s", layer != NULL ? layer : "(no name)");
}

static void get_package(struct dj_cell *cell, const void *record)
{
    if (get_row(record)->package != NULL) {
        dj_cell_format(cell, "%s", get_row(record)->package);
    }
}

static const struct dj_table_column frame_columns[] = {
    {"layer", NULL, false, get_layer},    {"frames", NULL, true, get_frames},
    {"dropped", NULL, true, get_dropped}, {"average", "fps", true, get_fps},
    {"p50", "ms", true, get_p50},         {"p90", NULL, true, get_p90},
    {"p99", NULL, true, get_p99},         {"P90", "fps", true, get_google_p90},
};

static const struct dj_table_column name_columns[] = {
    {"package", NULL, false, get_package},
    {"layer", NULL, false, get_layer},
};

static void add_sentence(struct dj_document *document, const char *sentence)
{
    struct dj_text words = {0};
    dj_text_add(&words, sentence);
    dj_document_add_note(document, DJ_TONE_PLAIN, &words);
}

/* Adds the rows that have frames, or those that have none, up to a maximum. */
static void add_rows(struct dj_document *document, const struct dj_surface_tables *tables,
                     bool with_frames, size_t most)
{
    size_t shown = 0;
    for (size_t i = 0; i < tables->row_count && shown < most; i++) {
        if (tables->rows[i].has_frames == with_frames) {
            dj_document_add_row(document, &tables->rows[i]);
            shown++;
        }
    }
    size_t count =
        with_frames ? tables->frames_count : count_layers(tables) - tables->frames_count;
    if (count > shown) {
        struct dj_text words = {0};
        dj_text_format(&words, "… and %zu more", count - shown);
        dj_document_add_paragraph(document, &words);
    }
}

/* Adds notes about the meaning of the figures and about data that the text does not
 * contain. */
static void add_notes(struct dj_document *document,
                      const struct dj_surface_tables *tables)
{
    struct dj_text words = {0};
    if (tables->frames_count > 0) {
        add_sentence(document, "p50, p90 and p99 are times between two frames on the "
                               "screen. Pauses without new frames count too.");
    }
    if (tables->count[DJ_SURFACE_TIMESTATS] > 0) {
        add_sentence(document, "Timestats round times up to the buckets of a histogram. "
                               "P90 fps is Google's figure for games: 90 % of the frames "
                               "came at least this fast.");
    }
    if (tables->several_rates > 0) {
        add_sentence(document, "A layer that ran at several refresh rates has the sum of "
                               "all rates here. --json has each rate.");
    }
    if (tables->count[DJ_SURFACE_LATENCY] > 0) {
        add_sentence(document, "--latency has the last 127 frames of one layer. How many "
                               "frames came before or were dropped is unknown.");
    }
    if (tables->pending_count > 0) {
        dj_text_format(&words,
                       "%zu frame%s not yet on the screen when SurfaceFlinger "
                       "printed the times.",
                       tables->pending_count,
                       tables->pending_count == 1 ? " was" : "s were");
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
    if (tables->count[DJ_SURFACE_FRAME_TIMELINE] > 0) {
        add_sentence(document, "If the timeline has only janky frames (-jank), the times "
                               "between frames are unknown.");
    }
    if (tables->unknown_count > 0) {
        dj_text_format(&words,
                       "The percentiles of %zu layer%s are unknown: the text has too few "
                       "times, or a part of the histogram is missing.",
                       tables->unknown_count, tables->unknown_count == 1 ? "" : "s");
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
}

void dj_surface_tables_add(struct dj_document *document,
                           const struct dj_surface_tables *tables)
{
    size_t count = count_layers(tables);
    if (count == 0) {
        return;
    }
    dj_document_add_heading(document, 2, "Layers of SurfaceFlinger");
    if (tables->frames_count > 0) {
        dj_document_begin_table(document, frame_columns, COUNT_OF(frame_columns));
        add_rows(document, tables, true, ROWS_MAX);
    }
    if (count > tables->frames_count) {
        struct dj_text words = {0};
        dj_text_add(&words, "Layers without frames in this text:");
        dj_document_add_paragraph(document, &words);
        dj_document_begin_table(document, name_columns, COUNT_OF(name_columns));
        add_rows(document, tables, false, NAMES_SHOWN);
    }
    add_notes(document, tables);
}
