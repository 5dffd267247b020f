#include "compare/share.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_MOST = 64 };

/* Parses a number with or without a '%'. */
static bool parse(struct dj_str text, double *value, bool *is_percent)
{
    char number[NUMBER_MOST];
    char *end;
    if (text.length == 0 || text.length >= sizeof(number)) {
        return false;
    }
    snprintf(number, sizeof(number), "%.*s", (int)text.length, text.at);
    *value = strtod(number, &end);
    *is_percent = *end == '%';
    return end != number && end[*is_percent] == '\0' && isfinite(*value);
}

bool dj_compare_parse_share(struct dj_str text, double *share)
{
    double value;
    bool is_percent;
    if (!parse(text, &value, &is_percent)) {
        return false;
    }
    *share = is_percent || value >= 1 ? value / 100 : value;
    return *share > 0;
}

bool dj_compare_parse_alpha(struct dj_str text, double *alpha)
{
    double value;
    bool is_percent;
    if (!parse(text, &value, &is_percent) || (value >= 1 && !is_percent)) {
        return false;
    }
    *alpha = is_percent ? value / 100 : value;
    return *alpha > 0 && *alpha < 0.5;
}
