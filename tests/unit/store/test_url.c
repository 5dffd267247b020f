/* Tests which parts of a URL are shown. */
#include "store/url.h"

#include <string.h>

#include "support.h"

static void expect(const char *location, bool good, const char *shown)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    dj_store_url_format(location, &text);
    cr_assert_str_eq(dj_text_get(&text), shown);
    cr_assert_eq(dj_store_url_check(location, &err), good ? 0 : DJ_E_USAGE, "%s",
                 location);
    cr_assert_null(strstr(err.message, "s3cr"), "%s", err.message);
    dj_text_finish(&text);
}

Test(url, urls_are_recognised)
{
    cr_assert(dj_store_url_is_postgres("postgresql://host/db"));
    cr_assert(dj_store_url_is_postgres("postgres://"));
    cr_assert(!dj_store_url_is_postgres("postgresql:/host/db"));
    cr_assert(!dj_store_url_is_postgres("./postgresql://host/db"));
    cr_assert(!dj_store_url_is_postgres(""));
    expect("/home/me/history.db", true, "/home/me/history.db");
    expect("", true, "");
}

Test(url, user_is_shown_and_password_is_hidden)
{
    expect("postgresql://me:s3cr@host:5432/db", true, "postgresql://me@host:5432/db");
    expect("postgresql://me:s3cr%40%2F@[::1]:5432/db", true,
           "postgresql://me@[::1]:5432/db");
    expect("postgresql://me:s3c:r@h1:1,h2:2/db", true, "postgresql://me@h1:1,h2:2/db");
    expect("postgresql://:s3cr@/db", true, "postgresql://@/db");
    expect("postgresql://me@host/db", true, "postgresql://me@host/db");
    expect("postgresql://host", true, "postgresql://host");
    expect("postgresql:///db?host=/tmp&port=1", true,
           "postgresql:///db?host=/tmp&port=1");
}

Test(url, password_options_are_hidden)
{
    expect("postgresql://h/db?password=s3cr", true, "postgresql://h/db");
    expect("postgresql://h/db?a=b&password=s3cr&c=d", true, "postgresql://h/db?a=b&c=d");
    expect("postgresql://h/db?p%61ssword=s3cr&sslpassword=s3cr&x=y", true,
           "postgresql://h/db?x=y");
    expect("postgresql://h/db?passwords=1&user=2", true,
           "postgresql://h/db?passwords=1&user=2");
    expect("postgresql://h/db?", true, "postgresql://h/db");
    expect("postgresql://h/db?password", true, "postgresql://h/db");
    expect("postgresql://h/db?passwor%6", true, "postgresql://h/db?passwor%6");
}

Test(url, malformed_urls_are_hidden)
{
    expect("postgresql://me:s3cr@x@host/db", false, "postgresql://…");
    expect("postgresql://me:s3/cr@host/db", false, "postgresql://…");
    expect("postgresql://me:s3?cr@host/db", false, "postgresql://…");
    expect("postgresql://me:s3cr", false, "postgresql://…");
    expect("postgresql://me:s3cr/db", false, "postgresql://…");
    expect("postgresql://[::1/db", false, "postgresql://…");
    expect("postgresql://h/db?user=a@b", false, "postgresql://…");
}
