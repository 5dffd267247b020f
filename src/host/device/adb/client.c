#include "device/adb/client.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/process.h"

#define OTHER_START_NS (5 * DJ_SECOND_NS)
/* The limit is long, because a busy machine starts the adb server slowly. */
#define START_TIMEOUT_NS (30 * DJ_SECOND_NS)

static int wait_for_socket(int fd, short events, const struct dj_deadline *deadline,
                           struct dj_error *err)
{
    struct pollfd wait = {.fd = fd, .events = events};
    return dj_deadline_poll(deadline, &wait, 1, err);
}

static int connect_address(const struct addrinfo *to, const struct dj_deadline *deadline,
                           int *fd, struct dj_error *err)
{
    int new_fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (new_fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot create a socket: %s", strerror(errno));
    }
    int code = 0;
    if (connect(new_fd, to->ai_addr, to->ai_addrlen) != 0) {
        int failure = errno;
        socklen_t size = sizeof(failure);
        if (failure == EINPROGRESS) {
            code = wait_for_socket(new_fd, POLLOUT, deadline, err);
            getsockopt(new_fd, SOL_SOCKET, SO_ERROR, &failure, &size);
        }
        if (code == 0 && failure != 0) {
            code = dj_error_set(err, failure == ECONNREFUSED ? DJ_E_NOT_FOUND : DJ_E_IO,
                                "%s", strerror(failure));
        }
    }
    if (code != 0) {
        close(new_fd);
        return code;
    }
    *fd = new_fd;
    return 0;
}

/* Connects to the adb server. Returns DJ_E_NOT_FOUND if no process listens at the
 * address. */
static int connect_server(const struct dj_adb_address *address,
                          const struct dj_deadline *deadline, int *fd,
                          struct dj_error *err)
{
    char port[16];
    struct addrinfo *found;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    snprintf(port, sizeof(port), "%d", address->port);
    int failure = getaddrinfo(address->host, port, &hints, &found);
    if (failure != 0) {
        return dj_error_set(err, DJ_E_IO, "adb server at %s: %s", address->host,
                            gai_strerror(failure));
    }
    int code = DJ_E_NOT_FOUND;
    for (const struct addrinfo *to = found; to != NULL && code != 0; to = to->ai_next) {
        code = connect_address(to, deadline, fd, err);
    }
    freeaddrinfo(found);
    if (code != 0) {
        dj_error_prepend(err, "adb server at %s port %d", address->host, address->port);
    }
    return code;
}

int dj_adb_write(int fd, const char *bytes, size_t length,
                 const struct dj_deadline *deadline, struct dj_error *err)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN) {
            int code = wait_for_socket(fd, POLLOUT, deadline, err);
            if (code != 0) {
                return code;
            }
        } else if (errno != EINTR) {
            return dj_error_set(err, DJ_E_GONE,
                                "the adb server closed the connection: %s",
                                strerror(errno));
        }
    }
    return 0;
}

int dj_adb_read(int fd, char *bytes, size_t capacity, const struct dj_deadline *deadline,
                size_t *got, struct dj_error *err)
{
    for (;;) {
        ssize_t count = recv(fd, bytes, capacity, 0);
        if (count >= 0) {
            *got = (size_t)count;
            return 0;
        }
        int code = 0;
        if (errno == EAGAIN) {
            code = wait_for_socket(fd, POLLIN, deadline, err);
        } else if (errno != EINTR) {
            code = dj_error_set(err, DJ_E_GONE,
                                "the connection to the adb server failed: %s",
                                strerror(errno));
        }
        if (code != 0) {
            return code;
        }
    }
}

int dj_adb_read_exactly(int fd, char *bytes, size_t length,
                        const struct dj_deadline *deadline, struct dj_error *err)
{
    for (size_t received = 0; received < length;) {
        size_t got = 0;
        int code =
            dj_adb_read(fd, bytes + received, length - received, deadline, &got, err);
        if (code != 0) {
            return code;
        }
        if (got == 0) {
            return dj_error_set(
                err, DJ_E_GONE,
                "the adb server closed the connection in the middle of an answer");
        }
        received += got;
    }
    return 0;
}

