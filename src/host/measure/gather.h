/* What readings of one package add up to: each process and window followed through them.
 */
#ifndef DEJANK_MEASURE_GATHER_H
#define DEJANK_MEASURE_GATHER_H

#include "device/device.h"
#include "frame/recovery.h"
#include "measure/row_store.h"

/* Of all windows: about 450 MB; DJ_SPILL_MEMORY_BYTES of them are in memory. */
enum { DJ_GATHER_ROWS_MAX = 2000000 };

/* What is known of a window besides what is in the dump. */
struct dj_gather_window {
    char *key; /* the title, and which of several of that name */
    size_t ordinal;
    uint32_t lines; /* of the statistics block; 0: none was there */
    struct dj_tally tally;
    struct dj_row_store rows;
};

struct dj_gather_process {
    bool ignored; /* had ended before the window began: nothing but its pid is in the dump
                   */
    bool seen;    /* in the reading that is just being taken in */
    uint64_t dropped_before;
    uint32_t lines;
    struct dj_tally tally;
    struct dj_gather_window *windows; /* of the same indices as the dump's */
    size_t window_count;
};

/* Zero it. Must not move in memory once rows are in it. */
struct dj_gather {
    struct dj_dump dump; /* that is being made, without its statistics and rows */
    struct dj_gather_process *processes; /* of the same indices as the dump's */
    size_t process_count;
    int64_t start_ns; /* of the window: processes that began later are wholly in it;
                         INT64_MIN unknown */
    size_t rows;      /* in all stores */
    struct dj_spill_budget budget; /* of all stores */
    size_t restarts;               /* processes that appeared after another had ended */
    /* of the last reading */
    uint64_t fresh;      /* frames new in it, by the busiest window */
    int64_t interval_ns; /* 0: not said */
    double
        burst_hz; /* rate of the newest rows of its busiest window; 0: too few to tell */
    bool anyone;  /* a process that runs is in it */
};

void dj_gather_finish(struct dj_gather *gather);

/* The first reading: what it holds lies before the window. Processes that have ended are
 * passed over for good. */
int dj_gather_open(struct dj_gather *gather, const struct dj_gfxinfo *reading,
                   struct dj_error *err);

/* Each further reading. DJ_E_LIMIT past DJ_GATHER_ROWS_MAX; what came until then is kept.
 */
int dj_gather_read(struct dj_gather *gather, const struct dj_gfxinfo *reading,
                   struct dj_error *err);

/* The reading just taken in was followed by a reset that takes counts away. */
void dj_gather_reset(struct dj_gather *gather);

/* Fills in processes and dialect of the window's dump, and the account of it. The dump
 * borrows the rows: finish it before the gatherer, with which nothing else can be done
 * afterwards. */
void dj_gather_dump(struct dj_gather *gather, const struct dj_span *span,
                    struct dj_dump *dump, struct dj_recovery *recovery);

#endif
