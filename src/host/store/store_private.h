/* The members of an open store, for statement.h and the engines. */
#ifndef DEJANK_STORE_STORE_PRIVATE_H
#define DEJANK_STORE_STORE_PRIVATE_H

#include "store/store.h"

struct dj_sql_engine;

struct dj_store {
    const struct dj_sql_engine *engine;
    void *link; /* The engine's own data, or NULL if the store is not open. */
    /* The location for messages: a path, or a URL without its password. */
    char *path;
    enum dj_store_mode mode;
    /* Version of the schema. Stores with an older version can only be read. */
    int64_t version;
    /* True if the file is in a folder that is not writable and is read without locks. */
    bool immutable;
    struct dj_text *plans; /* Receives query plans, or is NULL if no plans are wanted. */
};

#endif
