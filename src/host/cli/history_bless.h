/* `dejank history bless`, `unbless` and `blessings`. */
#ifndef DEJANK_CLI_HISTORY_BLESS_H
#define DEJANK_CLI_HISTORY_BLESS_H

#include "cli/options.h"
#include "judge/trend.h"

struct dj_history_options {
    const char *store, *project, *flow, *device, *class, *since, *output, *repository;
    const char *who, *why;
    struct dj_option_list metrics;
    int64_t rows;
    bool json, fail, all_devices, explain;
};

/* Accepts a change of the trend that `query` gives; takes a blessing back; lists them.
 * Each says what it did, and returns an exit code. */
int dj_history_verb_bless(const char *change, const struct dj_trend_query *query,
                          const struct dj_history_options *options);
int dj_history_verb_unbless(const char *id, const struct dj_history_options *options);
int dj_history_verb_blessings(const struct dj_history_options *options);

#endif
