#include <math.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/dump/dump.h"
#include "report/dump/jank.h"

static void write_histogram(struct dj_text *text,
                            const struct dj_surface_histogram *histogram)
{
    if (!histogram->is_present) {
        dj_json_add_null(text, "histogram");
        return;
    }
    dj_json_open_array(text, "histogram");
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        if (histogram->is_printed[i]) {
            dj_json_open_array(text, NULL);
            dj_json_append_int(text, dj_gfxinfo_surface_get_label_ms(i));
            dj_json_append_int(text, (int64_t)histogram->count[i]);
            dj_json_close(text, "]");
        }
    }
    dj_json_close(text, "]");
}

static void write_jank(struct dj_text *text, const struct dj_surface_figures *figures)
{
    if (figures->jank_count == 0) {
        dj_json_add_null(text, "jank");
        return;
    }
    dj_json_open_object(text, "jank");
    for (size_t i = 0; i < figures->jank_count; i++) {
        dj_json_add_int(text, figures->jank[i].name, figures->jank[i].count);
    }
    dj_json_close(text, "}");
}

static void write_figures(struct dj_text *text, const struct dj_surface_figures *figures)
{
    static const char *const names[DJ_SURFACE_P_COUNT] = {"p50_ms", "p90_ms", "p95_ms",
                                                          "p99_ms"};
    dj_json_add_known(text, "total_frames", figures->total_frames);
    dj_json_add_known(text, "dropped_frames", figures->dropped_frames);
    dj_json_add_real(text, "average_fps", figures->average_fps);
    dj_json_open_object(text, "present_to_present");
    write_histogram(text, &figures->presents);
    for (size_t i = 0; i < DJ_SURFACE_P_COUNT; i++) {
        dj_json_add_real(text, names[i], figures->percentile_ms[i]);
    }
    dj_json_close(text, "}");
    dj_json_add_real(text, "google_p90_fps", figures->google_p90_fps);
    dj_json_add_real(text, "google_p99_fps", figures->google_p99_fps);
    write_jank(text, figures);
}

static void write_part(struct dj_text *text, const struct dj_surface_part *part)
{
    struct dj_surface_figures figures;
    dj_gfxinfo_surface_compute_part(part, &figures);
    dj_json_open_object(text, NULL);
    dj_json_add_known(text, "display_hz", part->display_hz);
    dj_json_add_known(text, "render_hz", part->render_hz);
    dj_json_add_name(text, "game_mode", part->game_mode);
    write_figures(text, &figures);
    dj_json_close(text, "}");
}

void dj_report_write_json_surface(struct dj_text *text,
                                  const struct dj_dump_surface *surface)
{
    struct dj_surface_figures figures;
    dj_xcheck(dj_gfxinfo_surface_compute(surface, &figures));
    dj_json_open_object(text, NULL);
    dj_json_add_name(text, "layer", surface->layer);
    dj_json_add_name(text, "package", surface->package);
    dj_json_add_string(text, "kind", dj_gfxinfo_surface_kind_get_name(surface->kind));
    dj_json_add_int(text, "line", (int64_t)surface->line);
    dj_json_add_known(text, "uid", surface->uid);
    dj_json_add_known(text, "refresh_ns", surface->refresh_ns);
    write_figures(text, &figures);
    dj_dump_write_json_surface_present(text, surface);
    dj_json_add_known(text, "rows", surface->row_count);
    dj_json_add_known(text, "complete_rows", surface->complete_rows);
    dj_json_add_known(text, "pending_rows", surface->pending_rows);
    if (surface->part_count < 2) {
        dj_json_add_null(text, "by_refresh_rate");
    } else {
        dj_json_open_array(text, "by_refresh_rate");
        for (size_t i = 0; i < surface->part_count; i++) {
            write_part(text, &surface->parts[i]);
        }
        dj_json_close(text, "]");
    }
    dj_json_close(text, "}");
}
