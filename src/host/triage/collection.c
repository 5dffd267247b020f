#include "triage/collection.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"

const char *dj_triage_intern(struct dj_triage *triage, const char *name)
{
    return dj_trace_names_add(&triage->names, dj_str_of(name));
}

void dj_triage_limit_add(struct dj_triage *triage, const char *format, ...)
{
    struct dj_triage_limit limit;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(limit.text, sizeof(limit.text), format, arguments);
    va_end(arguments);
    struct dj_triage_result *result = &triage->result;
    for (size_t i = 0; i < result->limit_count; i++) {
        if (strcmp(result->limits[i].text, limit.text) == 0) {
            return;
        }
    }
    DJ_XPUSH(result->limits, result->limit_count, limit);
}
