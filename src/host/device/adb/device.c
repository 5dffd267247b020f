/* A device behind the adb server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/adb/device.h"
#include "device/dumpsys.h"
#include "device/quote.h"

#define CONNECT_TIMEOUT_NS (10 * DJ_SECOND_NS)

static int read_shell(int fd, bool v2, const struct dj_deadline *deadline,
                      struct dj_device_result *result, struct dj_error *err)
{
    struct dj_adb_shell_decoder decoder = {0};
    char buffer[65536];
    for (;;) {
        size_t got = 0;
        int code = dj_adb_read(fd, buffer, sizeof(buffer), deadline, &got, err);
        if (code != 0) {
            return code;
        }
        if (got == 0) {
            break;
        }
        if (v2) {
            code = dj_adb_decode_shell(&decoder, buffer, got, result, err);
        } else {
            dj_text_append(&result->out, buffer, got);
            code = result->out.failed ? dj_error_set(err, DJ_E_LIMIT,
                                                     "the command wrote more than %d MiB",
                                                     DJ_DEVICE_OUTPUT_MAX / (1024 * 1024))
                                      : 0;
        }
        if (code != 0 || decoder.ended) {
            return code;
        }
    }
    return v2 ? dj_error_set(err, DJ_E_GONE,
                             "the device was disconnected before the command ended")
              : dj_adb_remove_exit_mark(result, err);
}

int dj_adb_open_command(const struct dj_adb_device *device, const char *before,
                        const char *const *argv, const char *after,
                        const struct dj_deadline *deadline, int *fd, struct dj_error *err)
{
    struct dj_text service = {0};
    dj_text_add(&service, before);
    dj_device_quote_command(&service, argv);
    dj_text_add(&service, after);
    int code = dj_adb_open_service(&device->address, device->base.name,
                                   dj_text_get(&service), deadline, fd, err);
    dj_text_finish(&service);
    return code;
}

static int adb_shell(struct dj_device *device, const char *const *argv,
                     int64_t timeout_ns, struct dj_device_result *result,
                     struct dj_error *err)
{
    const struct dj_adb_device *adb = (struct dj_adb_device *)device;
    const struct dj_deadline deadline = dj_deadline_in(timeout_ns, &device->interrupt);
    const bool v2 = adb->shell_v2;
    int fd;
    result->out.maximum = DJ_DEVICE_OUTPUT_MAX;
    result->err.maximum = DJ_DEVICE_OUTPUT_MAX;
    int code =
        dj_adb_open_command(adb, v2 ? "shell,v2,raw:" : "shell:", argv,
                            v2 ? "" : DJ_SHELL_PRINT_EXIT_MARK, &deadline, &fd, err);
    if (code == 0) {
        code = read_shell(fd, v2, &deadline, result, err);
        close(fd);
    }
    if (code != 0) {
        dj_error_prepend(err, "%s", device->name);
    }
    return code;
}

static int adb_clock(struct dj_device *device, int64_t *dev_ns, int64_t *uncertainty_ns,
                     struct dj_error *err)
{
    struct dj_adb_device *adb = (struct dj_adb_device *)device;
    int code = dj_adb_clock_read(&adb->clock, device, dev_ns, uncertainty_ns, err);
    if (code != 0) {
        dj_error_prepend(err, "%s: cannot read its clock", device->name);
    }
    return code;
}

static void adb_close(struct dj_device *device)
{
    dj_adb_clock_finish(&((struct dj_adb_device *)device)->clock);
    free(device);
}

static const struct dj_device_ops adb_ops = {
    .shell = adb_shell,
    .gfxinfo = dj_dumpsys_gfxinfo,
    .profile = dj_dumpsys_profile,
    .start = dj_adb_start,
    .connect = dj_adb_connect,
    .push = dj_adb_push,
    .pull = dj_adb_pull,
    .clock = adb_clock,
    .close = adb_close,
};

struct device_list {
    struct dj_device_entry entry[DJ_DEVICES_MAX];
    size_t count;
};

static int list_devices(const struct dj_adb_address *address, struct device_list *list,
                        struct dj_error *err)
{
    return dj_adb_list_devices(address, list->entry, DJ_DEVICES_MAX, &list->count, err);
}

static const struct dj_device_entry *find_device(const struct device_list *list,
                                                 const char *serial)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->entry[i].serial, serial) == 0) {
            return &list->entry[i];
        }
    }
    return NULL;
}

/* Appends a list such as "there are: emulator-5554 (device), 0123 (unauthorized)". */
static void describe_list(struct dj_text *text, const struct device_list *list)
{
    if (list->count == 0) {
        dj_text_add(text, "adb lists no devices (connect one and allow USB debugging, or "
                          "use HOST:PORT)");
        return;
    }
    dj_text_add(text, "connected devices: ");
    for (size_t i = 0; i < list->count; i++) {
        dj_text_add(text, i > 0 ? ", " : "");
        dj_text_append_escaped(text, list->entry[i].serial,
                               strlen(list->entry[i].serial));
        dj_text_format(text, " (%s)", list->entry[i].state);
    }
}

