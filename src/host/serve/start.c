#include "serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "fleet/ingest.h"
#include "input/read.h"
#include "memory/memory.h"
#include "process/deadline.h"
#include "serve/exchange.h"
#include "serve/ingest/receive.h"
#include "serve/ingest/request_limit.h"
#include "serve/live_views.h"
#include "serve/project_cache.h"
#include "serve/state.h"
#include "serve/watch.h"
#include "store/open_existing.h"

enum {
    CONNECTIONS_MAX = 1200, /* Default maximum number of connections. */
    /* The kernel permits a process no more descriptors than this (fs.nr_open). */
    CONNECTIONS_LIMIT = 1 << 20,
    /* Number of connections beyond the maximum that are accepted to answer with the
     * status 503. */
    CONNECTIONS_REFUSED = 32,
    CONNECTION_BYTES = 32768, /* Memory for the headers of a request in bytes. */
    /* Time in seconds after which a connection without traffic is closed. */
    IDLE_S = 60,
    PEM_BYTES_MAX = 1 << 20
};

static const size_t worker_counts[DJ_THREADS_COUNT] = {[DJ_THREADS_STORE] = 2,
                                                       [DJ_THREADS_DEVICES] = 1,
                                                       [DJ_THREADS_FLEET] = 2,
                                                       [DJ_THREADS_SPOOL] = 2};

/* Maximum time for which a stopping server waits for clients that do not read their
 * answer. */
static const int64_t ANSWERS_NS = DJ_SECOND_NS / 2;

static int check_connections(const struct dj_serve_options *options, struct dj_error *err)
{
    return options->connections_max <= CONNECTIONS_LIMIT
               ? 0
               : dj_error_set(err, DJ_E_USAGE,
                              "--connections: expected at most %d, found %lld",
                              CONNECTIONS_LIMIT, (long long)options->connections_max);
}

static int divide_listen(struct dj_server *server, const char *listen,
                         struct dj_error *err)
{
    const char *colon = strrchr(listen, ':');
    int64_t port;
    if (colon == NULL || colon[1] == '\0' ||
        colon[1 + strspn(colon + 1, "0123456789")] != '\0' ||
        !dj_str_int(dj_str_of(colon + 1), &port) || port > 65535) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--listen: expected ADDRESS:PORT such as 127.0.0.1:8080, "
                            "found '%.80s'",
                            listen);
    }
    bool is_bracketed = listen[0] == '[' && colon > listen && colon[-1] == ']';
    const char *start = is_bracketed ? listen + 1 : listen;
    server->host = dj_xcopy(start, (size_t)(colon - start) - is_bracketed);
    server->port = (unsigned)port;
    return 0;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const void *)address;
        return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    }
    const struct sockaddr_in *four = (const void *)address;
    return ntohl(four->sin_addr.s_addr) >> 24 == 127;
}

/* Returns DJ_E_USAGE if the options would serve a network without protection. */
static int check_protection(const struct dj_server *server, struct dj_error *err)
{
    const struct dj_serve_options *options = &server->options;
    if (server->is_loopback) {
        return 0;
    }
    if (options->token_file == NULL) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--listen %.80s: other machines can reach this address, so "
                            "--token-file is required",
                            server->host);
    }
    if (options->certificate == NULL && !options->behind_proxy) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--listen %.80s: other machines can reach this address, so "
                            "--tls-cert and --tls-key, or --behind-proxy, are required",
                            server->host);
    }
    return 0;
}

static int open_socket(struct dj_server *server, int *socket_fd, struct dj_error *err)
{
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    snprintf(port, sizeof(port), "%u", server->port);
    int failure =
        getaddrinfo(server->host[0] != '\0' ? server->host : NULL, port, &hints, &found);
    if (failure != 0) {
        return dj_error_set(err, DJ_E_USAGE, "--listen: unknown address '%.80s': %s",
                            server->host, gai_strerror(failure));
    }
    server->is_loopback = is_loopback(found->ai_addr);
    int code = check_protection(server, err);
    int fd = code == 0
                 ? socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
                 : -1;
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    }
    if (code == 0 && (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) != 0 ||
                      listen(fd, SOMAXCONN) != 0)) {
        code = dj_error_set(err, DJ_E_IO, "cannot listen on %.80s:%u: %s", server->host,
                            server->port, strerror(errno));
    }
    freeaddrinfo(found);
    if (code != 0 && fd >= 0) {
        close(fd);
    }
    *socket_fd = fd;
    return code;
}

