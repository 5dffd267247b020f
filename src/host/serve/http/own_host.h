/* Checks the Host header of requests. */
#ifndef DEJANK_SERVE_HTTP_OWN_HOST_H
#define DEJANK_SERVE_HTTP_OWN_HOST_H

#include <stdbool.h>

#include "serve/state.h"

/* Returns whether the Host header names this server. Returns false if `header` is NULL.
 * This check refuses a web page of another origin that lets its name point to this server
 * (DNS rebinding). */
bool dj_serve_is_own_host(const struct dj_server *server, const char *header);

#endif
