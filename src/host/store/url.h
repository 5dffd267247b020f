/* Handles stores named by a URL: postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE, as
 * PostgreSQL's own programs accept it. A URL may contain a password, which is never
 * shown. */
#ifndef DEJANK_STORE_URL_H
#define DEJANK_STORE_URL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Returns whether the place begins with "postgresql://" or "postgres://". */
bool dj_store_url_is_postgres(const char *place);

/* Appends the place in a form that may be shown: a URL without its passwords, anything
 * else unchanged. For a malformed URL it shows too little rather than too much. */
void dj_store_url_format(const char *place, struct dj_text *text);

/* Returns DJ_E_USAGE if a character in the password would be read as its end. The rest
 * would then be a host name, and error messages would show it. */
int dj_store_url_check(const char *url, struct dj_error *err);

#endif
