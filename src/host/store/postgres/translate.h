/* Translates SQL statements from SQLite's dialect, in which dejank writes them, to
 * PostgreSQL's. The dialects differ in a few words, which are in a table. */
#ifndef DEJANK_STORE_POSTGRES_TRANSLATE_H
#define DEJANK_STORE_POSTGRES_TRANSLATE_H

#include "base/text.h"

/* Appends the translated statement. The parameters "?" and "?2" become "$1" and "$2".
 * Texts in single quotes are not changed. Returns the number of parameters. */
int dj_translate_sql(const char *sql, struct dj_text *text);

#endif
