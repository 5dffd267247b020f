/* What `dejank parse` knows of one dump: its text as a tree, and beside it what was
 * computed from its rows. An input may hold several (input.h). */
#ifndef DEJANK_IMPORT_PARSED_DUMP_H
#define DEJANK_IMPORT_PARSED_DUMP_H

#include "frame/findings.h"
#include "frame/summary.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"

/* What an input turned out to hold, best first: of several dumps in it the best counts.
 */
enum dj_outcome {
    DJ_OUTCOME_OK,         /* frames were counted, or there are usable rows */
    DJ_OUTCOME_NO_FRAMES,  /* gfxinfo, but of nothing drawn, or of no use */
    DJ_OUTCOME_NO_PROCESS, /* "No process found for: X" */
    DJ_OUTCOME_PERMISSION_DENIED,
    DJ_OUTCOME_DUMP_FAILED,
    DJ_OUTCOME_NOT_GFXINFO, /* nothing of gfxinfo, or not readable at all: see `error` */
    DJ_OUTCOME_COUNT
};

/* "ok", "no-frames", …: a contract of the JSON. */
const char *dj_outcome_name(enum dj_outcome outcome);

/* Of a window, in the order of the dump's windows. */
struct dj_window_facts {
    struct dj_row_facts *rows; /* as many as the window has frames */
    struct dj_summary summary;
    struct dj_findings findings;
    int64_t interval_ns;
    bool interval_assumed; /* neither notes nor rows tell it: 60 Hz */
};

struct dj_process_facts {
    struct dj_window_facts *windows;
    bool tells_interval; /* one of them at least: not all are assumed */
};

struct dj_parsed {
    const char *source; /* the input's name; the caller's */
    bool first;         /* of the input's dumps */
    struct dj_dump dump;
    enum dj_refusal refusal; /* what the device said instead, up to here */
    bool refused_here;       /* … and since the dump before */
    struct dj_error error;   /* why outcome is not DJ_OUTCOME_OK */
    enum dj_outcome outcome;
    struct dj_process_facts *processes;
    bool tells_interval; /* one of them at least */
};

/* Computes from parsed->dump and parsed->refusal, which are there; the rest of *parsed
 * but `source`, `first` and `refused_here` is zero. */
void dj_parsed_compute(struct dj_parsed *parsed);

void dj_parsed_finish(struct dj_parsed *parsed);

/* The release that a process is known to be of; NULL: of none. */
const struct dj_dialect *dj_parsed_release(const struct dj_parsed *parsed,
                                           const struct dj_dump_process *process);

/* What a text in which there is no dump amounts to. */
enum dj_outcome dj_outcome_of_nothing(const struct dj_parse_report *report);

#endif
