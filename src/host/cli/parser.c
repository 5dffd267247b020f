#include "cli/parser.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "cli/help.h"
#include "memory/memory.h"
#include "plan/suggest.h"

static bool set_flag(const char *value, void *field)
{
    (void)value;
    *(bool *)field = true;
    return true;
}

static bool set_string(const char *value, void *field)
{
    *(const char **)field = value;
    return true;
}

static bool set_number(const char *value, void *field)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < 0) {
        return false;
    }
    *(int64_t *)field = number > 0 ? number : DJ_OPTION_NONE;
    return true;
}

static bool set_count(const char *value, void *field)
{
    return set_number(value, field) && *(int64_t *)field > 0;
}

static bool set_pause(const char *value, void *field)
{
    int64_t ns;
    if (!dj_duration_parse(value, &ns)) {
        return false;
    }
    *(int64_t *)field = ns > 0 ? ns : DJ_OPTION_NONE;
    return true;
}

static bool set_duration(const char *value, void *field)
{
    return set_pause(value, field) && *(int64_t *)field > 0;
}

/* Sets a period. "60Hz" is the period of that rate. */
static bool set_period(const char *value, void *field)
{
    char *end;
    double rate = strtod(value, &end);
    if (end == value || strcasecmp(end + strspn(end, " "), "hz") != 0) {
        return set_duration(value, field);
    }
    *(int64_t *)field = rate >= 0.001 && rate <= 1e9 ? llround(1e9 / rate) : 0;
    return *(int64_t *)field > 0;
}

static bool set_rate(const char *value, void *field)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || number < 1 ||
        number > 1000) {
        return false;
    }
    *(double *)field = number;
    return true;
}

static bool set_list(const char *value, void *field)
{
    struct dj_option_list *list = field;
    bool room = list->count < DJ_OPTION_LIST_MAX;
    if (room) {
        list->values[list->count++] = value;
    }
    return room;
}

static const struct {
    bool (*set)(const char *value, void *field);
    const char *expected;
    size_t size; /* Size of the field in bytes. */
} kinds[] = {
    [DJ_OPTION_FLAG] = {set_flag, "no value", sizeof(bool)},
    [DJ_OPTION_STRING] = {set_string, "a value", sizeof(char *)},
    [DJ_OPTION_CHOICE] = {set_string, NULL, sizeof(char *)},
    [DJ_OPTION_FORM] = {set_string, "a value", sizeof(char *)},
    [DJ_OPTION_FORM_CHOICE] = {set_string, NULL, sizeof(char *)},
    [DJ_OPTION_RELEASE] = {set_string, NULL, sizeof(char *)},
    [DJ_OPTION_JANK_RULE] = {set_string, NULL, sizeof(char *)},
    [DJ_OPTION_COUNT] = {set_count, "a whole number of at least 1", sizeof(int64_t)},
    [DJ_OPTION_NUMBER] = {set_number, "a whole number of at least 0", sizeof(int64_t)},
    [DJ_OPTION_DURATION] = {set_duration, "a duration such as 10s or 200ms",
                            sizeof(int64_t)},
    [DJ_OPTION_PAUSE] = {set_pause, "a duration such as 10s, 200ms or 0",
                         sizeof(int64_t)},
    [DJ_OPTION_PERIOD] = {set_period, "a time such as 16.667ms, or a rate such as 60Hz",
                          sizeof(int64_t)},
    [DJ_OPTION_RATE] = {set_rate, "a rate in Hz from 1 to 1000", sizeof(double)},
    [DJ_OPTION_LIST] = {set_list, "a value, at most 256 times",
                        sizeof(struct dj_option_list)},
};

bool dj_option_is_set(const struct dj_option *option, const void *values)
{
    const unsigned char *field = (const unsigned char *)values + option->offset;
    bool set = false;
    for (size_t i = 0; i < kinds[option->kind].size; i++) {
        set = set || field[i] != 0;
    }
    return set;
}

/* Appends "a, b or c". */
static void append_choices(struct dj_text *text, const struct dj_option *option)
{
    struct dj_str word, following;
    for (size_t i = 0; dj_cli_option_choice(option, i, &word); i++) {
        bool last = !dj_cli_option_choice(option, i + 1, &following);
        dj_text_add(text, i == 0 ? "" : last ? " or " : ", ");
        dj_text_append(text, word.at, word.length);
    }
}

