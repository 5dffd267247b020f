#include "serve/access.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/hex.h"
#include "base/str.h"
#include "base/units.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { SESSIONS_MAX = 64, TOKEN_FILE_BYTES = 4096 };

struct session {
    char id[DJ_SERVE_TOKEN_BYTES], csrf[DJ_SERVE_TOKEN_BYTES];
    int64_t until_ns; /* Time at which the session ends. 0 if the element is unused. */
};

struct dj_access {
    pthread_mutex_t lock;
    char cookie[sizeof("dejank-65535")]; /* Name of the session cookie. */
    char *files[DJ_SERVE_TOKENS];        /* Paths of the token files, or NULL. */
    char *tokens[DJ_SERVE_TOKENS];       /* Contents of the token files, or NULL. */
    char login[DJ_SERVE_TOKEN_BYTES];
    bool login_used;
    /* Time at which the server started to accept requests. The login token is valid for a
     * limited time after it. */
    int64_t login_since_ns;
    struct session sessions[SESSIONS_MAX];
};

static void create_token(char token[DJ_SERVE_TOKEN_BYTES])
{
    unsigned char bytes[(DJ_SERVE_TOKEN_BYTES - 1) / 2];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        abort();
    }
    dj_hex_write(token, bytes, sizeof(bytes));
}

bool dj_serve_is_token(const char *token, const char *given)
{
    size_t length = strlen(token), given_length = strlen(given);
    unsigned char difference = length != given_length;
    for (size_t i = 0; i < length; i++) {
        difference |=
            (unsigned char)(token[i] ^ given[given_length > 0 ? i % given_length : 0]);
    }
    return difference == 0;
}

static int check_token(const char *path, struct dj_str token, struct dj_error *err)
{
    if (token.length < DJ_SERVE_TOKEN_LEAST) {
        return dj_error_set(err, DJ_E_INVALID,
                            "%.200s: expected a token of at least %d characters in the "
                            "first line, found %zu",
                            path, DJ_SERVE_TOKEN_LEAST, token.length);
    }
    for (size_t i = 0; i < token.length; i++) {
        if (token.at[i] <= ' ' || token.at[i] > '~') {
            return dj_error_set(err, DJ_E_INVALID,
                                "%.200s: expected a token of printable ASCII characters "
                                "without spaces",
                                path);
        }
    }
    return 0;
}

static int read_token(FILE *file, const char *path, char **token, struct dj_error *err)
{
    char line[TOKEN_FILE_BYTES];
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && (status.st_mode & 077) != 0) {
        return dj_error_set(err, DJ_E_OWNER,
                            "%.200s: other users can access the token: run chmod 600",
                            path);
    }
    struct dj_str text = {line, fread(line, 1, sizeof(line), file)};
    struct dj_str first = {line, 0};
    dj_str_next_line(&text, &first);
    int code = check_token(path, first, err);
    *token = code == 0 ? dj_xcopy(first.at, first.length) : NULL;
    explicit_bzero(line, sizeof(line));
    return code;
}

/* Reads the token from a file. Sets *token to NULL if `path` is NULL. */
static int read_token_file(const char *path, char **token, struct dj_error *err)
{
    *token = NULL;
    if (path == NULL) {
        return 0;
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return dj_error_set(err, DJ_E_IO, "cannot read the token file %.200s: %s", path,
                            strerror(errno));
    }
    int code = read_token(file, path, token, err);
    fclose(file);
    return code;
}

static void free_tokens(char *const tokens[DJ_SERVE_TOKENS])
{
    for (size_t i = 0; i < DJ_SERVE_TOKENS; i++) {
        free(tokens[i]);
    }
}

/* Reads all token files. After an error, no token must be freed. */
static int read_tokens(const char *const files[DJ_SERVE_TOKENS],
                       char *tokens[DJ_SERVE_TOKENS], struct dj_error *err)
{
    memset(tokens, 0, DJ_SERVE_TOKENS * sizeof(*tokens));
    int code = 0;
    for (size_t i = 0; i < DJ_SERVE_TOKENS && code == 0; i++) {
        code = read_token_file(files[i], &tokens[i], err);
    }
    const char *ingest = tokens[DJ_SERVE_INGEST_TOKEN];
    const char *program = tokens[DJ_SERVE_PROGRAM_TOKEN];
    if (code == 0 && ingest != NULL && program != NULL && strcmp(ingest, program) == 0) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "%.150s and %.150s have the same token: apps that send "
                            "sessions could then read everything",
                            files[DJ_SERVE_PROGRAM_TOKEN], files[DJ_SERVE_INGEST_TOKEN]);
    }
    if (code != 0) {
        free_tokens(tokens);
    }
    return code;
}

int dj_serve_create_access(const char *token_file, const char *ingest_token_file,
                           struct dj_access **access, struct dj_error *err)
{
    const char *const files[] = {token_file, ingest_token_file};
    char *tokens[DJ_SERVE_TOKENS];
    int code = read_tokens(files, tokens, err);
    if (code != 0) {
        return code;
    }
    *access = dj_xcalloc(1, sizeof(**access));
    pthread_mutex_init(&(*access)->lock, NULL);
    for (size_t i = 0; i < DJ_SERVE_TOKENS; i++) {
        (*access)->files[i] = dj_xstrdup(files[i]);
        (*access)->tokens[i] = tokens[i];
    }
    (*access)->login_since_ns = dj_host_now_ns();
    create_token((*access)->login);
    return 0;
}

