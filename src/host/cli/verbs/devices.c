#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "device/device_list.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/devices.h"

struct devices {
    bool json, all, watch;
    const char *record;
};

#define AT(member) offsetof(struct devices, member)
static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.devices/1)"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL,
     "also print the hardware and the current state of each device"},
    {"watch", 'w', DJ_OPTION_FLAG, AT(watch), NULL,
     "print each device that connects, disconnects or changes, until Ctrl-C"},
    {"record-replay", 0, DJ_OPTION_STRING, AT(record), "DIR",
     "save each device's answers in DIR/DEVICE; '--device replay:DIR/DEVICE' replays "
     "them"},
};

/* A growing list of devices to query. */
struct list {
    struct dj_inquired_device *device;
    size_t count;
};

static void add_device(struct list *list, const char *name, const char *state)
{
    DJ_XROOM(list->device, list->count);
    struct dj_inquired_device *one = &list->device[list->count++];
    *one = (struct dj_inquired_device){.obstacle_count = 0};
    dj_facts_init(&one->facts);
    snprintf(one->name, sizeof(one->name), "%s", name);
    snprintf(one->facts.state, sizeof(one->facts.state), "%s", state);
}

static struct dj_inquired_device *find_device(const struct list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->device[i].name, name) == 0) {
            return &list->device[i];
        }
    }
    return NULL;
}

static void add_entries(struct list *list, const struct dj_device_entry *entries,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (find_device(list, entries[i].serial) == NULL) {
            add_device(list, entries[i].serial, entries[i].state);
        }
    }
}

/* Adds all devices of adb. Adds none if this machine has no adb. */
static int add_all(struct list *list, struct dj_error *err)
{
    struct dj_device_entry *entries = dj_xcalloc(DJ_DEVICES_MAX, sizeof(*entries));
    size_t count = 0;
    int code = dj_device_list(entries, DJ_DEVICES_MAX, &count, err);
    if (code == DJ_E_NOT_FOUND) {
        dj_cli_print_message("%s", err->message);
        code = 0;
    } else if (code == 0 && count == 0) {
        dj_cli_print_message("adb: no device is connected");
    }
    add_entries(list, entries, code == 0 ? count : 0);
    free(entries);
    return code;
}

/* Lists the named devices, or all devices. Reads their states from adb first. If adb
 * knows that a device is unusable, its state explains the problem better than the error
 * of a failed connection. */
static int choose(struct list *list, int count, char **names, struct dj_error *err)
{
    struct list known = {0};
    bool asks_adb = count == 0;
    int code = 0;
    for (int i = 0; i < count; i++) {
        asks_adb = asks_adb || (strcmp(names[i], "local:") != 0 &&
                                strncmp(names[i], "replay:", 7) != 0);
    }
    if (asks_adb) {
        code = add_all(&known, err);
    }
    for (int i = 0; i < count && code == 0; i++) {
        const struct dj_inquired_device *found = find_device(&known, names[i]);
        bool all = strcmp(names[i], "adb:") == 0;
        for (size_t k = 0; all && k < known.count; k++) {
            add_device(list, known.device[k].name, known.device[k].facts.state);
        }
        if (!all) {
            add_device(list, names[i], found != NULL ? found->facts.state : "");
        }
    }
    if (count == 0) {
        *list = known;
        add_device(list, "local:", "");
        return code;
    }
    free(known.device);
    return code;
}

static int print_devices(const struct devices *values, struct list *list)
{
    struct dj_text text = {0};
    dj_device_inquire(list->device, list->count, values->record);
    if (values->json) {
        dj_report_devices_json(&text, list->device, list->count);
    } else {
        struct dj_document document = {0};
        dj_report_build_devices(&document, list->device, list->count);
        dj_cli_append_document(&text, &document, values->all);
    }
    return dj_cli_finish_output(0, &text, &(struct dj_error){0});
}

/* Returns DJ_EXIT_DEVICE if a named device was not reached. */
static int choose_exit_code(const struct list *list, bool named)
{
    for (size_t i = 0; named && i < list->count; i++) {
        const struct dj_inquired_device *one = &list->device[i];
        const char *state = one->facts.state;
        if (one->error.code != 0 ||
            (strcmp(state, "device") != 0 && strcmp(state, "local") != 0 &&
             strcmp(state, "replay") != 0)) {
            return DJ_EXIT_DEVICE;
        }
    }
    return DJ_EXIT_OK;
}

static volatile sig_atomic_t stopped;

static void on_signal(int signal)
{
    (void)signal;
    stopped = 1;
}

static int64_t get_latest_ns(void *user)
{
    (void)user;
    return stopped ? 0 : INT64_MAX;
}

static int print_event(const struct devices *values, const char *event,
                       const struct dj_inquired_device *device)
{
    struct dj_text text = {0};
    (values->json ? dj_report_device_event_json
                  : dj_report_device_event_text)(&text, event, device);
    return dj_cli_finish_output(0, &text, &(struct dj_error){0});
}

/* Queries all devices that are new or have another state, in parallel. Prints each of
 * them, and each removed device. */
