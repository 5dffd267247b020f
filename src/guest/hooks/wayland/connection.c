/* Uses the app's own Wayland connection to find the presentation time of each frame and
 * window titles. Makes no round trip.
 *
 * If a thread commits a surface inside a frame, this code requests feedback through
 * libwayland's public functions, on an event queue of its own. The app reads the
 * replies from its socket, and this code dispatches them afterwards. It never reads
 * from the socket and does not touch the app's queues or listeners. All requests pass
 * through wl_proxy_marshal_array_flags(), because libwayland's older request functions
 * call it too. The hooks do not see a libwayland that is linked into the app, and they
 * do not support one before 1.20. A compositor without wp_presentation gives no
 * feedback. */
#include "hooks/wayland/connection.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "hooks/busy.h"
#include "hooks/export.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/software.h"
#include "recorder/thread.h"

enum { CONNECTIONS = 8 };

/* A connection of the app. `busy` is a lock that protects all members except `display`.
 * No hook waits for this lock. */
struct connection {
    _Atomic(void *) display; /* The app's wl_display, or NULL if this entry is free. */
    atomic_flag busy;
    bool globals_requested; /* True after the compositor's globals were requested. */
    void *queue;
    void *registry;
    /* The wp_presentation object, or NULL if the compositor has none or has not announced
     * it yet. */
    void *presentation;
    bool clock_known;
    clockid_t clock;
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

/* libwayland has a function for this only since 1.23. In older releases the fourth word
 * of a proxy is its wl_display. */
const void *dj_wayland_get_display(const void *proxy)
{
    return ((void *const *)proxy)[3];
}

static struct connection *get_connection(const void *proxy)
{
    return find_connection(dj_wayland_get_display(proxy));
}

static void add_connection(void *display)
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

static int handle_clock_event(const void *implementation, void *target, uint32_t opcode,
                              const struct wl_message *message,
                              union wl_argument *arguments)
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
        wayland->add_dispatcher(connection->presentation, handle_clock_event, connection,
                                NULL);
    }
}

/* Handles the addition of a global of the compositor. */
static int handle_global_event(const void *implementation, void *target, uint32_t opcode,
                               const struct wl_message *message,
                               union wl_argument *arguments)
{
    enum { GLOBAL = 0 };
    struct connection *connection =
        &connections[(const struct connection *)implementation - connections];
    const struct dj_wayland *wayland = dj_wayland_functions(NULL);
    uint32_t name = arguments[0].u;
    (void)message;
    if (wayland != NULL && opcode == GLOBAL && connection->presentation == NULL &&
        strcmp(arguments[1].s, dj_presentation_interface.name) == 0) {
        bind_presentation(connection, wayland, target, name);
    }
    return 0;
}

/* Requests the list of the compositor's globals. The app receives the reply when it
 * reads from its socket. */
static void request_globals(struct connection *connection,
                            const struct dj_wayland *wayland, void *display)
{
    enum { GET_REGISTRY = 1 };
    union wl_argument none[] = {{.o = NULL}};
    connection->globals_requested = true;
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
        wayland->add_dispatcher(connection->registry, handle_global_event, connection,
                                NULL);
    }
}

/* Dispatches the events that the app has read. The caller holds `busy`. */
static void dispatch_events(struct connection *connection,
                            const struct dj_wayland *wayland)
{
    if (connection->queue != NULL) {
        wayland->dispatch_pending(atomic_load(&connection->display), connection->queue);
    }
}

/* The window that the calling thread's current frame commits, and the refresh interval of
 * the connection's outputs. */
static _Thread_local struct {
    uint64_t window; /* Number of the window, or 0 if none was committed. */
    int64_t interval_ns;
} committed DJ_STATIC_TLS;

/* Returns true if a commit of the calling thread belongs to a frame that needs
 * feedback. Frames of GTK do not, because GTK itself requests presentation times. */
static bool is_in_frame(void)
{
    const struct dj_recorder_thread *thread = &dj_recorder_thread;
    return thread->swap_depth > 0 ||
           (thread->frame.declared && thread->frame.surface.pipeline != DJ_PIPELINE_GTK);
}

static void handle_commit(const struct dj_wayland *wayland, void *surface)
{
    struct connection *connection = get_connection(surface);
    if (connection == NULL || !dj_busy_enter(&connection->busy)) {
        return;
    }
    if (!connection->globals_requested) {
        request_globals(connection, wayland, atomic_load(&connection->display));
    }
    dispatch_events(connection, wayland);
    if (connection->presentation != NULL && connection->clock_known) {
        dj_wayland_feedback_request(wayland, connection->presentation, connection->clock,
                                    surface);
    }
    committed.window = dj_wayland_get_window((uint32_t)(connection - connections),
                                             wayland->id_of(surface));
    committed.interval_ns =
        dj_wayland_feedback_has_refresh()
            ? 0
            : dj_wayland_outputs_interval_ns(atomic_load(&connection->display));
    dj_busy_leave(&connection->busy);
}

