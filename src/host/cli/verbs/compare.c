#include <stdlib.h>
#include <string.h>

#include "cli/parser.h"
#include "cli/run/compare_commands.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "cli/verbs/compare_rules.h"
#include "compare/operand.h"
#include "compare/read_side.h"
#include "device/files.h"
#include "device/quote.h"
#include "gate/compare_builds.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/compare.h"
#include "report/document.h"

struct compare_options {
    struct dj_sides_request request;
    struct dj_compare_rule_options rules;
    const char *output;
    bool json, all, run;
    struct dj_quick_options quick; /* With --run: how the commands are run. */
};

#define AT(member) offsetof(struct compare_options, member)
static const struct dj_option options[] = {
    {"metric", 'm', DJ_OPTION_LIST, AT(rules.metrics), "NAME[=MARGIN]",
     "metrics that decide the verdict, each with the smallest change that matters, such "
     "as p95=5%; repeatable (default: frame time p50 and p95, jank rate)"},
    {"margin", 0, DJ_OPTION_STRING, AT(rules.margin), "SHARE",
     "smallest change that matters, such as 5%, for all metrics (default: 5 % of times, "
     "10 % of p99, 20 % of the jank rate)"},
    {"alpha", 0, DJ_OPTION_STRING, AT(rules.alpha), "PROBABILITY",
     "probability of a false alarm, for all metrics together (default: 0.05)"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write FILE in the format of its suffix: .html, .md, .json, .svg or .png"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.compare/1)"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL, "print all metrics, runs and stages"},
    {"run", 0, DJ_OPTION_FLAG, AT(run), NULL,
     "run two commands alternately, record their frames, and compare them"},
    {"runs", 'n', DJ_OPTION_COUNT, AT(quick.batch.runs), "N",
     "with --run: number of runs of each command (default: 10)"},
    {"for", 0, DJ_OPTION_DURATION, AT(quick.flow.duration_ns), "TIME",
     "with --run: how long each run measures (default: 10s)"},
    {"warmup", 0, DJ_OPTION_NUMBER, AT(quick.batch.warmups), "N",
     "with --run: number of warm-up runs, which do not count (default: 1)"},
    {"settle", 0, DJ_OPTION_PAUSE, AT(quick.batch.settle_ns), "TIME",
     "with --run: wait between the first frame and the measurement (default: 1s)"},
    {"max-load", 0, DJ_OPTION_COUNT, AT(quick.max_load), "PERCENT",
     "with --run: CPU load of other programs that makes dejank repeat a run (default: "
     "80)"},
    {"retries", 0, DJ_OPTION_NUMBER, AT(quick.batch.retries), "N",
     "with --run: how often dejank repeats a failed or disturbed run (default: 2)"},
    {"seed", 0, DJ_OPTION_NUMBER, AT(quick.batch.seed), "N",
     "with --run: seed for the order of A and B (default: 1)"},
    {"name", 0, DJ_OPTION_STRING, AT(quick.flow.name), "NAME",
     "with --run: name of the batches in the store (default: idle)"},
    {"project", 0, DJ_OPTION_STRING, AT(request.filter.project), "NAME",
     "for a build: use only batches of this project"},
    {"device", 'd', DJ_OPTION_STRING, AT(request.filter.serial), "SERIAL",
     "for a build: use only batches of the device with this serial; with --run: Linux "
     "device that runs the commands (default: local:)"},
    {"flow", 0, DJ_OPTION_STRING, AT(request.filter.flow), "NAME",
     "for a build: use only batches of this flow, which is the batches' name"},
    {"package", 0, DJ_OPTION_STRING, AT(request.package), "NAME",
     "app to compare if a file contains several apps; with --run: name under which "
     "dejank records the commands"},
    DJ_STORE_OPTION(struct compare_options, request.store),
};

static const struct dj_option_group groups[] = {
    {"metric", "Verdict"},
    {"output", "Output"},
    {"run", "Commands to run"},
    {"project", "Batches and files"},
};

struct compared {
    struct dj_comparison_result result;
    /* After --run: the ids of the batches, and the value of --store. */
    const char *batches[2];
    const char *store;
};

static void add_command(struct dj_document *document, const struct compared *compared,
                        const char *verb, const char *ending, const char *purpose)
{
    struct dj_text command = {0};
    dj_text_format(&command, "dejank %s", verb);
    if (compared->store != NULL) {
        dj_text_add(&command, " --store ");
        dj_device_quote_word(&command, compared->store);
    }
    dj_text_format(&command, " %s %s%s", compared->batches[0], compared->batches[1],
                   ending);
    dj_document_add_command(document, dj_xtext(&command), purpose);
    dj_text_finish(&command);
}

static void build_document(struct dj_document *document, const struct compared *compared)
{
    dj_report_build_result(document, &compared->result);
    if (compared->batches[0] != NULL) {
        add_command(document, compared, "compare", " --all",
                    "print every metric, run and stage of this comparison");
        add_command(document, compared, "report", " -o report.html",
                    "draw the runs of both commands on a page");
    }
}

