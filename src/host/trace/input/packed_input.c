#include "trace/input/packed_input.h"

#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/kernel/trace_dat.h"
#include "trace/perf/report_sample.h"
#include "trace/perf_data/file.h"
#include "trace/perfetto/read.h"
#include "trace/sniff.h"

int dj_packed_input_read(struct dj_packed_input *wrapped, const char **bytes,
                         size_t *length, struct dj_error *err)
{
    struct dj_error why = {0};
    int code = dj_input_read(wrapped->reader, bytes, length, &why);
    if (code == DJ_E_TRUNCATED) {
        const char *name = dj_input_get_name(wrapped->reader);
        size_t named = strlen(name);
        bool has_name =
            strncmp(why.message, name, named) == 0 && why.message[named] == ':';
        snprintf(wrapped->damage, sizeof(wrapped->damage),
                 "archive or compression: %.170s",
                 why.message + (has_name ? named + 2 : 0));
        *length = 0;
        return 0;
    }
    if (code != 0 && err != NULL) {
        *err = why;
    }
    return code;
}

static int append_all(struct dj_packed_input *wrapped, struct dj_trace_scratch *scratch,
                      uint64_t *damaged, struct dj_error *err)
{
    struct dj_str bytes = wrapped->first;
    struct dj_error fault = {0};
    int code = 0;
    while (code == 0 && bytes.length > 0) {
        int put = dj_trace_scratch_append(scratch, bytes.at, bytes.length, err);
        if (put != 0) {
            return put;
        }
        code = dj_xcode(dj_packed_input_read(wrapped, &bytes.at, &bytes.length, &fault));
    }
    if (code == DJ_E_UNSUPPORTED) {
        if (err != NULL) {
            *err = fault;
        }
        return code;
    }
    *damaged += code != 0;
    return 0;
}

int dj_packed_input_map(struct dj_packed_input *wrapped, struct dj_trace_file *mapped,
                        uint64_t *damaged, struct dj_error *err)
{
    struct dj_trace_scratch scratch;
    int code = dj_trace_scratch_open(&scratch, wrapped->packed_size, err);
    if (code == 0) {
        code = append_all(wrapped, &scratch, damaged, err);
        code = code != 0 ? code : dj_trace_scratch_map(&scratch, mapped, err);
        dj_spill_close(&scratch.spill);
    }
    return code;
}

void dj_packed_input_report_damage(const struct dj_packed_input *wrapped,
                                   struct dj_trace *trace)
{
    if (wrapped->damage[0] != '\0') {
        trace->damaged++;
        memcpy(trace->damage, wrapped->damage, sizeof(trace->damage));
        trace->first_damaged_line = 0;
    }
}

static bool is_trace(enum dj_input_part_kind kind, const char *bytes, size_t length)
{
    return dj_perfetto_sniff((const uint8_t *)bytes, length, false) ||
           dj_trace_dat_sniff(bytes, length) || dj_report_sample_sniff(bytes, length) ||
           dj_perf_data_sniff(bytes, length) ||
           (kind == DJ_PART_TEXT && dj_trace_sniff_text(bytes, length));
}

static void add_name(struct dj_trace *trace, const char *name)
{
    dj_text_append(&trace->members, name, strlen(name) + 1);
    trace->member_count++;
}

void dj_packed_input_list_traces(struct dj_input_reader *reader, const char *read,
                                 struct dj_trace *trace)
{
    struct dj_input_part part;
    const char *bytes;
    size_t length;
    while (dj_input_next(reader, &part, NULL) == 0 && part.kind != DJ_PART_NONE) {
        if (dj_input_read(reader, &bytes, &length, NULL) != 0 || part.name == NULL ||
            !is_trace(part.kind, bytes, length)) {
            continue;
        }
        if (trace->member_count == 0) {
            add_name(trace, read);
        }
        add_name(trace, part.name);
    }
    dj_xcheck(!trace->members.failed);
}
