/*
 * dejank/frames.h: declares a program's own frames and their stages for `dumpsys
 * gfxinfo`.
 *
 * Use it in programs without a toolkit that dejank supports: software rendering, a
 * framebuffer, an engine with its own loop. Link with -ldejank (pkg-config dejank). Works
 * in C and C++.
 *
 *     for (;;) {
 *         wait_for_vsync();
 *         dejank_frame_begin(PANEL);
 *         dejank_frame_stage(DEJANK_HANDLE_INPUT_START);
 *         handle_input();
 *         dejank_frame_stage(DEJANK_DRAW_START);
 *         draw();
 *         dejank_frame_stage(DEJANK_SWAP_BUFFERS);
 *         copy_to_the_display();
 *         dejank_frame_end();
 *     }
 *
 * These functions never fail, block, allocate, print or change errno. The first frame of
 * a process creates a file for its recording. After that, a stage costs one clock read
 * and one store. All times are in ns of CLOCK_MONOTONIC. A frame need not have all
 * stages. The times of stages that were not recorded are unknown.
 *
 * `dejank record` also records the program's swaps and the frames of its toolkit. If
 * these frames are sufficient, do not declare any. A swap between dejank_frame_begin()
 * and dejank_frame_end() belongs to the declared frame. Any other swap is a frame of its
 * own.
 */
#ifndef DEJANK_FRAMES_H
#define DEJANK_FRAMES_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stdint.h>

#ifndef DEJANK_API
#define DEJANK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The stages of a frame in their usual order. The time that is recorded for a stage is
 * its begin. A stage ends when the next recorded stage of the frame begins. */
enum dejank_stage {
    /* Time when the frame should begin. Defaults to the begin of the frame. */
    DEJANK_INTENDED_VSYNC,
    DEJANK_VSYNC, /* Time when the frame began. */
    /* Time of the oldest input event that the frame handles. */
    DEJANK_OLDEST_INPUT_EVENT,
    DEJANK_NEWEST_INPUT_EVENT,
    DEJANK_HANDLE_INPUT_START,
    DEJANK_ANIMATION_START,
    /* Measure and layout. Called PerformTraversalsStart in gfxinfo. */
    DEJANK_LAYOUT_START,
    DEJANK_DRAW_START,  /* Recording of drawing commands. */
    DEJANK_SYNC_QUEUED, /* The UI thread passes the frame to the render thread. */
    /* The render thread begins with the frame. The time since DEJANK_SYNC_QUEUED is
     * waiting, not work. */
    DEJANK_SYNC_START,
    DEJANK_RENDER_START, /* Rasterising. Called IssueDrawCommandsStart in gfxinfo. */
    DEJANK_SWAP_BUFFERS, /* Submitting the frame to the display. */
    /* End of the frame. Defaults to the time of dejank_frame_end(). */
    DEJANK_FRAME_COMPLETED,
    DEJANK_FRAME_DEADLINE, /* Time when the frame must be complete, if known. */
    /* Values that become known after the frame, for dejank_frame_amend(). */
    DEJANK_GPU_COMPLETED,
    DEJANK_DISPLAY_PRESENT_TIME,
    DEJANK_STAGE_COUNT
};

/* Returns the current time of CLOCK_MONOTONIC in ns. */
DEJANK_API int64_t dejank_now_ns(void);

/* Begins a frame of the calling thread on a surface. A surface is a part of the program
 * that shows its own frames, such as a window. `surface` is a number that the program
 * chooses for it. Under `dejank record`, the frame starts when the thread's event loop
 * woke up for it. Otherwise it starts now. To set another start, record
 * DEJANK_INTENDED_VSYNC first. If the thread's previous frame was not ended, it is
 * discarded. At most 16 surfaces are recorded separately. A new surface then replaces the
 * surface that has had no frame for the longest time. */
DEJANK_API void dejank_frame_begin(uint64_t surface);

/* Records that the thread's current frame enters a stage now. If no frame has begun, the
 * stage belongs to the thread's next frame. If a stage is recorded twice, the first time
 * is used. */
DEJANK_API void dejank_frame_stage(enum dejank_stage stage);

/* Like dejank_frame_stage(), but with a given time ≥ 0, such as the time of an input
 * event. */
DEJANK_API void dejank_frame_stage_at(enum dejank_stage stage, int64_t at_ns);

/* Identifies a recorded frame for dejank_frame_amend(). It need not be freed. */
struct dejank_frame {
    uint64_t surface;
    uint64_t index;
    /* False if nothing is recorded, or if this frame was dropped. Dropped frames are
     * counted. */
    bool recorded;
};

/* Ends the frame and records it. */
DEJANK_API struct dejank_frame dejank_frame_end(void);

/* Discards the frame, because nothing was drawn. */
DEJANK_API void dejank_frame_discard(void);

/* Adds a value that became known after the frame's end: DEJANK_GPU_COMPLETED or
 * DEJANK_DISPLAY_PRESENT_TIME. May be called in any thread. Returns false if the value is
 * already known, if `stage` is another stage, or if the frame is too old: the last 4096
 * frames are available. */
DEJANK_API bool dejank_frame_amend(struct dejank_frame frame, enum dejank_stage stage,
                                   int64_t at_ns);

/* Set properties of a surface. They may be called at any time, even before the first
 * frame of the surface, and in any thread. `title` is copied and truncated to 255 bytes.
 * `interval_ns` is the frame interval of the display, > 0. If the interval is not set, 60
 * Hz is assumed, and reports say so. The functions return false if nothing is recorded,
 * or if another thread is writing at the same time. dejank_surface_set_interval() also
 * returns false if `dejank record --refresh` has set the interval. */
DEJANK_API bool dejank_surface_set_title(uint64_t surface, const char *title);
DEJANK_API bool dejank_surface_set_interval(uint64_t surface, int64_t interval_ns);
DEJANK_API bool dejank_surface_set_visible(uint64_t surface, bool visible);

#ifdef __cplusplus
}
#endif

#endif
