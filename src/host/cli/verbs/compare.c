#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parser.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "compare/read_side.h"
#include "device/files.h"
#include "gate/compare_builds.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/compare.h"
#include "report/document.h"

enum { GATES_MOST = 32, NAME_MOST = 64 };

struct compare_options {
    struct dj_sides_request request;
    const char *margin, *alpha, *output;
    struct dj_option_list metrics;
    bool json, all;
};

#define AT(member) offsetof(struct compare_options, member)
static const struct dj_option options[] = {
    {"metric", 'm', DJ_OPTION_LIST, AT(metrics), "NAME[=MARGIN]",
     "metrics that decide the verdict, separated by commas; repeatable (default: frame "
     "time p50 and p95, jank rate)"},
    {"margin", 0, DJ_OPTION_STRING, AT(margin), "SHARE",
     "smallest change that matters, such as 5% or 0.05 (default: each metric's own)"},
    {"alpha", 0, DJ_OPTION_STRING, AT(alpha), "PROBABILITY",
     "probability of a false alarm over all metrics together (default: 0.05)"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write FILE in the format of its suffix: .html, .md, .json, .svg or .png"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.compare/1)"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL, "print every metric, run and stage"},
    {"project", 0, DJ_OPTION_STRING, AT(request.filter.project), "NAME",
     "for a build: use only batches of this project"},
    {"device", 'd', DJ_OPTION_STRING, AT(request.filter.serial), "SERIAL",
     "for a build: use only batches of the device with this serial"},
    {"flow", 0, DJ_OPTION_STRING, AT(request.filter.flow), "NAME",
     "for a build: use only batches of this flow, which is the batches' name"},
    {"package", 0, DJ_OPTION_STRING, AT(request.package), "NAME",
     "process to compare if a file contains several"},
    DJ_STORE_OPTION(struct compare_options, request.store),
};

/* Parses "5%" or "0.05". A number of at least 1 without a unit is a percentage, too. */
static bool parse_share(const char *text, double *share)
{
    char *end;
    double value = strtod(text, &end);
    bool percent = *end == '%';
    end += percent;
    *share = percent || value >= 1 ? value / 100 : value;
    return end != text && *end == '\0' && isfinite(value) && *share > 0;
}

static int reject_metric(const char *name)
{
    struct dj_text known = {0};
    const struct dj_compare_metric *metric;
    for (size_t i = 0; (metric = dj_compare_metric(i)) != NULL; i++) {
        dj_text_format(&known, " %s", metric->name);
    }
    dj_cli_print_message("--metric: unknown metric '%.60s'", name);
    dj_cli_print_hint("the metrics are:%s", dj_xtext(&known));
    dj_text_finish(&known);
    return DJ_EXIT_USAGE;
}

static int add_gate(const char *text, size_t length, struct dj_compare_gate *gates,
                    size_t *count)
{
    char name[NAME_MOST];
    snprintf(name, sizeof(name), "%.*s", (int)length, text);
    char *margin = strchr(name, '=');
    struct dj_compare_gate gate = {0};
    if (margin != NULL) {
        *margin++ = '\0';
    }
    gate.metric = dj_compare_metric_find(name);
    if (gate.metric == NULL || length >= NAME_MOST) {
        return reject_metric(name);
    }
    if (margin != NULL && !parse_share(margin, &gate.margin)) {
        return dj_cli_print_usage_error(
            "--metric %s: expected a margin such as 5%%, found '%s'", name, margin);
    }
    for (size_t i = 0; i < *count; i++) {
        if (gates[i].metric == gate.metric) {
            return dj_cli_print_usage_error("--metric: %s is given twice", name);
        }
    }
    if (*count == GATES_MOST) {
        return dj_cli_print_usage_error("--metric: expected at most %d metrics",
                                        GATES_MOST);
    }
    gates[(*count)++] = gate;
    return DJ_EXIT_OK;
}

