/* Receives sessions of a fleet from apps. */
#ifndef DEJANK_SERVE_INGEST_RECEIVE_H
#define DEJANK_SERVE_INGEST_RECEIVE_H

#include "serve/state.h"

/* Checks the options of the fleet. Call this function before the server has other
 * threads. Finds the spool folder if the server accepts sessions. Returns DJ_E_USAGE for
 * invalid options, or DJ_E_OUTPUT if the spool cannot be written. */
int dj_serve_check_fleet(struct dj_server *server, struct dj_error *err);

/* If the server accepts sessions, starts to send the spool to the shards and to limit the
 * requests of clients. */
void dj_serve_start_ingest(struct dj_server *server);

#endif
