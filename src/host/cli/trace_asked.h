/* What the options of `dejank run` say of the trace of each run. */
#ifndef DEJANK_CLI_TRACE_ASKED_H
#define DEJANK_CLI_TRACE_ASKED_H

#include "measure/batch.h"
#include "measure/trace_words.h"

/* The categories are argv's. */
struct dj_trace_asked {
    const char *trace; /* --trace: NULL: not said; "": all of the window */
    struct dj_trace_words words;
    const char *const *categories; /* NULL: not said */
    size_t category_count;
};

/* Puts what was said into the batch's plan, whose devices are known: it wins over a
 * plan's file. *note is a sentence on what of the file means nothing then; NULL: there is
 * none. DJ_E_USAGE, with the option that is wrong. */
int dj_trace_asked_apply(const struct dj_trace_asked *asked, struct dj_batch_plan *plan,
                         const char **note, struct dj_error *err);

#endif
