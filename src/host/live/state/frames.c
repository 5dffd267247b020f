#include <stdlib.h>
#include <string.h>

#include "live/state/state.h"

enum { FIRST_FRAMES = 1024 };

/* Doubles the ring. The frames are then at its beginning. */
static bool grow_ring(struct dj_live *live)
{
    size_t size = live->ring_size == 0 ? FIRST_FRAMES : live->ring_size * 2;
    struct dj_live_frame *ring = calloc(size, sizeof(*ring));
    if (ring == NULL) {
        return false;
    }
    for (size_t i = 0; i < live->frame_count; i++) {
        ring[i] = live->ring[(live->ring_first + i) % live->ring_size];
    }
    free(live->ring);
    live->ring = ring;
    live->ring_size = size;
    live->ring_first = 0;
    return true;
}

static void remove_oldest(struct dj_live *live)
{
    live->ring_first = (live->ring_first + 1) % live->ring_size;
    live->frame_count--;
    live->new_count =
        live->new_count > live->frame_count ? live->frame_count : live->new_count;
}

/* Removes frames that are older than the last 10 s before `now_ns`. */
static void remove_old(struct dj_live *live, int64_t now_ns)
{
    while (live->frame_count > 0 &&
           live->ring[live->ring_first].start_ns < now_ns - DJ_LIVE_SPAN_NS) {
        remove_oldest(live);
        live->has_discarded = false;
    }
}

static bool push_frame(struct dj_live *live, const struct dj_live_frame *frame)
{
    if (live->frame_count == live->ring_size && live->frame_count < DJ_LIVE_FRAMES_MAX &&
        !grow_ring(live)) {
        return false;
    }
    if (live->frame_count == live->ring_size) {
        remove_oldest(live);
        live->has_discarded = true;
    }
    size_t at = (live->ring_first + live->frame_count) % live->ring_size;
    live->ring[at] = *frame;
    live->frame_count++;
    live->new_count++;
    return true;
}

void dj_live_count_lost(struct dj_live_figures *figures, int64_t lost)
{
    figures->lost += lost > 0 ? (uint64_t)lost : 0;
    figures->lost_ranges += lost != 0 ? 1 : 0;
}

/* Adds a frame to the figures since dj_live_open(). */
static bool add_to_total(struct dj_live *live, const struct dj_live_frame *frame)
{
    struct dj_live_figures *total = &live->total;
    total->frames++;
    total->judged += frame->is_judged ? 1 : 0;
    total->janky += frame->is_janky ? 1 : 0;
    dj_live_count_lost(total, frame->lost_before);
    if (live->total_start_ns < 0 || frame->start_ns < live->total_start_ns) {
        live->total_start_ns = frame->start_ns;
    }
    if (frame->frame_time_ns < 0) {
        return true;
    }
    if (frame->frame_time_ns > total->longest_ns) {
        total->longest_ns = frame->frame_time_ns;
    }
    struct dj_histogram_bucket bucket = {dj_exponential_key(frame->frame_time_ns), 1};
    const struct dj_histogram one = {&bucket, 1};
    return dj_exponential_merge(&live->times, &one);
}

bool dj_live_add_frame(struct dj_live *live, struct dj_live_frame *frame, int64_t end_ns)
{
    frame->sequence = ++live->last_sequence;
    if (live->first_start_ns < 0 || frame->start_ns < live->first_start_ns) {
        live->first_start_ns = frame->start_ns;
    }
    live->last_end_ns = end_ns > live->last_end_ns ? end_ns : live->last_end_ns;
    remove_old(live, live->last_end_ns);
    return push_frame(live, frame) &&
           (end_ns < live->opened_ns || add_to_total(live, frame));
}

size_t dj_live_new_count(const struct dj_live *live)
{
    return live->new_count;
}

size_t dj_live_frame_count(const struct dj_live *live)
{
    return live->frame_count;
}

const struct dj_live_frame *dj_live_get_frame(const struct dj_live *live, size_t index)
{
    return &live->ring[(live->ring_first + index) % live->ring_size];
}

size_t dj_live_find_after(const struct dj_live *live, uint64_t sequence)
{
    /* The kept frames have consecutive sequence numbers. */
    uint64_t oldest = live->last_sequence - live->frame_count + 1;
    if (sequence < oldest) {
        return 0;
    }
    return sequence < live->last_sequence ? (size_t)(sequence - oldest + 1)
                                          : live->frame_count;
}
