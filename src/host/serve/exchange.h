/* Handles the requests of the connections. For each request, checks the access of the
 * client, lets a worker compute the answer, and sends the answer. */
#ifndef DEJANK_SERVE_EXCHANGE_H
#define DEJANK_SERVE_EXCHANGE_H

#include "serve/http/microhttpd.h"

enum { DJ_FORM_BYTES_MAX = 65536 };

/* Callbacks of libmicrohttpd. `user` is the struct dj_server. */
void *dj_serve_begin_exchange(void *user, const char *target,
                              struct MHD_Connection *connection);
enum MHD_Result dj_serve_continue_exchange(void *user, struct MHD_Connection *connection,
                                           const char *url, const char *method,
                                           const char *version, const char *upload,
                                           size_t *upload_size, void **exchange);
void dj_serve_end_exchange(void *user, struct MHD_Connection *connection, void **exchange,
                           enum MHD_RequestTerminationCode code);

#endif