static int add_gates(const struct dj_option_list *metrics, struct dj_compare_gate *gates,
                     size_t *count)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const char *at = metrics->values[i];
        do {
            size_t length = strcspn(at, ",");
            int code = add_gate(at, length, gates, count);
            if (code != DJ_EXIT_OK) {
                return code;
            }
            at += length;
        } while (*at++ == ',');
    }
    return DJ_EXIT_OK;
}

static int make_rules(const struct compare_options *values,
                      struct dj_compare_gate gates[GATES_MOST],
                      struct dj_compare_rules *rules)
{
    if (values->margin != NULL && !parse_share(values->margin, &rules->margin)) {
        return dj_cli_print_usage_error(
            "--margin: expected a share above 0 such as 5%% or 0.05, found '%s'",
            values->margin);
    }
    if (values->alpha != NULL &&
        !(parse_share(values->alpha, &rules->alpha) && rules->alpha < 0.5 &&
          (strchr(values->alpha, '%') != NULL || strtod(values->alpha, NULL) < 1))) {
        return dj_cli_print_usage_error(
            "--alpha: expected a probability above 0 and below 0.5, found '%s'",
            values->alpha);
    }
    rules->gates = gates;
    return add_gates(&values->metrics, gates, &rules->gate_count);
}

/* A comparison of two sides, or of two builds on each of several devices. One member is
 * NULL. */
struct compared {
    const struct dj_comparison *sides;
    const struct dj_gate *range;
};

static void build_document(struct dj_document *document, const struct compared *compared)
{
    if (compared->range != NULL) {
        dj_report_build_range(document, compared->range);
    } else {
        dj_report_build_comparison(document, compared->sides);
    }
}

static bool is_json(const char *output)
{
    return dj_output_has_suffix(output, ".json");
}

static void append_json(struct dj_text *text, const struct compared *compared)
{
    if (compared->range != NULL) {
        dj_report_write_range_json(text, compared->range);
    } else {
        dj_report_write_comparison_json(text, compared->sides);
    }
}

static int append_file(struct dj_text *text, const struct compared *compared,
                       const char *output, struct dj_error *err)
{
    struct dj_document document = {0};
    int code = 0;
    if (is_json(output)) {
        append_json(text, compared);
    } else {
        build_document(&document, compared);
        code = dj_document_write(text, &document, dj_document_find_format(output), err);
    }
    dj_document_finish(&document);
    return code;
}

static void append_terminal(struct dj_text *text, const struct compared *compared,
                            bool with_details)
{
    struct dj_document document = {0};
    struct dj_terminal_style style = dj_terminal_style();
    build_document(&document, compared);
    dj_document_write_terminal(text, &document, &style, with_details);
    dj_document_finish(&document);
}

static void append_verdict(struct dj_text *text, const struct compared *compared)
{
    if (compared->range != NULL) {
        dj_text_format(
            text, "%s: ",
            dj_compare_verdict_name(dj_report_get_range_verdict(compared->range)));
        dj_report_describe_range(text, compared->range);
    } else {
        dj_report_describe_comparison(text, compared->sides);
    }
    dj_text_add(text, "\n");
}

static int write_out(const struct compare_options *values,
                     const struct compared *compared, struct dj_error *err)
{
    struct dj_text text = {0};
    int code = 0;
    if (values->output != NULL) {
        code = append_file(&text, compared, values->output, err);
        code = code == 0 ? dj_output_write_or_save(values->output, &text, err) : code;
        dj_text_clear(&text);
    }
    if (values->json) {
        append_json(&text, compared);
    } else if (values->output != NULL) {
        append_verdict(&text, compared);
    } else {
        append_terminal(&text, compared, values->all);
    }
    code = code == 0 ? dj_output_print(&text, err) : code;
    dj_text_finish(&text);
    return code;
}