/* Reads and stores the port that the kernel chose for the socket. */
static void read_port(struct dj_server *server, int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    socklen_t length = sizeof(address);
    if (getsockname(fd, &address.any, &length) == 0) {
        server->port = ntohs(address.any.sa_family == AF_INET6 ? address.six.sin6_port
                                                               : address.four.sin_port);
    }
}

static int read_pem(const char *path, char **content, struct dj_error *err)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return dj_error_set(err, DJ_E_IO, "cannot read %.200s: %s", path,
                            strerror(errno));
    }
    char *bytes = dj_xcalloc(1, PEM_BYTES_MAX + 1);
    size_t length = fread(bytes, 1, PEM_BYTES_MAX, file);
    fclose(file);
    if (memchr(bytes, '\0', length) != NULL || strstr(bytes, "-----BEGIN ") == NULL) {
        free(bytes);
        return dj_error_set(err, DJ_E_INVALID,
                            "%.200s: expected a file in PEM format (-----BEGIN …)", path);
    }
    *content = bytes;
    return 0;
}

static int read_tls(struct dj_server *server, struct dj_error *err)
{
    const struct dj_serve_options *options = &server->options;
    if ((options->certificate == NULL) != (options->key == NULL)) {
        return dj_error_set(err, DJ_E_USAGE, "--tls-cert and --tls-key need each other");
    }
    if (options->certificate == NULL) {
        return 0;
    }
    if (dj_microhttpd->MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
        return dj_error_set(
            err, DJ_E_UNSUPPORTED,
            "this libmicrohttpd does not support TLS: use --behind-proxy");
    }
    int code = read_pem(options->certificate, &server->certificate, err);
    return code == 0 ? read_pem(options->key, &server->key, err) : code;
}

/* Counts the open connections. Marks a connection that exceeds the maximum: its requests
 * get the status 503. */
static void count_connection(void *user, struct MHD_Connection *connection,
                             void **context, enum MHD_ConnectionNotificationCode code)
{
    struct dj_server *server = user;
    (void)connection;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        int64_t before = atomic_fetch_add(&server->connections, 1);
        bool is_refused = before >= server->options.connections_max;
        *context = is_refused ? (void *)server : NULL;
    } else {
        atomic_fetch_sub(&server->connections, 1);
    }
}

/* Keeps the target of a request percent-encoded, because request.c decodes it. */
static size_t keep_encoded(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

static void log_problem(void *user, const char *format, va_list arguments)
{
    char message[512];
    vsnprintf(message, sizeof(message), format, arguments);
    message[strcspn(message, "\n")] = '\0';
    dj_serve_log(user, "%s", message);
}

static int start_daemon(struct dj_server *server, int fd, struct dj_error *err)
{
    const struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, server->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, server->key},
        {MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC |
                     MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
                     (server->certificate != NULL ? MHD_USE_TLS : 0);
    server->daemon = dj_microhttpd->MHD_start_daemon(
        flags, 0, NULL, NULL, dj_serve_continue_exchange, server,
        MHD_OPTION_EXTERNAL_LOGGER, log_problem, server, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_URI_LOG_CALLBACK, dj_serve_begin_exchange, server,
        MHD_OPTION_NOTIFY_COMPLETED, dj_serve_end_exchange, server,
        MHD_OPTION_NOTIFY_CONNECTION, count_connection, server,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, server, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)server->options.connections_max + CONNECTIONS_REFUSED,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_ARRAY,
        server->certificate != NULL ? tls : tls + 2, MHD_OPTION_END);
    return server->daemon != NULL
               ? 0
               : dj_error_set(err, DJ_E_IO, "cannot start the server%s",
                              server->certificate != NULL
                                  ? ": check the files of --tls-cert and --tls-key"
                                  : "");
}

/* Opens the store once, so that an invalid path or URL is reported at the start. */
static int check_store(const char *path, struct dj_error *err)
{
    struct dj_store *store;
    int code = dj_store_open_existing(path, &store, err);
    dj_store_close(code == 0 ? store : NULL);
    return code;
}

