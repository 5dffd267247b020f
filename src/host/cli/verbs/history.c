#include <string.h>

#include "cli/history/options.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "import/series.h"
#include "output/file.h"
#include "report/trend.h"

#define AT(member) offsetof(struct dj_history_options, member)
static const struct dj_option options[] = {
    {"project", 0, DJ_OPTION_STRING, AT(query.project), "NAME",
     "show only this project, which is the package"},
    {"metric", 'm', DJ_OPTION_LIST, AT(metrics), "NAME",
     "show only this metric: p50, p95, jank, fps, a column of the store or another "
     "tool's metric; up to 8 times"},
    {"flow", 0, DJ_OPTION_STRING, AT(query.flow), "NAME",
     "show only the batches with this name (the flow that was measured)"},
    {"device", 'd', DJ_OPTION_STRING, AT(query.serial), "SERIAL",
     "use only the device with this serial"},
    {"device-class", 0, DJ_OPTION_STRING, AT(class_words), "CLASS",
     "show only devices of a class (low-end, high-end, tablet, phone or high-refresh) or "
     "with a property such as 'ram < 3 GB'"},
    {"since", 0, DJ_OPTION_STRING, AT(since), "DAY",
     "show only batches from this day on, such as 2026-01-31"},
    {"repository", 0, DJ_OPTION_STRING, AT(repository), "DIR",
     "git repository with the commits (default: current folder)"},
    DJ_STORE_OPTION(struct dj_history_options, store),
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL,
     "print the chart, the changes and the versions of each trend"},
    {"rows", 0, DJ_OPTION_NUMBER, AT(rows), "N",
     "number of newest versions in the tables of --all and .md (default: 20; 0: all)"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write FILE in the format of its suffix: .html, .md, .svg, .png, .json or .csv"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.history/1)"},
    {"explain", 0, DJ_OPTION_FLAG, AT(explain), NULL,
     "print the SQL statements and their query plans, and show no trend"},
    {"fail", 0, DJ_OPTION_FLAG, AT(fail), NULL,
     "exit with code 1 if a trend became worse and nobody has accepted the change"},
    {"why", 0, DJ_OPTION_STRING, AT(why), "TEXT",
     "with bless or unbless: the reason (required)"},
    {"who", 0, DJ_OPTION_STRING, AT(who), "NAME",
     "with bless: the person who accepts the change (default: $USER)"},
    {"all-devices", 0, DJ_OPTION_FLAG, AT(all_devices), NULL,
     "with bless: accept the change on all devices, flows and configurations"},
};

static const struct dj_option_group groups[] = {
    {"project", "Data"},
    {"all", "Output"},
    {"why", "Accepted changes"},
};

/* Returns the format for programs, or NULL if the output is a document. */
static const struct dj_trend_form *find_form(const struct dj_history_options *values)
{
    static const struct dj_trend_form *const forms[] = {&dj_report_trend_json,
                                                        &dj_report_trend_csv};
    if (values->output == NULL) {
        return values->json ? &dj_report_trend_json : NULL;
    }
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (dj_output_has_suffix(values->output, forms[i]->suffix)) {
            return forms[i];
        }
    }
    return NULL;
}

static int complete_query(struct dj_history_options *values, struct dj_error *err)
{
    struct dj_trend_query *query = &values->query;
    query->repository = values->repository != NULL ? values->repository : ".";
    query->metric_count = values->metrics.count;
    if (values->metrics.count > DJ_TREND_METRICS_MAX) {
        return dj_error_set(err, DJ_E_USAGE, "--metric: expected at most %d metrics",
                            DJ_TREND_METRICS_MAX);
    }
    for (size_t i = 0; i < values->metrics.count; i++) {
        query->metrics[i] = values->metrics.values[i];
    }
    if (values->since != NULL &&
        !dj_import_parse_time(values->since, &query->since_unix_ms)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--since: expected a day such as 2026-01-31, found '%.40s'",
                            values->since);
    }
    if (values->class_words != NULL) {
        query->class = &values->class;
        return dj_plan_class_parse(values->class_words, values->class_room,
                                   &values->class, err);
    }
    return 0;
}

static bool is_narrowed(const struct dj_history_options *values)
{
    const struct dj_trend_query *query = &values->query;
    return query->project != NULL || query->flow != NULL || query->serial != NULL ||
           query->class != NULL || values->since != NULL || query->metric_count > 0;
}

static void print_notes(const struct dj_history_options *values,
                        const struct dj_trend_totals *totals)
{
    if (totals->unclassed > 0) {
        dj_cli_print_message("%zu devices were excluded, because their class is unknown",
                             totals->unclassed);
    }
    if (values->repository != NULL && totals->git_note[0] != '\0') {
        dj_cli_print_message("%s", totals->git_note);
    }
}

static int check_output(const struct dj_history_options *values, struct dj_error *err)
{
    const char *output = values->output;
    if (values->explain && (values->json || output != NULL)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--explain prints text: remove --json and --output");
    }
    if (output != NULL && find_form(values) == NULL &&
        dj_document_find_format(output) == NULL) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--output: expected a name that ends in .html, .md, .svg, "
                            ".png, .json or .csv, found '%.80s'",
                            output);
    }
    return output != NULL ? dj_output_check(output, err) : 0;
}

static int ignore_part(void *user, const struct dj_trend *part)
{
    (void)user;
    (void)part;
    return 0;
}

