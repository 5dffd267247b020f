/* The answer to a request. */
#ifndef DEJANK_SERVE_HTTP_REPLY_H
#define DEJANK_SERVE_HTTP_REPLY_H

#include <stdbool.h>

#include "base/text.h"

#define DJ_TYPE_HTML "text/html; charset=utf-8"
#define DJ_TYPE_JSON "application/json"

/* Initialise it with zeros. */
struct dj_reply {
    unsigned status;  /* The HTTP status, or 0 for 200. */
    const char *type; /* The media type of the body. */
    struct dj_text body;
    struct dj_text location; /* Where the browser goes instead, or empty. */
    struct dj_text cookie;   /* A cookie to set, or empty. */
    struct dj_text file; /* The name under which the browser saves the body, or empty. */
    unsigned retry_after_s; /* When to try again, or 0. */
    bool closes;            /* The server closes the connection after the answer. */
};

void dj_serve_finish_reply(struct dj_reply *reply);

#endif