/* The window of a surface. A connection that was not opened through the hook has the
 * number after the last one. */
static uint64_t get_window(const struct dj_wayland *wayland,
                           const struct connection *connection, void *surface)
{
    uint32_t number =
        connection != NULL ? (uint32_t)(connection - connections) : CONNECTIONS;
    return dj_wayland_get_window(number, wayland->id_of(surface));
}

EXPORT void *wl_proxy_marshal_array_flags(void *proxy, uint32_t opcode,
                                          const struct wl_interface *interface,
                                          uint32_t version, uint32_t flags,
                                          union wl_argument *arguments)
{
    enum { COMMIT = 6, NAMING_LAST = 2 };
    __typeof__(wl_proxy_marshal_array_flags) *real = REAL(wl_proxy_marshal_array_flags);
    const struct dj_wayland *wayland =
        dj_wayland_shm_is_watched(opcode) ? dj_wayland_functions(CALLER) : NULL;
    if (wayland == NULL) {
        return real(proxy, opcode, interface, version, flags, arguments);
    }
    int saved_errno = errno;
    /* The class name and the id are read before the call, because a destructor request
     * destroys its proxy. */
    struct connection *connection = get_connection(proxy);
    struct dj_wayland_request request = {wayland->class_of(proxy), proxy, opcode,
                                         arguments};
    bool is_naming = connection != NULL && opcode - 1 < NAMING_LAST;
    bool is_commit = opcode == COMMIT && strcmp(request.class_name, "wl_surface") == 0;
    uint64_t window = is_commit ? get_window(wayland, connection, proxy) : 0;
    struct dj_wayland_image image = {0};
    dj_wayland_shm_begin_request(&request, &image);
    dj_wayland_outputs_read_request(&request);
    if (is_commit &&
        (is_in_frame() || (image.begin_ns != 0 && dj_recorder_is_first_image()))) {
        handle_commit(wayland, proxy);
    }
    if (is_naming) {
        dj_wayland_read_title(&request);
    }
    errno = saved_errno;
    void *made = real(proxy, opcode, interface, version, flags, arguments);
    saved_errno = errno;
    dj_wayland_shm_add_buffer(&request, made);
    if (is_naming && made != NULL) {
        dj_wayland_add_role(wayland, (uint32_t)(connection - connections), &request,
                            made);
    }
    if (image.begin_ns != 0) {
        dj_wayland_shm_end_commit(&image, window);
    }
    errno = saved_errno;
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
        dispatch_events(connection, wayland);
        dj_busy_leave(&connection->busy);
    }
    errno = saved_errno;
    return result;
}

/* wl_display_connect() also calls this function, so it needs no hook of its own. */
EXPORT void *wl_display_connect_to_fd(int fd)
{
    void *display = REAL(wl_display_connect_to_fd)(fd);
    add_connection(display);
    return display;
}

static void close_connection(struct connection *connection,
                             const struct dj_wayland *wayland)
{
    if (connection->presentation != NULL) {
        dj_wayland_feedback_forget(wayland, connection->presentation);
        wayland->destroy(connection->presentation);
    }
    if (connection->registry != NULL) {
        wayland->destroy(connection->registry);
    }
    dj_wayland_outputs_forget(atomic_load(&connection->display));
    /* The queue is destroyed last, because libwayland prints an error for a queue that
     * still has objects. */
    if (connection->queue != NULL) {
        wayland->destroy_queue(connection->queue);
    }
    connection->globals_requested = false;
    connection->clock_known = false;
    connection->queue = connection->registry = connection->presentation = NULL;
}

EXPORT void wl_display_disconnect(void *display)
{
    struct connection *connection = find_connection(display);
    const struct dj_wayland *wayland = dj_wayland_functions(CALLER);
    int saved_errno = errno;
    if (connection != NULL && wayland != NULL && dj_busy_enter(&connection->busy)) {
        close_connection(connection, wayland);
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
    } reported DJ_STATIC_TLS;
    struct dj_surface surface = recorded->surface;
    dj_wayland_feedback_frame_ended(recorded);
    if (committed.window == 0 || !recorded->valid) {
        return;
    }
    if (reported.window != committed.window ||
        !dj_recorder_surface_is_equal(reported.surface, surface)) {
        dj_titles_set_surface(surface, DJ_NAMER_WAYLAND, committed.window);
        reported.surface = surface;
        reported.window = committed.window;
        reported.interval_ns = 0;
    }
    if (committed.interval_ns != 0 && committed.interval_ns != reported.interval_ns) {
        dj_recorder_set_interval(surface, committed.interval_ns);
        reported.interval_ns = committed.interval_ns;
    }
    committed.window = 0;
}
