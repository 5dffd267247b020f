/* Converts facts of a device to a list of names and values, and back. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"
#include "facts/device.h"

enum { NUMBER_SIZE = sizeof(((struct dj_fact_list *)NULL)->numbers[0]) };

/* Parses a number ≥ 0. Returns NaN if the text does not begin with one. */
static double parse_number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return end > text && isfinite(value) && value >= 0 ? value : NAN;
}

static void format_count(int64_t count, char *buffer)
{
    if (count > 0) {
        snprintf(buffer, NUMBER_SIZE, "%" PRId64, count);
    }
}

static void set_whole(int64_t *whole, double value)
{
    if (value < 0x1p60) { /* The comparison is false for NaN. */
        *whole = (int64_t)value;
    }
}

static double unit_bytes(const char *unit)
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

static void format_rates(const struct dj_device_facts *facts, char *buffer)
{
    size_t used = 0;
    for (size_t i = 0; i < facts->rate_count && used < NUMBER_SIZE; i++) {
        used += (size_t)snprintf(buffer + used, NUMBER_SIZE - used, "%s%.6g",
                                 i > 0 ? "," : "", facts->rates_hz[i]);
    }
}

static void set_rates(struct dj_device_facts *facts, const char *rate)
{
    char *end;
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

#define MEMBER(name)                                                                     \
    offsetof(struct dj_device_facts, name), sizeof(((struct dj_device_facts *)NULL)->name)

static const struct entry {
    const char *name;
    enum { TEXT, COUNT, HZ, RAM, RATES, YES_OR_NO } kind;
    /* Position and size of the member of dj_device_facts. Both are 0 for the refresh
     * rates, because these are stored in two members. */
    size_t offset, size;
    const char *unit;
} entries[] = {
    {"platform", TEXT, MEMBER(platform), NULL},
    {"api", COUNT, MEMBER(api), NULL},
    {"build", TEXT, MEMBER(build), NULL},
    {"kernel", TEXT, MEMBER(kernel), NULL},
    {"dumpsys", TEXT, MEMBER(dumpsys), NULL},
    {"ram", RAM, MEMBER(ram_bytes), "MiB"},
    {"cpu", TEXT, MEMBER(cpu), NULL},
    {"cores", COUNT, MEMBER(cores), NULL},
    {"cpu-max", HZ, MEMBER(cpu_max_hz), "Hz"},
    {"gpu", TEXT, MEMBER(gpu), NULL},
    {"density", COUNT, MEMBER(density_dpi), "dpi"},
    {"width", COUNT, MEMBER(width_px), "px"},
    {"height", COUNT, MEMBER(height_px), "px"},
    {"refresh-rates", RATES, 0, 0, "Hz"},
    {"emulator", YES_OR_NO, MEMBER(emulator), NULL},
};
_Static_assert(COUNT_OF(entries) <= DJ_FACTS_LISTED,
               "a list is too small for all entries");

/* Returns the value as text, or "" if it is unknown. The text may be in `buffer`. */
static const char *format_value(const struct dj_device_facts *facts,
                                const struct entry *entry, char *buffer)
{
    const void *member = (const char *)facts + entry->offset;
    switch (entry->kind) {
    case TEXT:
        return member;
    case COUNT:
        format_count(*(const int *)member, buffer);
        break;
    case HZ:
        format_count(*(const int64_t *)member, buffer);
        break;
    case RAM:
        format_count(*(const int64_t *)member >> 20, buffer);
        break;
    case RATES:
        format_rates(facts, buffer);
        break;
    case YES_OR_NO:
        return *(const enum dj_known *)member == DJ_KNOWN_YES ? "yes" : "";
    }
    return buffer;
}

static void set_value(struct dj_device_facts *facts, const struct entry *entry,
                      const struct dj_fact *fact)
{
    void *member = (char *)facts + entry->offset;
    double value = parse_number(fact->value);
    switch (entry->kind) {
    case TEXT:
        snprintf(member, entry->size, "%s", fact->value);
        break;
    case COUNT:
        if (value < 1e9) { /* The comparison is false for NaN. */
            *(int *)member = (int)value;
        }
        break;
    case HZ:
        set_whole(member, value);
        break;
    case RAM:
        set_whole(member, value * unit_bytes(fact->unit));
        break;
    case RATES:
        set_rates(facts, fact->value);
        break;
    case YES_OR_NO:
        *(enum dj_known *)member =
            strcmp(fact->value, "yes") == 0 ? DJ_KNOWN_YES : DJ_KNOWN_NO;
        break;
    }
}

void dj_facts_list(const struct dj_device_facts *facts, struct dj_fact_list *list)
{
    list->count = 0;
    for (size_t i = 0; i < COUNT_OF(entries); i++) {
        list->numbers[i][0] = '\0';
        const char *value = format_value(facts, &entries[i], list->numbers[i]);
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
            set_value(facts, &entries[i], fact);
        }
    }
}

void dj_facts_set_system(struct dj_device_facts *facts, const char *model,
                         const char *release)
{
    if (facts->emulator == DJ_KNOWN_UNKNOWN && facts->api > 0) {
        facts->emulator = DJ_KNOWN_NO;
    }
    snprintf(facts->model, sizeof(facts->model), "%s", model != NULL ? model : "");
    snprintf(facts->release, sizeof(facts->release), "%s",
             release != NULL ? release : "");
}
