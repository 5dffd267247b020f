/*
 * Batches of the store as a report shows them: each run as a point, mean, median and
 * spread over the runs, the frame times of all clean runs together, and the conditions of
 * the runs. The statistical unit is the run: nothing is averaged over frames of different
 * runs, and percentiles never are.
 */
#ifndef DEJANK_REPORT_BATCHES_H
#define DEJANK_REPORT_BATCHES_H

#include "compare/side.h"
#include "frame/stages.h"
#include "memory/strings.h"
#include "report/document.h"
#include "report/view/bins.h"
#include "stats/shift.h"
#include "store/loaded_batch.h"
#include "triage/batch.h"

enum { DJ_BATCHES_MAX = 8, DJ_BATCH_NAME = 96 };

/* A condition, summarised over the runs that count. */
struct dj_batch_condition {
    const char *name, *unit;
    /* The text that all runs have, or "…" if their texts differ. NULL if the values are
     * numbers. */
    const char *text;
    double least, most;
};

struct dj_batch {
    struct dj_batch_row row;
    struct dj_run_row *runs; /* Runs, in the order in which they were measured. */
    size_t run_count;
    struct dj_strings strings; /* Owns the strings of the runs and of the conditions. */
    struct dj_batch_condition *conditions;
    size_t condition_count;
    /* The display's frame interval: the median over the runs that count. */
    double interval_ns;
    bool interval_assumed; /* No run recorded the interval, so 60 Hz is assumed. */
    /* The exact frame times of all runs that count, with exponential keys. */
    struct dj_histogram times;
    /* True if `times` contains guide_total instead of frame times, because no rule judges
     * these frames. */
    bool guide_total;
    /* The sum of the histograms that hwui printed in the dumps of these runs. */
    struct dj_histogram hwui;
    /* The triage of the traces of the batch's runs, or NULL if there is none. The caller
     * that sets it owns it. */
    const struct dj_triage_result *triage;
    /* Findings that connect `triage` with framestats. The caller that sets `triage` also
     * sets and owns them. */
    const struct dj_triage_findings *tie;
};

/* Zero the struct before use. */
struct dj_batches {
    struct dj_batch *batch;
    size_t count;
    /* The option --store for the next commands, or NULL. */
    const char *store;
    /* Slug of the jank rule to which the report is limited, or "all" for all rules. NULL
     * for the report of all figures. */
    const char *jank_rule;
};

/* Reads one batch of a store and appends it. Returns 0, DJ_E_NO_DATA if there is no such
 * batch, or DJ_E_LIMIT beyond DJ_BATCHES_MAX. Call dj_report_finish_batches() in every
 * case. */
int dj_report_add_batch(struct dj_batches *batches, struct dj_store *history, int64_t key,
                        struct dj_error *err);

/* Opens the store and adds the batches that the words name (ids, names, labels, versions
 * or commits), each with the triage of its runs' traces. sums[i] owns the triage of batch
 * i and has notes about traces that were not used; the caller zeroes the array before and
 * finishes it afterwards. With a jank rule, the traces are not read. If `tests` is not
 * NULL, appends JUnit XML with the instrumentation tests of the runs. */
int dj_report_read_batches(int count, char *const *words,
                           const struct dj_side_filter *filter,
                           struct dj_batches *batches,
                           struct dj_triage_sum sums[DJ_BATCHES_MAX],
                           struct dj_text *tests, struct dj_error *err);

/* Frees the batches. Does not free their `triage` and `tie`. */
void dj_report_finish_batches(struct dj_batches *batches);

/* Writes the name of a batch: its label, else its version, else its name, followed by
 * part of its id if there are several batches. */
void dj_batches_format_name(const struct dj_batches *batches, size_t index,
                            char name[DJ_BATCH_NAME]);

struct dj_batch_figure {
    enum dj_metric metric;
    const char *name, *unit;
    /* A value in the metric's own unit, divided by `factor`, has this figure's unit. */
    double factor;
    int digits;
    bool is_headline; /* See dj_batches_is_headline(). */
};

/* Returns figure `i` of the list, or NULL past its end. */
const struct dj_batch_figure *dj_batches_get_figure(size_t i);

/* Returns the summary of a metric over the runs that count, in the metric's own unit. The
 * values are NaN if no run knows the metric. */
struct dj_center dj_batches_compute_center(const struct dj_batch *batch,
                                           enum dj_metric metric);

/* Returns whether any batch knows the metric. */
bool dj_batches_have_metric(const struct dj_batches *batches, enum dj_metric metric);

/* Returns the range of all known values of the batches, for the axis of a chart. The
 * bounds are NaN if no value is known. */
struct dj_bounds dj_batches_compute_range(const struct dj_batches *batches,
                                          enum dj_metric metric);

/* Returns whether the figure is one of the few that charts show. Charts show guide_total
 * if a batch lacks frame times and all batches know guide_total. */
bool dj_batches_is_headline(const struct dj_batches *batches,
                            const struct dj_batch_figure *figure);

/* Returns whether the figure is a count that is 0 in every run of all batches. A report
 * lists these figures in one sentence instead of a row each. */
bool dj_batches_is_always_zero(const struct dj_batches *batches,
                               const struct dj_batch_figure *figure);

/* Returns the time of a stage in a typical frame: the median over the runs of the median
 * of each run. Returns NaN if the time is unknown. */
double dj_batches_compute_stage_ns(const struct dj_batch *batch, enum dj_stage stage);

/* Returns bins of the exact frame times, or of hwui's buckets if the exact times are
 * unknown. The bins are empty if both are unknown. */
struct dj_bins dj_batches_compute_bins(const struct dj_batch *batch);

/* Adds the report to an empty document. */
void dj_report_build_batches(struct dj_document *document,
                             const struct dj_batches *batches);
/* Appends JSON with schema dejank.report/1, or dejank.jank-rules/1 for jank rules. */
void dj_report_write_batches_json(struct dj_text *text, const struct dj_batches *batches);
/* Appends a CSV line for each run. It contains all metrics, or only those of the selected
 * jank rules. */
void dj_report_write_batches_csv(struct dj_text *text, const struct dj_batches *batches);

#endif
