/* Tables of the layers of SurfaceFlinger that an input describes. */
#ifndef DEJANK_REPORT_DUMP_SURFACE_TABLES_H
#define DEJANK_REPORT_DUMP_SURFACE_TABLES_H

#include "gfxinfo/surface.h"
#include "report/document.h"

struct dj_surface_row {
    char *layer, *package; /* NULL if unknown. */
    enum dj_surface_kind kind;
    bool has_frames;
    int64_t frames, dropped; /* Negative if unknown. */
    double fps;              /* NaN if unknown, like the following. */
    double p50_ms, p90_ms, p99_ms, google_p90_fps;
};

/* Zero the struct before use. Rows beyond a maximum are only counted. */
struct dj_surface_tables {
    struct dj_surface_row *rows;
    size_t row_count;
    size_t count[DJ_SURFACE_FRAME_TIMELINE + 1]; /* Number of layers of each kind. */
    size_t frames_count; /* Number of layers that presented frames. */
    /* Number of layers with frames but without percentiles. */
    size_t unknown_count;
    size_t pending_count;       /* Number of rows of frames not yet on the screen. */
    size_t several_rates;       /* Number of layers with several refresh rates. */
    struct dj_surface_row best; /* Copy of the layer with the most frames. */
};

/* Copies the layers. */
void dj_surface_tables_read(struct dj_surface_tables *tables,
                            const struct dj_surfaces *surfaces);

/* Adds the verdict on an input in which only layers have frames. Adds nothing if no layer
 * has frames. */
void dj_surface_tables_add_verdict(struct dj_document *document,
                                   const struct dj_surface_tables *tables,
                                   const char *source);

/* Adds the tables and what they do not show. Adds nothing if there are no layers. */
void dj_surface_tables_add(struct dj_document *document,
                           const struct dj_surface_tables *tables);

void dj_surface_tables_finish(struct dj_surface_tables *tables);

#endif
