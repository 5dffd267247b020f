#include "fleet/convert.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "gfxinfo/lines.h"

/* The conversion of one source. */
struct conversion {
    const struct dj_session_origin *origin;
    dj_session_receiver *receive;
    void *user;
};

/* The counter of hwui that a counter of a session comes from. */
static const struct {
    enum dj_session_counter to;
    enum dj_counter from;
} counters[] = {
    {DJ_SESSION_FRAMES, DJ_COUNTER_TOTAL},
    {DJ_SESSION_JANKY, DJ_COUNTER_JANKY},
    {DJ_SESSION_MISSED_VSYNC, DJ_COUNTER_MISSED_VSYNC},
    {DJ_SESSION_HIGH_INPUT_LATENCY, DJ_COUNTER_HIGH_INPUT_LATENCY},
    {DJ_SESSION_SLOW_UI_THREAD, DJ_COUNTER_SLOW_UI_THREAD},
    {DJ_SESSION_SLOW_BITMAP_UPLOADS, DJ_COUNTER_SLOW_BITMAP_UPLOADS},
    {DJ_SESSION_SLOW_ISSUE_DRAW_COMMANDS, DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS},
    {DJ_SESSION_DEADLINE_MISSED, DJ_COUNTER_DEADLINE_MISSED},
};

static void begin(const struct conversion *conversion, struct dj_session *session)
{
    const struct dj_session_origin *origin = conversion->origin;
    dj_session_init(session);
    for (size_t i = 0; i < DJ_SESSION_TEXTS; i++) {
        dj_session_set_text(session, (enum dj_session_text)i, origin->text[i]);
    }
    session->refresh_hz = origin->refresh_hz;
    session->ram_mb = origin->ram_mb;
    dj_session_set_start(session, origin->written_unix_s);
}

static int finish(const struct conversion *conversion, struct dj_session *session)
{
    if (session->counter[DJ_SESSION_FRAMES] <= 0) {
        return 0;
    }
    dj_session_set_class(session);
    return conversion->receive(conversion->user, session);
}

static bool has_line(const struct dj_stats_block *block, enum dj_counter counter)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        bool is_counter = line->kind == DJ_LINE_COUNTER || line->kind == DJ_LINE_JANKY;
        if (is_counter && line->field == counter && (block->lines >> i & 1) != 0) {
            return true;
        }
    }
    return false;
}

static bool has_histogram(const struct dj_stats_block *block,
                          const struct dj_dialect *dialect)
{
    if ((block->lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM)) == 0) {
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(block->missing_frame); i++) {
        if (block->missing_frame[i] != 0) {
            return false;
        }
    }
    return dialect == NULL || dialect->bucket_label_ms == NULL ||
           dialect->bucket_label_ms == dj_frame_bucket_label_ms;
}

static void set_statistics(struct dj_session *session, const struct dj_stats_block *block,
                           const struct dj_dialect *dialect)
{
    for (size_t i = 0; i < COUNT_OF(counters); i++) {
        if (has_line(block, counters[i].from)) {
            session->counter[counters[i].to] = block->stats.counter[counters[i].from];
        }
    }
    if (has_histogram(block, dialect)) {
        struct dj_session_histogram *times = &session->histogram[DJ_SESSION_FRAME_TIME];
        times->is_known = true;
        memcpy(times->count, block->stats.frame_histogram, sizeof(times->count));
        dj_session_count_slow(session);
    }
}

static int convert_graphicsstats(const struct conversion *conversion,
                                 const struct dj_dump *dump,
                                 const struct dj_graphicsstats *entry)
{
    struct dj_session session;
    char version[32], start[32];
    begin(conversion, &session);
    dj_session_set_text(&session, DJ_SESSION_APP, entry->package);
    session.version_code = entry->version;
    if (entry->start_ms > 0) {
        dj_session_set_start(&session, entry->start_ms / 1000);
    }
    session.revision = entry->end_ms > 0 ? entry->end_ms : 0;
    set_statistics(&session, &entry->stats, dump->dialect);
    snprintf(version, sizeof(version), "%" PRId64, entry->version);
    snprintf(start, sizeof(start), "%" PRId64, entry->start_ms);
    const char *const key[] = {conversion->origin->device_id, entry->package, version,
                               start};
    dj_session_set_id(&session, key, COUNT_OF(key));
    return finish(conversion, &session);
}

