#include "serve/live_views.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "live/live.h"
#include "memory/memory.h"
#include "report/live.h"
#include "serve/recording.h"
#include "serve/state.h"

enum { VIEWS_MAX = 32 };

/* Time between two events of a local app: 20 per second. */
static const int64_t PERIOD_NS = DJ_SECOND_NS / DJ_LIVE_UPDATES_HZ;
/* Time after which a view ends if no browser watches it and its app is not being
 * recorded. */
static const int64_t UNWATCHED_NS = 10 * DJ_SECOND_NS;
static const int64_t COMMENT_NS = 15 * DJ_SECOND_NS;

struct view {
    struct dj_live_views *views;
    char *device, *app;
    struct dj_channel *channel;
    pthread_t thread;
    /* The recording of the app, or NULL if the app is not being recorded. */
    struct dj_app_recording *recording;
    /* Difference between the device's clock and this machine's clock at the last
     * reading. */
    _Atomic int64_t offset_ns;
    bool is_used; /* True while the view has a thread. */
    /* True if the view is ending, so that no further browser can join it. */
    bool has_ended;
    /* True if the thread has done its work, so that joining it does not block. */
    bool has_finished;
};

struct dj_live_views {
    struct dj_server *server;
    pthread_mutex_t lock;
    struct view all[VIEWS_MAX];
    atomic_bool is_stopping;
};

struct dj_live_views *dj_serve_start_views(struct dj_server *server)
{
    struct dj_live_views *views = dj_xcalloc(1, sizeof(*views));
    views->server = server;
    pthread_mutex_init(&views->lock, NULL);
    return views;
}

static void free_view(struct view *view)
{
    dj_serve_finish_recording(view->recording);
    pthread_join(view->thread, NULL);
    dj_serve_unref_channel(view->channel);
    free(view->device);
    free(view->app);
    *view = (struct view){.is_used = false};
}

void dj_serve_stop_views(struct dj_live_views *views)
{
    pthread_mutex_lock(&views->lock);
    atomic_store(&views->is_stopping, true);
    pthread_mutex_unlock(&views->lock);
    for (size_t i = 0; i < VIEWS_MAX; i++) {
        if (views->all[i].is_used) {
            free_view(&views->all[i]);
        }
    }
}

void dj_serve_free_views(struct dj_live_views *views)
{
    pthread_mutex_destroy(&views->lock);
    free(views);
}

static int64_t get_latest_ns(void *user)
{
    const struct dj_live_views *views = user;
    return atomic_load(&views->is_stopping) ? 0 : INT64_MAX;
}

/* Returns whether the view must end: the server is stopping, or the view was not needed
 * for UNWATCHED_NS. A view is needed while a browser watches it or its app is being
 * recorded. After true, no further browser can join the view. */
static bool must_end(struct view *view, int64_t *watched_ns)
{
    struct dj_live_views *views = view->views;
    int64_t now_ns = dj_host_now_ns();
    pthread_mutex_lock(&views->lock);
    if (view->recording != NULL && dj_serve_recording_has_ended(view->recording)) {
        dj_serve_finish_recording(view->recording);
        view->recording = NULL;
    }
    bool is_needed =
        view->recording != NULL || dj_serve_count_listeners(view->channel) > 0;
    *watched_ns = is_needed ? now_ns : *watched_ns;
    view->has_ended =
        atomic_load(&views->is_stopping) || now_ns - *watched_ns > UNWATCHED_NS;
    pthread_mutex_unlock(&views->lock);
    return view->has_ended;
}

static void send(struct view *view, const char *kind, struct dj_text *data)
{
    if (data->length > 0) {
        dj_serve_send_event(view->channel, kind, data);
    }
    dj_text_clear(data);
}

/* Sends an event with the reason why the app cannot be read. */
static void send_error(struct view *view, const struct dj_error *err)
{
    struct dj_text data = {0};
    dj_json_open_object(&data, NULL);
    dj_json_add_string(&data, "message", err->message);
    dj_json_close(&data, "}");
    send(view, "problem", &data);
    dj_text_finish(&data);
}

