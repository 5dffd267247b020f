/* xpresent: records the frames of running X clients from outside their processes. A
 * client that presents a picture with the X Present extension makes the X server report
 * it to any client that requests such reports. Nothing is loaded into the recorded
 * program, so this also works for programs in a sandbox, setuid programs and programs
 * that already run.
 *
 * Only the time at which the display showed a frame is known. The frames are written to
 * segments, one for each process, as the recorder does (segment/writer.h).
 *
 * The module prints nothing and starts no thread. All times are ns of CLOCK_MONOTONIC. */
#ifndef DEJANK_XPRESENT_XPRESENT_H
#define DEJANK_XPRESENT_XPRESENT_H

#include "base/error.h"
#include "base/messages.h"
#include "frame/dialect.h"
#include "process/deadline.h"
#include "segment/directory.h"

/* Selects the windows to record. Set exactly one of `pid`, `window` and `all`. */
struct dj_xpresent_options {
    /* Id of a process: its windows and those of its child processes are recorded. Or
     * 0. */
    int64_t pid;
    /* Selects windows whose title contains this text, ignoring case, or the window with
     * this number ("0x…"). Or NULL. */
    const char *window;
    bool all; /* True to record all windows of the X server. */
    /* Name of the process in dumpsys, or NULL to use the name of its program. */
    const char *name;
    const struct dj_dialect *dialect;
    /* Display interval in ns, or 0 to compute it from the server's reports. */
    int64_t interval_ns;
    /* Number of rows that are kept per window, as in struct dj_segment_options. */
    uint32_t keep;
    enum dj_retention retention;
    int64_t run_ns; /* Number that identifies the run in its segments. */
    int64_t end_ns; /* Time at which the recording stops, or INT64_MAX. */
    /* Request to stop the recording. May be NULL. */
    const struct dj_interrupt_request *interrupt;
    const struct dj_messages *messages;
};

/* Records until options->end_ns, until a request to stop, or until the process or the
 * last window is gone. Sends messages about the windows that are recorded and about
 * problems, and finally a summary for each process. Returns 0 after a request to stop.
 *
 * Returns DJ_E_NOT_FOUND if no X server answers, or if the process or window does not
 * exist. Returns DJ_E_UNSUPPORTED if the server lacks an extension, DJ_E_GONE if the
 * server ended, and DJ_E_NO_DATA if no frame was seen. Other errors are those of the
 * directory of segments. */
int dj_xpresent_record(const struct dj_xpresent_options *options, struct dj_error *err);

#endif
