#include "measure/play.h"

#include <stdlib.h>

#include "measure/rig/rig.h"

enum { RIG_STACK = 512 * 1024 };

/* Returns the time at which the runs on all devices must stop: 0 if the store cannot be
 * written any more, otherwise the time of the user's interrupt. */
static int64_t get_stop_ns(void *user)
{
    struct dj_play_session *session = user;
    return session->store_failed ? 0 : dj_interrupt_latest_ns(&session->context->stop);
}

static void *play_device(void *user)
{
    dj_rig_play(user);
    return NULL;
}

static void play_all(struct dj_play_session *session, struct dj_rig *rigs)
{
    size_t count = session->plan->device_count;
    pthread_t *threads = calloc(count, sizeof(*threads));
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, RIG_STACK);
    for (size_t i = 0; i < count; i++) {
        rigs[i] = (struct dj_rig){.session = session,
                                  .plan = session->plan,
                                  .index = i,
                                  .frame_source = session->plan->frame_source,
                                  .stop = {.latest_ns = get_stop_ns, .user = session}};
    }
    size_t started = 0;
    while (threads != NULL && started < count &&
           pthread_create(&threads[started], &attributes, play_device, &rigs[started]) ==
               0) {
        started++;
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    for (size_t i = started; i < count; i++) {
        /* No thread could be created for this device, so this thread plays it. */
        play_device(&rigs[i]);
    }
    pthread_attr_destroy(&attributes);
    free(threads);
}

static int64_t count_planned(const struct dj_batch_plan *plan)
{
    int64_t planned = 0;
    for (size_t i = 0; i < plan->flow_count; i++) {
        int64_t runs = dj_batch_flow_runs(plan, &plan->flows[i]);
        planned += (int64_t)(plan->device_count * plan->build_count) * runs;
    }
    return planned;
}

int dj_measure_play(const struct dj_batch_plan *plan, struct dj_store *store,
                    const struct dj_play_context *context, struct dj_play_result *result,
                    struct dj_error *err)
{
    struct dj_play_session session = {
        .plan = plan, .store = store, .context = context, .result = result};
    struct dj_rig *rigs = calloc(plan->device_count, sizeof(*rigs));
    *result = (struct dj_play_result){.planned = count_planned(plan)};
    if (rigs == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    pthread_mutex_init(&session.lock, NULL);
    play_all(&session, rigs);
    pthread_mutex_destroy(&session.lock);
    free(rigs);
    result->interrupted = dj_interrupt_latest_ns(&context->stop) != INT64_MAX;
    if (session.store_failed) {
        *err = session.store_error;
        return err->code;
    }
    return 0;
}
