/* The frames of running apps, as events for programs (docs/format/live.md) and as text
 * for a terminal. */
#ifndef DEJANK_REPORT_LIVE_H
#define DEJANK_REPORT_LIVE_H

#include "live/live.h"
#include "report/document.h"

/* The next functions append events as JSON with the schema dejank.live/1, one object per
 * line. */

/* The position up to which a viewer has received frames. A zeroed struct receives all
 * frames that are kept. If a viewer reconnects, set `sequence` to the sequence of the
 * last event that it received. */
struct dj_live_viewer {
    uint64_t sequence; /* Sequence of the last frame that the viewer received. */
    /* Whether the viewer has received the event that frames after `sequence` are lost. */
    bool was_told_lost;
};

/* Appends the next event about frames that the viewer has not received: "frames" with
 * frames of one window, at most DJ_LIVE_EVENT_FRAMES, or "lost". Returns false and
 * appends nothing if there is none. */
enum { DJ_LIVE_EVENT_FRAMES = 128 };
bool dj_report_live_next_event(struct dj_text *text, const struct dj_live *live,
                               struct dj_live_viewer *viewer);

/* Appends an event "state". */
void dj_report_live_state_event(struct dj_text *text, const struct dj_live *live);

/* Appends an event "second": the figures of the last 10 s and since the start. Returns
 * DJ_E_NO_MEMORY if there is no memory. */
int dj_report_live_second_event(struct dj_text *text, const struct dj_live *live,
                                struct dj_error *err);

/* The figures of one app, which are a row of a table. */
struct dj_live_row {
    const struct dj_live *live;
    /* Figures of the last 10 s, or of the time that a caller has chosen. */
    struct dj_live_figures figures;
};

/* The words by which rows are sorted. */
#define DJ_LIVE_ORDERS "jank|fps|p50|p95|p99|longest|name|pid"

/* Sorts the rows by the word, which is one of DJ_LIVE_ORDERS: the largest number first,
 * names and pids in ascending order. */
void dj_report_live_sort(struct dj_live_row *rows, size_t count, const char *order);

/* Adds a verdict and a table of the rows to an empty document. `measured` is the time
 * that the figures cover, such as "1 s". */
void dj_report_build_live_table(struct dj_document *document,
                                const struct dj_live_row *rows, size_t count,
                                const char *measured);

/* One line of a screen. */
struct dj_live_line {
    /* Text of the line, without escape sequences, at most as wide as the screen. */
    struct dj_text text;
    enum dj_tone tone;
    bool is_heading;
    bool is_row; /* Whether the line shows a row of the table. */
};

/* Lines from top to bottom. Zero the struct before use. */
struct dj_live_screen {
    struct dj_live_line *lines;
    size_t count;
};

void dj_report_live_screen_finish(struct dj_live_screen *screen);

/* Adds hints for the user if no app is recorded on this machine, or if no app draws on
 * another device. */
void dj_report_live_add_no_app(struct dj_live_screen *screen,
                               const struct dj_terminal_style *style, bool is_local);

/* Adds a heading, and a line per app with a sparkline of its frame times. Narrow screens
 * show fewer columns. */
void dj_report_live_add_table(struct dj_live_screen *screen,
                              const struct dj_terminal_style *style,
                              const struct dj_live_row *rows, size_t count);

/* Adds a note that the app does not run yet, and a hint for the user. */
void dj_report_live_add_waiting(struct dj_live_screen *screen,
                                const struct dj_terminal_style *style,
                                const struct dj_live *live);

/* Adds the figures of one app, a histogram of its frame times, its stages, and its last
 * janky frames, newest first, with the stage that was longer than usual and the findings.
 */
void dj_report_live_add_app(struct dj_live_screen *screen,
                            const struct dj_terminal_style *style,
                            const struct dj_live_row *row);

#endif