static int convert_process(const struct conversion *conversion,
                           const struct dj_dump *dump,
                           const struct dj_dump_process *process, size_t index)
{
    struct dj_session session;
    char number[32];
    if (!process->stats.present || process->continues) {
        return 0;
    }
    begin(conversion, &session);
    if (process->name != NULL) {
        dj_session_set_text(&session, DJ_SESSION_APP, process->name);
    }
    if (session.refresh_hz < 0 && process->interval_ns > 0 &&
        !process->interval_assumed) {
        session.refresh_hz = llround(1e9 / (double)process->interval_ns);
    }
    set_statistics(&session, &process->stats, dj_gfxinfo_dump_dialect(dump, process));
    snprintf(number, sizeof(number), "%zu", index);
    const char *const key[] = {conversion->origin->device_id,
                               conversion->origin->content_hash, process->name, number};
    dj_session_set_id(&session, key, COUNT_OF(key));
    return finish(conversion, &session);
}

/* A bucket of timestats contains the intervals that are longer than the label before and
 * at most its label. */
static void set_presents(struct dj_session *session,
                         const struct dj_surface_figures *figures)
{
    struct dj_session_histogram *presents =
        &session->histogram[DJ_SESSION_PRESENT_TO_PRESENT];
    if (!figures->presents.is_present ||
        !dj_gfxinfo_surface_is_whole(&figures->presents, figures->total_frames)) {
        return;
    }
    presents->is_known = true;
    for (size_t i = 0; i < DJ_SURFACE_BUCKETS; i++) {
        int64_t label_ns = (int64_t)dj_gfxinfo_surface_get_label_ms(i) * 1000000;
        uint64_t sum =
            presents->count[dj_frame_bucket(label_ns - 1)] + figures->presents.count[i];
        presents->count[dj_frame_bucket(label_ns - 1)] =
            sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
    }
}

static int64_t find_jank(const struct dj_surface_figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->jank_count; i++) {
        if (strcmp(figures->jank[i].name, name) == 0) {
            return figures->jank[i].count;
        }
    }
    return -1;
}

static int convert_surface(const struct conversion *conversion,
                           const struct dj_dump_surface *surface)
{
    struct dj_session session;
    struct dj_surface_figures figures;
    if (surface->kind != DJ_SURFACE_TIMESTATS ||
        !dj_gfxinfo_surface_has_frames(surface)) {
        return 0;
    }
    if (!dj_gfxinfo_surface_compute(surface, &figures)) {
        return DJ_E_NO_MEMORY;
    }
    begin(conversion, &session);
    if (surface->package != NULL || surface->layer != NULL) {
        dj_session_set_text(&session, DJ_SESSION_APP,
                            surface->package != NULL ? surface->package : surface->layer);
    }
    if (session.refresh_hz < 0 && surface->refresh_ns > 0) {
        session.refresh_hz = llround(1e9 / (double)surface->refresh_ns);
    }
    session.counter[DJ_SESSION_FRAMES] = figures.total_frames;
    session.counter[DJ_SESSION_JANKY] = find_jank(&figures, "jankyFrames");
    set_presents(&session, &figures);
    dj_session_add_figure(&session, "average_fps", figures.average_fps);
    if (figures.dropped_frames >= 0) {
        dj_session_add_figure(&session, "dropped_frames", (double)figures.dropped_frames);
    }
    const char *const key[] = {conversion->origin->device_id,
                               conversion->origin->content_hash, surface->layer};
    dj_session_set_id(&session, key, COUNT_OF(key));
    return finish(conversion, &session);
}

int dj_fleet_convert_dump(const struct dj_dump *dump,
                          const struct dj_session_origin *origin,
                          dj_session_receiver *receive, void *user)
{
    struct conversion conversion = {origin, receive, user};
    int code = 0;
    for (size_t i = 0; i < dump->graphicsstats_count && code == 0; i++) {
        code = convert_graphicsstats(&conversion, dump, &dump->graphicsstats[i]);
    }
    for (size_t i = 0; i < dump->process_count && code == 0; i++) {
        code = convert_process(&conversion, dump, &dump->processes[i], i);
    }
    for (size_t i = 0; i < dump->surfaces.count && code == 0; i++) {
        code = convert_surface(&conversion, &dump->surfaces.at[i]);
    }
    return code;
}
