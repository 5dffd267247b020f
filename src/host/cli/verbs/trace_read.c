#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "compare/operand.h"
#include "device/files.h"
#include "input/read.h"
#include "report/trace.h"
#include "segment/sections_layout.h"
#include "segment/select.h"
#include "trace/read.h"
#include "trace/rewrite.h"

struct trace_values {
    bool json, csv, summary;
    const char *output;
};

#define AT(member) offsetof(struct trace_values, member)
static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "print everything as JSON (docs/format/trace.md)"},
    {"csv", 0, DJ_OPTION_FLAG, AT(csv), NULL,
     "print each section, counter value, thread state, interrupt and call as CSV"},
    {"summary", 0, DJ_OPTION_FLAG, AT(summary), NULL,
     "print the count and total time of each section name, and the speed and idle time "
     "of each CPU"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write the trace in Perfetto's format: .pftrace or .perfetto-trace"},
};

static void print_error(const struct dj_error *err, void *user)
{
    (void)user;
    dj_cli_print_message("%s", err->message);
}

/* Finds the newest segment that matches the name and has sections. With `any`, a segment
 * that has only frames matches, too. */
static int find_by_name(const char *name, bool any, char path[DJ_SEGMENT_PATH],
                        struct dj_error *err)
{
    struct dj_segment_selection selection = {0};
    char sections[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    int code = dj_segment_select(name, print_error, NULL, &selection, err);
    if (code == 0) {
        code = selection.count > 0
                   ? dj_error_set(err, DJ_E_NO_DATA, "%s recorded no sections", name)
                   : dj_error_set(err, DJ_E_NOT_FOUND,
                                  "%s: no such file or recorded process", name);
    }
    for (size_t i = 0; i < selection.count; i++) {
        const char *found = selection.candidates[i].file.path;
        snprintf(sections, sizeof(sections), "%s" DJ_SECTIONS_SUFFIX, found);
        if (any || access(sections, F_OK) == 0) {
            snprintf(path, DJ_SEGMENT_PATH, "%s", found);
            code = 0;
            break;
        }
    }
    dj_segment_selection_finish(&selection);
    return code;
}

/* Returns NAME of "process:NAME", which means a recorded process even if a file has that
 * name. Returns NULL for other operands. */
static const char *parse_process(const char *operand)
{
    static const char prefix[] = "process:";
    bool named = strncmp(operand, prefix, sizeof(prefix) - 1) == 0;
    return named ? operand + sizeof(prefix) - 1 : NULL;
}

/* Reports that a recorded process has the name of the file: programs are often in the
 * folder in which they run. */
static void print_ambiguity(const char *operand)
{
    struct dj_segment_selection selection = {0};
    if (strchr(operand, '/') == NULL && strcmp(operand, "-") != 0 &&
        dj_segment_select(operand, NULL, NULL, &selection, NULL) == 0 &&
        selection.count > 0) {
        dj_cli_print_message("'%s' is a file and a recorded process: using the file; "
                             "'./%s' means the file "
                             "and 'process:%s' the process",
                             operand, operand, operand);
    }
    dj_segment_selection_finish(&selection);
}

/* Memory for each kind of row. The other rows are in files while all rows are sorted. */
enum { MEMORY_BYTES = 16 << 20 };

static int print_trace(const char *file, const char *operand, enum dj_trace_form form,
                       struct dj_error *err)
{
    const struct dj_trace_output output = {form, dj_terminal_style(),
                                           dj_terminal_width_is_known(), operand};
    bool shows_states = form == DJ_TRACE_FORM_JSON || form == DJ_TRACE_FORM_CSV;
    struct dj_trace trace = {.memory_bytes = MEMORY_BYTES,
                             .count_states = !shows_states,
                             .keep_spans = form != DJ_TRACE_FORM_LIST,
                             .sum_slices = form == DJ_TRACE_FORM_SUMMARY};
    int code = dj_trace_read(file, &trace, err);
    code = code != 0 ? code : dj_report_trace_write(&trace, &output, err);
    dj_trace_finish(&trace);
    return code;
}

/* Refuses to overwrite the input: parts of it that dejank does not read would be lost. */
static int write_to(const char *file, const char *output, struct dj_error *err)
{
    struct dj_text note = {0};
    if (dj_device_files_are_same(file, output)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--output: '%s' is the input: expected another name, because "
                            "dejank does not keep all parts of the input",
                            output);
    }
    int code = dj_trace_rewrite(file, output, &note, err);
    if (code == 0 && note.length > 0) {
        dj_cli_print_message("%s: %s", file, note.data);
    }
    dj_text_finish(&note);
    return code;
}

