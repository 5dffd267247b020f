/* The frames of running apps, as events for programs (docs/format/live.md) and as text
 * for a terminal. */
#ifndef DEJANK_REPORT_LIVE_H
#define DEJANK_REPORT_LIVE_H

#include "live/live.h"
#include "report/document.h"

/* ---- events: JSON with schema dejank.live/1, one object per line ---- */

/* How far a viewer has received the frames. A viewer that is all zero receives all frames
 * that are kept. A viewer that reconnects sets `sequence` to that of its last event. */
struct dj_live_viewer {
    uint64_t sequence;  /* Sequence of the last frame that it received. */
    bool was_told_lost; /* Whether it received that frames after `sequence` are lost. */
};

/* Appends the next event about frames that the viewer has not received: "frames" with
 * frames of one window, at most DJ_LIVE_EVENT_FRAMES, or "lost". Returns false and
 * appends nothing if there is none. */
enum { DJ_LIVE_EVENT_FRAMES = 128 };
bool dj_report_live_next_event(struct dj_text *text, const struct dj_live *live,
                               struct dj_live_viewer *viewer);

/* Appends an event "state". */
void dj_report_live_state_event(struct dj_text *text, const struct dj_live *live);

/* Appends an event "second": the figures of the last 10 s and since the start. Returns
 * DJ_E_NO_MEMORY if there is no memory. */
int dj_report_live_second_event(struct dj_text *text, const struct dj_live *live,
                                struct dj_error *err);

#endif
