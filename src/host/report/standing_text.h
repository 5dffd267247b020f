/* What a standing says to a person: the words of every verdict, on a page, in a picture,
 * on a terminal. */
#ifndef DEJANK_REPORT_STANDING_TEXT_H
#define DEJANK_REPORT_STANDING_TEXT_H

#include "base/text.h"
#include "report/standing.h"

/* "JANKY". */
const char *dj_grade_text(enum dj_grade grade);

/* Appends ": 13 of 120 counted frames janky (10.83 %), 13 of 120 rows (10.83 %)": the
 * samples that the grade is of, or why there are none. */
void dj_standing_describe(struct dj_text *text, const struct dj_standing *standing);

#endif
