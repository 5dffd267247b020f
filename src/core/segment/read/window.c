#include "segment/read/window.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

enum {
    /* Maximum attempts to read a slot that is being assigned to other windows. */
    WINDOW_ATTEMPTS = 100,
    ROWS_AT_ONCE = 64 /* Rows copied per system call, which use 14 KiB of stack. */
};

static const uint64_t KNOWN_COLUMNS = (UINT64_C(1) << DJ_COLUMN_COUNT) - 1;

/* Reads the first fields of a window slot. These fields identify the holder of the slot,
 * that is the window to which the slot is assigned. */
static int read_holder(struct dj_checked_file *reading, uint32_t slot,
                       struct dj_segment_open_window *holder)
{
    int64_t offset = dj_checked_file_window_offset(reading, slot);
    int code = dj_checked_file_read(
        reading, holder, offsetof(struct dj_segment_open_window, begun), offset);
    if (code == 0 && holder->state != DJ_WINDOW_OPEN &&
        holder->state != DJ_WINDOW_CHANGING) {
        code =
            dj_checked_file_fail(reading, DJ_E_INVALID, offset,
                                 "state of window slot %u is %u: expected %d or %d", slot,
                                 holder->state, DJ_WINDOW_CHANGING, DJ_WINDOW_OPEN);
    }
    return code;
}

static bool is_same_holder(const struct dj_segment_open_window *a,
                           const struct dj_segment_open_window *b)
{
    return a->state == b->state && a->key == b->key && a->first_index == b->first_index &&
           a->renamed == b->renamed;
}

static int64_t compute_title_offset(const struct dj_checked_file *reading, uint32_t slot,
                                    const struct dj_segment_open_window *holder)
{
    return DJ_READING_AT(reading, slot, title) +
           (int64_t)(holder->renamed % 2) * DJ_SEGMENT_NAME;
}

static int check_title(const struct dj_checked_file *reading, uint32_t slot,
                       const struct dj_segment_open_window *holder, const char *title)
{
    if (memchr(title, '\0', DJ_SEGMENT_NAME) != NULL) {
        return 0;
    }
    return dj_checked_file_fail(
        reading, DJ_E_INVALID, compute_title_offset(reading, slot, holder),
        "title of window slot %u has no zero byte within %d bytes", slot,
        DJ_SEGMENT_NAME);
}

static int check_holder(const struct dj_checked_file *reading, uint32_t slot,
                        const struct dj_segment_open_window *holder, uint64_t published)
{
    if (holder->interval_ns <= 0) {
        return dj_checked_file_fail(
            reading, DJ_E_INVALID, DJ_READING_AT(reading, slot, interval_ns),
            "interval_ns of window slot %u is %lld: expected a positive number", slot,
            (long long)holder->interval_ns);
    }
    if (holder->visibility != DJ_VISIBLE && holder->visibility != DJ_INVISIBLE &&
        holder->visibility != DJ_GONE) {
        return dj_checked_file_fail(
            reading, DJ_E_INVALID, DJ_READING_AT(reading, slot, visibility),
            "visibility of window slot %u is %u: expected %d, %d or %d", slot,
            holder->visibility, DJ_VISIBLE, DJ_INVISIBLE, DJ_GONE);
    }
    if (holder->first_index > published) {
        return dj_checked_file_fail(
            reading, DJ_E_INVALID, DJ_READING_AT(reading, slot, first_index),
            "first_index of window slot %u is %llu: expected at most published, %llu",
            slot, (unsigned long long)holder->first_index, (unsigned long long)published);
    }
    return 0;
}

static void unpack_row(struct dj_frame *frame, struct dj_segment_row *row)
{
    frame->known = atomic_load_explicit(&row->known, memory_order_relaxed);
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        int64_t value = atomic_load_explicit(&row->value[i], memory_order_relaxed);
        frame->value[i] = (frame->known >> i & 1) != 0 ? value : 0;
    }
}

