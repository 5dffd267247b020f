/* Adds up the readings of one package. Follows each process and window from reading to
 * reading. */
#ifndef DEJANK_MEASURE_GATHER_H
#define DEJANK_MEASURE_GATHER_H

#include "device/device.h"
#include "frame/recovery.h"
#include "measure/window/row_store.h"

/* Maximum number of rows in all windows. They need about 450 MB, up to
 * DJ_SPILL_MEMORY_BYTES in memory and the rest in files. */
enum { DJ_GATHER_ROWS_MAX = 2000000 };

/* Data of a window that is not in the dump. */
struct dj_gather_window {
    char *key; /* Title of the window. Windows with the same title differ in `ordinal`. */
    size_t ordinal;
    uint32_t lines; /* Lines of the statistics block, or 0 if there was no block. */
    struct dj_stats_accumulator tally;
    struct dj_row_store rows;
};

struct dj_gather_process {
    /* The process had ended before the window began. The dump only has its pid. */
    bool ignored;
    bool seen; /* The current reading contains the process. */
    uint64_t dropped_before;
    uint32_t lines;
    struct dj_stats_accumulator tally;
    struct dj_gather_window *windows; /* Same indexes as in the dump. */
    size_t window_count;
};

/* Initialize it with zero. Do not move it in memory after the first row. */
struct dj_gather {
    /* The result, without statistics and rows until dj_measure_gather_get_dump(). */
    struct dj_dump dump;
    struct dj_gather_process *processes; /* Same indexes as in the dump. */
    size_t process_count;
    /* Start of the window. All frames of processes that start later count. INT64_MIN if
     * it is unknown. */
    int64_t start_ns;
    size_t rows;                   /* Number of rows in all stores. */
    struct dj_spill_budget budget; /* Shared by all stores. */
    size_t restarts; /* Number of processes that appeared after another one had ended. */
    /* The following members describe the last reading. */
    uint64_t new_rows;   /* Number of new frames in the busiest window. */
    int64_t interval_ns; /* Frame interval of the display, or 0 if it is unknown. */
    /* Frame rate of the newest rows in the busiest window, or 0 if there are too few
     * rows. */
    double burst_hz;
    bool is_running; /* The reading contains a running process. */
};

void dj_measure_gather_finish(struct dj_gather *gather);

/* Adds the first reading, which shows the state before the window. Processes that have
 * already ended are ignored in all readings. */
int dj_measure_gather_open(struct dj_gather *gather,
                           const struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Adds another reading. Returns DJ_E_LIMIT if there are more than DJ_GATHER_ROWS_MAX
 * rows; earlier rows are kept. */
int dj_measure_gather_add(struct dj_gather *gather,
                          const struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Records that the counters were reset after the last reading. */
void dj_measure_gather_note_reset(struct dj_gather *gather);

/* Sets the processes and the dialect of the window's dump, and the number of recovered
 * frames. The dump borrows the rows, so finish it before `gather`. Afterwards, `gather`
 * can only be finished. */
void dj_measure_gather_get_dump(struct dj_gather *gather, const struct dj_span *span,
                                struct dj_dump *dump, struct dj_recovery *recovery);

#endif
