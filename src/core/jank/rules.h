/* Defines the jank rules: name, unit, formula and source of each. figures.h computes
 * them. */
#ifndef DEJANK_JANK_RULES_H
#define DEJANK_JANK_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum dj_jank_rule_id {
    DJ_JANK_HWUI_LEGACY,
    DJ_JANK_HWUI_DEADLINE,
    DJ_JANK_JANKSTATS,
    DJ_JANK_FIREBASE_SLOW,
    DJ_JANK_FIREBASE_FROZEN,
    DJ_JANK_VITALS_20,
    DJ_JANK_VITALS_30,
    DJ_JANK_PERFDOG_JANK,
    DJ_JANK_PERFDOG_BIG_JANK,
    DJ_JANK_PERFDOG_STUTTER,
    DJ_JANK_HITCH_RATIO,
    DJ_JANK_FREEZE_TIME,
    DJ_JANK_FRAMES_DELAY,
    DJ_JANK_LOW1_P1,
    DJ_JANK_LOW1_MEAN,
    DJ_JANK_LOW1_INTEGRAL,
    DJ_JANK_CHROMIUM_DROPPED,
    DJ_JANK_RULES
};

struct dj_jank_rule {
    const char *slug; /* Name in options and JSON, such as "perfdog-jank". */
    const char *name; /* Name for users, such as "PerfDog Jank". */
    /* Unit of the value: "%", "ms", "s", "ms/s", "fps", or "frames" for a count. */
    const char *unit;
    bool less_is_better;
    /* True if the rule decides which frames are janky. Such a rule has a number of
     * events. */
    bool counts_frames;
    const char *formula;
    const char *source;
};

const struct dj_jank_rule *dj_jank_rule_get(enum dj_jank_rule_id id);

/* Finds a rule by its slug. Returns false if there is none. */
bool dj_jank_rule_find(const char *slug, enum dj_jank_rule_id *id);

/* Returns whether the word names the rule. It does if it is the slug of the rule, or
 * "all". */
bool dj_jank_rule_is_named(enum dj_jank_rule_id id, const char *word);

#endif