static int choose_exit_code(enum dj_compare_verdict verdict)
{
    static const int exits[DJ_VERDICT_COUNT] = {
        [DJ_VERDICT_REGRESSION] = DJ_EXIT_REGRESSION,
        [DJ_VERDICT_LIKELY_REGRESSION] = DJ_EXIT_UNDECIDED,
        [DJ_VERDICT_INCONCLUSIVE] = DJ_EXIT_UNDECIDED,
    };
    return exits[verdict];
}

/* The operands that name one side of the comparison. */
struct operands {
    char *const *words;
    int count;
};

/* A build with batches of several devices is not one side, but two such builds can be
 * compared on each device. Both sides must then be one word each, of the same store. */
static int read_sides(struct dj_side side[2], const struct operands sides[2],
                      const struct dj_sides_request *request,
                      struct dj_sides_stores *stores, struct dj_error *err)
{
    struct dj_error refused = {0};
    int code = 0;
    for (int i = 0; i < 2 && code == 0; i++) {
        code = dj_compare_read_side(&side[i], (char)('A' + i), sides[i].count,
                                    sides[i].words, request, stores, err);
        if (code != 0 && stores->several_devices[i]) {
            refused = *err;
            code = 0;
        }
    }
    bool several = stores->several_devices[0] || stores->several_devices[1];
    bool one_store =
        stores->history[0] != NULL && stores->history[1] != NULL &&
        strcmp(dj_store_path(stores->history[0]), dj_store_path(stores->history[1])) == 0;
    if (code == 0 && several &&
        (!one_store || sides[0].count != 1 || sides[1].count != 1)) {
        *err = refused;
        code = refused.code;
    }
    return code;
}

/* Prints messages about imported files with the name of the verb import. */
static void send_as_import(void *user, const char *message)
{
    const char *verb = dj_cli_set_verb_name("import");
    dj_cli_send_message(user, message);
    dj_cli_set_verb_name(verb);
}

static int compare(const struct compare_options *values, const struct operands sides[2],
                   struct dj_compare_rules *rules)
{
    struct dj_side side[2] = {{0}, {0}};
    struct dj_comparison comparison = {0};
    struct dj_gate range = {.alpha = 0};
    struct compared compared = {.sides = &comparison};
    struct dj_sides_stores stores = {{NULL, NULL}, {NULL, NULL}, {false, false}};
    struct dj_error err = {0};
    const struct dj_messages import_messages = {send_as_import, NULL};
    struct dj_sides_request request = values->request;
    request.messages = &dj_cli_messages;
    request.import_messages = &import_messages;
    int code = read_sides(side, sides, &request, &stores, &err);
    rules->history = stores.history[0];
    if (code == 0 && (stores.several_devices[0] || stores.several_devices[1])) {
        compared.range = &range;
        code =
            dj_gate_compare_builds(&values->request.filter, &stores, rules, &range, &err);
    } else if (code == 0) {
        code = dj_compare_sides(&side[0], &side[1], rules, &comparison, &err);
    }
    code = code == 0 ? write_out(values, &compared, &err) : code;
    int exit = code != 0 ? dj_cli_finish(code, &err)
                         : choose_exit_code(compared.range != NULL
                                                ? dj_report_get_range_verdict(&range)
                                                : comparison.overall.verdict);
    dj_gate_finish(&range);
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&side[0]);
    dj_compare_side_finish(&side[1]);
    dj_compare_close_stores(&stores);
    return exit;
}

/* Refuses equal names, and two names of the same file or folder. */
static int reject_same_operand(const struct operands sides[2])
{
    const char *a = sides[0].words[0], *b = sides[1].words[0];
    if (sides[0].count == 1 && sides[1].count == 1 &&
        (strcmp(a, b) == 0 || dj_device_files_are_same(a, b))) {
        return dj_cli_print_usage_error(
            "A and B are the same, '%s': expected two different operands", a);
    }
    return DJ_EXIT_OK;
}

/* The words before "--" are A, those after it are B. Without "--" there are two operands.
 */
