/* Reads the sides A and B of a comparison from command-line operands. An operand names a
 * batch or build of a store, or files. */
#ifndef DEJANK_COMPARE_READ_SIDE_H
#define DEJANK_COMPARE_READ_SIDE_H

#include "base/messages.h"
#include "compare/side.h"

/* Options for reading operands. */
struct dj_sides_request {
    const char *store; /* The store, or NULL for the default store. */
    /* The process to read from files with several processes, or NULL if there is only
     * one. */
    const char *package;
    struct dj_side_filter filter;
    const struct dj_messages *messages; /* Receives messages about operands. */
    /* Receives messages about imported files. */
    const struct dj_messages *import_messages;
};

/* The stores from which sides A and B were read. Zero the struct before use. */
struct dj_sides_stores {
    /* The store of each side, or NULL if the side was read from files. */
    struct dj_store *history[2];
    /* The word that was looked up last in the store. It is part of an operand. */
    const char *word[2];
    /* True if this word is a build with batches on several devices and this is the only
     * reason why the side was refused. */
    bool several_devices[2];
};

/* Reads a side. Each word is a batch or build of the store, FILE.db#BATCH or URL#BATCH, a
 * folder of dumps and logs, one such file, several files separated by commas, or @FILE
 * with a list of files. Files that contain no run are excluded, and a message names them.
 * `which` is 'A' or 'B'. Returns DJ_E_NO_DATA or DJ_E_USAGE with a message about the
 * expected operand. */
int dj_compare_read_side(struct dj_side *side, char which, int count, char *const *words,
                         const struct dj_sides_request *request,
                         struct dj_sides_stores *stores, struct dj_error *err);

/* The operands that name one side. */
struct dj_side_operands {
    char *const *words;
    int count;
};

/* Reads sides A and B. If a build has batches of several devices, it cannot be one side,
 * but two builds can be compared on each device. Each of them must then be one word, and
 * both must be in the same store. */
int dj_compare_read_sides(struct dj_side sides[2],
                          const struct dj_side_operands operands[2],
                          const struct dj_sides_request *request,
                          struct dj_sides_stores *stores, struct dj_error *err);
/* Returns whether the sides are builds that must be compared on each device. */
bool dj_compare_need_range(const struct dj_sides_stores *stores);

void dj_compare_close_stores(struct dj_sides_stores *stores);

#endif
