/*
 * Words on the command line that may name a file or a batch of the store. One rule for
 * all verbs: what begins with / or . and a slash, and "-", is a file; batch:NAME is a
 * batch; any other word is the file of that name, where there is one, and else a batch.
 */
#ifndef DEJANK_COMPARE_OPERAND_H
#define DEJANK_COMPARE_OPERAND_H

#include <stdbool.h>

#include "base/messages.h"

enum dj_operand {
    DJ_OPERAND_FILE,
    DJ_OPERAND_BATCH,
    DJ_OPERAND_NOTHING /* neither is there */
};

/*
 * Finds what the word names. `store`: as --store gives it. `folders`: the verb accepts
 * folders; if it does not, a batch wins over a folder of its name. If a file and a batch
 * have the name, the file wins, and a message says how to name the batch.
 */
enum dj_operand dj_compare_operand_kind(const char *word, const char *store, bool folders,
                                        const struct dj_messages *messages);

/* A batch's name without "batch:"; others as they are. */
const char *dj_compare_operand_batch_name(const char *word);

/* Whether a file or folder has that name; true for "-". */
bool dj_compare_operand_is_file(const char *word);

#endif