/* Copies the rows from index `from` to `to` − 1. Some may be overwritten during the
 * copy. */
static int copy_rows(struct dj_checked_file *reading, uint32_t slot, uint64_t from,
                     uint64_t to, struct dj_frame *frames)
{
    struct dj_segment_row rows[ROWS_AT_ONCE];
    while (from < to) {
        uint64_t until_wrap = reading->header.keep - from % reading->header.keep;
        size_t count = (size_t)DJ_LEAST(DJ_LEAST(to - from, until_wrap), ROWS_AT_ONCE);
        int code = dj_checked_file_read(reading, rows, count * sizeof(rows[0]),
                                        dj_checked_file_row_offset(reading, slot, from));
        if (code != 0) {
            return code;
        }
        for (size_t i = 0; i < count; i++) {
            unpack_row(frames++, &rows[i]);
        }
        from += count;
    }
    return 0;
}

/* Removes the first rows, which were overwritten during the copy. */
static int remove_overwritten(struct dj_checked_file *reading, uint32_t slot,
                              uint64_t published, struct dj_snapshot_window *window)
{
    uint64_t begun;
    int64_t offset = DJ_READING_AT(reading, slot, begun);
    int code = dj_checked_file_read_word(reading, &begun, offset);
    if (code != 0) {
        return code;
    }
    if (begun < published) {
        return dj_checked_file_fail(
            reading, DJ_E_INVALID, offset,
            "begun of window slot %u is %llu: expected at least published, %llu", slot,
            (unsigned long long)begun, (unsigned long long)published);
    }
    uint32_t keep = reading->header.keep;
    uint64_t valid_from = begun > keep ? begun - keep : 0;
    if (window->frame_count > 0 && valid_from > window->first_index) {
        size_t lost =
            (size_t)DJ_LEAST(valid_from - window->first_index, window->frame_count);
        window->frame_count -= lost;
        window->first_index += lost;
        memmove(window->frames, window->frames + lost,
                window->frame_count * sizeof(window->frames[0]));
    }
    return 0;
}

static int check_rows(const struct dj_checked_file *reading, uint32_t slot,
                      const struct dj_snapshot_window *window)
{
    for (size_t i = 0; i < window->frame_count; i++) {
        if ((window->frames[i].known & ~KNOWN_COLUMNS) != 0) {
            return dj_checked_file_fail(
                reading, DJ_E_INVALID,
                dj_checked_file_row_offset(reading, slot, window->first_index + i),
                "row %llu has columns after number %d, the last one: mask %016llx",
                (unsigned long long)(window->first_index + i), DJ_COLUMN_COUNT,
                (unsigned long long)window->frames[i].known);
        }
    }
    return 0;
}

/* Reads the rows from index `from` to `to` − 1, except those that were overwritten
 * during the copy. */
static int read_rows(struct dj_checked_file *reading, uint32_t slot, uint64_t from,
                     uint64_t to, uint64_t published, struct dj_snapshot_window *window)
{
    window->first_index = from;
    window->frame_count = (size_t)(to - from);
    if (from < to) {
        window->frames = calloc(window->frame_count, sizeof(window->frames[0]));
        if (window->frames == NULL) {
            window->frame_count = 0;
            return dj_error_set(reading->err, DJ_E_NO_MEMORY,
                                "%s: no memory for %llu frames", reading->path,
                                (unsigned long long)(to - from));
        }
    }
    int code = copy_rows(reading, slot, from, to, window->frames);
    code = code != 0 ? code : remove_overwritten(reading, slot, published, window);
    return code != 0 ? code : check_rows(reading, slot, window);
}

/* Returns the index of the first row to read. `end` is the index after the last one. */
static uint64_t find_first_row(const struct dj_checked_file *reading,
                               const struct dj_segment_open_window *holder,
                               const struct dj_reading_reset *reset,
                               const struct dj_snapshot_options *options, uint64_t end)
{
    uint64_t wanted = options->rows != 0 ? DJ_LEAST(options->rows, reading->header.keep)
                                         : reading->header.keep;
    uint64_t from = end > wanted ? end - wanted : 0;
    from = holder->first_index > from ? holder->first_index : from;
    if (!options->ignore_reset && reset->published > from) {
        from = reset->published;
    }
    return DJ_LEAST(from, end);
}

