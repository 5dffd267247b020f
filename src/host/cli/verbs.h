/* The verbs of dejank, each in the file of its name. A new verb needs a row here and its
 * file. */
#ifndef DEJANK_CLI_VERBS_H
#define DEJANK_CLI_VERBS_H

#include "cli/options.h"

/* X(GROUP, NAME): the verbs in the order of `dejank --help`. The build reads these rows,
 * too, because each verb has a manual page. */
#define DJ_VERBS(X)                                                                      \
    X(MEASURE, record)                                                                   \
    X(MEASURE, run)                                                                      \
    X(MEASURE, collect)                                                                  \
    X(MEASURE, top)                                                                      \
    X(MEASURE, profile)                                                                  \
    X(MEASURE, script)                                                                   \
    X(UNDERSTAND, parse)                                                                 \
    X(UNDERSTAND, report)                                                                \
    X(UNDERSTAND, trace_capture)                                                         \
    X(UNDERSTAND, trace_read)                                                            \
    X(UNDERSTAND, trace_symbolize)                                                       \
    X(UNDERSTAND, trace_triage)                                                          \
    X(COMPARE, compare)                                                                  \
    X(COMPARE, gate)                                                                     \
    X(COMPARE, history)                                                                  \
    X(COMPARE, list)                                                                     \
    X(COMPARE, show)                                                                     \
    X(COMPARE, serve)                                                                    \
    X(DATA, fleet)                                                                       \
    X(DATA, devices)                                                                     \
    X(DATA, doctor)                                                                      \
    X(DATA, import)                                                                      \
    X(DATA, store)

#define DJ_VERB_DECLARATION(group, name) extern const struct dj_verb dj_verb_##name;
DJ_VERBS(DJ_VERB_DECLARATION)
#undef DJ_VERB_DECLARATION

/* One line that says what dejank is. */
#define DJ_SUMMARY                                                                       \
    "Measures how smoothly a user interface renders, and explains its janky frames."

enum dj_verb_group {
    DJ_VERBS_MEASURE,
    DJ_VERBS_UNDERSTAND,
    DJ_VERBS_COMPARE,
    DJ_VERBS_DATA,
    DJ_VERB_GROUPS
};

extern const struct dj_verb_group_text {
    const char *title;
    const char *example; /* A command of one of the group's verbs. */
} dj_verb_groups[DJ_VERB_GROUPS];

/* Returns the verb number `index` of DJ_VERBS, counted from 0, or NULL after the last. */
const struct dj_verb *dj_cli_verb_at(size_t index);

/* Returns the group of an existing verb. */
enum dj_verb_group dj_cli_verb_group_of(size_t index);

/* Finds the verb that the first words of argv name, where argv[0] is a word of the verb.
 * Sets *word_count to their number. Returns NULL if there is no such verb. */
const struct dj_verb *dj_verb_find(int argc, char **argv, int *word_count);

/* Returns whether a word is a topic: the first of two words that name a verb, such as
 * "trace". */
bool dj_verb_is_topic(const char *word);

/* Returns whether verb number `index` is the first verb of a topic. Sets *topic, which
 * ends at the space of the verb's name. */
bool dj_cli_verb_starts_topic(size_t index, struct dj_str *topic);

#endif
