/* Applies the rules of waits.h to the waits that hooks report. */
#include "base/count_of.h"
#include "recorder/descriptors.h"
#include "recorder/recorder.h"
#include "recorder/software.h"
#include "recorder/thread.h"

/* Returns the start of a wait. Returns 0 without reading the clock if the wait has no
 * effect. */
static int64_t begin_wait(struct dj_recorder_thread *thread, bool has_effect)
{
    int64_t begin_ns =
        has_effect || thread->first_seen_ns == 0 ? dj_recorder_clock_ns() : 0;
    dj_thread_note_seen(thread, begin_ns);
    return has_effect ? begin_ns : 0;
}

int64_t dj_recorder_begin_poll(void)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    return begin_wait(thread, thread->swap_depth > 0 || thread->reply_depth == 0);
}

static int64_t end_wait(struct dj_recorder_thread *thread, int64_t begin_ns)
{
    dj_thread_note_seen(thread, begin_ns);
    return dj_recorder_clock_ns();
}

/* Maximum size in bytes of a write to a pipe that counts as a wake-up. Such a write is
 * usually one byte, or a 64-bit number as for an eventfd. */
enum { WAKE_UP_BYTES = 8 };

/* Returns a pointer that identifies the descriptor in the wake table. Returns NULL for
 * a number that is out of range. */
static const void *get_fd_object(int fd)
{
    static const int64_t objects[1024];
    size_t count = COUNT_OF(objects);
    return fd >= 0 && (size_t)fd < count ? &objects[fd] : NULL;
}

/* Excludes a wait of the event loop from the work that is claimed for a requested frame.
 * If another thread ended the wait, the excluded time ends when that other thread woke,
 * because the work of the other thread belongs to the frame. */
static void note_rest(struct dj_recorder_thread *thread, int64_t begin_ns, int64_t end_ns,
                      uintptr_t stack)
{
    if (thread->claim.working_ns == 0 || end_ns - begin_ns <= DJ_LOOP_WAIT_NS ||
        !dj_waits_is_loop(&thread->waits, stack)) {
        return;
    }
    int64_t woke_ns = thread->waits.woke_ns;
    dj_claim_add_rest(&thread->claim, begin_ns,
                      woke_ns > begin_ns && woke_ns < end_ns ? woke_ns : end_ns);
}

static void end_poll(const void *object, int64_t begin_ns, int64_t end_ns,
                     uintptr_t stack)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    if (thread->swap_depth > 0) {
        thread->swap_waited_ns += end_ns - begin_ns;
    } else if (thread->reply_depth > 0) {
        return;
    } else if (thread->event_depth > 0) {
        dj_waits_end_event_wait(&thread->waits, begin_ns, end_ns);
    } else if (object != NULL) {
        dj_waits_note_woken(&thread->waits, object, begin_ns, end_ns, stack);
    } else {
        dj_waits_end_wait(&thread->waits, begin_ns, end_ns, stack);
    }
    note_rest(thread, begin_ns, end_ns, thread->event_depth > 0 ? UINTPTR_MAX : stack);
    dj_recorder_note_loop_woke();
}

void dj_recorder_end_poll(int64_t begin_ns, uintptr_t stack)
{
    if (begin_ns != 0) {
        end_poll(NULL, begin_ns, end_wait(&dj_recorder_thread, begin_ns), stack);
    }
}

void dj_recorder_end_fd_poll(int ready, bool alone, int64_t begin_ns, uintptr_t stack)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    if (begin_ns == 0) {
        return;
    }
    int64_t end_ns = end_wait(thread, begin_ns);
    if (ready > 0 && ready == thread->event_fd && alone) {
        end_poll(NULL, begin_ns, end_ns, thread->event_stack);
        return;
    }
    /* Inside a swap, a request or a wait for an X event, the kind of the descriptor
     * does not matter. */
    if (thread->swap_depth > 0 || thread->reply_depth > 0 || thread->event_depth > 0) {
        end_poll(NULL, begin_ns, end_ns, stack);
        return;
    }
    const void *object = get_fd_object(ready);
    bool concerns = object != NULL && dj_waits_is_affected(&thread->waits, object, alone);
    if (!concerns && alone && end_ns - begin_ns > DJ_LOOP_WAIT_NS) {
        object = dj_descriptor_pipe(ready);
        concerns = object != NULL && dj_waits_is_affected(&thread->waits, object, alone);
    }
    end_poll(concerns ? object : NULL, begin_ns, end_ns, stack);
}

void dj_recorder_note_write(int fd, size_t size)
{
    const void *object = get_fd_object(fd);
    const void *pipe = size <= WAKE_UP_BYTES ? dj_descriptor_pipe(fd) : NULL;
    int64_t now_ns = dj_recorder_clock_ns();
    if (object != NULL) {
        dj_waits_note_waking(&dj_recorder_thread.waits, object, now_ns);
    }
    if (pipe != NULL) {
        dj_waits_note_waking(&dj_recorder_thread.waits, pipe, now_ns);
    }
}

void dj_recorder_note_read(int fd, int64_t begin_ns, uintptr_t stack)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    if (thread->swap_depth > 0 || thread->reply_depth > 0 ||
        dj_recorder_clock_ns() - begin_ns <= DJ_LOOP_WAIT_NS) {
        return;
    }
    if (dj_descriptor_kind(fd) != DJ_DESCRIPTOR_OTHER) {
        dj_recorder_end_fd_poll(fd, true, begin_ns, stack);
    }
}

void dj_recorder_note_sleep(int64_t begin_ns, uintptr_t stack)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    int64_t end_ns = end_wait(thread, begin_ns);
    if (thread->swap_depth == 0 && thread->reply_depth == 0) {
        thread->slept_ns += end_ns - begin_ns;
        dj_waits_end_wait(&thread->waits, begin_ns, end_ns, stack);
        dj_recorder_note_loop_woke();
    }
}

void dj_recorder_note_wake_up(const void *object)
{
    if (dj_waits_has_waiter(object)) {
        dj_waits_note_waking(&dj_recorder_thread.waits, object, dj_recorder_clock_ns());
    }
}

int64_t dj_recorder_begin_wait(const void *object)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    bool has_effect = thread->swap_depth == 0 && thread->reply_depth == 0;
    if (has_effect) {
        dj_waits_add_waiter(object);
    }
    return begin_wait(thread, has_effect);
}

static void end_woken_wait(const void *object, int64_t begin_ns, uintptr_t stack)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    int64_t end_ns = end_wait(thread, begin_ns);
    dj_waits_note_woken(&thread->waits, object, begin_ns, end_ns, stack);
    note_rest(thread, begin_ns, end_ns, stack);
    dj_recorder_note_loop_woke();
}

void dj_recorder_end_wait(const void *object, bool is_woken, int64_t begin_ns,
                          uintptr_t stack)
{
    if (begin_ns == 0) {
        return;
    }
    if (is_woken) {
        end_woken_wait(object, begin_ns, stack);
    } else {
        dj_recorder_note_sleep(begin_ns, stack);
    }
    dj_waits_remove_waiter(object);
}
