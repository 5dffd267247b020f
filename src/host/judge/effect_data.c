#include <math.h>
#include <stdlib.h>

#include "judge/effect_parts.h"
#include "memory/memory.h"
#include "stats/order.h"
#include "stats/shift.h"

/* ---- one side ---- */

static bool knows(const struct dj_effect_side *side, enum dj_effect_kind kind, size_t i)
{
    if (!isfinite(side->value[i])) {
        return false;
    }
    return kind == DJ_EFFECT_RATIO ||
           (side->value[i] >= 0 && isfinite(side->of[i]) && side->of[i] > 0);
}

static void take_logs(const struct dj_effect_side *side, double *scratch,
                      struct dj_known_runs *known)
{
    for (size_t i = 0; i < side->count; i++) {
        if (knows(side, DJ_EFFECT_RATIO, i)) {
            known->positive = known->positive && side->value[i] > 0;
            scratch[known->count] = side->value[i];
            known->log[known->count++] = log(side->value[i]);
        }
    }
    dj_center_of(scratch, known->count, &known->center);
    if (known->positive) {
        dj_sort(known->log, known->count);
    }
}

static void take_shares(const struct dj_effect_side *side, double *scratch,
                        struct dj_known_runs *known)
{
    for (size_t i = 0; i < side->count; i++) {
        if (knows(side, DJ_EFFECT_SHARE, i)) {
            known->first_frames = known->count == 0 ? side->of[i] : known->first_frames;
            known->same_frames = known->same_frames && side->of[i] == known->first_frames;
            known->events[known->count] = side->value[i];
            known->frames[known->count] = side->of[i];
            scratch[known->count++] = side->value[i] / side->of[i];
        }
    }
    dj_center_of(scratch, known->count, &known->center);
}

static double median_of(const struct dj_effect_side *side, double *scratch)
{
    struct dj_center center = {0};
    size_t count = 0;
    for (size_t i = 0; side->of != NULL && i < side->count; i++) {
        if (isfinite(side->value[i])) {
            scratch[count++] = side->of[i];
        }
    }
    dj_center_of(scratch, count, &center);
    return center.count > 0 ? center.median : NAN;
}

void dj_known_runs_take(const struct dj_effect_side *side, enum dj_effect_kind kind,
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
    (kind == DJ_EFFECT_RATIO ? take_logs : take_shares)(side, scratch, known);
    known->unknown = side->count - known->count;
    known->median_frames = median_of(side, scratch);
}

void dj_known_runs_finish(struct dj_known_runs *known)
{
    free(known->log);
}

/* ---- the centre of a batch ---- */

struct dj_share dj_share_of(const double *events, const double *frames, size_t count)
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

double dj_effect_log_centre(const struct dj_effect_side *side, enum dj_effect_kind kind)
{
    struct dj_known_runs known;
    double centre = NAN;
    dj_known_runs_take(side, kind, &known);
    if (known.count > 0 && kind == DJ_EFFECT_SHARE) {
        centre = dj_share_of(known.events, known.frames, known.count).log;
    } else if (known.count > 0 && known.positive &&
               dj_xcode(dj_centre_of(known.log, known.count, &centre)) != 0) {
        centre = NAN;
    }
    dj_known_runs_finish(&known);
    return centre;
}
