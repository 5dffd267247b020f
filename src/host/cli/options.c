#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "memory/memory.h"
#include "output/file.h"

static const struct {
    int code;
    enum dj_exit exit;
} exits[] = {
    {DJ_E_INVALID, DJ_EXIT_DATA},      {DJ_E_TRUNCATED, DJ_EXIT_DATA},
    {DJ_E_VERSION, DJ_EXIT_DATA},      {DJ_E_NO_DATA, DJ_EXIT_DATA},
    {DJ_E_LIMIT, DJ_EXIT_DATA},        {DJ_E_OWNER, DJ_EXIT_DEVICE},
    {DJ_E_NOT_FOUND, DJ_EXIT_DEVICE},  {DJ_E_IO, DJ_EXIT_DEVICE},
    {DJ_E_GONE, DJ_EXIT_DEVICE},       {DJ_E_TIMEOUT, DJ_EXIT_DEVICE},
    {DJ_E_PROTOCOL, DJ_EXIT_DEVICE},   {DJ_E_USAGE, DJ_EXIT_USAGE},
    {DJ_E_UNSUPPORTED, DJ_EXIT_USAGE}, {DJ_E_INTERRUPTED, DJ_EXIT_DATA},
    {DJ_E_OUTPUT, DJ_EXIT_DATA},
};

int dj_cli_exit_code(int error_code)
{
    for (size_t i = 0; i < COUNT_OF(exits); i++) {
        if (exits[i].code == error_code) {
            return exits[i].exit;
        }
    }
    return error_code == 0 ? DJ_EXIT_OK : DJ_EXIT_INTERNAL;
}

static const char *running = "";

const char *dj_cli_set_verb_name(const char *name)
{
    const char *before = running;
    running = name;
    return before;
}

/* Names of files and packages come from outside; escaping protects the terminal from
 * them. */
static void print_message(const char *format, va_list arguments)
{
    char message[1024];
    struct dj_text line = {0};
    vsnprintf(message, sizeof(message), format, arguments);
    dj_text_append_escaped(&line, message, strlen(message));
    fprintf(stderr, "dejank %s: %s\n", running, dj_xtext(&line));
    dj_text_finish(&line);
}

void dj_cli_print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(format, arguments);
    va_end(arguments);
}

void dj_cli_send_message(void *user, const char *sentence)
{
    (void)user;
    dj_cli_print_message("%s", sentence);
}

const struct dj_messages dj_cli_messages = {dj_cli_send_message, NULL};

int dj_cli_print_usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(format, arguments);
    va_end(arguments);
    return DJ_EXIT_USAGE;
}

int dj_cli_check_rules(const struct dj_cli_rule *misuses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (misuses[i].holds) {
            return dj_cli_print_usage_error("%s", misuses[i].says);
        }
    }
    return DJ_EXIT_OK;
}

int dj_cli_finish(int code, const struct dj_error *err)
{
    if (dj_xcode(code) != 0) {
        dj_cli_print_message("%s", err->message);
    }
    return dj_cli_exit_code(code);
}

int dj_cli_trace_input_code(int code)
{
    bool of_file = code == DJ_E_NOT_FOUND || code == DJ_E_IO || code == DJ_E_OWNER ||
                   code == DJ_E_GONE;
    return of_file ? DJ_E_NO_DATA : code;
}

int dj_cli_finish_output(int code, struct dj_text *text, struct dj_error *err)
{
    code = code == 0 ? dj_output_print(text, err) : code;
    dj_text_finish(text);
    return dj_cli_finish(code, err);
}

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

