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
    {"device", 'd', DJ_OPTION_STRING, offsetof(struct script_values, device), "DEVICE",
     "device that waitForConnection() returns: this machine (local:), a serial of adb or "
     "HOST:PORT (default: the first device of adb)"},
    {"record-replay", 0, DJ_OPTION_STRING, offsetof(struct script_values, record), "DIR",
     "save each device's answers in DIR/DEVICE; '--device replay:DIR/DEVICE' replays "
     "them"},
};

/* Prints text on stderr, escaped for a terminal. Flushes stdout before, so that the
 * script's own output comes first. */
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

/* Reads a line byte by byte, so that the input after the line remains for the script. */
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
                       : dj_error_set(err, DJ_E_NO_DATA, "the input has ended");
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
    const struct dj_script_options wanted = {.file = operands[0],
                                             .args = (const char *const *)operands + 1,
                                             .arg_count = (size_t)count - 1,
                                             .device = values->device,
                                             .record = values->record,
                                             .interrupt = dj_stop_interrupt(),
                                             .dialogs = &talk};
    if (strcmp(operands[0], "-") != 0) { /* Standard input belongs to the script. */
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

static const struct dj_example examples[] = {
    {"Run a script on the first device of adb", "dejank script scroll.lua"},
    {"Run a script on this machine, with an argument of its own",
     "dejank script --device local: scroll.lua 20"},
};

const struct dj_verb dj_verb_script = {
    .name = "script",
    .synopsis = "[OPTION]… FILE.lua [ARG]…",
    .summary = "run a Lua script that drives devices, like MonkeyRunner",
    .description =
        "Scripts use the classes of Android's former tool monkeyrunner: MonkeyRunner, "
        "MonkeyDevice, MonkeyImage, EasyMonkeyDevice and By. dejank adds dejank.window{} "
        "and dejank.each(). docs/script.md describes all functions.\n"
        "The script gets its arguments as arg[1], arg[2] and so on. Write -- before "
        "arguments that begin with a dash. A script can do everything that its user can "
        "do. Ctrl-C raises an error in the script. The script then has one second to "
        "clean up. A second Ctrl-C ends the script.\n",
    .exit_codes = "3\ta device failed\n"
                  "4\tthe script failed or was not found; stderr shows the line\n"
                  "other\tthe exit code that the script passes to os.exit()\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE.lua", 1, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct script_values),
    .run = run,
};
