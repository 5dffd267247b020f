/* Reads trace.dat version 6, in which the parts have a fixed order. */
#include <string.h>

#include "trace/kernel/trace_dat_private.h"

/* Offsets in the file at which the events of tracing instances start. The options of the
 * file contain these offsets. */
struct instances {
    uint64_t at[64];
    size_t count;
};

static void note_instance(struct instances *instances, struct dj_str data)
{
    struct dj_byte_cursor option = {(const uint8_t *)data.at, data.length, 0, false};
    uint64_t at = dj_byte_cursor_read_number(&option, 8);
    if (!option.failed && instances->count < COUNT_OF(instances->at)) {
        instances->at[instances->count++] = at;
    }
}

static int add_cpus(struct dj_trace_dat *dat, struct dj_byte_cursor *at, uint64_t cpus)
{
    int code = 0;
    for (uint64_t i = 0; i < cpus && code == 0; i++) {
        uint64_t offset = dj_byte_cursor_read_number(at, 8);
        uint64_t size = dj_byte_cursor_read_number(at, 8);
        code = at->failed ? dj_trace_dat_set_truncated(dat, at, "the list of CPUs")
                          : dj_trace_dat_add_cpu(dat, (int32_t)i, offset, size, false);
    }
    return code;
}

/* Reads the first tracing instance that contains events. Only used if the main trace
 * contains no events. */
static int read_instances(struct dj_trace_dat *dat, const struct instances *instances,
                          uint64_t cpus)
{
    int code = 0;
    for (size_t i = 0; i < instances->count && code == 0; i++) {
        struct dj_byte_cursor at = dat->at;
        at.at = instances->at[i] < at.size ? (size_t)instances->at[i] : at.size;
        struct dj_str tag = dj_byte_cursor_read_bytes(&at, 10);
        if (at.failed || memcmp(tag.at, "flyrecord", 9) != 0 ||
            !dj_trace_dat_has_events(at, cpus, 0)) {
            continue;
        }
        if (dat->has_events) {
            dat->summary->unread++;
            continue;
        }
        dat->page_count = dat->kernel.cpu_count = 0;
        code = add_cpus(dat, &at, cpus);
    }
    return code;
}

static int read_cpus(struct dj_trace_dat *dat)
{
    struct dj_byte_cursor *at = &dat->at;
    uint64_t cpus = dj_byte_cursor_read_number(at, 4);
    struct dj_str tag = dj_byte_cursor_read_bytes(at, 10);
    struct instances instances = {0};
    if (!at->failed && memcmp(tag.at, "options", 7) == 0) {
        uint64_t id;
        while ((id = dj_byte_cursor_read_number(at, 2)) != DJ_DAT_OPTION_DONE &&
               !at->failed) {
            struct dj_str data =
                dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 4));
            dj_trace_dat_clock_read_option(&dat->clock, id, data);
            if (id == DJ_DAT_OPTION_BUFFER) {
                note_instance(&instances, data);
            }
        }
        tag = dj_byte_cursor_read_bytes(at, 10);
    }
    if (at->failed) {
        return dj_trace_dat_set_truncated(dat, at, "the list of options");
    }
    if (memcmp(tag.at, "flyrecord", 9) != 0) {
        bool known = memcmp(tag.at, "latency", 7) == 0;
        return dj_error_set(dat->err, known ? DJ_E_UNSUPPORTED : DJ_E_INVALID,
                            "expected recorded events (flyrecord), found %.*s",
                            (int)strnlen(tag.at, 9), tag.at);
    }
    int code = add_cpus(dat, at, cpus);
    if (code == 0 && dat->clock.listed_after_cpus) {
        struct dj_byte_cursor after = *at;
        dj_trace_dat_clock_set_names(
            &dat->clock,
            dj_byte_cursor_read_bytes(&after, dj_byte_cursor_read_number(&after, 8)));
    }
    return code != 0 ? code : read_instances(dat, &instances, cpus);
}

int dj_trace_dat_read_6(struct dj_trace_dat *dat)
{
    struct dj_byte_cursor *at = &dat->at;
    int code = dj_trace_dat_read_header_info(dat, at);
    code = code != 0 ? code : dj_trace_dat_read_formats(dat, at);
    code = code != 0 ? code : dj_trace_dat_read_systems(dat, at);
    if (code == 0) {
        /* Skips the symbols of the kernel. */
        dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 4));
        /* Skips the printk formats of the kernel. */
        dj_byte_cursor_read_bytes(at, dj_byte_cursor_read_number(at, 4));
        code = dj_trace_dat_read_names(dat, at);
    }
    code = code != 0 ? code : read_cpus(dat);
    return code != 0 ? code : dj_trace_dat_read_events(dat);
}
