/* GTK's frame clocks and the windows they drive. Of the GTK source only (gtk.c,
 * gtk_input.c, gtk_windows.c). */
#ifndef DEJANK_HOOKS_GTK_H
#define DEJANK_HOOKS_GTK_H

#include "hooks/gtk_api.h"
#include "recorder/recorder.h"

enum { DJ_GTK_PENDING = 8 }; /* frames whose presentation is not known yet */

/* A frame clock: one per top-level window, which its pop-ups share. */
struct dj_gtk_clock {
    void *clock; /* told apart by address and counter; touched in its own signals only.
                    NULL: unused */
    struct dj_surface surface;
    int64_t counter; /* GDK's number of its newest frame */
    int64_t used_ns; /* when that began */
    int64_t flushed_ns, paint_ns;
    bool painted;
    int64_t interval_ns; /* as last told to the recorder; 0: never */
    struct dj_gtk_pending {
        struct dj_recorded recorded;
        int64_t counter, paint_ns;
    } pending[DJ_GTK_PENDING];
    unsigned plausible; /* presentation times in a row that could be true */
    bool other_clock;   /* one could not be: they are of another clock */
    /* gtk_windows.c */
    void *window; /* its GtkWindow, while that is mapped; else NULL */
    bool known;   /* its window was looked for */
    int64_t counted_ns;
    char title[DJ_SEGMENT_NAME];
};

/* The clock at this address, NULL where it has made no frame. */
struct dj_gtk_clock *dj_gtk_known_clock(const void *clock);

/* The first clock whose window this is, NULL where there is none. */
struct dj_gtk_clock *dj_gtk_clock_of_window(const void *window);

/* A clock's frame has been recorded: tells the window's title where it changed, and once
 * a second how many widgets it has. */
void dj_gtk_describe(struct dj_gtk_clock *clock, int64_t now_ns);

/* Follows windows that appear and disappear, from now on. */
void dj_gtk_follow_windows(void);

/* Listens to input from now on. */
void dj_gtk_follow_input(void);

/* Stamps the input stage, and the input that leads to it, of the calling thread's frame,
 * which began at start_ns; it is GDK's turn at now_ns. */
void dj_gtk_stamp_input(const struct dj_gtk_clock *clock, int64_t start_ns,
                        int64_t now_ns);

#endif