/* Raises the limit of open files, because each connection needs a descriptor. */
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int start(struct dj_server *server, struct dj_error *err)
{
    int fd = -1;
    int code = check_connections(&server->options, err);
    code = code == 0 ? dj_serve_load_microhttpd(err) : code;
    code = code == 0 ? check_store(server->options.store, err) : code;
    code = code == 0 ? dj_serve_create_access(server->options.token_file,
                                              server->options.ingest_token_file,
                                              &server->access, err)
                     : code;
    code = code == 0 ? dj_serve_check_fleet(server, err) : code;
    code = code == 0 ? read_tls(server, err) : code;
    code = code == 0
               ? divide_listen(server,
                               server->options.listen != NULL ? server->options.listen
                                                              : "127.0.0.1:0",
                               err)
               : code;
    code = code == 0 ? open_socket(server, &fd, err) : code;
    if (code != 0) {
        return code;
    }
    read_port(server, fd);
    dj_serve_name_cookie(server->access, server->port);
    raise_file_limit();
    server->cache = dj_serve_create_cache();
    for (size_t i = 0; i < DJ_THREADS_COUNT; i++) {
        server->workers[i] =
            dj_serve_start_workers(server->options.store, worker_counts[i]);
    }
    dj_serve_start_ingest(server);
    server->watch = dj_serve_start_watch(server);
    server->views = dj_serve_start_views(server);
    code = start_daemon(server, fd, err);
    if (code != 0) {
        close(fd);
    }
    return code;
}

int dj_serve_start(const struct dj_serve_options *options, struct dj_server **started,
                   struct dj_error *err)
{
    struct dj_server *server = dj_xcalloc(1, sizeof(*server));
    server->options = *options;
    if (server->options.connections_max == 0) {
        server->options.connections_max = CONNECTIONS_MAX;
    }
    int code = start(server, err);
    if (code != 0) {
        dj_serve_stop(server);
        server = NULL;
    }
    *started = server;
    return code;
}

void dj_serve_append_url(const struct dj_server *server, struct dj_text *url)
{
    bool is_six = strchr(server->host, ':') != NULL;
    dj_text_format(url, "%s://%s%s%s:%u/?token=%s",
                   server->certificate != NULL ? "https" : "http", is_six ? "[" : "",
                   server->host, is_six ? "]" : "", server->port,
                   dj_serve_get_login_token(server->access));
}

int dj_serve_rotate_token(struct dj_server *server, struct dj_error *err)
{
    int code = dj_serve_rotate_access(server->access, err);
    if (code == 0) {
        dj_serve_end_streams(dj_serve_get_store_events(server->watch));
        dj_serve_end_view_streams(server->views);
    }
    return code;
}

/* Waits until clients have received their answers and streams, for ANSWERS_NS at most. */
static void wait_for_answers(const struct dj_server *server)
{
    int64_t until_ns = dj_host_now_ns() + ANSWERS_NS;
    while (atomic_load(&server->exchanges) > 0 && dj_host_now_ns() < until_ns) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
}

void dj_serve_stop(struct dj_server *server)
{
    atomic_store(&server->is_stopping, true);
    if (server->daemon != NULL) {
        int fd = dj_microhttpd->MHD_quiesce_daemon(server->daemon);
        if (fd >= 0) {
            close(fd);
        }
    }
    /* Closing the channels and finishing the jobs resumes all suspended connections. */
    if (server->views != NULL) {
        dj_serve_stop_views(server->views);
    }
    if (server->watch != NULL) {
        dj_serve_stop_watch(server->watch);
    }
    for (size_t i = 0; i < DJ_THREADS_COUNT; i++) {
        dj_serve_stop_workers(server->workers[i]);
    }
    dj_fleet_forwarder_stop(server->forwarder);
    wait_for_answers(server);
    if (server->daemon != NULL) {
        dj_microhttpd->MHD_stop_daemon(server->daemon);
    }
    /* Until this point, open connections could send requests. */
    if (server->views != NULL) {
        dj_serve_free_views(server->views);
    }
    if (server->watch != NULL) {
        dj_serve_free_watch(server->watch);
    }
    for (size_t i = 0; i < DJ_THREADS_COUNT; i++) {
        dj_serve_free_workers(server->workers[i]);
    }
    dj_text_finish(&server->spool);
    dj_request_limit_destroy(server->ingest_limit);
    dj_serve_free_cache(server->cache);
    dj_serve_free_access(server->access);
    free(server->host);
    free(server->certificate);
    free(server->key);
    free(server);
}
