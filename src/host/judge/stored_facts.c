#include "judge/stored_facts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* NaN: no number at all. */
static double number(const char *text)
{
    char *end;
    double value = text != NULL ? strtod(text, &end) : NAN;
    return text != NULL && end > text && isfinite(value) && value >= 0 ? value : NAN;
}

static double bytes_in(const char *unit)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MiB", 0x1p20}, {"GiB", 0x1p30}, {"KiB", 0x1p10}, {"kB", 1e3},
                 {"MB", 1e6},     {"GB", 1e9},     {"B", 1},        {"bytes", 1}};
    for (size_t i = 0; unit != NULL && i < ROWS(units); i++) {
        if (strcmp(unit, units[i].name) == 0) {
            return units[i].bytes;
        }
    }
    return unit == NULL || unit[0] == '\0' ? 0x1p10 : NAN;
}

static void take_ram(const struct dj_fact *fact, struct dj_device_facts *facts)
{
    double bytes = number(fact->value) * bytes_in(fact->unit);
    if (bytes < 0x1p60) { /* NaN is not */
        facts->ram_bytes = (int64_t)bytes;
    }
}

static void take_rates(const struct dj_fact *fact, struct dj_device_facts *facts)
{
    const char *at = fact->value;
    char *end;
    facts->rate_count = 0;
    for (; at != NULL && facts->rate_count < DJ_FACTS_RATES; at = end + 1) {
        double hz = strtod(at, &end);
        if (end == at || !(hz > 0) || !isfinite(hz)) {
            return;
        }
        facts->rates_hz[facts->rate_count++] = hz;
        if (*end != ',') {
            return;
        }
    }
}

static void take_emulator(const struct dj_fact *fact, struct dj_device_facts *facts)
{
    facts->emulator = strcmp(fact->value, "yes") == 0 ? DJ_KNOWN_YES : DJ_KNOWN_NO;
}

static void take_cpu_max(const struct dj_fact *fact, struct dj_device_facts *facts)
{
    double hz = number(fact->value);
    if (hz < 0x1p60) {
        facts->cpu_max_hz = (int64_t)hz;
    }
}

/* Whole numbers that fit. */
static const struct {
    const char *name;
    size_t offset;
} counts[] = {
    {"api", offsetof(struct dj_device_facts, api)},
    {"cores", offsetof(struct dj_device_facts, cores)},
    {"density", offsetof(struct dj_device_facts, density_dpi)},
    {"width", offsetof(struct dj_device_facts, width_px)},
    {"height", offsetof(struct dj_device_facts, height_px)},
};

#define TEXT(name, member)                                                               \
    {                                                                                    \
        name, offsetof(struct dj_device_facts, member),                                  \
            sizeof(((struct dj_device_facts *)NULL)->member)                             \
    }
static const struct {
    const char *name;
    size_t offset, size;
} texts[] = {TEXT("gpu", gpu), TEXT("cpu", cpu), TEXT("platform", platform)};
#undef TEXT

static const struct {
    const char *name;
    void (*take)(const struct dj_fact *fact, struct dj_device_facts *facts);
} others[] = {{"ram", take_ram},
              {"refresh-rates", take_rates},
              {"emulator", take_emulator},
              {"cpu-max", take_cpu_max}};

static void take(const struct dj_fact *fact, struct dj_device_facts *facts)
{
    for (size_t i = 0; i < ROWS(counts); i++) {
        double value =
            strcmp(fact->name, counts[i].name) == 0 ? number(fact->value) : NAN;
        if (value < 1e9) {
            *(int *)((char *)facts + counts[i].offset) = (int)value;
        }
    }
    for (size_t i = 0; i < ROWS(texts); i++) {
        if (strcmp(fact->name, texts[i].name) == 0) {
            snprintf((char *)facts + texts[i].offset, texts[i].size, "%s", fact->value);
        }
    }
    for (size_t i = 0; i < ROWS(others); i++) {
        if (strcmp(fact->name, others[i].name) == 0) {
            others[i].take(fact, facts);
        }
    }
}

void dj_stored_facts(const struct dj_loaded_batch *batch, struct dj_device_facts *facts)
{
    dj_device_facts_init(facts);
    for (size_t i = 0; i < batch->fact_count; i++) {
        if (batch->facts[i].name != NULL && batch->facts[i].value != NULL) {
            take(&batch->facts[i], facts);
        }
    }
    /* Told of emulators only; where the rest of a device was asked, it is none. */
    if (facts->emulator == DJ_KNOWN_NOT && facts->api > 0) {
        facts->emulator = DJ_KNOWN_NO;
    }
    snprintf(facts->model, sizeof(facts->model), "%s",
             batch->batch.model != NULL ? batch->batch.model : "");
    snprintf(facts->release, sizeof(facts->release), "%s",
             batch->batch.release != NULL ? batch->batch.release : "");
}
