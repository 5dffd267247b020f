/*
 * xpresent: records the frames of running X clients from outside their processes. The X
 * server reports each picture that a client presents with the X Present extension to any
 * client that asks for it. Nothing is loaded into the recorded program, so this also
 * works for programs in a sandbox, setuid programs and programs that run already.
 *
 * Of each frame only the time at which the display showed it is known. The frames are
 * written to segments like those of the recorder (segment/writer.h), one for each
 * process.
 *
 * The module prints nothing and starts no thread. All times are ns of CLOCK_MONOTONIC.
 */
#ifndef DEJANK_XPRESENT_XPRESENT_H
#define DEJANK_XPRESENT_XPRESENT_H

#include "base/error.h"
#include "base/messages.h"
#include "frame/dialect.h"
#include "process/deadline.h"
#include "segment/directory.h"

/* What to record. Exactly one of `pid`, `window` and `all` is set. */
struct dj_xpresent_options {
    int64_t pid; /* This process and its child processes, or 0. */
    /* Windows with this text in their title, in any case, or with this number ("0x…"), or
     * NULL. */
    const char *window;
    bool all;         /* All windows of the X server. */
    const char *name; /* Name of the process in dumpsys, or NULL for its program's. */
    const struct dj_dialect *dialect;
    int64_t interval_ns; /* Display interval, or 0 to find it in the server's reports. */
    uint32_t keep;       /* Rows per window, as in struct dj_segment_options. */
    enum dj_retention retention;
    int64_t run_ns; /* Number of the run in its segments. */
    int64_t end_ns; /* Time at which to stop, or INT64_MAX. */
    const struct dj_interrupt_request *interrupt; /* A request to stop. May be NULL. */
    const struct dj_messages *messages;
};

/*
 * Records until options->end_ns, until a request to stop, or until the process or the
 * last window is gone. Sends messages about what is recorded and what cannot be, and at
 * the end a summary for each process. A request to stop is no error.
 *
 * Returns DJ_E_NOT_FOUND if no X server answers, or if there is no such process or
 * window; DJ_E_UNSUPPORTED if the server lacks an extension; DJ_E_GONE if the server
 * ended; DJ_E_NO_DATA if no frame was seen; or an error of the directory of segments.
 */
int dj_xpresent_record(const struct dj_xpresent_options *options, struct dj_error *err);

#endif
