#include "store/url.h"

#include <ctype.h>
#include <string.h>

bool dj_store_url_is_postgres(const char *location)
{
    return strncmp(location, "postgresql://", 13) == 0 ||
           strncmp(location, "postgres://", 11) == 0;
}

/* Returns the text after "SCHEME://", or NULL if there is none. */
static const char *find_authority(const char *location)
{
    const char *mark = strstr(location, "://");
    return mark != NULL ? mark + 3 : NULL;
}

/* Returns whether ports are numbers and brackets are closed. */
static bool are_hosts(const char *hosts, size_t length)
{
    bool in_brackets = false;
    bool in_port = false;
    for (size_t i = 0; i < length; i++) {
        if (in_port && hosts[i] != ',' && isdigit((unsigned char)hosts[i]) == 0) {
            return false;
        }
        in_brackets = hosts[i] == '[' || (in_brackets && hosts[i] != ']');
        in_port = !in_brackets && (hosts[i] == ':' || (in_port && hosts[i] != ','));
    }
    return !in_brackets;
}

/* Returns whether the URL has at most one @, right after the user. Otherwise the host and
 * the following parts might be the rest of a password. */
static bool is_plain(const char *authority)
{
    size_t length = strcspn(authority, "/?#");
    const char *first = strchr(authority, '@');
    const char *last = strrchr(authority, '@');
    size_t user = last != NULL ? (size_t)(last - authority) + 1 : 0;
    return first == last && user <= length && are_hosts(authority + user, length - user);
}

/* Appends "user@" without the password and returns the text after "user:password@". */
static const char *append_user(const char *authority, struct dj_text *text)
{
    const char *at = strchr(authority, '@');
    if (at == NULL) {
        return authority;
    }
    size_t user = (size_t)(at - authority);
    size_t name = strcspn(authority, ":");
    dj_text_append(text, authority, name < user ? name : user);
    dj_text_add(text, "@");
    return at + 1;
}

static int get_hex_value(char digit)
{
    return isdigit((unsigned char)digit) != 0 ? digit - '0'
           : isxdigit((unsigned char)digit) != 0
               ? tolower((unsigned char)digit) - 'a' + 10
               : -1;
}

/* Returns whether an option "NAME=VALUE" has this name. The name may contain %XX. */
static bool is_named(const char *option, size_t length, const char *name)
{
    size_t i = 0;
    while (i < length && option[i] != '=' && *name != '\0') {
        char letter = option[i];
        if (letter == '%' && i + 2 < length && get_hex_value(option[i + 1]) >= 0 &&
            get_hex_value(option[i + 2]) >= 0) {
            letter =
                (char)(get_hex_value(option[i + 1]) * 16 + get_hex_value(option[i + 2]));
            i += 2;
        }
        if (letter != *name++) {
            return false;
        }
        i++;
    }
    return *name == '\0' && (i >= length || option[i] == '=');
}

static void append_options(const char *options, struct dj_text *text)
{
    bool first = true;
    while (*options != '\0') {
        size_t length = strcspn(options, "&");
        if (!is_named(options, length, "password") &&
            !is_named(options, length, "sslpassword")) {
            dj_text_add(text, first ? "?" : "&");
            dj_text_append(text, options, length);
            first = false;
        }
        options += length;
        options += *options == '&';
    }
}

void dj_store_url_format(const char *location, struct dj_text *text)
{
    const char *authority = find_authority(location);
    if (authority == NULL) {
        dj_text_add(text, location);
        return;
    }
    dj_text_append(text, location, (size_t)(authority - location));
    if (!is_plain(authority)) {
        dj_text_add(text, "…");
        return;
    }
    const char *rest = append_user(authority, text);
    size_t plain = strcspn(rest, "?");
    dj_text_append(text, rest, plain);
    if (rest[plain] == '?') {
        append_options(rest + plain + 1, text);
    }
}

int dj_store_url_check(const char *url, struct dj_error *err)
{
    const char *authority = find_authority(url);
    return authority == NULL || is_plain(authority)
               ? 0
               : dj_error_set(
                     err, DJ_E_USAGE,
                     "a store's URL is postgresql://USER@HOST:PORT/DATABASE; in a "
                     "password %%, @, :, /, ? and # are written %%25, %%40, %%3A, "
                     "%%2F, %%3F and %%23, and a port is a number");
}
