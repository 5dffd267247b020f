/* Tables of the layers of SurfaceFlinger that an input describes. */
#ifndef DEJANK_REPORT_DUMP_SURFACE_TABLES_H
#define DEJANK_REPORT_DUMP_SURFACE_TABLES_H

#include "gfxinfo/surface.h"
#include "report/document.h"

struct dj_surface_row {
    char *layer, *package; /* Names of the layer and its package, or NULL if unknown. */
    enum dj_surface_kind kind;
    bool has_frames;
    int64_t frames, dropped; /* Numbers of frames, or a negative value if unknown. */
    /* Frames per second. NaN if unknown. This also applies to the next members. */
    double fps;
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
    /* Number of rows whose frames were not on the screen yet. */
    size_t pending_count;
    /* Number of layers that were shown at several refresh rates. */
    size_t several_rates;
    struct dj_surface_row best; /* Copy of the layer with the most frames. */
};

/* Copies the layers of the dump. */
void dj_surface_tables_read(struct dj_surface_tables *tables,
                            const struct dj_surfaces *surfaces);

/* Adds the verdict on an input in which only layers have frames. Adds nothing if no layer
 * has frames. */
void dj_surface_tables_add_verdict(struct dj_document *document,
                                   const struct dj_surface_tables *tables,
                                   const char *source);

/* Adds the tables, and notes about what they do not show. Adds nothing if there are no
 * layers. */
void dj_surface_tables_add(struct dj_document *document,
                           const struct dj_surface_tables *tables);

void dj_surface_tables_finish(struct dj_surface_tables *tables);

#endif
