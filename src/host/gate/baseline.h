/*
 * What a build is held against: which batches of the store are the candidate's, and which
 * ones the baseline's, for each flow on each device (a cell). Excluded batches are passed
 * over. Of several batches of one build in a cell the newest is taken.
 */
#ifndef DEJANK_GATE_BASELINE_H
#define DEJANK_GATE_BASELINE_H

#include "base/text.h"
#include "memory/strings.h"
#include "store/browse.h"

/* All batches of a project that are not excluded, newest first, without their JSON. Zero
 * it. */
struct dj_catalogue {
    struct dj_batch_row *batch;
    size_t count, excluded;
    struct dj_strings texts;
};

/* `project` NULL: the only one of the store, or DJ_E_USAGE that names some; else that of
 * this name. DJ_E_NO_DATA: there is no batch. Finish it in every case. */
int dj_catalogue_load(struct dj_history *history, const char *project,
                      struct dj_catalogue *catalogue, struct dj_error *err);
void dj_catalogue_finish(struct dj_catalogue *catalogue);

/* Whether two batches are of one build: version, commit and label are the same. */
bool dj_same_build(const struct dj_batch_row *a, const struct dj_batch_row *b);

/* Whether a person's word names the batch: its id or 4 characters and more of its
 * beginning, or its build's label, version, or commit (7 and more of its beginning). */
bool dj_catalogue_named(const struct dj_batch_row *batch, const char *word);

/* Appends what the batch's build is called: "1.9.0 (4f2a91c)". */
void dj_catalogue_build_words(struct dj_text *text, const struct dj_batch_row *batch);

/* ---- cells ---- */

/* A flow on a device: same flow name, same selector. */
struct dj_cell_batches {
    const char *flow, *serial;
    const struct dj_batch_row *candidate; /* NULL: the candidate lacks it */
    const struct dj_batch_row **baseline; /* newest first */
    size_t baseline_count;                /* 0: it has none there */
};

enum dj_baseline_kind {
    DJ_BASELINE_INTERLEAVED,  /* the other build of the candidate's own group */
    DJ_BASELINE_NAMED,        /* a batch, label, version or commit */
    DJ_BASELINE_LAST_RELEASE, /* the newest build before the candidate whose version is a
                                 release's: without a pre-release part as in "2.0.0-rc1"
                               */
    DJ_BASELINE_MERGE_BASE,   /* where the candidate's commit left a branch, by git */
    DJ_BASELINE_LAST,         /* the newest so many batches before the candidate */
    DJ_BASELINE_NONE /* nothing: only objectives are held against the candidate */
};

struct dj_baseline_wish {
    enum dj_baseline_kind kind;
    char name[200];     /* of what is named; of a branch, "" any */
    size_t count;       /* of LAST */
    bool nearest;       /* of MERGE_BASE: where its commit was not measured, the nearest
                           one before it that was */
    const char *folder; /* of the repository; NULL: the present one */
};

/* "last-release", "merge-base[:BRANCH]", "last:N[:BRANCH]", "interleaved", "none", else a
 * name; "build:NAME" where a build is called like one of these. DJ_E_USAGE. */
int dj_baseline_parse(const char *words, struct dj_baseline_wish *wish,
                      struct dj_error *err);

/* Which cells must be there: flows × devices of a plan. */
struct dj_cell_wanted {
    const char *flow, *serial;
};

struct dj_cells_wish {
    const char *candidate;     /* a word; NULL: the newest batch's build */
    const char *flow, *serial; /* only these; NULL: all */
    bool has_baseline; /* else: interleaved where the candidate is, last-release where not
                        */
    struct dj_baseline_wish baseline;
    const struct dj_cell_wanted *wanted;
    size_t wanted_count;
};

/* Zero it. */
struct dj_cells {
    struct dj_cell_batches *cell; /* by flow, then device */
    size_t count;
    const struct dj_batch_row *candidate, *baseline; /* the newest of each; NULL */
    char words[400]; /* what the baseline is: "last release 1.8.2" */
};

/*
 * Chooses. Cells are those of the candidate, of the baseline, and the wanted ones: what
 * one of them lacks is seen. DJ_E_NO_DATA: the candidate, or the baseline, is not in the
 * store at all, and err says what was looked for; DJ_E_USAGE: a branch is needed. Errors
 * of commits.h. Finish cells in every case; they point into the catalogue.
 */
int dj_cells_choose(const struct dj_catalogue *catalogue,
                    const struct dj_cells_wish *wish, struct dj_cells *cells,
                    struct dj_error *err);
void dj_cells_finish(struct dj_cells *cells);

/* Adds a cell unless it is there; puts them in order. */
void dj_cells_add(struct dj_cells *cells, const char *flow, const char *serial);
void dj_cells_sort(struct dj_cells *cells);

#endif