static int divide(int argc, char **argv, int *own, struct operands sides[2])
{
    *own = argc;
    for (int i = 1; i < argc && *own == argc; i++) {
        *own = strcmp(argv[i], "--") == 0 ? i : *own;
    }
    if (*own < argc) {
        sides[1] = (struct operands){argv + *own + 1, argc - *own - 1};
    }
    return *own < argc;
}

static int reject_operands(bool divided, int count, char **argv)
{
    if (divided || count < 2) {
        return dj_cli_report_missing(count == 0 ? "A" : "B");
    }
    dj_cli_print_message("unexpected operand '%s'", argv[3]);
    dj_cli_print_hint("to compare several files, write -- between those of A and B");
    return DJ_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    struct compare_options values = {0};
    struct dj_compare_gate gates[GATES_MOST];
    struct dj_compare_rules rules = {0};
    struct operands sides[2] = {{NULL, 0}, {NULL, 0}};
    struct dj_error err = {0};
    int own;
    int operands = 0;
    bool divided = divide(argc, argv, &own, sides);
    int result = dj_options_parse(&dj_verb_compare, own, argv, &values, false, &operands);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    sides[0] = (struct operands){argv + 1, divided ? operands : 1};
    if (!divided) {
        sides[1] = (struct operands){argv + 2, 1};
    }
    if (divided ? operands == 0 || sides[1].count == 0 : operands != 2) {
        return reject_operands(divided, operands, argv);
    }
    if (values.output != NULL && !is_json(values.output) &&
        dj_document_find_format(values.output) == NULL) {
        return dj_cli_print_usage_error(
            "--output: expected a name that ends in .html, .md, .json, .svg or .png, "
            "found '%s'",
            values.output);
    }
    if (values.output != NULL && dj_output_check(values.output, &err) != 0) {
        return dj_cli_finish(err.code, &err);
    }
    result = make_rules(&values, gates, &rules);
    result = result == DJ_EXIT_OK ? reject_same_operand(sides) : result;
    return result == DJ_EXIT_OK ? compare(&values, sides, &rules) : result;
}

static const struct dj_example examples[] = {
    {"Compare two builds that dejank run has measured", "dejank compare 1.7 1.8"},
    {"Compare two folders of dumps, and write a page",
     "dejank compare before/ after/ -o verdict.html"},
    {"Compare several files with several others",
     "dejank compare a1.txt a2.txt -- b1.txt b2.txt"},
    {"Decide by the 99th percentile alone; ignore changes below 10 %",
     "dejank compare 1.7 1.8 --metric p99=10%"},
};

const struct dj_verb dj_verb_compare = {
    .name = "compare",
    .synopsis = "[OPTION]… A B\n[OPTION]… A… -- B…",
    .summary = "decide whether B renders slower than A, and by how much",
    .description =
        "A and B are each one of these:\n"
        "BATCH\ta batch in the store: its id, the beginning of its id, its name or its "
        "project\n"
        "BUILD\ta label, version or commit: all its batches of one device and flow\n"
        "FILE.db#BATCH\ta batch in another store\n"
        "DIR\ta folder of dumps and logs that dejank import reads; each file is a run\n"
        "FILE\tone or more such files, separated by commas or listed in @FILE\n"
        "If a file exists, its name means the file. batch:NAME and build:NAME mean the "
        "store; ./NAME means the file. Builds measured on several devices are compared "
        "on each device, with a summary.\n"
        "The first line is the verdict: regression, likely-regression, equivalent, "
        "likely-improvement, improvement or inconclusive. A larger --margin permits "
        "larger changes. A smaller --alpha makes false alarms rarer and needs more "
        "runs.\n",
    .exit_codes = "0\tno regression\n"
                  "1\tregression\n"
                  "4\tno data\n"
                  "6\tinconclusive or likely-regression\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE|BATCH|BUILD", 2, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct compare_options),
    .run_argv = run,
};
