#include "trace/kernel/trace_dat.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/kernel/trace_dat_private.h"

static const char magic[] = "\x17\x08\x44tracing";
enum { MAGIC = sizeof(magic) - 1 };

enum option {
    OPTION_HEADER_INFO = 16,
    OPTION_EVENTS_OF_FTRACE = 17,
    OPTION_FORMATS = 18,
    OPTION_CMDLINES = 21
};

bool dj_trace_dat_sniff(const char *bytes, size_t length)
{
    return length >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

/* Opens the section at `offset`. If the section is compressed, unpacks it and sets *bytes
 * to the unpacked bytes, which the caller frees. Otherwise sets *bytes to NULL. */
static int open_section(struct dj_trace_dat *dat, uint64_t offset,
                        struct dj_byte_cursor *section, uint8_t **bytes)
{
    struct dj_byte_cursor at = dat->at;
    enum { PACKED = 1 };
    *bytes = NULL;
    at.at = offset < at.size ? (size_t)offset : at.size;
    dj_byte_cursor_read_number(&at, 2);
    uint64_t flags = dj_byte_cursor_read_number(&at, 2);
    dj_byte_cursor_read_number(&at, 4);
    struct dj_str body =
        dj_byte_cursor_read_bytes(&at, dj_byte_cursor_read_number(&at, 8));
    if (at.failed) {
        return dj_trace_dat_set_truncated(dat, &at, "a section");
    }
    *section = (struct dj_byte_cursor){(const uint8_t *)body.at, body.length, 0, false};
    if ((flags & PACKED) == 0) {
        return 0;
    }
    struct dj_str packed;
    size_t size;
    if (!dj_trace_dat_read_packed(section, &packed, &size)) {
        return dj_trace_dat_set_truncated(dat, &at, "a compressed section");
    }
    *bytes = dj_xresize(NULL, size, 1);
    *section = (struct dj_byte_cursor){*bytes, size, 0, false};
    return dj_trace_dat_unpack(dat->compression, packed, *bytes, size, dat->err);
}

static int read_section(struct dj_trace_dat *dat, struct dj_byte_cursor *option,
                        int (*read)(struct dj_trace_dat *dat, struct dj_byte_cursor *at))
{
    struct dj_byte_cursor section = {0};
    uint8_t *bytes;
    int code = open_section(dat, dj_byte_cursor_read_number(option, 8), &section, &bytes);
    code = code != 0 ? code : read(dat, &section);
    free(bytes);
    return code;
}

/* Reads a buffer. trace-cmd writes one buffer for each tracing instance. Only the first
 * buffer that contains events is read. Further buffers with events are counted in
 * summary->unread. */
static int read_buffer(struct dj_trace_dat *dat, struct dj_byte_cursor *option)
{
    dj_byte_cursor_read_number(option, 8);
    dj_byte_cursor_read_string(option);
    struct dj_str clock = dj_byte_cursor_read_string(option);
    uint64_t page_size = dj_byte_cursor_read_number(option, 4);
    uint64_t cpus = dj_byte_cursor_read_number(option, 4);
    if (dat->has_events) {
        dat->summary->unread += dj_trace_dat_has_events(*option, cpus, 4);
        return 0;
    }
    dj_trace_dat_clock_set_names(&dat->clock, clock);
    if (page_size > dat->kernel.layout.data_offset + 64 && page_size <= 1 << 24) {
        dat->kernel.layout.page_size = (uint32_t)page_size;
    }
    int code = 0;
    for (uint64_t i = 0; i < cpus && code == 0; i++) {
        uint64_t cpu = dj_byte_cursor_read_number(option, 4);
        uint64_t offset = dj_byte_cursor_read_number(option, 8);
        uint64_t size = dj_byte_cursor_read_number(option, 8);
        code = option->failed
                   ? dj_trace_dat_set_truncated(dat, &dat->at, "the list of CPUs")
                   : dj_trace_dat_add_cpu(dat, (int32_t)(cpu & INT32_MAX), offset, size,
                                          !dj_str_is(dat->compression, "none"));
    }
    return code;
}

/* The options of version 7, in the order in which they must be read. The file may contain
 * them in any order. */
static const struct {
    uint16_t id;
    /* Function that reads the section of the option. NULL for a buffer, which has a
     * function of its own. */
    int (*read)(struct dj_trace_dat *dat, struct dj_byte_cursor *section);
} options_of_7[] = {
    {OPTION_HEADER_INFO, dj_trace_dat_read_header_info},
    {OPTION_EVENTS_OF_FTRACE, dj_trace_dat_read_formats},
    {OPTION_FORMATS, dj_trace_dat_read_systems},
    {OPTION_CMDLINES, dj_trace_dat_read_names},
    {DJ_DAT_OPTION_BUFFER, NULL},
};

/* Reads all options of one kind in the options section at `offset`. `kind` is an index in
 * options_of_7. Sets *next to the offset of the next options section, or to 0 after the
 * last one. */
static int read_options(struct dj_trace_dat *dat, uint64_t offset, size_t kind,
                        uint64_t *next)
{
    struct dj_byte_cursor section = {0};
    uint8_t *bytes;
    int code = open_section(dat, offset, &section, &bytes);
    *next = 0;
    while (code == 0 && section.at < section.size) {
        uint64_t id = dj_byte_cursor_read_number(&section, 2);
        struct dj_str data =
            dj_byte_cursor_read_bytes(&section, dj_byte_cursor_read_number(&section, 4));
        struct dj_byte_cursor option = {(const uint8_t *)data.at, data.length, 0, false};
        if (section.failed) {
            code = dj_trace_dat_set_truncated(dat, &dat->at, "the list of options");
        } else if (id == DJ_DAT_OPTION_DONE) {
            *next = data.length >= 8 ? dj_byte_cursor_read_number(&option, 8) : 0;
            break;
        }
        if (kind == 0 && code == 0) {
            dj_trace_dat_clock_read_option(&dat->clock, id, data);
        }
        if (code == 0 && id == options_of_7[kind].id) {
            code = options_of_7[kind].read != NULL
                       ? read_section(dat, &option, options_of_7[kind].read)
                       : read_buffer(dat, &option);
        }
    }
    free(bytes);
    return code;
}

static int read_7(struct dj_trace_dat *dat)
{
    enum { KINDS = COUNT_OF(options_of_7), MOST_SECTIONS = 1000 };
    dat->compression = dj_byte_cursor_read_string(&dat->at);
    dj_byte_cursor_read_string(&dat->at);
    uint64_t first = dj_byte_cursor_read_number(&dat->at, 8);
    int code = dat->at.failed ? dj_trace_dat_set_truncated(dat, &dat->at, "the head") : 0;
    for (size_t kind = 0; kind < KINDS && code == 0; kind++) {
        uint64_t offset = first;
        for (int i = 0; i < MOST_SECTIONS && offset != 0 && code == 0; i++) {
            uint64_t next;
            code = read_options(dat, offset, kind, &next);
            offset = next;
        }
    }
    if (code == 0 && dat->kernel.layout.page_size == 0) {
        code = dj_error_set(dat->err, DJ_E_INVALID,
                            "not a complete trace.dat: the section with header_page, the "
                            "layout of the kernel's pages, is missing");
    }
    return code != 0 ? code : dj_trace_dat_read_events(dat);
}

int dj_trace_dat_read(const struct dj_trace_file *file, struct dj_event_sink sink,
                      struct dj_trace_ring_summary *summary, struct dj_error *err)
{
    struct dj_trace_dat dat = {.at = {file->bytes, file->size, MAGIC, false},
                               .sink = sink,
                               .mapped = file->mapped,
                               .summary = summary,
                               .err = err};
    if (!dj_trace_dat_sniff((const char *)file->bytes, file->size)) {
        return dj_error_set_at(err, DJ_E_INVALID, 0,
                               "byte 0: expected the magic bytes of trace.dat");
    }
    struct dj_str version = dj_byte_cursor_read_string(&dat.at);
    uint64_t big_endian = dj_byte_cursor_read_number(&dat.at, 1);
    dj_byte_cursor_read_number(&dat.at, 1);
    dat.page_size = (uint32_t)dj_byte_cursor_read_number(&dat.at, 4);
    int code = dat.at.failed ? dj_trace_dat_set_truncated(&dat, &dat.at, "the head") : 0;
    if (code == 0 && big_endian != 0) {
        code = dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "the trace is from a big-endian machine, which dejank cannot read");
    }
    if (code == 0) {
        code = dj_str_is(version, "6") ? dj_trace_dat_read_6(&dat)
               : dj_str_is(version, "7")
                   ? read_7(&dat)
                   : dj_error_set(err, DJ_E_VERSION,
                                  "trace.dat has version %.*s, but dejank reads only "
                                  "versions 6 and 7",
                                  (int)(version.length & 15), version.at);
    }
    dj_trace_kernel_finish(&dat.kernel);
    free(dat.pages);
    return code;
}
