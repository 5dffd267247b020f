#include <stdlib.h>
#include <string.h>

#include "cli/run_batch.h"
#include "device/adb_list.h"

struct names {
    char **name;
    size_t count;
};

static int add(struct names *names, const char *name, struct dj_error *err)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->name[i], name) == 0) {
            return 0;
        }
    }
    char **more = reallocarray(names->name, names->count + 1, sizeof(*more));
    if (more != NULL) {
        names->name = more;
        more[names->count] = strdup(name);
    }
    if (more == NULL || more[names->count] == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    names->count++;
    return 0;
}

static int add_all(struct names *names, struct dj_error *err)
{
    struct dj_device_entry *entries = calloc(DJ_DEVICES_MAX, sizeof(*entries));
    size_t count = 0, usable = 0;
    int code = entries != NULL ? dj_device_list(entries, DJ_DEVICES_MAX, &count, err)
                               : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; code == 0 && i < count; i++) {
        if (strcmp(entries[i].state, "device") == 0) {
            usable++;
            code = add(names, entries[i].serial, err);
        }
    }
    if (code == 0 && usable == 0) {
        code = dj_error_set(err, DJ_E_NOT_FOUND,
                            "adb knows no device that can be used (see dejank devices)");
    }
    free(entries);
    return code;
}

int dj_run_devices(const char *const *selectors, size_t count, char ***names,
                   size_t *name_count, struct dj_error *err)
{
    struct names found = {0};
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        code = strcmp(selectors[i], "adb:") == 0 ? add_all(&found, err)
                                                 : add(&found, selectors[i], err);
    }
    if (code != 0) {
        dj_run_devices_free(found.name, found.count);
        found = (struct names){0};
    }
    *names = found.name;
    *name_count = found.count;
    return code;
}

void dj_run_devices_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
}
