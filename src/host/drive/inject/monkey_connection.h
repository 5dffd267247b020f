/*
 * A connection to Android's `monkey --port N`, a process that reads one command per line
 * and answers each line with OK or ERROR:
 *
 *     touch down 540 1920        sleep 8        touch move 540 1918        key down BACK
 *
 * monkey answers a line when it has read it, then executes the line, and only after that
 * reads the next line. So the answer to a touch after a sleep arrives when the sleep is
 * over. monkey accepts one connection.
 */
#ifndef DEJANK_DRIVE_INJECT_MONKEY_CONNECTION_H
#define DEJANK_DRIVE_INJECT_MONKEY_CONNECTION_H

#include "device/device.h"
#include "process/deadline.h"

/* Time limit for the answer to a command that is not preceded by a pause. */
#define DJ_MONKEY_ANSWER_TIMEOUT_NS (10 * DJ_SECOND_NS)

/* A connection to monkey. Zero the struct before use. Close it after use, also if opening
 * it failed. */
struct dj_monkey_connection {
    struct dj_device_process *process; /* The running command `monkey`. */
    struct dj_device_process *port;    /* The connection to the port, or NULL. */
    /* Received answers. The bytes before `read` have been used. */
    struct dj_text answers;
    size_t read;
};

/* Starts monkey with this port and waits for its first answer, which takes from half a
 * second to several seconds. Returns DJ_E_UNSUPPORTED if monkey ended or did not open its
 * port, and DJ_E_PROTOCOL if monkey ended after dejank had connected. The message
 * contains the last output of monkey. */
int dj_monkey_connection_open(struct dj_monkey_connection *connection,
                              struct dj_device *device, int port, struct dj_error *err);

/* Sends lines without waiting for answers. Each line ends with a newline. */
int dj_monkey_connection_send(struct dj_monkey_connection *connection,
                              const struct dj_text *lines, struct dj_error *err);

/* Waits for the next answer, which must be OK. Returns DJ_E_TIMEOUT, or DJ_E_PROTOCOL if
 * there was another answer or monkey has ended. */
int dj_monkey_connection_wait(struct dj_monkey_connection *connection, int64_t timeout_ns,
                              struct dj_error *err);

/* Sends lines and waits for an answer to each line. */
int dj_monkey_connection_command(struct dj_monkey_connection *connection,
                                 const struct dj_text *lines, struct dj_error *err);

/* Sends the lines in `last`, ends monkey, and waits at most 3 s until it has ended. Only
 * after that can other processes read the tree of views. */
void dj_monkey_connection_close(struct dj_monkey_connection *connection,
                                const struct dj_text *last);

#endif
