/* Handles stores on a PostgreSQL server, whose names are URLs:
 * postgresql://USER@HOST:PORT/DATABASE?OPTION=VALUE. PostgreSQL's own programs accept the
 * same URLs. A URL may contain a password, which must never be shown. */
#ifndef DEJANK_STORE_URL_H
#define DEJANK_STORE_URL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Returns whether the location of a store begins with "postgresql://" or
 * "postgres://". */
bool dj_store_url_is_postgres(const char *location);

/* Appends the location in a form that may be shown: a URL without its passwords, any
 * other text unchanged. If a URL is malformed, more than the passwords may be removed. */
void dj_store_url_format(const char *location, struct dj_text *text);

/* Returns DJ_E_USAGE if a password contains a character that ends a password in a URL.
 * The part after this character would be read as a host name, and error messages would
 * show it. */
int dj_store_url_check(const char *url, struct dj_error *err);

#endif
