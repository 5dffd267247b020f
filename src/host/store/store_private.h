/* The members of an open store. sql.h and the engines use them. */
#ifndef DEJANK_STORE_STORE_PRIVATE_H
#define DEJANK_STORE_STORE_PRIVATE_H

#include "store/store.h"

struct dj_sql_engine;

struct dj_store {
    const struct dj_sql_engine *engine;
    void *link; /* the engine's own data; NULL: not open */
    char *path; /* for messages; a URL without its password */
    enum dj_store_mode mode;
    int64_t version; /* schema version; older stores can only be read */
    bool immutable; /* the file is read without locks, in a folder that is not writable */
    struct dj_text *plans; /* where query plans go; NULL: nowhere */
};

#endif
