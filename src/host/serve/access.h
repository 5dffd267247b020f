/* Decides which requests the server may answer.
 *
 * The address that the server prints contains a login token. The first browser that opens
 * this address within DJ_SERVE_LOGIN_NS gets a session. The session is a cookie that is
 * valid for DJ_SERVE_SESSION_S. Programs send a token with each request: the token of the
 * token file, or the login token if there is no file. Apps that send sessions of a fleet
 * have a separate token, which permits nothing else.
 *
 * All functions may be called by any thread. */
#ifndef DEJANK_SERVE_ACCESS_H
#define DEJANK_SERVE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define DJ_SERVE_LOGIN_NS INT64_C(600000000000)

enum {
    DJ_SERVE_SESSION_S = 12 * 3600,
    DJ_SERVE_TOKEN_BYTES = 65, /* Size of a token: 64 hexadecimal digits and a NUL. */
    /* Minimum length of the token in a token file. */
    DJ_SERVE_TOKEN_LEAST = 16
};

struct dj_access;

/* The tokens that are read from files. */
enum dj_serve_token {
    DJ_SERVE_PROGRAM_TOKEN, /* Token of programs. It permits everything. */
    /* Token of apps. It only permits sending sessions of a fleet. */
    DJ_SERVE_INGEST_TOKEN,
    DJ_SERVE_TOKENS
};

/* Reads the token files. Each path may be NULL. Returns DJ_E_IO if a file cannot be read,
 * DJ_E_OWNER if other users can read it, or DJ_E_INVALID if it contains no valid token or
 * if both files contain the same token. */
int dj_serve_create_access(const char *token_file, const char *ingest_token_file,
                           struct dj_access **access, struct dj_error *err);
void dj_serve_free_access(struct dj_access *access); /* Frees *access. NULL is allowed. */

/* Reads the token files again, and ends all sessions. After an error, nothing has
 * changed. */
int dj_serve_rotate_access(struct dj_access *access, struct dj_error *err);

/* Sets the name of the cookie. The name contains the port, because a browser sends a
 * cookie to all servers on the same host. */
void dj_serve_name_cookie(struct dj_access *access, unsigned port);
const char *dj_serve_get_cookie_name(const struct dj_access *access);

/* Returns the login token, which is part of the printed address. */
const char *dj_serve_get_login_token(const struct dj_access *access);

enum dj_login { DJ_LOGIN_OK, DJ_LOGIN_WRONG, DJ_LOGIN_USED, DJ_LOGIN_EXPIRED };

/* Opens a session and writes its id to `session` if `token` is the login token, was not
 * used before, and has not expired. Otherwise returns the reason why not. */
enum dj_login dj_serve_login(struct dj_access *access, const char *token, int64_t now_ns,
                             char session[DJ_SERVE_TOKEN_BYTES]);

/* Returns whether the value of the header Authorization contains a token that permits
 * everything. */
bool dj_serve_is_bearer(struct dj_access *access, const char *authorization);

/* Returns whether the value of the header Authorization contains the token of apps that
 * send sessions. */
bool dj_serve_may_ingest(struct dj_access *access, const char *authorization);

/* Returns whether the value of the header Cookie contains a valid session. If so, writes
 * the session's token against forged requests (CSRF). */
bool dj_serve_is_session(struct dj_access *access, const char *cookies, int64_t now_ns,
                         char csrf[DJ_SERVE_TOKEN_BYTES]);

/* Returns whether two tokens are equal. The duration does not depend on where they
 * differ, so that an attacker cannot guess a token byte by byte. */
bool dj_serve_is_token(const char *token, const char *given);

#endif
