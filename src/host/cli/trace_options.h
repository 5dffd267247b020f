/* The rows of measure/trace_words.h as options of a verb whose struct has them as
 * `words`, a struct dj_trace_words. */
#ifndef DEJANK_CLI_TRACE_OPTIONS_H
#define DEJANK_CLI_TRACE_OPTIONS_H

#include "cli/options.h"
#include "measure/trace_words.h"

enum {
    DJ_TRACE_OPTION_TEXT = DJ_OPTION_STRING,
    DJ_TRACE_OPTION_DURATION = DJ_OPTION_DURATION,
    DJ_TRACE_OPTION_COUNT = DJ_OPTION_COUNT
};

/* One of them, called `prefix` and its word. */
#define DJ_TRACE_OPTION(prefix, values, word, member, kind, value, help)                 \
    {                                                                                    \
        prefix #word, 0, (enum dj_option_kind)DJ_TRACE_OPTION_##kind,                    \
            offsetof(values, words.member), value, help                                  \
    }

#endif