/* Prints each SQL statement of a trend with the query plan of its database. */
static int explain(struct dj_store *history, const struct dj_trend_query *query,
                   struct dj_error *err)
{
    struct dj_text plans = {0};
    struct dj_trend_totals totals;
    dj_store_explain(history, &plans);
    int code = dj_trend_read_parts(history, query, ignore_part, NULL, &totals, err);
    dj_store_explain(history, NULL);
    code = code == 0 ? dj_output_print(&plans, err) : code;
    dj_text_finish(&plans);
    return code;
}

static int show_parts(const struct dj_history_options *values,
                      struct dj_trend_pages *pages, struct dj_error *err)
{
    struct dj_trend_totals totals = {0};
    int code = pages->history != NULL
                   ? dj_trend_read_parts(pages->history, &values->query,
                                         dj_report_trend_pages_add, pages, &totals, err)
                   : 0;
    bool none = code == 0 && totals.segments == 0;
    if (none) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            is_narrowed(values)
                                ? "the store has no figures that match the options (see "
                                  "dejank list)"
                                : "the store has no figures");
    } else if (code == 0) {
        code = dj_report_trend_pages_write(pages, &totals, err);
    }
    if (none || code == 0) {
        print_notes(values, &totals);
    }
    if (code == 0 && values->output != NULL) {
        dj_cli_print_message("wrote %s", values->output);
    }
    return code;
}

static size_t choose_rows(const struct dj_history_options *values)
{
    return values->rows == DJ_OPTION_NONE ? SIZE_MAX
           : values->rows == 0            ? DJ_TREND_ROWS
                                          : (size_t)values->rows;
}

static int show_history(struct dj_history_options *values)
{
    struct dj_error err = {0};
    struct dj_trend_pages pages = {
        .path = values->output,
        .form = find_form(values),
        .style = dj_terminal_style(),
        .with_details = values->all,
        .rows = choose_rows(values),
        .store = values->store,
        .names_metric = values->metrics.count > 0,
        .err = &err,
    };
    int code = complete_query(values, &err);
    code = code == 0 ? check_output(values, &err) : code;
    code = code == 0 ? dj_store_open_existing(values->store, &pages.history, &err) : code;
    if (code == 0) {
        code = values->explain && pages.history != NULL
                   ? explain(pages.history, &values->query, &err)
                   : show_parts(values, &pages, &err);
    }
    int exit = dj_cli_finish(code, &err);
    bool fails = values->fail && pages.has_worse;
    dj_store_close(pages.history);
    dj_report_trend_pages_finish(&pages);
    return exit == DJ_EXIT_OK && fails ? DJ_EXIT_REGRESSION : exit;
}

static int bless(struct dj_history_options *values, const char *change)
{
    struct dj_error err = {0};
    int code = complete_query(values, &err);
    values->query.repository = NULL;
    return code != 0 ? dj_cli_finish(code, &err)
                     : dj_history_bless_change(change, values);
}

/* Reports the operands after or instead of bless, unbless and blessings. */
static int reject_operands(int count, char **words)
{
    bool accepts_one = strcmp(words[0], "bless") == 0 || strcmp(words[0], "unbless") == 0;
    if (!accepts_one && strcmp(words[0], "blessings") != 0) {
        return dj_cli_print_usage_error(
            "expected bless, unbless, blessings or no operand, found '%s'", words[0]);
    }
    return accepts_one && count == 1
               ? dj_cli_report_missing(words[0][0] == 'b' ? "CHANGE" : "BLESSING")
               : dj_cli_print_usage_error("unexpected operand '%s'",
                                          words[accepts_one ? 2 : 1]);
}

static int run(void *given, int count, char **words)
{
    struct dj_history_options *values = given;
    if (count == 0) {
        return show_history(values);
    }
    if (count == 2 && strcmp(words[0], "bless") == 0) {
        return bless(values, words[1]);
    }
    if (count == 2 && strcmp(words[0], "unbless") == 0) {
        return dj_history_withdraw_blessing(words[1], values);
    }
    if (count == 1 && strcmp(words[0], "blessings") == 0) {
        return dj_history_list_blessings(values);
    }
    return reject_operands(count, words);
}

static const struct dj_example examples[] = {
    {"Show the trends of a project", "dejank history --project com.example.app"},
    {"Write a page with the 95th percentile on small devices",
     "dejank history -m p95 --device-class low-end -o trend.html"},
    {"Let a nightly job fail if a trend became worse", "dejank history --fail"},
    {"Accept a change", "dejank history bless 3f9a --why 'new animation, planned'"},
};

const struct dj_verb dj_verb_history = {
    .name = "history",
    .synopsis = "[OPTION]…\n"
                "bless CHANGE --why TEXT [--who NAME] [--all-devices]\n"
                "unbless BLESSING --why TEXT\n"
                "blessings [--json]",
    .summary = "show trends per version, and when and how much they changed",
    .description =
        "A trend shows how a metric of one project, flow, device, release and "
        "configuration developed. Each batch is a point: the middle of its runs with a "
        "95 % interval. Without --metric, dejank shows the frame time p50 and p95, the "
        "jank rate, and all metrics that 'dejank import --history' imported.\n"
        "In a trend of at least 15 points, dejank finds where the metric changed. For "
        "each change, dejank prints an id, the ratio of the new to the old level, and "
        "the commits that may have caused the change. 'dejank history bless' accepts a "
        "change: dejank still shows the change, but --fail ignores it. A hint is a "
        "change that is small or uncertain; --fail ignores hints.\n",
    .exit_codes = "1\twith --fail: a trend became worse, and no one accepted it\n"
                  "4\tthe store has no figures that match the options\n",
    DJ_EXAMPLES(examples),
    .operands = {"bless|unbless|blessings", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct dj_history_options),
    DJ_GROUPS(groups),
    .run = run,
};
