/* Builds the sentences for the user about the data that was read and the data that is
 * missing. */
#ifndef DEJANK_TRACE_PERF_DATA_NOTES_H
#define DEJANK_TRACE_PERF_DATA_NOTES_H

#include "base/text.h"
#include "stacks/maps.h"
#include "trace/perf_data/file.h"

/* A list of sentences. Zero the struct before use. */
struct dj_perf_data_notes {
    struct dj_text sentences; /* Sentences, each with a final NUL. */
    size_t count;
};

struct dj_perf_data_counts {
    uint64_t throttled;   /* How often the kernel lowered the sampling rate. */
    uint64_t incomplete;  /* Number of stacks that could not be unwound to their end. */
    uint64_t not_unwound; /* Number of copied stacks that could not be unwound at all. */
    /* The last module in which the unwinding of a stack ended too early, or NULL. */
    const struct dj_stacks_module *missing;
};

/* Returns the name of the recording's clock: "mono", "boot", … or "perf" for perf's own
 * clock. */
const char *dj_perf_data_get_clock(const struct dj_perf_data *file);

void dj_perf_data_add_notes(const struct dj_perf_data *file,
                            const struct dj_perf_data_counts *counts,
                            struct dj_perf_data_notes *notes);

#endif
