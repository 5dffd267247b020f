#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "compare/operand.h"
#include "input/read.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/triage.h"
#include "trace/read.h"
#include "triage/batch.h"
#include "triage/frames_file.h"

/* The longest budget that is accepted. A user who gives a longer one probably meant
 * milliseconds. */
static const int64_t LONGEST_BUDGET_NS = INT64_C(4000000000);

struct triage_values {
    struct dj_triage_rules rules;
    const char *frames, *against, *store, *output, *clock;
    bool json, all;
};

#define AT(member) offsetof(struct triage_values, member)
static const struct dj_option options[] = {
    {"frames", 0, DJ_OPTION_STRING, AT(frames), "SLICES|FILE",
     "frames to explain: sections with this name (* and ? are wildcards), or the frames "
     "of a gfxinfo dump or of another trace of the same time"},
    {"clockid", 0, DJ_OPTION_CHOICE, AT(clock), "monotonic",
     "clock of a FILE recorded with 'perf record -k', if FILE does not state its clock"},
    {"budget", 0, DJ_OPTION_PERIOD, AT(rules.budget_ns), "TIME|RATE",
     "deadline of each frame: TIME after its start, such as 16.667ms or 60Hz (default: "
     "the deadline in the trace, otherwise one refresh period)"},
    {"against", 0, DJ_OPTION_STRING, AT(against), "FILE|BATCH",
     "trace or batch with smooth frames, to which janky frames are compared"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (docs/format/triage.md)"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "also write FILE in the format of its suffix: .html, .md, .svg, .png, or call "
     "stacks "
     "as .folded or .speedscope.json"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL, "print all evidence"},
    DJ_STORE_OPTION(struct triage_values, store),
};

/* Reads the frames of the file that --frames names. If there is no such file, the value
 * is a name of slices. */
static int read_frames(struct triage_values *values, struct dj_triage_rows *rows,
                       struct dj_error *err)
{
    if (values->frames == NULL || access(values->frames, F_OK) != 0) {
        values->rules.frames = values->frames;
        return 0;
    }
    values->rules.rows = rows;
    return dj_cli_trace_input_code(
        dj_triage_rows_read_file(rows, values->frames, &dj_cli_messages, err));
}

/* Adds a trace to the triage or to its base. */
static int add_file(struct dj_triage_sum *sum, const char *path, bool base,
                    const struct triage_values *values, struct dj_error *err)
{
    const struct dj_triage_rows *rows = values->rules.rows;
    struct dj_trace trace = {.keep_marks = true, .keep_samples = true};
    dj_input_await(path, &dj_cli_messages);
    int code = dj_cli_trace_input_code(dj_trace_read(path, &trace, err));
    if (code == 0 && values->clock != NULL) {
        dj_trace_assume_monotonic(&trace);
    }
    if (code == 0) {
        code = base ? dj_triage_add_base(sum->triage, &trace, err)
                    : dj_triage_add(sum->triage, &trace, path, err);
        if (code == 0 && !base && rows != NULL) {
            dj_triage_findings_add(&sum->findings, sum->triage, &trace.clock, rows);
        }
        if (code != 0) {
            dj_error_prepend(err, "%s", path);
        }
    }
    dj_trace_finish(&trace);
    return code;
}

static int add_batch(struct dj_triage_sum *sum, const char *name, const char *store,
                     bool base, struct dj_error *err)
{
    struct dj_store *history = NULL;
    int64_t key = 0;
    int code = dj_store_open_existing(store, &history, err);
    if (code == 0 && history == NULL) {
        code =
            dj_error_set(err, DJ_E_NO_DATA, "no such file, and the store does not exist");
    }
    code = code != 0 ? code : dj_store_find_batch(history, name, &key, err);
    code = code != 0 ? code : dj_triage_add_batch(sum, history, key, base, err);
    if (code != 0) {
        dj_error_prepend(err, "%.80s", name);
    }
    dj_store_close(history);
    return code;
}

/* Adds a file or a stored batch. */
static int add_operand(struct dj_triage_sum *sum, const char *operand, bool base,
                       const struct triage_values *values, struct dj_error *err)
{
    const char *store = values->store;
    enum dj_operand kind =
        dj_compare_operand_kind(operand, store, false, &dj_cli_messages);
    return kind == DJ_OPERAND_FILE || (kind == DJ_OPERAND_NOTHING && strchr(operand, '/'))
               ? add_file(sum, operand, base, values, err)
               : add_batch(sum, dj_compare_operand_batch_name(operand), store, base, err);
}

