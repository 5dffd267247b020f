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
    /* Maximum number of attempts to lock the file, with a pause of LOCK_PAUSE_NS after
     * each. So the total wait for other processes is at most two seconds. */
    LOCK_ATTEMPTS = 400,
    LOCK_PAUSE_NS = 5000000
};

/* Locks the file. Does not use a blocking flock() because a hostile process may hold the
 * lock forever. */
static int lock_file(struct dj_checked_file *reading)
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
                        "%s: another process has locked this file for two seconds",
                        reading->path);
}

/* Opens the file for writing the fields of readers, and locks it. Closing the file
 * unlocks it. */
static int open_locked(struct dj_checked_file *reading, const char *path, unsigned owner,
                       struct dj_error *err)
{
    int code = dj_checked_file_open(reading, path, owner, true, err);
    return code != 0 ? code : lock_file(reading);
}

/* Writes bytes at an offset. This never extends the file, because dj_checked_file_open()
 * has checked that the file contains every window slot. */
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

/* Writes one copy of a reset: an odd sequence number, the data, and an even sequence
 * number. The sequence number may already be odd if a process died while it wrote a
 * reset. */
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

/* Writes the resets of all slots to the copies with index `set`. */
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

/* Sets *now to the state of a slot in the snapshot. A slot that the snapshot does not
 * contain was unused, so *now remains zero. */
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

static bool is_later(const struct dj_reading_reset *a, const struct dj_reading_reset *b)
{
    int32_t frames = (int32_t)(a->total.counter[DJ_COUNTER_TOTAL] -
                               b->total.counter[DJ_COUNTER_TOTAL]);
    return a->published > b->published || (a->published == b->published && frames > 0);
}

/* Changes *next from the previous reset of a slot to the new one. If the previous reset
 * is later than the snapshot, changes only its time. */
static void advance_reset(uint32_t slot, const struct dj_snapshot *snapshot,
                          int64_t at_ns, struct dj_reading_reset *next)
{
    struct dj_reading_reset now = {0};
    fill_from_snapshot(snapshot, slot, &now);
    if (!is_later(next, &now)) {
        *next = now;
    }
    next->at_ns = at_ns;
}

/* Resets all slots or none. At any time the first copies or the second copies are all
 * from the same reset, which at_ns identifies. This function first writes the second
 * copies (index 1) while readers use the first ones. Then it writes the first copies
 * while readers use the second ones. If a process died while it wrote the first copies,
 * they are completed before the second copies change. */
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

/* Marks rows as printed by the simple dump. The index never decreases, so that after two
 * concurrent dumps the rows of the later one remain marked. */
static int mark_slot_printed(struct dj_checked_file *reading, uint32_t slot, uint64_t end)
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
        code = mark_slot_printed(&reading, i, window->first_index + window->frame_count);
    }
    dj_checked_file_close(&reading);
    return code;
}
