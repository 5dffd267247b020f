#include "segment/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"

enum { PROFILE_ROWS = 120 };

/* Maximum of a value in the simple dump, as hwui limits it. */
static const float PROFILE_MAX_MS = 50.0F;

/* Moves the text to a string and returns it, or NULL if there is not enough memory. *text
 * is then empty. */
static char *move_to_string(struct dj_text *text)
{
    char *string = text->failed ? NULL : strdup(dj_text_get(text));
    dj_text_finish(text);
    return string;
}

static char *create_name(const char *name)
{
    struct dj_text text = {0};
    dj_text_append_escaped_name(&text, name);
    return move_to_string(&text);
}

static char *create_title(const struct dj_snapshot *snapshot,
                          const struct dj_snapshot_window *window, bool with_key)
{
    struct dj_text text = {0};
    dj_text_append_escaped_name(&text, snapshot->name);
    dj_text_add(&text, "/");
    dj_text_append_escaped_name(&text, window->title);
    if (with_key) {
        dj_text_format(&text, "@%" PRIx64, window->key);
    }
    return move_to_string(&text);
}

static char *create_pipeline(uint32_t pipelines)
{
    static const char *const names[DJ_PIPELINE_COUNT] = {
        [DJ_PIPELINE_GLX] = "OpenGL (GLX)",
        [DJ_PIPELINE_EGL] = "OpenGL (EGL)",
        [DJ_PIPELINE_VULKAN] = "Vulkan",
        [DJ_PIPELINE_GTK] = "GTK",
        [DJ_PIPELINE_QT] = "Qt Quick",
        [DJ_PIPELINE_SDL] = "SDL",
        [DJ_PIPELINE_DECLARED] = "declared by the app",
        [DJ_PIPELINE_SOFTWARE] = "software",
        [DJ_PIPELINE_X_PRESENT] = "X Present",
        [DJ_PIPELINE_X_IMAGE] = "software (XPutImage)",
        [DJ_PIPELINE_X_SHARED_IMAGE] = "software (XShm)",
        [DJ_PIPELINE_X_COPY] = "software (XCopyArea)",
        [DJ_PIPELINE_WAYLAND_SHM] = "software (wl_shm)",
    };
    struct dj_text text = {0};
    /* Recorders from before these bits wrote only "software". */
    if (pipelines >> DJ_PIPELINE_X_IMAGE != 0) {
        pipelines &= ~(1U << DJ_PIPELINE_SOFTWARE);
    }
    for (size_t i = 0; i < DJ_PIPELINE_COUNT; i++) {
        if ((pipelines >> i & 1) != 0) {
            dj_text_add(&text, text.length != 0 ? ", " : "");
            dj_text_add(&text, names[i]);
        }
    }
    return move_to_string(&text);
}

/* Returns the frame as its printed row shows it. The timestamp of an unknown stage is set
 * to that of the previous stage, so the duration of the unknown stage is 0. */
static struct dj_frame fill_unknown_stages(const struct dj_frame *frame,
                                           int64_t interval_ns)
{
    struct dj_frame full = *frame;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        enum dj_column column = (enum dj_column)i;
        if (dj_frame_column_kind(column) == DJ_KIND_STAGE &&
            !dj_frame_has(frame, column)) {
            dj_frame_set(&full, column, dj_frame_fallback(frame, column, interval_ns));
        }
    }
    return full;
}

static float compute_profile_ms(const struct dj_frame *frame, enum dj_column start,
                                enum dj_column end)
{
    int64_t ns = 0;
    dj_frame_duration(frame, start, end, &ns);
    float ms = (float)ns / 1e6F;
    return ms < PROFILE_MAX_MS ? ms : PROFILE_MAX_MS;
}

static struct dj_profile_row create_profile_row(const struct dj_frame *frame,
                                                int64_t interval_ns)
{
    struct dj_frame full = fill_unknown_stages(frame, interval_ns);
    return (struct dj_profile_row){
        .draw_ms =
            compute_profile_ms(&full, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_SYNC_START),
        .prepare_ms = compute_profile_ms(&full, DJ_COLUMN_SYNC_START,
                                         DJ_COLUMN_ISSUE_DRAW_COMMANDS_START),
        .process_ms = compute_profile_ms(&full, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
                                         DJ_COLUMN_SWAP_BUFFERS),
        .execute_ms =
            compute_profile_ms(&full, DJ_COLUMN_SWAP_BUFFERS, DJ_COLUMN_FRAME_COMPLETED),
    };
}

