/* Reads sessions from JSON lines that arrive in pieces of any size. Reports a line that
 * is not a session with its number, and continues with the next line. */
#ifndef DEJANK_FLEET_LINES_H
#define DEJANK_FLEET_LINES_H

#include "fleet/session.h"

/* Receives one session. If the result is not 0, reading ends and returns this result. */
typedef int dj_session_receiver(void *user, const struct dj_session *session);

/* A reader of JSON lines. Set `receive`, `refuse` and `user`, and zero the other
 * members. */
struct dj_session_lines {
    dj_session_receiver *receive;
    void (*refuse)(void *user, size_t line, const char *reason);
    void *user;
    size_t line;         /* Number of the last line that was read. */
    struct dj_text part; /* The beginning of a line whose end was not received yet. */
    bool is_skipping;    /* True while the rest of a line that is too long is skipped. */
};

/* Reads the next bytes. Returns 0 or the code of the receiver. */
int dj_fleet_lines_read(struct dj_session_lines *lines, struct dj_str bytes);

/* Reads the last line if it has no line feed. Returns 0 or the code of the receiver. */
int dj_fleet_lines_end(struct dj_session_lines *lines);

void dj_fleet_lines_finish(struct dj_session_lines *lines);

#endif
