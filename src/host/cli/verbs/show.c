#include "cli/store_option.h"
#include "cli/verbs.h"
#include "compare/operand.h"
#include "report/stored_batch.h"
#include "store/run_evidence.h"

struct show_options {
    const char *store, *traces;
    bool json;
};

static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct show_options, json), NULL,
     "as JSON with all figures, schema dejank.show/1"},
    {"save-traces", 0, DJ_OPTION_STRING, offsetof(struct show_options, traces), "DIR",
     "write its runs' traces there; a line on stdout for each"},
    DJ_STORE_OPTION(struct show_options, store),
};

static int append_batch(struct dj_store *history, const char *word,
                        const struct show_options *values, struct dj_text *text,
                        struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    int64_t key;
    int code =
        dj_store_find_batch(history, dj_compare_operand_batch_name(word), &key, err);
    code = code == 0 ? dj_store_load_batch(history, key, &loaded, err) : code;
    if (code == 0) {
        code = values->traces != NULL
                   ? dj_store_save_traces(history, &loaded, values->traces, text, err)
               : values->json ? dj_report_stored_batch_json(history, &loaded, text, err)
                              : dj_report_stored_batch_text(history, &loaded, text, err);
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
    if (count != 1) {
        return dj_cli_print_usage_error(
            "expected a batch (see dejank list, dejank show --help)");
    }
    if (values->json && values->traces != NULL) {
        return dj_cli_print_usage_error("--json and --save-traces: choose one");
    }
    int code = dj_store_open(values->store, DJ_STORE_READ, &history, &err);
    code = code == 0 ? append_batch(history, operands[0], values, &text, &err) : code;
    dj_store_close(history);
    return dj_cli_finish_output(code, &text, &err);
}

const struct dj_verb dj_verb_show = {
    .name = "show",
    .synopsis = "BATCH [--json|--save-traces DIR] [--store PATH|URL]",
    .summary = "a batch: what it is of, its runs, and what they come to",
    .details = "BATCH is an id, the beginning of one (4 characters and more), or a name "
               "or project, of which the newest\n"
               "batch is taken. Of each run the exact percentiles of its rows, or, where "
               "there are none, those that were\n"
               "printed, in whole ms; then mean, median and spread over the runs that "
               "count. A run that is left\n"
               "out says why.\n"
               "--save-traces: what `dejank run --trace` captured, as DIR/run-N.pftrace "
               "(of further attempts\n"
               "run-N.K.pftrace, of warm-up runs warmup-N.pftrace).",
    DJ_OPTIONS(options, struct show_options),
    .run = run,
};
