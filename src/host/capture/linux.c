#include "capture/capture.h"

#include <string.h>

static bool serves(const struct dj_device *device)
{
    return device == NULL || strcmp(device->name, "local:") == 0;
}

static int start(const struct dj_capture_plan *plan, struct dj_device *device,
                 struct dj_capture **capture, struct dj_error *err)
{
    (void)plan;
    (void)device;
    (void)capture;
    return dj_error_set(err, DJ_E_UNSUPPORTED, "captures of this machine");
}

const struct dj_capture_backend dj_capture_linux = {
    .name = "linux", .serves = serves, .start = start};
