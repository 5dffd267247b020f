/* What perfetto is told to record, in the fields that the device's release knows. Of this
 * room only. */
#ifndef DEJANK_CAPTURE_ANDROID_CONFIG_H
#define DEJANK_CAPTURE_ANDROID_CONFIG_H

#include "capture/android_atrace.h"

/* `perfetto --txt` reads the text form since this API level; before it only bytes. */
enum { DJ_ANDROID_TEXT_CONFIG = 29 };

struct dj_android_config {
    int api;
    const char *app; /* whose own sections are recorded; NULL: nobody's */
    const struct dj_atrace_categories *categories;
    int64_t ring_kb;        /* > 0 */
    int64_t duration_ms;    /* > 0: it ends by itself then */
    int64_t file_max_bytes; /* > 0: it is written to its file while it goes on, up to so
                               much; 0: the ring holds what is newest, and is written at
                               the end */
};

/* Appends a TraceConfig: text from DJ_ANDROID_TEXT_CONFIG on, bytes before it. */
void dj_android_config_write(const struct dj_android_config *config, struct dj_text *out);

#endif