/* The data that was already sent to the browsers. */
struct progress {
    struct dj_live_viewer viewer;
    enum dj_live_state state;
    unsigned restarts;
    bool has_state;
    int64_t second_ns; /* Time at which figures were last sent. */
};

/* Beginning of the event that reports lost frames to a browser. */
static const char lost_event[] = "{\"schema\":\"dejank.live/1\",\"kind\":\"lost\"";

/* Sends the new frames, the state if it has changed, and the figures once per second. */
static void send_news(struct view *view, const struct dj_live *live,
                      struct progress *progress)
{
    struct dj_text data = {0};
    int64_t now_ns = dj_host_now_ns();
    if (!progress->has_state || progress->state != dj_live_get_state(live) ||
        progress->restarts != dj_live_get_restarts(live)) {
        progress->has_state = true;
        progress->state = dj_live_get_state(live);
        progress->restarts = dj_live_get_restarts(live);
        dj_report_live_state_event(&data, live);
        send(view, "state", &data);
    }
    while (dj_report_live_next_event(&data, live, &progress->viewer)) {
        bool is_lost = strncmp(dj_xtext(&data), lost_event, strlen(lost_event)) == 0;
        send(view, is_lost ? "lost" : "frames", &data);
    }
    if (now_ns - progress->second_ns >= DJ_SECOND_NS) {
        progress->second_ns = now_ns;
        dj_report_live_second_event(&data, live, NULL);
        send(view, "second", &data);
    }
    dj_text_finish(&data);
}

/* Reads the app and sends its events until the view must end. */
static void follow(struct view *view, struct dj_live *live)
{
    struct progress progress = {.has_state = false};
    int64_t watched_ns = dj_host_now_ns(), commented_ns = watched_ns;
    bool failed = false;
    while (!must_end(view, &watched_ns)) {
        struct dj_error err = {0};
        bool fails = dj_live_update(live, &err) != 0;
        if (fails && !failed) {
            send_error(view, &err);
        }
        failed = fails;
        if (dj_live_get_now_ns(live) >= 0) {
            view->offset_ns = dj_live_get_now_ns(live) - dj_host_now_ns();
        }
        send_news(view, live, &progress);
        if (dj_host_now_ns() - commented_ns > COMMENT_NS) {
            commented_ns = dj_host_now_ns();
            dj_serve_send_comment(view->channel);
        }
        int64_t wait_ns = dj_live_next_ns(live) - dj_host_now_ns();
        dj_host_sleep_ns(wait_ns > PERIOD_NS ? PERIOD_NS
                         : wait_ns > 0       ? wait_ns
                                             : DJ_MILLISECOND_NS);
    }
}

/* Waits before the next attempt to connect to the device. */
static void wait_for_device(struct view *view, int64_t *watched_ns)
{
    for (int i = 0; i < 10 && !must_end(view, watched_ns); i++) {
        dj_host_sleep_ns(DJ_SECOND_NS / 5);
    }
}

static void *run_view(void *user)
{
    struct view *view = user;
    int64_t watched_ns = dj_host_now_ns();
    bool failed = false;
    dj_process_set_thread_interrupt(
        (struct dj_interrupt_request){get_latest_ns, view->views});
    while (!must_end(view, &watched_ns)) {
        struct dj_live *live;
        struct dj_error err = {0};
        if (dj_live_open(view->device, view->app, &live, &err) == 0) {
            follow(view, live);
            dj_live_close(live);
        } else {
            if (!failed) {
                send_error(view, &err);
            }
            failed = true;
            wait_for_device(view, &watched_ns);
        }
    }
    dj_serve_close_channel(view->channel);
    pthread_mutex_lock(&view->views->lock);
    view->has_finished = true;
    pthread_mutex_unlock(&view->views->lock);
    return NULL;
}

/* Returns the running view of the app. If there is none, returns an unused view, or NULL
 * if all are in use. Frees views that have finished. The caller holds the lock. */
