#include "frame/interval.h"

#include "stats/quantile.h"

/* Returns the median. If `count` is even, this is the lower one of the two middle
 * numbers. Only partly sorts `numbers`, because a full sort takes longer. */
static int64_t find_lower_median(int64_t *numbers, size_t count)
{
    static const double middle = 0.5;
    dj_quantile_arrange_int64(numbers, count, &middle, 1);
    return numbers[(count - 1) / 2];
}

struct dj_interval dj_frame_choose_interval(struct dj_interval given,
                                            const struct dj_frame *frames, size_t count,
                                            int64_t *scratch)
{
    size_t known = 0;
    if (given.ns > 0) {
        return given;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t interval_ns = dj_frame_get(&frames[i], DJ_COLUMN_FRAME_INTERVAL, 0);
        if (interval_ns > 0) {
            scratch[known++] = interval_ns;
        }
    }
    if (known == 0) {
        return (struct dj_interval){DJ_ASSUMED_INTERVAL_NS, true};
    }
    return (struct dj_interval){find_lower_median(scratch, known), false};
}
