#include <stdlib.h>
#include <string.h>

#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "cli/verbs/list_jank_rules.h"
#include "cli/verbs/report_batches.h"
#include "compare/operand.h"
#include "import/dump_input.h"
#include "input/read.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/dumps.h"
#include "report/file_format.h"
#include "report/instrument_tests.h"

struct report_options {
    const char *output, *store, *jank_rule;
    bool all;
    struct dj_side_filter filter;
};

#define AT(member) offsetof(struct report_options, member)
static const struct dj_option options[] = {
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write FILE in the format of its suffix (default: print in the terminal)"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL, "print every figure, run and condition"},
    {"jank-rule", 0, DJ_OPTION_JANK_RULE, AT(jank_rule), "RULE",
     "print the jank figure of this rule, and its formula, for each window of a dump or "
     "over the runs of a batch (all: every rule; list: only the names of the rules)"},
    {"project", 0, DJ_OPTION_STRING, AT(filter.project), "NAME",
     "for a build: use only batches of this project"},
    {"device", 'd', DJ_OPTION_STRING, AT(filter.serial), "SERIAL",
     "for a build: use only batches of the device with this serial"},
    {"flow", 0, DJ_OPTION_STRING, AT(filter.flow), "NAME",
     "for a build: use only batches of this flow, which is the batches' name"},
    DJ_STORE_OPTION(struct report_options, store),
};

/* All dumps that were read. Views point into the dumps, so each dump has its own
 * allocation and never moves. */
struct report {
    struct dj_parsed **parsed;
    size_t count;
    struct dj_views views;
};

/* Keeps a parsed dump, because views point into it. */
static int add_parsed(void *data, struct dj_parsed *parsed)
{
    struct report *report = data;
    struct dj_parsed *kept = dj_xcalloc(1, sizeof(*kept));
    DJ_XPUSH(report->parsed, report->count, kept);
    *kept = *parsed;
    *parsed = (struct dj_parsed){0};
    return 0;
}

static void finish_report(struct report *report)
{
    dj_report_finish_views(&report->views);
    for (size_t i = 0; i < report->count; i++) {
        dj_import_finish_dump(report->parsed[i]);
        free(report->parsed[i]);
    }
    free(report->parsed);
}

/* Reads all inputs. Returns the highest exit code of an input. */
static int read_all(int count, char **paths, struct report *report)
{
    int code = DJ_EXIT_OK;
    for (int i = 0; i < count; i++) {
        struct dj_dump_input input;
        dj_import_input_read(paths[i], NULL, &dj_cli_messages, add_parsed, report,
                             &input);
        if (!dj_import_input_describe(&input, &dj_cli_messages)) {
            code = DJ_EXIT_DATA;
        }
        dj_import_input_finish(&input);
    }
    for (size_t i = 0; i < report->count; i++) {
        dj_report_add_views(&report->views, report->parsed[i]);
    }
    return code;
}

static int write_text(const struct dj_text *text, const char *output,
                      struct dj_error *err)
{
    int result = dj_output_write(output, text, err);
    if (result == 0) {
        dj_cli_print_message("wrote %s", output);
    }
    return result;
}

/* Draws the inputs. Writes no file if they contain no frames. */
static int draw_inputs(int count, char **paths, const char *output, bool with_details,
                       struct dj_text *text, struct dj_error *err)
{
    struct report report = {0};
    int result = 0;
    int code = read_all(count, paths, &report);
    if (report.views.count > 0 && output == NULL) {
        struct dj_document document = {.is_brief = !with_details};
        dj_report_build_views(&document, &report.views);
        dj_cli_append_document(text, &document, with_details);
        result = dj_output_print(text, err);
    } else if (report.views.count > 0) {
        result = dj_report_format_draw(dj_report_format_find(output), text, &report.views,
                                       err);
        result = result == 0 ? write_text(text, output, err) : result;
    } else if (output != NULL) {
        dj_cli_print_message("nothing to draw: %s was not written", output);
    }
    finish_report(&report);
    return result == 0 ? code : dj_cli_exit_code(result);
}

static int form_inputs(int count, char **paths, const char *output, struct dj_text *text,
                       struct dj_error *err)
{
    struct dj_forming forming = {.form = dj_report_format_find(output)->form,
                                 .rows = true};
    bool all_ok;
    int result =
        dj_report_dumps(&forming, count, paths, &dj_cli_messages, text, &all_ok, err);
    result = result == 0 ? write_text(text, output, err) : result;
    return result != 0 ? dj_cli_exit_code(result) : all_ok ? DJ_EXIT_OK : DJ_EXIT_DATA;
}

/* Appends the tests of all inputs that are output of `am instrument`. */
static int write_tests(int count, char **paths, struct dj_text *text)
{
    struct dj_junit junit = {.suites = {0}};
    int result = DJ_EXIT_OK;
    for (int i = 0; i < count; i++) {
        struct dj_error err = {0};
        int code =
            dj_report_add_instrument_output(&junit, paths[i], &dj_cli_messages, &err);
        if (code != 0) {
            dj_cli_print_message("%s: %s", dj_input_name(paths[i]), err.message);
            result = dj_cli_exit_code(code);
        }
    }
    if (junit.suites.length > 0) {
        dj_report_write_junit(text, &junit);
    }
    dj_report_finish_junit(&junit);
    return result;
}

static int report_tests(int count, char **paths, const char *output, struct dj_text *text,
                        struct dj_error *err)
{
    int code = write_tests(count, paths, text);
    int result = text->length > 0 ? write_text(text, output, err) : 0;
    return result == 0 ? code : dj_cli_exit_code(result);
}

