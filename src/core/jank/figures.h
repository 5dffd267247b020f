/* Computes the figures of all jank rules and of the presents. First collects the frames
 * of any number of logs, because a percentile over several app windows cannot be computed
 * from the percentiles of each window. */
#ifndef DEJANK_JANK_FIGURES_H
#define DEJANK_JANK_FIGURES_H

#include "jank/log.h"
#include "jank/present.h"
#include "jank/rules.h"

/* A growable list of times. */
struct dj_jank_times {
    int64_t *ns;
    size_t count, capacity;
};

/* Sums over the frames to which one rule was applied. */
struct dj_jank_tally {
    size_t frames;    /* Number of frames for which this rule has an answer. */
    size_t events;    /* Number of these frames that the rule calls janky. */
    int64_t bad_ns;   /* Total time of the janky frames, measured as the rule defines. */
    int64_t total_ns; /* Total frame-to-frame time of the frames in `frames`. */
};

/* The frames that were collected so far. Zero the struct before use. */
struct dj_jank_totals {
    size_t frames; /* Number of frames that count for the rules. */
    struct dj_jank_tally tally[DJ_JANK_RULES];
    struct dj_jank_times gaps;
    struct dj_present_totals present;
};

/* The figure of one rule. */
struct dj_jank_figure {
    double value;       /* The value in the rule's unit, or NaN if unknown. */
    size_t frames;      /* Number of frames for which the rule has an answer. */
    size_t events;      /* Number of these frames that the rule calls janky. */
    const char *reason; /* Reason why the value is unknown, or NULL if it is known. */
};

struct dj_jank_figures {
    struct dj_jank_figure rule[DJ_JANK_RULES];
    struct dj_present_figures present;
};

/* Adds the frames of a log. Returns false if there is no memory. */
bool dj_jank_add(struct dj_jank_totals *totals, const struct dj_jank_log *log);

/* Frames with no known time except their presents, in the order in which they were
 * shown. */
struct dj_jank_presents {
    /* Present of each frame. DJ_JANK_UNKNOWN between two presents means that the two
     * frames do not follow each other. */
    const int64_t *present_ns;
    /* For each frame, the time for which the app drew its content, or DJ_JANK_UNKNOWN.
     * NULL if no such time is known. */
    const int64_t *content_ns;
    size_t count;
    int64_t interval_ns; /* Display interval in ns, or DJ_JANK_UNKNOWN. */
};

/* Adds frames with known presents only. Returns false if there is no memory. */
bool dj_jank_add_presents(struct dj_jank_totals *totals,
                          const struct dj_jank_presents *presents);

/* Computes all figures. Reorders the stored times, so it may be called only once. */
void dj_jank_compute(struct dj_jank_totals *totals, struct dj_jank_figures *figures);

void dj_jank_finish(struct dj_jank_totals *totals);

/* Returns the most common reason why a jank rule computes no figure although the
 * window has usable frames. */
const char *dj_jank_get_usual_reason(enum dj_jank_rule_id id);

/* Adds the rows of one app window to the totals. facts[i] describes rows[i]. Returns
 * false if there is no memory. */
bool dj_jank_add_rows(struct dj_jank_totals *totals, const struct dj_frame *rows,
                      const struct dj_row_facts *facts, size_t count,
                      const struct dj_summary_rules *rules);

#endif