void dj_serve_free_access(struct dj_access *access)
{
    if (access != NULL) {
        pthread_mutex_destroy(&access->lock);
        free_tokens(access->files);
        free_tokens(access->tokens);
        explicit_bzero(access, sizeof(*access));
        free(access);
    }
}

int dj_serve_rotate_access(struct dj_access *access, struct dj_error *err)
{
    char *tokens[DJ_SERVE_TOKENS];
    int code = read_tokens((const char *const *)access->files, tokens, err);
    if (code == 0) {
        pthread_mutex_lock(&access->lock);
        free_tokens(access->tokens);
        memcpy(access->tokens, tokens, sizeof(tokens));
        memset(access->sessions, 0, sizeof(access->sessions));
        create_token(access->login);
        access->login_used = false;
        access->login_since_ns = dj_host_now_ns();
        pthread_mutex_unlock(&access->lock);
    }
    return code;
}

void dj_serve_name_cookie(struct dj_access *access, unsigned port)
{
    snprintf(access->cookie, sizeof(access->cookie), "dejank-%u", port % 65536);
}

const char *dj_serve_get_cookie_name(const struct dj_access *access)
{
    return access->cookie;
}

const char *dj_serve_get_login_token(const struct dj_access *access)
{
    return access->login;
}

/* Returns an unused session. If there is none, returns the session that ends first. */
static struct session *find_free_session(struct dj_access *access)
{
    struct session *found = &access->sessions[0];
    for (size_t i = 1; i < SESSIONS_MAX; i++) {
        if (access->sessions[i].until_ns < found->until_ns) {
            found = &access->sessions[i];
        }
    }
    return found;
}

enum dj_login dj_serve_login(struct dj_access *access, const char *token, int64_t now_ns,
                             char session[DJ_SERVE_TOKEN_BYTES])
{
    pthread_mutex_lock(&access->lock);
    enum dj_login result = !dj_serve_is_token(access->login, token) ? DJ_LOGIN_WRONG
                           : access->login_used                     ? DJ_LOGIN_USED
                           : now_ns - access->login_since_ns > DJ_SERVE_LOGIN_NS
                               ? DJ_LOGIN_EXPIRED
                               : DJ_LOGIN_OK;
    if (result == DJ_LOGIN_OK) {
        struct session *opened = find_free_session(access);
        access->login_used = true;
        create_token(opened->id);
        create_token(opened->csrf);
        opened->until_ns = now_ns + DJ_SERVE_SESSION_S * DJ_SECOND_NS;
        memcpy(session, opened->id, DJ_SERVE_TOKEN_BYTES);
    }
    pthread_mutex_unlock(&access->lock);
    return result;
}

/* Returns whether the header Authorization contains the expected token. The expected
 * token is that of the token file `which`, or `otherwise` if there is no such file. NULL
 * matches nothing. */
static bool has_token(struct dj_access *access, enum dj_serve_token which,
                      const char *otherwise, const char *authorization)
{
    static const char scheme[] = "Bearer ";
    if (authorization == NULL || strncmp(authorization, scheme, strlen(scheme)) != 0) {
        return false;
    }
    pthread_mutex_lock(&access->lock);
    const char *token = access->tokens[which] != NULL ? access->tokens[which] : otherwise;
    bool valid =
        token != NULL && dj_serve_is_token(token, authorization + strlen(scheme));
    pthread_mutex_unlock(&access->lock);
    return valid;
}

bool dj_serve_is_bearer(struct dj_access *access, const char *authorization)
{
    return has_token(access, DJ_SERVE_PROGRAM_TOKEN, access->login, authorization);
}

bool dj_serve_may_ingest(struct dj_access *access, const char *authorization)
{
    return has_token(access, DJ_SERVE_INGEST_TOKEN, NULL, authorization);
}

/* Finds the session cookie in a header such as "a=b; dejank-8080=ID" and writes its
 * value, the session's id. */
static bool read_cookie(const char *name, const char *cookies,
                        char id[DJ_SERVE_TOKEN_BYTES])
{
    size_t name_length = strlen(name);
    for (const char *at = cookies; at != NULL; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            at += name_length + 1;
            size_t length = strcspn(at, "; ");
            snprintf(id, DJ_SERVE_TOKEN_BYTES, "%.*s", (int)(length < 1000 ? length : 0),
                     at);
            return length == DJ_SERVE_TOKEN_BYTES - 1;
        }
    }
    return false;
}

bool dj_serve_is_session(struct dj_access *access, const char *cookies, int64_t now_ns,
                         char csrf[DJ_SERVE_TOKEN_BYTES])
{
    char id[DJ_SERVE_TOKEN_BYTES];
    bool found = false;
    if (!read_cookie(access->cookie, cookies, id)) {
        return false;
    }
    pthread_mutex_lock(&access->lock);
    for (size_t i = 0; i < SESSIONS_MAX; i++) {
        const struct session *session = &access->sessions[i];
        if (session->until_ns > now_ns && dj_serve_is_token(session->id, id)) {
            memcpy(csrf, session->csrf, DJ_SERVE_TOKEN_BYTES);
            found = true;
        }
    }
    pthread_mutex_unlock(&access->lock);
    return found;
}
