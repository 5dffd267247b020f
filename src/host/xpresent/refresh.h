/* Computes the display's interval from the X server's counts of refreshes. Pure. */
#ifndef DEJANK_XPRESENT_REFRESH_H
#define DEJANK_XPRESENT_REFRESH_H

#include <stdbool.h>
#include <stdint.h>

/* The counts of refreshes for one window. Zero the struct before use. */
struct dj_xpresent_refresh {
    bool started;
    /* Each pair of members is a time in µs and the number of refreshes up to that
     * time. */
    /* Time and count since which the interval has not changed. */
    uint64_t first_us, first_count;
    /* Time and count at the beginning of the current block. */
    uint64_t last_us, last_count;
    int64_t interval_ns; /* Interval of the display in ns, or 0 if unknown. */
};

/* Adds a report of the X server: at_us and the count of refreshes. Returns the display's
 * interval in ns. Returns 0 until DJ_XPRESENT_REFRESHES refreshes were counted. */
int64_t dj_xpresent_refresh_add(struct dj_xpresent_refresh *refresh, uint64_t at_us,
                                uint64_t count);

enum { DJ_XPRESENT_REFRESHES = 30 };

#endif
