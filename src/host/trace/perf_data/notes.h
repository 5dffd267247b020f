/* Builds the sentences that say what was read and what is missing. */
#ifndef DEJANK_TRACE_PERF_DATA_NOTES_H
#define DEJANK_TRACE_PERF_DATA_NOTES_H

#include "base/text.h"
#include "stacks/maps.h"
#include "trace/perf_data/file.h"

/* A list of sentences. Zero it before use. */
struct dj_perf_data_notes {
    struct dj_text sentences; /* A NUL ends each. */
    size_t count;
};

struct dj_perf_data_counts {
    uint64_t throttled;  /* How often the kernel lowered the rate. */
    uint64_t incomplete; /* Number of stacks that could not be unwound to their end. */
    /* The module at which unwinding ended last, or NULL. */
    const struct dj_stacks_module *missing;
};

/* Returns the name of the clock: "mono", "boot", … or "perf" for perf's own clock. */
const char *dj_perf_data_get_clock(const struct dj_perf_data *file);

void dj_perf_data_add_notes(const struct dj_perf_data *file,
                            const struct dj_perf_data_counts *counts,
                            struct dj_perf_data_notes *notes);

#endif
