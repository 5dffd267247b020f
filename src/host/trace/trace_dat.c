#include "trace/trace_dat.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/trace_dat_parts.h"

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

/* ---- version 7: options refer to sections ---- */

/* Opens a section. Unpacks it if it is compressed: then the caller frees *bytes. */
static int open_section(struct dj_dat *dat, uint64_t offset, struct dj_cursor *section,
                        uint8_t **bytes)
{
    struct dj_cursor at = dat->at;
    enum { PACKED = 1 };
    *bytes = NULL;
    at.at = offset < at.size ? (size_t)offset : at.size;
    dj_cursor_number(&at, 2);
    uint64_t flags = dj_cursor_number(&at, 2);
    dj_cursor_number(&at, 4);
    struct dj_str body = dj_cursor_bytes(&at, dj_cursor_number(&at, 8));
    if (at.failed) {
        return dj_dat_broken(dat, &at, "a section");
    }
    *section = (struct dj_cursor){(const uint8_t *)body.at, body.length, 0, false};
    if ((flags & PACKED) == 0) {
        return 0;
    }
    struct dj_str packed;
    size_t size;
    if (!dj_packed_read(section, &packed, &size)) {
        return dj_dat_broken(dat, &at, "a compressed section");
    }
    *bytes = dj_xresize(NULL, size, 1);
    *section = (struct dj_cursor){*bytes, size, 0, false};
    return dj_unpack(dat->compression, packed, *bytes, size, dat->err);
}

static int read_section(struct dj_dat *dat, struct dj_cursor *option,
                        int (*read)(struct dj_dat *dat, struct dj_cursor *at))
{
    struct dj_cursor section = {0};
    uint8_t *bytes;
    int code = open_section(dat, dj_cursor_number(option, 8), &section, &bytes);
    code = code != 0 ? code : read(dat, &section);
    free(bytes);
    return code;
}

/* Reads the first buffer that has events. Other buffers belong to other instances and are
 * only counted. */
static int read_buffer(struct dj_dat *dat, struct dj_cursor *option)
{
    dj_cursor_number(option, 8);
    dj_cursor_string(option);
    struct dj_str clock = dj_cursor_string(option);
    uint64_t page_size = dj_cursor_number(option, 4);
    uint64_t cpus = dj_cursor_number(option, 4);
    if (dat->has_events) {
        dat->told->unread += dj_dat_has_events(*option, cpus, 4);
        return 0;
    }
    dj_dat_clock_of_buffer(&dat->clock, clock);
    if (page_size > dat->kernel.layout.data_offset + 64 && page_size <= 1 << 24) {
        dat->kernel.layout.page_size = (uint32_t)page_size;
    }
    int code = 0;
    for (uint64_t i = 0; i < cpus && code == 0; i++) {
        uint64_t cpu = dj_cursor_number(option, 4);
        uint64_t offset = dj_cursor_number(option, 8);
        uint64_t size = dj_cursor_number(option, 8);
        code = option->failed
                   ? dj_dat_broken(dat, &dat->at, "the list of CPUs")
                   : dj_dat_add_cpu(dat, (int32_t)(cpu & INT32_MAX), offset, size,
                                    !dj_str_is(dat->compression, "none"));
    }
    return code;
}

/* In reading order. The sections of a file have any order. */
static const struct {
    uint16_t id;
    int (*read)(struct dj_dat *dat, struct dj_cursor *section); /* NULL: a buffer */
} options_of_7[] = {
    {OPTION_HEADER_INFO, dj_dat_read_header_info},
    {OPTION_EVENTS_OF_FTRACE, dj_dat_read_formats},
    {OPTION_FORMATS, dj_dat_read_systems},
    {OPTION_CMDLINES, dj_dat_read_names},
    {DJ_DAT_OPTION_BUFFER, NULL},
};

/* Reads all options of one kind in one section of options. *next is the offset of the
 * next such section. */
static int read_options(struct dj_dat *dat, uint64_t offset, size_t kind, uint64_t *next)
{
    struct dj_cursor section = {0};
    uint8_t *bytes;
    int code = open_section(dat, offset, &section, &bytes);
    *next = 0;
    while (code == 0 && section.at < section.size) {
        uint64_t id = dj_cursor_number(&section, 2);
        struct dj_str data = dj_cursor_bytes(&section, dj_cursor_number(&section, 4));
        struct dj_cursor option = {(const uint8_t *)data.at, data.length, 0, false};
        if (section.failed) {
            code = dj_dat_broken(dat, &dat->at, "the list of options");
        } else if (id == DJ_DAT_OPTION_DONE) {
            *next = data.length >= 8 ? dj_cursor_number(&option, 8) : 0;
            break;
        }
        if (kind == 0 && code == 0) {
            dj_dat_clock_option(&dat->clock, id, data);
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

static int read_7(struct dj_dat *dat)
{
    enum { KINDS = COUNT_OF(options_of_7), MOST_SECTIONS = 1000 };
    dat->compression = dj_cursor_string(&dat->at);
    dj_cursor_string(&dat->at);
    uint64_t first = dj_cursor_number(&dat->at, 8);
    int code = dat->at.failed ? dj_dat_broken(dat, &dat->at, "the head") : 0;
    for (size_t kind = 0; kind < KINDS && code == 0; kind++) {
        uint64_t offset = first;
        for (int i = 0; i < MOST_SECTIONS && offset != 0 && code == 0; i++) {
            uint64_t next;
            code = read_options(dat, offset, kind, &next);
            offset = next;
        }
    }
    if (code == 0 && dat->kernel.layout.page_size == 0) {
        code = dj_error_set(dat->err, DJ_E_INVALID, "there is no header_page in it");
    }
    return code != 0 ? code : dj_dat_read_events(dat);
}

int dj_trace_dat_read(const struct dj_mapped *file, struct dj_event_sink sink,
                      struct dj_ring_told *told, struct dj_error *err)
{
    struct dj_dat dat = {.at = {file->bytes, file->size, MAGIC, false},
                         .sink = sink,
                         .mapped = file->mapped,
                         .told = told,
                         .err = err};
    if (!dj_trace_dat_sniff((const char *)file->bytes, file->size)) {
        return dj_error_set_at(err, DJ_E_INVALID, 0,
                               "byte 0: expected the magic of trace.dat");
    }
    struct dj_str version = dj_cursor_string(&dat.at);
    uint64_t big_endian = dj_cursor_number(&dat.at, 1);
    dj_cursor_number(&dat.at, 1);
    dat.page_size = (uint32_t)dj_cursor_number(&dat.at, 4);
    int code = dat.at.failed ? dj_dat_broken(&dat, &dat.at, "the head") : 0;
    if (code == 0 && big_endian != 0) {
        code = dj_error_set(err, DJ_E_UNSUPPORTED, "made on a big-endian machine");
    }
    if (code == 0) {
        code = dj_str_is(version, "6") ? dj_dat_read_6(&dat)
               : dj_str_is(version, "7")
                   ? read_7(&dat)
                   : dj_error_set(err, DJ_E_VERSION,
                                  "trace.dat of version %.*s: 6 "
                                  "and 7 are known",
                                  (int)(version.length & 15), version.at);
    }
    dj_kernel_finish(&dat.kernel);
    free(dat.pages);
    return code;
}
