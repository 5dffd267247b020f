#include "trace/wrapped.h"

#include <stdio.h>
#include <string.h>

#include "trace/trace.h"

int dj_wrapped_read(struct dj_wrapped *wrapped, const char **bytes, size_t *length,
                    struct dj_error *err)
{
    struct dj_error why = {0};
    int code = dj_intake_read(wrapped->intake, bytes, length, &why);
    if (code == DJ_E_TRUNCATED) {
        const char *name = dj_intake_name(wrapped->intake);
        size_t named = strlen(name);
        bool has_name =
            strncmp(why.message, name, named) == 0 && why.message[named] == ':';
        snprintf(wrapped->damage, sizeof(wrapped->damage), "what is around it: %.170s",
                 why.message + (has_name ? named + 2 : 0));
        *length = 0;
        return 0;
    }
    if (code != 0 && err != NULL) {
        *err = why;
    }
    return code;
}

void dj_wrapped_tell(const struct dj_wrapped *wrapped, struct dj_trace *trace)
{
    if (wrapped->damage[0] != '\0') {
        trace->damaged++;
        memcpy(trace->damage, wrapped->damage, sizeof(trace->damage));
        trace->first_damaged_line = 0;
    }
}