static int append_file(struct dj_text *text, const struct compared *compared,
                       const char *output, struct dj_error *err)
{
    struct dj_document document = {0};
    int code = 0;
    if (dj_output_has_suffix(output, ".json")) {
        dj_report_write_result_json(text, &compared->result);
    } else {
        build_document(&document, compared);
        code = dj_document_write(text, &document, dj_document_find_format(output), err);
    }
    dj_document_finish(&document);
    return code;
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
        dj_report_write_result_json(&text, &compared->result);
    } else if (values->output != NULL) {
        dj_report_describe_result(&text, &compared->result);
    } else {
        struct dj_document document = {0};
        build_document(&document, compared);
        dj_cli_append_document(&text, &document, values->all);
    }
    code = code == 0 ? dj_output_print(&text, err) : code;
    dj_text_finish(&text);
    return code;
}

/* Prints messages about imported files with the name of the verb import. */
static void send_as_import(void *user, const char *message)
{
    const char *verb = dj_cli_set_verb_name("import");
    dj_cli_send_message(user, message);
    dj_cli_set_verb_name(verb);
}

/* Compares the sides. `commands` is NULL, or the commands that --run has measured: they
 * name the sides in the result. */
static int compare(const struct compare_options *values,
                   const struct dj_side_operands sides[2], char *const *commands,
                   struct dj_compare_rules *rules)
{
    struct dj_side side[2] = {{0}, {0}};
    struct dj_comparison comparison = {0};
    struct dj_gate range = {.alpha = 0};
    struct compared compared = {.result = {.sides = &comparison},
                                .store = values->request.store};
    struct dj_sides_stores stores = {{NULL, NULL}, {NULL, NULL}, {false, false}};
    struct dj_error err = {0};
    const struct dj_messages import_messages = {send_as_import, NULL};
    struct dj_sides_request request = values->request;
    request.messages = &dj_cli_messages;
    request.import_messages = &import_messages;
    int code = dj_compare_read_sides(side, sides, &request, &stores, &err);
    rules->history = stores.history[0];
    for (int i = 0; i < 2 && code == 0 && commands != NULL; i++) {
        dj_compare_side_set_name(&side[i], commands[i]);
        compared.batches[i] = dj_compare_operand_batch_name(sides[i].words[0]);
    }
    if (code == 0 && dj_compare_need_range(&stores)) {
        compared.result.range = &range;
        code =
            dj_gate_compare_builds(&values->request.filter, &stores, rules, &range, &err);
    } else if (code == 0) {
        code = dj_compare_sides(&side[0], &side[1], rules, &comparison, &err);
    }
    code = code == 0 ? write_out(values, &compared, &err) : code;
    int exit = code != 0
                   ? dj_cli_finish(code, &err)
                   : dj_cli_choose_exit(dj_report_get_result_verdict(&compared.result));
    dj_gate_finish(&range);
    dj_compare_comparison_finish(&comparison);
    dj_compare_side_finish(&side[0]);
    dj_compare_side_finish(&side[1]);
    dj_compare_close_stores(&stores);
    return exit;
}

/* Runs both commands and compares the two batches. */
static int run_commands(struct compare_options *values, char *const commands[2],
                        struct dj_compare_rules *rules)
{
    struct dj_quick_options *quick = &values->quick;
    const char *device = values->request.filter.serial;
    char ids[2][DJ_STORE_ID_BYTES];
    quick->batch.package = values->request.package;
    quick->devices = &device;
    quick->device_count = device != NULL;
    int result = dj_cli_measure_commands(quick, commands, values->request.store, ids);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    /* From here on, the ids name the batches. The options that select batches by name
     * applied only to the measurement. */
    values->request.filter = (struct dj_side_filter){.project = NULL};
    values->request.package = NULL;
    char *words[2];
    struct dj_side_operands sides[2];
    for (int i = 0; i < 2; i++) {
        words[i] = dj_xformat("batch:%s", ids[i]);
        sides[i] = (struct dj_side_operands){&words[i], 1};
    }
    result = compare(values, sides, commands, rules);
    free(words[0]);
    free(words[1]);
    return result;
}

/* Refuses options that need --run, and those that have no meaning with it. */
static int check_run(const struct compare_options *values)
{
    static const char *const of_run[] = {"runs",     "for",     "warmup", "settle",
                                         "max-load", "retries", "seed",   "name"};
    static const char *const of_batches[] = {"project", "flow"};
    const char *const *refused = values->run ? of_batches : of_run;
    size_t count = values->run ? COUNT_OF(of_batches) : COUNT_OF(of_run);
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        for (size_t k = 0; k < count; k++) {
            if (strcmp(options[i].name, refused[k]) == 0 &&
                dj_option_is_set(&options[i], values)) {
                return dj_cli_print_usage_error(
                    values->run ? "--%s cannot be used with --run" : "--%s needs --run",
                    refused[k]);
            }
        }
    }
    return DJ_EXIT_OK;
}

