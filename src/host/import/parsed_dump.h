/* A parsed dump of `dejank parse`: the tree of its text and the facts computed from its
 * rows. An input may contain several (input.h). */
#ifndef DEJANK_IMPORT_PARSED_DUMP_H
#define DEJANK_IMPORT_PARSED_DUMP_H

#include "frame/findings.h"
#include "frame/summary.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"

/* The kind of content of an input, best first. The outcome of an input with several dumps
 * is the best one. */
enum dj_dump_outcome {
    DJ_OUTCOME_OK,         /* Frames were counted, or there are usable rows. */
    DJ_OUTCOME_NO_FRAMES,  /* gfxinfo, but nothing was drawn, or no row is usable. */
    DJ_OUTCOME_NO_PROCESS, /* "No process found for: X" */
    DJ_OUTCOME_PERMISSION_DENIED,
    DJ_OUTCOME_DUMP_FAILED,
    DJ_OUTCOME_NOT_GFXINFO, /* No gfxinfo, or not readable at all: see `error`. */
    DJ_OUTCOME_COUNT
};

/* "ok", "no-frames", …: part of the JSON format. */
const char *dj_import_outcome_get_name(enum dj_dump_outcome outcome);

/* Facts of a window, in the order of the dump's windows. */
struct dj_window_facts {
    struct dj_row_facts *rows; /* As many as the window has frames. */
    struct dj_summary summary;
    struct dj_findings findings;
    int64_t interval_ns;
    /* Neither notes nor rows contain the interval: 60 Hz is assumed. */
    bool interval_assumed;
};

struct dj_process_facts {
    struct dj_window_facts *windows;
    bool has_interval; /* At least one window has a recorded interval. */
};

struct dj_parsed {
    const char *source; /* The input's name; the caller's. */
    bool first;         /* It is the first dump of the input. */
    struct dj_dump dump;
    enum dj_refusal refusal; /* The last refusal of the device up to here. */
    bool was_refused;        /* The refusal came after the previous dump. */
    struct dj_error error;   /* Why the outcome is not DJ_OUTCOME_OK. */
    enum dj_dump_outcome outcome;
    struct dj_process_facts *processes;
    bool has_interval; /* At least one process has a recorded interval. */
};

/* Computes the facts from parsed->dump and parsed->refusal, which the caller has set. All
 * other members except `source`, `first` and `was_refused` must be zero. */
void dj_import_compute_dump(struct dj_parsed *parsed);

/* Frees the dump and its facts, and zeroes *parsed. */
void dj_import_finish_dump(struct dj_parsed *parsed);

/* The release of a process; NULL: unknown. */
const struct dj_dialect *
dj_import_dump_get_release(const struct dj_parsed *parsed,
                           const struct dj_dump_process *process);

/* The outcome of a text without a dump. */
enum dj_dump_outcome
dj_parsed_dump_get_empty_outcome(const struct dj_parse_report *report);

#endif
