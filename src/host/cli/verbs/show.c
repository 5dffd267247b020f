#include <stdlib.h>

#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "compare/operand.h"
#include "compare/side.h"
#include "device/quote.h"
#include "memory/memory.h"
#include "report/stored_batch.h"
#include "store/run_evidence.h"

struct show_options {
    const char *store, *traces;
    bool json, all;
};

static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct show_options, json), NULL,
     "print all figures as JSON (schema dejank.show/1)"},
    {"all", 0, DJ_OPTION_FLAG, offsetof(struct show_options, all), NULL,
     "also print the other figures, the device facts and the conditions of each run"},
    {"save-traces", 0, DJ_OPTION_STRING, offsetof(struct show_options, traces), "DIR",
     "write the traces of the runs to DIR, and print their names"},
    DJ_STORE_OPTION(struct show_options, store),
};

static int append_document(struct dj_store *history, const struct dj_loaded_batch *loaded,
                           const struct show_options *values, struct dj_text *text,
                           struct dj_error *err)
{
    struct dj_document document = {0};
    int code =
        dj_report_build_stored_batch(&document, history, loaded, values->store, err);
    dj_cli_append_document(text, &document, values->all);
    return code;
}

/* Completes the message for a word that names no batch, if the word names a build. */
static void hint_at_build(struct dj_store *history, const char *word,
                          const struct show_options *values, struct dj_error *err)
{
    struct dj_named_batches named = {NULL, 0};
    struct dj_text command = {0};
    int found = dj_compare_named_batches_find(history, word, NULL, NULL, &named, NULL);
    if ((found == 0 && named.count > 0) || found == DJ_E_USAGE) {
        dj_text_add(&command, "dejank report ");
        dj_device_quote_word(&command, word);
        if (values->store != NULL) {
            dj_text_add(&command, " --store ");
            dj_device_quote_word(&command, values->store);
        }
        dj_error_set(err, DJ_E_NO_DATA,
                     "'%.80s' is a build, not a batch. hint: '%s' shows all batches of "
                     "the build",
                     word, dj_xtext(&command));
    }
    dj_text_finish(&command);
    free(named.keys);
}

static int append_batch(struct dj_store *history, const char *word,
                        const struct show_options *values, struct dj_text *text,
                        struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    int64_t key;
    const char *name = dj_compare_operand_batch_name(word);
    int code = dj_store_find_batch(history, name, &key, err);
    if (code == DJ_E_NO_DATA) {
        hint_at_build(history, name, values, err);
    }
    code = code == 0 ? dj_store_load_batch(history, key, &loaded, err) : code;
    if (code == 0) {
        code = values->traces != NULL
                   ? dj_store_save_traces(history, &loaded, values->traces, text, err)
               : values->json ? dj_report_stored_batch_json(history, &loaded, text, err)
                              : append_document(history, &loaded, values, text, err);
    }
    dj_store_loaded_batch_finish(&loaded);
    return code;
}

static int run(void *given, int count, char **operands)
{
    struct show_options *values = given;
    struct dj_store *history;
    struct dj_text text = {0};
    struct dj_error err = {0};
    (void)count;
    if (values->json && values->traces != NULL) {
        return dj_cli_print_usage_error("--json and --save-traces exclude each other");
    }
    int code = dj_store_open(values->store, DJ_STORE_READ, &history, &err);
    code = code == 0 ? append_batch(history, operands[0], values, &text, &err) : code;
    dj_store_close(history);
    return dj_cli_finish_output(code, &text, &err);
}

static const struct dj_example examples[] = {
    {"Show the newest batch with the name scroll", "dejank show scroll"},
    {"Write the traces of a batch's runs to files",
     "dejank show 3f9a --save-traces traces"},
};

const struct dj_verb dj_verb_show = {
    .name = "show",
    .synopsis = "[--all | --json | --save-traces DIR] [--store STORE] BATCH",
    .summary = "show a batch: its device and build, its runs and their figures",
    .description =
        "BATCH is an id, the first 4 or more characters of an id, a name or a project. "
        "If several batches have this name or project, dejank shows the newest.\n"
        "dejank shows the main figures over the runs that count, and the figures of each "
        "run. The percentiles are exact, or those that Android printed in whole ms if "
        "the run has no single frames. A note says why a run does not count.\n"
        "--save-traces writes the traces that 'dejank run --trace' captured, as "
        "DIR/run-N.pftrace. Repeated runs are run-N.K.pftrace, warm-up runs are "
        "warmup-N.pftrace.\n",
    DJ_EXAMPLES(examples),
    .operands = {"BATCH", 1, 1},
    DJ_OPTIONS(options, struct show_options),
    .run = run,
};