/* Refuses equal names, and two names of the same file or folder. */
static int reject_same_operand(const struct dj_side_operands sides[2])
{
    const char *a = sides[0].words[0], *b = sides[1].words[0];
    if (sides[0].count == 1 && sides[1].count == 1 &&
        (strcmp(a, b) == 0 || dj_device_files_are_same(a, b))) {
        return dj_cli_print_usage_error(
            "A and B are the same, '%s': expected two different operands", a);
    }
    return DJ_EXIT_OK;
}

/* Divides the operands into two sides. The words before "--" are side A, and the words
 * after it are side B. Without "--" there must be two operands. */
static int divide(int argc, char **argv, int *own, struct dj_side_operands sides[2])
{
    *own = argc;
    for (int i = 1; i < argc && *own == argc; i++) {
        *own = strcmp(argv[i], "--") == 0 ? i : *own;
    }
    if (*own < argc) {
        sides[1] = (struct dj_side_operands){argv + *own + 1, argc - *own - 1};
    }
    return *own < argc;
}

static int reject_operands(bool run, bool divided, int count, char **argv)
{
    if (run) {
        dj_cli_print_message("--run: expected two commands, found %d", count);
        dj_cli_print_hint("quote each command: dejank compare --run 'app --old' 'app "
                          "--new'");
        return DJ_EXIT_USAGE;
    }
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
    struct dj_compare_gate gates[DJ_COMPARE_GATES_MOST];
    struct dj_compare_rules rules = {0};
    struct dj_side_operands sides[2] = {{NULL, 0}, {NULL, 0}};
    struct dj_error err = {0};
    int own;
    int operands = 0;
    bool divided = divide(argc, argv, &own, sides);
    int result = dj_options_parse(&dj_verb_compare, own, argv, &values, false, &operands);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    if (values.run && divided && operands == 0) {
        /* With --run, "--" may precede both commands, as for the operands of other verbs.
         */
        argv++;
        operands = sides[1].count;
        divided = false;
    }
    sides[0] = (struct dj_side_operands){argv + 1, divided ? operands : 1};
    if (!divided) {
        sides[1] = (struct dj_side_operands){argv + 2, 1};
    }
    if (values.run ? divided || operands != 2
        : divided  ? operands == 0 || sides[1].count == 0
                   : operands != 2) {
        return reject_operands(values.run, divided, operands, argv);
    }
    result = check_run(&values);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    if (values.output != NULL && !dj_output_has_suffix(values.output, ".json") &&
        dj_document_find_format(values.output) == NULL) {
        return dj_cli_print_usage_error(
            "--output: expected a name that ends in .html, .md, .json, .svg or .png, "
            "found '%s'",
            values.output);
    }
    if (values.output != NULL && dj_output_check(values.output, &err) != 0) {
        return dj_cli_finish(err.code, &err);
    }
    result = dj_cli_read_compare_rules(&values.rules, gates, &rules);
    if (result == DJ_EXIT_OK && values.run) {
        return run_commands(&values, argv + 1, &rules);
    }
    result = result == DJ_EXIT_OK ? reject_same_operand(sides) : result;
    return result == DJ_EXIT_OK ? compare(&values, sides, NULL, &rules) : result;
}

static const struct dj_example examples[] = {
    {"Compare two builds that dejank run has measured", "dejank compare 1.7 1.8"},
    {"Compare two folders of dumps, and write a page",
     "dejank compare before/ after/ -o verdict.html"},
    {"Run two commands ten times each, and compare their frames",
     "dejank compare --run 'app --old' 'app --new'"},
    {"Decide only by the 99th percentile; ignore changes below 10 %",
     "dejank compare 1.7 1.8 --metric p99=10%"},
};

const struct dj_verb dj_verb_compare = {
    .name = "compare",
    .synopsis =
        "[OPTION]… A B\n[OPTION]… A… -- B…\n--run [OPTION]… 'COMMAND_A' 'COMMAND_B'",
    .summary = "decide whether B renders slower than A, and by how much",
    .description =
        "A and B are each one of these:\n"
        "BATCH\ta batch in the store: its id, the start of its id, its name or project\n"
        "BUILD\ta label, version or commit: all its batches of one device and flow\n"
        "FILE.db#BATCH\ta batch in another store\n"
        "DIR\ta folder of dumps or logs for 'dejank import'; each file is a run\n"
        "FILE\tone or more such dumps or logs, separated by commas or listed in @FILE\n"
        "If a file and a batch have the same name, dejank uses the file; write "
        "batch:NAME or build:NAME for the batch. If two builds were measured on several "
        "devices, dejank compares them on each device and adds a summary.\n"
        "The first line is the verdict: regression, likely-regression, equivalent, "
        "likely-improvement, improvement or inconclusive. A smaller --alpha makes false "
        "alarms rarer, but needs more runs.\n"
        "With --run, A and B are commands. dejank runs them alternately, in the order "
        "ABBA or BAAB, and stores the runs as two batches. dejank splits a command into "
        "words like a shell, but expands no variables or wildcards.\n",
    .exit_codes = "0\tno regression\n"
                  "1\tregression\n"
                  "4\tno data\n"
                  "6\tinconclusive or likely-regression\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE|BATCH|BUILD", 2, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct compare_options),
    DJ_GROUPS(groups),
    .run_argv = run,
};
