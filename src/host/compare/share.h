/* Parses the numbers of the options --margin, --metric and --alpha. */
#ifndef DEJANK_COMPARE_SHARE_H
#define DEJANK_COMPARE_SHARE_H

#include <stdbool.h>

#include "base/str.h"

/* Parses a share above 0: "5%" or "0.05". A number of at least 1 without a unit is a
 * percentage, too. */
bool dj_compare_parse_share(struct dj_str text, double *share);

/* Parses a probability above 0 and below 0.5. A number of at least 1 needs a '%'. */
bool dj_compare_parse_alpha(struct dj_str text, double *alpha);

#endif
