#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/stop.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "memory/memory.h"
#include "top/events.h"
#include "top/interactive.h"
#include "top/screen.h"

struct top_options {
    bool once, json;
    const char *device, *sort;
    int64_t for_ns;
};

#define AT(member) offsetof(struct top_options, member)
static const struct dj_option options[] = {
    {"once", '1', DJ_OPTION_FLAG, AT(once), NULL,
     "measure for 1 s (or the time of --for), print a table, and end"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "print each frame, and figures every second, as JSON lines (schema dejank.live/1)"},
    {"for", 0, DJ_OPTION_DURATION, AT(for_ns), "TIME",
     "end after TIME (default: until q or Ctrl-C)"},
    {"device", 'd', DJ_OPTION_STRING, AT(device), "DEVICE",
     "device to watch, as 'dejank devices' names it (default: local:)"},
    {"sort", 's', DJ_OPTION_CHOICE, AT(sort), DJ_LIVE_ORDERS,
     "order of the apps (default: jank)"},
};

/* Updates the views until a host time or a signal. Prints the events if `events` is not
 * NULL. */
static int watch(struct dj_top_views *views, struct dj_top_events *events, int64_t end_ns,
                 struct dj_error *err)
{
    int code = 0;
    bool is_last = false;
    while (code == 0 && !is_last) {
        struct dj_text text = {0};
        is_last = dj_stop_is_requested() || dj_host_now_ns() >= end_ns;
        code = dj_top_views_update(views, err);
        if (events != NULL) {
            dj_top_events_append(events, &text, views);
        }
        if (text.length > 0 &&
            (fputs(dj_xtext(&text), stdout) == EOF || fflush(stdout) != 0)) {
            code = dj_error_set(err, DJ_E_OUTPUT, "cannot write to the standard output");
        }
        dj_text_finish(&text);
        int64_t next_ns = dj_top_views_next_ns(views);
        int64_t until_ns = next_ns < end_ns ? next_ns : end_ns;
        if (!is_last && code == 0) {
            dj_host_sleep_ns(until_ns - dj_host_now_ns());
        }
    }
    return code == DJ_E_INTERRUPTED ? 0 : code;
}

static int report_no_app(const char *device, const char *app)
{
    bool is_local = dj_live_is_local(device);
    if (!is_local && app == NULL) {
        dj_cli_print_message("no app of %s has drawn a frame", device);
    } else if (!is_local) {
        dj_cli_print_message("no process of %s is named '%s'", device, app);
    } else if (app != NULL) {
        dj_cli_print_message("no recorded process is named '%s'", app);
    } else {
        dj_cli_print_message("no app is recorded");
    }
    dj_cli_print_hint(is_local ? "start an app with 'dejank record -- CMD'"
                               : "open the app on the device");
    return DJ_EXIT_DATA;
}

static int print_table(const struct dj_top_views *views, const struct top_options *values,
                       const char *measured)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    struct dj_document document = {0};
    size_t count;
    struct dj_live_row *rows =
        dj_top_views_create_rows(views, values->sort, true, &count);
    if (count == 0) {
        free(rows);
        return report_no_app(values->device,
                             views->app != NULL ? dj_live_get_app(views->app) : NULL);
    }
    dj_report_build_live_table(&document, rows, count, measured);
    dj_cli_append_document(&text, &document, false);
    free(rows);
    return dj_cli_finish_output(0, &text, &err);
}

static int run_once(struct dj_top_views *views, const struct top_options *values)
{
    struct dj_error err = {0};
    char measured[32];
    int64_t start_ns = dj_host_now_ns();
    int64_t for_ns = values->for_ns > 0 ? values->for_ns : DJ_SECOND_NS;
    int code = watch(views, NULL, start_ns + for_ns, &err);
    snprintf(measured, sizeof(measured), "%.1f s",
             (double)(dj_host_now_ns() - start_ns) / 1e9);
    return code == 0 ? print_table(views, values, measured) : dj_cli_finish(code, &err);
}

static int run_json(struct dj_top_views *views, int64_t end_ns)
{
    struct dj_error err = {0};
    struct dj_top_events events = {0};
    int code = watch(views, &events, end_ns, &err);
    dj_top_events_finish(&events);
    return dj_cli_finish(code, &err);
}

static int run_screen(struct dj_top_views *views, const char *order, int64_t end_ns)
{
    struct dj_error err = {0};
    const struct dj_terminal_style style = dj_terminal_style();
    const struct dj_interrupt_request stop = dj_stop_interrupt();
    int code = dj_top_screen_open(&style, DJ_EXIT_INTERNAL, &err);
    if (code != 0) {
        dj_cli_print_message("%s", err.message);
        dj_cli_print_hint("use --once or --json");
        return DJ_EXIT_USAGE;
    }
    code = dj_top_run_interactive(views, order, end_ns, &stop, &err);
    dj_top_screen_close();
    return dj_cli_finish(code == DJ_E_INTERRUPTED ? 0 : code, &err);
}

static int run(void *given, int count, char **operands)
{
    struct top_options *values = given;
    const char *app = count > 0 ? operands[0] : NULL;
    struct dj_top_views views;
    struct dj_error err = {0};
    const struct dj_cli_rule rules[] = {
        {values->once && values->json, "--once and --json exclude each other"},
    };
    int result = dj_cli_check_rules(rules, COUNT_OF(rules));
    if (result != DJ_EXIT_OK) {
        return result;
    }
    values->sort = values->sort != NULL ? values->sort : "jank";
    dj_stop_handle_signals();
    const struct dj_interrupt_request stop = dj_stop_interrupt();
    int code = dj_top_views_open(&views, values->device, app, &stop, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    int64_t end_ns = values->for_ns > 0 ? dj_host_now_ns() + values->for_ns : INT64_MAX;
    result = values->once   ? run_once(&views, values)
             : values->json ? run_json(&views, end_ns)
                            : run_screen(&views, values->sort, end_ns);
    dj_top_views_finish(&views);
    return result;
}

static const struct dj_example examples[] = {
    {"Watch all recorded apps of this machine", "dejank top"},
    {"Print a table of the last second", "dejank top --once"},
    {"Watch the apps of an Android device", "dejank top -d adb:"},
    {"Save each frame of an app for a minute, for a script",
     "dejank top --json --for 60s neverball > frames.jsonl"},
};

const struct dj_verb dj_verb_top = {
    .name = "top",
    .synopsis = "[OPTION]… [APP]",
    .summary = "show the frames of running apps as they happen",
    .description =
        "Shows one line for each recorded app of this machine, or for each app of DEVICE "
        "that has drawn frames. The figures describe the last 10 s. With APP, a process "
        "name or pid, dejank shows only this app, which may also start later. dejank "
        "does not stop an app and does not reset its counters.\n"
        "The small chart of each app shows the longest frame times of the last 10 s. A "
        "bar of half the height means one frame interval, such as 16.7 ms at 60 Hz.\n"
        "Keys:\n"
        "q\tquit\n"
        "Up, Down\tselect an app, or scroll\n"
        "Enter\tshow the histogram, the stages and the last janky frames with findings\n"
        "Esc\treturn to all apps\n"
        "p\tpause\n"
        "s\tsort by another column\n",
    .exit_codes = "2\tstdout is not a terminal, and neither --once nor --json is given\n"
                  "3\tthe device was not found, or was disconnected\n"
                  "4\tno app is recorded, or none has drawn (with --once), or the result "
                  "was not written\n",
    DJ_EXAMPLES(examples),
    .operands = {"APP", 0, 1},
    DJ_OPTIONS(options, struct top_options),
    .run = run,
};
