#include "device/device.h"

#include <string.h>

void dj_shell_result_finish(struct dj_shell_result *result)
{
    dj_text_finish(&result->out);
    dj_text_finish(&result->err);
    *result = (struct dj_shell_result){.exit_code = 0};
}

void dj_gfxinfo_finish(struct dj_gfxinfo *reading)
{
    dj_dump_finish(&reading->dump);
    dj_text_finish(&reading->raw);
    *reading = (struct dj_gfxinfo){.dev_ns = -1};
}

int dj_device_open(const char *selector, struct dj_device **device, struct dj_error *err)
{
    *device = NULL;
    if (selector[0] == '\0') {
        return dj_error_set(err, DJ_E_USAGE,
                            "expected a device: local:, an adb serial, or HOST:PORT");
    }
    if (strcmp(selector, "local:") == 0) {
        return dj_local_open(device, err);
    }
    return dj_adb_open(selector, device, err);
}

void dj_device_close(struct dj_device *device)
{
    if (device != NULL) {
        device->ops->close(device);
    }
}

int dj_device_shell(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                    struct dj_shell_result *result, struct dj_error *err)
{
    return device->ops->shell(device, argv, timeout_ns, result, err);
}

int dj_device_gfxinfo(struct dj_device *device, const struct dj_gfxinfo_request *request,
                      struct dj_gfxinfo *reading, struct dj_error *err)
{
    /* dumpsys takes the first word that does not begin with '-' for the name. */
    if (request->package[0] == '\0' || request->package[0] == '-') {
        return dj_error_set(err, DJ_E_USAGE, "expected a package or pid, got '%s'",
                            request->package);
    }
    return device->ops->gfxinfo(device, request, reading, err);
}

int dj_device_profile(struct dj_device *device, const char *package, bool on,
                      struct dj_profile_switch *done, struct dj_error *err)
{
    if (package[0] == '\0' || package[0] == '-') {
        return dj_error_set(err, DJ_E_USAGE, "expected a package or pid, got '%s'",
                            package);
    }
    return device->ops->profile(device, package, on, done, err);
}
