#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/deadline.h"
#include "serve/access.h"

static struct dj_access *access_without_file(void)
{
    struct dj_access *access;
    cr_assert_eq(dj_serve_create_access(NULL, NULL, &access, NULL), 0);
    dj_serve_name_cookie(access, 8080);
    return access;
}

static char *format_cookie(const char *session)
{
    static char header[256];
    snprintf(header, sizeof(header), "other=1; dejank-8080=%s", session);
    return header;
}

Test(access, token_of_the_address_works_once)
{
    struct dj_access *access = access_without_file();
    char session[DJ_SERVE_TOKEN_BYTES], csrf[DJ_SERVE_TOKEN_BYTES];
    int64_t now_ns = dj_host_now_ns();
    const char *token = dj_serve_get_login_token(access);
    cr_expect_eq(strlen(token), DJ_SERVE_TOKEN_BYTES - 1);
    cr_expect_eq(dj_serve_login(access, "wrong", now_ns, session), DJ_LOGIN_WRONG);
    cr_expect_eq(dj_serve_login(access, "", now_ns, session), DJ_LOGIN_WRONG);
    cr_expect_eq(dj_serve_login(access, token, now_ns, session), DJ_LOGIN_OK);
    cr_expect(dj_serve_is_session(access, format_cookie(session), now_ns, csrf));
    cr_expect_str_neq(csrf, session);
    cr_expect_eq(dj_serve_login(access, token, now_ns, session), DJ_LOGIN_USED);
    dj_serve_free_access(access);
}

Test(access, token_of_the_address_expires)
{
    struct dj_access *access = access_without_file();
    char session[DJ_SERVE_TOKEN_BYTES];
    int64_t late_ns = dj_host_now_ns() + DJ_SERVE_LOGIN_NS + DJ_SECOND_NS;
    cr_expect_eq(
        dj_serve_login(access, dj_serve_get_login_token(access), late_ns, session),
        DJ_LOGIN_EXPIRED);
    dj_serve_free_access(access);
}

Test(access, session_ends_after_twelve_hours)
{
    struct dj_access *access = access_without_file();
    char session[DJ_SERVE_TOKEN_BYTES], csrf[DJ_SERVE_TOKEN_BYTES];
    int64_t now_ns = dj_host_now_ns(), hour_ns = 3600 * DJ_SECOND_NS;
    dj_serve_login(access, dj_serve_get_login_token(access), now_ns, session);
    char *cookie = format_cookie(session);
    cr_expect(dj_serve_is_session(access, cookie, now_ns + 11 * hour_ns, csrf));
    cr_expect_not(dj_serve_is_session(access, cookie, now_ns + 13 * hour_ns, csrf));
    dj_serve_free_access(access);
}

Test(access, refuses_other_cookies)
{
    struct dj_access *access = access_without_file();
    char session[DJ_SERVE_TOKEN_BYTES], csrf[DJ_SERVE_TOKEN_BYTES], header[256];
    int64_t now_ns = dj_host_now_ns();
    cr_expect_not(dj_serve_is_session(access, NULL, now_ns, csrf));
    cr_expect_not(dj_serve_is_session(access, "", now_ns, csrf));
    cr_expect_not(dj_serve_is_session(access, "dejank-8080=", now_ns, csrf));
    memset(session, '0', sizeof(session) - 1);
    session[sizeof(session) - 1] = '\0';
    cr_expect_not(dj_serve_is_session(access, format_cookie(session), now_ns, csrf));
    dj_serve_login(access, dj_serve_get_login_token(access), now_ns, session);
    snprintf(header, sizeof(header), "dejank-8080=%.63s", session);
    cr_expect_not(dj_serve_is_session(access, header, now_ns, csrf), "a shorter id");
    snprintf(header, sizeof(header), "dejank-8080=%sx", session);
    cr_expect_not(dj_serve_is_session(access, header, now_ns, csrf), "a longer id");
    snprintf(header, sizeof(header), "dejank-80=%s", session);
    cr_expect_not(dj_serve_is_session(access, header, now_ns, csrf), "another port");
    snprintf(header, sizeof(header), "xdejank-8080=%s", session);
    cr_expect_not(dj_serve_is_session(access, header, now_ns, csrf), "another name");
    dj_serve_free_access(access);
}

Test(access, programs_send_the_token_of_the_address)
{
    struct dj_access *access = access_without_file();
    char header[256], session[DJ_SERVE_TOKEN_BYTES];
    snprintf(header, sizeof(header), "Bearer %s", dj_serve_get_login_token(access));
    cr_expect(dj_serve_is_bearer(access, header));
    dj_serve_login(access, dj_serve_get_login_token(access), dj_host_now_ns(), session);
    cr_expect(dj_serve_is_bearer(access, header), "as long as the server runs");
    cr_expect_not(dj_serve_is_bearer(access, NULL));
    cr_expect_not(dj_serve_is_bearer(access, "Bearer "));
    cr_expect_not(dj_serve_is_bearer(access, "Basic abc"));
    cr_expect_not(dj_serve_is_bearer(access, dj_serve_get_login_token(access)));
    dj_serve_free_access(access);
}