static int write_triage(const struct dj_triage_result *result,
                        const struct dj_triage_findings *tie,
                        const struct triage_values *values, struct dj_error *err)
{
    struct dj_text text = {0};
    struct dj_document document = {0};
    int code = 0;
    dj_document_set_title(&document, "Causes of jank — dejank");
    dj_report_add_triage(&document, result, tie);
    if (values->output != NULL && dj_report_is_call_export(values->output)) {
        code = dj_report_export_calls(values->output, result, err);
    } else if (values->output != NULL) {
        code = dj_document_write(&text, &document,
                                 dj_document_find_format(values->output), err);
        code = code == 0 ? dj_output_write_or_save(values->output, &text, err) : code;
        dj_text_clear(&text);
    }
    if (values->json) {
        dj_report_write_triage_json(&text, result, tie);
    } else {
        dj_cli_append_document(&text, &document, values->all);
    }
    code = code == 0 ? dj_output_print(&text, err) : code;
    dj_document_finish(&document);
    dj_text_finish(&text);
    return code;
}

static int add_all(struct dj_triage_sum *sum, const struct triage_values *values,
                   char **operands, int count, struct dj_error *err)
{
    int code = 0;
    if (values->against != NULL) {
        code = add_operand(sum, values->against, true, values, err);
    }
    for (int i = 0; code == 0 && i < count; i++) {
        code = add_operand(sum, operands[i], false, values, err);
    }
    fputs(dj_xtext(&sum->notes), stderr);
    return code;
}

static int triage_all(struct triage_values *values, char **operands, int count,
                      struct dj_error *err)
{
    const struct dj_triage_result *result;
    struct dj_triage_rows rows = {0};
    struct dj_triage_sum sum = {0};
    int code = read_frames(values, &rows, err);
    if (code == 0) {
        sum.triage = dj_triage_create(&values->rules);
        code = add_all(&sum, values, operands, count, err);
    }
    code = code != 0 ? code : dj_triage_weigh(sum.triage, &result, err);
    if (code == 0) {
        dj_triage_findings_compute(&sum.findings, sum.triage);
        code = write_triage(result, &sum.findings, values, err);
    }
    dj_triage_sum_finish(&sum);
    dj_triage_rows_finish(&rows);
    return code;
}

static int run(void *given, int count, char **operands)
{
    struct triage_values *values = given;
    const struct dj_cli_rule misuses[] = {
        {values->frames != NULL && values->frames[0] == '\0',
         "--frames: expected a name of sections such as 'frame *', a gfxinfo dump or a "
         "trace"},
        {values->output != NULL && dj_document_find_format(values->output) == NULL &&
             !dj_report_is_call_export(values->output),
         "--output: expected a name that ends in .html, .md, .svg, .png, .folded or "
         ".speedscope.json"},
        {values->rules.budget_ns > LONGEST_BUDGET_NS,
         "--budget: expected at most 4s, such as 16.667ms (without a unit: seconds)"},
    };
    int result = dj_cli_check_rules(misuses, COUNT_OF(misuses));
    if (result != DJ_EXIT_OK) {
        return result;
    }
    struct dj_error err = {0};
    int code = triage_all(values, operands, count, &err);
    return dj_cli_finish(code, &err);
}

static const struct dj_example examples[] = {
    {"Explain the janky frames of a trace", "dejank trace triage trace.pftrace"},
    {"Explain the traces of a stored batch against those of an earlier batch",
     "dejank trace triage scroll-1.8 --against scroll-1.7"},
    {"Treat sections as frames, at 120 Hz",
     "dejank trace triage trace.dat --frames 'frame *' --budget 120Hz"},
    {"Name the functions that perf sampled in the frames of a dump",
     "dejank trace triage perf.txt --frames gfxinfo.txt"},
};

const struct dj_verb dj_verb_trace_triage = {
    .name = "trace triage",
    .synopsis = "[OPTION]… FILE|BATCH…",
    .summary = "find what made frames janky: threads, locks, CPUs, sections",
    .description =
        "FILE is a trace that 'dejank trace read' can read. BATCH is a batch in the "
        "store that was measured with 'dejank run --trace'. If a file and a batch have "
        "the same name, write ./NAME for the file and batch:NAME for the batch. dejank "
        "analyzes the frames of all operands together.\n"
        "The deadline of a frame is the time at which the frame must be complete. dejank "
        "calls a frame janky if the frame was complete only after its deadline. For each "
        "janky frame, dejank finds the threads and the locks for which the frame waited, "
        "and what these threads did. The cause that costs the most time comes first.\n"
        "Without --frames, dejank explains the frames that the trace marks: "
        "FrameTimeline, doFrame and DrawFrame, or sections named frame.\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE|BATCH", 1, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct triage_values),
    .run = run,
};
