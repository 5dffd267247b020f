/* The parts of the Wayland source: connections, the compositor's feedback on each
 * frame, outputs, and names of windows. */
#ifndef DEJANK_HOOKS_WAYLAND_CONNECTION_H
#define DEJANK_HOOKS_WAYLAND_CONNECTION_H

#include <stdint.h>
#include <time.h>

#include "hooks/wayland/abi.h"
#include "recorder/recorder.h"

/* Requests feedback on the surface. Call it inside a frame of the calling thread,
 * before the surface is committed. `presentation` is the connection's wp_presentation,
 * `clock` the clock of its times. */
void dj_wayland_feedback_request(const struct dj_wayland *wayland, void *presentation,
                                 clockid_t clock, void *surface);

/* Ends the thread's frame: the requested feedback is about this frame. */
void dj_wayland_feedback_frame_ended(const struct dj_recorded_frame *recorded);

/* The connection of this wp_presentation closes: its requests will never be answered. */
void dj_wayland_feedback_forget(const struct dj_wayland *wayland,
                                const void *presentation);

/* Returns whether any feedback has contained the refresh interval. */
bool dj_wayland_feedback_has_refresh(void);

/* The outputs of a connection, if feedback has no refresh interval. */
enum { DJ_OUTPUTS = 8 };
struct dj_outputs {
    struct dj_output {
        void *proxy;         /* NULL: free */
        uint32_t name;       /* of the global */
        int64_t interval_ns; /* 0: unknown */
    } output[DJ_OUTPUTS];
    bool more; /* there are more than fit */
};

/* Handle an added or removed global: requests the mode of an output, or removes the
 * output. */
void dj_wayland_outputs_add(struct dj_outputs *outputs, const struct dj_wayland *wayland,
                            void *registry, uint32_t name);
void dj_wayland_outputs_remove(struct dj_outputs *outputs,
                               const struct dj_wayland *wayland, uint32_t name);
void dj_wayland_outputs_forget(struct dj_outputs *outputs,
                               const struct dj_wayland *wayland);

/* Returns the interval that all outputs have, or 0 if they differ or it is unknown. */
int64_t dj_wayland_outputs_interval_ns(const struct dj_outputs *outputs);

/* Returns the window number of a wl_surface for titles.h. Never 0. */
uint64_t dj_wayland_window(uint32_t connection, uint32_t surface);

struct dj_wayland_request {
    const char *class_name; /* of the proxy */
    void *proxy;
    uint32_t opcode;
    const union wl_argument *arguments;
};

/* Call this before the app sends a request, because a request may set the title of a
 * window. */
void dj_wayland_names(const struct dj_wayland_request *request);

/* Call this after a request made an object: it may be a role of a surface. */
void dj_wayland_made(const struct dj_wayland *wayland, uint32_t connection,
                     const struct dj_wayland_request *request, const void *made);

#endif
