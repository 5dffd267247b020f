#include "trace/archive.h"

#include <string.h>

#include "memory/memory.h"
#include "trace/perfetto_read.h"
#include "trace/sniff.h"
#include "trace/trace_dat.h"

static bool is_trace(enum dj_part_kind kind, const char *bytes, size_t length)
{
    return dj_perfetto_sniff((const uint8_t *)bytes, length, false) ||
           dj_trace_dat_sniff(bytes, length) ||
           (kind == DJ_PART_TEXT && dj_trace_sniff_text(bytes, length));
}

static void add_name(struct dj_trace *trace, const char *name)
{
    dj_text_append(&trace->members, name, strlen(name) + 1);
    trace->member_count++;
}

void dj_archive_name_others(struct dj_intake *intake, const char *read,
                            struct dj_trace *trace)
{
    struct dj_intake_part part;
    const char *bytes;
    size_t length;
    while (dj_intake_next(intake, &part, NULL) == 0 && part.kind != DJ_PART_NONE) {
        if (dj_intake_read(intake, &bytes, &length, NULL) != 0 || part.name == NULL ||
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
