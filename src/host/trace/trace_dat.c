#include "trace/trace_dat.h"

#include <stdlib.h>
#include <string.h>

#include "trace/cursor.h"
#include "trace/numbers.h"
#include "trace/trace_dat_clock.h"
#include "trace/trace_dat_pages.h"
#include "trace/unpack.h"

static const char magic[] = "\x17\x08\x44tracing";
enum { MAGIC = sizeof(magic) - 1, SECTION_HEAD = 16 };

enum option {
    OPTION_DONE = 0,
    OPTION_BUFFER = 3,
    OPTION_HEADER_INFO = 16,
    OPTION_EVENTS_OF_FTRACE = 17,
    OPTION_FORMATS = 18,
    OPTION_CMDLINES = 21
};

struct dat {
    struct dj_cursor at;
    struct dj_kernel kernel;
    struct dj_event_sink sink;
    struct dj_ring_told *told;
    struct dj_error *err;
    uint32_t page_size;
    struct dj_dat_clock clock;
    struct dj_words compression; /* "none", "zstd", … */
    struct dj_dat_pages *pages;  /* of each CPU; owned */
    size_t page_count;
    bool mapped;     /* the file is */
    bool has_events; /* a buffer with events was found */
};

bool dj_trace_dat_sniff(const char *bytes, size_t length)
{
    return length >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

static int broken(struct dat *dat, const struct dj_cursor *at, const char *part)
{
    return dj_error_set_at(dat->err, DJ_E_INVALID, (long long)at->at,
                           "byte %zu: %s ends before it should", at->at, part);
}

/* ---- parts that both versions have ---- */

static int read_header_info(struct dat *dat, struct dj_cursor *at)
{
    struct dj_words title = dj_cursor_string(at);
    struct dj_words page = dj_cursor_bytes(at, dj_cursor_number(at, 8));
    if (at->failed || !dj_words_are(title, "header_page")) {
        return broken(dat, at, "header_page");
    }
    dj_cursor_string(at);
    dj_cursor_bytes(at, dj_cursor_number(at, 8));
    if (at->failed) {
        return broken(dat, at, "header_event");
    }
    int code = dj_ring_layout_read(page, &dat->kernel.layout, dat->err);
    if (code == 0 && dat->page_size > dat->kernel.layout.data_offset + 64 &&
        dat->page_size <= 1 << 24) {
        dat->kernel.layout.page_size = dat->page_size;
    }
    return code;
}

/* A list of descriptions. One that makes no sense loses its own events alone. */
static int read_formats(struct dat *dat, struct dj_cursor *at)
{
    uint64_t count = dj_cursor_number(at, 4);
    for (uint64_t i = 0; i < count && !at->failed; i++) {
        struct dj_words text = dj_cursor_bytes(at, dj_cursor_number(at, 8));
        if (!at->failed &&
            dj_formats_add(&dat->kernel.formats, text, NULL) == DJ_E_NO_MEMORY) {
            return dj_error_set(dat->err, DJ_E_NO_MEMORY, "out of memory for formats");
        }
    }
    return at->failed ? broken(dat, at, "the list of events") : 0;
}

static int read_systems(struct dat *dat, struct dj_cursor *at)
{
    uint64_t count = dj_cursor_number(at, 4);
    int code = 0;
    for (uint64_t i = 0; i < count && !at->failed && code == 0; i++) {
        dj_cursor_string(at);
        code = read_formats(dat, at);
    }
    return code != 0 ? code : at->failed ? broken(dat, at, "the list of systems") : 0;
}

static int read_names(struct dat *dat, struct dj_cursor *at)
{
    struct dj_words lines = dj_cursor_bytes(at, dj_cursor_number(at, 8));
    return at->failed ? broken(dat, at, "the list of threads")
                      : dj_kernel_tell_names(lines, dat->sink);
}

/* The size of compressed data is told without the number of its chunks. */
static int add_cpu(struct dat *dat, int32_t cpu, uint64_t offset, uint64_t size,
                   bool packed)
{
    enum { CHUNK_COUNT = 4 };
    struct dj_cursor at = dat->at;
    if (packed && size > 0 && offset < at.size && size < at.size - offset) {
        uint64_t left = at.size - offset - size;
        size += left < CHUNK_COUNT ? left : CHUNK_COUNT;
    }
    if (offset > at.size || size > at.size - offset) {
        dj_ring_damage(dat->told,
                       "byte %zu: the file ends there, and %llu bytes of CPU %d were "
                       "expected from byte %llu on",
                       at.size, (unsigned long long)size, cpu,
                       (unsigned long long)offset);
        dat->told->damaged++;
        offset = offset > at.size ? at.size : offset;
        size = at.size - offset;
    }
    struct dj_dat_pages *grown =
        realloc(dat->pages, (dat->page_count + 1) * sizeof(*grown));
    if (grown == NULL || dj_kernel_add_cpu(&dat->kernel, cpu) == NULL) {
        dat->pages = grown != NULL ? grown : dat->pages;
        return dj_error_set(dat->err, DJ_E_NO_MEMORY, "out of memory for CPUs");
    }
    dat->pages = grown;
    grown[dat->page_count++] =
        (struct dj_dat_pages){.data = {at.bytes + offset, (size_t)size, 0, false},
                              .trail = {NULL, dat->mapped},
                              .page_size = dat->kernel.layout.page_size,
                              .packed = packed,
                              .compression = dat->compression};
    dat->has_events |= size > 0;
    return 0;
}

static int read_events(struct dat *dat)
{
    for (size_t i = 0; i < dat->page_count; i++) {
        dat->kernel.cpus[i].source =
            (struct dj_ring_source){dj_dat_pages_next, &dat->pages[i]};
    }
    int code = dj_dat_clock_end(&dat->clock, &dat->kernel.layout.time, dat->sink);
    code = code != 0
               ? code
               : dj_ring_read(&dat->kernel.layout, &dat->kernel.formats, dat->kernel.cpus,
                              dat->kernel.cpu_count, dat->sink, dat->told, dat->err);
    for (size_t i = 0; i < dat->page_count; i++) {
        dj_dat_pages_finish(&dat->pages[i]);
    }
    return code;
}

/* ---- version 6: one part after the other ---- */

static int read_cpus_of_6(struct dat *dat)
{
    struct dj_cursor *at = &dat->at;
    uint64_t cpus = dj_cursor_number(at, 4);
    struct dj_words tag = dj_cursor_bytes(at, 10);
    if (!at->failed && memcmp(tag.at, "options", 7) == 0) {
        uint64_t id;
        while ((id = dj_cursor_number(at, 2)) != OPTION_DONE && !at->failed) {
            dj_dat_clock_option(&dat->clock, id,
                                dj_cursor_bytes(at, dj_cursor_number(at, 4)));
        }
        tag = dj_cursor_bytes(at, 10);
    }
    if (at->failed) {
        return broken(dat, at, "the list of options");
    }
    if (memcmp(tag.at, "flyrecord", 9) != 0) {
        bool known = memcmp(tag.at, "latency", 7) == 0;
        return dj_error_set(dat->err, known ? DJ_E_UNSUPPORTED : DJ_E_INVALID,
                            "expected recorded events (flyrecord), and this is: %.*s",
                            (int)strnlen(tag.at, 9), tag.at);
    }
    int code = 0;
    for (uint64_t i = 0; i < cpus && code == 0; i++) {
        uint64_t offset = dj_cursor_number(at, 8);
        uint64_t size = dj_cursor_number(at, 8);
        code = at->failed ? broken(dat, at, "the list of CPUs")
                          : add_cpu(dat, (int32_t)i, offset, size, false);
    }
    if (code == 0 && dat->clock.told_behind) {
        struct dj_cursor behind = *at;
        dj_dat_clock_of_buffer(&dat->clock,
                               dj_cursor_bytes(&behind, dj_cursor_number(&behind, 8)));
    }
    return code;
}

static int read_6(struct dat *dat)
{
    struct dj_cursor *at = &dat->at;
    int code = read_header_info(dat, at);
    code = code != 0 ? code : read_formats(dat, at);
    code = code != 0 ? code : read_systems(dat, at);
    if (code == 0) {
        dj_cursor_bytes(at, dj_cursor_number(at, 4)); /* the kernel's symbols */
        dj_cursor_bytes(at, dj_cursor_number(at, 4)); /* its texts */
        code = read_names(dat, at);
    }
    code = code != 0 ? code : read_cpus_of_6(dat);
    return code != 0 ? code : read_events(dat);
}

/* ---- version 7: sections, found by options ---- */

/* Goes to a section, unpacked where it is packed: *bytes is then the caller's to free. */
static int open_section(struct dat *dat, uint64_t offset, struct dj_cursor *section,
                        uint8_t **bytes)
{
    struct dj_cursor at = dat->at;
    enum { PACKED = 1 };
    *bytes = NULL;
    at.at = offset < at.size ? (size_t)offset : at.size;
    dj_cursor_number(&at, 2);
    uint64_t flags = dj_cursor_number(&at, 2);
    dj_cursor_number(&at, 4);
    struct dj_words body = dj_cursor_bytes(&at, dj_cursor_number(&at, 8));
    if (at.failed) {
        return broken(dat, &at, "a section");
    }
    *section = (struct dj_cursor){(const uint8_t *)body.at, body.length, 0, false};
    if ((flags & PACKED) == 0) {
        return 0;
    }
    uint64_t packed_size = dj_cursor_number(section, 4);
    uint64_t size = dj_cursor_number(section, 4);
    struct dj_words packed = dj_cursor_bytes(section, packed_size);
    if (section->failed || size > DJ_UNPACK_MOST) {
        return broken(dat, &at, "a compressed section");
    }
    *bytes = malloc((size_t)size + 1);
    if (*bytes == NULL) {
        return dj_error_set(dat->err, DJ_E_NO_MEMORY, "out of memory for a section");
    }
    *section = (struct dj_cursor){*bytes, (size_t)size, 0, false};
    return dj_unpack(dat->compression, packed, *bytes, (size_t)size, dat->err);
}

static int read_section(struct dat *dat, struct dj_cursor *option,
                        int (*read)(struct dat *dat, struct dj_cursor *at))
{
    struct dj_cursor section = {0};
    uint8_t *bytes;
    int code = open_section(dat, dj_cursor_number(option, 8), &section, &bytes);
    code = code != 0 ? code : read(dat, &section);
    free(bytes);
    return code;
}

/* The first buffer that has events: others are of other instances. */
static int read_buffer(struct dat *dat, struct dj_cursor *option)
{
    dj_cursor_number(option, 8);
    dj_cursor_string(option);
    struct dj_words clock = dj_cursor_string(option);
    uint64_t page_size = dj_cursor_number(option, 4);
    uint64_t cpus = dj_cursor_number(option, 4);
    if (dat->has_events) {
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
        code = option->failed ? broken(dat, &dat->at, "the list of CPUs")
                              : add_cpu(dat, (int32_t)(cpu & INT32_MAX), offset, size,
                                        !dj_words_are(dat->compression, "none"));
    }
    return code;
}

static int read_header_option(struct dat *dat, struct dj_cursor *option)
{
    return read_section(dat, option, read_header_info);
}

static int read_ftrace_option(struct dat *dat, struct dj_cursor *option)
{
    return read_section(dat, option, read_formats);
}

static int read_formats_option(struct dat *dat, struct dj_cursor *option)
{
    return read_section(dat, option, read_systems);
}

static int read_names_option(struct dat *dat, struct dj_cursor *option)
{
    return read_section(dat, option, read_names);
}

/* In the order in which they must be read: sections stand in any. */
static const struct {
    enum option id;
    int (*read)(struct dat *dat, struct dj_cursor *option);
} options_of_7[] = {
    {OPTION_HEADER_INFO, read_header_option},
    {OPTION_EVENTS_OF_FTRACE, read_ftrace_option},
    {OPTION_FORMATS, read_formats_option},
    {OPTION_CMDLINES, read_names_option},
    {OPTION_BUFFER, read_buffer},
};

/* Reads all options of one kind in one section of them; *next is where more are. */
static int read_options(struct dat *dat, uint64_t offset, size_t kind, uint64_t *next)
{
    struct dj_cursor section = {0};
    uint8_t *bytes;
    int code = open_section(dat, offset, &section, &bytes);
    *next = 0;
    while (code == 0 && section.at < section.size) {
        uint64_t id = dj_cursor_number(&section, 2);
        struct dj_words data = dj_cursor_bytes(&section, dj_cursor_number(&section, 4));
        struct dj_cursor option = {(const uint8_t *)data.at, data.length, 0, false};
        if (section.failed) {
            code = broken(dat, &dat->at, "the list of options");
        } else if (id == OPTION_DONE) {
            *next = data.length >= 8 ? dj_cursor_number(&option, 8) : 0;
            break;
        }
        if (kind == 0 && code == 0) {
            dj_dat_clock_option(&dat->clock, id, data);
        }
        if (code == 0 && id == options_of_7[kind].id) {
            code = options_of_7[kind].read(dat, &option);
        }
    }
    free(bytes);
    return code;
}

static int read_7(struct dat *dat)
{
    enum { KINDS = sizeof(options_of_7) / sizeof(options_of_7[0]), MOST_SECTIONS = 1000 };
    dat->compression = dj_cursor_string(&dat->at);
    dj_cursor_string(&dat->at);
    uint64_t first = dj_cursor_number(&dat->at, 8);
    int code = dat->at.failed ? broken(dat, &dat->at, "the head") : 0;
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
    return code != 0 ? code : read_events(dat);
}

int dj_trace_dat_read(const struct dj_mapped *file, struct dj_event_sink sink,
                      struct dj_ring_told *told, struct dj_error *err)
{
    struct dat dat = {.at = {file->bytes, file->size, MAGIC, false},
                      .sink = sink,
                      .mapped = file->mapped,
                      .told = told,
                      .err = err};
    if (!dj_trace_dat_sniff((const char *)file->bytes, file->size)) {
        return dj_error_set_at(err, DJ_E_INVALID, 0,
                               "byte 0: expected the magic of trace.dat");
    }
    struct dj_words version = dj_cursor_string(&dat.at);
    uint64_t big_endian = dj_cursor_number(&dat.at, 1);
    dj_cursor_number(&dat.at, 1);
    dat.page_size = (uint32_t)dj_cursor_number(&dat.at, 4);
    int code = dat.at.failed ? broken(&dat, &dat.at, "the head") : 0;
    if (code == 0 && big_endian != 0) {
        code = dj_error_set(err, DJ_E_UNSUPPORTED, "made on a big-endian machine");
    }
    if (code == 0) {
        code = dj_words_are(version, "6") ? read_6(&dat)
               : dj_words_are(version, "7")
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
