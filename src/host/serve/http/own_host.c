#include "serve/http/own_host.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

static bool is_address(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

static bool is_loopback_name(const char *host)
{
    return strcmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
           strcmp(host, "::1") == 0;
}

/* Splits HOST:PORT or [HOST]:PORT into host and port. Returns false if the text is
 * malformed. */
static bool divide_host(const char *header, char host[256], unsigned *port)
{
    struct dj_str text = dj_str_of(header);
    bool is_bracketed = text.length > 0 && text.at[0] == '[';
    size_t end = is_bracketed ? strcspn(header, "]") : strcspn(header, ":");
    size_t start = is_bracketed ? 1 : 0;
    const char *rest = header + end + (is_bracketed && header[end] == ']' ? 1 : 0);
    int64_t number = 0;
    if (end - start >= 256 || (*rest != '\0' && *rest != ':')) {
        return false;
    }
    memcpy(host, header + start, end - start);
    host[end - start] = '\0';
    if (*rest == ':' && (rest[1 + strspn(rest + 1, "0123456789")] != '\0' ||
                         !dj_str_int(dj_str_of(rest + 1), &number) || number > 65535)) {
        return false;
    }
    *port = (unsigned)number;
    return true;
}

static bool is_chosen_host(const struct dj_serve_options *options, const char *host)
{
    for (size_t i = 0; i < options->host_count; i++) {
        if (strcasecmp(options->hosts[i], host) == 0) {
            return true;
        }
    }
    return false;
}

bool dj_serve_is_own_host(const struct dj_server *server, const char *header)
{
    char host[256];
    unsigned port;
    if (server->options.behind_proxy) {
        return true;
    }
    if (header == NULL || !divide_host(header, host, &port)) {
        return false;
    }
    unsigned usual = server->certificate != NULL ? 443 : 80;
    bool named = strcmp(host, server->host) == 0 ||
                 is_chosen_host(&server->options, host) ||
                 (server->is_loopback ? is_loopback_name(host) : is_address(host));
    return named && (port != 0 ? port : usual) == server->port;
}
