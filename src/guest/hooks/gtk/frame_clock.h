/* GTK's frame clocks and the windows they drive. */
#ifndef DEJANK_HOOKS_GTK_FRAME_CLOCK_H
#define DEJANK_HOOKS_GTK_FRAME_CLOCK_H

#include "hooks/gtk/api.h"
#include "recorder/recorder.h"

enum { DJ_GTK_PENDING = 8 }; /* frames whose presentation time is not known yet */

/* A frame clock: one per top-level window, shared by its pop-ups. */
struct dj_gtk_clock {
    void *clock; /* identified by address and counter; used only in its own signals. NULL:
                    unused */
    struct dj_surface surface;
    int64_t counter; /* GDK's number of its newest frame */
    int64_t used_ns; /* when that frame began */
    int64_t flushed_ns, paint_ns;
    bool painted;
    int64_t interval_ns; /* last value reported to the recorder; 0: never */
    struct dj_gtk_pending {
        struct dj_recorded_frame recorded;
        int64_t counter, paint_ns;
    } pending[DJ_GTK_PENDING];
    unsigned plausible; /* consecutive plausible presentation times */
    bool other_clock;   /* one was implausible: they are from another clock */
    /* Used by the window code. */
    void *window; /* its GtkWindow while it is mapped; else NULL */
    bool known;   /* its window was searched for */
    int64_t counted_ns;
    char title[DJ_SEGMENT_NAME];
};

/* Returns the clock at this address, or NULL if it has made no frame. */
struct dj_gtk_clock *dj_gtk_known_clock(const void *clock);

/* Returns the first clock with this window, or NULL. */
struct dj_gtk_clock *dj_gtk_clock_of_window(const void *window);

/* Call this after a clock's frame is recorded: reports the window's title if it
 * changed, and its number of widgets once per second. */
void dj_gtk_describe(struct dj_gtk_clock *clock, int64_t now_ns);

/* Starts to follow windows that appear and disappear. */
void dj_gtk_follow_windows(void);

/* Starts to follow input. */
void dj_gtk_follow_input(void);

/* Sets the input stage, and its input events, of the calling thread's frame, which
 * began at start_ns. GDK's own phases begin at now_ns. */
void dj_gtk_stamp_input(const struct dj_gtk_clock *clock, int64_t start_ns,
                        int64_t now_ns);

#endif