/* Writes a token file and returns its path. */
static const char *write_file(const char *content, mode_t mode)
{
    static char path[64];
    snprintf(path, sizeof(path), "/tmp/dejank-token-%d", (int)getpid());
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(content, file);
    fclose(file);
    cr_assert_eq(chmod(path, mode), 0);
    return path;
}

Test(access, reads_the_token_file_again)
{
    struct dj_access *access;
    char session[DJ_SERVE_TOKEN_BYTES], csrf[DJ_SERVE_TOKEN_BYTES];
    const char *path = write_file("first-token-0123456789\n", 0600);
    cr_assert_eq(dj_serve_create_access(path, NULL, &access, NULL), 0);
    dj_serve_name_cookie(access, 8080);
    cr_expect(dj_serve_is_bearer(access, "Bearer first-token-0123456789"));
    dj_serve_login(access, dj_serve_get_login_token(access), dj_host_now_ns(), session);
    write_file("short\n", 0600);
    cr_expect_eq(dj_serve_rotate_access(access, NULL), DJ_E_INVALID);
    cr_expect(dj_serve_is_bearer(access, "Bearer first-token-0123456789"), "still valid");
    cr_expect(
        dj_serve_is_session(access, format_cookie(session), dj_host_now_ns(), csrf));
    write_file("second-token-0123456789\nignored\n", 0600);
    cr_expect_eq(dj_serve_rotate_access(access, NULL), 0);
    cr_expect_not(dj_serve_is_bearer(access, "Bearer first-token-0123456789"));
    cr_expect(dj_serve_is_bearer(access, "Bearer second-token-0123456789"));
    cr_expect_not(
        dj_serve_is_session(access, format_cookie(session), dj_host_now_ns(), csrf));
    dj_serve_free_access(access);
    unlink(path);
}

Test(access, refuses_bad_token_files)
{
    struct dj_access *access;
    struct dj_error err = {0};
    static const char good[] = "0123456789abcdef\n";
    cr_expect_eq(dj_serve_create_access("/nonexistent", NULL, &access, &err), DJ_E_IO);
    cr_expect_eq(dj_serve_create_access(write_file(good, 0644), NULL, &access, &err),
                 DJ_E_OWNER);
    cr_expect(strstr(err.message, "chmod 600") != NULL, "%s", err.message);
    cr_expect_eq(dj_serve_create_access(write_file("", 0600), NULL, &access, &err),
                 DJ_E_INVALID);
    cr_expect_eq(dj_serve_create_access(write_file("has a space in it 0123\n", 0600),
                                        NULL, &access, &err),
                 DJ_E_INVALID);
    cr_assert_eq(dj_serve_create_access(write_file(good, 0600), NULL, &access, &err), 0);
    dj_serve_free_access(access);
    unlink(write_file(good, 0600));
}

Test(access, the_token_of_apps_permits_only_to_send)
{
    struct dj_access *access;
    struct dj_error err = {0};
    const char *path = write_file("token-of-apps-0123456789\n", 0600);
    cr_assert_eq(dj_serve_create_access(NULL, path, &access, NULL), 0);
    cr_expect(dj_serve_may_ingest(access, "Bearer token-of-apps-0123456789"));
    cr_expect_not(dj_serve_may_ingest(access, "Bearer token-of-apps-012345678"));
    cr_expect_not(dj_serve_may_ingest(access, "token-of-apps-0123456789"));
    cr_expect_not(dj_serve_may_ingest(access, NULL));
    cr_expect_not(dj_serve_is_bearer(access, "Bearer token-of-apps-0123456789"));
    write_file("other-token-of-apps-0123456789\n", 0600);
    cr_expect_eq(dj_serve_rotate_access(access, NULL), 0);
    cr_expect_not(dj_serve_may_ingest(access, "Bearer token-of-apps-0123456789"));
    cr_expect(dj_serve_may_ingest(access, "Bearer other-token-of-apps-0123456789"));
    dj_serve_free_access(access);
    cr_expect_eq(dj_serve_create_access(path, path, &access, &err), DJ_E_INVALID);
    cr_expect(strstr(err.message, "same token") != NULL, "%s", err.message);
    unlink(path);
}

Test(access, without_its_file_no_token_permits_to_send)
{
    struct dj_access *access = access_without_file();
    char header[128];
    snprintf(header, sizeof(header), "Bearer %s", dj_serve_get_login_token(access));
    cr_expect(dj_serve_is_bearer(access, header));
    cr_expect_not(dj_serve_may_ingest(access, header));
    cr_expect_not(dj_serve_may_ingest(access, "Bearer "));
    dj_serve_free_access(access);
}

Test(access, compares_tokens)
{
    cr_expect(dj_serve_is_token("abc", "abc"));
    cr_expect_not(dj_serve_is_token("abc", "abd"));
    cr_expect_not(dj_serve_is_token("abc", "ab"));
    cr_expect_not(dj_serve_is_token("abc", "abcabc"));
    cr_expect_not(dj_serve_is_token("abc", ""));
}
