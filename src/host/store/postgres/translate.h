/* Translates SQL statements from SQLite's dialect, in which this module writes them, to
 * PostgreSQL's. The two differ in a few words, each in one table. */
#ifndef DEJANK_STORE_POSTGRES_TRANSLATE_H
#define DEJANK_STORE_POSTGRES_TRANSLATE_H

#include "base/text.h"

/* Appends the translated statement. Parameters ("?", "?2") become $1, $2. Text in single
 * quotes stays as it is. Returns the number of parameters. */
int dj_translate_sql(const char *sql, struct dj_text *text);

#endif