static int make_report(int count, char **paths, const char *output, bool with_details)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    int code = DJ_EXIT_OK;
    if (output != NULL && dj_output_check(output, &err) != 0) {
        code = dj_cli_exit_code(err.code);
    } else if (output != NULL && dj_report_format_find(output)->tests) {
        code = report_tests(count, paths, output, &text, &err);
    } else if (output != NULL &&
               !dj_report_format_is_drawn(dj_report_format_find(output))) {
        code = form_inputs(count, paths, output, &text, &err);
    } else {
        code = draw_inputs(count, paths, output, with_details, &text, &err);
    }
    if (err.code != 0) {
        dj_cli_print_message("%s", err.message);
    }
    dj_text_finish(&text);
    return code;
}

/* Prints the figures of a jank rule for each window of the dumps. */
static int print_jank_rule(const struct report_options *values, int count, char **paths)
{
    struct dj_forming forming = {
        .form = DJ_FORM_JANK, .jank_rule = values->jank_rule, .print = true};
    struct dj_text text = {0};
    struct dj_error err = {0};
    bool all_ok;
    int code =
        dj_report_dumps(&forming, count, paths, &dj_cli_messages, &text, &all_ok, &err);
    dj_text_finish(&text);
    return code == 0 && !all_ok ? DJ_EXIT_DATA : dj_cli_finish(code, &err);
}

/* Reports operands that are neither files nor batches, and removes them. Returns the
 * number of remaining operands. */
static int remove_unknown(int count, char **operands, const char *store)
{
    int known = 0;
    for (int i = 0; i < count; i++) {
        if (dj_compare_operand_kind(operands[i], store, false, &dj_cli_messages) ==
            DJ_OPERAND_NOTHING) {
            dj_cli_print_message("'%s' is neither a file nor a batch in the store",
                                 operands[i]);
        } else {
            operands[known++] = operands[i];
        }
    }
    return known;
}

/* Reports files. Operands without a file and a batch are errors. */
static int report_files(int count, char **operands, const struct report_options *values)
{
    int known = remove_unknown(count, operands, values->store);
    int code = DJ_EXIT_OK;
    if (known > 0) {
        code = make_report(known, operands, values->output, values->all);
    } else if (values->output != NULL) {
        dj_cli_print_message("nothing to draw: %s was not written", values->output);
    }
    return code == DJ_EXIT_OK && known < count ? DJ_EXIT_DATA : code;
}

static int run(void *given, int count, char **operands)
{
    struct report_options *values = given;
    if (values->jank_rule != NULL && strcmp(values->jank_rule, "list") == 0) {
        return dj_cli_list_jank_rules();
    }
    if (values->output != NULL && dj_report_format_find(values->output) == NULL) {
        dj_report_format_reject(values->output, false, &dj_cli_messages);
        return DJ_EXIT_USAGE;
    }
    if (count == 0) {
        return dj_cli_report_missing("FILE|BATCH");
    }
    enum dj_report_operands of = dj_report_operands(count, operands, values->store);
    if (of == DJ_REPORT_OPERANDS_BOTH) {
        return DJ_EXIT_USAGE;
    }
    bool batches = of == DJ_REPORT_OPERANDS_BATCHES;
    if (values->jank_rule != NULL && values->output != NULL &&
        (!batches || dj_report_format_find(values->output)->tests)) {
        return dj_cli_print_usage_error(
            batches ? "--jank-rule and an output of tests (.xml) exclude each other"
                    : "--jank-rule of dumps and --output exclude each other");
    }
    if (batches) {
        const struct dj_batches_command command = {values->store, values->output,
                                                   values->jank_rule, &values->filter,
                                                   values->all};
        return dj_report_batches(count, operands, &command);
    }
    return values->jank_rule != NULL ? print_jank_rule(values, count, operands)
                                     : report_files(count, operands, values);
}

static const struct dj_example examples[] = {
    {"Draw a dump in the terminal", "dejank report dump.txt"},
    {"Write a page with interactive charts", "dejank report dump.txt -o report.html"},
    {"Compare all batches of two builds on one page",
     "dejank report 1.7 1.8 -o builds.html"},
    {"Write the instrumentation tests of an Android app as JUnit XML",
     "adb shell am instrument -r -w TESTS | dejank report - -o tests.xml"},
};

const struct dj_verb dj_verb_report = {
    .name = "report",
    .synopsis = "[-o FILE] FILE…\n"
                "[-o FILE] [--jank-rule RULE] [--project NAME] [--device SERIAL] "
                "[--flow NAME] BATCH…",
    .summary = "draw dumps or batches: figures, histogram and stages",
    .description =
        "FILE is a dump that 'dejank parse' can read; - is standard input. BATCH is a "
        "batch in the store: its id, the beginning of its id, its name or its project. A "
        "label, version or commit means all batches of that build. If a file and a batch "
        "have the same name, write ./NAME for the file and batch:NAME for the batch.\n"
        "The report of a batch shows each run as a point. It also shows mean, median and "
        "spread of the runs, all frame times, and why runs failed.\n"
        "Suffixes of -o:\n"
        ".html\tone page with charts to zoom; works offline\n"
        ".svg .png\ta picture with the figures, the worst frames, the histogram and the "
        "stages\n"
        ".md\tMarkdown for a merge request or an issue\n"
        ".json .csv\tthe output of dejank parse --json --rows and --csv\n"
        ".xml\tJUnit XML: tests from the output of 'am instrument -r', or from the runs "
        "and tests of BATCH\n"
        "The variable COLUMNS sets the width in the terminal (20 to 200), and NO_COLOR "
        "switches colours off.\n",
    .exit_codes = "4\tan input contains no frames, and the report has only the other "
                  "inputs; or dejank cannot write the report\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE|BATCH", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct report_options),
    .run = run,
};
