#include "serve/ingest/request_limit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash.h"
#include "base/str.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { SETS = 2048, SET_CLIENTS = 8 };

/* Each request occupies a fixed time of its client. A client may occupy up to a minute in
 * advance. */
struct client {
    uint64_t name;
    int64_t used_until_ns; /* The element is free at this time. */
};

struct dj_request_limit {
    int64_t per_minute, request_ns;
    uint64_t seed; /* Clients cannot choose addresses that share a set. */
    struct client clients[SETS][SET_CLIENTS];
};

struct dj_request_limit *dj_request_limit_create(int64_t per_minute)
{
    struct dj_request_limit *limit = dj_xcalloc(1, sizeof(*limit));
    limit->per_minute = per_minute;
    limit->request_ns = 60 * DJ_SECOND_NS / per_minute;
    dj_xcheck(getrandom(&limit->seed, sizeof(limit->seed), 0) == sizeof(limit->seed));
    return limit;
}

void dj_request_limit_destroy(struct dj_request_limit *limit)
{
    free(limit);
}

int64_t dj_request_limit_get_per_minute(const struct dj_request_limit *limit)
{
    return limit->per_minute;
}

/* Returns the element of the client. If there is none, returns the element that is free
 * or becomes free first. */
static struct client *find_client(struct dj_request_limit *limit, uint64_t name)
{
    const uint64_t words[] = {limit->seed, name};
    struct client *set = limit->clients[dj_hash_bytes(words, sizeof(words)) % SETS];
    struct client *found = set;
    for (size_t i = 0; i < SET_CLIENTS; i++) {
        if (set[i].name == name) {
            return &set[i];
        }
        found = set[i].used_until_ns < found->used_until_ns ? &set[i] : found;
    }
    *found = (struct client){.name = name};
    return found;
}

unsigned dj_request_limit_count(struct dj_request_limit *limit, uint64_t client,
                                int64_t now_ns)
{
    struct client *one = find_client(limit, client);
    int64_t start_ns = one->used_until_ns > now_ns ? one->used_until_ns : now_ns;
    int64_t early_ns = start_ns + limit->request_ns - now_ns - 60 * DJ_SECOND_NS;
    if (early_ns > 0) {
        return (unsigned)((early_ns + DJ_SECOND_NS - 1) / DJ_SECOND_NS);
    }
    one->used_until_ns = start_ns + limit->request_ns;
    return 0;
}

static uint64_t get_client4(struct in_addr address)
{
    /* A prefix that no host has. */
    return UINT64_C(1) << 32 | ntohl(address.s_addr);
}

static uint64_t get_client6(const struct in6_addr *address)
{
    uint64_t client = 0;
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        struct in_addr four;
        memcpy(&four, &address->s6_addr[12], sizeof(four));
        return get_client4(four);
    }
    for (size_t i = 0; i < sizeof(client); i++) {
        client = client << 8 | address->s6_addr[i];
    }
    return client;
}

uint64_t dj_request_limit_get_client(const struct sockaddr *address)
{
    const void *bytes = address;
    return address->sa_family == AF_INET6
               ? get_client6(&((const struct sockaddr_in6 *)bytes)->sin6_addr)
               : get_client4(((const struct sockaddr_in *)bytes)->sin_addr);
}

/* Returns the address of "ADDRESS", "IPV4:PORT" or "[IPV6]:PORT". */
static struct dj_str remove_port(struct dj_str host)
{
    const char *end = host.at + host.length;
    const char *bracket = memchr(host.at, ']', host.length);
    const char *colon = memchr(host.at, ':', host.length);
    if (host.length > 0 && host.at[0] == '[' && bracket != NULL) {
        return dj_str_between(host.at + 1, bracket);
    }
    bool has_port =
        colon != NULL && memchr(colon + 1, ':', (size_t)(end - colon) - 1) == NULL;
    return has_port ? dj_str_between(host.at, colon) : host;
}

uint64_t dj_request_limit_parse_client(const char *forwarded_for)
{
    const char *comma = forwarded_for != NULL ? strrchr(forwarded_for, ',') : NULL;
    const char *last = comma != NULL ? comma + 1 : forwarded_for;
    char text[INET6_ADDRSTRLEN];
    struct in_addr four;
    struct in6_addr six;
    if (last == NULL) {
        return DJ_REQUEST_LIMIT_SHARED;
    }
    struct dj_str host = remove_port(dj_str_trim(dj_str_of(last)));
    if (host.length >= sizeof(text)) {
        return DJ_REQUEST_LIMIT_SHARED;
    }
    memcpy(text, host.at, host.length);
    text[host.length] = '\0';
    return inet_pton(AF_INET, text, &four) == 1   ? get_client4(four)
           : inet_pton(AF_INET6, text, &six) == 1 ? get_client6(&six)
                                                  : DJ_REQUEST_LIMIT_SHARED;
}
