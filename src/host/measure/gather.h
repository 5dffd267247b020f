/* Adds the readings of one package together. Follows each process and window from reading
 * to reading. */
#ifndef DEJANK_MEASURE_GATHER_H
#define DEJANK_MEASURE_GATHER_H

#include "device/device.h"
#include "frame/recovery.h"
#include "measure/window/row_store.h"

/* Maximum over all windows: about 450 MB, of which DJ_SPILL_MEMORY_BYTES are in memory.
 */
enum { DJ_GATHER_ROWS_MAX = 2000000 };

/* The data of a window that is not in the dump. */
struct dj_gather_window {
    char *key; /* the title, and the index among windows with the same title */
    size_t ordinal;
    uint32_t lines; /* lines of the statistics block; 0: there was no block */
    struct dj_stats_accumulator tally;
    struct dj_row_store rows;
};

struct dj_gather_process {
    bool ignored; /* the process had ended before the window began; only its pid is in the
                   * dump */
    bool seen;    /* the present reading contains the process */
    uint64_t dropped_before;
    uint32_t lines;
    struct dj_stats_accumulator tally;
    struct dj_gather_window *windows; /* same indices as in the dump */
    size_t window_count;
};

/* Initialize it with zero. It must not move in memory after the first row. */
struct dj_gather {
    struct dj_dump dump; /* the result, without statistics and rows so far */
    struct dj_gather_process *processes; /* same indices as in the dump */
    size_t process_count;
    int64_t start_ns; /* start of the window; processes that began later are wholly in it;
                       * INT64_MIN: unknown */
    size_t rows;      /* in all stores */
    struct dj_spill_budget budget; /* shared by all stores */
    size_t restarts;               /* processes that appeared after another one had ended
                                    */
    /* from the last reading */
    uint64_t new_rows;   /* number of new frames in its busiest window */
    int64_t interval_ns; /* 0: unknown */
    double
        burst_hz; /* frame rate of the newest rows in its busiest window; 0: too few rows
                   */
    bool is_running; /* it contains a running process */
};

void dj_measure_gather_finish(struct dj_gather *gather);

/* Adds the first reading. Its contents are from before the window. Processes that have
 * ended are ignored from then on. */
int dj_measure_gather_open(struct dj_gather *gather,
                           const struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Adds a further reading. Returns DJ_E_LIMIT above DJ_GATHER_ROWS_MAX rows; earlier rows
 * are kept. */
int dj_measure_gather_add(struct dj_gather *gather,
                          const struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Notes that a reset after the last reading cleared the counters. */
void dj_measure_gather_note_reset(struct dj_gather *gather);

/* Fills in the processes and dialect of the window's dump, and the number of frames
 * recovered. The dump borrows the rows: finish it before the gatherer. The gatherer
 * cannot be used for anything else afterwards. */
void dj_measure_gather_get_dump(struct dj_gather *gather, const struct dj_span *span,
                                struct dj_dump *dump, struct dj_recovery *recovery);

#endif
