/* Finds the interval of the display in the X server's counts of refreshes. Pure. */
#ifndef DEJANK_XPRESENT_REFRESH_H
#define DEJANK_XPRESENT_REFRESH_H

#include <stdbool.h>
#include <stdint.h>

/* The counts of one window. Zero the struct before use. */
struct dj_xpresent_refresh {
    bool started;
    /* A time in µs, and the number of refreshes until then. */
    uint64_t first_us, first_count; /* Since when the interval did not change. */
    uint64_t last_us, last_count;   /* Begin of the current block. */
    int64_t interval_ns;            /* 0 if unknown. */
};

/* Adds a report of the X server. Returns the display's interval in ns, or 0 if it is
 * unknown: it is known after DJ_XPRESENT_REFRESHES refreshes. */
int64_t dj_xpresent_refresh_add(struct dj_xpresent_refresh *refresh, uint64_t at_us,
                                uint64_t count);

enum { DJ_XPRESENT_REFRESHES = 30 };

#endif