static int fail_not_found(const char *serial, const struct device_list *list,
                          struct dj_error *err)
{
    struct dj_text text = {0};
    describe_list(&text, list);
    int code =
        strcmp(serial, "adb:") != 0
            ? dj_error_set(err, DJ_E_NOT_FOUND,
                           "no device '%s'; %s; the name of this machine is 'local:'",
                           serial, dj_text_get(&text))
            : dj_error_set(
                  err, list->count == 0 ? DJ_E_NOT_FOUND : DJ_E_USAGE,
                  "adb: needs exactly one connected device, so name a device; %s",
                  dj_text_get(&text));
    dj_text_finish(&text);
    return code;
}

/* Returns whether `serial` is an address that `adb connect` accepts, such as
 * HOST:PORT. */
static bool is_network_address(const char *serial)
{
    const char *colon = strrchr(serial, ':');
    if (colon == NULL || colon == serial || colon[1] == '\0') {
        return false;
    }
    return strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

/* Asks the adb server to connect to HOST:PORT. The server answers OKAY even if it could
 * not connect. Only the text of the answer shows the result: "connected to X", "already
 * connected to X", or the reason of the failure. */
static int connect_device(const struct dj_adb_address *address, const char *serial,
                          struct dj_error *err)
{
    struct dj_text service = {0};
    struct dj_text answer = {0};
    const struct dj_deadline deadline = dj_deadline_in(CONNECT_TIMEOUT_NS, NULL);
    dj_text_format(&service, "host:connect:%s", serial);
    int code = dj_adb_query(address, dj_text_get(&service), &deadline, &answer, err);
    const char *reply = dj_text_get(&answer);
    /* After "failed to authenticate", the device is in the list and can be used when the
     * user accepts the key. So this answer is no error here, and wait_until_ready() waits
     * for the user. */
    if (code == 0 && strstr(reply, "connected to") == NULL &&
        strstr(reply, "authenticate") == NULL) {
        code = dj_error_set(err, DJ_E_NOT_FOUND, "no device at %s: adb: %s", serial,
                            dj_device_first_line(reply).line);
    }
    dj_text_finish(&answer);
    dj_text_finish(&service);
    return code;
}

static int refuse_state(const struct dj_device_entry *entry, struct dj_error *err)
{
    static const struct {
        const char *state;
        int code;
        const char *advice;
    } states[] = {
        {"unauthorized", DJ_E_OWNER, "accept this computer's key on its screen"},
        {"authorizing", DJ_E_OWNER, "accept this computer's key on its screen"},
        {"no permissions", DJ_E_OWNER,
         "sudo apt-get install android-sdk-platform-tools-common"},
        {"offline", DJ_E_GONE, "reconnect it, or run `adb disconnect` and connect again"},
        {"connecting", DJ_E_GONE, "try again in a moment"},
    };
    for (size_t i = 0; i < COUNT_OF(states); i++) {
        if (strcmp(states[i].state, entry->state) == 0) {
            return dj_error_set(err, states[i].code, "device '%s' is %s: %s",
                                entry->serial, entry->state, states[i].advice);
        }
    }
    return dj_error_set(err, DJ_E_GONE, "device '%s' is in state '%s', expected 'device'",
                        entry->serial, entry->state);
}

/* Waits at most patience_ns for the device to be ready. A device that was just connected
 * is offline or unauthorized for a moment, so these states are errors only after this
 * time. */
static int wait_until_ready(const struct dj_adb_address *address, const char *serial,
                            int64_t patience_ns, struct device_list *list,
                            struct dj_error *err)
{
    int64_t deadline_ns = dj_host_now_ns() + patience_ns;
    for (;;) {
        int code = list_devices(address, list, err);
        if (code != 0) {
            return code;
        }
        const struct dj_device_entry *entry = find_device(list, serial);
        if (entry != NULL && strcmp(entry->state, "device") == 0) {
            return 0;
        }
        if (dj_host_now_ns() >= deadline_ns) {
            return entry != NULL ? refuse_state(entry, err)
                                 : fail_not_found(serial, list, err);
        }
        dj_host_sleep_ns(50 * DJ_MILLISECOND_NS);
    }
}

static int resolve_name(struct dj_adb_device *adb, struct device_list *list,
                        struct dj_error *err)
{
    char *serial = adb->base.name;
    int code = list_devices(&adb->address, list, err);
    if (code != 0) {
        return code;
    }
    if (strcmp(serial, "adb:") == 0) {
        if (list->count != 1) {
            return fail_not_found(serial, list, err);
        }
        memcpy(serial, list->entry[0].serial, sizeof(list->entry[0].serial));
    }
    const struct dj_device_entry *entry = find_device(list, serial);
    bool known = entry != NULL && strcmp(entry->state, "offline") != 0;
    if (!known && is_network_address(serial)) {
        code = connect_device(&adb->address, serial, err);
        if (code != 0) {
            return code;
        }
    }
    int64_t patience_ns =
        entry == NULL && !is_network_address(serial) ? 0 : 3 * DJ_SECOND_NS;
    return wait_until_ready(&adb->address, serial, patience_ns, list, err);
}

static int read_features(struct dj_adb_device *adb, struct dj_error *err)
{
    struct dj_text service = {0};
    struct dj_text features = {0};
    const struct dj_deadline deadline = dj_deadline_in(DJ_ADB_SERVER_NS, NULL);
    dj_text_format(&service, "host-serial:%s:features", adb->base.name);
    int code =
        dj_adb_query(&adb->address, dj_text_get(&service), &deadline, &features, err);
    adb->shell_v2 = dj_adb_has_feature(dj_text_get(&features), "shell_v2");
    dj_text_finish(&features);
    dj_text_finish(&service);
    return code;
}

static int open_adb(struct dj_adb_device *adb, struct dj_error *err)
{
    struct device_list list = {.count = 0};
    int code = dj_adb_find_server(&adb->address, err);
    if (code == 0) {
        code = resolve_name(adb, &list, err);
    }
    return code == 0 ? read_features(adb, err) : code;
}

int dj_device_open_adb(const char *selector, struct dj_device **device,
                       struct dj_error *err)
{
    struct dj_adb_device *adb = calloc(1, sizeof(*adb));
    if (adb == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    adb->base.ops = &adb_ops;
    int length = snprintf(adb->base.name, sizeof(adb->base.name), "%s", selector);
    int code =
        length < (int)sizeof(adb->base.name)
            ? open_adb(adb, err)
            : dj_error_set(err, DJ_E_USAGE, "the name of a device has at most %zu bytes",
                           sizeof(adb->base.name) - 1);
    if (code != 0) {
        free(adb);
        return code;
    }
    *device = &adb->base;
    return 0;
}
