/* The options of `dejank history`, and its operands bless, unbless and blessings. */
#ifndef DEJANK_CLI_HISTORY_OPTIONS_H
#define DEJANK_CLI_HISTORY_OPTIONS_H

#include "base/error.h"
#include "cli/options.h"
#include "plan/class_words.h"
#include "report/trend_pages.h"
#include "trend/trend.h"

/* The options fill `project`, `flow` and `serial` of the query. */
struct dj_history_options {
    struct dj_trend_query query;
    struct dj_device_class class; /* The class that was parsed from class_words. */
    char class_room[DJ_CLASS_BUFFER];
    const char *store, *class_words, *since, *output, *repository, *who, *why;
    struct dj_option_list metrics;
    int64_t rows;
    bool json, fail, all, all_devices, explain;
};

/* Accepts a change of the trend that the query selects, withdraws a blessing, or lists
 * all blessings. Each prints its result and returns an exit code. */
int dj_history_bless_change(const char *change, const struct dj_history_options *options);
int dj_history_withdraw_blessing(const char *id,
                                 const struct dj_history_options *options);
int dj_history_list_blessings(const struct dj_history_options *options);

#endif
