/* A parsed dump of `dejank parse`: the parsed text and the facts computed from its rows.
 * A row is the data of one frame. An input may contain several dumps (dump_input.h). */
#ifndef DEJANK_IMPORT_PARSED_DUMP_H
#define DEJANK_IMPORT_PARSED_DUMP_H

#include "frame/findings.h"
#include "frame/summary.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"

/* The possible contents of an input, from best to worst. The outcome of an input with
 * several dumps is the best one of them. */
enum dj_dump_outcome {
    DJ_OUTCOME_OK, /* The dump has usable rows, or has counted frames. */
    /* The dump is gfxinfo, but no frame was drawn or no row is usable. */
    DJ_OUTCOME_NO_FRAMES,
    DJ_OUTCOME_NO_PROCESS, /* The dump says "No process found for: X". */
    DJ_OUTCOME_PERMISSION_DENIED,
    DJ_OUTCOME_DUMP_FAILED,
    /* The text is no gfxinfo, or could not be read. See dj_parsed.error. */
    DJ_OUTCOME_NOT_GFXINFO,
    DJ_OUTCOME_COUNT
};

/* Returns the name of an outcome ("ok", "no-frames", …), which is part of the JSON
 * format. */
const char *dj_import_outcome_get_name(enum dj_dump_outcome outcome);

/* Facts of one window of a process. dj_process_facts.windows has the order of the windows
 * in the dump. */
struct dj_window_facts {
    struct dj_row_facts *rows; /* One entry for each frame of the window. */
    struct dj_summary summary;
    struct dj_findings findings;
    struct dj_summary_rules rules; /* The rules that judged the rows. */
    int64_t interval_ns;
    /* True if the dump does not contain the display interval, so that 60 Hz is
     * assumed. */
    bool interval_assumed;
    /* True if the rows contain only frames that were shown. The number of other frames is
     * then unknown. */
    bool skips_unknown;
};

struct dj_process_facts {
    struct dj_window_facts *windows;
    /* True if the dump contains the display interval of at least one window. */
    bool has_interval;
};

struct dj_parsed {
    const char *source; /* Name of the input. Owned by the caller. */
    bool first;         /* True for the first dump of the input. */
    struct dj_dump dump;
    /* The last error message of the device before the end of the dump. */
    enum dj_refusal refusal;
    bool was_refused;      /* True if that message came after the previous dump. */
    struct dj_error error; /* The reason if the outcome is not DJ_OUTCOME_OK. */
    enum dj_dump_outcome outcome;
    struct dj_process_facts *processes;
    /* True if the dump contains the display interval of at least one process. */
    bool has_interval;
};

/* Computes the facts from parsed->dump, `refusal` and `was_refused`, which the caller has
 * set. All other fields except `source` and `first` must be zero. */
void dj_import_compute_dump(struct dj_parsed *parsed);

/* Frees the dump and its facts, and zeroes *parsed. */
void dj_import_finish_dump(struct dj_parsed *parsed);

/* Returns the release of a process, or NULL if unknown. */
const struct dj_dialect *
dj_import_dump_get_release(const struct dj_parsed *parsed,
                           const struct dj_dump_process *process);

/* Returns the outcome of a text that contains no dump. */
enum dj_dump_outcome
dj_parsed_dump_get_empty_outcome(const struct dj_parse_report *report);

#endif
