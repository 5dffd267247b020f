#include "trace/text_told.h"

#include <stdio.h>
#include <string.h>

#include "trace/numbers.h"

void dj_trace_told_entries(struct dj_trace_told *told, struct dj_str line)
{
    static const char title[] = "# entries-in-buffer/entries-written: ";
    int64_t entries, written;
    const char *slash =
        memchr(line.at + sizeof(title) - 1, '/', line.length - (sizeof(title) - 1));
    if (slash == NULL) {
        return;
    }
    const char *end = memchr(slash, ' ', (size_t)(line.at + line.length - slash));
    end = end != NULL ? end : line.at + line.length;
    const char *from = line.at + sizeof(title) - 1;
    if (dj_number_int((struct dj_str){from, (size_t)(slash - from)}, &entries) &&
        dj_number_int((struct dj_str){slash + 1, (size_t)(end - slash - 1)}, &written) &&
        entries >= 0 && written >= entries) {
        told->entries += (uint64_t)entries;
        told->written += (uint64_t)written;
    }
}

void dj_trace_told_add(struct dj_trace_told *told, const struct dj_trace_told *part,
                       const char *place)
{
    if (told->strange == 0 && part->strange > 0) {
        memcpy(told->damage, part->damage, sizeof(told->damage));
        told->first_strange = place == NULL ? part->first_strange : 0;
        if (place != NULL && part->damage[0] == '\0') {
            snprintf(told->damage, sizeof(told->damage), "line %llu of %s",
                     (unsigned long long)part->first_strange, place);
        }
    }
    told->events += part->events;
    told->listed += part->listed;
    told->strange += part->strange;
    told->entries += part->entries;
    told->written += part->written;
    told->without_flags |= part->without_flags;
}
