#include "jank/present.h"

#include <math.h>

#include "base/checked.h"

static int64_t absolute(int64_t ns)
{
    return ns >= 0 ? ns : ns == INT64_MIN ? INT64_MAX : -ns;
}

/* Returns the time that the content of the frame shows: the animation's time if it is
 * known, otherwise the start. */
static int64_t get_content_ns(const struct dj_jank_frame *a,
                              const struct dj_jank_frame *b,
                              const struct dj_jank_frame *frame)
{
    bool known = a->animation_ns != DJ_JANK_UNKNOWN && b->animation_ns != DJ_JANK_UNKNOWN;
    return known ? frame->animation_ns : frame->start_ns;
}

static void add_refreshes(struct dj_present_totals *totals, int64_t step_ns,
                          int64_t interval_ns)
{
    int64_t refreshes = dj_jank_count_intervals(step_ns, interval_ns);
    totals->pacing_ns[totals->pacings++] = absolute(step_ns - refreshes * interval_ns);
    totals->skipped += refreshes == 0;
    if (refreshes > 1) {
        size_t late = (size_t)(refreshes - 1);
        totals->repeated += late;
        totals->late[late < DJ_PRESENT_LATE ? late - 1 : DJ_PRESENT_LATE - 1]++;
    }
}

static void add_animation(struct dj_present_totals *totals,
                          const struct dj_jank_frame *last,
                          const struct dj_jank_frame *frame, int64_t step_ns)
{
    int64_t content_ns = dj_checked_subtract_saturated(get_content_ns(last, frame, frame),
                                                       get_content_ns(last, frame, last));
    totals->animation_ns[totals->animations++] =
        absolute(dj_checked_subtract_saturated(content_ns, step_ns));
}

static void add_step(struct dj_present_totals *totals, const struct dj_jank_frame *last,
                     const struct dj_jank_frame *frame)
{
    int64_t step_ns = dj_checked_subtract_saturated(frame->present_ns, last->present_ns);
    int64_t interval_ns = dj_jank_pair_interval_ns(last, frame);
    totals->steps_ns[totals->steps++] = step_ns;
    if (!last->present_only && !frame->present_only) {
        add_animation(totals, last, frame, step_ns);
    }
    if (interval_ns != DJ_JANK_UNKNOWN) {
        add_refreshes(totals, step_ns, interval_ns);
    } else {
        totals->skipped += step_ns == 0;
    }
}

void dj_present_add(struct dj_present_totals *totals, const struct dj_jank_log *log)
{
    const struct dj_jank_frame *last = NULL; /* Last frame with a known present. */
    /* Number of frames after `last` without a known present. */
    size_t unpresented = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct dj_jank_frame *frame = &log->frames[i];
        if (!dj_jank_follows(log, i)) {
            last = NULL;
            unpresented = 0;
        }
        if (frame->present_only && frame->present_ns == DJ_JANK_UNKNOWN) {
            totals->skipped++;
            continue;
        }
        bool presented = frame->present_ns != DJ_JANK_UNKNOWN &&
                         (last == NULL || frame->present_ns >= last->present_ns);
        if (!presented) {
            unpresented += last != NULL && !frame->excluded;
            continue;
        }
        totals->presents += !frame->excluded;
        totals->skipped += unpresented;
        unpresented = 0;
        if (last != NULL && !frame->excluded) {
            add_step(totals, last, frame);
        }
        last = frame;
    }
}

static struct dj_present_error compute_error(int64_t *times_ns, size_t count)
{
    struct dj_spread spread;
    dj_frame_compute_spread(times_ns, count, &spread);
    if (count == 0) {
        return (struct dj_present_error){0, (double)NAN, (double)NAN, (double)NAN};
    }
    return (struct dj_present_error){count, spread.mean_ns, spread.p95_ns,
                                     (double)spread.max_ns};
}

void dj_present_compute(struct dj_present_totals *totals,
                        struct dj_present_figures *figures)
{
    *figures = (struct dj_present_figures){
        .presents = totals->presents,
        .has_refreshes = totals->pacings > 0,
        .repeated = totals->repeated,
        .skipped = totals->skipped,
        .pacing = compute_error(totals->pacing_ns, totals->pacings),
        .animation = compute_error(totals->animation_ns, totals->animations),
    };
    for (size_t i = 0; i < DJ_PRESENT_LATE; i++) {
        figures->late[i] = totals->late[i];
        figures->late_total += totals->late[i];
    }
    dj_frame_compute_spread(totals->steps_ns, totals->steps, &figures->step);
    if (totals->presents == 0) {
        figures->reason = "no frame has a present time";
    } else if (totals->steps == 0) {
        figures->reason = "no two presented frames follow each other";
    }
}
