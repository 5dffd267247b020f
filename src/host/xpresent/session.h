/* Defines the state of a recording from outside: the windows of the X server, and the
 * processes that created them. */
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
    bool is_selected; /* True if options->pid or options->all selects the process. */
    /* True if the frames of the process cannot be written. A message has reported the
     * reason. */
    bool is_refused;
    /* Writer of the process's segment. It has no file before the first frame. */
    struct dj_segment_writer writer;
    uint64_t shown, skipped;
    int64_t found_ns; /* Time at which the first window of the process was found. */
    bool is_silence_checked;
};

enum dj_xpresent_match {
    DJ_XPRESENT_UNCHECKED,
    DJ_XPRESENT_MATCHES,
    DJ_XPRESENT_DIFFERS
};

struct dj_xpresent_window {
    /* Ids of the window and of its parent. The parent of a root window is 0. */
    xcb_window_t id, parent;
    /* Process that created the window. NULL if unknown, as for root windows. */
    struct dj_xpresent_process *process;
    char *title; /* Title that the window itself has, or "". */
    /* Whether the title or the id of the window matches options->window. */
    enum dj_xpresent_match match;
    struct dj_xpresent_refresh refresh;
    /* Frame interval that was written to the window's segment, or 0. */
    int64_t interval_ns;
    int64_t last_ns; /* Time of the window's newest row. */
};

/* Maximum number of windows. Further windows are not recorded. */
enum { DJ_XPRESENT_WINDOWS_MAX = 8192 };

struct dj_xpresent_session {
    const struct dj_xpresent_options *options;
    struct dj_segment_directory place;
    struct dj_xpresent_display display;
    struct dj_xpresent_window *windows;
    size_t window_count;
    struct dj_xpresent_process **processes;
    size_t process_count;
    bool has_matched; /* True after a window has matched options->window. */
};

/* Adds all windows of the X server. */
void dj_xpresent_windows_scan(struct dj_xpresent_session *session);
void dj_xpresent_windows_finish(struct dj_xpresent_session *session);
struct dj_xpresent_window *
dj_xpresent_windows_find(const struct dj_xpresent_session *session, xcb_window_t id);
/* Handles a window that was created, destroyed or moved to another parent, or that has a
 * new title. Ignores other events. */
void dj_xpresent_windows_handle(struct dj_xpresent_session *session,
                                const xcb_generic_event_t *event);

/* Appends the title of the window. If it has none, appends the title of the nearest
 * parent that has one. If there is no such parent, appends the number of the window. */
void dj_xpresent_titles_append(const struct dj_xpresent_session *session,
                               const struct dj_xpresent_window *window,
                               struct dj_text *title);
/* Returns whether the options select the window for recording. */
bool dj_xpresent_titles_is_selected(struct dj_xpresent_session *session,
                                    struct dj_xpresent_window *window);
/* Reads the title of a window again. Updates the titles in the segments. */
void dj_xpresent_titles_update(struct dj_xpresent_session *session,
                               struct dj_xpresent_window *window);
/* Returns the number of windows that have a title of their own and match
 * options->window. */
size_t dj_xpresent_titles_count_matches(struct dj_xpresent_session *session);

/* Returns the process, and adds it if it is new. Returns NULL if the process has
 * ended. */
struct dj_xpresent_process *dj_xpresent_processes_get(struct dj_xpresent_session *session,
                                                      int64_t pid);
/* Creates the segment of the process if it does not exist. Returns false if that is
 * impossible. The first failure sends a message. */
bool dj_xpresent_processes_open(struct dj_xpresent_session *session,
                                struct dj_xpresent_process *process);
void dj_xpresent_processes_finish(struct dj_xpresent_session *session);

/* Writes a report of X Present as a row. Ignores other events. */
void dj_xpresent_presents_handle(struct dj_xpresent_session *session,
                                 const xcb_generic_event_t *event);

#endif
