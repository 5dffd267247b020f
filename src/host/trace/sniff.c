#include "trace/sniff.h"

#include <stdint.h>
#include <string.h>

#include "device/quote.h"
#include "gfxinfo/parse.h"
#include "segment/layout.h"
#include "segment/sections_reader.h"
#include "trace/kernel/raw_pages.h"
#include "trace/kernel/trace_dat.h"
#include "trace/perf/report_sample.h"
#include "trace/perf/script_line.h"
#include "trace/perf_data/file.h"
#include "trace/perfetto/read.h"
#include "trace/text/line.h"
#include "trace/text/numbers.h"

/* Texts that occur in trace formats that dejank reads, but never in a gfxinfo dump. */
static const char *const trace_words[] = {
    "# tracer:",           "tracing_mark_write:", "sched_switch:",
    "sched_wakeup:",       "\"traceEvents\"",     "systemTraceEvents",
    "trace-viewer",        "\"trace-data\"",      "trace_event_clock_sync",
    "tr-ui-timeline-view", "id=\"viewer-data\"",  "var linuxPerfData",
};

static bool has_words(const char *bytes, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(trace_words); i++) {
        if (memmem(bytes, length, trace_words[i], strlen(trace_words[i])) != NULL) {
            return true;
        }
    }
    return false;
}

/* Returns true if one of the first lines contains a kernel event or a sample of perf. */
static bool has_event(const char *bytes, size_t length)
{
    enum { LINES = 200 };
    const char *end = bytes + length;
    const char *at = bytes;
    for (int i = 0; i < LINES && at < end; i++) {
        struct dj_event event;
        struct dj_perf_head head;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *after = newline != NULL ? newline : end;
        struct dj_str line = dj_line_slice(at, after);
        enum dj_text_line kind = dj_text_line_read(line, &event);
        if (kind == DJ_LINE_EVENT || kind == DJ_LINE_COUNTED ||
            dj_str_begins(line, "TRACE:") ||
            (kind == DJ_LINE_STRANGE && dj_perf_script_read_head(line, &head))) {
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
    return dj_trace_dat_sniff(bytes, length) || dj_report_sample_sniff(bytes, length) ||
           dj_perf_data_sniff(bytes, length) ||
           dj_perfetto_sniff(first, length, length == file_bytes) ||
           dj_segment_sections_sniff(bytes, length) ||
           (length >= 8 && memcmp(bytes, DJ_SEGMENT_MAGIC, 8) == 0) ||
           (file_bytes > 0 && dj_raw_pages_sniff(first, length, file_bytes)) ||
           dj_trace_sniff_text(bytes, length);
}

const char dj_trace_gfxinfo_description[] = "this is the output of dumpsys gfxinfo";

static bool is_gfxinfo(const char *bytes, size_t length)
{
    struct dj_dump dump = {0};
    bool seen = dj_gfxinfo_parse_dump(bytes, length, &dump, NULL, NULL) == 0;
    dj_gfxinfo_dump_finish(&dump);
    return seen;
}

static int refuse_gfxinfo(const char *name, struct dj_error *err)
{
    struct dj_text word = {0};
    dj_device_quote_word(&word, strcmp(name, "standard input") == 0 ? "-" : name);
    int code = dj_error_set_at(err, DJ_E_INVALID, 0,
                               "%s: byte 0: %s, not a trace; run: dejank parse %s", name,
                               dj_trace_gfxinfo_description, dj_text_get(&word));
    dj_text_finish(&word);
    return code;
}

static const char program_description[] = "this is a program";

static int refuse_program(const char *name, struct dj_error *err)
{
    struct dj_text word = {0};
    if (strcmp(name, "standard input") == 0) {
        return dj_error_set_at(err, DJ_E_INVALID, 0, "%s: byte 0: %s, not a trace", name,
                               program_description);
    }
    dj_text_add(&word, strchr(name, '/') == NULL ? "./" : "");
    dj_device_quote_word(&word, name);
    int code = dj_error_set_at(err, DJ_E_INVALID, 0,
                               "%s: byte 0: %s, not a trace. hint: 'dejank trace capture "
                               "-o trace.pftrace -- %s' captures one; batch:NAME means a "
                               "batch of the store with the same name",
                               name, program_description, dj_text_get(&word));
    dj_text_finish(&word);
    return code;
}

/* Returns true if the text has the functions of stacks as perf script prints them. */
static bool has_perf_stack(const char *bytes, size_t length)
{
    enum { LINES = 200, ADDRESS_LEAST = 0x1000 };
    struct dj_str rest = {bytes, length};
    for (int i = 0; i < LINES && rest.length > 0; i++) {
        bool is_indented = rest.at[0] == ' ' || rest.at[0] == '\t';
        struct dj_perf_frame frame;
        struct dj_str line;
        dj_str_next_line(&rest, &line);
        if (is_indented && dj_perf_script_read_frame(line, &frame) &&
            frame.address >= ADDRESS_LEAST && frame.module.length > 0) {
            return true;
        }
    }
    return false;
}

const char *dj_trace_describe_other_file(const char *bytes, size_t length)
{
    static const char json[] =
        "this is JSON without Chrome's trace events (traceEvents) and without the "
        "kernel's trace text (systemTraceEvents); ";
    static const struct {
        const char *begin, *description;
    } kinds[] = {
        {"{", json},
        {"[", json},
        {"\xc1\x1f\xfc\xc1", "this is a CTF trace (LTTng), which dejank cannot read; "},
        {"# tracer:", "this is the kernel's trace text, but no line contains an event "
                      "with thread, CPU and time (the kernel's options raw, hex, bin, "
                      "nocontext-info and latency-format omit them); "},
    };
    if (length == 0) {
        return "the file is empty; ";
    }
    if (is_gfxinfo(bytes, length)) {
        return dj_trace_gfxinfo_description;
    }
    while (length > 0 && strchr(" \t\r\n", *bytes) != NULL && *bytes != '\0') {
        bytes++;
        length--;
    }
    if (length >= 4 && memcmp(bytes, "\177ELF", 4) == 0) {
        return program_description;
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t begin = strlen(kinds[i].begin);
        if (length >= begin && memcmp(bytes, kinds[i].begin, begin) == 0) {
            return kinds[i].description;
        }
    }
    return has_perf_stack(bytes, length)
               ? "this is text of perf script without times ('perf script -F +time' "
                 "prints them); "
               : "";
}

int dj_trace_refuse_other_file(const char *name, const char *description,
                               struct dj_error *err)
{
    if (description == dj_trace_gfxinfo_description) {
        return refuse_gfxinfo(name, err);
    }
    if (description == program_description) {
        return refuse_program(name, err);
    }
    return dj_error_set_at(
        err, DJ_E_INVALID, 0,
        "%s: byte 0: %sexpected a trace: ftrace text, systrace HTML, Chrome's JSON, text "
        "of perf script, perf.data, trace.dat, simpleperf's report-sample, a Perfetto "
        "trace, ring-buffer pages of a CPU, or a recording of dejank (the first eight "
        "may be inside gzip, zstd, xz, zip or tar)",
        name, description);
}
