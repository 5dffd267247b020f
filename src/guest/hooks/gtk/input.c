/* Finds out when GTK handles input and how old the input is. */
#include <errno.h>

#include "hooks/gtk/frame_clock.h"
#include "recorder/thread.h"

enum {
    OLDEST_INPUT_MS = 10000, /* Maximum plausible age. An older time stamp is from
                              * another clock. */
    /* The first of GTK 3's event types for properties and selections, which are not
     * input. */
    FIRST_NO_INPUT = 16,
    LAST_NO_INPUT = 19,
    SIZEOF_VALUE = 24 /* Size of a GValue. */
};
static const int64_t ms_ns = 1000000, usual_interval_ns = 16666667;

/* The input of the calling thread. A time of 0 means that there is none. */
static _Thread_local struct {
    int64_t handled_ns;           /* Time of the first input since the loop woke. */
    int64_t oldest_ns, newest_ns; /* Oldest and newest time stamp of input that no frame
                                   * contains yet. */
    int64_t since_ns;             /* Time at which the first of that input was handled. */
    bool other_clock;             /* True if the time stamps are from another clock. */
} input DJ_STATIC_TLS;

/* Returns true if the stored input has caused no frame. GDK draws a frame at most two
 * intervals after its input. So input that was handled earlier than that has caused no
 * frame. */
static bool is_outdated(int64_t now_ns)
{
    return input.since_ns < dj_recorder_thread.waits.woke_ns &&
           input.since_ns + 2 * usual_interval_ns < now_ns;
}

static void add_stamp(int64_t stamp_ns, int64_t now_ns)
{
    if (input.newest_ns == 0 || is_outdated(now_ns)) {
        input.oldest_ns = input.newest_ns = stamp_ns;
        input.since_ns = now_ns;
    }
    input.oldest_ns = stamp_ns < input.oldest_ns ? stamp_ns : input.oldest_ns;
    input.newest_ns = stamp_ns > input.newest_ns ? stamp_ns : input.newest_ns;
}

/* Adds an input event to the thread's input. The time stamp is in ms, has 32 bits, and
 * comes from the monotonic clock of the X server or compositor. If these run on this
 * machine, it is this machine's clock. */
static void add_input_event(uint32_t stamp_ms, int64_t now_ns)
{
    if (input.handled_ns < dj_recorder_thread.waits.woke_ns) {
        input.handled_ns = now_ns;
    }
    int64_t now_ms = now_ns / ms_ns;
    uint32_t age_ms = (uint32_t)now_ms - stamp_ms;
    input.other_clock = input.other_clock || age_ms > OLDEST_INPUT_MS;
    if (!input.other_clock) {
        add_stamp((now_ms - age_ms) * ms_ns, now_ns);
    }
}

void dj_gtk_stamp_input(const struct dj_gtk_clock *clock, int64_t start_ns,
                        int64_t now_ns)
{
    int64_t begin_ns = clock->flushed_ns >= start_ns ? clock->flushed_ns : now_ns;
    if (input.handled_ns >= start_ns && input.handled_ns < begin_ns) {
        begin_ns = input.handled_ns;
    }
    dj_recorder_stamp_stage(DJ_COLUMN_HANDLE_INPUT_START, begin_ns);
    if (input.newest_ns != 0 && !is_outdated(start_ns)) {
        dj_recorder_stamp_stage(DJ_COLUMN_OLDEST_INPUT_EVENT, input.oldest_ns);
        dj_recorder_stamp_stage(DJ_COLUMN_NEWEST_INPUT_EVENT, input.newest_ns);
    }
    input.newest_ns = 0;
}

/* Handles the signal of an event. GTK 4 emits it on surfaces (`data` is not NULL), and
 * GTK 3 on widgets. */
static int on_event(void *hint, unsigned count, const struct dj_gtk_value *values,
                    void *data)
{
    (void)hint;
    int saved_errno = errno;
    const void *second = (const char *)values + SIZEOF_VALUE;
    const void *event = count >= 2 ? dj_gtk.g_value_peek_pointer(second) : NULL;
    int type = event != NULL ? dj_gtk.gdk_event_get_event_type(event) : FIRST_NO_INPUT;
    bool is_input = data != NULL || type < FIRST_NO_INPUT || type > LAST_NO_INPUT;
    uint32_t stamp_ms = event != NULL && is_input ? dj_gtk.gdk_event_get_time(event) : 0;
    /* The time stamp is 0 if the event has no time stamp or is not input. */
    if (stamp_ms != 0) {
        add_input_event(stamp_ms, dj_recorder_clock_ns());
    }
    errno = saved_errno;
    return 1;
}

void dj_gtk_watch_input(void)
{
    size_t surface = dj_gtk.g_type_from_name("GdkSurface");
    if (surface != 0) {
        dj_gtk_hook_signal(surface, "event", on_event, &dj_gtk);
    } else {
        dj_gtk_hook_signal(dj_gtk.g_type_from_name("GtkWidget"), "event", on_event, NULL);
    }
}
