#include "capture/capture.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int dj_capture_start(const struct dj_capture_plan *plan, struct dj_device *device,
                     struct dj_capture **capture, struct dj_error *err)
{
    bool here = device == NULL || strcmp(device->name, "local:") == 0;
    *capture = NULL;
    return (here ? &dj_capture_linux : &dj_capture_android)
        ->start(plan, device, capture, err);
}

int dj_capture_poll(struct dj_capture *capture, struct dj_capture_progress *progress,
                    struct dj_error *err)
{
    *progress = (struct dj_capture_progress){.ended = false};
    return capture->backend->poll(capture, progress, err);
}

int dj_capture_keep(struct dj_capture *capture, int64_t from_ns, int64_t to_ns,
                    struct dj_error *err)
{
    return capture->backend->keep(capture, from_ns, to_ns, err);
}

void dj_capture_end(struct dj_capture *capture)
{
    if (capture->backend->end != NULL) {
        capture->backend->end(capture);
    }
}

int dj_capture_stop(struct dj_capture *capture, struct dj_capture_result *result,
                    struct dj_error *err)
{
    return capture->backend->stop(capture, result, err);
}

void dj_capture_destroy(struct dj_capture *capture)
{
    if (capture != NULL) {
        capture->backend->destroy(capture);
    }
}

void dj_capture_add_limit(struct dj_capture_result *result, const char *format, ...)
{
    if (result->limit_count < DJ_CAPTURE_LIMITS) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(result->limits[result->limit_count++], DJ_CAPTURE_LIMIT, format,
                  arguments);
        va_end(arguments);
    }
}
