#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trend/trend.h"

void dj_trend_format_point_name(const struct dj_trend_point *point,
                                char name[DJ_TREND_NAME_BYTES])
{
    time_t seconds = (time_t)(point->at_unix_ms / 1000);
    struct tm utc;
    if (point->version != NULL) {
        snprintf(name, DJ_TREND_NAME_BYTES, "%s", point->version);
    } else if (point->commit != NULL) {
        snprintf(name, DJ_TREND_NAME_BYTES, "%.12s", point->commit);
    } else if (point->label != NULL) {
        snprintf(name, DJ_TREND_NAME_BYTES, "%s", point->label);
    } else if (point->at_unix_ms != INT64_MIN && gmtime_r(&seconds, &utc) != NULL) {
        strftime(name, DJ_TREND_NAME_BYTES, "%Y-%m-%d %H:%M", &utc);
    } else {
        snprintf(name, DJ_TREND_NAME_BYTES, "#%" PRId64, point->ordinal);
    }
}

void dj_trend_finish(struct dj_trend *trend)
{
    for (size_t i = 0; i < trend->segment_count; i++) {
        for (size_t k = 0; k < trend->segments[i].change_count; k++) {
            free(trend->segments[i].changes[k].commits);
        }
        free(trend->segments[i].points);
        free(trend->segments[i].changes);
        free(trend->segments[i].hints);
    }
    for (size_t i = 0; i < trend->blessing_count; i++) {
        free(trend->blessings[i]);
    }
    dj_memory_strings_finish(&trend->texts);
    free(trend->segments);
    free(trend->blessings);
    *trend = (struct dj_trend){0};
}

int dj_trend_find_change(const struct dj_trend *trend, const char *word,
                         const struct dj_trend_segment **segment,
                         const struct dj_trend_change **change, struct dj_error *err)
{
    size_t found = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i < trend->segment_count; i++) {
        for (size_t k = 0; k < trend->segments[i].change_count; k++) {
            if (length >= 4 &&
                strncmp(trend->segments[i].changes[k].id, word, length) == 0) {
                *segment = &trend->segments[i];
                *change = &trend->segments[i].changes[k];
                found++;
            }
        }
    }
    return found == 1   ? 0
           : found == 0 ? dj_error_set(err, DJ_E_NO_DATA,
                                       "there is no change '%.40s'. hint: 'dejank "
                                       "history' lists the changes",
                                       word)
                        : dj_error_set(err, DJ_E_USAGE,
                                       "%zu changes have ids that begin with '%.40s'",
                                       found, word);
}

/* Returns whether a change for the worse is still in effect. It is no longer in effect if
 * the last level of the segment has recovered more than half of the change. */
bool dj_trend_change_holds(const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change)
{
    if (!change->worse || change->blessing != NULL || segment->change_count == 0) {
        return false;
    }
    double now = segment->changes[segment->change_count - 1].after;
    double half = (change->before + change->after) / 2;
    return change->direction > 0 ? now > half : now < half;
}
