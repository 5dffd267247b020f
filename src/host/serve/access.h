/*
 * Decides who may use the server.
 *
 * The address that the server prints contains a token. A browser that opens it within
 * DJ_SERVE_LOGIN_NS gets a session, and the token then opens no further session. The
 * session's cookie is valid for DJ_SERVE_SESSION_S. Programs send a token with each
 * request: that of the token file, or that of the printed address if there is no file.
 * Apps that send sessions of a fleet have a token of their own, which permits nothing
 * else.
 *
 * All functions may be called by any thread.
 */
#ifndef DEJANK_SERVE_ACCESS_H
#define DEJANK_SERVE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define DJ_SERVE_LOGIN_NS INT64_C(600000000000)

enum {
    DJ_SERVE_SESSION_S = 12 * 3600,
    DJ_SERVE_TOKEN_BYTES = 65, /* A token of 64 hexadecimal digits, with its NUL. */
    /* The shortest token that a token file may have. */
    DJ_SERVE_TOKEN_LEAST = 16
};

struct dj_access;

/* The tokens of files. */
enum dj_serve_token {
    DJ_SERVE_PROGRAM_TOKEN, /* Permits everything. */
    DJ_SERVE_INGEST_TOKEN,  /* Permits only to send sessions of a fleet. */
    DJ_SERVE_TOKENS
};

/* Reads the token files. Each may be NULL. Returns DJ_E_IO if one cannot be read,
 * DJ_E_OWNER if other users can read it, or DJ_E_INVALID if it does not contain a token
 * or if both have the same. */
int dj_serve_create_access(const char *token_file, const char *ingest_token_file,
                           struct dj_access **access, struct dj_error *err);
void dj_serve_free_access(struct dj_access *access); /* NULL is allowed. */

/* Reads the token files again, and ends all sessions. On failure nothing changes. */
int dj_serve_rotate_access(struct dj_access *access, struct dj_error *err);

/* Names the cookie after the port, as a browser sends it to all servers of a host. */
void dj_serve_name_cookie(struct dj_access *access, unsigned port);
const char *dj_serve_get_cookie_name(const struct dj_access *access);

/* The token for the printed address. */
const char *dj_serve_get_login_token(const struct dj_access *access);

enum dj_login { DJ_LOGIN_OK, DJ_LOGIN_WRONG, DJ_LOGIN_USED, DJ_LOGIN_EXPIRED };

/* Opens a session for the token of the printed address. Writes the session's id. */
enum dj_login dj_serve_login(struct dj_access *access, const char *token, int64_t now_ns,
                             char session[DJ_SERVE_TOKEN_BYTES]);

/* Returns whether the value of the header Authorization has a valid token. */
bool dj_serve_is_bearer(struct dj_access *access, const char *authorization);

/* Returns whether the value of the header Authorization has the token of the file for
 * apps that send sessions. */
bool dj_serve_may_ingest(struct dj_access *access, const char *authorization);

/* Returns whether the value of the header Cookie has a valid session. Then writes the
 * session's token against forged requests (CSRF). */
bool dj_serve_is_session(struct dj_access *access, const char *cookies, int64_t now_ns,
                         char csrf[DJ_SERVE_TOKEN_BYTES]);

/* Returns whether two tokens are equal, in a time that does not depend on their bytes. */
bool dj_serve_is_token(const char *token, const char *given);

#endif
