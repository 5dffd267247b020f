#include "cli/messages.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "cli/progress.h"
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

const char *dj_cli_exit_meaning(enum dj_exit code)
{
    static const char *const meanings[DJ_EXIT_CODES] = {
        [DJ_EXIT_OK] = "success",
        [DJ_EXIT_REGRESSION] = "regression or failed objective",
        [DJ_EXIT_USAGE] = "wrong usage, or a library that is not installed",
        [DJ_EXIT_DEVICE] = "device or connection failed",
        [DJ_EXIT_DATA] = "bad or missing data, or a result that cannot be written",
        [DJ_EXIT_INTERNAL] = "internal error",
        [DJ_EXIT_UNDECIDED] = "undecided",
    };
    return meanings[code];
}

int dj_cli_exit_code(int error_code)
{
    for (size_t i = 0; i < COUNT_OF(exits); i++) {
        if (exits[i].code == error_code) {
            return exits[i].exit;
        }
    }
    return error_code == 0 ? DJ_EXIT_OK : DJ_EXIT_INTERNAL;
}

enum { MESSAGE_BYTES = 1024 };

static const char *running = "";

const char *dj_cli_set_verb_name(const char *name)
{
    const char *before = running;
    running = name;
    return before;
}

/* Hashes of the latest messages, so that none is printed twice. The memory is static,
 * because a message can be about a failed allocation. */
enum { REMEMBERED = 1024 };
static struct {
    pthread_mutex_t lock;
    uint64_t hashes[REMEMBERED];
    size_t count; /* Number of messages so far. The newest overwrites the oldest. */
} printed = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Returns whether the message is new, and remembers it. */
static bool remember(const char *message)
{
    uint64_t hash = dj_hash_fnv(DJ_HASH_FNV, message, strlen(message));
    bool is_new = true;
    pthread_mutex_lock(&printed.lock);
    for (size_t i = 0; i < printed.count && i < REMEMBERED && is_new; i++) {
        is_new = printed.hashes[i] != hash;
    }
    if (is_new) {
        printed.hashes[printed.count++ % REMEMBERED] = hash;
    }
    pthread_mutex_unlock(&printed.lock);
    return is_new;
}

/* Whether the last message of this thread was a repetition. Its hint is one, too. */
static _Thread_local bool is_repeated;

/* Escapes the message, because names of files and packages can contain sequences that
 * control the terminal. A hint at the end of the message gets its own line. */
static void print_line(const char *before, const char *message)
{
    static const char separator[] = ". hint: ";
    struct dj_text line = {0};
    dj_progress_hide_job();
    dj_text_append_escaped(&line, message, strlen(message));
    const char *text = dj_xtext(&line);
    const char *hint = strstr(text, separator);
    fprintf(stderr, "%s: %.*s\n", before,
            hint != NULL ? (int)(hint - text) : (int)line.length, text);
    if (hint != NULL) {
        fprintf(stderr, "hint: %s\n", hint + strlen(separator));
    }
    dj_text_finish(&line);
}

static void print_message(const char *message)
{
    char before[64];
    snprintf(before, sizeof(before), "dejank%s%s", running[0] != '\0' ? " " : "",
             running);
    is_repeated = false;
    print_line(before, message);
}

static void print_once(const char *format, va_list arguments)
{
    char message[MESSAGE_BYTES];
    vsnprintf(message, sizeof(message), format, arguments);
    if (remember(message)) {
        print_message(message);
    } else {
        is_repeated = true;
    }
}

void dj_cli_print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_once(format, arguments);
    va_end(arguments);
}

void dj_cli_print_event(const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    print_message(message);
}

void dj_cli_print_hint(const char *format, ...)
{
    char hint[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(hint, sizeof(hint), format, arguments);
    va_end(arguments);
    if (!is_repeated) {
        print_line("hint", hint);
    }
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
    print_once(format, arguments);
    va_end(arguments);
    return DJ_EXIT_USAGE;
}

int dj_cli_report_missing(const char *operand)
{
    dj_cli_print_message("missing operand %s", operand);
    dj_cli_print_hint("'dejank %s --help' shows the usage and examples", running);
    return DJ_EXIT_USAGE;
}

int dj_cli_check_rules(const struct dj_cli_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].is_broken) {
            return dj_cli_print_usage_error("%s", rules[i].message);
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
