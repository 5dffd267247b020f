#include "measure/stored_window.h"

#include <inttypes.h>
#include <time.h>

#include "base/json.h"
#include "device/facts.h"
#include "gfxinfo/release.h"
#include "measure/collect.h"
#include "measure/rig/describe_plan.h"

/* The outcome that is stored for each outcome of the collection. A window without frames
 * is not stored. */
static const enum dj_run_outcome outcomes[] = {
    [DJ_COLLECT_DONE] = DJ_RUN_OK,
    [DJ_COLLECT_ENDED] = DJ_RUN_APP_GONE,
    [DJ_COLLECT_GONE] = DJ_RUN_DEVICE_GONE,
};

static int64_t read_unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / DJ_MILLISECOND_NS;
}

static int check(const struct dj_window_request *request,
                 const struct dj_collection *collection, struct dj_error *err)
{
    if (collection->outcome == DJ_COLLECT_NOT_RUNNING) {
        return dj_error_set(err, DJ_E_NO_DATA, "%.100s does not run on %.100s",
                            request->app, request->device);
    }
    if (collection->outcome == DJ_COLLECT_NO_FRAMES) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "%.100s drew no frame, so nothing was stored", request->app);
    }
    return 0;
}

static int write(const struct dj_window_request *request,
                 const struct dj_collection *collection,
                 const struct dj_device_facts *facts, int64_t started_unix_ms,
                 const char *path, char id[DJ_STORE_ID_BYTES], struct dj_error *err)
{
    const struct dj_dialect *dialect = collection->dump.dialect;
    struct dj_text gfxinfo = {0}, options = {0};
    struct dj_store_window marks[DJ_WINDOW_MARKS_MAX];
    struct dj_device_row device;
    struct dj_store *store = NULL;
    int64_t key;
    dj_measure_print_collection(&gfxinfo, collection, true);
    dj_json_open_object(&options, NULL);
    dj_json_add_int(&options, "duration_ns", request->duration_ns);
    dj_json_close(&options, "}");
    dj_describe_plan_device(&device, request->device, facts);
    const struct dj_store_evidence evidence = {DJ_EVIDENCE_GFXINFO, NULL, gfxinfo.data,
                                               gfxinfo.length};
    const struct dj_store_batch batch = {.project = request->app,
                                         .build = {.label = request->label},
                                         .device = device.device,
                                         .name = request->name,
                                         .kind = "run",
                                         .planned = 1,
                                         .options = dj_text_get(&options)};
    const struct dj_store_run run = {
        .number = 1,
        .outcome = outcomes[collection->outcome],
        .reason = collection->error.code != 0 ? collection->error.message : NULL,
        .started_unix_ms = started_unix_ms,
        .duration_ns = request->duration_ns,
        .span = collection->window,
        .release = dialect != NULL ? dialect->name : NULL,
        .windows = marks,
        .window_count = request->list_marks != NULL
                            ? request->list_marks(request->user, &collection->window,
                                                  marks, DJ_WINDOW_MARKS_MAX)
                            : 0,
        .evidence = &evidence,
        .evidence_count = 1};
    int code = gfxinfo.failed || options.failed
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : dj_store_open(path, DJ_STORE_CREATE, &store, err);
    if (code == 0) {
        code = dj_store_begin_batch_with_run(store, &batch, &run, id, &key, err);
        dj_store_close(store);
    }
    dj_text_finish(&gfxinfo);
    dj_text_finish(&options);
    return code;
}

int dj_measure_store_window(const struct dj_window_request *request, const char *store,
                            char id[DJ_STORE_ID_BYTES], struct dj_error *err)
{
    struct dj_device *device;
    struct dj_device_facts facts;
    struct dj_collection collection = {.gather = NULL};
    const struct dj_collect_options options = {.package = request->app,
                                               .duration_ns = request->duration_ns};
    const struct dj_collect_callbacks callbacks = {.now_ns = NULL};
    int64_t started_unix_ms = read_unix_ms();
    int code = dj_device_open(request->device, &device, err);
    if (code != 0) {
        return code;
    }
    device->interrupt = request->stop;
    dj_facts_init(&facts);
    code = dj_device_read_facts(device, &facts, err);
    code = code == 0 ? dj_measure_collect(device, &options, &callbacks, &collection, err)
                     : code;
    code = code == 0 ? check(request, &collection, err) : code;
    code = code == 0
               ? write(request, &collection, &facts, started_unix_ms, store, id, err)
               : code;
    dj_measure_collection_finish(&collection);
    dj_device_close(device);
    return code;
}
