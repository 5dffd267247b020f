/* What a recording from outside knows: the windows of the X server, and the processes
 * that created them. */
#ifndef DEJANK_XPRESENT_SESSION_H
#define DEJANK_XPRESENT_SESSION_H

#include "segment/writer.h"
#include "xpresent/display.h"
#include "xpresent/refresh.h"
#include "xpresent/xpresent.h"

struct dj_xpresent_process {
    int64_t pid;
    uint64_t start_ticks;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    bool is_selected; /* Whether options->pid or options->all selects the process. */
    bool is_refused;  /* Whether its frames cannot be written. A message said why. */
    struct dj_segment_writer writer; /* Without a file until its first frame. */
    uint64_t shown, skipped;
    int64_t found_ns; /* When its first window was found. */
    bool is_silence_checked;
};

enum dj_xpresent_match {
    DJ_XPRESENT_UNCHECKED,
    DJ_XPRESENT_MATCHES,
    DJ_XPRESENT_DIFFERS
};

struct dj_xpresent_window {
    xcb_window_t id, parent;             /* The parent of a root window is 0. */
    struct dj_xpresent_process *process; /* NULL if unknown, as for root windows. */
    char *title;                         /* Its own title, or "". */
    enum dj_xpresent_match match;        /* Whether it is one of options->window. */
    struct dj_xpresent_refresh refresh;
    int64_t interval_ns; /* The interval that its segment has, or 0. */
    int64_t last_ns;     /* The time of its newest row. */
};

/* Windows beyond this number are not recorded. */
enum { DJ_XPRESENT_WINDOWS_MAX = 8192 };

struct dj_xpresent_session {
    const struct dj_xpresent_options *options;
    struct dj_segment_directory place;
    struct dj_xpresent_display display;
    struct dj_xpresent_window *windows;
    size_t window_count;
    struct dj_xpresent_process **processes;
    size_t process_count;
    bool has_matched; /* Whether a window has matched options->window. */
};

/* ---- windows.c ---- */

/* Adds all windows of the X server. */
void dj_xpresent_windows_scan(struct dj_xpresent_session *session);
void dj_xpresent_windows_finish(struct dj_xpresent_session *session);
struct dj_xpresent_window *
dj_xpresent_windows_find(const struct dj_xpresent_session *session, xcb_window_t id);
/* Handles a window that was created, destroyed or moved to another parent, or that has a
 * new title. Ignores other events. */
void dj_xpresent_windows_handle(struct dj_xpresent_session *session,
                                const xcb_generic_event_t *event);

/* ---- titles.c ---- */

/* Appends the title of the window, or of the nearest parent with a title, or the number
 * of the window. */
void dj_xpresent_titles_append(const struct dj_xpresent_session *session,
                               const struct dj_xpresent_window *window,
                               struct dj_text *title);
/* Returns whether the window is to be recorded. */
bool dj_xpresent_titles_is_selected(struct dj_xpresent_session *session,
                                    struct dj_xpresent_window *window);
/* Reads the title of a window again. Updates the titles in the segments. */
void dj_xpresent_titles_update(struct dj_xpresent_session *session,
                               struct dj_xpresent_window *window);
/* Returns the number of windows with a title of their own that options->window selects.
 */
size_t dj_xpresent_titles_count_matches(struct dj_xpresent_session *session);

/* ---- processes.c ---- */

/* Finds or adds the process. Returns NULL if it has ended. */
struct dj_xpresent_process *dj_xpresent_processes_get(struct dj_xpresent_session *session,
                                                      int64_t pid);
/* Creates the segment of the process unless it exists. Returns false, once with a
 * message, if that is impossible. */
bool dj_xpresent_processes_open(struct dj_xpresent_session *session,
                                struct dj_xpresent_process *process);
void dj_xpresent_processes_finish(struct dj_xpresent_session *session);

/* ---- presents.c ---- */

/* Writes the row of a report of X Present. Ignores other events. */
void dj_xpresent_presents_handle(struct dj_xpresent_session *session,
                                 const xcb_generic_event_t *event);

#endif
