/* The operands A and B of a comparison: batches and builds of a store, or files. */
#ifndef DEJANK_CLI_COMPARE_SIDES_H
#define DEJANK_CLI_COMPARE_SIDES_H

#include "compare/compare.h"
#include "gate/gate.h"

/* How operands are to be read. */
struct dj_sides_request {
    const char *store;   /* NULL: the default one */
    const char *package; /* of files with several processes; NULL: there is one */
    struct dj_side_filter filter;
};

/* The stores that sides were read from. Zero it. */
struct dj_sides_stores {
    struct dj_history *history[2]; /* of A and B; NULL: it is of files */
    const char *word[2];     /* the last that was looked up there; part of an operand */
    bool several_devices[2]; /* that word is a build of several, of one project and flow;
                                the side was refused for nothing else */
};

/*
 * Reads a side: words that are each a batch or build of the store, FILE.db#BATCH (or
 * a URL's), a folder of dumps and logs, one of them, several with commas between, or
 * @FILE that lists them. Files that are no run are told on stderr and left out, named.
 * `which` is 'A' or 'B'. DJ_E_NO_DATA, DJ_E_USAGE: err says what was
 * expected.
 */
int dj_side_read(struct dj_side *side, char which, int count, char *const *words,
                 const struct dj_sides_request *request, struct dj_sides_stores *stores,
                 struct dj_error *err);

void dj_sides_stores_close(struct dj_sides_stores *stores);

/* ---- builds of several devices ---- */

/* Judges them. `stores`: both of one store, each with its word. Finish the gate in every
 * case. */
int dj_compare_devices(const struct dj_side_filter *filter,
                       const struct dj_sides_stores *stores,
                       const struct dj_compare_rules *rules, struct dj_gate *range,
                       struct dj_error *err);

#endif
