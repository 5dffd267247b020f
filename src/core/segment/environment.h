/* Environment variables by which `dejank record` passes parameters to the recorder in
 * the process that it starts. All of them are optional. */
#ifndef DEJANK_SEGMENT_ENVIRONMENT_H
#define DEJANK_SEGMENT_ENVIRONMENT_H

/* Process name for dumpsys. Default: name of the program. */
#define DJ_ENV_NAME "DEJANK_NAME"
/* Id of the process that is named DEJANK_NAME. Processes that it starts are named
 * NAME:PROGRAM. */
#define DJ_ENV_ROOT_PID "DEJANK_ROOT_PID"
/* Start of `dejank record` in ns of CLOCK_MONOTONIC. */
#define DJ_ENV_RUN_NS "DEJANK_RUN_NS"
/* Dialect. Default: dj_frame_dialect_default(). */
#define DJ_ENV_RELEASE "DEJANK_RELEASE"
/* Frame interval in ns. Default: 60 Hz, assumed. */
#define DJ_ENV_INTERVAL_NS "DEJANK_INTERVAL_NS"
/* Version of the app, for graphicsstats. */
#define DJ_ENV_APP_VERSION "DEJANK_APP_VERSION"
/* Number of rows per window. */
#define DJ_ENV_KEEP "DEJANK_KEEP"
/* Set to "1" if the simple dump is on from the start. */
#define DJ_ENV_PROFILE "DEJANK_PROFILE"
/* A value of enum dj_retention as a number. Default: 0. */
#define DJ_ENV_RETENTION "DEJANK_RETENTION"
/* Slots per thread that uses sections, or "off". */
#define DJ_ENV_SECTIONS "DEJANK_SECTIONS"
/* Path to which sections are also written, or "1" for tracefs. */
#define DJ_ENV_TRACE_MARKER "DEJANK_TRACE_MARKER"

#endif
