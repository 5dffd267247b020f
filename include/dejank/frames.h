/*
 * dejank/frames.h: a program's own frames and their stages, for `dumpsys gfxinfo`.
 *
 * For what draws without a toolkit that dejank knows: software rendering, a framebuffer,
 * an engine's own loop. Links with -ldejank (pkg-config dejank); C and C++.
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
 * Nothing here fails, blocks, allocates, prints or changes errno. The first frame creates
 * the process's segment (file I/O, once); a stage then costs a clock read and a store.
 * All stamps are nanoseconds of CLOCK_MONOTONIC. Stages need not be stamped: what nobody
 * stamped is unknown and printed so.
 *
 * Under `dejank record` the program's swaps and its toolkit's frames are recorded as
 * well. Where that does for it, declare no frames: a swap between dejank_frame_begin()
 * and dejank_frame_end() is part of the declared frame, one outside is a frame of its
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

/* The stages of a frame, in the order in which they are gone through. A stage ends where
 * the next one that was stamped begins. */
enum dejank_stage {
    DEJANK_INTENDED_VSYNC,     /* when it should have begun; default: when it did */
    DEJANK_VSYNC,              /* when it did begin */
    DEJANK_OLDEST_INPUT_EVENT, /* of the events it answers: when they came */
    DEJANK_NEWEST_INPUT_EVENT,
    DEJANK_HANDLE_INPUT_START,
    DEJANK_ANIMATION_START,
    DEJANK_LAYOUT_START,    /* measure and layout (PerformTraversalsStart) */
    DEJANK_DRAW_START,      /* what is to be drawn is put together */
    DEJANK_SYNC_QUEUED,     /* the renderer is asked to take it over */
    DEJANK_SYNC_START,      /* and does. Time between these two is waiting, not work */
    DEJANK_RENDER_START,    /* rasterising (IssueDrawCommandsStart) */
    DEJANK_SWAP_BUFFERS,    /* handing over to the display */
    DEJANK_FRAME_COMPLETED, /* default: dejank_frame_end() */
    DEJANK_FRAME_DEADLINE,  /* when it had to be complete, where that is known */
    /* What becomes known later, for dejank_frame_amend(): */
    DEJANK_GPU_COMPLETED,
    DEJANK_DISPLAY_PRESENT_TIME,
    DEJANK_STAGE_COUNT
};

/* CLOCK_MONOTONIC now, in ns. */
DEJANK_API int64_t dejank_now_ns(void);

/*
 * The calling thread begins a frame of the surface, a number of the program's choice: one
 * for each thing that shows frames of its own. Under `dejank record` the frame has
 * started where the thread's loop woke for it, else here; stamp DEJANK_INTENDED_VSYNC
 * before to say otherwise. A frame begun before and not ended is given up. At most 16
 * surfaces are kept apart; a further one takes the place of the one that showed a frame
 * longest ago.
 */
DEJANK_API void dejank_frame_begin(uint64_t surface);

/* The calling thread's frame, or its next one where none is begun, enters a stage now. Of
 * two stamps of one stage the first stays. */
DEJANK_API void dejank_frame_stage(enum dejank_stage stage);

/* The same at a stamp of one's own, ≥ 0: a vsync's, an input event's. */
DEJANK_API void dejank_frame_stage_at(enum dejank_stage stage, int64_t at_ns);

/* A frame that was recorded. Keep it to amend it; it need not be given back. */
struct dejank_frame {
    uint64_t surface;
    uint64_t index;
    bool recorded; /* false: nothing is recorded, or this frame was dropped and counted */
};

/* The frame is complete and recorded. */
DEJANK_API struct dejank_frame dejank_frame_end(void);

/* Nothing was drawn: forgets the frame. */
DEJANK_API void dejank_frame_discard(void);

/* Adds what became known of a frame after its end: DEJANK_GPU_COMPLETED,
 * DEJANK_DISPLAY_PRESENT_TIME. Any thread. False where it is known already, another stage
 * was asked for, or the frame has left the ring (4096 frames). */
DEJANK_API bool dejank_frame_amend(struct dejank_frame frame, enum dejank_stage stage,
                                   int64_t at_ns);

/*
 * What is known of a surface, at any time, also before its first frame. Any thread; false
 * where nothing is recorded or another thread was just writing. title: copied, at most
 * 255 bytes. interval_ns: of its display, > 0; without it 60 Hz is assumed and said to be
 * (what `dejank record --refresh` says counts more, then false).
 */
DEJANK_API bool dejank_surface_set_title(uint64_t surface, const char *title);
DEJANK_API bool dejank_surface_set_interval(uint64_t surface, int64_t interval_ns);
DEJANK_API bool dejank_surface_set_visible(uint64_t surface, bool visible);

#ifdef __cplusplus
}
#endif

#endif
