#include "cli/store_option.h"
#include "cli/verbs.h"
#include "report/stored_batch.h"

struct list_options {
    struct dj_batch_filter filter;
    const char *store;
    bool json;
};

#define AT(member) offsetof(struct list_options, member)
static const struct dj_option options[] = {
    {"project", 0, DJ_OPTION_STRING, AT(filter.project), "P",
     "only batches of this project (the package)"},
    {"device", 'd', DJ_OPTION_STRING, AT(filter.serial), "D",
     "… of the device with this serial"},
    {"name", 0, DJ_OPTION_STRING, AT(filter.name), "NAME", "… of this name"},
    {"newest", 'n', DJ_OPTION_COUNT, AT(filter.most), "N", "the newest N of them"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "as JSON, schema dejank.list/1"},
    DJ_STORE_OPTION(struct list_options, store),
};

static int run(void *given, int count, char **operands)
{
    struct list_options *values = given;
    struct dj_store *history;
    struct dj_text text = {0};
    struct dj_error err = {0};
    (void)operands;
    if (count != 0) {
        return dj_cli_print_usage_error(
            "expected no other words (see dejank list --help)");
    }
    int code = dj_store_open_existing(values->store, &history, &err);
    code = code == 0
               ? dj_report_batch_list(history, &values->filter, values->json, &text, &err)
               : code;
    if (code == 0 && text.length == 0) {
        dj_cli_print_message("no such batch is in the store");
    }
    dj_store_close(history);
    return dj_cli_finish_output(code, &text, &err);
}

const struct dj_verb dj_verb_list = {
    .name = "list",
    .synopsis =
        "[--project P] [--device D] [--name NAME] [-n N] [--json] [--store PATH|URL]",
    .summary = "the batches of runs that the store holds, the newest first",
    .details = "runs: clean and finished ones of those planned; failed: of another "
               "outcome than ok; excluded: left\n"
               "out with a reason. Warm-up runs count nowhere. Without a store there are "
               "no batches; one that\n"
               "--store names must be there.",
    DJ_OPTIONS(options, struct list_options),
    .run = run,
};
