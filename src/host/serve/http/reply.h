/* The answer to a request. */
#ifndef DEJANK_SERVE_HTTP_REPLY_H
#define DEJANK_SERVE_HTTP_REPLY_H

#include <stdbool.h>

#include "base/text.h"

#define DJ_TYPE_HTML "text/html; charset=utf-8"
#define DJ_TYPE_JSON "application/json"

/* The answer to a request. Zero the struct before use. */
struct dj_reply {
    unsigned status;  /* The HTTP status, or 0 for 200. */
    const char *type; /* The media type of the body. */
    struct dj_text body;
    struct dj_text location; /* Address to which the browser is redirected, or empty. */
    struct dj_text cookie;   /* A cookie to set, or empty. */
    struct dj_text file; /* File name under which the browser saves the body, or empty. */
    /* Number of seconds after which the client may try again, or 0. */
    unsigned retry_after_s;
    /* True if the server closes the connection after the answer. */
    bool closes;
};

void dj_serve_finish_reply(struct dj_reply *reply);

#endif
