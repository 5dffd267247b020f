/* The statements of this room as PostgreSQL takes them. They are SQLite's, and differ in
 * a few words, each in one table. */
#ifndef DEJANK_STORE_DIALECT_H
#define DEJANK_STORE_DIALECT_H

#include "base/text.h"

/* Appends it, with its parameters ("?", "?2") as $1, $2; what stands in single quotes
 * stays. Returns how many parameters it has. */
int dj_dialect_of_postgres(const char *sql, struct dj_text *text);

#endif
