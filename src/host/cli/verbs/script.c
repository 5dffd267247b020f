#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/stop.h"
#include "cli/verbs.h"
#include "input/read.h"
#include "memory/memory.h"
#include "script/script.h"

struct script_values {
    const char *device, *record;
};

static const struct dj_option options[] = {
    {"device", 'd', DJ_OPTION_STRING, offsetof(struct script_values, device), "D",
     "what waitForConnection() gives: local:, an adb serial, HOST:PORT (else adb's "
     "first)"},
    {"record-replay", 0, DJ_OPTION_STRING, offsetof(struct script_values, record), "DIR",
     "write what each device answers into DIR/DEVICE, for replay:DIR/DEVICE"},
};

/* Flushes the script's own output first. */
static void print_escaped(const char *text, size_t length)
{
    struct dj_text safe = {0};
    dj_text_append_escaped(&safe, text, length);
    fflush(stdout);
    fputs(dj_xtext(&safe), stderr);
    dj_text_finish(&safe);
}

static void print_line(void *user, const char *text)
{
    (void)user;
    print_escaped(text, strlen(text));
    fputs("\n", stderr);
}

/* Reads byte by byte: the input after the line belongs to the script. */
static int read_line(struct dj_text *line, struct dj_error *err)
{
    for (;;) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        char byte;
        if (dj_stop_is_requested()) {
            return dj_error_set(err, DJ_E_INTERRUPTED, "interrupted");
        }
        if (poll(&input, 1, 100) <= 0) {
            continue;
        }
        ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got == 1 && byte != '\n') {
            dj_text_append(line, &byte, 1);
        } else {
            return got == 1 || line->length > 0
                       ? 0
                       : dj_error_set(err, DJ_E_NO_DATA, "the input is at its end");
        }
    }
}

static int prompt_line(void *user, const char *prompt, struct dj_text *line,
                       struct dj_error *err)
{
    (void)user;
    print_escaped(prompt, strlen(prompt));
    line->maximum = 65536;
    int code = read_line(line, err);
    if (!isatty(STDIN_FILENO)) {
        fputs("\n", stderr);
    }
    return code;
}

static int run(void *given, int count, char **operands)
{
    struct script_values *values = given;
    const struct dj_script_dialogs talk = {print_line, prompt_line, NULL};
    struct dj_script_outcome outcome = {0};
    struct dj_error err = {0};
    if (count < 1) {
        return dj_cli_print_usage_error("expected a script (see dejank script --help)");
    }
    const struct dj_script_options wanted = {.file = operands[0],
                                             .args = (const char *const *)operands + 1,
                                             .arg_count = (size_t)count - 1,
                                             .device = values->device,
                                             .record = values->record,
                                             .interrupt = dj_stop_interrupt(),
                                             .dialogs = &talk};
    if (strcmp(operands[0], "-") != 0) { /* the standard input is the script's */
        dj_input_await(operands[0], &dj_cli_messages);
    }
    dj_stop_handle_signals();
    int code = dj_script_run(&wanted, &outcome, &err);
    if (code != 0) {
        fflush(stdout);
        dj_cli_print_message("%s", err.message);
        if (outcome.traceback.length > 0) {
            print_escaped(dj_xtext(&outcome.traceback), outcome.traceback.length);
            fputs("\n", stderr);
        }
    }
    int result = outcome.exited ? outcome.exit_code & 0xff : dj_cli_exit_code(code);
    dj_script_outcome_finish(&outcome);
    return result;
}

const struct dj_verb dj_verb_script = {
    .name = "script",
    .synopsis = "[--device D] FILE.lua [ARG…]",
    .summary = "run a script in Lua with MonkeyRunner's names",
    .details =
        "MonkeyRunner, MonkeyDevice, MonkeyImage, EasyMonkeyDevice and By are as they\n"
        "were, dejank.window{} and dejank.each() are new; docs/script.md has them all.\n"
        "ARGs are the script's arg[1] and so on; those that begin with a dash stand\n"
        "behind --. A script is a program of its user's: all of Lua's library is there.\n"
        "Ctrl-C throws an error where the script is, which has a second to tidy up; a\n"
        "second one ends it.\n"
        "\n"
        "Exit codes: that of os.exit(); 3 where a device was the reason; 4 an error of\n"
        "the script (its message has file and line, a traceback follows), or no such\n"
        "file.",
    DJ_OPTIONS(options, struct script_values),
    .run = run,
};
