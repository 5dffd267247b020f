/* The result of a capture as messages and as JSON. */
#ifndef DEJANK_REPORT_CAPTURE_H
#define DEJANK_REPORT_CAPTURE_H

#include "base/messages.h"
#include "capture/capture.h"

/* Sends a message with the contents of the written file. */
void dj_report_capture(const char *file, const struct dj_capture_result *result,
                       const struct dj_messages *messages);

/* Sends a message for each kind of data that the capture could not record. */
void dj_report_capture_limits(const struct dj_capture_result *result,
                              const struct dj_messages *messages);

/* Appends JSON with schema dejank.capture/1 (docs/format/capture.md). */
void dj_report_capture_json(struct dj_text *text, const char *file,
                            const struct dj_capture_result *result);

#endif
