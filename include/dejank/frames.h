/*
 * dejank/frames.h: a program's own frames and their stages, for `dumpsys gfxinfo`.
 *
 * Use it in programs without a toolkit that dejank knows: software rendering, a
 * framebuffer, an engine with its own loop. Link with -ldejank (pkg-config dejank). C and
 * C++.
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
 * These functions never fail, block, allocate, print or change errno. The first frame
 * creates the process's segment (file I/O, once). After that a stage costs a clock read
 * and a store. All stamps are nanoseconds of CLOCK_MONOTONIC. Stages may be left out:
 * they are unknown then, and printed as unknown.
 *
 * `dejank record` also records the program's swaps and the frames of its toolkit. If they
 * are sufficient, declare no frames: a swap between dejank_frame_begin() and
 * dejank_frame_end() is part of the declared frame, and a swap outside is a separate
 * frame.
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

/* The stages of a frame, in their order. A stage ends when the next stamped one
 * begins. */
enum dejank_stage {
    DEJANK_INTENDED_VSYNC,     /* when the frame should have begun; default: when it
                                * did */
    DEJANK_VSYNC,              /* when it did begin */
    DEJANK_OLDEST_INPUT_EVENT, /* time of the oldest event that it answers */
    DEJANK_NEWEST_INPUT_EVENT,
    DEJANK_HANDLE_INPUT_START,
    DEJANK_ANIMATION_START,
    DEJANK_LAYOUT_START,    /* measure and layout (PerformTraversalsStart) */
    DEJANK_DRAW_START,      /* the drawing commands are recorded */
    DEJANK_SYNC_QUEUED,     /* the renderer is asked to take over */
    DEJANK_SYNC_START,      /* the renderer takes over; the time between these two is
                             * waiting, not work */
    DEJANK_RENDER_START,    /* rasterising (IssueDrawCommandsStart) */
    DEJANK_SWAP_BUFFERS,    /* submitting to the display */
    DEJANK_FRAME_COMPLETED, /* default: dejank_frame_end() */
    DEJANK_FRAME_DEADLINE,  /* when it had to be complete, if that is known */
    /* Values that become known later, for dejank_frame_amend(): */
    DEJANK_GPU_COMPLETED,
    DEJANK_DISPLAY_PRESENT_TIME,
    DEJANK_STAGE_COUNT
};

/* Returns CLOCK_MONOTONIC in ns. */
DEJANK_API int64_t dejank_now_ns(void);

/* Begins a frame of the calling thread on a surface. The program chooses the surface's
 * number: one for each thing that shows its own frames. Under `dejank record` the
 * frame starts when the thread's loop woke for it, otherwise now. To set another
 * start, stamp DEJANK_INTENDED_VSYNC before. A frame that was begun and not ended is
 * discarded. At most 16 surfaces are kept separate; a further one replaces the surface
 * that showed no frame for the longest time. */
DEJANK_API void dejank_frame_begin(uint64_t surface);

/* The calling thread's frame, or its next one if none is begun, enters a stage now. If
 * a stage is stamped twice, the first stamp is kept. */
DEJANK_API void dejank_frame_stage(enum dejank_stage stage);

/* Same as dejank_frame_stage() with a given stamp ≥ 0, for example of a vsync or an
 * input event. */
DEJANK_API void dejank_frame_stage_at(enum dejank_stage stage, int64_t at_ns);

/* A recorded frame. Keep it to amend the frame. It need not be freed. */
struct dejank_frame {
    uint64_t surface;
    uint64_t index;
    bool recorded; /* false: nothing is recorded, or this frame was dropped and counted */
};

/* Ends the frame and records it. */
DEJANK_API struct dejank_frame dejank_frame_end(void);

/* Discards the frame because nothing was drawn. */
DEJANK_API void dejank_frame_discard(void);

/* Adds a value that became known after the frame's end: DEJANK_GPU_COMPLETED,
 * DEJANK_DISPLAY_PRESENT_TIME. Any thread. Returns false if the value is known
 * already, if it is another stage, or if the frame has left the ring (4096 frames). */
DEJANK_API bool dejank_frame_amend(struct dejank_frame frame, enum dejank_stage stage,
                                   int64_t at_ns);

/* These set properties of a surface at any time, also before its first frame. Any
 * thread. They return false if nothing is recorded or another thread is writing at the
 * same time. title: copied, at most 255 bytes. interval_ns: frame interval of its
 * display, > 0. Without it 60 Hz is assumed and reported as assumed. The value of
 * `dejank record --refresh` has priority; then this returns false. */
DEJANK_API bool dejank_surface_set_title(uint64_t surface, const char *title);
DEJANK_API bool dejank_surface_set_interval(uint64_t surface, int64_t interval_ns);
DEJANK_API bool dejank_surface_set_visible(uint64_t surface, bool visible);

#ifdef __cplusplus
}
#endif

#endif
