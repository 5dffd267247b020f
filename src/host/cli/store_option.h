/* The row of the option --store, for the option tables of verbs that use the store. */
#ifndef DEJANK_CLI_STORE_OPTION_H
#define DEJANK_CLI_STORE_OPTION_H

#include "output/file.h"
#include "report/moment.h"
#include "store/loaded_batch.h"
#include "store/open_existing.h"

#define DJ_STORE_OPTION(type, field)                                                     \
    {                                                                                    \
        "store", 0, DJ_OPTION_STRING, offsetof(type, field), "FILE|URL",                 \
            "store to use (default: $XDG_DATA_HOME/dejank/history.db)"                   \
    }

#endif
