#include "compare/operand.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/side.h"
#include "store/open_existing.h"

static const char prefix[] = "batch:";
enum { PREFIX = sizeof(prefix) - 1 };

const char *dj_compare_operand_batch_name(const char *word)
{
    return strncmp(word, prefix, PREFIX) == 0 ? word + PREFIX : word;
}

bool dj_compare_operand_is_file(const char *word)
{
    struct stat status;
    return strcmp(word, "-") == 0 || stat(word, &status) == 0;
}

/* Returns whether the word is a path such as "./app", "../app" or "/tmp/app". Batches
 * cannot have such names. */
static bool is_path(const char *word)
{
    return word[0] == '/' || strncmp(word, "./", 2) == 0 || strncmp(word, "../", 3) == 0;
}

/* Returns whether the store has a batch or build of this name, or several batches with
 * ids that begin with the name. */
static bool is_known(const char *word, const char *store)
{
    struct dj_store *history = NULL;
    struct dj_named_batches named = {NULL, 0};
    bool known = dj_store_open_existing(store, &history, NULL) == 0 && history != NULL &&
                 dj_compare_named_batches_find(history, word, NULL, NULL, &named, NULL) !=
                     DJ_E_NO_DATA;
    free(named.keys);
    dj_store_close(history);
    return known;
}

enum dj_operand dj_compare_operand_kind(const char *word, const char *store, bool folders,
                                        const struct dj_messages *messages)
{
    if (strncmp(word, prefix, PREFIX) == 0) {
        return DJ_OPERAND_BATCH;
    }
    if (strcmp(word, "-") == 0 || is_path(word)) {
        return DJ_OPERAND_FILE;
    }
    struct stat status;
    bool exists = stat(word, &status) == 0;
    bool folder = exists && S_ISDIR(status.st_mode);
    if (!is_known(word, store)) {
        return exists ? DJ_OPERAND_FILE : DJ_OPERAND_NOTHING;
    }
    if (!exists || (folder && !folders)) {
        return DJ_OPERAND_BATCH;
    }
    dj_message(messages,
               "'%s' is both a %s and a batch of the store. Using the %s (./%s). For the "
               "batch, write batch:%s",
               word, folder ? "folder" : "file", folder ? "folder" : "file", word, word);
    return DJ_OPERAND_FILE;
}
