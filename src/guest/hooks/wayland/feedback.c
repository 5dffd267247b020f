/* Feedback of the protocol wp_presentation: the presentation time of a frame, and the
 * display's refresh interval. Feedback is requested with each commit. When it arrives, it
 * is added to the frame's row. */
#include <stdatomic.h>
#include <stddef.h>

#include "base/count_of.h"
#include "hooks/wayland/connection.h"
#include "recorder/thread.h"

enum { SLOTS = 64 };
enum { FREE = 0, ALLOCATED = 1, FRAME_ENDED = 2, ANSWERED = 4, ALL = 7 };

/* The feedback on one commit. It has two parts. The thread of the frame finishes its part
 * when the frame ends. The thread that reads the reply finishes its part after it has
 * read the reply. The two may finish in any order. The one that finishes last adds the
 * reply to the frame. */
struct feedback {
    _Atomic uint32_t state;
    const struct dj_wayland *wayland;
    void *presentation;
    void *proxy; /* The wp_presentation_feedback object, or NULL after the reply. */
    clockid_t clock;
    int64_t committed_ns;
    struct dj_recorded_frame frame;
    int64_t presented_ns; /* Presentation time, or 0 if the frame was not presented or
                           * the time is implausible. */
    int64_t refresh_ns;   /* Refresh interval, or 0 if unknown. */
};

static struct feedback slots[SLOTS];

static _Thread_local struct feedback *current DJ_STATIC_TLS;

static _Atomic bool has_refresh;

bool dj_wayland_feedback_has_refresh(void)
{
    return atomic_load_explicit(&has_refresh, memory_order_relaxed);
}

/* Returns true for a clock that this process can read. Times of other clocks cannot be
 * converted. */
static bool is_common(clockid_t clock)
{
    static const clockid_t common[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,
                                       CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI};
    for (size_t i = 0; i < COUNT_OF(common); i++) {
        if (common[i] == clock) {
            return true;
        }
    }
    return false;
}

enum {
    ATTEMPTS = 4,
    BRACKET_NS = 20000, /* Maximum time between the readings of both clocks. */
    DRIFT_PER_MILLION =
        500 /* Maximum rate at which NTP adjusts one clock relative to another. */
};
static const int64_t oldest_ns = 1000000000;

/* Converts `at_ns` of the clock to CLOCK_MONOTONIC. The error is at most *error_ns.
 * Returns false if the conversion is not possible. */
static bool convert_time(clockid_t clock, int64_t at_ns, int64_t *monotonic_ns,
                         int64_t *error_ns)
{
    *monotonic_ns = at_ns;
    *error_ns = 0;
    if (clock == CLOCK_MONOTONIC || !is_common(clock)) {
        return clock == CLOCK_MONOTONIC;
    }
    for (int i = 0; i < ATTEMPTS; i++) {
        struct timespec now;
        int64_t before_ns = dj_recorder_clock_ns();
        if (clock_gettime(clock, &now) != 0) {
            return false;
        }
        int64_t bracket_ns = dj_recorder_clock_ns() - before_ns;
        int64_t age_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - at_ns;
        if (age_ns < -oldest_ns || age_ns > oldest_ns) {
            return false; /* The time is from another clock, or too old for a precise
                           * conversion. */
        }
        if (bracket_ns <= BRACKET_NS) {
            int64_t distance_ns = age_ns < 0 ? -age_ns : age_ns;
            *monotonic_ns = before_ns + bracket_ns / 2 - age_ns;
            *error_ns = bracket_ns / 2 + distance_ns / 1000000 * DRIFT_PER_MILLION;
            return true;
        }
    }
    return false;
}

static void add_to_frame(const struct feedback *feedback)
{
    if (feedback->presented_ns != 0) {
        dj_recorder_amend_frame(&feedback->frame, DJ_COLUMN_DISPLAY_PRESENT_TIME,
                                feedback->presented_ns);
    }
    if (feedback->refresh_ns != 0 && feedback->frame.valid) {
        dj_recorder_set_interval(feedback->frame.surface, feedback->refresh_ns);
    }
}

/* Records that one part has finished. After the second part, adds the reply to the frame
 * and frees the entry. The atomic operation releases this thread's writes and acquires
 * those of the other thread. */