static int read_file(const char *operand, enum dj_trace_form form, const char *output)
{
    char path[DJ_SEGMENT_PATH];
    struct dj_error err = {0};
    int code = output != NULL ? dj_trace_rewrite_check(output, &err) : 0;
    const char *file = operand, *process = parse_process(operand);
    if (process == NULL && !dj_compare_operand_is_file(operand) &&
        strchr(operand, '/') == NULL) {
        process = operand;
    }
    if (code == 0 && process != NULL) {
        file = path;
        code = find_by_name(process, output != NULL, path, &err);
    } else if (code == 0) {
        print_ambiguity(operand);
    }
    if (code == 0) {
        dj_input_await(file, &dj_cli_messages);
        code = output != NULL ? write_to(file, output, &err)
                              : print_trace(file, operand, form, &err);
    }
    return dj_cli_finish(dj_cli_trace_input_code(code), &err);
}

static int run(void *given, int count, char **operands)
{
    struct trace_values *values = given;
    (void)count;
    int forms = values->json + values->csv + values->summary;
    const struct dj_cli_rule misuses[] = {
        {forms > 1, "--json, --csv and --summary exclude each other"},
        {values->output != NULL && forms > 0,
         "--output writes a trace: remove --json, --csv and --summary"},
    };
    int result = dj_cli_check_rules(misuses, COUNT_OF(misuses));
    if (result != DJ_EXIT_OK) {
        return result;
    }
    return read_file(operands[0],
                     values->json      ? DJ_TRACE_FORM_JSON
                     : values->csv     ? DJ_TRACE_FORM_CSV
                     : values->summary ? DJ_TRACE_FORM_SUMMARY
                                       : DJ_TRACE_FORM_LIST,
                     values->output);
}

static const struct dj_example examples[] = {
    {"List the sections of a recorded process, also while it runs",
     "dejank trace read neverball"},
    {"Summarize a trace of the kernel", "dejank trace read --summary trace.dat"},
    {"Convert an old systrace page for ui.perfetto.dev",
     "dejank trace read systrace.html -o systrace.pftrace"},
};

const struct dj_verb dj_verb_trace_read = {
    .name = "trace read",
    .synopsis = "[--json | --csv | --summary] FILE|PROCESS\n-o FILE.pftrace FILE|PROCESS",
    .summary = "list what a trace contains, or convert it for Perfetto",
    .description =
        "PROCESS is the name or pid of a process that dejank records or has recorded. If "
        "a file has the same name, write process:NAME. A section is a named part of a "
        "thread's work, which the program marks with dejank/sections.h.\n"
        "FILE is one of the following, also compressed or in an archive. If FILE is -, "
        "dejank reads standard input:\n"
        "recording\ta segment of dejank record, or its sections (PID.START.sections)\n"
        "kernel text\toutput of tracefs, atrace or 'trace-cmd report'\n"
        "perf script\ttext of 'perf script', with or without call stacks\n"
        "perf.data\ta file of perf record or simpleperf\n"
        "systrace\tan HTML page or JSON\n"
        "Chrome\tJSON of Chrome's tracing, or a page of trace2html\n"
        "trace.dat\ta file of trace-cmd\n"
        "simpleperf\toutput of 'simpleperf report-sample --protobuf'\n"
        "ring pages\traw pages of one CPU; the folder must also have the pages of the "
        "other CPUs and the formats of events\n"
        "Perfetto\ta trace of Perfetto (protobuf)\n"
        "If FILE or PROCESS is a recording of dejank, -o also writes its frames and "
        "their stages (docs/format/pftrace.md).\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE|PROCESS", 1, 1},
    DJ_OPTIONS(options, struct trace_values),
    .run = run,
};
