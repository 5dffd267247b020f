#include "drive/inject/monkey_connection.h"

#include <string.h>

#include "base/str.h"
#include "base/text.h"

#define CONNECT_NS (10 * DJ_SECOND_NS)
#define END_NS (3 * DJ_SECOND_NS)

/* Sets the error after monkey has ended. The last line of its output contains the
 * reason. */
static int set_end_error(struct dj_monkey_connection *connection, struct dj_error *err)
{
    struct dj_text out = {0};
    struct dj_device_line last_line = {""};
    bool ended = false;
    struct dj_error gone = {0};
    int code = dj_device_process_read(connection->process, DJ_SECOND_NS, &out, &out,
                                      &ended, &gone);
    struct dj_str rest = {dj_text_get(&out), out.length}, last;
    while (dj_str_next_line(&rest, &last)) {
        if (last.length > 0) {
            dj_text_copy_escaped(last, last_line.line, sizeof(last_line.line));
        }
    }
    dj_text_finish(&out);
    if (code != 0) {
        return dj_error_set(err, code, "%s", gone.message);
    }
    return dj_error_set(err, DJ_E_PROTOCOL, "monkey ended (exit code %d): %s",
                        dj_device_process_exit_code(connection->process),
                        last_line.line[0] != '\0' ? last_line.line : "no output");
}

/* Sets *answer to the next line in the buffer. The line is valid until more bytes are
 * read. Returns false if the buffer contains no complete line. */
static bool get_next_answer(struct dj_monkey_connection *connection,
                            struct dj_str *answer)
{
    const char *begin = dj_text_get(&connection->answers) + connection->read;
    const char *end = memchr(begin, '\n', connection->answers.length - connection->read);
    if (end == NULL) {
        return false;
    }
    *answer = (struct dj_str){begin, (size_t)(end - begin)};
    connection->read += answer->length + 1;
    return true;
}

static int check_answer(struct dj_str answer, struct dj_error *err)
{
    if (dj_str_begins(answer, "OK")) {
        return 0;
    }
    struct dj_text safe = {0};
    dj_text_append_escaped(&safe, answer.at, answer.length);
    int code = dj_error_set(err, DJ_E_PROTOCOL, "monkey answered '%s', expected OK",
                            dj_text_get(&safe));
    dj_text_finish(&safe);
    return code;
}

int dj_monkey_connection_wait(struct dj_monkey_connection *connection, int64_t timeout_ns,
                              struct dj_error *err)
{
    struct dj_str answer;
    int64_t end_ns = dj_host_now_ns() + timeout_ns;
    while (!get_next_answer(connection, &answer)) {
        bool ended = false;
        int64_t left_ns = end_ns - dj_host_now_ns();
        if (left_ns <= 0) {
            return dj_error_set(err, DJ_E_TIMEOUT, "monkey did not answer for %d s",
                                (int)(timeout_ns / DJ_SECOND_NS));
        }
        if (connection->read == connection->answers.length) {
            dj_text_clear(&connection->answers);
            connection->read = 0;
        }
        int code = dj_device_process_read(connection->port, left_ns, &connection->answers,
                                          &connection->answers, &ended, err);
        if (code == 0 && ended && connection->read == connection->answers.length) {
            code = set_end_error(connection, err);
        }
        if (code != 0) {
            return code;
        }
    }
    return check_answer(answer, err);
}

int dj_monkey_connection_send(struct dj_monkey_connection *connection,
                              const struct dj_text *lines, struct dj_error *err)
{
    if (lines->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    struct dj_error why = {0};
    int code = dj_device_process_write(connection->port, dj_text_get(lines),
                                       lines->length, &why);
    return code == DJ_E_GONE ? set_end_error(connection, err)
           : code != 0       ? dj_error_set(err, code, "%s", why.message)
                             : 0;
}

int dj_monkey_connection_command(struct dj_monkey_connection *connection,
                                 const struct dj_text *lines, struct dj_error *err)
{
    int code = dj_monkey_connection_send(connection, lines, err);
    for (size_t i = 0; code == 0 && i < lines->length; i++) {
        if (lines->data[i] == '\n') {
            code =
                dj_monkey_connection_wait(connection, DJ_MONKEY_ANSWER_TIMEOUT_NS, err);
        }
    }
    return code;
}

/* Connects to the port of monkey. monkey opens its port only after its start, which takes
 * from half a second to several seconds. So this function tries again until the port is
 * open. */
static int connect_port(struct dj_monkey_connection *connection, struct dj_device *device,
                        int port, struct dj_error *err)
{
    struct dj_device_result result = {0};
    int64_t end_ns = dj_host_now_ns() + CONNECT_NS;
    int code;
    for (;;) {
        bool ended = false;
        code = dj_device_connect(device, port, &connection->port, err);
        if (code == 0 || code == DJ_E_INTERRUPTED || code == DJ_E_UNSUPPORTED) {
            break;
        }
        struct dj_error gone = {0};
        code = dj_device_process_read(connection->process, 50 * DJ_MILLISECOND_NS,
                                      &result.out, &result.err, &ended, &gone);
        if (code != 0) {
            dj_error_set(err, code, "%s", gone.message);
            break;
        }
        if (ended || dj_host_now_ns() > end_ns) {
            code = dj_error_set(err, DJ_E_UNSUPPORTED, "monkey --port %s: %s",
                                ended ? "ended" : "did not open its port",
                                dj_device_error_line(&result).line);
            break;
        }
    }
    dj_device_result_finish(&result);
    return code;
}

/* The arguments make monkey ignore crashes of the app. Without them, monkey would end at
 * a crash. The run detects crashes itself. */
int dj_monkey_connection_open(struct dj_monkey_connection *connection,
                              struct dj_device *device, int port, struct dj_error *err)
{
    char number[16];
    struct dj_text hello = {0};
    snprintf(number, sizeof(number), "%d", port);
    const char *argv[] = {
        "monkey", "--port", number, "--ignore-crashes", "--ignore-timeouts", NULL};
    int code = dj_device_start(device, argv, &connection->process, err);
    if (code == 0) {
        code = connect_port(connection, device, port, err);
    }
    if (code == 0) {
        dj_text_add(&hello, "sleep 0\n");
        code = dj_monkey_connection_command(connection, &hello, err);
        dj_text_finish(&hello);
    }
    return code;
}

void dj_monkey_connection_close(struct dj_monkey_connection *connection,
                                const struct dj_text *last)
{
    struct dj_text quit = {0}, rest = {0};
    struct dj_error ignored = {0};
    bool ended = false;
    if (connection->port != NULL) {
        dj_text_append(&quit, dj_text_get(last), last->length);
        dj_text_add(&quit, "quit\n");
        int code = dj_monkey_connection_send(connection, &quit, &ignored);
        int64_t end_ns = dj_host_now_ns() + END_NS;
        while (code == 0 && !ended && dj_host_now_ns() < end_ns) {
            code = dj_device_process_read(connection->process, DJ_SECOND_NS / 2, &rest,
                                          &rest, &ended, &ignored);
        }
    }
    dj_device_process_close(connection->port);
    dj_device_process_close(connection->process);
    dj_text_finish(&connection->answers);
    dj_text_finish(&quit);
    dj_text_finish(&rest);
}