static void finish_part(struct feedback *feedback, uint32_t by)
{
    uint32_t before =
        atomic_fetch_or_explicit(&feedback->state, by, memory_order_acq_rel);
    if ((before | by) == ALL && before != ALL) {
        add_to_frame(feedback);
        atomic_store_explicit(&feedback->state, FREE, memory_order_release);
    }
}

static struct feedback *allocate_slot(void)
{
    for (size_t i = 0; i < SLOTS; i++) {
        uint32_t free = FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &free, ALLOCATED)) {
            return &slots[i];
        }
    }
    return NULL; /* All entries are in use: the compositor has not replied to the last
                  * 64 requests. */
}

enum { SYNC_OUTPUT, PRESENTED, DISCARDED };
enum { SECONDS_HIGH, SECONDS_LOW, NANOSECONDS, REFRESH };
static const int64_t refresh_least_ns = 1000000, refresh_most_ns = 1000000000;

static void note_presented(struct feedback *feedback, const union wl_argument *arguments)
{
    int64_t seconds =
        (int64_t)((uint64_t)arguments[SECONDS_HIGH].u << 32 | arguments[SECONDS_LOW].u);
    int64_t refresh_ns = arguments[REFRESH].u;
    int64_t at_ns, error_ns;
    if (refresh_ns >= refresh_least_ns && refresh_ns <= refresh_most_ns) {
        feedback->refresh_ns = refresh_ns;
        atomic_store_explicit(&has_refresh, true, memory_order_relaxed);
    }
    if (seconds >= 0 && seconds < INT64_MAX / 1000000000 &&
        convert_time(feedback->clock, seconds * 1000000000 + arguments[NANOSECONDS].u,
                     &at_ns, &error_ns) &&
        at_ns + error_ns >= feedback->committed_ns) {
        feedback->presented_ns = at_ns;
    }
}

static int handle_feedback_event(const void *implementation, void *target,
                                 uint32_t opcode, const struct wl_message *message,
                                 union wl_argument *arguments)
{
    struct feedback *feedback = &slots[(const struct feedback *)implementation - slots];
    (void)message;
    if (opcode == SYNC_OUTPUT) {
        return 0;
    }
    if (opcode == PRESENTED) {
        note_presented(feedback, arguments);
    }
    feedback->proxy = NULL;
    feedback->wayland->destroy(target);
    finish_part(feedback, ANSWERED);
    return 0;
}

/* Finishes the part of the frame's thread. If the frame was not recorded, the reply will
 * be dropped. */
static void end_current(void)
{
    if (current != NULL) {
        finish_part(current, FRAME_ENDED);
        current = NULL;
    }
}

void dj_wayland_feedback_request(const struct dj_wayland *wayland, void *presentation,
                                 clockid_t clock, void *surface)
{
    enum { FEEDBACK = 1 };
    end_current();
    struct feedback *feedback = allocate_slot();
    if (feedback == NULL) {
        return;
    }
    feedback->wayland = wayland;
    feedback->presentation = presentation;
    feedback->clock = clock;
    feedback->committed_ns = dj_recorder_clock_ns();
    feedback->frame = (struct dj_recorded_frame){0};
    feedback->presented_ns = 0;
    feedback->refresh_ns = 0;
    union wl_argument arguments[] = {{.o = surface}, {.o = NULL}};
    feedback->proxy = wayland->marshal(presentation, FEEDBACK, &dj_feedback_interface,
                                       wayland->version_of(presentation), 0, arguments);
    if (feedback->proxy == NULL) {
        atomic_store(&feedback->state, FREE);
        return;
    }
    wayland->add_dispatcher(feedback->proxy, handle_feedback_event, feedback, NULL);
    current = feedback;
}

void dj_wayland_feedback_frame_ended(const struct dj_recorded_frame *recorded)
{
    if (current != NULL) {
        current->frame = *recorded;
        end_current();
    }
}

void dj_wayland_feedback_forget(const struct dj_wayland *wayland,
                                const void *presentation)
{
    for (size_t i = 0; i < SLOTS; i++) {
        struct feedback *feedback = &slots[i];
        uint32_t state = atomic_load(&feedback->state);
        if ((state & ALLOCATED) == 0 || (state & ANSWERED) != 0 ||
            feedback->presentation != presentation || feedback->proxy == NULL) {
            continue;
        }
        wayland->destroy(feedback->proxy);
        feedback->proxy = NULL;
        finish_part(feedback, ANSWERED);
    }
}
