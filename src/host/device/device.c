#include "device/device.h"

#include <string.h>

void dj_device_result_finish(struct dj_device_result *result)
{
    dj_text_finish(&result->out);
    dj_text_finish(&result->err);
    *result = (struct dj_device_result){.exit_code = 0};
}

struct dj_device_line dj_device_first_line(const char *text)
{
    struct dj_device_line first;
    text += strspn(text, "\r\n\t ");
    dj_text_copy_escaped((struct dj_str){text, strcspn(text, "\r\n")}, first.line,
                         sizeof(first.line));
    return first;
}

struct dj_device_line dj_device_error_line(const struct dj_device_result *result)
{
    struct dj_device_line line = dj_device_first_line(dj_text_get(&result->err));
    if (line.line[0] == '\0') {
        line = dj_device_first_line(dj_text_get(&result->out));
    }
    return line.line[0] != '\0' ? line : (struct dj_device_line){"it printed no message"};
}

void dj_device_gfxinfo_finish(struct dj_device_gfxinfo *reading)
{
    dj_gfxinfo_dump_finish(&reading->dump);
    dj_text_finish(&reading->raw);
    *reading = (struct dj_device_gfxinfo){.dev_ns = -1};
}

int dj_device_open(const char *selector, struct dj_device **device, struct dj_error *err)
{
    *device = NULL;
    if (selector[0] == '\0') {
        return dj_error_set(err, DJ_E_USAGE,
                            "expected a device: local:, an adb serial, or HOST:PORT");
    }
    if (strcmp(selector, "local:") == 0) {
        return dj_device_open_local(device, err);
    }
    if (strncmp(selector, "replay:", 7) == 0) {
        return dj_device_open_replay(selector, device, err);
    }
    return dj_device_open_adb(selector, device, err);
}

int dj_device_open_recorded(const char *selector, const char *folder,
                            struct dj_device **device, struct dj_error *err)
{
    int code = dj_device_open(selector, device, err);
    if (code == 0 && folder != NULL) {
        code = dj_device_record(device, folder, err);
        if (code != 0) {
            dj_device_close(*device);
            *device = NULL;
        }
    }
    return code;
}

void dj_device_close(struct dj_device *device)
{
    if (device != NULL) {
        device->ops->close(device);
    }
}

int dj_device_run(struct dj_device *device, const char *const *argv, int64_t timeout_ns,
                  struct dj_device_result *result, struct dj_error *err)
{
    return device->ops->shell(device, argv, timeout_ns, result, err);
}

int dj_device_run_or_fail(struct dj_device *device, const char *const *argv,
                          int64_t timeout_ns, int failure, struct dj_text *out,
                          struct dj_error *err)
{
    struct dj_device_result result = {0};
    int code = dj_device_run(device, argv, timeout_ns, &result, err);
    if (code == 0 && result.exit_code != 0) {
        code = dj_error_set(err, failure, "%s: `%s%s%s` failed with exit code %d: %s",
                            device->name, argv[0], argv[1] != NULL ? " " : "",
                            argv[1] != NULL ? argv[1] : "", result.exit_code,
                            dj_device_error_line(&result).line);
    }
    if (out != NULL) {
        dj_text_append(out, dj_text_get(&result.out), result.out.length);
    }
    dj_device_result_finish(&result);
    return code;
}

/* Computes how long the device has slept. The header of a dump contains both the uptime
 * and the time since boot. */
static void update_sleep(struct dj_device *device, const struct dj_dump *dump)
{
    int64_t slept_ms = dump->realtime_ms - dump->uptime_ms;
    if (dump->uptime_ms > 0 && dump->realtime_ms > 0 && slept_ms >= 0 &&
        slept_ms < INT64_MAX / DJ_MILLISECOND_NS) {
        device->slept = (struct dj_device_sleep){true, slept_ms * DJ_MILLISECOND_NS,
                                                 DJ_MILLISECOND_NS, dj_host_now_ns()};
    }
}

/* Checks that the name does not begin with "-", because dumpsys would read such a name as
 * an option. */
static int check_package(const char *package, struct dj_error *err)
{
    return package[0] != '\0' && package[0] != '-'
               ? 0
               : dj_error_set(err, DJ_E_USAGE, "expected a package or pid, got '%s'",
                              package);
}

int dj_device_read_gfxinfo(struct dj_device *device,
                           const struct dj_gfxinfo_request *request,
                           struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    int code = request->package != NULL ? check_package(request->package, err) : 0;
    if (code == 0) {
        code = device->ops->gfxinfo(device, request, reading, err);
    }
    if (code == 0) {
        update_sleep(device, &reading->dump);
    }
    return code;
}

int dj_device_set_profile(struct dj_device *device, const char *package, bool on,
                          struct dj_profile_switch *done, struct dj_error *err)
{
    int code = check_package(package, err);
    return code == 0 ? device->ops->profile(device, package, on, done, err) : code;
}

int dj_device_start(struct dj_device *device, const char *const *argv,
                    struct dj_device_process **process, struct dj_error *err)
{
    *process = NULL;
    return device->ops->start(device, argv, process, err);
}

int dj_device_connect(struct dj_device *device, int port,
                      struct dj_device_process **connection, struct dj_error *err)
{
    return device->ops->connect != NULL
               ? device->ops->connect(device, port, connection, err)
               : dj_error_set(err, DJ_E_UNSUPPORTED,
                              "%s: this kind of device has no ports to connect to",
                              device->name);
}

int dj_device_process_read(struct dj_device_process *process, int64_t timeout_ns,
                           struct dj_text *out, struct dj_text *err_text, bool *ended,
                           struct dj_error *err)
{
    int code = 0;
    if (!process->ended) {
        code = process->ops->read(process, timeout_ns, out, err_text, err);
    }
    *ended = process->ended;
    return code;
}

int dj_device_process_write(struct dj_device_process *process, const void *bytes,
                            size_t size, struct dj_error *err)
{
    if (process->ended) {
        return dj_error_set(err, DJ_E_GONE, "the command has ended");
    }
    return process->ops->write != NULL ? process->ops->write(process, bytes, size, err)
                                       : 0;
}

int dj_device_process_end_input(struct dj_device_process *process, struct dj_error *err)
{
    bool has_input = !process->ended && process->ops->end_input != NULL;
    return has_input ? process->ops->end_input(process, err) : 0;
}

int dj_device_process_exit_code(const struct dj_device_process *process)
{
    return process->ended ? process->exit_code : -1;
}

void dj_device_process_close(struct dj_device_process *process)
{
    if (process != NULL) {
        process->ops->close(process);
    }
}

int dj_device_push(struct dj_device *device, const char *local_path,
                   const char *remote_path, unsigned mode, struct dj_error *err)
{
    return device->ops->push(device, local_path, remote_path, mode, err);
}

int dj_device_pull(struct dj_device *device, const char *remote_path,
                   struct dj_text *bytes, struct dj_error *err)
{
    return device->ops->pull(device, remote_path, bytes, err);
}

int dj_device_read_clock(struct dj_device *device, int64_t *dev_ns,
                         int64_t *uncertainty_ns, struct dj_error *err)
{
    return device->ops->clock(device, dev_ns, uncertainty_ns, err);
}
