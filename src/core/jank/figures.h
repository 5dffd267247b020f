/* Computes the figures of all jank rules and of the presents. Collects the frames of any
 * number of logs first, because percentiles of several app windows together cannot be
 * computed from those of each. */
#ifndef DEJANK_JANK_FIGURES_H
#define DEJANK_JANK_FIGURES_H

#include "jank/log.h"
#include "jank/present.h"
#include "jank/rules.h"

/* A list of times. */
struct dj_jank_times {
    int64_t *ns;
    size_t count, capacity;
};

/* The sums of a rule. */
struct dj_jank_tally {
    size_t frames;    /* Number of frames for which the rule has an answer. */
    size_t events;    /* Number of these frames that the rule calls janky. */
    int64_t bad_ns;   /* The rule's time of the janky frames. */
    int64_t total_ns; /* Frame-to-frame time of `frames`. */
};

/* Frames collected so far. Set it to zero before use. */
struct dj_jank_totals {
    size_t frames; /* Number of frames that count. */
    struct dj_jank_tally tally[DJ_JANK_RULES];
    struct dj_jank_times gaps;
    struct dj_present_totals present;
};

/* The answer of a rule. */
struct dj_jank_figure {
    double value;       /* The value in the rule's unit, or NaN if unknown. */
    size_t frames;      /* Number of frames for which the rule has an answer. */
    size_t events;      /* Number of these frames that the rule calls janky. */
    const char *reason; /* Why the value is unknown, or NULL. */
};

struct dj_jank_figures {
    struct dj_jank_figure rule[DJ_JANK_RULES];
    struct dj_present_figures present;
};

/* Adds the frames of a log. Returns false if there is no memory. */
bool dj_jank_add(struct dj_jank_totals *totals, const struct dj_jank_log *log);

/* Frames of which only the presents are known, in the order in which they were shown. */
struct dj_jank_presents {
    const int64_t *present_ns; /* DJ_JANK_UNKNOWN separates frames that do not follow. */
    /* The times for which the app drew the frames, or DJ_JANK_UNKNOWN. NULL if none is
     * known. */
    const int64_t *content_ns;
    size_t count;
    int64_t interval_ns; /* Display interval, or DJ_JANK_UNKNOWN. */
};

/* Adds these frames. Returns false if there is no memory. */
bool dj_jank_add_presents(struct dj_jank_totals *totals,
                          const struct dj_jank_presents *presents);

/* Computes all figures. Reorders the stored times, so it may be called only once. */
void dj_jank_compute(struct dj_jank_totals *totals, struct dj_jank_figures *figures);

void dj_jank_finish(struct dj_jank_totals *totals);

/* Returns why a rule has no answer although there are usable frames. */
const char *dj_jank_get_usual_reason(enum dj_jank_rule_id id);

/* Adds the rows of one app window to the totals. facts[i] describes rows[i]. Returns
 * false if there is no memory. */
bool dj_jank_add_rows(struct dj_jank_totals *totals, const struct dj_frame *rows,
                      const struct dj_row_facts *facts, size_t count,
                      const struct dj_summary_rules *rules);

#endif
