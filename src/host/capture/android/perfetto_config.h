/* Writes perfetto's trace configuration. It contains only fields that the device's
 * release knows. */
#ifndef DEJANK_CAPTURE_ANDROID_PERFETTO_CONFIG_H
#define DEJANK_CAPTURE_ANDROID_PERFETTO_CONFIG_H

#include "capture/android/atrace.h"

/* First API level at which `perfetto --txt` reads the text form. Before, perfetto
 * reads only the binary form. */
enum { DJ_ANDROID_TEXT_CONFIG = 29 };

struct dj_android_config {
    int api;
    const char *app; /* App whose sections are recorded, or NULL. */
    const struct dj_atrace_categories *categories;
    int64_t ring_kb;     /* Greater than 0. */
    int64_t duration_ms; /* Time after which perfetto ends by itself. Greater than
                          * 0. */
    /* If greater than 0, perfetto writes the file during the capture, up to this size.
     * If 0, the ring keeps the newest events and is written at the end. */
    int64_t file_max_bytes;
};

/* Appends a TraceConfig. It is text from API level DJ_ANDROID_TEXT_CONFIG on, and
 * binary before. */
void dj_android_config_write(const struct dj_android_config *config, struct dj_text *out);

#endif
