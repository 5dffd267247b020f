/* GTK's frame clocks and the windows that they draw. */
#ifndef DEJANK_HOOKS_GTK_FRAME_CLOCK_H
#define DEJANK_HOOKS_GTK_FRAME_CLOCK_H

#include "hooks/gtk/api.h"
#include "recorder/recorder.h"

/* Maximum number of frames per clock with a presentation time that is not known yet. */
enum { DJ_GTK_PENDING = 8 };

/* A frame clock of GDK. Each top-level window has one, which its pop-ups share. */
struct dj_gtk_clock {
    /* Address of the clock, or NULL if this entry is free. The clock is used only
     * while one of its own signals is emitted, because it may be destroyed at other
     * times. */
    void *clock;
    struct dj_surface surface;
    int64_t counter; /* GDK's number of the clock's newest frame. */
    int64_t used_ns; /* Time at which the newest frame began. */
    int64_t flushed_ns, paint_ns;
    bool painted;
    /* Last interval that was reported to the recorder, or 0 if no interval was
     * reported. */
    int64_t interval_ns;
    struct dj_gtk_pending {
        struct dj_recorded_frame recorded;
        int64_t counter, paint_ns;
    } pending[DJ_GTK_PENDING];
    unsigned plausible; /* Number of consecutive plausible presentation times. */
    /* True after an implausible presentation time. Such a time shows that all
     * presentation times are from another clock. */
    bool other_clock;
    /* The following members belong to windows.c. */
    void *window; /* The clock's GtkWindow while the window is mapped, otherwise NULL. */
    bool known;   /* True after the window was searched for. */
    int64_t counted_ns;
    char title[DJ_SEGMENT_NAME];
};

/* Returns the entry of the clock at this address, or NULL if the clock has made no
 * frame. */
struct dj_gtk_clock *dj_gtk_find_clock(const void *clock);

/* Returns the first clock of this window, or NULL. */
struct dj_gtk_clock *dj_gtk_find_clock_of_window(const void *window);

/* Reports the window's title if it has changed, and its number of widgets once per
 * second. Call this function after a frame of the clock is recorded. */
void dj_gtk_report_window(struct dj_gtk_clock *clock, int64_t now_ns);

/* Hooks the signals of windows that appear and disappear. */
void dj_gtk_watch_windows(void);

/* Hooks the signal of input events. */
void dj_gtk_watch_input(void);

/* Stamps the input stages of the calling thread's frame, which began at start_ns.
 * GDK's own phases of the frame begin at now_ns. */
void dj_gtk_stamp_input(const struct dj_gtk_clock *clock, int64_t start_ns,
                        int64_t now_ns);

#endif
