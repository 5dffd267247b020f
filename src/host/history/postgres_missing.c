/* In place of the engine of PostgreSQL, where its library was missing at the build. */
#include "history/engine.h"
#include "history/history.h"

int dj_history_postgres_ready(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_UNSUPPORTED,
                        "this dejank was built without libpq, and knows no other store "
                        "than SQLite's files");
}

static int refuse(struct dj_history *history, const char *place, struct dj_error *err)
{
    (void)place;
    int code = dj_history_postgres_ready(err);
    dj_error_prepend(err, "%s", history->path);
    return code;
}

static void nothing(struct dj_history *history)
{
    (void)history;
}

const struct dj_sql_engine dj_postgres_engine = {.open = refuse, .close = nothing};
