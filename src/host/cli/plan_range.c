#include <math.h>

#include "cli/run_plan.h"

static bool is_there(const struct dj_range *range, const char *name)
{
    for (size_t i = 0; i < range->count; i++) {
        if (strcmp(range->device[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static struct dj_range_device *add(struct dj_range *range, const char *name,
                                   const char *of)
{
    void *larger = reallocarray(range->device, range->count + 1, sizeof(*range->device));
    char *copy = strdup(name);
    range->device = larger != NULL ? larger : range->device;
    if (larger == NULL || copy == NULL) {
        free(copy);
        return NULL;
    }
    struct dj_range_device *device = &range->device[range->count++];
    *device = (struct dj_range_device){.name = copy, .of = of, .reachable = true};
    dj_device_facts_init(&device->facts);
    return device;
}

/* A device that does not answer is no reason to end: its facts are unknown. */
static void ask(struct dj_range_device *device)
{
    struct dj_device *opened = NULL;
    struct dj_error err = {0};
    if (dj_device_open(device->name, &opened, &err) != 0 ||
        dj_device_facts_read(opened, &device->facts, &err) != 0) {
        device->reachable = false;
        snprintf(device->why, sizeof(device->why), "%.239s", err.message);
    }
    dj_device_close(opened);
}

/* Of the class, of those that adb has. */
static int add_class(const struct dj_plan_device *wanted, char **names, size_t count,
                     struct dj_range *range)
{
    int64_t taken = 0;
    for (size_t i = 0; i < count && (wanted->most == 0 || taken < wanted->most); i++) {
        if (is_there(range, names[i])) {
            continue;
        }
        struct dj_range_device *device = add(range, names[i], wanted->class.name);
        if (device == NULL) {
            return DJ_E_NO_MEMORY;
        }
        ask(device);
        if (device->reachable && dj_device_class_holds(&wanted->class, &device->facts)) {
            taken++;
        } else {
            free(device->name);
            range->count--;
        }
    }
    if (taken == 0) {
        range->unmatched[range->unmatched_count++] = wanted;
    }
    return 0;
}

static int add_selected(const struct dj_plan_device *wanted, bool asked,
                        struct dj_range *range, struct dj_error *err)
{
    char **names = NULL;
    size_t count = 0;
    int result = dj_run_devices(&wanted->selector, 1, &names, &count, err);
    for (size_t i = 0; i < count && result == 0; i++) {
        if (is_there(range, names[i])) {
            continue;
        }
        struct dj_range_device *device = add(range, names[i], wanted->selector);
        if (device == NULL) {
            result = DJ_E_NO_MEMORY;
        } else if (asked) {
            ask(device);
        }
    }
    dj_run_devices_free(names, count);
    return result;
}

static bool has_class(const struct dj_plan *plan)
{
    for (size_t i = 0; i < plan->device_count; i++) {
        if (plan->devices[i].selector == NULL) {
            return true;
        }
    }
    return false;
}

/* Selected devices first, so that a class does not count what was selected by name. */
int dj_range_find(const struct dj_plan *plan, bool asked, struct dj_range *range,
                  struct dj_error *err)
{
    static const char *const all = "adb:";
    char **names = NULL;
    size_t count = 0;
    struct dj_error none = {0};
    *range = (struct dj_range){
        .unmatched = calloc(plan->device_count + 1, sizeof(*range->unmatched))};
    int result = range->unmatched == NULL ? DJ_E_NO_MEMORY : 0;
    for (size_t i = 0; i < plan->device_count && result == 0; i++) {
        if (plan->devices[i].selector != NULL) {
            result = add_selected(&plan->devices[i], asked, range, err);
        }
    }
    /* Where adb has nothing, classes have none: told as such. */
    if (result == 0 && has_class(plan) &&
        dj_run_devices(&all, 1, &names, &count, &none) == DJ_E_NO_MEMORY) {
        result = DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < plan->device_count && result == 0; i++) {
        if (plan->devices[i].selector == NULL) {
            result = add_class(&plan->devices[i], names, count, range);
        }
    }
    dj_run_devices_free(names, count);
    return result == DJ_E_NO_MEMORY ? dj_error_set(err, result, "out of memory") : result;
}

void dj_range_finish(struct dj_range *range)
{
    for (size_t i = 0; i < range->count; i++) {
        free(range->device[i].name);
    }
    free(range->device);
    free(range->unmatched);
    *range = (struct dj_range){0};
}

/* ---- what it lacks ---- */

struct seen {
    size_t known;
    double least, most;
};

static struct seen look(const struct dj_range *range, enum dj_class_fact fact)
{
    struct seen seen = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < range->count; i++) {
        double value = dj_class_fact_of(&range->device[i].facts, fact);
        if (!isnan(value)) {
            seen.known++;
            seen.least = fmin(seen.least, value);
            seen.most = fmax(seen.most, value);
        }
    }
    return seen;
}

/* What is missing at one end: no device below, or above, a bound. */
static const struct {
    enum dj_class_fact fact;
    bool low;
    double bound;
    const char *says;
} ends[] = {
    {DJ_FACT_RAM, true, 3e9, "no low-end device (RAM < 3 GB)"},
    {DJ_FACT_RAM, false, 8e9, "no high-end device (RAM ≥ 8 GB)"},
    {DJ_FACT_WIDTH, false, 600, "no tablet (shorter side ≥ 600 dp)"},
};

/* Of what there is but one. */
static const struct {
    enum dj_class_fact fact;
    const char *name, *unit;
    double factor;
} kinds[] = {
    {DJ_FACT_DENSITY, "density", "dpi", 1},
    {DJ_FACT_REFRESH, "highest refresh rate", "Hz", 1},
    {DJ_FACT_WIDTH, "size (shorter side)", "dp", 1},
    {DJ_FACT_API, "release", "(API)", 1},
    {DJ_FACT_RAM, "amount of RAM", "GB", 1e9},
};

/* Releases of systems without an API level: their names. */
static bool one_release(const struct dj_range *range)
{
    for (size_t i = 1; i < range->count; i++) {
        if (strcmp(range->device[i].facts.release, range->device[0].facts.release) != 0) {
            return false;
        }
    }
    return range->count > 0 && range->device[0].facts.release[0] != '\0';
}

size_t dj_range_lacks(const struct dj_range *range,
                      char lacks[DJ_LACKS_MOST][DJ_LACK_TEXT])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct seen seen = look(range, ends[i].fact);
        bool there = seen.known > 0 && (ends[i].low ? seen.least < ends[i].bound
                                                    : seen.most >= ends[i].bound);
        if (!there) {
            snprintf(lacks[count++], DJ_LACK_TEXT, "%s%s", ends[i].says,
                     seen.known < range->count ? ", as far as devices tell" : "");
        }
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct seen seen = look(range, kinds[i].fact);
        bool some = seen.known > 0;
        if (kinds[i].fact == DJ_FACT_API && one_release(range)) {
            snprintf(lacks[count++], DJ_LACK_TEXT, "one release only: %.100s",
                     range->device[0].facts.release);
        } else if (some && seen.least == seen.most) {
            snprintf(lacks[count++], DJ_LACK_TEXT, "one %s only: %.4g %s", kinds[i].name,
                     seen.least / kinds[i].factor, kinds[i].unit);
        }
    }
    struct seen emulator = look(range, DJ_FACT_EMULATOR);
    if (emulator.known > 0 && emulator.least == 1) {
        snprintf(lacks[count++], DJ_LACK_TEXT,
                 "no real device: all are emulators or virtual machines");
    }
    return count;
}
