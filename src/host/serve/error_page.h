/* Answers that say why a request failed. */
#ifndef DEJANK_SERVE_ERROR_PAGE_H
#define DEJANK_SERVE_ERROR_PAGE_H

#include <stdbool.h>

#include "serve/http/reply.h"

/* Fills the reply with a page, or with {"error": MESSAGE} for programs. */
void dj_serve_write_error(struct dj_reply *reply, bool for_program, unsigned status,
                          const char *message);

/* Returns the HTTP status of an error. `of_store` is true if the store cannot be
 * opened. */
unsigned dj_serve_choose_status(int code, bool of_store);

#endif
