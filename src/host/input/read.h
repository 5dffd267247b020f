/* Reads whole inputs into memory: files, or standard input for "-". An input may be
 * plain, compressed or an archive. */
#ifndef DEJANK_INPUT_READ_H
#define DEJANK_INPUT_READ_H

#include "base/messages.h"
#include "base/text.h"
#include "input/input.h"

/* Returns the name of an input in messages: "standard input" for "-", or else the
 * path. */
const char *dj_input_name(const char *path);

/*
 * Sends a message if the user has to wait for the input. The caller calls this before
 * opening the input. Opening a named pipe blocks until another process writes to it, so
 * the message is sent at once. For a terminal, the message is sent if the user types
 * nothing for a second. For other inputs, this function does nothing.
 */
void dj_input_await(const char *path, const struct dj_messages *messages);

/* Appends the rest of the current part, up to the maximum of the text. */
int dj_input_read_part(struct dj_input_reader *reader, struct dj_text *text,
                       struct dj_error *err);

/* Appends the first part of an input, up to the maximum of the text. *kind is
 * DJ_PART_NONE if the input has no part. */
int dj_input_read_first(const char *path, struct dj_text *text,
                        enum dj_input_part_kind *kind, const struct dj_messages *messages,
                        struct dj_error *err);

/* Appends the first part of an input, whatever its kind. Returns DJ_E_LIMIT if this part
 * has more than 4 GiB. */
int dj_input_read_whole(const char *path, struct dj_text *text,
                        const struct dj_messages *messages, struct dj_error *err);

#endif
