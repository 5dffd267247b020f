/*
 * Chooses the batches to compare: those of the candidate and those of the baseline, for
 * each flow on each device (a cell). Skips excluded batches. Uses the newest of several
 * batches of one build in a cell.
 */
#ifndef DEJANK_GATE_BASELINE_H
#define DEJANK_GATE_BASELINE_H

#include "base/text.h"
#include "memory/strings.h"
#include "store/browse.h"

/* All batches of a project that are not excluded, newest first, without their JSON.
 * Initialise it with zeros. */
struct dj_catalogue {
    struct dj_batch_row *batch;
    size_t count, excluded;
    struct dj_strings texts;
};

/* Loads the batches of `project`. NULL selects the only project of the store, or returns
 * DJ_E_USAGE that names some. Returns DJ_E_NO_DATA if there is no batch. Finish it in
 * every case. */
int dj_gate_catalogue_load(struct dj_store *store, const char *project,
                           struct dj_catalogue *catalogue, struct dj_error *err);
void dj_gate_catalogue_finish(struct dj_catalogue *catalogue);

/* Returns whether two batches are of one build: same version, commit and label. */
bool dj_gate_catalogue_same_build(const struct dj_batch_row *a,
                                  const struct dj_batch_row *b);

/* Returns whether a word names the batch: its id (or at least 4 characters of its
 * beginning), or its build's label, version or commit (or at least 7 characters of its
 * beginning). */
bool dj_gate_catalogue_matches(const struct dj_batch_row *batch, const char *word);

/* Appends the name of the batch's build: "1.9.0 (4f2a91c)". */
void dj_gate_format_build(struct dj_text *text, const struct dj_batch_row *batch);

/* ---- cells ---- */

/* A flow on a device: same flow name, same selector. */
struct dj_cell_batches {
    const char *flow, *serial;
    const struct dj_batch_row *candidate; /* NULL: the candidate lacks it */
    const struct dj_batch_row **baseline; /* newest first */
    size_t baseline_count;                /* 0: the baseline has none */
};

enum dj_baseline_kind {
    DJ_BASELINE_INTERLEAVED,  /* the other build of the candidate's group */
    DJ_BASELINE_NAMED,        /* a batch, label, version or commit */
    DJ_BASELINE_LAST_RELEASE, /* the newest build before the candidate with a release
                                 version, which has no pre-release part as in "2.0.0-rc1"
                               */
    DJ_BASELINE_MERGE_BASE,   /* where the candidate's commit left a branch, by git */
    DJ_BASELINE_LAST,         /* the newest batches before the candidate */
    DJ_BASELINE_NONE          /* none: only objectives judge the candidate */
};

struct dj_baseline_option {
    enum dj_baseline_kind kind;
    char name[200]; /* the name given; of a branch, "" means any */
    size_t count;   /* for DJ_BASELINE_LAST */
    bool nearest; /* for DJ_BASELINE_MERGE_BASE: if that commit was not measured, use the
                     nearest measured one before it */
    const char *folder; /* of the repository; NULL: the working folder */
};

/* Parses "last-release", "merge-base[:BRANCH]", "last:N[:BRANCH]", "interleaved", "none",
 * or a name. "build:NAME" names a build that is called like one of these. Returns
 * DJ_E_USAGE for anything else. */
int dj_gate_baseline_parse(const char *words, struct dj_baseline_option *wish,
                           struct dj_error *err);

/* A cell that must exist: flows × devices of a plan. */
struct dj_wanted_cell {
    const char *flow, *serial;
};

struct dj_cells_options {
    const char *candidate;     /* a word; NULL: the newest batch's build */
    const char *flow, *serial; /* only these; NULL: all */
    bool has_baseline; /* false: interleaved if the candidate is, else last-release */
    struct dj_baseline_option baseline;
    const struct dj_wanted_cell *wanted;
    size_t wanted_count;
};

/* Initialise it with zeros. */
struct dj_cells {
    struct dj_cell_batches *cell; /* by flow, then device */
    size_t count;
    const struct dj_batch_row *candidate,
        *baseline;   /* the newest batch of each; NULL: none */
    char words[400]; /* description of the baseline: "last release 1.8.2" */
};

/*
 * Chooses the cells: those of the candidate, of the baseline, and the wanted ones, so
 * that missing ones show. Returns DJ_E_NO_DATA if the store has no batch of the candidate
 * or of the baseline, and err says what was searched. Returns DJ_E_USAGE if a branch is
 * needed. Other errors as in commits.h. Finish `cells` in every case. They point into the
 * catalogue.
 */
int dj_gate_cells_choose(const struct dj_catalogue *catalogue,
                         const struct dj_cells_options *wish, struct dj_cells *cells,
                         struct dj_error *err);
void dj_gate_cells_finish(struct dj_cells *cells);

/* dj_gate_cells_add() adds a cell if it is missing. dj_gate_cells_sort() sorts them. */
void dj_gate_cells_add(struct dj_cells *cells, const char *flow, const char *serial);
void dj_gate_cells_sort(struct dj_cells *cells);

#endif
