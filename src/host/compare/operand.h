/* Decides whether a word on the command line names a file or a batch of the store. All
 * verbs use the same rule. "-" and words that begin with "/", "./" or "../" are files.
 * batch:NAME is a batch. Any other word is the file of that name if there is one, else a
 * batch. */
#ifndef DEJANK_COMPARE_OPERAND_H
#define DEJANK_COMPARE_OPERAND_H

#include <stdbool.h>

#include "base/messages.h"

enum dj_operand {
    DJ_OPERAND_FILE,
    DJ_OPERAND_BATCH,
    DJ_OPERAND_NOTHING /* There is no file and no batch of that name. */
};

/* Finds out what the word names. `store` is the argument of --store. `folders` is true if
 * the verb accepts folders. If `folders` is false, a batch has precedence over a folder
 * of the same name. If a file and a batch have the same name, the file has precedence,
 * and a message explains how to name the batch. */
enum dj_operand dj_compare_operand_kind(const char *word, const char *store, bool folders,
                                        const struct dj_messages *messages);

/* Returns the word without the prefix "batch:", if there is one. */
const char *dj_compare_operand_batch_name(const char *word);

/* Returns whether a file or folder of that name exists. Returns true for "-". */
bool dj_compare_operand_is_file(const char *word);

#endif