/* Computes the statistics of the current window since it was opened, or since the last
 * reset if that was later. Row indexes, and not the statistics, show which of the two was
 * later, because the statistics may overflow. */
static void fill_stats(struct dj_snapshot_window *window,
                       const struct dj_segment_open_window *holder,
                       const struct dj_reading_sums *sums,
                       const struct dj_reading_reset *reset,
                       const struct dj_snapshot_options *options)
{
    window->cumulative = sums->total;
    window->process = sums->total;
    window->stats = sums->total;
    dj_frame_stats_subtract(&window->stats, &sums->opened);
    if (options->ignore_reset) {
        return;
    }
    dj_frame_stats_subtract(&window->process, &reset->total);
    if (reset->published > holder->first_index) {
        window->stats = window->process;
    }
}

/* Reads a window slot once. Returns 1 if successful, 0 if the slot was assigned to
 * another window during reading, or a negative error code. */
static int try_read_window(struct dj_checked_file *reading, uint32_t slot,
                           const struct dj_snapshot_options *options,
                           const struct dj_reading_reset *reset,
                           struct dj_snapshot_window *window)
{
    struct dj_segment_open_window before;
    struct dj_segment_open_window after;
    struct dj_reading_sums sums;
    int code = read_holder(reading, slot, &before);
    code = code != 0 ? code : dj_reading_sums(reading, slot, &sums);
    if (code != 0) {
        return code;
    }
    *window = (struct dj_snapshot_window){.open = before.state == DJ_WINDOW_OPEN,
                                          .first_index = sums.end};
    code = dj_checked_file_read(reading, window->title, sizeof(window->title),
                                compute_title_offset(reading, slot, &before));
    fill_stats(window, &before, &sums, reset, options);
    if (code == 0 && window->open) {
        uint64_t from = find_first_row(reading, &before, reset, options, sums.end);
        code = read_rows(reading, slot, from, sums.end, sums.published, window);
    }
    code = code != 0 ? code : read_holder(reading, slot, &after);
    if (code != 0 || !is_same_holder(&before, &after)) {
        return code;
    }
    window->key = before.key;
    window->interval_ns = before.interval_ns;
    window->interval_assumed = before.interval_assumed != 0;
    window->visibility = before.visibility;
    window->views = before.views;
    window->last_ns = before.last_ns;
    window->opened_index = before.first_index;
    if (window->open) {
        code = check_holder(reading, slot, &before, sums.published);
        code = code != 0 ? code : check_title(reading, slot, &before, window->title);
    } else {
        window->title[0] = '\0';
    }
    return code != 0 ? code : 1;
}

static int read_profiled(struct dj_checked_file *reading, uint32_t slot,
                         struct dj_snapshot_window *window)
{
    return dj_checked_file_read_word(reading, &window->profiled,
                                     DJ_READING_AT(reading, slot, profiled));
}

int dj_window_read(struct dj_checked_file *reading, uint32_t slot,
                   const struct dj_snapshot_options *options,
                   const struct dj_reading_reset *reset,
                   struct dj_snapshot_window *window)
{
    for (unsigned attempt = 1;; attempt++) {
        int done = try_read_window(reading, slot, options, reset, window);
        bool settled = window->open || attempt >= WINDOW_ATTEMPTS;
        if (done < 0) {
            return done;
        }
        if (done > 0 && settled) {
            return read_profiled(reading, slot, window);
        }
        free(window->frames);
        *window = (struct dj_snapshot_window){0};
        int code =
            dj_checked_file_retry(reading, dj_checked_file_window_offset(reading, slot));
        if (code != 0) {
            return code;
        }
        sched_yield();
    }
}