int dj_adb_read_length_prefixed(int fd, struct dj_text *text,
                                const struct dj_deadline *deadline, struct dj_error *err)
{
    char digits[4];
    size_t length;
    int code = dj_adb_read_exactly(fd, digits, sizeof(digits), deadline, err);
    if (code != 0) {
        return code;
    }
    if (!dj_adb_parse_length(digits, &length)) {
        return dj_error_set(err, DJ_E_PROTOCOL,
                            "unexpected answer: expected a length of four hex digits; a "
                            "program other than adb may use this port");
    }
    char *buffer = dj_text_reserve(text, length);
    return buffer == NULL ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                          : dj_adb_read_exactly(fd, buffer, length, deadline, err);
}

/* Returns the error code for a message with which adb refuses a request. */
static int find_refusal_code(const char *message)
{
    static const struct {
        const char *phrase;
        int code;
    } refusals[] = {
        {"unauthorized", DJ_E_OWNER}, {"no permissions", DJ_E_OWNER},
        {"not found", DJ_E_GONE},     {"offline", DJ_E_GONE},
        {"connecting", DJ_E_GONE},    {"authorizing", DJ_E_GONE},
        {"closed", DJ_E_GONE},        {"no devices", DJ_E_GONE},
        {"EOF", DJ_E_GONE},
    };
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        if (strstr(message, refusals[i].phrase) != NULL) {
            return refusals[i].code;
        }
    }
    return DJ_E_PROTOCOL;
}

static int read_refusal(int fd, const struct dj_deadline *deadline, struct dj_error *err)
{
    struct dj_text message = {.maximum = DJ_ADB_REQUEST_MAX};
    int code = dj_adb_read_length_prefixed(fd, &message, deadline, err);
    if (code == 0) {
        /* Only the first line is the reason. The lines after it give advice about the
         * command line of adb. */
        const char *text = dj_text_get(&message);
        code = dj_error_set(err, find_refusal_code(text), "adb: %s",
                            dj_device_first_line(text).line);
    }
    dj_text_finish(&message);
    return code;
}

static int send_request(int fd, const char *service, const struct dj_deadline *deadline,
                        struct dj_error *err)
{
    struct dj_text request = {0};
    char status[4];
    int code = dj_adb_append_request(&request, service, err);
    if (code == 0) {
        code = dj_adb_write(fd, request.data, request.length, deadline, err);
    }
    dj_text_finish(&request);
    if (code == 0) {
        code = dj_adb_read_exactly(fd, status, sizeof(status), deadline, err);
    }
    if (code == 0 && memcmp(status, "FAIL", 4) == 0) {
        return read_refusal(fd, deadline, err);
    }
    if (code == 0 && memcmp(status, "OKAY", 4) != 0) {
        return dj_error_set(err, DJ_E_PROTOCOL,
                            "unexpected answer: expected OKAY or FAIL; a program other "
                            "than adb may use this port");
    }
    return code;
}

int dj_adb_open_host_service(const struct dj_adb_address *address, const char *service,
                             const struct dj_deadline *deadline, int *fd,
                             struct dj_error *err)
{
    int code = connect_server(address, deadline, fd, err);
    if (code == 0) {
        code = send_request(*fd, service, deadline, err);
        if (code != 0) {
            close(*fd);
        }
    }
    return code;
}

int dj_adb_query(const struct dj_adb_address *address, const char *service,
                 const struct dj_deadline *deadline, struct dj_text *answer,
                 struct dj_error *err)
{
    int fd;
    int code = dj_adb_open_host_service(address, service, deadline, &fd, err);
    if (code == 0) {
        code = dj_adb_read_length_prefixed(fd, answer, deadline, err);
        close(fd);
    }
    return code;
}

