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

/* Reports batches without a clean run, which have no figures. Returns DJ_EXIT_DATA if
 * there is one. */
static int choose_exit_code(const struct dj_batches *batches)
{
    int code = DJ_EXIT_OK;
    for (size_t i = 0; i < batches->count; i++) {
        if (batches->batch[i].row.runs.clean == 0) {
            dj_cli_print_message("batch %s has no runs that count",
                                 batches->batch[i].row.id);
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
    result = result == 0 ? dj_report_read_batches(count, words, command->filter, &batches,
                                                  sums, tests ? &text : NULL, &err)
                         : result;
    for (size_t i = 0; i < batches.count; i++) {
        fputs(dj_xtext(&sums[i].notes), stderr);
    }
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
