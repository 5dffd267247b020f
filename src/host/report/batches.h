/*
 * Batches of the store as a report shows them: each run a point, mean and median over
 * the runs, their spread, the frame times of all clean runs together, and under which
 * conditions they were made. The run is the unit: nothing is averaged over frames of
 * different runs, percentiles never are.
 */
#ifndef DEJANK_REPORT_BATCHES_H
#define DEJANK_REPORT_BATCHES_H

#include "frame/stages.h"
#include "memory/strings.h"
#include "report/bins.h"
#include "report/terminal.h"
#include "stats/shift.h"
#include "store/loaded_batch.h"
#include "triage/tie.h"

enum { DJ_BATCHES_MOST = 8, DJ_BATCH_NAME = 96 };

/* A condition over the runs that count. */
struct dj_batch_condition {
    const char *name, *unit;
    const char *text; /* all say the same, or "…" where they do not; NULL: numbers */
    double least, most;
};

struct dj_batch {
    struct dj_batch_row row;
    struct dj_run_row *runs; /* in the order they were made */
    size_t run_count;
    struct dj_strings strings; /* of these, and of the conditions */
    struct dj_batch_condition *conditions;
    size_t condition_count;
    double interval_ns;        /* the display's, median of the runs that count */
    bool interval_assumed;     /* none tells it: 60 Hz */
    struct dj_histogram times; /* exact, of all runs that count (exponential keys) */
    bool guide_total;          /* … of guide_total: no rule judges these frames */
    struct dj_histogram hwui;  /* as printed, of the same */
    const struct dj_triage_result *triage; /* of its runs' traces; NULL: there are none.
                                              Whoever set it has it */
    const struct dj_tie *tie;              /* … and this, where `triage` is set */
};

/* Zero it. */
struct dj_batches {
    struct dj_batch *batch;
    size_t count;
};

/* Reads one batch of a store; DJ_E_NO_DATA, DJ_E_LIMIT beyond DJ_BATCHES_MOST. Finish
 * them in every case. */
int dj_batches_add(struct dj_batches *batches, struct dj_history *history, int64_t key,
                   struct dj_error *err);
void dj_batches_finish(struct dj_batches *batches);

/* What a batch is called beside the others: its label, else version, else name, with as
 * much of its id as tells it apart. */
void dj_batch_name(const struct dj_batches *batches, size_t index,
                   char name[DJ_BATCH_NAME]);

/* ---- figures ---- */

struct dj_batch_figure {
    enum dj_metric metric;
    const char *name, *unit;
    double factor; /* from the metric's own unit to this one, by division */
    int digits;
    bool headline; /* see dj_batches_headline() */
};

/* The known ones; i past the last: NULL. */
const struct dj_batch_figure *dj_batch_figure(size_t i);

/* Over the runs that count, in the metric's own unit; NaN if none of them knows it. */
struct dj_center dj_batch_center(const struct dj_batch *batch, enum dj_metric metric);

/* Whether any of the batches knows it. */
bool dj_batches_know(const struct dj_batches *batches, enum dj_metric metric);

/* Range over which all known values of the batches lie, for a chart's axis; NaN: none is
 * known. */
struct dj_bounds dj_batches_range(const struct dj_batches *batches,
                                  enum dj_metric metric);

/* Whether it is one of the few to be drawn. Where a batch knows no frame times and all
 * know guide_total, that is drawn. */
bool dj_batches_headline(const struct dj_batches *batches,
                         const struct dj_batch_figure *figure);

/* Whether it is a count that is 0 in every run of all batches: one sentence for all such
 * reads better than a row each. */
bool dj_batches_never(const struct dj_batches *batches,
                      const struct dj_batch_figure *figure);

/* A stage of a typical frame: the median over the runs of each run's median. NaN:
 * unknown. */
double dj_batch_stage_ns(const struct dj_batch *batch, enum dj_stage stage);

/* ---- frame times ---- */

/* Empty where neither is known. */
struct dj_bins dj_batch_bins_of(const struct dj_batch *batch);

/* ---- forms ---- */

void dj_batches_terminal(struct dj_text *text, const struct dj_batches *batches,
                         const struct dj_terminal_style *style);
/* Members of an object that is open: what JSON output and the page both are. */
void dj_batches_json_members(struct dj_text *text, const struct dj_batches *batches);
/* Schema dejank.report/1. */
void dj_batches_json(struct dj_text *text, const struct dj_batches *batches);
/* A line for each run. */
void dj_batches_csv(struct dj_text *text, const struct dj_batches *batches);
void dj_batches_markdown(struct dj_text *text, const struct dj_batches *batches);
void dj_batches_html(struct dj_text *text, const struct dj_batches *batches);
int dj_batches_svg(struct dj_text *text, const struct dj_batches *batches,
                   struct dj_error *err);
int dj_batches_png(struct dj_text *text, const struct dj_batches *batches,
                   struct dj_error *err);

#endif
