/* The inputs of verbs: files, or "-" for the standard input, plain or compressed,
 * archives too. */
#ifndef DEJANK_CLI_READ_INPUT_H
#define DEJANK_CLI_READ_INPUT_H

#include "input/input.h"
#include "report/input.h"

/* What an input is called in messages. */
const char *dj_input_name(const char *path);

/* To be called before an input is opened, by path or "-". A pipe by name opens once
 * somebody writes to it: that is said at once. A terminal is said to be read where
 * nothing was typed or pasted for a second. Others are never waited for here. */
void dj_await_input(const char *path);

/*
 * Reads an input to its end, dump by dump (report/input.h); `release` NULL: it is
 * inferred. What could not be read is the input's outcome and never an error here: 0, or
 * what the taker returned. The caller finishes *input in every case.
 */
int dj_read_dumps(const char *path, const struct dj_dialect *release,
                  dj_input_taker *take, void *data, struct dj_input *input);

/* Appends what is left of the part that `intake` is at, up to the text's maximum. */
int dj_read_part(struct dj_intake *intake, struct dj_text *text, struct dj_error *err);

/* The first part of an input, up to the text's maximum. */
int dj_read_first(const char *path, struct dj_text *text, enum dj_part_kind *kind,
                  struct dj_error *err);

/* The same of any kind, up to 4 GiB. */
int dj_read_whole(const char *path, struct dj_text *text, struct dj_error *err);

/* What a verb says of an input on stderr: the lines that were passed over, each with its
 * place, and why the outcome is not DJ_OUTCOME_OK. Returns the exit code it amounts to.
 */
int dj_talk_of_input(const struct dj_input *input);

/* The code of an error about a trace file. One that is not there, or cannot be read, is
 * bad data and no trouble of a device. */
int dj_trace_input_code(int code);

#endif
