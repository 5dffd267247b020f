/* What verbs of the store have in common. */
#ifndef DEJANK_CLI_STORE_OPTION_H
#define DEJANK_CLI_STORE_OPTION_H

#include "cli/output_file.h"
#include "store/loaded_batch.h"

#define DJ_STORE_OPTION(type, field)                                                     \
    {                                                                                    \
        "store", 0, DJ_OPTION_STRING, offsetof(type, field), "PATH|URL",                 \
            "the store; else $XDG_DATA_HOME/dejank/history.db"                           \
    }

/* Opens a store to be read. One that nobody named and that is not there yet is empty:
 * *history is NULL then, and the result 0. */
int dj_store_open_reading(const char *path, struct dj_history **history,
                          struct dj_error *err);

/* "2026-11-22 00:31", in local time. */
enum { DJ_MOMENT = 32 };
void dj_moment(int64_t unix_ms, char text[DJ_MOMENT]);

#endif
