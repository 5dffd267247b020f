/* Writes perfetto's trace configuration. It contains only fields that the device's
 * release knows. */
#ifndef DEJANK_CAPTURE_ANDROID_PERFETTO_CONFIG_H
#define DEJANK_CAPTURE_ANDROID_PERFETTO_CONFIG_H

#include "capture/android/atrace.h"

/* First API level at which `perfetto --txt` reads a configuration as text. On older
 * devices perfetto reads only the binary form. */
enum { DJ_ANDROID_TEXT_CONFIG = 29 };

struct dj_android_config {
    int api;
    /* App whose sections are recorded, or NULL if no sections are recorded. */
    const char *app;
    const struct dj_atrace_categories *categories;
    int64_t ring_kb; /* Size of the ring in KiB. Must be greater than 0. */
    /* Time after which perfetto ends by itself. Must be greater than 0. */
    int64_t duration_ms;
    /* Maximum size of a file that perfetto writes during the capture. If 0, perfetto
     * keeps the newest events in a ring and writes the file at the end. */
    int64_t file_max_bytes;
};

/* Appends a TraceConfig, the configuration of perfetto. Writes text from API level
 * DJ_ANDROID_TEXT_CONFIG on, and the binary form before. */
void dj_android_config_write(const struct dj_android_config *config, struct dj_text *out);

#endif
