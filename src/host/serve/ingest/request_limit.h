/* Limits how many requests each client may send in a minute. A client that was silent may
 * send all of them at once. The table of clients has a fixed size: if it is full, the
 * clients that sent least are forgotten.
 *
 * Only the thread that handles the connections calls these functions. */
#ifndef DEJANK_SERVE_INGEST_REQUEST_LIMIT_H
#define DEJANK_SERVE_INGEST_REQUEST_LIMIT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct dj_request_limit;

/* The client for requests without a usable address. No host has this IPv6 prefix. */
#define DJ_REQUEST_LIMIT_SHARED UINT64_MAX

struct dj_request_limit *dj_request_limit_create(int64_t per_minute);
void dj_request_limit_destroy(struct dj_request_limit *limit); /* NULL is allowed. */
int64_t dj_request_limit_get_per_minute(const struct dj_request_limit *limit);

/* Counts a request. Returns 0 if the client may send it now. Otherwise the request does
 * not count, and the result is the seconds until the client may send again, rounded
 * up. */
unsigned dj_request_limit_count(struct dj_request_limit *limit, uint64_t client,
                                int64_t now_ns);

/* Returns the client of an address: a whole IPv4 address, or the first 64 bits of an IPv6
 * address, because a host can choose the others. */
uint64_t dj_request_limit_get_client(const struct sockaddr *address);

/* Returns the client of the header X-Forwarded-For. Its last address is the one that the
 * proxy has seen; the client can write the others. Returns DJ_REQUEST_LIMIT_SHARED for
 * NULL and if there is no address. */
uint64_t dj_request_limit_parse_client(const char *forwarded_for);

#endif
