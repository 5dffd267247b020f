/* The interface between sql.h and a database. SQLite and PostgreSQL implement it. Only
 * the engines, opening and merging use this header. */
#ifndef DEJANK_STORE_SQL_ENGINE_H
#define DEJANK_STORE_SQL_ENGINE_H

#include "store/store_private.h"

enum dj_sql_kind { DJ_SQL_NULL, DJ_SQL_INT, DJ_SQL_DOUBLE, DJ_SQL_TEXT, DJ_SQL_BYTES };

/* A parameter, or a column of a row. A NaN number is NULL. */
struct dj_sql_value {
    enum dj_sql_kind kind;
    enum dj_sql_kind meant; /* for NULL: the kind it would have; DJ_SQL_NULL: unknown */
    int64_t number;
    double real;
    const void *bytes; /* texts too, followed by a NUL */
    size_t size;
};

/* The first member of each engine's statement. */
struct dj_statement {
    struct dj_store *store;
};

/* What dejank finds when it opens a store. */
struct dj_sql_content {
    bool ours; /* the place says that it is a dejank store */
    int64_t version;
    int64_t others; /* tables of any kind, if the place is not ours */
};

typedef void dj_sql_report_problem(void *data, const char *sentence);

struct dj_sql_engine {
    size_t
        batches_per_query; /* how many batches are best requested in one query by key */
    const char *not_ours;  /* message for a foreign place: "it is an SQLite file, but no
                              store …" */
    const char *empty;     /* message for an empty place; NULL: use not_ours */

    /* `open` opens the place for statements. It checks no content and changes nothing.
     * store->path is the place as messages show it. `set_up` does the rest once the
     * content is known to be a store. NULL: there is nothing left to do. */
    int (*open)(struct dj_store *store, const char *place, struct dj_error *err);
    int (*set_up)(struct dj_store *store, struct dj_error *err);

    int (*prepare)(struct dj_store *store, const char *sql,
                   struct dj_statement **statement, struct dj_error *err);
    int (*bind)(struct dj_statement *statement, int index, /* from 1 */
                const struct dj_sql_value *value, struct dj_error *err);
    /* Returns 1 if there is a row, 0 after the last, or an error. `doing` completes the
     * message "cannot …": "read it". */
    int (*step)(struct dj_statement *statement, const char *doing, struct dj_error *err);
    /* Call it before the first step. Rows then arrive one by one, however many and large,
     * and no other statement runs until this one is finished. NULL: the engine always
     * works this way. */
    void (*stream)(struct dj_statement *statement);
    int (*width)(struct dj_statement *row); /* columns */
    const char *(*name)(struct dj_statement *row, int column);
    void (*column)(struct dj_statement *row, int column, struct dj_sql_value *value);
    /* Resets a statement so that it can run with other parameters. */
    void (*reset_statement)(struct dj_statement *statement);
    void (*finish)(struct dj_statement *statement);
    int64_t (*changed)(struct dj_statement *statement);

    /* Runs statements one after the other, without parameters or rows. */
    int (*run_script)(struct dj_store *store, const char *sql, const char *doing,
                      struct dj_error *err);

    int (*begin)(struct dj_store *store, bool writing, struct dj_error *err);
    int (*end)(struct dj_store *store, int code, struct dj_error *err);
    /* `lost` returns whether the connection is lost and reconnecting makes sense.
     * `connect` reconnects. NULL: the engine has no connection. */
    bool (*lost)(const struct dj_store *store);
    int (*connect)(struct dj_store *store, struct dj_error *err);

    int (*read_content)(struct dj_store *store, struct dj_sql_content *content,
                        struct dj_error *err);
    /* Records that the schema now has version DJ_SCHEMA_VERSION. */
    int (*write_version)(struct dj_store *store, struct dj_error *err);
    /* Checks that the tables are those of `model`, an SQLite store in memory without
     * rows. Otherwise it fails with dj_schema_differs(). */
    int (*compare_schema)(struct dj_store *store, struct dj_store *model,
                          struct dj_error *err);
    /* Checks that the database itself is intact and that each reference leads to a row.
     * Calls `report` for each problem. */
    int (*check_rows)(struct dj_store *store, dj_sql_report_problem *report, void *data,
                      struct dj_error *err);
    /* Creates an empty table src.NAME with the columns of NAME. */
    int (*create_copy_table)(struct dj_store *store, const char *name,
                             struct dj_error *err);
    void (*compact)(struct dj_store *store); /* Frees disk space after a large
                                                    deletion; NULL: nothing to do */
    /* Call it after a large insertion. Updates the statistics that the query planner
     * uses. NULL: the engine needs none. */
    void (*analyze)(struct dj_store *store);
    void (*close)(struct dj_store *store);
};

extern const struct dj_sql_engine dj_sqlite_engine;
extern const struct dj_sql_engine dj_postgres_engine;

/* Checks that the tables match that schema version. Then columns have the expected types,
 * and no trigger has unexpected effects. Otherwise returns DJ_E_INVALID. */
int dj_schema_check(struct dj_store *store, int64_t version, struct dj_error *err);
/* Returns DJ_E_INVALID with a message that `what` differs from our tables. */
int dj_schema_differs(const struct dj_store *store, const char *what,
                      struct dj_error *err);

#endif
