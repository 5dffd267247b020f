/*
 * cli: the verbs of dejank: their options, their exit codes, and the terminal. No other
 * host module prints or exits.
 *
 * This header: one table of options per verb defines its parser and its --help.
 */
#ifndef DEJANK_CLI_OPTIONS_H
#define DEJANK_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"

/* The exit codes of every verb: a contract. */
enum dj_exit {
    DJ_EXIT_OK = 0,
    DJ_EXIT_REGRESSION = 1,
    DJ_EXIT_USAGE = 2,
    DJ_EXIT_DEVICE = 3,
    DJ_EXIT_DATA = 4,
    DJ_EXIT_INTERNAL = 5,
    DJ_EXIT_UNDECIDED = 6
};

/* The exit code for an error code of base/error.h. */
int dj_cli_exit_code(int error_code);

enum dj_option_kind {
    DJ_OPTION_FLAG,     /* bool */
    DJ_OPTION_STRING,   /* const char *; points into argv */
    DJ_OPTION_FORM,     /* const char *; "" unless "=VALUE" follows the name */
    DJ_OPTION_COUNT,    /* int64_t ≥ 1 */
    DJ_OPTION_NUMBER,   /* int64_t ≥ 1, or DJ_OPTION_NONE for 0 */
    DJ_OPTION_DURATION, /* int64_t ns: "10s", "1.5s", "200ms", "2m"; a bare number is
                           seconds */
    DJ_OPTION_PAUSE,    /* the same, or DJ_OPTION_NONE for 0 */
    DJ_OPTION_PERIOD,   /* int64_t ns: a duration > 0, or as "60Hz" */
    DJ_OPTION_RATE,     /* double > 0: Hz */
    DJ_OPTION_LIST      /* struct dj_option_list; the option may be repeated */
};

enum {
    DJ_OPTION_LIST_MAX = 256,
    DJ_OPTION_NONE = -1 /* 0 marks a field that no option has set */
};

/* The values of a repeated option; they point into argv. */
struct dj_option_list {
    const char *values[DJ_OPTION_LIST_MAX];
    size_t count;
};

struct dj_option {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    enum dj_option_kind kind;
    size_t offset;     /* of the field in the verb's own struct */
    const char *value; /* how --help names the value ("FILE"); NULL for flags */
    const char *help;  /* one line */
};

/* Members of a verb: its table of options, and the struct that they fill. */
#define DJ_OPTIONS(table, type)                                                          \
    .options = (table), .option_count = COUNT_OF(table), .values_bytes = sizeof(type)

struct dj_verb {
    const char *name;
    const char *synopsis; /* what follows the verb's name */
    const char *summary;  /* one line, for `dejank --help` */
    const char *details;  /* more for `dejank VERB --help`, or NULL */
    const struct dj_option *options;
    size_t option_count;
    size_t values_bytes;   /* size of the struct that the options fill */
    bool stops_at_operand; /* all words after the first operand are operands */
    /* Runs with the options' values and the operands, which are NULL-ended. Returns an
     * exit code. */
    int (*run)(void *values, int count, char **operands);
    /* Replaces `run` for verbs that parse argv themselves; argv[0] is the verb. Returns
     * an exit code, or −1 as dj_options_parse(). */
    int (*run_argv)(int argc, char **argv);
};

/* Parses argv, where argv[0] is the verb, and runs it. Returns an exit code. */
int dj_cli_run_verb(const struct dj_verb *verb, int argc, char **argv);

/*
 * Fills `values`, the verb's struct with its defaults, from argv. Reorders argv[1…] so
 * that the operands come first, and sets *operands to their number. All words after "--"
 * are operands, and with `stop_at_operand` all words after the first operand. Returns
 * DJ_EXIT_OK. Prints an error on stderr and returns DJ_EXIT_USAGE; the error about an
 * option of an earlier release names its replacement. Prints the help for --help and
 * returns −1: the verb then ends with DJ_EXIT_OK.
 */
int dj_options_parse(const struct dj_verb *verb, int argc, char **argv, void *values,
                     bool stop_at_operand, int *operands);

/* Sets the verb that messages name, and returns the previous one. dj_options_parse() sets
 * it, too. A verb that does a part of another verb's work sets that verb's name. */
const char *dj_cli_set_verb_name(const char *name);

/* Whether an option was given: its field in `values` is not zero, which must be its
 * default. */
bool dj_option_is_set(const struct dj_option *option, const void *values);

/* Prints "dejank VERB: message" on stderr, at most 1023 bytes, escaped for a terminal. */
void dj_cli_print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a sentence as dj_cli_print_message(), as a callback. */
void dj_cli_send_message(void *user, const char *sentence);

/* As dj_cli_print_message(), and returns DJ_EXIT_USAGE. */
int dj_cli_print_usage_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Prints messages with dj_cli_send_message(). */
extern const struct dj_messages dj_cli_messages;

/* A rule for a verb's options: whether it is broken, and the message for it. */
struct dj_cli_rule {
    bool holds;
    const char *says;
};

/* Prints the message of the first rule that is broken, and returns DJ_EXIT_USAGE. Returns
 * DJ_EXIT_OK if none is. */
int dj_cli_check_rules(const struct dj_cli_rule *misuses, size_t count);

/* Prints the message of an error unless `code` is 0. Returns the exit code for `code`. */
int dj_cli_finish(int code, const struct dj_error *err);

/* Maps the code of an error about a trace file: a file that is absent or cannot be read
 * is bad data, not a device error. */
int dj_cli_trace_input_code(int code);

/* Ends a verb: writes its result to stdout, or prints the error if `code` is one.
 * Finishes the text. Returns the exit code. */
int dj_cli_finish_output(int code, struct dj_text *text, struct dj_error *err);

#endif