int dj_adb_open_service(const struct dj_adb_address *address, const char *serial,
                        const char *service, const struct dj_deadline *deadline, int *fd,
                        struct dj_error *err)
{
    struct dj_text transport = {0};
    dj_text_format(&transport, "host:transport:%s", serial);
    int code =
        dj_adb_open_host_service(address, dj_text_get(&transport), deadline, fd, err);
    dj_text_finish(&transport);
    if (code == DJ_E_NOT_FOUND) {
        return dj_error_set(err, DJ_E_GONE, "the adb server has ended");
    }
    if (code == 0) {
        code = send_request(*fd, service, deadline, err);
        if (code != 0) {
            close(*fd);
        }
    }
    return code;
}

static bool is_this_machine(const char *host)
{
    return strncmp(host, "127.", 4) == 0 || strcmp(host, "localhost") == 0 ||
           strcmp(host, "::1") == 0;
}

static int start_server(struct dj_error *err)
{
    static const char *const argv[] = {"adb", "start-server", NULL};
    const struct dj_deadline deadline = dj_deadline_in(START_TIMEOUT_NS, NULL);
    int exit_code = 0;
    const struct dj_process_run run = {.argv = argv, .deadline = &deadline};
    int code = dj_process_run(&run, &exit_code, err);
    if (code == DJ_E_NOT_FOUND) {
        return dj_error_set(err, code,
                            "no adb server runs, and adb is not installed; run: sudo "
                            "apt-get install adb");
    }
    if (code == 0 && exit_code != 0) {
        return dj_error_set(err, DJ_E_IO,
                            "`adb start-server` failed (exit code %d); run it to see why",
                            exit_code);
    }
    return code;
}

/* Waits until the server answers. `started` is the result of start_server(). If several
 * processes start the server at once, `adb start-server` succeeds in only one of them and
 * fails with DJ_E_IO in the others. Their failure does not matter as soon as the server
 * answers. */
static int wait_for_server(const struct dj_adb_address *address, int started,
                           struct dj_text *version, struct dj_error *err)
{
    struct dj_error ignored = {0};
    /* The deadline starts now, because `adb start-server` may have taken long. */
    const struct dj_deadline fresh = dj_deadline_in(OTHER_START_NS, NULL);
    if (started == 0) {
        return dj_adb_query(address, "host:version", &fresh, version, err);
    }
    while (started == DJ_E_IO && dj_deadline_check(&fresh, NULL) == 0) {
        if (dj_adb_query(address, "host:version", &fresh, version, &ignored) == 0) {
            if (err != NULL) {
                *err = (struct dj_error){0};
            }
            return 0;
        }
        dj_host_sleep_ns(100 * DJ_MILLISECOND_NS);
    }
    return started;
}

int dj_adb_find_server(struct dj_adb_address *address, struct dj_error *err)
{
    const struct dj_deadline deadline = dj_deadline_in(DJ_ADB_SERVER_NS, NULL);
    struct dj_text version = {0};
    int code = dj_adb_parse_address(getenv("ADB_SERVER_SOCKET"),
                                    getenv("ANDROID_ADB_SERVER_ADDRESS"),
                                    getenv("ANDROID_ADB_SERVER_PORT"), address, err);
    if (code != 0) {
        return code;
    }
    code = dj_adb_query(address, "host:version", &deadline, &version, err);
    if (code == DJ_E_NOT_FOUND && is_this_machine(address->host)) {
        code = wait_for_server(address, start_server(err), &version, err);
    }
    dj_text_finish(&version);
    return code;
}

int dj_adb_list_devices(const struct dj_adb_address *address,
                        struct dj_device_entry *entries, size_t maximum, size_t *count,
                        struct dj_error *err)
{
    const struct dj_deadline deadline = dj_deadline_in(DJ_ADB_SERVER_NS, NULL);
    struct dj_text text = {0};
    int code = dj_adb_query(address, "host:devices-l", &deadline, &text, err);
    if (code == 0) {
        *count = dj_adb_parse_devices(dj_text_get(&text), text.length, entries, maximum);
    }
    dj_text_finish(&text);
    return code;
}