static int handle_change(const struct devices *values, struct list *list,
                         const struct dj_device_entry *entries, size_t count)
{
    struct list fresh = {0}, changed = {0};
    int result = DJ_EXIT_OK;
    add_entries(&fresh, entries, count);
    for (size_t i = 0; i < fresh.count; i++) {
        const struct dj_inquired_device *before = find_device(list, fresh.device[i].name);
        if (before == NULL ||
            strcmp(before->facts.state, fresh.device[i].facts.state) != 0) {
            add_device(&changed, fresh.device[i].name, fresh.device[i].facts.state);
        }
    }
    for (size_t i = 0; i < list->count && result == DJ_EXIT_OK; i++) {
        if (find_device(&fresh, list->device[i].name) == NULL) {
            struct dj_inquired_device gone = list->device[i];
            snprintf(gone.facts.state, sizeof(gone.facts.state), "gone");
            gone.obstacle_count = 0;
            result = print_event(values, "removed", &gone);
        }
    }
    dj_device_inquire(changed.device, changed.count, values->record);
    for (size_t i = 0; i < changed.count && result == DJ_EXIT_OK; i++) {
        bool known = find_device(list, changed.device[i].name) != NULL;
        result = print_event(values, known ? "changed" : "added", &changed.device[i]);
    }
    free(changed.device);
    free(list->device);
    *list = fresh;
    return result == DJ_EXIT_OK ? 0 : DJ_E_OUTPUT;
}

/* Watches until Ctrl-C (DJ_E_INTERRUPTED), until the adb server ends (DJ_E_GONE), or
 * until another error. Returns the code. */
static int watch_server(const struct devices *values,
                        const struct dj_device_watch *watch_devices, struct list *list,
                        struct dj_error *err)
{
    const struct dj_interrupt_request interrupt = {.latest_ns = get_latest_ns};
    struct dj_device_entry *entries = dj_xcalloc(DJ_DEVICES_MAX, sizeof(*entries));
    bool first = true;
    int code = 0;
    while (code == 0) {
        size_t count;
        code = dj_device_watch_next(watch_devices, 60 * DJ_SECOND_NS, &interrupt, entries,
                                    DJ_DEVICES_MAX, &count, err);
        if (code == 0 && first && (count == 0 || count == SIZE_MAX)) {
            dj_cli_print_message(
                "no device is connected to adb; waiting for one (Ctrl-C stops)");
        }
        first = false;
        if (code == 0 && count != SIZE_MAX) {
            code = handle_change(values, list, entries, count);
        }
    }
    free(entries);
    return code;
}

/* Watches until Ctrl-C. If the adb server was killed, reports all devices as removed, and
 * starts the server again. */
static int watch_devices(const struct devices *values)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct list list = {0};
    struct dj_error err = {0};
    int code = DJ_E_GONE;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    while (code == DJ_E_GONE) {
        struct dj_device_watch server;
        code = dj_device_watch_open(&server, &err);
        if (code == 0) {
            code = watch_server(values, &server, &list, &err);
            dj_device_watch_close(&server);
        }
        if (code == DJ_E_GONE) {
            dj_cli_print_event("lost the connection to the adb server (%s)", err.message);
            code = handle_change(values, &list, NULL, 0) == 0 ? DJ_E_GONE : DJ_E_OUTPUT;
        }
    }
    free(list.device);
    if (code == DJ_E_INTERRUPTED || stopped) {
        return DJ_EXIT_OK;
    }
    return code == DJ_E_OUTPUT ? DJ_EXIT_DATA : dj_cli_finish(code, &err);
}

static int run(void *given, int count, char **operands)
{
    struct devices *values = given;
    struct list list = {0};
    struct dj_error err = {0};
    if (values->watch && count > 0 && !(count == 1 && strcmp(operands[0], "adb:") == 0)) {
        return dj_cli_print_usage_error("--watch: expected no operand, found '%s'",
                                        operands[0]);
    }
    if (values->watch) {
        return watch_devices(values);
    }
    int code = choose(&list, count, operands, &err);
    int result = code == 0 ? print_devices(values, &list) : dj_cli_finish(code, &err);
    result = result == DJ_EXIT_OK ? choose_exit_code(&list, count > 0) : result;
    free(list.device);
    return result;
}

static const struct dj_example examples[] = {
    {"List all devices of adb and this machine", "dejank devices"},
    {"Check one device, for a script", "dejank devices --json emulator-5554"},
    {"Watch devices connect and disconnect", "dejank devices --watch"},
};

const struct dj_verb dj_verb_devices = {
    .name = "devices",
    .synopsis = "[OPTION]… [DEVICE…]",
    .summary = "list devices, their state, and what prevents measuring",
    .description =
        "DEVICE is an adb serial, HOST:PORT, local: (this machine), replay:DIR (answers "
        "that --record-replay saved), or adb: for all devices of adb. The default is "
        "adb: and local:. A device that does not answer within 10 s is \"silent\".\n"
        "A device is \"ready\" if nothing prevents a measurement. Notes name the "
        "obstacles, also those that only make the figures less reliable. The commands "
        "after \"next:\" remove the obstacles that a command can remove.\n",
    .exit_codes = "3\ta named device does not answer, or the adb server fails\n"
                  "4\tthe result cannot be written\n",
    DJ_EXAMPLES(examples),
    .operands = {"DEVICE", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct devices),
    .run = run,
};
