/* What `dejank parse` knows of one input: the dump that was read, and beside it what was
 * computed from its rows. */
#ifndef DEJANK_CLI_PARSED_H
#define DEJANK_CLI_PARSED_H

#include "frame/summary.h"
#include "gfxinfo/parse.h"

/* What an input turned out to hold. The best of several dumps in one input counts. */
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
    int64_t interval_ns;
    bool interval_assumed; /* neither notes nor rows tell it: 60 Hz */
};

struct dj_process_facts {
    struct dj_window_facts *windows;
};

struct dj_parsed {
    const char *source; /* the input's name; the caller's */
    struct dj_dump dump;
    struct dj_parse_report report;
    struct dj_error error; /* why outcome is not DJ_OUTCOME_OK */
    enum dj_outcome outcome;
    const struct dj_dialect *dialect; /* whose rule judged the rows; never NULL */
    struct dj_process_facts *processes;
};

/* Reads a dump and computes. 0 also where the outcome is not DJ_OUTCOME_OK;
 * DJ_E_NO_MEMORY. Finish it in every case. */
int dj_parsed_read(struct dj_parsed *parsed, const char *source, const char *text,
                   size_t length);

/* An input that could not even be read. */
void dj_parsed_unreadable(struct dj_parsed *parsed, const char *source,
                          const struct dj_error *err);

void dj_parsed_finish(struct dj_parsed *parsed);

#endif
