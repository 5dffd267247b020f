#include "frame/interval.h"

enum { INTERVALS_MAX = 8 }; /* refresh rates a display changes between */

struct vote {
    int64_t interval_ns;
    size_t rows;
};

static void count_vote(struct vote *votes, size_t *count, int64_t interval_ns)
{
    for (size_t i = 0; i < *count; i++) {
        if (votes[i].interval_ns == interval_ns) {
            votes[i].rows++;
            return;
        }
    }
    if (*count < INTERVALS_MAX) {
        votes[(*count)++] = (struct vote){interval_ns, 1};
    }
}

struct dj_interval dj_interval_of(struct dj_interval told, const struct dj_frame *frames,
                                  size_t count)
{
    struct vote votes[INTERVALS_MAX];
    size_t vote_count = 0;
    struct vote most = {0};
    if (told.ns > 0) {
        return told;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t interval_ns = dj_frame_get(&frames[i], DJ_COLUMN_FRAME_INTERVAL, 0);
        if (interval_ns > 0) {
            count_vote(votes, &vote_count, interval_ns);
        }
    }
    for (size_t i = 0; i < vote_count; i++) {
        most = votes[i].rows > most.rows ? votes[i] : most;
    }
    return most.rows > 0 ? (struct dj_interval){most.interval_ns, false}
                         : (struct dj_interval){DJ_ASSUMED_INTERVAL_NS, true};
}
