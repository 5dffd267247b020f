/* Parameters that `dejank record` passes to the recorder in the environment of the
 * started process. All are optional. */
#ifndef DEJANK_SEGMENT_ENVIRONMENT_H
#define DEJANK_SEGMENT_ENVIRONMENT_H

#define DJ_ENV_NAME "DEJANK_NAME" /* process name for dumpsys; default: the program's */
#define DJ_ENV_ROOT_PID                                                                  \
    "DEJANK_ROOT_PID" /* process with the given name; others: NAME:PROGRAM */
#define DJ_ENV_RUN_NS "DEJANK_RUN_NS" /* start of `dejank record`, CLOCK_MONOTONIC */
#define DJ_ENV_RELEASE                                                                   \
    "DEJANK_RELEASE" /* dialect; default dj_frame_dialect_default()                      \
                      */
#define DJ_ENV_INTERVAL_NS                                                               \
    "DEJANK_INTERVAL_NS" /* frame interval; default 60 Hz, assumed */
#define DJ_ENV_APP_VERSION "DEJANK_APP_VERSION" /* of the app; for graphicsstats */
#define DJ_ENV_KEEP "DEJANK_KEEP"               /* rows per window */
#define DJ_ENV_PROFILE "DEJANK_PROFILE" /* "1": the simple dump is on from the start */
#define DJ_ENV_RETENTION "DEJANK_RETENTION" /* enum dj_retention; default 0 */
#define DJ_ENV_SECTIONS                                                                  \
    "DEJANK_SECTIONS" /* slots per thread that uses sections, or "off" */
#define DJ_ENV_TRACE_MARKER                                                              \
    "DEJANK_TRACE_MARKER" /* also write sections to this path; "1": tracefs */

#endif
