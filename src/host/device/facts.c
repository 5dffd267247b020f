#include "device/facts.h"

#include <stdio.h>
#include <string.h>

#include "device/facts/readers.h"

#define TIMEOUT_NS (10 * DJ_SECOND_NS)

/* Returns whether only this command failed, so that other commands can still succeed. */
static bool is_command_error(int code)
{
    return code == DJ_E_NOT_FOUND || code == DJ_E_NO_DATA || code == DJ_E_UNSUPPORTED ||
           code == DJ_E_LIMIT;
}

static int run_fact_command(struct dj_device *device,
                            const struct dj_facts_command *command, int64_t end_ns,
                            struct dj_device_facts *facts, struct dj_error *err)
{
    struct dj_device_result result = {0};
    struct dj_error why = {0};
    int64_t left_ns = end_ns - dj_host_now_ns();
    int code = left_ns > 0 ? dj_device_run(device, command->argv, left_ns, &result, &why)
                           : dj_error_set(&why, DJ_E_TIMEOUT, "%s: no answer in time",
                                          device->name);
    if (code == 0 && result.exit_code == 0) {
        command->read(facts, dj_text_get(&result.out), result.out.length);
    }
    dj_device_result_finish(&result);
    if (code != 0 && !is_command_error(code)) {
        return dj_error_set(err, code, "%s", why.message);
    }
    return 0;
}

static void read_version(struct dj_device_facts *facts, const char *text, size_t length)
{
    size_t line = strcspn(text, "\r\n");
    if (length > 7 && strncmp(text, "dejank ", 7) == 0 && line < sizeof(facts->dumpsys)) {
        snprintf(facts->dumpsys, sizeof(facts->dumpsys), "%.*s", (int)line, text);
    }
}

static const struct dj_facts_command getprop_command = {{"getprop"},
                                                        dj_facts_read_getprop};
static const struct dj_facts_command version_command = {{"dumpsys", "dejank", "version"},
                                                        read_version};

static int run_fact_commands(struct dj_device *device, struct dj_device_facts *facts,
                             int64_t end_ns, struct dj_error *err)
{
    int code = run_fact_command(device, &getprop_command, end_ns, facts, err);
    if (code == 0) {
        code = run_fact_command(device, &dj_facts_linux_command, end_ns, facts, err);
    }
    if (facts->api < 0) {
        return code == 0 ? run_fact_command(device, &version_command, end_ns, facts, err)
                         : code;
    }
    for (size_t i = 0; code == 0 && i < DJ_FACTS_ANDROID_COMMANDS; i++) {
        code =
            run_fact_command(device, &dj_facts_android_commands[i], end_ns, facts, err);
    }
    return code;
}

static void set_state(const struct dj_device *device, struct dj_device_facts *facts)
{
    const char *state = strcmp(device->name, "local:") == 0        ? "local"
                        : strncmp(device->name, "replay:", 7) == 0 ? "replay"
                                                                   : "device";
    snprintf(facts->state, sizeof(facts->state), "%s", state);
}

int dj_device_read_facts(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err)
{
    int64_t start_ns = dj_host_now_ns();
    dj_facts_init(facts);
    set_state(device, facts);
    int code = run_fact_commands(device, facts, start_ns + TIMEOUT_NS, err);
    facts->asked_ns = dj_host_now_ns() - start_ns;
    return code;
}
