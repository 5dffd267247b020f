/* The parts of the Wayland hooks: connections, the compositor's feedback on each
 * frame, outputs, and window titles. */
#ifndef DEJANK_HOOKS_WAYLAND_CONNECTION_H
#define DEJANK_HOOKS_WAYLAND_CONNECTION_H

#include <stdint.h>
#include <time.h>

#include "hooks/wayland/abi.h"
#include "recorder/recorder.h"

/* Requests feedback on the next commit of the surface. Call this function inside a frame
 * of the calling thread, before the commit. `presentation` is the connection's
 * wp_presentation object, and `clock` is the clock of its times. */
void dj_wayland_feedback_request(const struct dj_wayland *wayland, void *presentation,
                                 clockid_t clock, void *surface);

/* Assigns the feedback that was requested in this thread's frame to the recorded
 * frame. */
void dj_wayland_feedback_frame_ended(const struct dj_recorded_frame *recorded);

/* Drops the feedback of a connection that closes, because its requests will never be
 * answered. `presentation` is the connection's wp_presentation object. */
void dj_wayland_feedback_forget(const struct dj_wayland *wayland,
                                const void *presentation);

/* Returns true if at least one feedback of this process has contained the refresh
 * interval. */
bool dj_wayland_feedback_has_refresh(void);

/* Returns the wl_display of a proxy, or another address if libwayland has changed its
 * private struct. Only compare it with displays that were opened through the hook. */
const void *dj_wayland_get_display(const void *proxy);

/* Returns the number of a wl_surface's window for titles.h. Never 0. */
uint64_t dj_wayland_get_window(uint32_t connection, uint32_t surface);

struct dj_wayland_request {
    const char *class_name; /* Class of the proxy, such as "wl_surface". */
    void *proxy;
    uint32_t opcode;
    const union wl_argument *arguments;
};

/* Forgets an output that the request releases. Call this function before the app sends
 * the request. */
void dj_wayland_outputs_read_request(const struct dj_wayland_request *request);

/* Forgets the outputs of a connection that closes. */
void dj_wayland_outputs_forget(const void *display);

/* Returns the refresh interval that all outputs of the app have in common. Returns 0 if
 * the app has none, the intervals differ or one is unknown. */
int64_t dj_wayland_outputs_interval_ns(const void *display);

/* Stores the title if the request sets the title of a window. Call this function before
 * the app sends the request. */
void dj_wayland_read_title(const struct dj_wayland_request *request);

/* A commit of a shm buffer while the request is being sent. */
struct dj_wayland_image {
    /* Time at which the request began. 0 if the request presents no image. */
    int64_t begin_ns;
    uint64_t area;
};

/* Returns whether a request with this number may be one of the requests below. */
bool dj_wayland_shm_is_watched(uint32_t opcode);

/* Notes buffers and surfaces before the app sends the request. If the request is a commit
 * that presents a shm buffer, sets image->begin_ns. */
void dj_wayland_shm_begin_request(const struct dj_wayland_request *request,
                                  struct dj_wayland_image *image);

/* Notes the buffer if the request has made one in shared memory. */
void dj_wayland_shm_add_buffer(const struct dj_wayland_request *request,
                               const void *made);

/* Records the commit after it was sent. `window` is that of dj_wayland_get_window(). */
void dj_wayland_shm_end_commit(const struct dj_wayland_image *image, uint64_t window);

/* If the request has made an object that is a role of a surface (xdg_surface or
 * xdg_toplevel), stores the window to which the object belongs. Call this function after
 * the request. */
void dj_wayland_add_role(const struct dj_wayland *wayland, uint32_t connection,
                         const struct dj_wayland_request *request, const void *made);

#endif
