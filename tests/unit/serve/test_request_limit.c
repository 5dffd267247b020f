#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <malloc.h>
#include <netinet/in.h>

#include "process/deadline.h"
#include "serve/ingest/request_limit.h"

enum { PER_MINUTE = 60, START_NS = 1000 };

/* Sends requests until one is refused. Returns how many were not. */
static int count_accepted(struct dj_request_limit *limit, uint64_t client, int64_t now_ns)
{
    int accepted = 0;
    while (dj_request_limit_count(limit, client, now_ns) == 0) {
        accepted++;
    }
    return accepted;
}

Test(request_limit, a_client_may_send_a_minute_of_requests_at_once)
{
    struct dj_request_limit *limit = dj_request_limit_create(PER_MINUTE);
    cr_expect_eq(count_accepted(limit, 1, START_NS), PER_MINUTE);
    cr_expect_eq(count_accepted(limit, 1, START_NS), 0);
    cr_expect_eq(dj_request_limit_get_per_minute(limit), PER_MINUTE);
    dj_request_limit_destroy(limit);
}

Test(request_limit, other_clients_are_not_limited)
{
    struct dj_request_limit *limit = dj_request_limit_create(PER_MINUTE);
    count_accepted(limit, 1, START_NS);
    cr_expect_eq(count_accepted(limit, 2, START_NS), PER_MINUTE);
    dj_request_limit_destroy(limit);
}

Test(request_limit, a_client_may_send_again_after_the_reported_time)
{
    struct dj_request_limit *limit = dj_request_limit_create(6);
    cr_expect_eq(count_accepted(limit, 1, START_NS), 6);
    cr_expect_eq(dj_request_limit_count(limit, 1, START_NS), 10);
    int64_t later_ns = START_NS + 10 * DJ_SECOND_NS;
    cr_expect_eq(dj_request_limit_count(limit, 1, later_ns - 1), 1, "rounded up");
    cr_expect_eq(count_accepted(limit, 1, later_ns), 1);
    cr_expect_eq(count_accepted(limit, 1, later_ns + 60 * DJ_SECOND_NS), 6);
    dj_request_limit_destroy(limit);
}

Test(request_limit, a_large_number_limits_nothing)
{
    struct dj_request_limit *limit = dj_request_limit_create(INT64_MAX);
    for (int i = 0; i < 10000; i++) {
        cr_assert_eq(dj_request_limit_count(limit, 1, START_NS), 0);
    }
    dj_request_limit_destroy(limit);
}

static size_t count_allocated_bytes(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

Test(request_limit, a_client_that_sends_much_is_remembered_among_very_many)
{
    struct dj_request_limit *limit = dj_request_limit_create(PER_MINUTE);
    count_accepted(limit, 1, START_NS);
    size_t before = count_allocated_bytes();
    for (uint64_t client = 2; client < 1000000; client++) {
        cr_assert_eq(dj_request_limit_count(limit, client, START_NS), 0);
    }
    cr_expect_eq(count_allocated_bytes(), before);
    cr_expect_eq(count_accepted(limit, 1, START_NS), 0);
    dj_request_limit_destroy(limit);
}

static uint64_t client_of(const char *address)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, address, &four.sin_addr) == 1) {
        return dj_request_limit_get_client((const void *)&four);
    }
    cr_assert_eq(inet_pton(AF_INET6, address, &six.sin6_addr), 1);
    return dj_request_limit_get_client((const void *)&six);
}

Test(request_limit, an_ipv6_client_is_a_network_of_64_bits)
{
    cr_expect_eq(client_of("2001:db8:1:2:3:4:5:6"), client_of("2001:db8:1:2::1"));
    cr_expect_neq(client_of("2001:db8:1:2::1"), client_of("2001:db8:1:3::1"));
    cr_expect_neq(client_of("192.0.2.1"), client_of("192.0.2.2"));
    cr_expect_eq(client_of("::ffff:192.0.2.1"), client_of("192.0.2.1"));
    cr_expect_neq(client_of("::1"), client_of("127.0.0.1"));
}

Test(request_limit, the_proxy_names_the_client_last)
{
    static const char *const named[][2] = {
        {"192.0.2.1", "192.0.2.1"},
        {"198.51.100.7, 192.0.2.1", "192.0.2.1"},
        {"198.51.100.7, junk,192.0.2.1 ", "192.0.2.1"},
        {"192.0.2.1:4711", "192.0.2.1"},
        {"2001:db8::1", "2001:db8::1"},
        {"[2001:db8::1]", "2001:db8::1"},
        {"192.0.2.1, [2001:db8::1]:443", "2001:db8::1"},
    };
    for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
        cr_expect_eq(dj_request_limit_parse_client(named[i][0]), client_of(named[i][1]),
                     "%s", named[i][0]);
    }
}

Test(request_limit, clients_without_an_address_share_a_limit)
{
    static const char *const unnamed[] = {
        "",
        " ",
        ",",
        "192.0.2.1,",
        "unknown",
        "_hidden",
        "[",
        "[]",
        ":",
        "1.2.3.4.5",
        "2001:0db8:0000:0000:0000:0000:0000:0001:0000:0000:0000:0000:0000:0000:0000"};
    cr_expect_eq(dj_request_limit_parse_client(NULL), DJ_REQUEST_LIMIT_SHARED);
    for (size_t i = 0; i < sizeof(unnamed) / sizeof(*unnamed); i++) {
        cr_expect_eq(dj_request_limit_parse_client(unnamed[i]), DJ_REQUEST_LIMIT_SHARED,
                     "%s", unnamed[i]);
    }
}
