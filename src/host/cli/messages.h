/*
 * The messages and the exit codes of dejank. Messages go to stderr, results to stdout.
 * Any thread may print messages. Only the main thread sets the verb's name.
 */
#ifndef DEJANK_CLI_MESSAGES_H
#define DEJANK_CLI_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"

/* The exit codes of every verb. Scripts rely on them, so they must not change. */
enum dj_exit {
    DJ_EXIT_OK = 0,
    DJ_EXIT_REGRESSION = 1,
    DJ_EXIT_USAGE = 2,
    DJ_EXIT_DEVICE = 3,
    DJ_EXIT_DATA = 4,
    DJ_EXIT_INTERNAL = 5,
    DJ_EXIT_UNDECIDED = 6,
    DJ_EXIT_CODES
};

/* Returns what an exit code means, as a noun phrase: "success". */
const char *dj_cli_exit_meaning(enum dj_exit code);

/* Returns the exit code for an error code of base/error.h. */
int dj_cli_exit_code(int error_code);

/* Sets the verb that messages name, and returns the previous one. dj_options_parse() sets
 * the verb, too. While a verb does a part of another verb's work, it sets the other
 * verb's name. */
const char *dj_cli_set_verb_name(const char *name);

/* Prints "dejank VERB: message" on stderr, at most 1023 bytes, escaped for a terminal.
 * Prints nothing if one of the last 1024 different messages of this process was the
 * same. */
void dj_cli_print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message like dj_cli_print_message(), but each time: for events that can happen
 * again, such as a device that disconnects. */
void dj_cli_print_event(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "hint: message" on stderr. A hint follows the message that it belongs to, and
 * like it is not printed again. */
void dj_cli_print_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a sentence like dj_cli_print_message(), as a callback. `user` is ignored. */
void dj_cli_send_message(void *user, const char *sentence);

/* Prints messages with dj_cli_send_message(). */
extern const struct dj_messages dj_cli_messages;

/* Prints a message like dj_cli_print_message(), and returns DJ_EXIT_USAGE. */
int dj_cli_print_usage_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Reports that an operand is missing, such as "FILE", with a hint to the verb's help.
 * Returns DJ_EXIT_USAGE. */
int dj_cli_report_missing(const char *operand);

/* A rule for the options of a verb. */
struct dj_cli_rule {
    bool is_broken;
    const char *message; /* Message for a broken rule. */
};

/* Prints the message of the first broken rule, and returns DJ_EXIT_USAGE. Returns
 * DJ_EXIT_OK if no rule is broken. */
int dj_cli_check_rules(const struct dj_cli_rule *rules, size_t count);

/* Prints the message of an error unless `code` is 0. Returns the exit code for `code`. */
int dj_cli_finish(int code, const struct dj_error *err);

/* Maps the code of an error about a trace file: a file that is absent or cannot be read
 * is bad data, not a device error. */
int dj_cli_trace_input_code(int code);

/* Ends a verb: writes its result to stdout, or prints the error if `code` is one.
 * Finishes the text. Returns the exit code. */
int dj_cli_finish_output(int code, struct dj_text *text, struct dj_error *err);

#endif
