#include <math.h>

#include "device/device_list.h"
#include "device/facts.h"
#include "measure/check_app.h"
#include "memory/memory.h"
#include "plan/device_range.h"

static bool is_listed(const struct dj_plan_range *range, const char *name)
{
    size_t i = 0;
    while (i < range->count && strcmp(range->device[i].name, name) != 0) {
        i++;
    }
    return i < range->count;
}

static struct dj_plan_range_device *add_device(struct dj_plan_range *range,
                                               const char *name, const char *of)
{
    DJ_XPUSH(range->device, range->count,
             (struct dj_plan_range_device){
                 .name = dj_xstrdup(name), .of = of, .reachable = true});
    struct dj_plan_range_device *device = &range->device[range->count - 1];
    dj_facts_init(&device->facts);
    return device;
}

/* Marks a device as not reachable. Removes the hint from the message. */
static void set_unreachable(struct dj_plan_range_device *device, const char *message)
{
    const char *hint = strstr(message, ". hint: ");
    device->reachable = false;
    snprintf(device->why, sizeof(device->why), "%.*s",
             hint != NULL ? (int)(hint - message) : (int)sizeof(device->why) - 1,
             message);
}

/* Finds out why `dejank run` would not measure the plan's app on the device. */
static void find_obstacle(struct dj_plan_range_device *device,
                          const struct dj_batch_plan *plan, struct dj_device *opened)
{
    bool is_android = strcmp(device->facts.platform, "android") == 0;
    for (size_t i = 0; i < plan->build_count && device->obstacle[0] == '\0'; i++) {
        struct dj_error err = {0};
        if (dj_measure_check_app(plan, &plan->builds[i], opened, is_android, &err) ==
            DJ_E_NO_DATA) {
            snprintf(device->obstacle, sizeof(device->obstacle), "%.239s", err.message);
        }
    }
}

/* Reads the facts of a device. If the device does not answer, its facts stay unknown and
 * `reachable` becomes false. If `plan` is not NULL, also checks the app. */
static void read_facts(struct dj_plan_range_device *device,
                       const struct dj_batch_plan *plan)
{
    struct dj_device *opened = NULL;
    struct dj_error err = {0};
    if (dj_device_open(device->name, &opened, &err) != 0 ||
        dj_device_read_facts(opened, &device->facts, &err) != 0) {
        set_unreachable(device, err.message);
    } else if (plan != NULL && plan->package != NULL) {
        find_obstacle(device, plan, opened);
    }
    dj_device_close(opened);
}

/* Connected devices that can be used. */
struct usable {
    struct dj_device_entry *entries;
    size_t count;
};

static int list_usable(struct usable *usable, struct dj_error *err)
{
    size_t listed = 0;
    usable->entries = dj_xcalloc(DJ_DEVICES_MAX, sizeof(*usable->entries));
    int code = dj_xcode(dj_device_list(usable->entries, DJ_DEVICES_MAX, &listed, err));
    for (size_t i = 0; code == 0 && i < listed; i++) {
        if (strcmp(usable->entries[i].state, "device") == 0) {
            usable->entries[usable->count++] = usable->entries[i];
        }
    }
    return code == 0 && usable->count == 0
               ? dj_error_set(err, DJ_E_NOT_FOUND,
                              "adb has no device that can be used. hint: 'dejank "
                              "devices' shows the devices")
               : code;
}

/* Adds the usable devices that belong to a class, at most as many as the plan wants. */
static void add_class(const struct dj_plan_device *wanted, const struct usable *usable,
                      struct dj_plan_range *range)
{
    int64_t added = 0;
    for (size_t i = 0; i < usable->count && (wanted->most == 0 || added < wanted->most);
         i++) {
        const char *name = usable->entries[i].serial;
        if (is_listed(range, name)) {
            continue;
        }
        struct dj_plan_range_device *device = add_device(range, name, wanted->class.name);
        read_facts(device, NULL);
        if (device->reachable && dj_facts_class_matches(&wanted->class, &device->facts)) {
            added++;
        } else {
            free(device->name);
            range->count--;
        }
    }
    if (added == 0) {
        range->unmatched[range->unmatched_count++] = wanted;
    }
}

/* `plan` is NULL if the device is not queried. */
static void add_named(const char *name, const char *selector,
                      const struct dj_batch_plan *plan, struct dj_plan_range *range)
{
    struct dj_plan_range_device *device =
        is_listed(range, name) ? NULL : add_device(range, name, selector);
    if (device != NULL && plan != NULL) {
        read_facts(device, plan);
    }
}

