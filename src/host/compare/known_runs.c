#include <math.h>
#include <stdlib.h>

#include "compare/effect_private.h"
#include "memory/memory.h"
#include "stats/order.h"
#include "stats/shift.h"

static bool is_known(const struct dj_effect_side *side, enum dj_effect_kind kind,
                     size_t i)
{
    if (!isfinite(side->value[i])) {
        return false;
    }
    return kind == DJ_EFFECT_RATIO ||
           (side->value[i] >= 0 && isfinite(side->of[i]) && side->of[i] > 0);
}

static void add_known_runs(const struct dj_effect_side *side, enum dj_effect_kind kind,
                           double *scratch, struct dj_known_runs *known)
{
    for (size_t i = 0; i < side->count; i++) {
        if (!is_known(side, kind, i)) {
            continue;
        }
        double value = side->value[i];
        size_t k = known->count++;
        if (kind == DJ_EFFECT_RATIO) {
            known->positive = known->positive && value > 0;
            known->log[k] = log(value);
            scratch[k] = value;
        } else {
            known->events[k] = value;
            known->frames[k] = side->of[i];
            known->same_frames = known->same_frames && side->of[i] == known->frames[0];
            scratch[k] = value / side->of[i];
        }
    }
    dj_center_compute(scratch, known->count, &known->center);
    if (kind == DJ_EFFECT_RATIO && known->positive) {
        dj_order_sort(known->log, known->count);
    }
}

static double compute_median(const struct dj_effect_side *side, double *scratch)
{
    struct dj_center center;
    for (size_t i = 0; i < side->count; i++) {
        scratch[i] = side->of != NULL && isfinite(side->value[i]) ? side->of[i] : NAN;
    }
    dj_center_compute(scratch, side->count, &center);
    return center.count > 0 ? center.median : NAN;
}

void dj_compare_effect_known_runs_init(const struct dj_effect_side *side,
                                       enum dj_effect_kind kind,
                                       struct dj_known_runs *known)
{
    double *room = dj_xcalloc(side->count, 4 * sizeof(*room));
    double *scratch = room + 3 * side->count;
    *known = (struct dj_known_runs){
        .log = room,
        .events = room + side->count,
        .frames = room + 2 * side->count,
        .positive = true,
        .same_frames = true,
    };
    add_known_runs(side, kind, scratch, known);
    known->unknown = side->count - known->count;
    known->median_frames = compute_median(side, scratch);
}

void dj_compare_effect_known_runs_finish(struct dj_known_runs *known)
{
    free(known->log);
}

struct dj_share dj_compare_compute_share(const double *events, const double *frames,
                                         size_t count)
{
    struct dj_share share = {0};
    double squares = 0;
    double n = (double)count;
    for (size_t i = 0; i < count; i++) {
        share.events += events[i];
        share.frames += frames[i];
    }
    for (size_t i = 0; i < count; i++) {
        double rest = events[i] - share.events / share.frames * frames[i];
        squares += rest * rest;
    }
    double more = share.events + 0.5;
    share.log = log(more / share.frames);
    share.error = sqrt(fmax(n / (n - 1) * squares / (more * more), 1 / more));
    return share;
}

double dj_compare_log_centre(const struct dj_effect_side *side, enum dj_effect_kind kind)
{
    struct dj_known_runs known;
    double centre = NAN;
    dj_compare_effect_known_runs_init(side, kind, &known);
    if (known.count > 0 && kind == DJ_EFFECT_SHARE) {
        centre = dj_compare_compute_share(known.events, known.frames, known.count).log;
    } else if (known.count > 0 && known.positive &&
               dj_xcode(dj_shift_compute_centre(known.log, known.count, &centre)) != 0) {
        centre = NAN;
    }
    dj_compare_effect_known_runs_finish(&known);
    return centre;
}
