#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "report/stored_batch.h"

struct list_options {
    struct dj_batch_filter filter;
    const char *store;
    bool json;
};

#define AT(member) offsetof(struct list_options, member)
static const struct dj_option options[] = {
    {"project", 0, DJ_OPTION_STRING, AT(filter.project), "NAME",
     "list only batches of this project, which is the package"},
    {"device", 'd', DJ_OPTION_STRING, AT(filter.serial), "SERIAL",
     "list only batches of the device with this serial"},
    {"name", 0, DJ_OPTION_STRING, AT(filter.name), "NAME",
     "list only batches with this name"},
    {"newest", 'n', DJ_OPTION_COUNT, AT(filter.most), "N", "list only the newest N"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.list/1)"},
    DJ_STORE_OPTION(struct list_options, store),
};

/* Explains an empty list: the store is empty, or no batch matches the filter. */
static int explain_empty_list(struct dj_store *history, const struct list_options *values,
                              struct dj_error *err)
{
    const struct dj_batch_filter newest = {.most = 1};
    struct dj_batch_list all = {0};
    int code = dj_report_load_batch_list(&all, history, &newest, err);
    if (code == 0 && all.count == 0) {
        dj_cli_print_message("the store is empty");
        dj_cli_print_hint("'dejank run' and 'dejank import' add batches to it");
    } else if (code == 0) {
        dj_cli_print_message("the store contains no such batch");
        dj_cli_print_hint("'dejank list%s' lists all batches",
                          values->store != NULL ? " --store …" : "");
    }
    dj_report_finish_batch_list(&all);
    return code;
}

static int run(void *given, int count, char **operands)
{
    struct list_options *values = given;
    struct dj_store *history;
    struct dj_batch_list list = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    (void)count;
    (void)operands;
    int code = dj_store_open_existing(values->store, &history, &err);
    code = code == 0 ? dj_report_load_batch_list(&list, history, &values->filter, &err)
                     : code;
    if (code == 0 && values->json) {
        dj_report_write_batch_list_json(&text, &list);
    } else if (code == 0 && list.count == 0) {
        code = explain_empty_list(history, values, &err);
    } else if (code == 0) {
        struct dj_document document = {0};
        dj_report_build_batch_list(&document, &list, values->store);
        dj_cli_append_document(&text, &document, false);
    }
    dj_report_finish_batch_list(&list);
    dj_store_close(history);
    return dj_cli_finish_output(code, &text, &err);
}

static const struct dj_example examples[] = {
    {"List the five newest batches", "dejank list -n 5"},
    {"List the batches of an app in another store, for a script",
     "dejank list --project com.example.app --store team.db --json"},
};

const struct dj_verb dj_verb_list = {
    .name = "list",
    .synopsis = "[OPTION]…",
    .summary = "list the batches in the store, newest first",
    .description =
        "A batch is the set of runs of one flow on one device with one build. The column "
        "\"runs\" shows how many of the planned runs count, and how many failed or were "
        "excluded. Warm-up runs do not count. If all batches have the same project, name "
        "or device, dejank prints it above the table.\n"
        "If the default store does not exist, the list is empty. The store of --store "
        "must exist.\n",
    DJ_EXAMPLES(examples),
    DJ_OPTIONS(options, struct list_options),
    .run = run,
};
