/* `dejank history bless`, `unbless` and `blessings`. */
#ifndef DEJANK_CLI_HISTORY_BLESS_H
#define DEJANK_CLI_HISTORY_BLESS_H

#include "judge/trend.h"

struct dj_bless_options {
    const char *store, *who, *why;
    bool all_devices, json;
};

/* Accepts a change of the trend that `query` gives; takes a blessing back; lists them.
 * Each says what it did, and returns an exit code. */
int dj_history_verb_bless(const char *change, const struct dj_trend_query *query,
                          const struct dj_bless_options *options);
int dj_history_verb_unbless(const char *id, const struct dj_bless_options *options);
int dj_history_verb_blessings(const char *project,
                              const struct dj_bless_options *options);

#endif
