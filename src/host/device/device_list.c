#include "device/device_list.h"

#include <unistd.h>

#include "device/adb/client.h"

int dj_device_list(struct dj_device_entry *entries, size_t maximum, size_t *count,
                   struct dj_error *err)
{
    struct dj_adb_address address;
    *count = 0;
    int code = dj_adb_find_server(&address, err);
    return code == 0 ? dj_adb_list_devices(&address, entries, maximum, count, err) : code;
}

int dj_device_watch_open(struct dj_device_watch *watch, struct dj_error *err)
{
    struct dj_adb_address address;
    int code = dj_adb_find_server(&address, err);
    if (code != 0) {
        return code;
    }
    const struct dj_deadline deadline = dj_deadline_in(DJ_ADB_SERVER_NS, NULL);
    return dj_adb_open_host_service(&address, "host:track-devices-l", &deadline,
                                    &watch->fd, err);
}

int dj_device_watch_next(const struct dj_device_watch *watch, int64_t timeout_ns,
                         const struct dj_interrupt_request *interrupt,
                         struct dj_device_entry *entries, size_t maximum, size_t *count,
                         struct dj_error *err)
{
    struct pollfd wait = {.fd = watch->fd, .events = POLLIN};
    struct dj_text text = {0};
    struct dj_error why = {0};
    struct dj_deadline deadline = dj_deadline_in(timeout_ns, interrupt);
    *count = SIZE_MAX;
    int code = dj_deadline_poll(&deadline, &wait, 1, &why);
    if (code == 0) {
        deadline = dj_deadline_in(DJ_ADB_SERVER_NS, interrupt);
        code = dj_adb_read_length_prefixed(watch->fd, &text, &deadline, &why);
        *count = code == 0 ? dj_adb_parse_devices(dj_text_get(&text), text.length,
                                                  entries, maximum)
                           : SIZE_MAX;
    } else if (code == DJ_E_TIMEOUT) {
        code = 0;
    }
    dj_text_finish(&text);
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

void dj_device_watch_close(const struct dj_device_watch *watch)
{
    close(watch->fd);
}
