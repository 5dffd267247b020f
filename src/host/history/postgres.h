/* What the files of PostgreSQL's engine share. */
#ifndef DEJANK_HISTORY_POSTGRES_H
#define DEJANK_HISTORY_POSTGRES_H

#include <libpq-fe.h>

#include "history/engine.h"

/* history->link. */
struct dj_postgres {
    PGconn *connection;
    char *url;           /* with its password */
    bool in_transaction; /* what was done in it is gone with the connection */
};

/* Fills err with why this statement failed, and returns the code it amounts to. */
int dj_postgres_fail(const struct dj_history *history, const PGresult *result,
                     const char *doing, struct dj_error *err);

int dj_postgres_open(struct dj_history *history, const char *url, struct dj_error *err);
int dj_postgres_set_up(struct dj_history *history, struct dj_error *err);
bool dj_postgres_lost(const struct dj_history *history);
/* Anew, for some seconds: a server that is started again is away for a while. */
int dj_postgres_connect(struct dj_history *history, struct dj_error *err);
void dj_postgres_close(struct dj_history *history);

int dj_postgres_look(struct dj_history *history, struct dj_sql_content *content,
                     struct dj_error *err);
int dj_postgres_mark(struct dj_history *history, struct dj_error *err);
/* Tables, columns, kinds and indexes are there, and there are no triggers. */
int dj_postgres_check_schema(struct dj_history *history, int64_t version,
                             struct dj_error *err);
int dj_postgres_check_rows(struct dj_history *history, dj_sql_tell *tell, void *data,
                           struct dj_error *err);

#endif