/* Hints at the most similar word of an enumeration. */
static void suggest_choice(const struct dj_option *option, const char *value)
{
    struct dj_suggestion suggestion = {.word = dj_str_of(value)};
    struct dj_str word;
    for (size_t i = 0; dj_cli_option_choice(option, i, &word); i++) {
        dj_plan_suggestion_add(&suggestion, word, word);
    }
    if (suggestion.best.length > 0) {
        dj_cli_print_hint("did you mean '%.*s'?", (int)suggestion.best.length,
                          suggestion.best.at);
    }
}

/* Reports a value that the option does not accept. `value` is NULL if it is missing.
 * Returns DJ_EXIT_USAGE. */
static int reject_value(const struct dj_option *option, const char *value)
{
    const char *expected = kinds[option->kind].expected;
    const char *quote = value != NULL ? "'" : "";
    struct dj_text choices = {0};
    append_choices(&choices, option);
    dj_cli_print_message("--%s: expected %s, found %s%s%s", option->name,
                         expected != NULL ? expected : dj_xtext(&choices), quote,
                         value != NULL ? value : "nothing", quote);
    dj_text_finish(&choices);
    suggest_choice(option, value != NULL ? value : "");
    return DJ_EXIT_USAGE;
}

/* Returns whether the value is one of an enumeration's words, or may be any value. */
static bool is_permitted(const struct dj_option *option, const char *value)
{
    struct dj_str word;
    bool any = !dj_cli_option_choice(option, 0, &word);
    for (size_t i = 0; dj_cli_option_choice(option, i, &word); i++) {
        any = any || dj_str_is(word, value);
    }
    return any;
}

/* Options of earlier releases that are still accepted under another name. The help does
 * not show them. */
static const struct {
    const char *verb, *name, *option;
} renamed[] = {
    {"import", "build", "app-version"},
};

/* Returns whether the argument is "--NAME" or "--NAME=VALUE". Sets *value to the value or
 * NULL. */
static bool has_name(const char *argument, const char *name, const char **value)
{
    size_t length = strlen(name);
    if (argument[1] != '-' || strncmp(argument + 2, name, length) != 0 ||
        (argument[2 + length] != '\0' && argument[2 + length] != '=')) {
        return false;
    }
    *value = argument[2 + length] == '=' ? argument + 3 + length : NULL;
    return true;
}

/* Returns whether the argument is an earlier name of the option. */
static bool has_earlier_name(const struct dj_verb *verb, const char *argument,
                             const char *name, const char **value)
{
    for (size_t i = 0; i < COUNT_OF(renamed); i++) {
        if (strcmp(renamed[i].verb, verb->name) == 0 &&
            strcmp(renamed[i].option, name) == 0 &&
            has_name(argument, renamed[i].name, value)) {
            return true;
        }
    }
    return false;
}

static const struct dj_option *find_option(const struct dj_verb *verb,
                                           const char *argument, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < verb->option_count; i++) {
        const struct dj_option *option = &verb->options[i];
        if (has_name(argument, option->name, value) ||
            has_earlier_name(verb, argument, option->name, value)) {
            return option;
        }
        if (option->letter != 0 && argument[1] == option->letter) {
            *value = argument[2] != '\0' ? argument + 2 : NULL;
            return option;
        }
    }
    return NULL;
}

#define IN_PLAN(key) "use '" key "' in the 'trace:' of a plan (docs/format/plan.md)"

/* Options of earlier releases, with the options that replace them. */
static const struct {
    const char *verb, *name, *replacement;
} removed[] = {
    {"run", "ab-cmd", "use dejank compare --run 'COMMAND_A' 'COMMAND_B'"},
    {"run", "idle", "leave it out (idle is the default)"},
    {"run", "no-install", "leave it out (without --apk nothing is installed)"},
    {"run", "no-retries", "use --retries 0"},
    {"run", "no-warmup", "use --warmup 0"},
    {"run", "trace-before", IN_PLAN("before")},
    {"run", "trace-after", IN_PLAN("after")},
    {"run", "trace-level", IN_PLAN("level")},
    {"run", "trace-buffer", IN_PLAN("buffer")},
    {"run", "trace-size", IN_PLAN("size")},
    {"run", "trace-category", IN_PLAN("categories")},
};

static bool report_removed(const struct dj_verb *verb, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(removed); i++) {
        if (strcmp(removed[i].verb, verb->name) == 0 &&
            strcmp(removed[i].name, name) == 0) {
            dj_cli_print_message("option --%s was removed: %s", removed[i].name,
                                 removed[i].replacement);
            return true;
        }
    }
    return false;
}

