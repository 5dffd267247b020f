#include "measure/window/timestats.h"

#include <stdlib.h>
#include <string.h>

#include "measure/settings.h"

#define DUMP_NS (15 * DJ_SECOND_NS)
#define STOP_NS (5 * DJ_SECOND_NS)

/* The name of the entry in the journal (docs/format/journal.md). */
#define SPACE "timestats"
#define NAME "SurfaceFlinger"

static int read_dump(struct dj_device *device, struct dj_surfaces *surfaces,
                     bool *is_empty, struct dj_error *err)
{
    static const char *const argv[] = {"dumpsys", "SurfaceFlinger", "--timestats",
                                       "-dump", NULL};
    struct dj_device_result result = {0};
    struct dj_dump dump = {0};
    struct dj_parse_report *report = calloc(1, sizeof(*report));
    int code = report != NULL ? dj_device_run(device, argv, DUMP_NS, &result, err)
                              : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    *is_empty = code == 0 && result.exit_code == 0 && result.out.length == 0 &&
                result.err.length == 0;
    if (code == 0 && result.out.length > 0) {
        code = dj_gfxinfo_parse_dump(dj_text_get(&result.out), result.out.length, &dump,
                                     report, err);
        /* A text that is not timestats has no layers. */
        code = code == DJ_E_NO_DATA ? 0 : code;
        *surfaces = dump.surfaces;
        dump.surfaces = (struct dj_surfaces){0};
    }
    dj_gfxinfo_dump_finish(&dump);
    free(report);
    dj_device_result_finish(&result);
    return code;
}

/* Opens the journal of the device, and restores what an earlier dejank process has left
 * changed. Returns false if another process uses the device. */
static bool open_journal(struct dj_timestats *timestats)
{
    struct dj_error ignored = {0};
    const char *name = timestats->device->name;
    if (dj_measure_lease_acquire(name, &timestats->lease, &ignored) != 0) {
        return false;
    }
    timestats->is_leased = true;
    timestats->journal = &timestats->own;
    return dj_measure_journal_open(name, &timestats->own, &ignored) == 0 &&
           dj_measure_settings_restore(timestats->device, &timestats->own, &ignored) == 0;
}

static int enable(struct dj_timestats *timestats, struct dj_error *err)
{
    static const char *const argv[] = {"dumpsys", "SurfaceFlinger", "--timestats",
                                       "-clear",  "-enable",        NULL};
    if (dj_measure_journal_note(timestats->journal, SPACE, NAME, NULL, err) != 0) {
        return 0;
    }
    timestats->is_ours = true;
    int code = dj_device_run_or_fail(timestats->device, argv, DUMP_NS, DJ_E_UNSUPPORTED,
                                     NULL, err);
    timestats->is_counting = code == 0;
    return code == DJ_E_UNSUPPORTED ? 0 : code;
}

int dj_timestats_start(struct dj_timestats *timestats, struct dj_device *device,
                       struct dj_journal *journal, struct dj_error *err)
{
    bool is_empty;
    timestats->device = device;
    timestats->journal = journal;
    /* The journal is opened before the dump is read, because an earlier process may have
     * left timestats on. */
    bool has_journal = journal != NULL || open_journal(timestats);
    int code = read_dump(device, &timestats->before, &is_empty, err);
    if (code == 0 && is_empty && has_journal) {
        return enable(timestats, err);
    }
    timestats->is_counting = code == 0 && timestats->before.count > 0;
    return code;
}

int dj_timestats_read(struct dj_timestats *timestats, struct dj_error *err)
{
    bool is_empty;
    if (!timestats->is_counting) {
        return 0;
    }
    dj_gfxinfo_surface_finish(&timestats->frames);
    int code = read_dump(timestats->device, &timestats->frames, &is_empty, err);
    if (code == 0) {
        timestats->is_cleared =
            !dj_gfxinfo_surface_subtract(&timestats->frames, &timestats->before);
        timestats->is_read = true;
    }
    return code;
}

static void disable(struct dj_timestats *timestats)
{
    static const char *const argv[] = {"dumpsys",  "SurfaceFlinger", "--timestats",
                                       "-disable", "-clear",         NULL};
    struct dj_error ignored = {0};
    struct dj_device *device = timestats->device;
    struct dj_interrupt_request before = device->interrupt;
    device->interrupt = (struct dj_interrupt_request){0};
    if (dj_device_run_or_fail(device, argv, STOP_NS, DJ_E_UNSUPPORTED, NULL, &ignored) ==
        0) {
        dj_measure_journal_remove(timestats->journal, SPACE, NAME, &ignored);
    }
    device->interrupt = before;
}

void dj_timestats_stop(struct dj_timestats *timestats)
{
    if (timestats->is_ours) {
        disable(timestats);
    }
    if (timestats->is_leased) {
        dj_measure_journal_finish(&timestats->own);
        dj_measure_lease_release(&timestats->lease);
    }
    dj_gfxinfo_surface_finish(&timestats->before);
    dj_gfxinfo_surface_finish(&timestats->frames);
    *timestats = (struct dj_timestats){0};
}
