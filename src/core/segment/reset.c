#include "segment/snapshot.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/checked.h"
#include "segment/counts.h"
#include "segment/read/checked_file.h"

enum {
    LOCK_ATTEMPTS = 400, /* times LOCK_PAUSE_NS: waits two seconds for other resets */
    LOCK_PAUSE_NS = 5000000
};

/* A hostile process may hold the lock forever, so this does not use a blocking
 * flock(). */
static int lock(struct dj_checked_file *reading)
{
    for (unsigned attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
        if (flock(reading->fd, LOCK_EX | LOCK_NB) == 0) {
            return 0;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return dj_error_set(reading->err, DJ_E_IO, "%s: cannot lock: %s",
                                reading->path, strerror(errno));
        }
        const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
        nanosleep(&pause, NULL);
    }
    return dj_error_set(reading->err, DJ_E_TIMEOUT,
                        "%s: another process has held its lock for two seconds",
                        reading->path);
}

/* Opens the file for writing the reader-owned words and locks it. Closing unlocks it. */
static int open_locked(struct dj_checked_file *reading, const char *path, unsigned owner,
                       struct dj_error *err)
{
    int code = dj_checked_file_open(reading, path, owner, true, err);
    return code != 0 ? code : lock(reading);
}

/* In range, because dj_checked_file_open() has checked that every window slot is inside
 * the file. */
static int write_at(struct dj_checked_file *reading, const void *bytes, size_t size,
                    int64_t offset)
{
    ssize_t done = pwrite(reading->fd, bytes, size, offset);
    if (done == (ssize_t)size) {
        atomic_thread_fence(memory_order_release);
        return 0;
    }
    return dj_checked_file_fail(reading, DJ_E_IO, offset, "cannot write %zu bytes: %s",
                                size, done < 0 ? strerror(errno) : "the disk is full");
}

/* Writes one of the two copies: odd sequence, words, even sequence. A resetter that
 * died in between left an odd sequence. */
static int write_copy(struct dj_checked_file *reading, int64_t offset,
                      const struct dj_segment_reset *words)
{
    const int64_t body = (int64_t)offsetof(struct dj_segment_reset, at_ns);
    uint64_t sequence;
    int code = dj_checked_file_read_word(reading, &sequence, offset);
    sequence |= 1;
    code = code != 0 ? code : write_at(reading, &sequence, sizeof(sequence), offset);
    code = code != 0 ? code
                     : write_at(reading, (const char *)words + body,
                                sizeof(*words) - (size_t)body, offset + body);
    sequence++;
    return code != 0 ? code : write_at(reading, &sequence, sizeof(sequence), offset);
}

/* Writes the resets of all slots into one of the two sets of copies. */
static int write_set(struct dj_checked_file *reading, unsigned set,
                     const struct dj_reading_reset *resets)
{
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < reading->header.window_slots; i++) {
        struct dj_segment_reset words = {0};
        atomic_store_explicit(&words.at_ns, resets[i].at_ns, memory_order_relaxed);
        atomic_store_explicit(&words.published, resets[i].published,
                              memory_order_relaxed);
        dj_segment_pack(&words.total, &resets[i].total);
        code = write_copy(
            reading, DJ_READING_AT(reading, i, reset) + (int64_t)(set * sizeof(words)),
            &words);
    }
    return code;
}

/* Gets the end of the snapshot's data in a slot. A slot that was unused then has
 * nothing to subtract. */
static void fill_from_snapshot(const struct dj_snapshot *snapshot, uint32_t slot,
                               struct dj_reading_reset *now)
{
    if (slot >= snapshot->window_count) {
        return;
    }
    const struct dj_snapshot_window *window = &snapshot->windows[slot];
    now->total = window->cumulative;
    now->published = window->first_index + window->frame_count;
}

static bool later(const struct dj_reading_reset *a, const struct dj_reading_reset *b)
{
    int32_t frames = (int32_t)(a->total.counter[DJ_COUNTER_TOTAL] -
                               b->total.counter[DJ_COUNTER_TOTAL]);
    return a->published > b->published || (a->published == b->published && frames > 0);
}

/* Sets the slot's new reset; `*next` is the previous one. */
static void advance_reset(uint32_t slot, const struct dj_snapshot *snapshot,
                          int64_t at_ns, struct dj_reading_reset *next)
{
    struct dj_reading_reset now = {0};
    fill_from_snapshot(snapshot, slot, &now);
    if (!later(next, &now)) {
        *next = now;
    }
    next->at_ns = at_ns;
}

/* Resets all slots or none: at every instant one of the two sets is entirely from one
 * reset, which `at_ns` identifies. Writes set 1 first, while readers use set 0; then
 * set 0, while they use set 1. If a resetter died with set 0 half written, completes
 * that before writing set 1. */
static int reset_slots(struct dj_checked_file *reading,
                       const struct dj_snapshot *snapshot, int64_t now_ns)
{
    struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS];
    unsigned set;
    int code = dj_reading_resets(reading, resets, &set);
    if (code == 0 && set == 1) {
        code = write_set(reading, 0, resets);
    }
    if (code != 0) {
        return code;
    }
    int64_t at_ns =
        now_ns > resets[0].at_ns ? now_ns : dj_checked_add_wrapped(resets[0].at_ns, 1);
    for (uint32_t i = 0; i < reading->header.window_slots; i++) {
        advance_reset(i, snapshot, at_ns, &resets[i]);
    }
    code = write_set(reading, 1, resets);
    return code != 0 ? code : write_set(reading, 0, resets);
}

int dj_segment_reset_to(const char *path, unsigned owner,
                        const struct dj_snapshot *snapshot, int64_t now_ns,
                        struct dj_error *err)
{
    struct dj_checked_file reading;
    int code = open_locked(&reading, path, owner, err);
    code = code != 0 ? code : reset_slots(&reading, snapshot, now_ns);
    dj_checked_file_close(&reading);
    return code;
}

int dj_segment_set_profile(const char *path, unsigned owner, bool on,
                           struct dj_error *err)
{
    struct dj_checked_file reading;
    uint32_t profile = on;
    int code = open_locked(&reading, path, owner, err);
    code = code != 0 ? code
                     : write_at(&reading, &profile, sizeof(profile),
                                offsetof(struct dj_segment_header, profile));
    dj_checked_file_close(&reading);
    return code;
}

/* Never decreases the position: after two concurrent dumps, the rows of the later one
 * remain consumed. */
static int consume_slot(struct dj_checked_file *reading, uint32_t slot, uint64_t end)
{
    uint64_t profiled;
    int64_t offset = DJ_READING_AT(reading, slot, profiled);
    int code = dj_checked_file_read_word(reading, &profiled, offset);
    if (code != 0 || profiled >= end) {
        return code;
    }
    return write_at(reading, &end, sizeof(end), offset);
}

int dj_segment_consume_profile(const char *path, unsigned owner,
                               const struct dj_snapshot *snapshot, struct dj_error *err)
{
    struct dj_checked_file reading;
    int code = open_locked(&reading, path, owner, err);
    for (uint32_t i = 0;
         code == 0 && i < snapshot->window_count && i < reading.header.window_slots;
         i++) {
        const struct dj_snapshot_window *window = &snapshot->windows[i];
        code = consume_slot(&reading, i, window->first_index + window->frame_count);
    }
    dj_checked_file_close(&reading);
    return code;
}
