#include "import/log.h"

#include "base/optional_text.h"
#include "frame/interval.h"
#include "memory/memory.h"

/* Time at which the dump begins. It is not 0, because hwui treats times ≤ 0 as
 * missing. */
static const int64_t BASE_NS = 1000000000;

/* If a log contains samples and not all frames, the frames between two samples are
 * unknown. So the samples are placed so far apart that none of them counts as the
 * successor of another. Otherwise a frame rate would be computed from the
 * samples. */
static const int64_t SAMPLES_APART_NS = 1000000000;

/* Converts a frame of a log. Usually, only two times are known: the present before the
 * frame and the present that ends it. */
static void create_frame(const struct dj_log_stream *stream,
                         const struct dj_log_frame *from, int64_t base_ns,
                         struct dj_frame *frame)
{
    *frame = (struct dj_frame){0};
    /* A driver generated this frame, so the program did not draw it. All figures exclude
     * such rows. */
    if (stream->is_generated) {
        dj_frame_set(frame, DJ_COLUMN_FLAGS, DJ_FLAG_SKIPPED_FRAME);
    }
    if (from->display_ns != DJ_LOG_UNKNOWN) {
        dj_frame_set(frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, base_ns + from->display_ns);
    }
    if (from->content_ns != DJ_LOG_UNKNOWN) {
        dj_frame_set(frame, DJ_COLUMN_ANIMATION_TIME, base_ns + from->content_ns);
    }
    dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, base_ns + from->end_ns - from->time_ns);
    dj_frame_set(frame, DJ_COLUMN_FRAME_COMPLETED, base_ns + from->end_ns);
}

/* Returns the columns of the default release, and the columns of later releases that the
 * stream contains. */
static struct dj_column_list get_columns(const struct dj_log_stream *stream)
{
    struct dj_column_list columns = dj_frame_dialect_default()->columns;
    if (stream->has_display) {
        columns.column[columns.count++] = DJ_COLUMN_DISPLAY_PRESENT_TIME;
    }
    if (stream->has_content) {
        columns.column[columns.count++] = DJ_COLUMN_ANIMATION_TIME;
    }
    return columns;
}

/* Returns the columns that may be unknown in a row. */
static uint64_t get_unrecorded_columns(void)
{
    uint64_t mask = dj_frame_column_mask(&dj_frame_dialect_default()->columns) |
                    DJ_COLUMN_BIT(DJ_COLUMN_DISPLAY_PRESENT_TIME) |
                    DJ_COLUMN_BIT(DJ_COLUMN_ANIMATION_TIME);
    return mask & ~(DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                    DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED));
}

static int64_t compute_base_ns(const struct dj_log *log)
{
    int64_t earliest_ns = 0;
    for (size_t i = 0; i < log->stream_count; i++) {
        for (size_t k = 0; k < log->streams[i].frame_count; k++) {
            const struct dj_log_frame *frame = &log->streams[i].frames[k];
            int64_t begin_ns = frame->end_ns - frame->time_ns;
            earliest_ns = begin_ns < earliest_ns ? begin_ns : earliest_ns;
        }
    }
    return BASE_NS - earliest_ns;
}

static struct dj_dump_process *find_or_add_process(struct dj_dump *dump,
                                                   const struct dj_log_stream *stream,
                                                   const char *default_name)
{
    const char *name = stream->process != NULL ? stream->process : default_name;
    for (size_t i = 0; i < dump->process_count; i++) {
        struct dj_dump_process *process = &dump->processes[i];
        if (process->pid == stream->pid && dj_optional_text_equal(process->name, name)) {
            return process;
        }
    }
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
    dj_xcheck(process != NULL);
    process->pid = stream->pid;
    process->name = dj_xstrdup(name);
    process->dialect = dj_frame_dialect_default();
    process->not_recorded = get_unrecorded_columns();
    process->interval_ns = DJ_ASSUMED_INTERVAL_NS;
    process->interval_assumed = true;
    return process;
}

/* Adds the frames of a stream to the dump. Returns when the last frame ends, or −1 if the
 * stream has no frames. */
static int64_t add_stream(struct dj_dump *dump, const struct dj_log_stream *stream,
                          const char *default_name, int64_t base_ns, int64_t distance_ns)
{
    int64_t last_ns = -1;
    struct dj_dump_window *window =
        dj_gfxinfo_dump_add_window(find_or_add_process(dump, stream, default_name));
    dj_xcheck(window != NULL);
    window->title = dj_xstrdup(stream->title != NULL ? stream->title : "log");
    window->has_frames = true;
    window->columns = get_columns(stream);
    window->frames = dj_xcalloc(stream->frame_count, sizeof(*window->frames));
    for (size_t i = 0; i < stream->frame_count; i++) {
        create_frame(stream, &stream->frames[i], base_ns + (int64_t)i * distance_ns,
                     &window->frames[i]);
        int64_t end_ns = window->frames[i].value[DJ_COLUMN_FRAME_COMPLETED];
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    window->frame_count = stream->frame_count;
    return last_ns;
}

void dj_import_write_dump(const struct dj_log *log, size_t run, const char *process,
                          struct dj_dump *dump)
{
    int64_t base_ns = compute_base_ns(log);
    bool is_sampled = log->sample_ns > 0 || log->times_are != NULL;
    int64_t distance_ns = is_sampled ? SAMPLES_APART_NS : 0;
    int64_t last_ns = -1;
    *dump = (struct dj_dump){.dialect = dj_frame_dialect_default()};
    for (size_t i = 0; i < log->stream_count; i++) {
        const struct dj_log_stream *stream = &log->streams[i];
        bool empty = stream->frame_count == 0 && log->run_count == 0;
        if (stream->run == run && !empty) {
            int64_t end_ns = add_stream(dump, stream, process, base_ns, distance_ns);
            last_ns = end_ns > last_ns ? end_ns : last_ns;
        }
    }
    /* The uptime is the end of the log on its own clock, so that the times of a log of
     * several days are plausible. */
    dump->uptime_ms = last_ns < 0 ? -1 : last_ns / 1000000 + 1;
    dump->realtime_ms = dump->uptime_ms;
}
