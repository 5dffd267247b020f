#include "trend/trend.h"

int dj_trend_bless(struct dj_store *store, const struct dj_trend *trend,
                   const struct dj_trend_acceptance *acceptance,
                   const struct dj_trend_segment **segment,
                   const struct dj_trend_change **change, char id[DJ_STORE_ID_BYTES],
                   struct dj_error *err)
{
    char name[DJ_TREND_NAME_BYTES];
    int code = dj_trend_find_change(trend, acceptance->change, segment, change, err);
    if (code != 0) {
        return code;
    }
    if ((*change)->blessing != NULL) {
        return dj_error_set(err, DJ_E_USAGE, "the change is accepted already, by %.60s",
                            (*change)->blessing->who);
    }
    const struct dj_trend_point *point = &(*segment)->points[(*change)->index];
    dj_trend_format_point_name(point, name);
    const struct dj_blessing blessing = {
        .project = (*segment)->project,
        .metric = (*segment)->metric,
        .segment = acceptance->all_devices ? NULL : (*segment)->key,
        .up = (*change)->direction > 0,
        .from_unix_ms = point->at_unix_ms,
        .from_ordinal = point->at_unix_ms == INT64_MIN ? point->ordinal : -1,
        .from_point = point->id != NULL ? point->id : name,
        .who = acceptance->who,
        .why = acceptance->why,
    };
    return dj_store_add_blessing(store, &blessing, id, err);
}
