/* The verbs of dejank, each in the file of its name. A new verb needs a word here and its
 * file. */
#ifndef DEJANK_CLI_VERBS_H
#define DEJANK_CLI_VERBS_H

#include "cli/options.h"

#define DJ_VERBS(X)                                                                      \
    X(collect)                                                                           \
    X(compare)                                                                           \
    X(devices)                                                                           \
    X(doctor)                                                                            \
    X(gate)                                                                              \
    X(history)                                                                           \
    X(import)                                                                            \
    X(list)                                                                              \
    X(parse)                                                                             \
    X(profile)                                                                           \
    X(record)                                                                            \
    X(report)                                                                            \
    X(run) X(script) X(show) X(store) X(trace_capture) X(trace_read) X(trace_triage)

#define DJ_VERB_DECLARATION(name) extern const struct dj_verb dj_verb_##name;
DJ_VERBS(DJ_VERB_DECLARATION)

#endif
