/* Whether a file that calls itself a store is one. */
#ifndef DEJANK_HISTORY_SCHEMA_CHECK_H
#define DEJANK_HISTORY_SCHEMA_CHECK_H

#include "history/sql.h"

/* Its tables and indexes are those of this version, and there are no triggers: what is
 * read from it then is of the kinds we expect. Else DJ_E_INVALID. */
int dj_schema_check(struct dj_history *history, int64_t version, struct dj_error *err);

#endif
