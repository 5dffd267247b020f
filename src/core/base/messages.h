/* Messages for the user from modules that do not print. The caller decides what happens
 * to the messages. */
#ifndef DEJANK_BASE_MESSAGES_H
#define DEJANK_BASE_MESSAGES_H

/* Receives messages. `message` is a sentence without a newline and may contain any bytes.
 * It is valid only during the call. */
struct dj_messages {
    void (*send)(void *user, const char *message);
    void *user;
};

/* Formats a message and sends it. Truncates the message to 1023 bytes. */
void dj_message(const struct dj_messages *messages, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
