/* The parts of the Wayland source: connections (wayland.c), what the compositor says of
 * each frame (wayland_feedback.c), names of windows (wayland_titles.c). */
#ifndef DEJANK_HOOKS_WAYLAND_H
#define DEJANK_HOOKS_WAYLAND_H

#include <stdint.h>
#include <time.h>

#include "hooks/wayland_abi.h"
#include "recorder/recorder.h"

/* When the surface is committed within a frame of the calling thread, and before that:
 * asks for feedback on it. `presentation` is the connection's wp_presentation, `clock`
 * the one it tells its times in. */
void dj_feedback_ask(const struct dj_wayland *wayland, void *presentation,
                     clockid_t clock, void *surface);

/* The thread's frame ended: the feedback asked for is about this one. */
void dj_feedback_frame_ended(const struct dj_recorded *recorded);

/* The connection of this wp_presentation closes: what was asked is never answered. */
void dj_feedback_forget(const struct dj_wayland *wayland, const void *presentation);

/* True once any feedback told how often the display shows a frame. */
bool dj_feedback_tells_refresh(void);

/* The outputs of a connection, for where feedback does not tell that. */
enum { DJ_OUTPUTS = 8 };
struct dj_outputs {
    struct dj_output {
        void *proxy;         /* NULL: free */
        uint32_t name;       /* of the global */
        int64_t interval_ns; /* 0: not told */
    } output[DJ_OUTPUTS];
    bool more; /* than there is room for */
};

/* A global came or went: an output is asked for its mode, or forgotten. */
void dj_outputs_came(struct dj_outputs *outputs, const struct dj_wayland *wayland,
                     void *registry, uint32_t name);
void dj_outputs_went(struct dj_outputs *outputs, const struct dj_wayland *wayland,
                     uint32_t name);
void dj_outputs_forget(struct dj_outputs *outputs, const struct dj_wayland *wayland);

/* What all outputs have in common; 0 where they differ or do not tell. */
int64_t dj_outputs_interval_ns(const struct dj_outputs *outputs);

/* A wl_surface of a connection, as titles.h numbers windows. Never 0. */
uint64_t dj_wayland_window(uint32_t connection, uint32_t surface);

struct dj_wayland_request {
    const char *class_name; /* of the proxy */
    void *proxy;
    uint32_t opcode;
    const union wl_argument *arguments;
};

/* A request is about to be made: it may give a window its name. */
void dj_wayland_names(const struct dj_wayland_request *request);

/* A request has made an object: it may be a role of a surface. */
void dj_wayland_made(const struct dj_wayland *wayland, uint32_t connection,
                     const struct dj_wayland_request *request, const void *made);

#endif
