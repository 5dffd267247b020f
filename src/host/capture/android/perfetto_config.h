/* Writes perfetto's trace configuration with the fields that the device's release
 * knows. */
#ifndef DEJANK_CAPTURE_ANDROID_PERFETTO_CONFIG_H
#define DEJANK_CAPTURE_ANDROID_PERFETTO_CONFIG_H

#include "capture/android/atrace.h"

/* `perfetto --txt` reads the text form from this API level on. Before, it reads only the
 * binary form. */
enum { DJ_ANDROID_TEXT_CONFIG = 29 };

struct dj_android_config {
    int api;
    const char *app; /* the app with recorded sections; NULL: none */
    const struct dj_atrace_categories *categories;
    int64_t ring_kb;        /* > 0 */
    int64_t duration_ms;    /* > 0: it ends by itself after this time */
    int64_t file_max_bytes; /* > 0: perfetto writes the file during the capture, up to
                             * this size; 0: the ring keeps the newest events and is
                             * written at the end */
};

/* Appends a TraceConfig: text from DJ_ANDROID_TEXT_CONFIG on, binary before. */
void dj_android_config_write(const struct dj_android_config *config, struct dj_text *out);

#endif
