/* Writes the figures of the jank rules (jank/rules.h) and of the presents
 * (jank/present.h), for `dejank parse` and `dejank report`. */
#ifndef DEJANK_REPORT_DUMP_JANK_H
#define DEJANK_REPORT_DUMP_JANK_H

#include "import/parsed_dump.h"
#include "jank/figures.h"

/* Computes the jank figures of the rows of one window. */
void dj_dump_compute_jank(const struct dj_dump_window *window,
                          const struct dj_window_facts *facts,
                          struct dj_jank_figures *figures);

/* Appends the members "jank_rules" and "present" of a window. They are null if the window
 * has no rows. */
void dj_dump_write_json_jank(struct dj_text *text, const struct dj_dump_window *window,
                             const struct dj_window_facts *facts);

/* Appends the member "present". `skips_known` is true if the source also reports frames
 * that were not shown. */
void dj_dump_write_json_present(struct dj_text *text,
                                const struct dj_present_figures *present,
                                bool skips_known);

/* Appends the member "present" of a layer of SurfaceFlinger. It is null if the text has
 * no times of frames. */
void dj_dump_write_json_surface_present(struct dj_text *text,
                                        const struct dj_dump_surface *surface);

/* Appends a line for each window with rows and for each selected rule: the figure of the
 * rule and its formula. `rule` is the slug of one rule, or "all". Returns the number of
 * rows of these windows. */
size_t dj_dump_write_jank_rule(struct dj_text *text, const struct dj_parsed *parsed,
                               const char *rule);

#endif
