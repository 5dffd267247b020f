/*
 * Android's `monkey --port N`: one process that takes a command per line and answers each
 * with OK or ERROR:
 *
 *     touch down 540 1920        sleep 8        touch move 540 1918        key down BACK
 *
 * It answers as it reads a line and then does it, and reads the next one only after that:
 * the answer to a touch behind a sleep therefore comes when the sleep is over. It serves
 * one connection in its life. Of this room only.
 */
#ifndef DEJANK_DRIVE_MONKEY_LINE_H
#define DEJANK_DRIVE_MONKEY_LINE_H

#include "device/device.h"
#include "process/deadline.h"

/* An answer to what takes no time comes within it. */
#define DJ_MONKEY_ANSWER_NS (10 * DJ_SECOND_NS)

/* Zero it; close it also where it could not be opened. */
struct dj_monkey_line {
    struct dj_device_process *process; /* monkey itself */
    struct dj_device_process *port;    /* NULL: not connected */
    struct dj_text heard;              /* of answers, from `read` on not yet used */
    size_t read;
};

/* Starts it on that port and waits for its first answer: half a second to several.
 * DJ_E_UNSUPPORTED where it ends or opens no port, DJ_E_PROTOCOL where it ends as it is
 * spoken to; the message has its own last words. */
int dj_monkey_open(struct dj_monkey_line *line, struct dj_device *device, int port,
                   struct dj_error *err);

/* Says lines, each with its newline, and waits for no answer. */
int dj_monkey_say(struct dj_monkey_line *line, const struct dj_text *lines,
                  struct dj_error *err);

/* Waits for the next answer, an OK. DJ_E_TIMEOUT; DJ_E_PROTOCOL: another, or it ended. */
int dj_monkey_await(struct dj_monkey_line *line, int64_t timeout_ns,
                    struct dj_error *err);

/* Says lines and waits for an answer to each. */
int dj_monkey_command(struct dj_monkey_line *line, const struct dj_text *lines,
                      struct dj_error *err);

/* Says some last lines, ends it, and waits for that, 3 s at most: until then nobody else
 * can have the tree of views. */
void dj_monkey_close(struct dj_monkey_line *line, const struct dj_text *last);

#endif
