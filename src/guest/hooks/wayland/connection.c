/* Wayland: the display's real refresh interval, the presentation time of each frame,
 * and titles, over the app's own connection and without a round trip.
 *
 * If a thread commits a surface inside a frame, this code requests feedback on a queue
 * of its own, with libwayland's public functions. The app reads the answers from its
 * socket, and this code dispatches them afterwards: it never reads, and does not touch
 * the app's queues or listeners. All requests pass wl_proxy_marshal_array_flags, which
 * libwayland also calls, through its own table, for the older functions. Not visible:
 * a libwayland linked into the app, or one before 1.20. A compositor without
 * wp_presentation reports nothing. */
#include "hooks/wayland/connection.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "hooks/busy.h"
#include "hooks/export.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/thread.h"

enum { CONNECTIONS = 8 };

/* Protected by `busy`, which is tried and never waited for, except `display`. */
struct connection {
    _Atomic(void *) display; /* NULL: free */
    atomic_flag busy;
    bool asked; /* its globals were requested */
    void *queue;
    void *registry;
    void *presentation; /* NULL: none, or unknown yet */
    bool clock_known;
    clockid_t clock;
    struct dj_outputs outputs;
};

static struct connection connections[CONNECTIONS];

static struct connection *find_connection(const void *display)
{
    for (size_t i = 0; i < CONNECTIONS && display != NULL; i++) {
        if (atomic_load(&connections[i].display) == display) {
            return &connections[i];
        }
    }
    return NULL;
}

/* Returns the connection of a proxy. libwayland has a function for this since 1.23. In
 * every earlier release it is the fourth word of a proxy, and is used if it is a
 * display whose opening was seen. */
static struct connection *connection_of(void *proxy)
{
    return find_connection(((void **)proxy)[3]);
}

static void opened(void *display)
{
    if (display == NULL || find_connection(display) != NULL) {
        return;
    }
    for (size_t i = 0; i < CONNECTIONS; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&connections[i].display, &none, display)) {
            return;
        }
    }
}

static int told_clock(const void *implementation, void *target, uint32_t opcode,
                      const struct wl_message *message, union wl_argument *arguments)
{
    struct connection *connection =
        &connections[(const struct connection *)implementation - connections];
    (void)target;
    (void)message;
    if (opcode == 0) {
        connection->clock = (clockid_t)arguments[0].u;
        connection->clock_known = true;
    }
    return 0;
}

static void bind_presentation(struct connection *connection,
                              const struct dj_wayland *wayland, void *registry,
                              uint32_t name)
{
    enum { BIND = 0, VERSION = 1 };
    union wl_argument bind[] = {
        {.u = name}, {.s = dj_presentation_interface.name}, {.u = VERSION}, {.o = NULL}};
    connection->presentation =
        wayland->marshal(registry, BIND, &dj_presentation_interface, VERSION, 0, bind);
    if (connection->presentation != NULL) {
        wayland->add_dispatcher(connection->presentation, told_clock, connection, NULL);
    }
}

/* Handles an added or removed global of the compositor. */
static int told_global(const void *implementation, void *target, uint32_t opcode,
                       const struct wl_message *message, union wl_argument *arguments)
{
    enum { GLOBAL = 0 };
    struct connection *connection =
        &connections[(const struct connection *)implementation - connections];
    const struct dj_wayland *wayland = dj_wayland_functions(NULL);
    uint32_t name = arguments[0].u;
    (void)message;
    if (wayland == NULL) {
        return 0;
    }
    if (opcode != GLOBAL) {
        dj_wayland_outputs_remove(&connection->outputs, wayland, name);
    } else if (strcmp(arguments[1].s, "wl_output") == 0) {
        dj_wayland_outputs_add(&connection->outputs, wayland, target, name);
    } else if (connection->presentation == NULL &&
               strcmp(arguments[1].s, dj_presentation_interface.name) == 0) {
        bind_presentation(connection, wayland, target, name);
    }
    return 0;
}

/* Requests the compositor's globals; the app's own reading receives the answer. */
static void ask_globals(struct connection *connection, const struct dj_wayland *wayland,
                        void *display)
{
    enum { GET_REGISTRY = 1 };
    union wl_argument none[] = {{.o = NULL}};
    connection->asked = true;
    connection->queue = wayland->create_queue(display);
    void *wrapper = connection->queue != NULL ? wayland->create_wrapper(display) : NULL;
    if (wrapper == NULL) {
        return;
    }
    wayland->set_queue(wrapper, connection->queue);
    connection->registry =
        wayland->marshal(wrapper, GET_REGISTRY, wayland->registry_interface,
                         wayland->version_of(wrapper), 0, none);
    wayland->destroy_wrapper(wrapper);
    if (connection->registry != NULL) {
        wayland->add_dispatcher(connection->registry, told_global, connection, NULL);
    }
}

/* Dispatches the answers that the app has read; under `busy`. */
static void take_answers(struct connection *connection, const struct dj_wayland *wayland)
{
    if (connection->queue != NULL) {
        wayland->dispatch_pending(atomic_load(&connection->display), connection->queue);
    }
}

/* The window of the calling thread's frame, and the interval of its outputs. */
static _Thread_local struct {
    uint64_t window; /* 0: none */
    int64_t interval_ns;
} committed DJ_STATIC_TLS;

