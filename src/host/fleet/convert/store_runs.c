#include "fleet/convert.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The metric of a run that a counter comes from. */
static const struct {
    enum dj_session_counter to;
    enum dj_metric from;
} counters[] = {
    {DJ_SESSION_FRAMES, DJ_METRIC_FRAMES},
    {DJ_SESSION_JANKY, DJ_METRIC_JANKY_FRAMES},
    {DJ_SESSION_MISSED_VSYNC, DJ_METRIC_HWUI_MISSED_VSYNC},
    {DJ_SESSION_HIGH_INPUT_LATENCY, DJ_METRIC_HWUI_HIGH_INPUT_LATENCY},
    {DJ_SESSION_SLOW_UI_THREAD, DJ_METRIC_HWUI_SLOW_UI_THREAD},
    {DJ_SESSION_SLOW_BITMAP_UPLOADS, DJ_METRIC_HWUI_SLOW_BITMAP_UPLOADS},
    {DJ_SESSION_SLOW_ISSUE_DRAW_COMMANDS, DJ_METRIC_HWUI_SLOW_ISSUE_DRAW_COMMANDS},
    {DJ_SESSION_DEADLINE_MISSED, DJ_METRIC_HWUI_DEADLINE_MISSED},
};

/* Metrics that no histogram can answer. */
static const enum dj_metric figures[] = {
    DJ_METRIC_PERFDOG_JANK, DJ_METRIC_PERFDOG_BIG_JANK, DJ_METRIC_PERFDOG_STUTTER_PCT,
    DJ_METRIC_HITCH_RATIO,  DJ_METRIC_FREEZE_TIME,      DJ_METRIC_FRAMES_DELAY,
    DJ_METRIC_FRAME_RATE,   DJ_METRIC_DROPPED_PCT,
};

struct run_sessions {
    struct dj_store *store;
    const struct dj_loaded_batch *loaded;
    dj_session_receiver *receive;
    void *user;
    struct dj_error *err;
};

static void set_facts(struct dj_session *session, const struct dj_loaded_batch *loaded)
{
    struct dj_device_facts facts;
    dj_facts_init(&facts);
    for (size_t i = 0; i < loaded->fact_count; i++) {
        dj_facts_set(&facts, &loaded->facts[i]);
    }
    dj_session_set_text(session, DJ_SESSION_GPU, facts.gpu);
    if (facts.ram_bytes > 0) {
        session->ram_mb = facts.ram_bytes / 1000000;
    }
    if (facts.refresh_hz > 0) {
        session->refresh_hz = llround(facts.refresh_hz);
    }
}

static void set_metrics(struct dj_session *session, const struct dj_run_row *run)
{
    const double *value = run->metrics.value;
    for (size_t i = 0; i < COUNT_OF(counters); i++) {
        if (isfinite(value[counters[i].from])) {
            session->counter[counters[i].to] = llround(value[counters[i].from]);
        }
    }
    if (session->refresh_hz < 0 && value[DJ_METRIC_INTERVAL] > 0) {
        session->refresh_hz = llround(1e9 / value[DJ_METRIC_INTERVAL]);
    }
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        dj_session_add_figure(session, dj_metrics_name(figures[i]), value[figures[i]]);
    }
}

/* Sets the histogram that gfxinfo printed, unless another release's buckets were
 * printed. */
static void set_histogram(struct dj_session *session,
                          const struct dj_histogram *histogram)
{
    struct dj_session_histogram times = {.is_known = histogram->count > 0};
    for (size_t i = 0; i < histogram->count; i++) {
        int64_t label_ms = histogram->buckets[i].key;
        size_t bucket = dj_frame_bucket(label_ms * 1000000);
        if (dj_frame_bucket_label_ms(bucket) != label_ms ||
            histogram->buckets[i].count > UINT32_MAX) {
            return;
        }
        times.count[bucket] += (uint32_t)histogram->buckets[i].count;
    }
    session->histogram[DJ_SESSION_FRAME_TIME] = times;
    dj_session_count_slow(session);
}

static int find_run_histogram(void *user, int64_t window, struct dj_store *store,
                              struct dj_error *err)
{
    struct dj_histogram histogram = {0};
    int code = dj_store_read_histogram(store, window, DJ_HISTOGRAM_HWUI, &histogram, err);
    if (code == 0) {
        set_histogram(user, &histogram);
    }
    dj_exponential_finish(&histogram);
    return code;
}

/* Keeps the key of the window that is the whole run. */
static int keep_whole_run(void *user, const struct dj_window_row *window)
{
    if (window->ordinal == 0) {
        *(int64_t *)user = window->key;
    }
    return 0;
}

static int convert_run(const struct run_sessions *sessions, const struct dj_run_row *run)
{
    const struct dj_batch_row *batch = &sessions->loaded->batch;
    struct dj_session session;
    char number[32], attempt[32];
    int64_t window = 0;
    dj_session_init(&session);
    dj_session_set_text(&session, DJ_SESSION_APP, batch->project);
    dj_session_set_text(&session, DJ_SESSION_VERSION, dj_store_build_name(batch));
    dj_session_set_text(&session, DJ_SESSION_DEVICE, batch->model);
    dj_session_set_text(&session, DJ_SESSION_RELEASE, batch->release);
    dj_session_set_start(&session, run->started_unix_ms / 1000);
    set_facts(&session, sessions->loaded);
    set_metrics(&session, run);
    snprintf(number, sizeof(number), "%" PRId64, run->number);
    snprintf(attempt, sizeof(attempt), "%" PRId64, run->attempt);
    const char *const key[] = {batch->id, number, attempt};
    dj_session_set_id(&session, key, COUNT_OF(key));
    int code = dj_store_read_windows(sessions->store, run->key, keep_whole_run, &window,
                                     sessions->err);
    if (code == 0) {
        code = find_run_histogram(&session, window, sessions->store, sessions->err);
    }
    if (code != 0 || session.counter[DJ_SESSION_FRAMES] <= 0) {
        return code;
    }
    dj_session_set_class(&session);
    return sessions->receive(sessions->user, &session);
}

int dj_fleet_convert_batch(struct dj_store *store, int64_t batch,
                           dj_session_receiver *receive, void *user, struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    struct run_sessions sessions = {store, &loaded, receive, user, err};
    int code = dj_store_load_batch(store, batch, &loaded, err);
    for (size_t i = 0; i < loaded.run_count && code == 0; i++) {
        if (dj_store_run_counts(&loaded.runs[i])) {
            code = convert_run(&sessions, &loaded.runs[i]);
        }
    }
    dj_store_loaded_batch_finish(&loaded);
    return code;
}
