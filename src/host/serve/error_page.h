/* Fills replies with error messages. */
#ifndef DEJANK_SERVE_ERROR_PAGE_H
#define DEJANK_SERVE_ERROR_PAGE_H

#include <stdbool.h>

#include "serve/http/reply.h"

/* Fills the reply with an error page, or with {"error": MESSAGE} if `for_program` is
 * true. */
void dj_serve_write_error(struct dj_reply *reply, bool for_program, unsigned status,
                          const char *message);

/* Returns the HTTP status for an error code. `of_store` is true if the error is that the
 * store cannot be opened. */
unsigned dj_serve_choose_status(int code, bool of_store);

#endif
