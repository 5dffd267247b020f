#include "trace/kernel/trace_dat_private.h"

#include "memory/memory.h"

int dj_trace_dat_set_truncated(struct dj_trace_dat *dat, const struct dj_byte_cursor *at,
                               const char *part)
{
    return dj_error_set_at(dat->err, DJ_E_INVALID, (long long)at->at,
                           "byte %zu: %s is truncated", at->at, part);
}

int dj_trace_dat_read_header_info(struct dj_trace_dat *dat, struct dj_byte_cursor *at)
{
    struct dj_str title = dj_byte_cursor_read_string(at);
    struct dj_str page = dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 8));
    if (at->failed || !dj_str_is(title, "header_page")) {
        return dj_trace_dat_set_truncated(dat, at, "header_page");
    }
    dj_byte_cursor_read_string(at);
    dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 8));
    if (at->failed) {
        return dj_trace_dat_set_truncated(dat, at, "header_event");
    }
    int code = dj_trace_ring_read_layout(page, &dat->kernel.layout, dat->err);
    if (code == 0 && dat->page_size > dat->kernel.layout.data_offset + 64 &&
        dat->page_size <= 1 << 24) {
        dat->kernel.layout.page_size = dat->page_size;
    }
    return code;
}

int dj_trace_dat_read_formats(struct dj_trace_dat *dat, struct dj_byte_cursor *at)
{
    uint64_t count = dj_byte_cursor_read_number(at, 4);
    for (uint64_t i = 0; i < count && !at->failed; i++) {
        struct dj_str text =
            dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 8));
        if (!at->failed) {
            dj_trace_formats_add(&dat->kernel.formats, text, NULL);
        }
    }
    return at->failed ? dj_trace_dat_set_truncated(dat, at, "the list of events") : 0;
}

int dj_trace_dat_read_systems(struct dj_trace_dat *dat, struct dj_byte_cursor *at)
{
    uint64_t count = dj_byte_cursor_read_number(at, 4);
    int code = 0;
    for (uint64_t i = 0; i < count && !at->failed && code == 0; i++) {
        dj_byte_cursor_read_string(at);
        code = dj_trace_dat_read_formats(dat, at);
    }
    return code != 0    ? code
           : at->failed ? dj_trace_dat_set_truncated(dat, at, "the list of systems")
                        : 0;
}

int dj_trace_dat_read_names(struct dj_trace_dat *dat, struct dj_byte_cursor *at)
{
    struct dj_str lines =
        dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 8));
    return at->failed ? dj_trace_dat_set_truncated(dat, at, "the list of threads")
                      : dj_trace_kernel_report_names(lines, dat->sink);
}

/* Adds the size of the field with the number of chunks if the data is compressed. The
 * file's value of `size` does not include this field, which precedes the chunks. */
int dj_trace_dat_add_cpu(struct dj_trace_dat *dat, int32_t cpu, uint64_t offset,
                         uint64_t size, bool packed)
{
    enum { CHUNK_COUNT = 4 };
    struct dj_byte_cursor at = dat->at;
    if (packed && size > 0 && offset < at.size && size < at.size - offset) {
        uint64_t left = at.size - offset - size;
        size += left < CHUNK_COUNT ? left : CHUNK_COUNT;
    }
    if (offset > at.size || size > at.size - offset) {
        dj_trace_ring_note_damage(dat->summary,
                                  "byte %zu: the file ends here; expected %llu bytes of "
                                  "CPU %d from byte %llu on",
                                  at.size, (unsigned long long)size, cpu,
                                  (unsigned long long)offset);
        dat->summary->damaged++;
        offset = offset > at.size ? at.size : offset;
        size = at.size - offset;
    }
    if (dj_trace_kernel_add_cpu(&dat->kernel, cpu) == NULL) {
        return dj_error_set(dat->err, DJ_E_INVALID, "the file lists more than %zu CPUs",
                            dat->kernel.cpu_count);
    }
    DJ_XPUSH(
        dat->pages, dat->page_count,
        (struct dj_trace_dat_pages){.data = {at.bytes + offset, (size_t)size, 0, false},
                                    .trail = {NULL, dat->mapped},
                                    .page_size = dat->kernel.layout.page_size,
                                    .packed = packed,
                                    .compression = dat->compression});
    dat->has_events |= size > 0;
    return 0;
}

int dj_trace_dat_read_events(struct dj_trace_dat *dat)
{
    for (size_t i = 0; i < dat->page_count; i++) {
        dat->kernel.cpus[i].source =
            (struct dj_trace_ring_source){dj_trace_dat_pages_next, &dat->pages[i]};
    }
    int code =
        dj_trace_dat_clock_report(&dat->clock, &dat->kernel.layout.time, dat->sink);
    code = code != 0 ? code
                     : dj_trace_ring_read(&dat->kernel.layout, &dat->kernel.formats,
                                          dat->kernel.cpus, dat->kernel.cpu_count,
                                          dat->sink, dat->summary, dat->err);
    for (size_t i = 0; i < dat->page_count; i++) {
        dj_trace_dat_pages_finish(&dat->pages[i]);
    }
    return code;
}

bool dj_trace_dat_has_events(struct dj_byte_cursor list, uint64_t cpus, size_t before)
{
    uint64_t size = 0;
    for (uint64_t i = 0; i < cpus && !list.failed && size == 0; i++) {
        dj_byte_cursor_read_bytes(&list, before + 8);
        size = dj_byte_cursor_read_number(&list, 8);
    }
    return size > 0;
}
