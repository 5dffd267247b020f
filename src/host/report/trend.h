/*
 * Reports trends: which metric got worse, since which version and by how much, the points
 * of each trend, and the changes with everything that is known about them.
 * trend/trend.h defines the terms. trend_pages.h writes whole files.
 */
#ifndef DEJANK_REPORT_TREND_H
#define DEJANK_REPORT_TREND_H

#include "report/document.h"
#include "trend/trend.h"

enum { DJ_TREND_STACK_MAX = 12, DJ_TREND_ROWS = 20 };

/* A row of a table of versions: consecutive points of one version, or of one commit if
 * they have no version. */
struct dj_trend_row {
    size_t first, count, runs; /* Numbers of points; `first` is an index. */
    double value;              /* Median of the points' values. */
    struct dj_bounds ci;       /* Of a single point; else NaN. */
};

/* Frame times of some versions of one history, oldest first. */
struct dj_trend_stack {
    const struct dj_trend_segment *segment;
    struct {
        char name[DJ_TREND_NAME_BYTES];
        struct dj_histogram times; /* In ns, exponential keys of scale 6. */
    } version[DJ_TREND_STACK_MAX];
    size_t count;
};

/* Reads the frame times of a history from the store: at most DJ_TREND_STACK_MAX versions,
 * which are the first, the last, and some between. Returns 0 or the error of reading. The
 * caller finishes the stack in every case. */
int dj_report_read_trend_stack(struct dj_trend_stack *stack,
                               const struct dj_trend_segment *segment,
                               struct dj_store *history, struct dj_error *err);
void dj_report_finish_trend_stack(struct dj_trend_stack *stack);

/* ---- writers for programs ---- */

/* A file is the head, the parts of the trend in their order, and the tail. `before` is
 * the number of segments in earlier parts. A function that is NULL writes nothing. All
 * functions append. */
struct dj_trend_form {
    const char *suffix;
    void (*head)(struct dj_text *text, const struct dj_trend_totals *totals);
    void (*part)(struct dj_text *text, const struct dj_trend *part, size_t before);
    const char *tail;
};
extern const struct dj_trend_form dj_report_trend_json, /* Schema dejank.history/1. */
    dj_report_trend_csv;                                /* A line for each point. */

/* ---- documents ---- */

/* What a person learns about a trend: its most important change, or why it has none. */
enum dj_trend_state {
    DJ_TREND_WORSE,   /* Worse, not accepted, and not made up for. */
    DJ_TREND_CHANGED, /* It is unknown which direction is better. */
    DJ_TREND_BETTER,
    DJ_TREND_ACCEPTED,  /* A person accepted the change. */
    DJ_TREND_RECOVERED, /* It was worse for a while. */
    DJ_TREND_UNCHANGED,
    DJ_TREND_TOO_FEW, /* Too few points to search for changes. */
    DJ_TREND_TOO_MANY,
    DJ_TREND_STATES
};

/* "worse", "no change", "too few points". */
const char *dj_report_get_trend_state_name(enum dj_trend_state state);
enum dj_tone dj_report_get_trend_state_tone(enum dj_trend_state state);
/* The state of a change: one of the first five. */
enum dj_trend_state dj_report_get_trend_state(const struct dj_trend_segment *segment,
                                              const struct dj_trend_change *change);

/* Creates the chart of a segment: its points with intervals over the versions, its
 * levels, its changes and the objective. A chart of more than DJ_TREND_POINTS_MAX points
 * shows every n-th of them. */
enum { DJ_TREND_POINTS_MAX = 4000 };
struct dj_chart *dj_report_create_trend_chart(const struct dj_trend_segment *segment);

/* Adds the section of a segment. `number` counts the segments from 0: the section's id is
 * "trend-NUMBER". The section starts with the name of the history if `names_history`.
 * The table of versions has the last `rows` ones; none if `rows` is 0. */
struct dj_trend_section {
    size_t number, rows;
    bool names_history;
};
void dj_report_add_trend_segment(struct dj_document *document,
                                 const struct dj_trend_segment *segment,
                                 const struct dj_trend_section *section);
/* Adds the chart and the table of frame times; nothing if the stack is empty. */
void dj_report_add_trend_stack(struct dj_document *document,
                               const struct dj_trend_stack *stack);

/* ---- rows of a table of versions ---- */

/* Reads the row that starts at a point. Returns false if there is none. */
bool dj_report_read_trend_row(const struct dj_trend_segment *segment, size_t first,
                              struct dj_trend_row *row);
/* Returns the first change at one of those points, or NULL if there is none. */
const struct dj_trend_change *
dj_report_find_trend_change(const struct dj_trend_segment *segment, size_t first,
                            size_t count);
/* Returns the index of the point where the last `most` rows start. */
size_t dj_report_find_trend_row(const struct dj_trend_segment *segment, size_t most);

/* ---- words ---- Functions that append text. They escape the names in it. */

/* "com.example, flow scroll, Pixel 7 (serial-1), release 14, for 10 s". */
void dj_report_describe_trend_segment(struct dj_text *text,
                                      const struct dj_trend_segment *segment);
/* The name of a point, from dj_trend_format_point_name(). */
void dj_report_describe_trend_point(struct dj_text *text,
                                    const struct dj_trend_point *point);
/* "16.42"; nothing for NaN. */
void dj_report_format_trend_value(struct dj_text *text,
                                  const struct dj_trend_segment *segment, double value);
/* "16.40 … 16.47"; nothing if the interval is unknown. */
void dj_report_format_trend_interval(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_bounds *ci);
/* "+12.0 %", or "up" or "down" if the size is unknown. */
void dj_report_format_trend_size(struct dj_text *text,
                                 const struct dj_trend_change *change);
/* "+12.0 % (95 % CI +10.9 … +13.1 %), 16.01 → 17.93 ms, p 2e-09, since 1.25 (2021-03-04):
 * worse". */
void dj_report_describe_trend_change(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change);
/* "accepted by ann on 2021-03-05: more shadows", or without a blessing: "last before it
 * 1.24 (c0000024), first after it 1.25 (c0000025); 3 commits between them (git): …". */
void dj_report_describe_trend_reason(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change);
/* Appends note `note` on a segment, a sentence or nothing:
 * "9 points are too few to search for changes (15 needed)";
 * "possible smaller changes: −3.1 % since 1.25, …";
 * "frames on time: 90.1 % (1.0) → 98.2 % (2.3), objective 98 %", for jank;
 * "objective: ≤ 16.70 ms";
 * "2 batches are older than batches that were stored before them …". */
enum { DJ_TREND_NOTES = 5 };
void dj_report_describe_trend_note(struct dj_text *text,
                                   const struct dj_trend_segment *segment, size_t note);
/* "2021-03-04", UTC; "" if the time is unknown. */
void dj_report_format_trend_day(struct dj_text *text, int64_t unix_ms);

#endif
