/*
 * cli: the verbs of dejank, with their options, their exit codes, and the output on the
 * terminal. No other host module prints or exits. This header: the types for one table of
 * options per verb. The table defines the verb's parser (cli/parser.h), its --help
 * (cli/help.h), its manual page and its completions in shells
 * (reference/reference.h).
 */
#ifndef DEJANK_CLI_OPTIONS_H
#define DEJANK_CLI_OPTIONS_H

#include <limits.h>
#include <stdint.h>

#include "cli/messages.h"

enum dj_option_kind {
    DJ_OPTION_FLAG,        /* Type bool: set by an option without a value. */
    DJ_OPTION_STRING,      /* Type const char *: points into argv. */
    DJ_OPTION_CHOICE,      /* Type const char *: one of the words in `value`. */
    DJ_OPTION_FORM,        /* Type const char *: "" unless "=VALUE" follows the name. */
    DJ_OPTION_FORM_CHOICE, /* Type const char *: "", or one of the words in `value`. */
    DJ_OPTION_RELEASE,     /* Type const char *: the name of a release. */
    /* Type const char *: a rule of jank/rules.h, "all" or "list". */
    DJ_OPTION_JANK_RULE,
    DJ_OPTION_COUNT,    /* Type int64_t: at least 1. */
    DJ_OPTION_NUMBER,   /* Type int64_t: at least 1, or DJ_OPTION_NONE for 0. */
    DJ_OPTION_DURATION, /* Type int64_t in ns, > 0: "200ms", or "10" for seconds. */
    DJ_OPTION_PAUSE,    /* A duration like DJ_OPTION_DURATION, or DJ_OPTION_NONE for 0. */
    DJ_OPTION_PERIOD,   /* Type int64_t in ns: a duration > 0, or a rate as "60Hz". */
    DJ_OPTION_RATE,     /* Type double: a rate in Hz, > 0. */
    DJ_OPTION_LIST      /* Type struct dj_option_list: the option may be repeated. */
};

enum {
    DJ_OPTION_LIST_MAX = 256,
    DJ_OPTION_NONE = -1 /* The option's value is 0. A field of 0 means "not given". */
};

/* The values of a repeated option. They point into argv. */
struct dj_option_list {
    const char *values[DJ_OPTION_LIST_MAX];
    size_t count;
};

struct dj_option {
    const char *name; /* Name without the dashes. */
    char letter;      /* Letter of the short form, or 0. */
    enum dj_option_kind kind;
    size_t offset; /* Offset of the field in the struct that the verb's options fill. */
    /* The value's name in --help, or NULL for flags. The words of an enumeration are
     * separated by "|". Shells complete the names of files for a name that contains FILE,
     * of folders for DIR, of devices for DEVICE, and of commands for CMD. */
    const char *value;
    const char *help; /* Help text: a noun or verb phrase without a period. */
};

/* A heading before some options, for verbs with many. */
struct dj_option_group {
    const char *first; /* Name of the first option below the heading. */
    const char *title;
};

struct dj_example {
    const char *purpose; /* One line that says what the command does. */
    const char *command; /* The command as a user types it in a shell. */
};

/* The operands of a verb. The parser refuses fewer than `least` and more than `most`. */
struct dj_operands {
    const char *name; /* Placeholder, such as "FILE" (see dj_option.value). */
    int least, most;
};
enum { DJ_OPERANDS_UNLIMITED = INT_MAX };

/* Members of a verb: its table of options with the struct that they fill, and its other
 * tables. */
#define DJ_OPTIONS(table, type)                                                          \
    .options = (table), .option_count = COUNT_OF(table), .values_bytes = sizeof(type)
#define DJ_GROUPS(table) .groups = (table), .group_count = COUNT_OF(table)
#define DJ_EXAMPLES(table) .examples = (table), .example_count = COUNT_OF(table)

/*
 * Each line of `synopsis` is one form of the command line after the verb's name.
 * Each line of `description` and `exit_codes` is a paragraph, or "TERM\tTEXT" for an item
 * of a list. Code wraps all texts. An exit code "CODE\tCOMMAND…: TEXT" is only of one
 * command (see `accepts`).
 */
struct dj_verb {
    const char *name; /* One or two words: "parse", "trace read". */
    const char *synopsis;
    const char *summary; /* Verb phrase without a period, at most 63 columns. */
    const char *description;
    const char *exit_codes; /* Exit codes with a special meaning, or NULL. */
    const struct dj_example *examples;
    size_t example_count;
    const struct dj_option *options;
    size_t option_count;
    size_t values_bytes; /* Size of the struct that the options fill. */
    const struct dj_option_group *groups;
    size_t group_count;
    struct dj_operands operands;
    /* True if all words after the first operand are operands, even with a dash. */
    bool stops_at_operand;
    /* For verbs with commands (listed in operands.name): returns whether the command uses
     * the option. NULL for other verbs. */
    bool (*accepts)(const char *command, const char *option);
    /* Runs with the values of the options and the operands, which end with NULL. Returns
     * an exit code. */
    int (*run)(void *values, int count, char **operands);
    /* Replaces `run` for verbs that call dj_options_parse() themselves. argv[0] is the
     * verb. Returns an exit code, or −1 after --help. */
    int (*run_argv)(int argc, char **argv);
};

/* Sets *word to the permitted value number `index`, counted from 0: a word of an
 * enumeration, a known release, or a jank rule. Returns false after the last one, and for
 * options that permit any value. */
bool dj_cli_option_choice(const struct dj_option *option, size_t index,
                          struct dj_str *word);

/* Returns whether the value is optional and follows "=": "--csv" or "--csv=profile". */
bool dj_cli_option_is_form(const struct dj_option *option);

/* Sets *word to the alternative number `index` of "a|b|c". Returns false after the
 * last one. */
bool dj_cli_alternative(const char *alternatives, size_t index, struct dj_str *word);

#endif
