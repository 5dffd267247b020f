#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
     "everything, as JSON (docs/format/trace.md)"},
    {"csv", 0, DJ_OPTION_FLAG, AT(csv), NULL,
     "a line per section, counter value, state, interrupt, call"},
    {"summary", 0, DJ_OPTION_FLAG, AT(summary), NULL,
     "a line per name: how often, how long; per CPU how fast and how idle"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write it as a trace for Perfetto (.pftrace)"},
};

static void complain_of(const struct dj_error *err, void *user)
{
    (void)user;
    dj_cli_print_message("%s", err->message);
}

/* Finds the newest segment that matches the name and has sections. `any`: one with only
 * frames, too. */
static int find_by_name(const char *name, bool any, char path[DJ_SEGMENT_PATH],
                        struct dj_error *err)
{
    struct dj_segment_selection selection = {0};
    char beside[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    int code = dj_segment_select(name, complain_of, NULL, &selection, err);
    if (code == 0) {
        code = selection.count > 0
                   ? dj_error_set(err, DJ_E_NO_DATA, "%s recorded no sections", name)
                   : dj_error_set(
                         err, DJ_E_NOT_FOUND,
                         "%s: no such file, and no recorded process of that name", name);
    }
    for (size_t i = 0; i < selection.count; i++) {
        const char *found = selection.candidates[i].file.path;
        snprintf(beside, sizeof(beside), "%s" DJ_SECTIONS_SUFFIX, found);
        if (any || access(beside, F_OK) == 0) {
            snprintf(path, DJ_SEGMENT_PATH, "%s", found);
            code = 0;
            break;
        }
    }
    dj_segment_selection_finish(&selection);
    return code;
}

/* Reads the recorded process of "process:NAME", even if a file has that name. */
static const char *parse_process(const char *operand)
{
    static const char prefix[] = "process:";
    bool named = strncmp(operand, prefix, sizeof(prefix) - 1) == 0;
    return named ? operand + sizeof(prefix) - 1 : NULL;
}

/* Says that a recorded process has the name of the file: programs are often in the folder
 * in which they run. */
static void print_ambiguity(const char *operand)
{
    struct dj_segment_selection selection = {0};
    if (strchr(operand, '/') == NULL && strcmp(operand, "-") != 0 &&
        dj_segment_select(operand, NULL, NULL, &selection, NULL) == 0 &&
        selection.count > 0) {
        dj_cli_print_message(
            "'%s' is a file here and a recorded process: the file is taken, "
            "which ./%s names, too; the process is process:%s",
            operand, operand, operand);
    }
    dj_segment_selection_finish(&selection);
}

/* Memory for each kind of row; while rows are sorted, the rest is on the disk. */
enum { MEMORY_BYTES = 16 << 20 };

static int print_trace(const char *file, enum dj_trace_form form, struct dj_error *err)
{
    bool shows_states = form == DJ_TRACE_FORM_JSON || form == DJ_TRACE_FORM_CSV;
    struct dj_trace trace = {.memory_bytes = MEMORY_BYTES,
                             .count_states = !shows_states,
                             .keep_spans = form != DJ_TRACE_FORM_LIST,
                             .sum_slices = form == DJ_TRACE_FORM_SUMMARY};
    int code = dj_trace_read(file, &trace, err);
    code = code != 0 ? code : dj_report_trace_write(&trace, form, err);
    dj_trace_finish(&trace);
    return code;
}

/* Refuses to overwrite the input: parts of it that dejank does not read would be lost. */
static int write_to(const char *file, const char *output, struct dj_error *err)
{
    struct dj_text note = {0};
    if (dj_device_files_are_same(file, output)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "%s: is what is read: give -o another name, as not all of it "
                            "would be written",
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
        code =
            output != NULL ? write_to(file, output, &err) : print_trace(file, form, &err);
    }
    return dj_cli_finish(dj_cli_trace_input_code(code), &err);
}

static int run(void *given, int count, char **operands)
{
    struct trace_values *values = given;
    int forms = values->json + values->csv + values->summary;
    const struct dj_cli_rule misuses[] = {
        {count != 1, "expected one file (see dejank trace read --help)"},
        {forms > 1, "--json, --csv and --summary: choose one"},
        {values->output != NULL && forms > 0,
         "-o writes a trace, whose form its ending says: without --json, --csv and "
         "--summary"},
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

const struct dj_verb dj_verb_trace_read = {
    .name = "trace read",
    .synopsis = "FILE [--json|--csv|--summary | -o FILE]",
    .summary = "list what a trace holds: sections, counters, what threads and CPUs did",
    .details =
        "FILE is a process's segment, its sections beside it (PID.START.sections), or\n"
        "the name or pid of a recorded process (process:NAME where a file is called so,\n"
        "too). Sections come from the program's own\n"
        "calls (dejank/sections.h). Also while it runs, hangs, or after it was killed.\n"
        "Or it is a trace of the kernel: text of tracefs, atrace or trace-cmd report,\n"
        "or a page or JSON of systrace, also compressed or in an archive (- is standard\n"
        "input); Chrome's JSON, also as trace2html packs it;\n"
        "trace.dat; or a CPU's ring pages, with those of the other CPUs and the folder\n"
        "formats beside them; or packets of Perfetto.\n"
        "-o writes it as a trace for Perfetto (.pftrace or .perfetto-trace), recordings\n"
        "of ours with the frames and their stages (docs/format/pftrace.md).",
    DJ_OPTIONS(options, struct trace_values),
    .run = run,
};
