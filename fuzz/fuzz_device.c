/* What devices print: the readers of their facts, their clocks, their lists and shell
 * packets, and the text of a replay. The first byte of an input says which. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/adb_wire.h"
#include "device/clock.h"
#include "device/facts.h"
#include "device/facts_parts.h"
#include "device/replay_file.h"

static void (*const readers[])(struct dj_device_facts *, const char *, size_t) = {
    dj_facts_getprop, dj_facts_wm,    dj_facts_settings, dj_facts_battery,
    dj_facts_thermal, dj_facts_power, dj_facts_policy,   dj_facts_display,
    dj_facts_flinger, dj_facts_linux,
};
enum { READERS = sizeof(readers) / sizeof(readers[0]) };

static void read_facts(size_t reader, const char *text, size_t size)
{
    struct dj_device_facts facts;
    struct dj_device_obstacle obstacles[DJ_OBSTACLES_MAX];
    dj_device_facts_init(&facts);
    readers[reader](&facts, text, size);
    memcpy(facts.state, "device", sizeof("device"));
    if (facts.rate_count > DJ_FACTS_RATES || facts.cores == 0 || facts.width_px == 0 ||
        dj_device_obstacles("serial", &facts, obstacles) > DJ_OBSTACLES_MAX) {
        abort();
    }
}

static void read_others(const char *text, size_t size)
{
    struct dj_clock_answer answer;
    struct dj_replay_entry entry;
    struct dj_device_entry entries[4];
    struct dj_shell_decoder decoder = {0};
    struct dj_shell_result result = {.out.maximum = 65536, .err.maximum = 65536};
    if (dj_clock_answer_parse(text, size, &answer) && answer.boot_ns < 0) {
        abort();
    }
    dj_clock_power_parse(text, size);
    if (dj_replay_parse(text, size, &entry, NULL) == 0) {
        dj_replay_entry_finish(&entry);
    }
    if (dj_adb_devices_parse(text, size, entries, 4) > 4 ||
        dj_shell_exit_mark_at(text, size) > size) {
        abort();
    }
    dj_shell_decode(&decoder, text, size, &result, NULL);
    dj_shell_result_finish(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t which = data[0] % (READERS + 1);
    /* A copy of its own: what is read beyond it is seen. */
    char *text = malloc(size - 1 + (size == 1));
    if (text != NULL) {
        memcpy(text, data + 1, size - 1);
        if (which < READERS) {
            read_facts(which, text, size - 1);
        } else {
            read_others(text, size - 1);
        }
        free(text);
    }
    return 0;
}
