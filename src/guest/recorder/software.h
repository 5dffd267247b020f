/* Frames that a program draws with the CPU and sends to the window system as images. A
 * program may send a frame in several parts. All parts between two waits of the thread's
 * loop are one frame. */
#ifndef DEJANK_RECORDER_SOFTWARE_H
#define DEJANK_RECORDER_SOFTWARE_H

#include "recorder/surface.h"

/* Marks the beginning of a call that sends an image. Returns the current time, or 0 if
 * the call is part of a swap, of a toolkit's present or of a declared frame. */
int64_t dj_recorder_begin_image(void);

/* Returns whether the next image would begin a new frame while the thread has no
 * unfinished frame. Returns false if another API presents the thread's frames. */
bool dj_recorder_is_first_image(void);

/* An image that was sent. */
struct dj_software_image {
    struct dj_surface surface;
    uint64_t area;        /* Identifies the image's place in the window. */
    enum dj_pipeline way; /* How the image was sent. */
};

/* Marks the return of the call. An image at the place of the frame's first image begins
 * the next frame. */
void dj_recorder_end_image(int64_t begin_ns, const struct dj_software_image *image);

/* Records the thread's frames of images if its loop has waited since the first image.
 * Called after each wait of the thread. */
void dj_recorder_note_loop_woke(void);

#endif
