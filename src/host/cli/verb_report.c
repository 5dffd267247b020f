#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/input_file.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "gfxinfo/parse.h"
#include "report/html.h"
#include "report/terminal.h"

struct report_options {
    const char *output;
};

static const struct dj_option options[] = {
    {"output", 'o', DJ_OPTION_STRING, offsetof(struct report_options, output), "FILE",
     "write FILE, in the format of its suffix (.html)"},
};

/* The formats, by suffix of the output's name. */
static const struct {
    const char *suffix;
    int (*write)(struct dj_text *text, const struct dj_views *views, const char *source,
                 struct dj_error *err);
} formats[] = {
    {".html", dj_report_html},
    {".htm", dj_report_html},
};
enum { FORMAT_COUNT = sizeof(formats) / sizeof(formats[0]) };

static int find_format(const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < FORMAT_COUNT; i++) {
        size_t suffix = strlen(formats[i].suffix);
        if (length > suffix &&
            strcasecmp(name + length - suffix, formats[i].suffix) == 0) {
            return i;
        }
    }
    return -1;
}

/* What the terminal takes: COLUMNS wins over what it says of itself; no terminal, no
 * colours and 80 columns. */
static struct dj_terminal_style terminal_style(void)
{
    struct dj_terminal_style style = {.width = 80};
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    bool dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    setlocale(LC_CTYPE, "");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        style.width = size.ws_col;
    }
    if (columns != NULL && columns[0] != '\0') {
        long asked = strtol(columns, NULL, 10);
        style.width = asked > DJ_TERMINAL_MOST ? DJ_TERMINAL_MOST
                      : asked > 0              ? (int)asked
                                               : style.width;
    }
    style.color =
        isatty(STDOUT_FILENO) && !dumb && (no_color == NULL || no_color[0] == '\0');
    style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return style;
}

static int print_terminal(const struct dj_views *views, struct dj_error *err)
{
    struct dj_text text = {0};
    struct dj_terminal_style style = terminal_style();
    int result = 0;
    dj_report_terminal(&text, views, &style);
    if (text.failed) {
        result = dj_error_set(err, DJ_E_NO_MEMORY, "the report does not fit into memory");
    } else {
        result = dj_output_print(&text, err);
    }
    dj_text_finish(&text);
    return result;
}

static int write_report(const struct dj_views *views, const char *source,
                        const char *output, struct dj_error *err)
{
    struct dj_text text = {0};
    int result = formats[find_format(output)].write(&text, views, source, err);
    if (result == 0) {
        result = dj_output_write(output, &text, err);
    }
    dj_text_finish(&text);
    return result;
}

static bool is_empty(const struct dj_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        if (!dj_view_is_empty(&views->view[i])) {
            return false;
        }
    }
    return true;
}

static void talk_of_warnings(const char *input, const struct dj_parse_report *report)
{
    size_t kept = report->warning_count < DJ_PARSE_WARNINGS ? report->warning_count
                                                            : DJ_PARSE_WARNINGS;
    for (size_t i = 0; i < kept; i++) {
        dj_complain("report", "%s:%zu: %s", input, report->warning[i].line,
                    report->warning[i].message);
    }
    if (report->warning_count > kept) {
        dj_complain("report", "%s: %zu more lines were passed over", input,
                    report->warning_count - kept);
    }
}

static int report_dump(const struct dj_dump *dump, const char *input, const char *output,
                       struct dj_error *err)
{
    struct dj_views views;
    if (dump->process_count == 0 && dump->not_found != NULL) {
        return dj_error_set(err, DJ_E_NO_DATA, "the dump says: No process found for: %s",
                            dump->not_found);
    }
    int result = dj_views_make(dump, &views, err);
    if (result == 0) {
        result = output != NULL ? write_report(&views, input, output, err)
                                : print_terminal(&views, err);
    }
    if (result == 0 && is_empty(&views)) {
        result = dj_error_set(err, DJ_E_NO_DATA, "no frames were recorded");
    }
    dj_views_finish(&views);
    return result;
}

static int report_text(const struct dj_text *text, const char *name, const char *output,
                       struct dj_error *err)
{
    struct dj_dump dump = {0};
    struct dj_parse_report warnings = {0};
    int result = dj_parse_dump(dj_text_get(text), text->length, &dump, &warnings, err);
    talk_of_warnings(name, &warnings);
    dj_error_prepend(err, "%s", name);
    if (result == 0) {
        result = report_dump(&dump, name, output, err);
    }
    dj_dump_finish(&dump);
    return result;
}

static int report_file(const char *input, const char *output)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    enum dj_exit code = DJ_EXIT_DATA;
    int result = dj_input_read(input, &text, &err);
    if (result == 0) {
        result = report_text(&text, dj_input_name(input), output, &err);
        code = dj_exit_for(result);
    }
    if (result != 0) {
        dj_complain("report", "%s", err.message);
    } else if (output != NULL) {
        dj_complain("report", "wrote %s", output);
    }
    dj_text_finish(&text);
    return (int)code;
}

static int run(int argc, char **argv)
{
    struct report_options values = {0};
    int operands = 0;
    int result = dj_options_parse(&dj_verb_report, argc, argv, &values, false, &operands);
    if (result != DJ_EXIT_OK) {
        return result < 0 ? DJ_EXIT_OK : result;
    }
    if (operands != 1) {
        dj_complain("report",
                    "expected one dump (a file, or - for the standard input), got %d",
                    operands);
        return DJ_EXIT_USAGE;
    }
    if (values.output != NULL && find_format(values.output) < 0) {
        dj_complain("report", "the suffix of '%s' names no format; there is: .html",
                    values.output);
        return DJ_EXIT_USAGE;
    }
    return report_file(argv[1], values.output);
}

const struct dj_verb dj_verb_report = {
    .name = "report",
    .synopsis = "DUMP.txt|- [-o FILE.html]",
    .summary = "draw a dump: figures, histogram, stages; on the terminal or as HTML",
    .details =
        "Reads the text of `dumpsys gfxinfo`, best with framestats. Without -o "
        "the report goes to the\n"
        "terminal, COLUMNS wide (20 to 200); NO_COLOR is honoured. The HTML is "
        "one file that works\n"
        "offline. Exit code 4 where the dump holds no frames, or the report cannot be "
        "written.",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