static struct view *find_view(struct dj_live_views *views, const char *device,
                              const char *app)
{
    struct view *unused = NULL;
    for (size_t i = 0; i < VIEWS_MAX; i++) {
        struct view *view = &views->all[i];
        if (view->is_used && view->has_finished) {
            free_view(view);
        }
        if (!view->is_used) {
            unused = view;
        } else if (!view->has_ended && strcmp(view->device, device) == 0 &&
                   strcmp(view->app, app) == 0) {
            return view;
        }
    }
    return unused;
}

static void start_view(struct dj_live_views *views, struct view *view, const char *device,
                       const char *app)
{
    *view = (struct view){.views = views,
                          .device = dj_xstrdup(device),
                          .app = dj_xstrdup(app),
                          .channel = dj_serve_open_channel(),
                          .is_used = true};
    dj_xcheck(pthread_create(&view->thread, NULL, run_view, view) == 0);
}

/* Returns the view of the app, and starts it if it does not run. The caller holds the
 * lock. */
static struct view *get_view(struct dj_live_views *views, const char *device,
                             const char *app, struct dj_error *err)
{
    struct view *view = find_view(views, device, app);
    if (atomic_load(&views->is_stopping)) {
        dj_error_set(err, DJ_E_INTERRUPTED, "the server is stopping");
        view = NULL;
    } else if (view == NULL) {
        dj_error_set(err, DJ_E_LIMIT, "%d apps are being watched, which is the maximum",
                     VIEWS_MAX);
    } else if (!view->is_used) {
        start_view(views, view, device, app);
    }
    return view;
}

struct dj_channel *dj_serve_follow_app(struct dj_live_views *views, const char *device,
                                       const char *app, struct dj_error *err)
{
    pthread_mutex_lock(&views->lock);
    struct view *view = get_view(views, device, app, err);
    struct dj_channel *channel = view != NULL ? view->channel : NULL;
    if (channel != NULL) {
        dj_serve_ref_channel(channel);
    }
    pthread_mutex_unlock(&views->lock);
    return channel;
}

void dj_serve_end_view_streams(struct dj_live_views *views)
{
    pthread_mutex_lock(&views->lock);
    for (size_t i = 0; i < VIEWS_MAX; i++) {
        if (views->all[i].is_used) {
            dj_serve_end_streams(views->all[i].channel);
        }
    }
    pthread_mutex_unlock(&views->lock);
}

static int start_recording(struct view *view, const char *name, const char *label,
                           int64_t duration_ns, struct dj_error *err)
{
    if (view->recording != NULL && !dj_serve_recording_has_ended(view->recording)) {
        return dj_error_set(err, DJ_E_USAGE, "the app is already being recorded");
    }
    dj_serve_finish_recording(view->recording);
    view->recording = dj_serve_start_recording(
        &(struct dj_app_recording_request){.device = view->device,
                                           .app = view->app,
                                           .store = view->views->server->options.store,
                                           .name = name,
                                           .label = label,
                                           .duration_ns = duration_ns,
                                           .events = view->channel,
                                           .stop = {get_latest_ns, view->views}});
    return 0;
}

int dj_serve_record_app(struct dj_live_views *views, const char *device, const char *app,
                        const char *name, const char *label, int64_t duration_ns,
                        struct dj_error *err)
{
    pthread_mutex_lock(&views->lock);
    struct view *view = get_view(views, device, app, err);
    int code =
        view != NULL ? start_recording(view, name, label, duration_ns, err) : DJ_E_LIMIT;
    pthread_mutex_unlock(&views->lock);
    return code;
}

int dj_serve_mark_app(struct dj_live_views *views, const char *device, const char *app,
                      struct dj_error *err)
{
    pthread_mutex_lock(&views->lock);
    struct view *view = get_view(views, device, app, err);
    int code = view == NULL ? DJ_E_LIMIT
               : view->recording == NULL
                   ? dj_error_set(err, DJ_E_USAGE, "the app is not being recorded")
                   : dj_serve_mark_recording(view->recording,
                                             dj_host_now_ns() + view->offset_ns, err);
    pthread_mutex_unlock(&views->lock);
    return code;
}
