/* Reads any text as text of SurfaceFlinger, as a whole and in pieces. Both must give the
 * same layers, and every figure must be possible. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gfxinfo/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_figures(const struct dj_surface_figures *figures)
{
    check(figures->total_frames >= -1 && figures->dropped_frames >= -1);
    check(figures->jank_count <= DJ_SURFACE_JANK_MOST);
    for (size_t i = 1; i < DJ_SURFACE_P_COUNT; i++) {
        check(isnan(figures->percentile_ms[i]) == isnan(figures->percentile_ms[0]));
        check(isnan(figures->percentile_ms[i]) ||
              figures->percentile_ms[i] >= figures->percentile_ms[i - 1]);
    }
    check(isnan(figures->google_p90_fps) || isnan(figures->google_p99_fps) ||
          figures->google_p90_fps >= figures->google_p99_fps);
}

static void describe(struct dj_text *text, const struct dj_dump_surface *surface)
{
    struct dj_surface_figures figures;
    check(dj_gfxinfo_surface_compute(surface, &figures));
    check_figures(&figures);
    dj_text_format(text, "%s %zu %s %s %lld %lld %lld %lld %lld %zu %zu",
                   dj_gfxinfo_surface_kind_get_name(surface->kind), surface->line,
                   surface->layer != NULL ? surface->layer : "-",
                   surface->package != NULL ? surface->package : "-",
                   (long long)surface->uid, (long long)surface->refresh_ns,
                   (long long)surface->row_count, (long long)surface->complete_rows,
                   (long long)surface->pending_rows, surface->present_count,
                   surface->part_count);
    dj_text_format(text, " %lld %lld %g", (long long)figures.total_frames,
                   (long long)figures.dropped_frames, figures.average_fps);
    for (size_t i = 0; i < DJ_SURFACE_P_COUNT; i++) {
        dj_text_format(text, " %g", figures.percentile_ms[i]);
    }
    for (size_t i = 0; i < figures.jank_count; i++) {
        check(figures.jank[i].name[0] != '\0' && figures.jank[i].count >= 0);
        dj_text_format(text, " %s=%lld", figures.jank[i].name,
                       (long long)figures.jank[i].count);
    }
    dj_text_add(text, "\n");
}

static void check_surface(const struct dj_dump_surface *surface)
{
    bool rows = surface->kind == DJ_SURFACE_LATENCY;
    bool parts = surface->kind == DJ_SURFACE_TIMESTATS ||
                 surface->kind == DJ_SURFACE_FRAME_TIMELINE;
    check(rows == (surface->row_count >= 0));
    check(!rows || surface->complete_rows + surface->pending_rows <= surface->row_count);
    check(parts == (surface->part_count > 0));
    check(surface->part_count <= DJ_SURFACE_PARTS_MOST);
    check(surface->package == NULL || surface->package[0] != '\0');
    check(surface->refresh_ns == -1 || surface->refresh_ns > 0);
}

static int describe_dump(void *data, struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->surfaces.count; i++) {
        check_surface(&dump->surfaces.at[i]);
        describe(data, &dump->surfaces.at[i]);
    }
    return 0;
}

/* Parses the text in pieces of at most `most` bytes, each in its own memory, so that a
 * sanitizer finds reads of earlier pieces. */
static void read_in_pieces(const char *bytes, size_t length, size_t most,
                           struct dj_text *layers)
{
    static struct dj_parse_report report;
    struct dj_parser *parser = dj_gfxinfo_parser_create(describe_dump, layers, &report);
    check(parser != NULL);
    for (size_t at = 0; at < length;) {
        size_t piece = most < length - at ? most : length - at;
        char *copy = malloc(piece);
        check(copy != NULL);
        memcpy(copy, bytes + at, piece);
        check(dj_gfxinfo_parser_feed(parser, copy, piece) == 0);
        free(copy);
        at += piece;
    }
    check(dj_gfxinfo_parser_end(parser) == 0);
    dj_gfxinfo_parser_destroy(parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_text whole = {0};
    struct dj_text pieces = {0};
    read_in_pieces((const char *)data, size, size > 0 ? size : 1, &whole);
    read_in_pieces((const char *)data, size, 1 + size % 13, &pieces);
    check(strcmp(dj_text_get(&whole), dj_text_get(&pieces)) == 0);
    dj_text_finish(&whole);
    dj_text_finish(&pieces);
    return 0;
}
