#include "recorder/software.h"

#include "recorder/process_segment.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

/* Returns whether another API presents the frames of this thread. The images that this
 * thread sends are then parts of those frames. Drivers of GL and Vulkan send images from
 * any thread. GTK sends images only from the thread that makes its frames, while a
 * browser's own thread draws the pages. */
static bool has_other_frames(const struct dj_recorder_thread *thread)
{
    enum {
        OWN = 1U << DJ_PIPELINE_SOFTWARE | 1U << DJ_PIPELINE_X_IMAGE |
              1U << DJ_PIPELINE_X_SHARED_IMAGE | 1U << DJ_PIPELINE_X_COPY |
              1U << DJ_PIPELINE_WAYLAND_SHM,
        GTK = 1U << DJ_PIPELINE_GTK
    };
    const struct dj_segment_writer *writer = dj_recorder_get_writer();
    uint32_t pipelines = writer != NULL ? atomic_load_explicit(&writer->header->pipelines,
                                                               memory_order_relaxed)
                                        : 0;
    return (pipelines & ~(uint32_t)(thread->has_declared ? OWN : OWN | GTK)) != 0;
}

static void note_ways(uint32_t ways)
{
    const struct dj_segment_writer *writer = dj_recorder_get_writer();
    if (writer != NULL && (ways & ~atomic_load_explicit(&writer->header->pipelines,
                                                        memory_order_relaxed)) != 0) {
        atomic_fetch_or(&writer->header->pipelines, ways);
    }
}

static void finish_frame(struct dj_recorder_thread *thread,
                         const struct dj_software_frame *software)
{
    struct dj_frame_in_progress *frame = &thread->frame;
    frame->start_ns = software->start_ns;
    frame->entry_ns = software->entry_ns;
    frame->returned_ns = software->returned_ns;
    thread->waits.started_ns = software->start_ns;
    dj_waits_end_frame(&thread->waits, software->returned_ns);
    dj_recorder_finish_frame(thread, software->surface);
    note_ways(software->ways);
}

/* Records the thread's frames, oldest first. */
static void finish_frames(struct dj_recorder_thread *thread)
{
    struct dj_software_frames *software = &thread->software;
    uint32_t count = software->count;
    software->count = 0;
    if (has_other_frames(thread)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        finish_frame(thread, &software->frames[i]);
    }
}

void dj_recorder_note_loop_woke(void)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    if (thread->software.count > 0 && thread->waits.woke_ns != thread->software.woke_ns) {
        finish_frames(thread);
    }
}

bool dj_recorder_is_first_image(void)
{
    const struct dj_recorder_thread *thread = &dj_recorder_thread;
    return thread->software.count == 0 && !has_other_frames(thread);
}

int64_t dj_recorder_begin_image(void)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    if (thread->swap_depth > 0 || thread->present_depth > 0 || thread->frame.declared) {
        return 0;
    }
    int64_t now_ns = dj_recorder_clock_ns();
    dj_thread_note_seen(thread, now_ns);
    return now_ns;
}

static struct dj_software_frame *find_frame(struct dj_software_frames *software,
                                            struct dj_surface surface)
{
    for (uint32_t i = 0; i < software->count; i++) {
        if (dj_recorder_surface_is_equal(software->frames[i].surface, surface)) {
            return &software->frames[i];
        }
    }
    return NULL;
}

void dj_recorder_end_image(int64_t begin_ns, const struct dj_software_image *image)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    struct dj_software_frames *software = &thread->software;
    struct dj_software_frame *frame = find_frame(software, image->surface);
    if (begin_ns == 0) {
        return;
    }
    bool is_next = frame != NULL && frame->area == image->area;
    if (is_next || (frame == NULL && software->count == DJ_SOFTWARE_FRAMES)) {
        finish_frames(thread);
        frame = NULL;
    }
    if (frame == NULL) {
        frame = &software->frames[software->count];
        software->woke_ns =
            software->count == 0 ? thread->waits.woke_ns : software->woke_ns;
        software->count++;
        *frame = (struct dj_software_frame){
            .surface = image->surface,
            .area = image->area,
            .start_ns = dj_waits_get_frame_start(&thread->waits, thread->first_seen_ns),
            .entry_ns = begin_ns};
    }
    frame->ways |= 1U << image->way;
    frame->returned_ns = dj_recorder_clock_ns();
}
