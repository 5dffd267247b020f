/* Which names of a host a request may use. */
#ifndef DEJANK_SERVE_HTTP_OWN_HOST_H
#define DEJANK_SERVE_HTTP_OWN_HOST_H

#include <stdbool.h>

#include "serve/state.h"

/* Returns whether the Host header names this server. NULL is no name. A web page of
 * another origin that lets its name point to this address (DNS rebinding) is refused. */
bool dj_serve_is_own_host(const struct dj_server *server, const char *header);

#endif
