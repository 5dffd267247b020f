/* Functions and types that the files of the PostgreSQL engine share. */
#ifndef DEJANK_STORE_POSTGRES_ENGINE_H
#define DEJANK_STORE_POSTGRES_ENGINE_H

#include "store/postgres/libpq.h"
#include "store/sql/engine.h"

enum {
    DJ_POSTGRES_BINARY = 1, /* PostgreSQL's format code of binary values. */
    /* Maximum number of parameters of a statement. A row of any table has fewer
     * columns. */
    DJ_POSTGRES_PARAMETERS = DJ_METRIC_COUNT + 32
};

/* The engine's data in store->link. */
struct dj_postgres {
    PGconn *connection;
    char *url; /* The URL, including the password. */
    /* True during a transaction. A lost connection ends the transaction. */
    bool in_transaction;
};

struct dj_postgres_statement {
    struct dj_statement base;
    char *sql; /* The statement in PostgreSQL's dialect. */
    int count; /* Number of parameters. */
    Oid kinds[DJ_POSTGRES_PARAMETERS];
    const char *values[DJ_POSTGRES_PARAMETERS];
    int lengths[DJ_POSTGRES_PARAMETERS], formats[DJ_POSTGRES_PARAMETERS];
    /* Numbers in PostgreSQL's binary format. `values` points to them. */
    uint64_t numbers[DJ_POSTGRES_PARAMETERS];
    /* Texts in PostgreSQL's encoding. The statement owns them. */
    char *owned[DJ_POSTGRES_PARAMETERS];
    bool is_streaming, is_sent, has_returned_rows;
    PGresult *result;
    int row; /* Index of the current row in `result`, or −1 before the first row. */
};

static inline struct dj_postgres_statement *
dj_postgres_statement_of(struct dj_statement *statement)
{
    return (struct dj_postgres_statement *)statement;
}

int dj_postgres_bind(struct dj_statement *statement, int index,
                     const struct dj_sql_value *value, struct dj_error *err);
void dj_postgres_column(struct dj_statement *row, int index, struct dj_sql_value *value);
/* Returns an error if a column has an unexpected type, because its values would be
 * misread. */
int dj_postgres_check_kinds(const struct dj_postgres_statement *statement,
                            struct dj_error *err);

/* Sets err to the reason why a statement failed, and returns the code of the error.
 * `doing` completes the message "cannot …". */
int dj_postgres_fail(const struct dj_store *store, const PGresult *result,
                     const char *doing, struct dj_error *err);

int dj_postgres_open(struct dj_store *store, const char *url, struct dj_error *err);
bool dj_postgres_is_lost(const struct dj_store *store);
/* Connects again. Tries for some seconds, because the server may be restarting. */
int dj_postgres_connect(struct dj_store *store, struct dj_error *err);
void dj_postgres_close(struct dj_store *store);

int dj_postgres_read_content(struct dj_store *store, struct dj_sql_content *content,
                             struct dj_error *err);
int dj_postgres_write_version(struct dj_store *store, struct dj_error *err);
/* Checks that tables, columns, types and indexes match the model, and that there are no
 * triggers and rules. */
int dj_postgres_compare_schema(struct dj_store *store, struct dj_store *model,
                               struct dj_error *err);
int dj_postgres_check_rows(struct dj_store *store, dj_sql_report_problem *report,
                           void *data, struct dj_error *err);

#endif
