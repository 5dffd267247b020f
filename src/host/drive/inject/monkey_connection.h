/*
 * A connection to Android's `monkey --port N`, a process that reads one command per line
 * and answers each with OK or ERROR:
 *
 *     touch down 540 1920        sleep 8        touch move 540 1918        key down BACK
 *
 * It answers when it has read a line, then executes it, and reads the next line after
 * that. So the answer to a touch after a sleep comes when the sleep is over. It accepts
 * one connection.
 */
#ifndef DEJANK_DRIVE_INJECT_MONKEY_CONNECTION_H
#define DEJANK_DRIVE_INJECT_MONKEY_CONNECTION_H

#include "device/device.h"
#include "process/deadline.h"

/* Time limit for the answer to a command without a pause. */
#define DJ_MONKEY_ANSWER_TIMEOUT_NS (10 * DJ_SECOND_NS)

/* Zero it. Close it also if it could not be opened. */
struct dj_monkey_connection {
    struct dj_device_process *process; /* of monkey */
    struct dj_device_process *port;    /* NULL: not connected */
    struct dj_text heard;              /* received answers; unused from `read` on */
    size_t read;
};

/* Starts monkey on that port and waits for its first answer, which takes from half a
 * second to several seconds. DJ_E_UNSUPPORTED: it ended or opened no port. DJ_E_PROTOCOL:
 * it ended after the connection. The message contains its last output. */
int dj_monkey_connection_open(struct dj_monkey_connection *line, struct dj_device *device,
                              int port, struct dj_error *err);

/* Sends lines, each with its newline, without waiting for answers. */
int dj_monkey_connection_send(struct dj_monkey_connection *line,
                              const struct dj_text *lines, struct dj_error *err);

/* Waits for the next answer, which must be OK. DJ_E_TIMEOUT. DJ_E_PROTOCOL: another
 * answer, or monkey has ended. */
int dj_monkey_connection_wait(struct dj_monkey_connection *line, int64_t timeout_ns,
                              struct dj_error *err);

/* Sends lines and waits for an answer to each. */
int dj_monkey_connection_command(struct dj_monkey_connection *line,
                                 const struct dj_text *lines, struct dj_error *err);

/* Sends the last lines, ends monkey and waits until it has ended, at most 3 s. Before
 * that no other process can read the tree of views. */
void dj_monkey_connection_close(struct dj_monkey_connection *line,
                                const struct dj_text *last);

#endif
