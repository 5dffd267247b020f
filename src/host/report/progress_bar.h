/* A progress bar as text. */
#ifndef DEJANK_REPORT_PROGRESS_BAR_H
#define DEJANK_REPORT_PROGRESS_BAR_H

#include <stdint.h>

#include "base/text.h"

/* The bar as text, `width` columns at most: "[####    ] 4.2/10.0 s 240 frames"; parts
 * that do not fit are left out. */
void dj_report_progress_bar_append(struct dj_text *text, int width, int64_t elapsed_ns,
                                   int64_t duration_ns, const char *what);

/* The cells of such a bar: "[####    ] ". From a share of 1 on it is full. */
void dj_progress_bar_append_cells(struct dj_text *text, int cells, double share);

#endif
