#include "device/facts.h"

#include <stdio.h>
#include <string.h>

#include "device/facts_parts.h"

#define PATIENCE_NS (10 * DJ_SECOND_NS)

/* Returns whether the error concerns only this command. With any other error no command
 * can run. */
static bool is_of_the_command(int code)
{
    return code == DJ_E_NOT_FOUND || code == DJ_E_NO_DATA || code == DJ_E_UNSUPPORTED ||
           code == DJ_E_LIMIT;
}

static int ask(struct dj_device *device, const struct dj_facts_question *question,
               int64_t end_ns, struct dj_device_facts *facts, struct dj_error *err)
{
    struct dj_shell_result result = {0};
    struct dj_error why = {0};
    int64_t left_ns = end_ns - dj_host_now_ns();
    int code =
        left_ns > 0
            ? dj_device_shell(device, question->argv, left_ns, &result, &why)
            : dj_error_set(&why, DJ_E_TIMEOUT, "%s: no answer in time", device->name);
    if (code == 0 && result.exit_code == 0) {
        question->read(facts, dj_text_get(&result.out), result.out.length);
    }
    dj_shell_result_finish(&result);
    if (code != 0 && !is_of_the_command(code)) {
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

static const struct dj_facts_question getprop_question = {{"getprop"}, dj_facts_getprop};
static const struct dj_facts_question version_question = {
    {"dumpsys", "dejank", "version"}, read_version};

static int ask_all(struct dj_device *device, struct dj_device_facts *facts,
                   int64_t end_ns, struct dj_error *err)
{
    int code = ask(device, &getprop_question, end_ns, facts, err);
    if (code == 0) {
        code = ask(device, &dj_facts_linux_question, end_ns, facts, err);
    }
    if (facts->api < 0) {
        return code == 0 ? ask(device, &version_question, end_ns, facts, err) : code;
    }
    for (size_t i = 0; code == 0 && i < DJ_FACTS_ANDROID_QUESTIONS; i++) {
        code = ask(device, &dj_facts_android_questions[i], end_ns, facts, err);
    }
    return code;
}

static void name_state(const struct dj_device *device, struct dj_device_facts *facts)
{
    const char *state = strcmp(device->name, "local:") == 0        ? "local"
                        : strncmp(device->name, "replay:", 7) == 0 ? "replay"
                                                                   : "device";
    snprintf(facts->state, sizeof(facts->state), "%s", state);
}

int dj_device_facts_read(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err)
{
    int64_t start_ns = dj_host_now_ns();
    dj_device_facts_init(facts);
    name_state(device, facts);
    int code = ask_all(device, facts, start_ns + PATIENCE_NS, err);
    facts->asked_ns = dj_host_now_ns() - start_ns;
    return code;
}
