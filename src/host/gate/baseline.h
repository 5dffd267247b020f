/* Chooses the batches to compare: the batch of the candidate and the batch of the
 * baseline, for each cell. A cell is one flow on one device. Excluded batches are
 * skipped. If a build has several batches in a cell, the newest is used. */
#ifndef DEJANK_GATE_BASELINE_H
#define DEJANK_GATE_BASELINE_H

#include "base/text.h"
#include "memory/strings.h"
#include "store/browse.h"

/* All batches of a project that are not excluded, newest first. Their JSON texts are not
 * loaded. Zero the struct before use. */
struct dj_catalogue {
    struct dj_batch_row *batch;
    size_t count, excluded;
    struct dj_strings texts;
};

/* Loads the batches of `project`. If `project` is NULL, the store must have only one
 * project. Otherwise returns DJ_E_USAGE, and the error lists some projects. Returns
 * DJ_E_NO_DATA if there is no batch. Call dj_gate_catalogue_finish() in every case. */
int dj_gate_catalogue_load(struct dj_store *store, const char *project,
                           struct dj_catalogue *catalogue, struct dj_error *err);
void dj_gate_catalogue_finish(struct dj_catalogue *catalogue);

/* Returns whether two batches have the same build, that is, the same version, commit and
 * label. */
bool dj_gate_catalogue_same_build(const struct dj_batch_row *a,
                                  const struct dj_batch_row *b);

/* Returns whether a word names the batch. The word may be the batch's id, or the label,
 * version or commit of the batch's build. Ids may be abbreviated to 4 characters and
 * commits to 7. */
bool dj_gate_catalogue_matches(const struct dj_batch_row *batch, const char *word);

/* Appends the name of the batch's build: "1.9.0 (4f2a91c)". */
void dj_gate_format_build(struct dj_text *text, const struct dj_batch_row *batch);

/* The batches of a cell: one flow, identified by its name, on one device, identified by
 * its selector. */
struct dj_cell_batches {
    const char *flow, *serial;
    /* The batch of the candidate, or NULL if there is none. */
    const struct dj_batch_row *candidate;
    /* The batches of the baseline, newest first. */
    const struct dj_batch_row **baseline;
    size_t baseline_count; /* Number of baseline batches, or 0 if there are none. */
};

enum dj_baseline_kind {
    /* The other build of the pair that was measured interleaved with the candidate. */
    DJ_BASELINE_INTERLEAVED,
    DJ_BASELINE_NAMED, /* A batch, or a build by its label, version or commit. */
    /* The newest build that is older than the candidate and has the version of a release.
     * A version with a pre-release part, such as "2.0.0-rc1", is no release. */
    DJ_BASELINE_LAST_RELEASE,
    /* The commit at which the candidate's branch and another branch parted, found with
     * git. */
    DJ_BASELINE_MERGE_BASE,
    DJ_BASELINE_LAST, /* The newest N batches before the candidate. */
    DJ_BASELINE_NONE  /* No baseline. Only objectives judge the candidate. */
};

struct dj_baseline_option {
    enum dj_baseline_kind kind;
    /* The name of a batch, build or branch. For a branch, "" means any branch. */
    char name[200];
    size_t count; /* Number of batches, for DJ_BASELINE_LAST only. */
    /* For DJ_BASELINE_MERGE_BASE only. If the merge base was not measured, the nearest
     * measured commit before it is used. */
    bool nearest;
    /* Folder of the git repository, or NULL for the working folder. */
    const char *folder;
};

/* Parses "last-release", "merge-base[:BRANCH]", "last:N[:BRANCH]", "interleaved", "none",
 * or the name of a batch or build. If the name of a build is one of these keywords, it is
 * written as "build:NAME". Returns DJ_E_USAGE for any other text. */
int dj_gate_baseline_parse(const char *words, struct dj_baseline_option *wish,
                           struct dj_error *err);

/* A cell that is required because a plan names this flow and device. */
struct dj_wanted_cell {
    const char *flow, *serial;
};

struct dj_cells_options {
    /* Name of the candidate, or NULL for the build of the newest batch. */
    const char *candidate;
    /* Name of the only flow and selector of the only device of the cells, or NULL for
     * all. */
    const char *flow, *serial;
    /* True if the caller chose a baseline. Otherwise the default is `interleaved` if the
     * candidate was measured interleaved with another build, or else `last-release`. */
    bool has_baseline;
    struct dj_baseline_option baseline;
    const struct dj_wanted_cell *wanted;
    size_t wanted_count;
};

/* The chosen cells. Initialise the struct with zeros. */
struct dj_cells {
    struct dj_cell_batches *cell; /* The cells, sorted by flow and then by device. */
    size_t count;
    /* The newest batch of the candidate, and the newest batch of the baseline. NULL if
     * there is no such batch. */
    const struct dj_batch_row *candidate, *baseline;
    char words[400]; /* Description of the baseline: "last release 1.8.2". */
};

/* Chooses the cells: every cell of the candidate, of the baseline, or of the wanted
 * cells. So a caller can see which cells lack a measurement. Returns DJ_E_NO_DATA if
 * the store has no batch of the candidate or of the baseline. Returns DJ_E_USAGE if
 * the baseline is the candidate itself, or if a branch must be named. Also returns the
 * errors of commits.h. Call dj_gate_cells_finish() in every case. The catalogue must
 * outlive the cells. */
int dj_gate_cells_choose(const struct dj_catalogue *catalogue,
                         const struct dj_cells_options *wish, struct dj_cells *cells,
                         struct dj_error *err);
void dj_gate_cells_finish(struct dj_cells *cells);

/* dj_gate_cells_add() adds a cell unless it exists. dj_gate_cells_sort() sorts the cells
 * by flow and then by device. */
void dj_gate_cells_add(struct dj_cells *cells, const char *flow, const char *serial);
void dj_gate_cells_sort(struct dj_cells *cells);

#endif
