/* The operands A and B of a comparison: batches and builds of a store, or files. */
#ifndef DEJANK_COMPARE_READ_SIDE_H
#define DEJANK_COMPARE_READ_SIDE_H

#include "base/messages.h"
#include "compare/side.h"

/* How operands are to be read. */
struct dj_sides_request {
    const char *store;   /* NULL: the default one */
    const char *package; /* of files with several processes; NULL: there is one */
    struct dj_side_filter filter;
    const struct dj_messages *messages;        /* about operands */
    const struct dj_messages *import_messages; /* about files that are imported */
};

/* The stores that sides were read from. Zero it. */
struct dj_sides_stores {
    struct dj_store *history[2]; /* of A and B; NULL: it is of files */
    const char *word[2];     /* the last that was looked up there; part of an operand */
    bool several_devices[2]; /* that word is a build of several, of one project and flow;
                                the side was refused for nothing else */
};

/*
 * Reads a side. Each word is a batch or build of the store, FILE.db#BATCH (or that of a
 * URL), a folder of dumps and logs, one such file, several files with commas between, or
 * @FILE, which lists them. Files that are not runs are excluded by name, with a message.
 * `which` is 'A' or 'B'. DJ_E_NO_DATA, DJ_E_USAGE: the message says what was expected.
 */
int dj_compare_read_side(struct dj_side *side, char which, int count, char *const *words,
                         const struct dj_sides_request *request,
                         struct dj_sides_stores *stores, struct dj_error *err);

void dj_compare_close_stores(struct dj_sides_stores *stores);

#endif
