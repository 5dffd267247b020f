/* What hooked calls tell of a thread's waits, brought before the rules of waits.h. */
#include <errno.h>
#include <sys/stat.h>

#include "recorder/recorder.h"
#include "recorder/thread.h"

/* The end of a wait that began at begin_ns. */
static int64_t wait_end(struct dj_thread *thread, int64_t begin_ns)
{
    if (thread->first_seen_ns == 0) {
        thread->first_seen_ns = begin_ns;
    }
    return dj_clock_ns();
}

/* What wakes a thread through a pipe is a byte, or a number as an eventfd takes it. */
enum { WAKE_UP_BYTES = 8 };

/* Descriptors as objects of the wake table. */
static const void *fd_object(int fd)
{
    static const int64_t objects[1024];
    size_t count = sizeof(objects) / sizeof(objects[0]);
    return fd >= 0 && (size_t)fd < count ? &objects[fd] : NULL;
}

/* A pipe's two ends have one inode. An odd number is no object's address. */
static const void *pipe_object(int fd)
{
    struct stat status;
    int saved_errno = errno;
    bool is_pipe = fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
    errno = saved_errno;
    return is_pipe ? (const void *)((uintptr_t)status.st_ino << 1 | 1) : NULL;
}

/* A wait of the loop's was no work on a frame asked for, whoever ended it; but where that
 * was another thread's work, up to where that began. */
static void rested(struct dj_thread *thread, int64_t begin_ns, int64_t end_ns,
                   uintptr_t stack)
{
    if (thread->claim.working_ns == 0 || end_ns - begin_ns <= DJ_LOOP_WAIT_NS ||
        !dj_waits_is_loop(&thread->waits, stack)) {
        return;
    }
    int64_t woke_ns = thread->waits.woke_ns;
    dj_claim_rested(&thread->claim, begin_ns,
                    woke_ns > begin_ns && woke_ns < end_ns ? woke_ns : end_ns);
}

static void poll_ended(const void *object, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    if (thread->swap_depth > 0) {
        thread->swap_waited_ns += end_ns - begin_ns;
    } else if (thread->reply_depth > 0) {
        return;
    } else if (thread->event_depth > 0) {
        dj_waits_event_came(&thread->waits, begin_ns, end_ns);
    } else if (object != NULL) {
        dj_waits_woken(&thread->waits, object, begin_ns, end_ns, stack);
    } else {
        dj_waits_returned(&thread->waits, begin_ns, end_ns, stack);
    }
    rested(thread, begin_ns, end_ns, thread->event_depth > 0 ? UINTPTR_MAX : stack);
}

void dj_recorder_polled(int64_t begin_ns, uintptr_t stack)
{
    poll_ended(NULL, begin_ns, wait_end(&dj_thread, begin_ns), stack);
}

void dj_recorder_polled_fd(int ready, bool alone, int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    int64_t end_ns = wait_end(thread, begin_ns);
    if (ready > 0 && ready == thread->event_fd && alone) {
        poll_ended(NULL, begin_ns, end_ns, thread->event_stack);
        return;
    }
    /* Within these, whatever the descriptor says is not asked for. */
    if (thread->swap_depth > 0 || thread->reply_depth > 0 || thread->event_depth > 0) {
        poll_ended(NULL, begin_ns, end_ns, stack);
        return;
    }
    const void *object = fd_object(ready);
    bool concerns = object != NULL && dj_waits_concerns(&thread->waits, object, alone);
    /* A system call, so only after a wait that was one. */
    if (!concerns && alone && ready >= 0 && end_ns - begin_ns > DJ_LOOP_WAIT_NS) {
        object = pipe_object(ready);
        concerns = object != NULL && dj_waits_concerns(&thread->waits, object, alone);
    }
    poll_ended(concerns ? object : NULL, begin_ns, end_ns, stack);
}

void dj_recorder_wrote(int fd, size_t size)
{
    const void *object = fd_object(fd);
    const void *pipe = size <= WAKE_UP_BYTES ? pipe_object(fd) : NULL;
    int64_t now_ns = dj_clock_ns();
    if (object != NULL) {
        dj_waits_waking(&dj_thread.waits, object, now_ns);
    }
    if (pipe != NULL) {
        dj_waits_waking(&dj_thread.waits, pipe, now_ns);
    }
}

void dj_recorder_read(int fd, int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    struct stat status;
    if (thread->swap_depth > 0 || thread->reply_depth > 0 ||
        dj_clock_ns() - begin_ns <= DJ_LOOP_WAIT_NS) {
        return;
    }
    int saved_errno = errno;
    bool known = fstat(fd, &status) == 0;
    errno = saved_errno;
    if (known && !S_ISSOCK(status.st_mode) && !S_ISREG(status.st_mode) &&
        !S_ISBLK(status.st_mode)) {
        dj_recorder_polled_fd(fd, true, begin_ns, stack);
    }
}

void dj_recorder_slept(int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    int64_t end_ns = wait_end(thread, begin_ns);
    if (thread->swap_depth == 0 && thread->reply_depth == 0) {
        thread->slept_ns += end_ns - begin_ns;
        dj_waits_returned(&thread->waits, begin_ns, end_ns, stack);
    }
}

void dj_recorder_waking(const void *object)
{
    dj_waits_waking(&dj_thread.waits, object, dj_clock_ns());
}

void dj_recorder_woken(const void *object, int64_t begin_ns, uintptr_t stack)
{
    struct dj_thread *thread = &dj_thread;
    int64_t end_ns = wait_end(thread, begin_ns);
    if (thread->swap_depth == 0 && thread->reply_depth == 0) {
        dj_waits_woken(&thread->waits, object, begin_ns, end_ns, stack);
        rested(thread, begin_ns, end_ns, stack);
    }
}