/* Adds the rows that the simple dump has not printed yet. */
static bool fill_profile(const struct dj_snapshot_window *window,
                         struct dj_dump_window *out)
{
    size_t from =
        window->frame_count > PROFILE_ROWS ? window->frame_count - PROFILE_ROWS : 0;
    while (from < window->frame_count && window->first_index + from < window->profiled) {
        from++;
    }
    out->has_profile = true;
    if (from == window->frame_count) {
        return true;
    }
    out->profile = calloc(window->frame_count - from, sizeof(out->profile[0]));
    if (out->profile == NULL) {
        return false;
    }
    for (size_t i = from; i < window->frame_count; i++) {
        out->profile[out->profile_count++] =
            create_profile_row(&window->frames[i], window->interval_ns);
    }
    return true;
}

static bool fill_frames(const struct dj_snapshot_window *window,
                        struct dj_dump_window *out)
{
    out->has_frames = true;
    if (window->frame_count == 0) {
        return true;
    }
    out->frames = calloc(window->frame_count, sizeof(out->frames[0]));
    if (out->frames == NULL) {
        return false;
    }
    memcpy(out->frames, window->frames, window->frame_count * sizeof(out->frames[0]));
    out->frame_count = window->frame_count;
    return true;
}

/* Returns the lines to print of a statistics block, as a bit mask. */
static uint32_t get_lines(const struct dj_snapshot *snapshot)
{
    return dj_segment_snapshot_has_frame_times(snapshot)
               ? UINT32_MAX
               : dj_gfxinfo_lines_without_frame_times();
}

static bool fill_window(const struct dj_snapshot *snapshot,
                        const struct dj_snapshot_window *window,
                        struct dj_dump_window *out)
{
    out->title = create_title(snapshot, window, true);
    out->visibility = (int)window->visibility;
    out->views = window->views;
    out->views_kb = -1;
    out->columns = snapshot->dialect->columns;
    if (snapshot->dialect->window_stats) {
        out->stats_title = create_title(snapshot, window, false);
        out->stats = (struct dj_stats_block){.present = out->stats_title != NULL,
                                             .stats = window->stats,
                                             .lines = get_lines(snapshot)};
    }
    return out->title != NULL &&
           (!snapshot->dialect->window_stats || out->stats.present) &&
           (out->columns.count == 0 || fill_frames(window, out)) &&
           (!snapshot->profile || fill_profile(window, out));
}

static uint64_t find_unknown_columns(const struct dj_snapshot *snapshot,
                                     const struct dj_snapshot_window *window)
{
    uint64_t unknown = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        unknown |= ~window->frames[i].known;
    }
    return unknown & dj_frame_column_mask(&snapshot->dialect->columns);
}

static void sum_process(const struct dj_snapshot *snapshot, struct dj_stats *sum)
{
    for (size_t i = 0; i < snapshot->window_count; i++) {
        dj_frame_stats_merge(sum, &snapshot->windows[i].process);
    }
    sum->since_ns = snapshot->since_ns;
}

static bool fill_process(const struct dj_snapshot *snapshot,
                         struct dj_dump_process *process)
{
    process->pid = snapshot->pid;
    process->name = create_name(snapshot->name);
    process->stats.present = true;
    process->stats.lines = get_lines(snapshot);
    sum_process(snapshot, &process->stats.stats);
    process->interval_ns = snapshot->interval_ns;
    process->interval_assumed = snapshot->interval_assumed;
    process->ended = snapshot->ended;
    process->dropped = snapshot->dropped;
    bool filled_all = process->name != NULL;
    if (snapshot->pipelines != 0) {
        process->pipeline = create_pipeline(snapshot->pipelines);
        filled_all = filled_all && process->pipeline != NULL;
    }
    if (snapshot->disabled[0] != '\0') {
        process->disabled = create_name(snapshot->disabled);
        filled_all = filled_all && process->disabled != NULL;
    }
    return filled_all;
}

int dj_segment_snapshot_to_dump(const struct dj_snapshot *snapshot, struct dj_dump *dump)
{
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
    if (process == NULL || !fill_process(snapshot, process)) {
        return DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *window = &snapshot->windows[i];
        if (!window->open) {
            continue;
        }
        struct dj_dump_window *out = dj_gfxinfo_dump_add_window(process);
        if (out == NULL || !fill_window(snapshot, window, out)) {
            return DJ_E_NO_MEMORY;
        }
        process->not_recorded |= find_unknown_columns(snapshot, window);
    }
    return 0;
}
