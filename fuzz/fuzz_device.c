/* Reads any text as output of a device. The first byte selects the reader of the
 * remaining bytes. It is either one of the readers of device facts, or all other readers:
 * clock, list of devices, shell packets, and entry of a replay. The results must be
 * within their limits. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/adb/clock.h"
#include "device/adb/protocol.h"
#include "device/facts.h"
#include "device/facts/readers.h"
#include "device/replay/entry.h"

static void (*const readers[])(struct dj_device_facts *, const char *, size_t) = {
    dj_facts_read_getprop, dj_facts_read_wm,      dj_facts_read_settings,
    dj_facts_read_battery, dj_facts_read_thermal, dj_facts_read_power,
    dj_facts_read_policy,  dj_facts_read_display, dj_facts_read_flinger,
    dj_facts_read_linux,
};
enum { READERS = sizeof(readers) / sizeof(readers[0]) };

static void read_facts(size_t reader, const char *text, size_t size)
{
    struct dj_device_facts facts;
    struct dj_device_obstacle obstacles[DJ_OBSTACLES_MAX];
    dj_facts_init(&facts);
    readers[reader](&facts, text, size);
    memcpy(facts.state, "device", sizeof("device"));
    if (facts.rate_count > DJ_FACTS_RATES || facts.cores == 0 || facts.width_px == 0 ||
        dj_device_find_obstacles("serial", &facts, obstacles) > DJ_OBSTACLES_MAX) {
        abort();
    }
}

static void read_others(const char *text, size_t size)
{
    struct dj_adb_clock_answer answer;
    struct dj_replay_entry entry;
    struct dj_device_entry entries[4];
    struct dj_adb_shell_decoder decoder = {0};
    struct dj_device_result result = {.out.maximum = 65536, .err.maximum = 65536};
    if (dj_adb_clock_parse_answer(text, size, &answer) && answer.boot_ns < 0) {
        abort();
    }
    dj_adb_clock_parse_power(text, size);
    if (dj_replay_parse_entry(text, size, &entry, NULL) == 0) {
        dj_replay_entry_finish(&entry);
    }
    if (dj_adb_parse_devices(text, size, entries, 4) > 4 ||
        dj_adb_find_exit_mark(text, size) > size) {
        abort();
    }
    dj_adb_decode_shell(&decoder, text, size, &result, NULL);
    dj_device_result_finish(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t which = data[0] % (READERS + 1);
    /* The copy has exactly this size, so that ASan finds reads past its end. */
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
