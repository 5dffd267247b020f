/* Device facts as a list of names and values, and back. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"
#include "facts/device.h"

enum { NUMBER_SIZE = sizeof(((struct dj_fact_list *)NULL)->numbers[0]) };

/* NaN: no number at all. */
static double number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return end > text && isfinite(value) && value >= 0 ? value : NAN;
}

/* ---- kinds of facts: `at` is the member of struct dj_device_facts ---- */

static const char *text_value(const void *at, char *room)
{
    (void)room;
    return at;
}

static void set_text(void *at, size_t size, const struct dj_fact *fact)
{
    snprintf(at, size, "%s", fact->value);
}

static const char *put_count(int64_t count, char *room)
{
    room[0] = '\0';
    if (count > 0) {
        snprintf(room, NUMBER_SIZE, "%" PRId64, count);
    }
    return room;
}

static const char *count_value(const void *at, char *room)
{
    return put_count(*(const int *)at, room);
}

static void set_count(void *at, size_t size, const struct dj_fact *fact)
{
    double value = number(fact->value);
    (void)size;
    if (value < 1e9) { /* NaN is not */
        *(int *)at = (int)value;
    }
}

static const char *hz_value(const void *at, char *room)
{
    return put_count(*(const int64_t *)at, room);
}

static void set_whole(int64_t *whole, double value)
{
    if (value < 0x1p60) { /* NaN is not */
        *whole = (int64_t)value;
    }
}

static void set_hz(void *at, size_t size, const struct dj_fact *fact)
{
    (void)size;
    set_whole(at, number(fact->value));
}

static const char *ram_value(const void *at, char *room)
{
    return put_count(*(const int64_t *)at >> 20, room);
}

static double bytes_in(const char *unit)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MiB", 0x1p20}, {"GiB", 0x1p30}, {"KiB", 0x1p10}, {"kB", 1e3},
                 {"MB", 1e6},     {"GB", 1e9},     {"B", 1},        {"bytes", 1}};
    for (size_t i = 0; unit != NULL && i < COUNT_OF(units); i++) {
        if (strcmp(unit, units[i].name) == 0) {
            return units[i].bytes;
        }
    }
    return unit == NULL || unit[0] == '\0' ? 0x1p10 : NAN;
}

static void set_ram(void *at, size_t size, const struct dj_fact *fact)
{
    (void)size;
    set_whole(at, number(fact->value) * bytes_in(fact->unit));
}

static const char *emulator_value(const void *at, char *room)
{
    (void)room;
    return *(const enum dj_known *)at == DJ_KNOWN_YES ? "yes" : "";
}

static void set_emulator(void *at, size_t size, const struct dj_fact *fact)
{
    (void)size;
    *(enum dj_known *)at = strcmp(fact->value, "yes") == 0 ? DJ_KNOWN_YES : DJ_KNOWN_NO;
}

/* The only fact of two members: `at` is all facts. */
static const char *rates_value(const void *at, char *room)
{
    const struct dj_device_facts *facts = at;
    size_t used = 0;
    room[0] = '\0';
    for (size_t i = 0; i < facts->rate_count && used < NUMBER_SIZE; i++) {
        used += (size_t)snprintf(room + used, NUMBER_SIZE - used, "%s%.6g",
                                 i > 0 ? "," : "", facts->rates_hz[i]);
    }
    return room;
}

static void set_rates(void *at, size_t size, const struct dj_fact *fact)
{
    struct dj_device_facts *facts = at;
    const char *rate = fact->value;
    char *end;
    (void)size;
    facts->rate_count = 0;
    for (; facts->rate_count < DJ_FACTS_RATES; rate = end + 1) {
        double hz = strtod(rate, &end);
        if (end == rate || !(hz > 0) || !isfinite(hz)) {
            return;
        }
        facts->rates_hz[facts->rate_count++] = hz;
        if (*end != ',') {
            return;
        }
    }
}

static const struct kind {
    const char *(*value)(const void *at, char *room); /* "": unknown */
    void (*set)(void *at, size_t size, const struct dj_fact *fact);
} text = {text_value, set_text}, count = {count_value, set_count},
  hz = {hz_value, set_hz}, ram = {ram_value, set_ram}, rates = {rates_value, set_rates},
  emulator = {emulator_value, set_emulator};

/* ---- the list ---- */

#define MEMBER(name)                                                                     \
    offsetof(struct dj_device_facts, name), sizeof(((struct dj_device_facts *)NULL)->name)

static const struct {
    const char *name;
    const struct kind *kind;
    size_t offset, size;
    const char *unit;
} entries[] = {
    {"platform", &text, MEMBER(platform), NULL},
    {"api", &count, MEMBER(api), NULL},
    {"build", &text, MEMBER(build), NULL},
    {"kernel", &text, MEMBER(kernel), NULL},
    {"dumpsys", &text, MEMBER(dumpsys), NULL},
    {"ram", &ram, MEMBER(ram_bytes), "MiB"},
    {"cpu", &text, MEMBER(cpu), NULL},
    {"cores", &count, MEMBER(cores), NULL},
    {"cpu-max", &hz, MEMBER(cpu_max_hz), "Hz"},
    {"gpu", &text, MEMBER(gpu), NULL},
    {"density", &count, MEMBER(density_dpi), "dpi"},
    {"width", &count, MEMBER(width_px), "px"},
    {"height", &count, MEMBER(height_px), "px"},
    {"refresh-rates", &rates, 0, 0, "Hz"},
    {"emulator", &emulator, MEMBER(emulator), NULL},
};
_Static_assert(COUNT_OF(entries) <= DJ_FACTS_LISTED, "a list has room for all of them");

void dj_facts_list(const struct dj_device_facts *facts, struct dj_fact_list *list)
{
    list->count = 0;
    for (size_t i = 0; i < COUNT_OF(entries); i++) {
        const void *at = (const char *)facts + entries[i].offset;
        const char *value = entries[i].kind->value(at, list->numbers[i]);
        if (value[0] != '\0') {
            list->fact[list->count++] =
                (struct dj_fact){entries[i].name, value, entries[i].unit};
        }
    }
}

void dj_facts_set(struct dj_device_facts *facts, const struct dj_fact *fact)
{
    for (size_t i = 0; i < COUNT_OF(entries) && fact->name != NULL && fact->value != NULL;
         i++) {
        if (strcmp(fact->name, entries[i].name) == 0) {
            entries[i].kind->set((char *)facts + entries[i].offset, entries[i].size,
                                 fact);
        }
    }
}

void dj_facts_set_system(struct dj_device_facts *facts, const char *model,
                         const char *release)
{
    if (facts->emulator == DJ_KNOWN_NOT && facts->api > 0) {
        facts->emulator = DJ_KNOWN_NO;
    }
    snprintf(facts->model, sizeof(facts->model), "%s", model != NULL ? model : "");
    snprintf(facts->release, sizeof(facts->release), "%s",
             release != NULL ? release : "");
}
