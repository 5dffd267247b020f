#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "output/file.h"
#include "report/trace.h"

struct symbolize_values {
    struct dj_option_list symbols;
    const char *output;
    bool json;
};

#define AT(member) offsetof(struct symbolize_values, member)
static const struct dj_option options[] = {
    {"symbols", 's', DJ_OPTION_LIST, AT(symbols), "DIR",
     "also search debug files below this folder; repeatable"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write the result to FILE (default: replace TRACE)"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (docs/format/symbolize.md)"},
};

static void write_report(struct dj_text *text, const char *output, bool as_json,
                         const struct dj_symbolized *result)
{
    struct dj_document document = {0};
    if (as_json) {
        dj_report_symbolized_json(text, output, result);
        return;
    }
    dj_report_add_symbolized(&document, output, result);
    dj_cli_append_document(text, &document, true);
}

static int run(void *given, int count, char **operands)
{
    const struct symbolize_values *values = given;
    const char *output = values->output != NULL ? values->output : operands[0];
    struct dj_stacks_debug_files *files = dj_stacks_debug_files_create();
    struct dj_symbolized result = {.functions = 0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    int code = 0;
    (void)count;
    for (size_t i = 0; i < values->symbols.count && code == 0; i++) {
        code = dj_stacks_debug_files_add(files, values->symbols.values[i], &err);
    }
    code =
        code != 0 ? code : dj_trace_symbolize(operands[0], output, files, &result, &err);
    if (code == 0) {
        write_report(&text, output, values->json, &result);
    }
    dj_trace_symbolized_finish(&result);
    dj_stacks_debug_files_destroy(files);
    return dj_cli_finish_output(dj_cli_trace_input_code(code), &text, &err);
}

static const struct dj_example examples[] = {
    {"Name functions with the installed debug files",
     "dejank trace symbolize trace.pftrace"},
    {"Name functions of a stripped app with its unstripped build",
     "dejank trace symbolize trace.pftrace --symbols ~/build -o named.pftrace"},
};

const struct dj_verb dj_verb_trace_symbolize = {
    .name = "trace symbolize",
    .synopsis = "[--symbols DIR]… [-o FILE] TRACE",
    .summary = "name the functions of sampled call stacks with debug files",
    .description =
        "TRACE is an uncompressed Perfetto trace with sampled call stacks (trace capture "
        "--stacks, or Android's linux.perf). In such a trace, a function of a stripped "
        "file has no name and appears as LIBRARY!0xSTART. dejank finds the file with the "
        "symbols by its build-id, and adds the names of the functions to the trace. "
        "'dejank trace triage' and Perfetto's UI then show these names. Nothing else "
        "changes.\n"
        "dejank searches below each DIR for .build-id/xx/yyyy.debug, and for any ELF "
        "file with the right build-id, such as the unstripped program. Then dejank "
        "searches /usr/lib/debug and the sampled file itself. dejank never uses a file "
        "with another build-id.\n",
    DJ_EXAMPLES(examples),
    .operands = {"TRACE", 1, 1},
    DJ_OPTIONS(options, struct symbolize_values),
    .run = run,
};
