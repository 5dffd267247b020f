/* In place of the engine of PostgreSQL, where its library was missing at the build. */
#include "history/engine.h"

static int refuse(struct dj_history *history, const char *place, struct dj_error *err)
{
    (void)place;
    return dj_error_set(err, DJ_E_UNSUPPORTED,
                        "%s: this dejank was built without libpq, and knows no other "
                        "store than SQLite's files",
                        history->path);
}

static void nothing(struct dj_history *history)
{
    (void)history;
}

const struct dj_sql_engine dj_postgres_engine = {.open = refuse, .close = nothing};
