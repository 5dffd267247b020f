#include "cli/verbs/report_batches.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "compare/operand.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/batches.h"
#include "report/file_format.h"
#include "report/instrument_tests.h"
#include "triage/batch.h"

enum dj_report_operands dj_report_operands(int count, char **words, const char *store)
{
    const char *file = NULL, *batch = NULL;
    for (int i = 0; i < count; i++) {
        enum dj_operand kind =
            dj_compare_operand_kind(words[i], store, false, &dj_cli_messages);
        file = file == NULL && kind == DJ_OPERAND_FILE ? words[i] : file;
        batch = batch == NULL && kind == DJ_OPERAND_BATCH ? words[i] : batch;
    }
    if (file != NULL && batch != NULL) {
        dj_cli_print_message(
            "'%s' is a file and '%s' is a batch: expected only files or only batches",
            file, batch);
        return DJ_REPORT_OPERANDS_BOTH;
    }
    return batch != NULL ? DJ_REPORT_OPERANDS_BATCHES : DJ_REPORT_OPERANDS_FILES;
}

/* Triages the traces of a batch's runs. A batch without usable traces is reported without
 * triage, after a message. */
static void explain(struct dj_batch *batch, struct dj_store *history, int64_t key,
                    struct dj_triage_sum *sum)
{
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    const struct dj_triage_result *result = NULL;
    sum->triage = dj_triage_create(&rules);
    int code = dj_triage_add_batch(sum, history, key, false, &err);
    code = code != 0 ? code : dj_triage_weigh(sum->triage, &result, &err);
    if (code == 0) {
        dj_triage_findings_compute(&sum->findings, sum->triage);
        batch->triage = result;
        batch->tie = &sum->findings;
    }
    fputs(dj_xtext(&sum->notes), stderr);
    if (code != 0 && (code != DJ_E_NO_DATA || sum->notes.length > 0)) {
        dj_cli_print_message("traces: %s", err.message);
    }
}

/* Adds all batches that a label, version or commit names, oldest first. */
static int read_named(struct dj_store *history, const char *word,
                      const struct dj_side_filter *filter, struct dj_batches *batches,
                      struct dj_triage_sum *sums, struct dj_error *err)
{
    struct dj_named_batches named = {NULL, 0};
    int result = dj_compare_named_batches_find(
        history, dj_compare_operand_batch_name(word), filter, NULL, &named, err);
    for (size_t i = named.count; i > 0 && result == 0; i--) {
        int64_t key = named.keys[i - 1];
        result = dj_report_add_batch(batches, history, key, err);
        if (result == 0 && batches->jank_rule == NULL) {
            size_t last = batches->count - 1;
            explain(&batches->batch[last], history, key, &sums[last]);
        }
    }
    free(named.keys);
    if (result != 0) {
        dj_error_prepend(err, "%.80s", word);
    }
    return result;
}

/* Reads the batches. Writes their tests to `tests`, unless it is NULL, while the store is
 * open: the tests are in the store's evidence. */
static int read_batches(int count, char **words, const struct dj_side_filter *filter,
                        struct dj_batches *batches, struct dj_triage_sum *sums,
                        struct dj_text *tests, struct dj_error *err)
{
    struct dj_store *history = NULL;
    int result = dj_store_open_existing(batches->store, &history, err);
    if (result == 0 && history == NULL) {
        result = dj_error_set(err, DJ_E_NO_DATA,
                              "the store does not exist: it has no batches");
    }
    for (int i = 0; i < count && result == 0; i++) {
        result = read_named(history, words[i], filter, batches, sums, err);
    }
    if (result == 0 && tests != NULL) {
        result = dj_report_batch_tests(history, batches, tests, err);
    }
    dj_store_close(history);
    return result;
}

/* Reports batches without a clean run, which have no figures. Returns DJ_EXIT_DATA if
 * there is one. */
static int choose_exit_code(const struct dj_batches *batches)
{
    int code = DJ_EXIT_OK;
    for (size_t i = 0; i < batches->count; i++) {
        if (batches->batch[i].row.runs.clean == 0) {
            dj_cli_print_message("batch %s has no clean runs", batches->batch[i].row.id);
            code = DJ_EXIT_DATA;
        }
    }
    return code;
}

/* Appends the report for the file, or for the terminal if there is none. */
static int append_report(const struct dj_batches_command *command,
                         const struct dj_batches *batches, struct dj_text *text,
                         struct dj_error *err)
{
    struct dj_document document = {0};
    if (command->output != NULL) {
        return dj_report_format_write_batches(text, command->output, batches, err);
    }
    dj_report_build_batches(&document, batches);
    dj_cli_append_document(text, &document, command->with_details);
    return 0;
}

int dj_report_batches(int count, char **words, const struct dj_batches_command *command)
{
    struct dj_batches batches = {.store = command->store,
                                 .jank_rule = command->jank_rule};
    struct dj_triage_sum sums[DJ_BATCHES_MAX] = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    const char *output = command->output;
    int result = output != NULL ? dj_output_check(output, &err) : 0;
    bool tests = output != NULL && dj_report_format_find(output)->tests;
    result = result == 0 ? read_batches(count, words, command->filter, &batches, sums,
                                        tests ? &text : NULL, &err)
                         : result;
    result =
        result == 0 && !tests ? append_report(command, &batches, &text, &err) : result;
    result = result == 0 ? dj_output_write(output, &text, &err) : result;
    int code = result == 0 ? choose_exit_code(&batches) : dj_cli_finish(result, &err);
    if (result == 0 && output != NULL) {
        dj_cli_print_message("wrote %s", output);
    }
    dj_report_finish_batches(&batches);
    for (size_t i = 0; i < DJ_BATCHES_MAX; i++) {
        dj_triage_sum_finish(&sums[i]);
    }
    dj_text_finish(&text);
    return code;
}