/* Hints at the most similar option, or at the help. */
static void suggest_option(const struct dj_verb *verb, const char *name)
{
    struct dj_suggestion suggestion = {.word = dj_str_of(name)};
    for (size_t i = 0; i < verb->option_count; i++) {
        struct dj_str candidate = dj_str_of(verb->options[i].name);
        dj_plan_suggestion_add(&suggestion, candidate, candidate);
    }
    dj_plan_suggestion_add(&suggestion, dj_str_of("help"), dj_str_of("help"));
    if (suggestion.best.length > 0) {
        dj_cli_print_hint("did you mean '--%.*s'?", (int)suggestion.best.length,
                          suggestion.best.at);
    } else {
        dj_cli_print_hint("'dejank %s --help' lists the options", verb->name);
    }
}

/* Reports an unknown option or an option of an earlier release. Returns DJ_EXIT_USAGE. */
static int reject_option(const struct dj_verb *verb, const char *argument)
{
    size_t dashes = strncmp(argument, "--", 2) == 0 ? 2 : 1;
    size_t length = strcspn(argument, "=");
    char *name = dj_xstrdup(argument + dashes);
    name[length - dashes] = '\0';
    if (dashes != 2 || !report_removed(verb, name)) {
        dj_cli_print_message("unknown option '%.*s'", (int)length, argument);
        suggest_option(verb, dashes == 2 ? name : "");
    }
    free(name);
    return DJ_EXIT_USAGE;
}

static int apply_option(const struct dj_verb *verb, int argc, char **argv, int *index,
                        void *values)
{
    const char *value;
    const struct dj_option *option = find_option(verb, argv[*index], &value);
    if (option == NULL) {
        return reject_option(verb, argv[*index]);
    }
    void *field = (char *)values + option->offset;
    if (dj_cli_option_is_form(option) && value == NULL) {
        return kinds[option->kind].set("", field) ? DJ_EXIT_OK : DJ_EXIT_USAGE;
    }
    if (option->kind == DJ_OPTION_FLAG && value != NULL) {
        return reject_value(option, value);
    }
    if (option->kind != DJ_OPTION_FLAG && value == NULL && *index + 1 < argc) {
        value = argv[++*index];
    }
    bool missing = option->kind != DJ_OPTION_FLAG && value == NULL;
    if (missing || !is_permitted(option, value) ||
        !kinds[option->kind].set(value, field)) {
        return reject_value(option, value);
    }
    return DJ_EXIT_OK;
}

static void print_help(const struct dj_verb *verb, const char *operand)
{
    struct dj_text text = {0};
    dj_help_append_verb(&text, verb, operand);
    fputs(dj_xtext(&text), stdout);
    dj_text_finish(&text);
}

int dj_options_parse(const struct dj_verb *verb, int argc, char **argv, void *values,
                     bool stop_at_operand, int *operands)
{
    int count = 0;
    bool only_operands = false;
    dj_cli_set_verb_name(verb->name);
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (only_operands || argument[0] != '-' || argument[1] == '\0') {
            argv[++count] = argv[i];
            only_operands = only_operands || stop_at_operand;
        } else if (strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_help(verb, count > 0 ? argv[1] : NULL);
            return -1;
        } else {
            int result = apply_option(verb, argc, argv, &i, values);
            if (result != DJ_EXIT_OK) {
                return result;
            }
        }
    }
    *operands = count;
    return DJ_EXIT_OK;
}

static int check_operands(const struct dj_verb *verb, int count, char **argv)
{
    if (count < verb->operands.least) {
        return dj_cli_report_missing(verb->operands.name);
    }
    if (count > verb->operands.most) {
        dj_cli_print_message("unexpected operand '%s'", argv[verb->operands.most + 1]);
        dj_cli_print_hint("'dejank %s --help' shows the usage and examples", verb->name);
        return DJ_EXIT_USAGE;
    }
    return DJ_EXIT_OK;
}

int dj_cli_run_verb(const struct dj_verb *verb, int argc, char **argv)
{
    void *values = dj_xcalloc(1, verb->values_bytes);
    int count = 0;
    int result =
        verb->run_argv != NULL
            ? verb->run_argv(argc, argv)
            : dj_options_parse(verb, argc, argv, values, verb->stops_at_operand, &count);
    if (result == DJ_EXIT_OK && verb->run != NULL) {
        argv[count + 1] = NULL;
        result = check_operands(verb, count, argv);
        result = result == DJ_EXIT_OK ? verb->run(values, count, argv + 1) : result;
    }
    free(values);
    return result < 0 ? DJ_EXIT_OK : result;
}
