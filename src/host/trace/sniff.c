#include "trace/sniff.h"

#include <stdint.h>
#include <string.h>

#include "segment/layout.h"
#include "segment/sections_reader.h"
#include "trace/perfetto_read.h"
#include "trace/raw_files.h"
#include "trace/text_line.h"
#include "trace/trace_dat.h"

/* Words of the texts that dj_trace_read() reads, and of no dump. */
static const char *const words[] = {
    "# tracer:",           "tracing_mark_write:", "sched_switch:",
    "sched_wakeup:",       "\"traceEvents\"",     "systemTraceEvents",
    "trace-viewer",        "\"trace-data\"",      "trace_event_clock_sync",
    "tr-ui-timeline-view", "id=\"viewer-data\"",  "var linuxPerfData",
};

static bool has_words(const char *bytes, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (memmem(bytes, length, words[i], strlen(words[i])) != NULL) {
            return true;
        }
    }
    return false;
}

/* Whether one of the first lines is an event of the kernel. */
static bool has_event(const char *bytes, size_t length)
{
    enum { LINES = 200 };
    const char *end = bytes + length;
    const char *at = bytes;
    for (int i = 0; i < LINES && at < end; i++) {
        struct dj_event event;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *after = newline != NULL ? newline : end;
        struct dj_str line = {at, (size_t)(after - at)};
        enum dj_text_line kind = dj_text_line_read(line, &event);
        if (kind == DJ_LINE_EVENT || kind == DJ_LINE_COUNTED ||
            dj_str_begins(line, "TRACE:")) {
            return true;
        }
        at = after + 1;
    }
    return false;
}

bool dj_trace_sniff_text(const char *bytes, size_t length)
{
    return has_words(bytes, length) || has_event(bytes, length);
}

bool dj_trace_sniff(const char *bytes, size_t length, size_t file_bytes)
{
    const uint8_t *first = (const uint8_t *)bytes;
    return dj_trace_dat_sniff(bytes, length) ||
           dj_perfetto_sniff(first, length, length == file_bytes) ||
           dj_sections_sniff(bytes, length) ||
           (length >= 8 && memcmp(bytes, DJ_SEGMENT_MAGIC, 8) == 0) ||
           (file_bytes > 0 && dj_raw_files_sniff(first, length, file_bytes)) ||
           dj_trace_sniff_text(bytes, length);
}
