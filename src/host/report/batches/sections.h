/* The sections of a batch document that `dejank report` and `dejank show` share. */
#ifndef DEJANK_REPORT_BATCHES_SECTIONS_H
#define DEJANK_REPORT_BATCHES_SECTIONS_H

#include "jank/rules.h"
#include "report/batches.h"

/* Adds the verdict of one batch, facts about what was measured, its runs, and the reasons
 * why runs do not count. */
void dj_batches_add_head(struct dj_document *document, const struct dj_batches *batches,
                         size_t index);

/* Adds facts about what was measured, the runs of the batch, and the reasons why runs do
 * not count. */
void dj_batches_add_facts(struct dj_document *document, const struct dj_batches *batches,
                          size_t index);

/* The columns of a table of figures, besides the names of the figures. */
enum { DJ_FIGURES_CENTER = 1, DJ_FIGURES_RANGE = 2, DJ_FIGURES_SPREAD = 4 };

/* Starts a table with these columns. If there are several batches, the table has a column
 * with their names. */
void dj_batches_begin_figures(struct dj_document *document,
                              const struct dj_batches *batches, int parts);
/* Adds a row with the figure for each batch. */
void dj_batches_add_figure(struct dj_document *document, const struct dj_batches *batches,
                           const struct dj_batch_figure *figure);

/* Builds the report of the jank rules that batches->jank_rule names. */
void dj_batches_build_jank_rules(struct dj_document *document,
                                 const struct dj_batches *batches);
void dj_batches_write_jank_rules_json(struct dj_text *text,
                                      const struct dj_batches *batches);

/* Returns the reason why no run of the batch has the figure of the rule. Returns NULL if
 * a run has it. */
const char *dj_batches_find_missing_rule(const struct dj_batch *batch,
                                         enum dj_jank_rule_id id);

/* Adds the table of the figures that a report shows first. */
void dj_batches_add_main_figures(struct dj_document *document,
                                 const struct dj_batches *batches);

/* Adds the tables of all other figures, the deviations of the main figures, and a
 * sentence that names the counts that are always zero. */
void dj_batches_add_other_figures(struct dj_document *document,
                                  const struct dj_batches *batches);

#endif
