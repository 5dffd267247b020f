#include "xpresent/refresh.h"

/* A change of the interval by more than 1 / CHANGE_PARTS means another display mode or
 * another display. Smaller differences are errors, because the server's times may be
 * wrong by half an interval. */
enum { CHANGE_PARTS = 16 };

static void start(struct dj_xpresent_refresh *refresh, uint64_t at_us, uint64_t count)
{
    refresh->started = true;
    refresh->first_us = refresh->last_us = at_us;
    refresh->first_count = refresh->last_count = count;
}

static int64_t divide(uint64_t span_us, uint64_t refreshes)
{
    return (int64_t)((double)span_us * 1e3 / (double)refreshes);
}

static bool is_change(int64_t known_ns, int64_t now_ns)
{
    int64_t difference_ns = now_ns > known_ns ? now_ns - known_ns : known_ns - now_ns;
    return difference_ns > known_ns / CHANGE_PARTS;
}

int64_t dj_xpresent_refresh_add(struct dj_xpresent_refresh *refresh, uint64_t at_us,
                                uint64_t count)
{
    bool is_back = at_us < refresh->last_us || count < refresh->last_count;
    if (!refresh->started || is_back) {
        refresh->interval_ns = 0;
        start(refresh, at_us, count);
        return 0;
    }
    if (count - refresh->last_count < DJ_XPRESENT_REFRESHES) {
        return refresh->interval_ns;
    }
    int64_t block_ns = divide(at_us - refresh->last_us, count - refresh->last_count);
    if (refresh->interval_ns > 0 && is_change(refresh->interval_ns, block_ns)) {
        refresh->first_us = refresh->last_us;
        refresh->first_count = refresh->last_count;
    }
    refresh->last_us = at_us;
    refresh->last_count = count;
    refresh->interval_ns =
        divide(at_us - refresh->first_us, count - refresh->first_count);
    return refresh->interval_ns;
}
