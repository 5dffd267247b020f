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
    /* The index of the first point, the number of points, and the number of their runs.
     */
    size_t first, count, runs;
    double value; /* Median of the points' values. */
    /* The interval of the value if the row has a single point, or NaN. */
    struct dj_bounds ci;
};

/* Frame times of some versions of one history, oldest first. */
struct dj_trend_stack {
    const struct dj_trend_segment *segment;
    struct {
        char name[DJ_TREND_NAME_BYTES];
        /* Frame times in ns, with exponential keys of scale 6. */
        struct dj_histogram times;
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

/* A format for programs. A file consists of the head, the parts of the trend in their
 * order, and the tail. `before` is the number of segments in earlier parts. A function
 * that is NULL writes nothing. All functions append. */
struct dj_trend_form {
    const char *suffix;
    void (*head)(struct dj_text *text, const struct dj_trend_totals *totals);
    void (*part)(struct dj_text *text, const struct dj_trend *part, size_t before);
    const char *tail;
};
/* Writer of JSON with the schema dejank.history/1. */
extern const struct dj_trend_form dj_report_trend_json,
    /* Writer of CSV with a line for each point. */
    dj_report_trend_csv;

/* The state of a trend, which is the state of its most important change, or the reason
 * why it has none. Most important first. */
enum dj_trend_state {
    /* The metric got worse. No one accepted the change, and no later change made it
     * better again. */
    DJ_TREND_WORSE,
    /* The level has changed, but it is unknown which direction is better. */
    DJ_TREND_CHANGED,
    DJ_TREND_BETTER,
    DJ_TREND_ACCEPTED,  /* A person accepted the change. */
    DJ_TREND_RECOVERED, /* The metric was worse for some time, and is better again. */
    DJ_TREND_UNCHANGED,
    DJ_TREND_TOO_FEW, /* Too few points to search for changes. */
    DJ_TREND_TOO_MANY,
    DJ_TREND_STATES
};

/* Returns a name such as "worse", "no change" or "too few points". */
const char *dj_report_get_trend_state_name(enum dj_trend_state state);
enum dj_tone dj_report_get_trend_state_tone(enum dj_trend_state state);
/* Returns the state of a change, which is one of the first five states. */
enum dj_trend_state dj_report_get_trend_state(const struct dj_trend_segment *segment,
                                              const struct dj_trend_change *change);

/* Returns the most important change of a segment, and the latest if several are equally
 * important. Returns NULL if there is no change. Sets *state to the state of the
 * segment. */
const struct dj_trend_change *
dj_report_choose_trend_change(const struct dj_trend_segment *segment,
                              enum dj_trend_state *state);

/* Creates the chart of a segment: its points with intervals over the versions, its
 * levels, its changes and the objective. A chart of more than DJ_TREND_POINTS_MAX points
 * shows every n-th of them. */
enum { DJ_TREND_POINTS_MAX = 4000 };
struct dj_chart *dj_report_create_trend_chart(const struct dj_trend_segment *segment);

/* Adds the section of a segment. `number` counts the segments from 0, and the section's
 * id is "trend-NUMBER". With `names_history`, the section starts with the name of the
 * history. The table of versions has the last `rows` versions. If `rows` is 0, there is
 * no table. */
struct dj_trend_section {
    size_t number, rows;
    bool names_history;
    /* The section is for a page of the server: versions and points link to their batch,
     * and changes to a comparison of the batches around them. */
    bool has_links;
};
void dj_report_add_trend_segment(struct dj_document *document,
                                 const struct dj_trend_segment *segment,
                                 const struct dj_trend_section *section);
/* Adds the chart and the table of frame times. Adds nothing if the stack is empty. */
void dj_report_add_trend_stack(struct dj_document *document,
                               const struct dj_trend_stack *stack);

/* Reads the row that starts at point `first`. Returns false after the last point. */
bool dj_report_read_trend_row(const struct dj_trend_segment *segment, size_t first,
                              struct dj_trend_row *row);
/* Returns the first change at one of `count` points from `first` on, or NULL if there is
 * none. */
const struct dj_trend_change *
dj_report_find_trend_change(const struct dj_trend_segment *segment, size_t first,
                            size_t count);
/* Returns the index of the point where the last `most` rows start. */
size_t dj_report_find_trend_row(const struct dj_trend_segment *segment, size_t most);

/* The next functions append text. They escape the names in it. */

/* Appends a text such as "com.example, flow scroll, Pixel 7 (serial-1), release 14, for
 * 10 s". */
void dj_report_describe_trend_segment(struct dj_text *text,
                                      const struct dj_trend_segment *segment);
/* Appends the name of a point from dj_trend_format_point_name(). */
void dj_report_describe_trend_point(struct dj_text *text,
                                    const struct dj_trend_point *point);
/* Appends a value such as "16.42". Appends nothing for NaN. */
void dj_report_format_trend_value(struct dj_text *text,
                                  const struct dj_trend_segment *segment, double value);
/* Appends an interval such as "16.40 … 16.47". Appends nothing if the interval is
 * unknown. */
void dj_report_format_trend_interval(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_bounds *ci);
/* Appends the size of a change such as "+12.0 %", or "up" or "down" if the size is
 * unknown. */
void dj_report_format_trend_size(struct dj_text *text,
                                 const struct dj_trend_change *change);
/* Appends a text such as "+12.0 % (95 % CI +10.9 … +13.1 %), 16.01 → 17.93 ms, p 2e-09,
 * since 1.25 (2021-03-04): worse". */
void dj_report_describe_trend_change(struct dj_text *text,
                                     const struct dj_trend_segment *segment,
                                     const struct dj_trend_change *change);
/* Appends the author of a blessing: "accepted by ann on 2021-03-05: more shadows". If the
 * change was not accepted, appends the versions before and after it: "last before it 1.24
 * (c0000024), first after it 1.25 (c0000025); 3 commits between them (git): …". */
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
/* Appends the day in UTC, such as "2021-03-04". Appends nothing if the time is unknown.
 */
void dj_report_format_trend_day(struct dj_text *text, int64_t unix_ms);

#endif
