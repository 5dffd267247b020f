/* Messages for the user from modules that do not print: the caller decides where they go.
 */
#ifndef DEJANK_BASE_MESSAGES_H
#define DEJANK_BASE_MESSAGES_H

/* Receives messages. `message` is a sentence without a newline, valid during the call;
 * it may contain any bytes. */
struct dj_messages {
    void (*send)(void *user, const char *message);
    void *user;
};

/* Formats a message, at most 1023 bytes of it, and sends it. */
void dj_message(const struct dj_messages *messages, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
