#include "plan/read_file.h"

#include <string.h>

#include "input/read.h"
#include "memory/memory.h"

int dj_plan_read_file(const char *file, const struct dj_messages *messages,
                      struct dj_text *bytes, struct dj_plan *plan)
{
    struct dj_plan_faults faults = {0};
    struct dj_error err = {0};
    if (dj_input_read_whole(file, bytes, messages, &err) != 0) {
        dj_message(messages, "%s", err.message);
        return DJ_E_NO_DATA;
    }
    int code = dj_plan_read(file, dj_xtext(bytes), bytes->length, plan, &faults, &err);
    const char *line = dj_xtext(&faults.lines);
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        dj_message(messages, "%.*s", (int)(end - line), line);
    }
    if (faults.count > DJ_PLAN_FAULTS) {
        dj_message(messages, "%s: %zu more faults", file, faults.count - DJ_PLAN_FAULTS);
    }
    if (code != 0 && faults.count == 0) {
        dj_message(messages, "%s", err.message);
    }
    dj_text_finish(&faults.lines);
    return code == DJ_E_INVALID ? DJ_E_USAGE : code;
}
