/* A progress bar as text. */
#ifndef DEJANK_REPORT_PROGRESS_BAR_H
#define DEJANK_REPORT_PROGRESS_BAR_H

#include <stdint.h>

#include "base/text.h"

/* Appends a bar of at most `width` columns: "[#### ] 4.2/10.0 s 240 frames". Omits parts
 * that do not fit. */
void dj_report_progress_bar_append(struct dj_text *text, int width, int64_t elapsed_ns,
                                   int64_t duration_ns, const char *what);

/* Appends only the cells of a bar: "[#### ] ". The bar is full if `share` is 1 or more.
 */
void dj_progress_bar_append_cells(struct dj_text *text, int cells, double share);

#endif
