/* The jank rules: name, unit, formula and source of each. figures.h computes them. */
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
    const char *slug; /* The name in options and JSON, such as "perfdog-jank". */
    const char *name; /* The name for people, such as "PerfDog Jank". */
    const char *unit; /* "%", "ms", "s", "ms/s", "fps", or "frames" for a count. */
    bool less_is_better;
    bool counts_frames; /* The rule says which frames are janky, so it has events. */
    const char *formula;
    const char *source;
};

const struct dj_jank_rule *dj_jank_rule_get(enum dj_jank_rule_id id);

/* Finds a rule by its slug. Returns false if there is none. */
bool dj_jank_rule_find(const char *slug, enum dj_jank_rule_id *id);

/* Returns whether a word of the user names the rule: its slug, or "all". */
bool dj_jank_rule_is_named(enum dj_jank_rule_id id, const char *word);

#endif
