/* Stores that are named by a URL: postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE, as
 * PostgreSQL's own programs take it. A password may stand in it, and is never shown. */
#ifndef DEJANK_STORE_URL_H
#define DEJANK_STORE_URL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* "postgresql:" or "postgres:", and "//". */
bool dj_url_is_postgres(const char *place);

/* Appends a place as it may be shown: a URL without its passwords, anything else as it
 * is. Where it is no good URL, rather too little of it. */
void dj_url_show(const char *place, struct dj_text *text);

/* Where a character of the password would be read as the end of it, the rest would be a
 * host's name, and be shown by whoever does not find it: DJ_E_USAGE. */
int dj_url_check(const char *url, struct dj_error *err);

#endif
