#include "drive/driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

bool dj_drive_log_add_window(struct dj_drive_log *log, const char *name,
                             struct dj_span span)
{
    if (!DJ_ARRAY_ROOM(log->windows, log->window_count)) {
        return false;
    }
    struct dj_driver_window *window = &log->windows[log->window_count++];
    snprintf(window->name, sizeof(window->name), "%s", name);
    window->span = span;
    return true;
}

void dj_drive_log_finish(struct dj_drive_log *log)
{
    free(log->windows);
    dj_text_finish(&log->stream);
    *log = (struct dj_drive_log){0};
}
