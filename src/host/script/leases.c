/* Leases of the script's devices, which prevent two dejank processes from using one
 * device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "script/state.h"

static bool has_lease(const struct dj_script *script, const char *device)
{
    bool has = script->lent != NULL && strcmp(script->lent->name, device) == 0;
    for (size_t i = 0; i < script->lease_count; i++) {
        has = has || strcmp(script->leases[i].device, device) == 0;
    }
    return has;
}

static int acquire_lease(struct dj_script *script, const char *device,
                         struct dj_error *err)
{
    bool shared = strcmp(device, "local:") == 0 || strncmp(device, "replay:", 7) == 0;
    if (shared || has_lease(script, device)) {
        return 0;
    }
    DJ_XROOM(script->leases, script->lease_count);
    struct dj_script_lease *lease = &script->leases[script->lease_count];
    snprintf(lease->device, sizeof(lease->device), "%s", device);
    int code = dj_measure_lease_acquire(device, &lease->lease, err);
    script->lease_count += code == 0 ? 1 : 0;
    return code;
}

void dj_script_release_leases(struct dj_script *script)
{
    for (size_t i = 0; i < script->lease_count; i++) {
        dj_measure_lease_release(&script->leases[i].lease);
    }
    free(script->leases);
    script->leases = NULL;
    script->lease_count = 0;
}

int dj_script_lease_device(struct dj_script *script, struct dj_device **device,
                           struct dj_error *err)
{
    int code = acquire_lease(script, (*device)->name, err);
    if (code == 0 && script->options->record != NULL) {
        code = dj_device_record_named(device, script->options->record, err);
    }
    if (code != 0) {
        dj_device_close(*device);
        *device = NULL;
    }
    return code;
}
