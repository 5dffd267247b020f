/* Sessions as JSON lines that arrive in pieces of any size. A line that is no session is
 * reported with its number, and the following lines are read. */
#ifndef DEJANK_FLEET_LINES_H
#define DEJANK_FLEET_LINES_H

#include "fleet/session.h"

/* Receives one session. A result other than 0 ends the reading with that code. */
typedef int dj_session_receiver(void *user, const struct dj_session *session);

/* Set `receive`, `refuse` and `user`, and leave the rest zero. */
struct dj_session_lines {
    dj_session_receiver *receive;
    void (*refuse)(void *user, size_t line, const char *reason);
    void *user;
    size_t line;         /* The number of the last line. */
    struct dj_text part; /* The beginning of a line. */
    bool is_skipping;    /* True while the rest of a line that is too long is skipped. */
};

/* Reads the next bytes. Returns 0 or the code of the receiver. */
int dj_fleet_lines_read(struct dj_session_lines *lines, struct dj_str bytes);

/* Reads a last line that has no line feed. Returns 0 or the code of the receiver. */
int dj_fleet_lines_end(struct dj_session_lines *lines);

void dj_fleet_lines_finish(struct dj_session_lines *lines);

#endif