static int add_selector(const char *selector, const struct dj_batch_plan *plan,
                        struct dj_plan_range *range, struct dj_error *err)
{
    struct usable usable = {0};
    if (strcmp(selector, "adb:") != 0) {
        add_named(selector, selector, plan, range);
        return 0;
    }
    int code = list_usable(&usable, err);
    for (size_t i = 0; i < usable.count; i++) {
        add_named(usable.entries[i].serial, selector, plan, range);
    }
    if (code == DJ_E_NOT_FOUND && plan != NULL) {
        set_unreachable(add_device(range, selector, selector), err->message);
        code = 0;
    }
    free(usable.entries);
    return code;
}

/* Adds the devices that are selected by name first. After that, a class adds only devices
 * that are not yet in the range. */
int dj_plan_range_find(const struct dj_plan *plan, bool read_all,
                       struct dj_plan_range *range, struct dj_error *err)
{
    struct usable usable = {0};
    struct dj_error none = {0};
    *range = (struct dj_plan_range){
        .unmatched = dj_xcalloc(plan->device_count, sizeof(*range->unmatched))};
    int result = 0;
    for (size_t i = 0; i < plan->device_count && result == 0; i++) {
        if (plan->devices[i].selector != NULL) {
            result = add_selector(plan->devices[i].selector,
                                  read_all ? &plan->batch : NULL, range, err);
        }
    }
    for (size_t i = 0; i < plan->device_count && result == 0; i++) {
        if (plan->devices[i].selector == NULL) {
            if (usable.entries == NULL) {
                /* Without adb, no connected device belongs to a class. This is not an
                 * error. */
                list_usable(&usable, &none);
            }
            add_class(&plan->devices[i], &usable, range);
        }
    }
    free(usable.entries);
    return result;
}

void dj_plan_range_finish(struct dj_plan_range *range)
{
    for (size_t i = 0; i < range->count; i++) {
        free(range->device[i].name);
    }
    free(range->device);
    free(range->unmatched);
    *range = (struct dj_plan_range){0};
}

struct bounds {
    size_t known;
    double least, most;
};

static struct bounds find_bounds(const struct dj_plan_range *range,
                                 enum dj_class_fact fact)
{
    struct bounds bounds = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < range->count; i++) {
        double value = dj_facts_class_value(&range->device[i].facts, fact);
        if (!isnan(value)) {
            bounds.known++;
            bounds.least = fmin(bounds.least, value);
            bounds.most = fmax(bounds.most, value);
        }
    }
    return bounds;
}

/* Recommended limits of a range of devices. A gap is reported if no device is below a low
 * bound or above a high bound. */
static const struct {
    enum dj_class_fact fact;
    bool low;
    double bound;
    const char *missing;
} ends[] = {
    {DJ_FACT_RAM, true, 3e9, "no low-end device (RAM < 3 GB)"},
    {DJ_FACT_RAM, false, 8e9, "no high-end device (RAM ≥ 8 GB)"},
    {DJ_FACT_WIDTH, false, 600, "no tablet (shorter side ≥ 600 dp)"},
};

/* Facts that should differ between devices. A gap is reported if all devices have the
 * same value. */
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

/* Returns whether all devices have the same release. Releases are compared by name,
 * because some systems have no API level. */
static bool has_one_release(const struct dj_plan_range *range)
{
    for (size_t i = 1; i < range->count; i++) {
        if (strcmp(range->device[i].facts.release, range->device[0].facts.release) != 0) {
            return false;
        }
    }
    return range->count > 0 && range->device[0].facts.release[0] != '\0';
}

size_t dj_plan_range_find_gaps(const struct dj_plan_range *range,
                               char gaps[DJ_GAPS_MAX][DJ_GAP_BYTES])
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        struct bounds bounds = find_bounds(range, ends[i].fact);
        bool there = bounds.known > 0 && (ends[i].low ? bounds.least < ends[i].bound
                                                      : bounds.most >= ends[i].bound);
        if (!there) {
            snprintf(gaps[count++], DJ_GAP_BYTES, "%s%s", ends[i].missing,
                     bounds.known < range->count ? ", as far as known" : "");
        }
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct bounds bounds = find_bounds(range, kinds[i].fact);
        if (kinds[i].fact == DJ_FACT_API && has_one_release(range)) {
            snprintf(gaps[count++], DJ_GAP_BYTES, "one release only: %.100s",
                     range->device[0].facts.release);
        } else if (bounds.known > 0 && bounds.least == bounds.most) {
            snprintf(gaps[count++], DJ_GAP_BYTES, "one %s only: %.4g %s", kinds[i].name,
                     bounds.least / kinds[i].factor, kinds[i].unit);
        }
    }
    struct bounds emulator = find_bounds(range, DJ_FACT_EMULATOR);
    if (emulator.known > 0 && emulator.least == 1) {
        snprintf(gaps[count++], DJ_GAP_BYTES,
                 "no real device: all are emulators or virtual machines");
    }
    return count;
}