/* "60Hz" means the period of that rate. */
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
    size_t size; /* of the field */
} kinds[] = {
    [DJ_OPTION_FLAG] = {set_flag, "no value", sizeof(bool)},
    [DJ_OPTION_STRING] = {set_string, "a value", sizeof(char *)},
    [DJ_OPTION_FORM] = {set_string, "a value", sizeof(char *)},
    [DJ_OPTION_COUNT] = {set_count, "a whole number from 1", sizeof(int64_t)},
    [DJ_OPTION_NUMBER] = {set_number, "a whole number from 0", sizeof(int64_t)},
    [DJ_OPTION_DURATION] = {set_duration, "a duration such as 10s, 1.5s or 200ms",
                            sizeof(int64_t)},
    [DJ_OPTION_PAUSE] = {set_pause, "a duration such as 10s, 1.5s, 200ms or 0",
                         sizeof(int64_t)},
    [DJ_OPTION_PERIOD] = {set_period, "a time such as 16.667ms or 8333us, or 120Hz",
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

static void print_help(const struct dj_verb *verb)
{
    printf("usage: dejank %s %s\n\n%s\n", verb->name, verb->synopsis, verb->summary);
    if (verb->option_count > 0) {
        puts("\noptions:");
    }
    for (size_t i = 0; i < verb->option_count; i++) {
        const struct dj_option *option = &verb->options[i];
        char left[80];
        char letter[8] = "    ";
        if (option->letter != 0) {
            snprintf(letter, sizeof(letter), "-%c, ", option->letter);
        }
        snprintf(left, sizeof(left), "%s--%s%s%s%s", letter, option->name,
                 option->value == NULL            ? ""
                 : option->kind == DJ_OPTION_FORM ? "[="
                                                  : " ",
                 option->value != NULL ? option->value : "",
                 option->kind == DJ_OPTION_FORM ? "]" : "");
        printf("  %-26s %s\n", left, option->help);
    }
    if (verb->details != NULL) {
        printf("\n%s\n", verb->details);
    }
}

static const struct dj_option *find_option(const struct dj_verb *verb,
                                           const char *argument, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < verb->option_count; i++) {
        const struct dj_option *option = &verb->options[i];
        size_t length = strlen(option->name);
        if (argument[1] == '-' && strncmp(argument + 2, option->name, length) == 0 &&
            (argument[2 + length] == '\0' || argument[2 + length] == '=')) {
            *value = argument[2 + length] == '=' ? argument + 3 + length : NULL;
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

/* Options of earlier releases. */
static const struct {
    const char *verb, *name, *replacement;
} removed[] = {
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

static void complain_of_unknown(const struct dj_verb *verb, const char *argument)
{
    size_t length = strcspn(argument, "=");
    for (size_t i = 0; i < COUNT_OF(removed); i++) {
        if (strcmp(removed[i].verb, verb->name) == 0 && length > 2 &&
            length - 2 == strlen(removed[i].name) && strncmp(argument, "--", 2) == 0 &&
            strncmp(argument + 2, removed[i].name, length - 2) == 0) {
            dj_cli_print_message("option --%s was removed: %s", removed[i].name,
                                 removed[i].replacement);
            return;
        }
    }
    dj_cli_print_message("unknown option %s (see dejank %s --help)", argument,
                         verb->name);
}

static int apply_option(const struct dj_verb *verb, int argc, char **argv, int *index,
                        void *values)
{
    const char *value;
    const struct dj_option *option = find_option(verb, argv[*index], &value);
    if (option == NULL || (option->kind == DJ_OPTION_FLAG && value != NULL)) {
        complain_of_unknown(verb, argv[*index]);
        return DJ_EXIT_USAGE;
    }
    if (option->kind == DJ_OPTION_FORM && value == NULL) {
        value = "";
    }
    if (option->kind != DJ_OPTION_FLAG && value == NULL) {
        if (*index + 1 >= argc) {
            return dj_cli_print_usage_error("--%s needs %s", option->name,
                                            kinds[option->kind].expected);
        }
        value = argv[++*index];
    }
    if (!kinds[option->kind].set(value, (char *)values + option->offset)) {
        return dj_cli_print_usage_error("--%s: expected %s, got '%s'", option->name,
                                        kinds[option->kind].expected, value);
    }
    return DJ_EXIT_OK;
}

int dj_options_parse(const struct dj_verb *verb, int argc, char **argv, void *values,
                     bool stop_at_operand, int *operands)
{
    int count = 0;
    bool only_operands = false;
    running = verb->name;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (only_operands || argument[0] != '-' || argument[1] == '\0') {
            argv[++count] = argv[i];
            only_operands = only_operands || stop_at_operand;
        } else if (strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_help(verb);
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
        result = verb->run(values, count, argv + 1);
    }
    free(values);
    return result < 0 ? DJ_EXIT_OK : result;
}
