/* Combines the readings of one window. A reading is a gfxinfo dump of all processes of
 * one package. A process is identified by its id, and a window of a process by its title.
 */
#ifndef DEJANK_MEASURE_GATHER_H
#define DEJANK_MEASURE_GATHER_H

#include "device/device.h"
#include "frame/recovery.h"
#include "measure/window/row_store.h"

/* Maximum number of rows of all windows together. They need about 450 MB:
 * DJ_SPILL_MEMORY_BYTES in memory, and the rest in temporary files. */
enum { DJ_GATHER_ROWS_MAX = 2000000 };

/* A window of an app, with the data that struct dj_dump_window does not have. */
struct dj_gather_window {
    /* Title of the window. `ordinal` distinguishes windows with the same title. */
    char *key;
    size_t ordinal;
    /* Which lines the window's statistics had, or 0 if the window had no statistics. */
    uint32_t lines;
    struct dj_stats_accumulator tally;
    struct dj_row_store rows;
};

struct dj_gather_process {
    /* True if the process had ended before the measurement began. Its data is ignored. */
    bool ignored;
    bool seen; /* True if the current dump contains the process. */
    uint64_t dropped_before;
    uint32_t lines;
    struct dj_stats_accumulator tally;
    /* Windows of the process, with the same indexes as in the dump. */
    struct dj_gather_window *windows;
    size_t window_count;
};

/* Initialize it with zero. Do not move it in memory after the first row. */
struct dj_gather {
    /* Processes and windows of all readings. Statistics and rows are missing before
     * dj_measure_gather_get_dump(). */
    struct dj_dump dump;
    /* Processes, with the same indexes as in the dump. */
    struct dj_gather_process *processes;
    size_t process_count;
    /* Device time at which the measurement began, or INT64_MIN if unknown. All frames of
     * processes that start later are counted. */
    int64_t start_ns;
    size_t rows;                   /* Number of rows of all windows together. */
    struct dj_spill_budget budget; /* Limit for memory that all windows share. */
    /* Number of processes that appeared after another process had ended. */
    size_t restarts;
    /* The following members describe the last reading. */
    uint64_t new_rows; /* Number of new frames in the window with the most new frames. */
    int64_t interval_ns; /* Frame interval of the display, or 0 if it is unknown. */
    /* Highest frame rate of a window, computed from its newest rows, or 0 if there are
     * too few rows. */
    double burst_hz;
    bool is_running; /* True if the last reading contains a running process. */
};

void dj_measure_gather_finish(struct dj_gather *gather);

/* Adds the first reading, which shows the state before the measurement. Processes that
 * had already ended are ignored in this and in later readings. */
int dj_measure_gather_open(struct dj_gather *gather,
                           const struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Adds another reading. Returns DJ_E_LIMIT if there would be more than DJ_GATHER_ROWS_MAX
 * rows. The rows that were already added are kept. */
int dj_measure_gather_add(struct dj_gather *gather,
                          const struct dj_device_gfxinfo *reading, struct dj_error *err);

/* Notes that the device's counters were reset, so that the next reading is compared with
 * zero. Call this function after each reset. */
void dj_measure_gather_note_reset(struct dj_gather *gather);

/* Fills *dump with the processes of all readings, with the rows of the time `span`, and
 * sets *recovery. The rows belong to `gather`, so finish the dump before `gather`. After
 * this call only dj_measure_gather_finish() may be called. */
void dj_measure_gather_get_dump(struct dj_gather *gather, const struct dj_span *span,
                                struct dj_dump *dump, struct dj_recovery *recovery);

#endif
