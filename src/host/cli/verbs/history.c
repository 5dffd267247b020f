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
    {"project", 0, DJ_OPTION_STRING, AT(query.project), "P",
     "only of this project (the package)"},
    {"metric", 'm', DJ_OPTION_LIST, AT(metrics), "M",
     "of this figure: p50, p95, jank, fps, a column of the store, another tool's; may "
     "stand up to 8 times"},
    {"flow", 0, DJ_OPTION_STRING, AT(query.flow), "F",
     "only of this flow (a batch's name)"},
    {"device", 'd', DJ_OPTION_STRING, AT(query.serial), "D",
     "… of the device with this serial"},
    {"device-class", 0, DJ_OPTION_STRING, AT(class_words), "C",
     "… of devices of a class: low-end, high-end, tablet, …, or 'ram < 3 GB'"},
    {"since", 0, DJ_OPTION_STRING, AT(since), "DAY", "… from this day on: 2026-01-31"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL,
     "print the chart, the changes and the versions of each trend"},
    {"rows", 0, DJ_OPTION_NUMBER, AT(rows), "N",
     "the last N versions in tables of --all and .md (default 20; 0: all)"},
    {"repository", 0, DJ_OPTION_STRING, AT(repository), "DIR",
     "git repository with the commits; else the present folder's"},
    {"fail", 0, DJ_OPTION_FLAG, AT(fail), NULL,
     "exit code 1 where a change to the worse stands that nobody accepted"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write FILE in the format of its suffix: .html .md .svg .png .json .csv"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "as JSON, schema dejank.history/1"},
    {"explain", 0, DJ_OPTION_FLAG, AT(explain), NULL,
     "instead: what the store is asked for it, and how its database goes about each"},
    {"why", 0, DJ_OPTION_STRING, AT(why), "TEXT", "bless, unbless: the reason"},
    {"who", 0, DJ_OPTION_STRING, AT(who), "NAME", "bless: who accepts it; else the user"},
    {"all-devices", 0, DJ_OPTION_FLAG, AT(all_devices), NULL,
     "bless: also of every other device, flow and configuration"},
    DJ_STORE_OPTION(struct dj_history_options, store),
};

/* Returns the writer for programs, or NULL: the output is a document. */
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
        return dj_error_set(err, DJ_E_USAGE, "expected at most %d metrics",
                            DJ_TREND_METRICS_MAX);
    }
    for (size_t i = 0; i < values->metrics.count; i++) {
        query->metrics[i] = values->metrics.values[i];
    }
    if (values->since != NULL &&
        !dj_import_parse_time(values->since, &query->since_unix_ms)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--since: expected a day such as 2026-01-31, got '%.40s'",
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
                        const struct dj_trend_totals *told)
{
    if (told->unclassed > 0) {
        dj_cli_print_message("%zu left out: nobody knows of what class their device is",
                             told->unclassed);
    }
    if (values->repository != NULL && told->git_note[0] != '\0') {
        dj_cli_print_message("%s", told->git_note);
    }
}

static int check_output(const struct dj_history_options *values, struct dj_error *err)
{
    const char *output = values->output;
    if (values->explain && (values->json || output != NULL)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "--explain is text: without --json and --output");
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
                                ? "the store has no figures of that (see dejank list)"
                                : "the store has no figures yet");
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
    return dj_cli_print_usage_error("expected nothing, bless CHANGE, unbless BLESSING or "
                                    "blessings (see dejank history --help)");
}

const struct dj_verb dj_verb_history = {
    .name = "history",
    .synopsis =
        "[--metric M] [--device-class C] [--fail] [-o FILE | --json]\n"
        "       dejank history bless CHANGE --why TEXT [--who NAME] [--all-devices]\n"
        "       dejank history unbless BLESSING --why TEXT\n"
        "       dejank history blessings [--json]",
    .summary = "trend per version: since when, by how much, which shifts were accepted",
    .details = "A history is of one project, flow, device with its release, and "
               "configuration; nothing is joined\n"
               "across them. Each batch is a point: the centre of its runs with its 95 % "
               "interval. Changes are looked\n"
               "for in 15 points and more; each has an id, its ratio with interval, and "
               "what lies between the last\n"
               "point before and the first after it: the commits, from git where they "
               "are there. A change that is\n"
               "accepted (bless) is shown as such, and fails nothing; nor do the smaller "
               "ones that may be there where\n"
               "neighbouring points go together (hints). Without --metric: p50 and p95 "
               "frame time, jank\n"
               "rate, and all figures of other tools (dejank import --history). Exit "
               "code 4 where there are none.",
    DJ_OPTIONS(options, struct dj_history_options),
    .run = run,
};
