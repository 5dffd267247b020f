/* The output of `dejank top --json`: events of schema dejank.live/1. */
#ifndef DEJANK_TOP_EVENTS_H
#define DEJANK_TOP_EVENTS_H

#include "top/views.h"

/* What was already printed about one app. */
struct dj_top_printed {
    const struct dj_live *live;
    struct dj_live_viewer viewer;
    int64_t second_ns; /* Host time of the next event "second". */
    enum dj_live_state state;
    int64_t pid;
    unsigned restarts;
};

/* The state of the printed events. Zero the struct before use. */
struct dj_top_events {
    struct dj_top_printed *printed; /* One element for each app. Owned by this struct. */
    size_t count;
};

/* Appends the new events of all views. */
void dj_top_events_append(struct dj_top_events *events, struct dj_text *text,
                          const struct dj_top_views *views);
void dj_top_events_finish(struct dj_top_events *events);

#endif