/* A toolkit that reports presentation requests it itself. */
static bool is_in_frame(void)
{
    const struct dj_recorder_thread *thread = &dj_recorder_thread;
    return thread->swap_depth > 0 ||
           (thread->frame.declared && thread->frame.surface.pipeline != DJ_PIPELINE_GTK);
}

static void commits(const struct dj_wayland *wayland, void *surface)
{
    struct connection *connection = connection_of(surface);
    if (connection == NULL || !dj_busy_enter(&connection->busy)) {
        return;
    }
    if (!connection->asked) {
        ask_globals(connection, wayland, atomic_load(&connection->display));
    }
    take_answers(connection, wayland);
    if (connection->presentation != NULL && connection->clock_known) {
        dj_wayland_feedback_request(wayland, connection->presentation, connection->clock,
                                    surface);
    }
    committed.window =
        dj_wayland_window((uint32_t)(connection - connections), wayland->id_of(surface));
    committed.interval_ns = dj_wayland_feedback_has_refresh()
                                ? 0
                                : dj_wayland_outputs_interval_ns(&connection->outputs);
    dj_busy_leave(&connection->busy);
}

EXPORT void *wl_proxy_marshal_array_flags(void *proxy, uint32_t opcode,
                                          const struct wl_interface *interface,
                                          uint32_t version, uint32_t flags,
                                          union wl_argument *arguments)
{
    enum { COMMIT = 6, NAMING_LAST = 2 };
    __typeof__(wl_proxy_marshal_array_flags) *real = REAL(wl_proxy_marshal_array_flags);
    bool may_commit = opcode == COMMIT && is_in_frame();
    const struct dj_wayland *wayland =
        may_commit || opcode - 1 < NAMING_LAST ? dj_wayland_functions(CALLER) : NULL;
    int saved_errno = errno;
    if (may_commit && wayland != NULL &&
        strcmp(wayland->class_of(proxy), "wl_surface") == 0) {
        commits(wayland, proxy);
    }
    errno = saved_errno;
    /* Before the call: a destructor destroys its proxy. */
    struct connection *connection =
        !may_commit && wayland != NULL ? connection_of(proxy) : NULL;
    const char *class_name = connection != NULL ? wayland->class_of(proxy) : NULL;
    struct dj_wayland_request request = {class_name, proxy, opcode, arguments};
    if (class_name != NULL) {
        dj_wayland_names(&request);
    }
    void *made = real(proxy, opcode, interface, version, flags, arguments);
    if (class_name != NULL && made != NULL) {
        dj_wayland_made(wayland, (uint32_t)(connection - connections), &request, made);
    }
    return made;
}

EXPORT int wl_display_read_events(void *display)
{
    int result = REAL(wl_display_read_events)(display);
    int saved_errno = errno;
    struct connection *connection = find_connection(display);
    const struct dj_wayland *wayland = dj_wayland_functions(CALLER);
    if (result >= 0 && connection != NULL && wayland != NULL &&
        dj_busy_enter(&connection->busy)) {
        take_answers(connection, wayland);
        dj_busy_leave(&connection->busy);
    }
    errno = saved_errno;
    return result;
}

/* wl_display_connect also calls this. */
EXPORT void *wl_display_connect_to_fd(int fd)
{
    void *display = REAL(wl_display_connect_to_fd)(fd);
    opened(display);
    return display;
}

static void closes(struct connection *connection, const struct dj_wayland *wayland)
{
    if (connection->presentation != NULL) {
        dj_wayland_feedback_forget(wayland, connection->presentation);
        wayland->destroy(connection->presentation);
    }
    if (connection->registry != NULL) {
        wayland->destroy(connection->registry);
    }
    dj_wayland_outputs_forget(&connection->outputs, wayland);
    /* Last, because libwayland prints an error for a queue that still has objects. */
    if (connection->queue != NULL) {
        wayland->destroy_queue(connection->queue);
    }
    connection->asked = false;
    connection->clock_known = false;
    connection->queue = connection->registry = connection->presentation = NULL;
}

EXPORT void wl_display_disconnect(void *display)
{
    struct connection *connection = find_connection(display);
    const struct dj_wayland *wayland = dj_wayland_functions(CALLER);
    int saved_errno = errno;
    if (connection != NULL && wayland != NULL && dj_busy_enter(&connection->busy)) {
        closes(connection, wayland);
        atomic_store(&connection->display, NULL);
        dj_busy_leave(&connection->busy);
    }
    errno = saved_errno;
    REAL(wl_display_disconnect)(display);
}

void dj_wayland_frame_ended(const struct dj_recorded_frame *recorded)
{
    static _Thread_local struct {
        struct dj_surface surface;
        uint64_t window;
        int64_t interval_ns;
    } said DJ_STATIC_TLS;
    struct dj_surface surface = recorded->surface;
    dj_wayland_feedback_frame_ended(recorded);
    if (committed.window == 0 || !recorded->valid) {
        return;
    }
    if (said.window != committed.window ||
        !dj_recorder_surface_is_equal(said.surface, surface)) {
        dj_titles_set_surface(surface, DJ_NAMER_WAYLAND, committed.window);
        said.surface = surface;
        said.window = committed.window;
        said.interval_ns = 0;
    }
    if (committed.interval_ns != 0 && committed.interval_ns != said.interval_ns) {
        dj_recorder_set_interval(surface, committed.interval_ns);
        said.interval_ns = committed.interval_ns;
    }
    committed.window = 0;
}
