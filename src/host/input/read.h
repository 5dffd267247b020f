/* Reads whole inputs: files, or "-" for the standard input, plain or compressed, also as
 * members of archives. */
#ifndef DEJANK_INPUT_READ_H
#define DEJANK_INPUT_READ_H

#include "base/messages.h"
#include "base/text.h"
#include "input/input.h"

/* The name of an input in messages: "standard input" for "-". */
const char *dj_input_name(const char *path);

/*
 * Sends a message if an input makes the user wait; call it before the input is opened. A
 * named pipe opens only when another process writes to it: the message is sent at once.
 * For a terminal the message is sent if nothing was typed or pasted for a second. Never
 * waits for other inputs.
 */
void dj_input_await(const char *path, const struct dj_messages *messages);

/* Appends the rest of the part that `intake` is at, up to the text's maximum. */
int dj_input_read_part(struct dj_input_reader *intake, struct dj_text *text,
                       struct dj_error *err);

/* Appends the first part of an input, up to the text's maximum. *kind is DJ_PART_NONE if
 * the input has no part. */
int dj_input_read_first(const char *path, struct dj_text *text,
                        enum dj_input_part_kind *kind, const struct dj_messages *messages,
                        struct dj_error *err);

/* Appends the first part of an input of any kind. DJ_E_LIMIT above 4 GiB. */
int dj_input_read_whole(const char *path, struct dj_text *text,
                        const struct dj_messages *messages, struct dj_error *err);

#endif
