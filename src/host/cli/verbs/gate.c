#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/run/play_plan.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "cli/verbs/compare_rules.h"
#include "memory/memory.h"
#include "output/file.h"
#include "plan/gate_request.h"
#include "plan/read_file.h"
#include "report/gate.h"

struct gate_options {
    struct dj_gate_options asked;
    bool json, all;
    struct dj_option_list metrics, objectives;
    const char *output, *junit, *markdown, *annotations, *annotations_file;
};

#define AT(member) offsetof(struct gate_options, member)
static const struct dj_option options[] = {
    {"baseline", 'b', DJ_OPTION_STRING, AT(asked.baseline), "BASELINE",
     "a batch, label, version or commit, or one of last-release, merge-base[:BRANCH], "
     "last:N[:BRANCH] and none (default: see below)"},
    {"nearest", 0, DJ_OPTION_FLAG, AT(asked.nearest), NULL,
     "if the merge base was not measured, use the nearest earlier measured commit"},
    {"repository", 0, DJ_OPTION_STRING, AT(asked.repository), "DIR",
     "git repository for merge-base and branches (default: current folder)"},
    {"metric", 'm', DJ_OPTION_LIST, AT(metrics), "NAME[=MARGIN]",
     "metrics to check, each with the smallest change that matters, such as p95=5%; "
     "repeatable (default: those of the plan, or frame time p50 and p95, jank rate)"},
    {"margin", 0, DJ_OPTION_STRING, AT(asked.margin), "SHARE",
     "smallest change that matters, such as 5%, for metrics without their own"},
    {"alpha", 0, DJ_OPTION_STRING, AT(asked.alpha), "PROBABILITY",
     "probability that a build that changed nothing fails (default: 0.05)"},
    {"objective", 0, DJ_OPTION_LIST, AT(objectives), "OBJECTIVE",
     "limit that the build must meet: 'p95 <= 16.7 ms', 'smooth_pct >= 98 % by "
     "2027-03-31' or 'max <= 700 ms worst'; repeatable"},
    {"undecided", 0, DJ_OPTION_CHOICE, AT(asked.undecided), "fail|pass|rerun",
     "what to do if the runs do not settle the answer (default: fail, with exit code 6)"},
    {"rerun", 0, DJ_OPTION_FLAG, AT(asked.rerun), NULL,
     "if the gate is undecided, measure more runs of both builds and decide again"},
    {"looks", 0, DJ_OPTION_STRING, AT(asked.looks), "N,N,…",
     "with --rerun: numbers of runs per build after which the gate decides (default: 1, "
     "1.5, 2 and 3 times the planned runs)"},
    {"project", 'p', DJ_OPTION_STRING, AT(asked.project), "NAME",
     "project in the store (default: the only one)"},
    {"flow", 0, DJ_OPTION_STRING, AT(asked.flow), "NAME",
     "check only this flow, which is the name of the batches"},
    {"device", 'd', DJ_OPTION_STRING, AT(asked.device), "SERIAL",
     "check only the device with this serial"},
    {"allow-new", 0, DJ_OPTION_FLAG, AT(asked.allow_new), NULL,
     "accept flows and devices that were not measured for the baseline"},
    {"stale", 0, DJ_OPTION_STRING, AT(asked.stale), "AGE",
     "exit with code 4 if the newest batch is older than AGE, such as 7d or 12h"},
    DJ_STORE_OPTION(struct gate_options, asked.store),
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON (schema dejank.gate/1)"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL,
     "print all figures with their runs, margins and confidence levels"},
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write the report in the format of its suffix: .html, .md, .svg, .png or .json"},
    {"junit", 0, DJ_OPTION_STRING, AT(junit), "FILE",
     "write JUnit XML with a test case for each metric and objective"},
    {"markdown", 0, DJ_OPTION_STRING, AT(markdown), "FILE",
     "write Markdown for a merge request"},
    {"annotations", 0, DJ_OPTION_CHOICE, AT(annotations), "github|gitlab",
     "write annotations: GitHub workflow commands or a GitLab code quality report"},
    {"annotations-file", 0, DJ_OPTION_STRING, AT(annotations_file), "FILE",
     "file for the annotations (default for github: standard output)"},
};

static const struct dj_option_group groups[] = {
    {"baseline", "Baseline"},
    {"metric", "Decision"},
    {"project", "Data"},
    {"json", "Output"},
};

static bool is_github(const struct gate_options *values)
{
    return values->annotations != NULL && strcmp(values->annotations, "github") == 0;
}

/* Appends the document of the gate in the format of this suffix. */
static int append_document(struct dj_text *text, const struct dj_gate_report *report,
                           const char *suffix, struct dj_error *err)
{
    struct dj_document document = {0};
    dj_report_build_gate(&document, report);
    int code = dj_document_write(text, &document, dj_document_find_format(suffix), err);
    dj_document_finish(&document);
    return code;
}

/* Appends the text of one output file. */
static int append_file(struct dj_text *text, const struct gate_options *values,
                       const struct dj_gate_report *report, const char *path,
                       struct dj_error *err)
{
    if (path == values->junit) {
        dj_report_write_gate_junit(text, report);
    } else if (path == values->annotations_file) {
        (is_github(values) ? dj_report_write_gate_github
                           : dj_report_write_gate_gitlab)(text, report);
    } else if (path == values->markdown) {
        return append_document(text, report, "x.md", err);
    } else if (dj_output_has_suffix(path, ".json")) {
        dj_report_write_gate_json(text, report);
    } else {
        return append_document(text, report, path, err);
    }
    return 0;
}

static int write_files(const struct gate_options *values,
                       const struct dj_gate_report *report)
{
    const char *const paths[] = {values->output, values->junit, values->markdown,
                                 values->annotations_file};
    int exit = DJ_EXIT_OK;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct dj_text file = {0};
        struct dj_error err = {0};
        if (paths[i] != NULL) {
            int code = append_file(&file, values, report, paths[i], &err);
            code = code == 0 ? dj_output_write_or_save(paths[i], &file, &err) : code;
            exit = code != 0 ? dj_cli_finish(code, &err) : exit;
        }
        dj_text_finish(&file);
    }
    return exit;
}

static int write_all(const struct gate_options *values,
                     const struct dj_gate_report *report)
{
    struct dj_text text = {0};
    int exit = write_files(values, report);
    if (values->json) {
        dj_report_write_gate_json(&text, report);
    } else {
        struct dj_document document = {0};
        dj_report_build_gate(&document, report);
        dj_cli_append_document(&text, &document, values->all);
    }
    if (is_github(values) && values->annotations_file == NULL) {
        dj_report_write_gate_github(&text, report);
    }
    int printed = dj_cli_finish_output(0, &text, &(struct dj_error){0});
    return exit != DJ_EXIT_OK ? exit : printed;
}

/* Returns whether the value of --output looks like an objective: in earlier releases, -o
 * was the short form of --objective. */
static bool is_objective(const char *output)
{
    return output != NULL &&
           (strstr(output, "<=") != NULL || strstr(output, ">=") != NULL);
}

static int check_options(const struct gate_options *values)
{
    const char *ci = values->annotations;
    const struct dj_cli_rule misuses[] = {
        {ci != NULL && strcmp(ci, "gitlab") == 0 && values->annotations_file == NULL,
         "--annotations gitlab requires --annotations-file, such as "
         "gl-code-quality.json"},
        {is_github(values) && values->json && values->annotations_file == NULL,
         "--annotations github and --json both write to standard output: add "
         "--annotations-file FILE"},
        {ci == NULL && values->annotations_file != NULL,
         "--annotations-file requires --annotations"},
        {is_objective(values->output),
         "-o is now the short form of --output. hint: use --objective 'p95 <= 16.7 ms'"},
        {values->output != NULL && !dj_output_has_suffix(values->output, ".json") &&
             dj_document_find_format(values->output) == NULL,
         "--output: expected a name that ends in .html, .md, .svg, .png or .json"},
        {values->asked.rerun && values->asked.undecided != NULL &&
             strcmp(values->asked.undecided, "rerun") != 0,
         "--rerun and --undecided exclude each other"},
    };
    return dj_cli_check_rules(misuses, COUNT_OF(misuses));
}

static int check_files(const struct gate_options *values, struct dj_error *err)
{
    const char *const paths[] = {values->output, values->junit, values->markdown,
                                 values->annotations_file};
    int code = 0;
    for (size_t i = 0; code == 0 && i < COUNT_OF(paths); i++) {
        code = paths[i] != NULL ? dj_output_check(paths[i], err) : 0;
    }
    return code;
}

static int choose_exit_code(enum dj_gate_answer answer, enum dj_plan_undecided undecided)
{
    static const int exits[DJ_GATE_ANSWERS] = {
        [DJ_GATE_FAIL] = DJ_EXIT_REGRESSION,
        [DJ_GATE_NOT_MEASURED] = DJ_EXIT_DATA,
        [DJ_GATE_UNDECIDED] = DJ_EXIT_UNDECIDED,
    };
    bool passes = answer == DJ_GATE_UNDECIDED && undecided == DJ_UNDECIDED_PASSES;
    return passes ? DJ_EXIT_OK : exits[answer];
}

static bool add_runs(const char *plan, const struct dj_store *history,
                     const struct dj_gate_flows *flows, int64_t runs)
{
    const struct dj_play_options play = {.store = dj_store_path(history),
                                         .resume = true,
                                         .extended = runs,
                                         .flows = flows->names,
                                         .flow_count = flows->count,
                                         .silent = true};
    const char *verb = dj_cli_set_verb_name("run");
    bool is_done = dj_play_plan_file(plan, &play) == DJ_EXIT_OK;
    dj_cli_set_verb_name(verb);
    return is_done;
}

static int gate(const struct gate_options *values, struct dj_gate_request *request)
{
    struct dj_store *history = NULL;
    struct dj_gate gate = {.cell = NULL};
    struct dj_looks looks = {.count = 0};
    struct dj_error err = {0};
    size_t look = 0;
    int code = check_files(values, &err);
    code = code == 0 ? dj_store_open_existing(request->plan.store, &history, &err) : code;
    if (code == 0 && history == NULL) {
        code = values->asked.candidate == NULL
                   ? dj_error_set(&err, DJ_E_NO_DATA,
                                  "the store does not exist: nothing was measured")
                   : dj_error_set(&err, DJ_E_NO_DATA,
                                  "'%.100s' is neither a .yaml file nor a build: the "
                                  "store does not exist, nothing was measured",
                                  values->asked.candidate);
    }
    const struct dj_gate_rerun rerun = {add_runs, &dj_cli_messages};
    code = code == 0
               ? dj_plan_decide_gate(request, history, &rerun, &gate, &looks, &look, &err)
               : code;
    int exit = dj_cli_finish(code, &err);
    if (code == 0) {
        const struct dj_gate_report report = {
            .gate = &gate,
            .project = gate.cells.candidate->project,
            .place = values->asked.plan,
            .store = values->asked.store,
            .undecided_passes = request->plan.gate.undecided == DJ_UNDECIDED_PASSES,
            .looks = looks.count > 0 ? &looks : NULL,
            .look = look,
        };
        exit = write_all(values, &report);
        exit = exit == DJ_EXIT_OK
                   ? choose_exit_code(gate.answer, request->plan.gate.undecided)
                   : exit;
    }
    dj_gate_finish(&gate);
    dj_store_close(history);
    return exit;
}

static int make_request(struct gate_options *values, struct dj_gate_request *request)
{
    struct dj_gate_options *asked = &values->asked;
    struct dj_error err = {0};
    if (asked->plan != NULL) {
        int code = dj_plan_read_file(asked->plan, &dj_cli_messages, &request->plan_bytes,
                                     &request->plan);
        if (code != 0) {
            return dj_cli_exit_code(code);
        }
    }
    asked->metrics = values->metrics.values;
    asked->metric_count = values->metrics.count;
    asked->objectives = values->objectives.values;
    asked->objective_count = values->objectives.count;
    int code = dj_plan_gate_request_init(asked, request, &err);
    if (code == 0) {
        dj_cli_note_margins(&values->metrics, asked->margin);
    }
    return dj_cli_finish(code, &err);
}

/* Returns whether a word is the name of a YAML file. Any other word is a candidate. */
static bool is_plan(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot != NULL && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

static int run(void *given, int count, char **operands)
{
    struct gate_options *values = given;
    struct dj_gate_request request = {.wanted = NULL};
    for (int i = 0; i < count; i++) {
        const char **place =
            is_plan(operands[i]) ? &values->asked.plan : &values->asked.candidate;
        if (*place != NULL) {
            return dj_cli_print_usage_error(
                "unexpected operand '%s': expected at most one plan and one candidate",
                operands[i]);
        }
        *place = operands[i];
    }
    int result = check_options(values);
    result = result == DJ_EXIT_OK ? make_request(values, &request) : result;
    result = result == DJ_EXIT_OK ? gate(values, &request) : result;
    dj_plan_gate_request_finish(&request);
    return result;
}

static const struct dj_example examples[] = {
    {"Check a version against another one; 'dejank run --app-version' names them",
     "dejank gate 1.8 -b 1.7"},
    {"Check a commit against its merge base, with annotations on GitHub",
     "dejank gate 4f2c1aa -b merge-base:origin/main --annotations github"},
    {"Check a build only against absolute limits",
     "dejank gate 1.8 -b none --objective 'p95 <= 16.7 ms'"},
    {"Check all flows of a plan; add runs while the gate is undecided",
     "dejank gate plan.yaml --rerun"},
};

const struct dj_verb dj_verb_gate = {
    .name = "gate",
    .synopsis = "[OPTION]… [PLAN.yaml] [BUILD|BATCH]",
    .summary = "pass or fail a build in CI, on every flow and device",
    .description =
        "The candidate is the build to check: BUILD, or by default the newest build. The "
        "baseline is the build to which dejank compares the candidate: by default the "
        "build that was measured alternating with the candidate, otherwise the last "
        "release. dejank compares each flow on each device. Objectives come from the "
        "plan (otherwise from the candidate's batches) and from --objective.\n"
        "The probability of a false alarm is --alpha for all flows, devices and metrics "
        "together (Holm's method). The gate does not pass if a flow or device that "
        "should have been measured is missing. The report names what is missing.\n",
    .exit_codes =
        "0\tpass\n"
        "1\tfail: a regression, or a missed objective\n"
        "4\tnot measured: a flow, device or metric is missing or is too old (--stale)\n"
        "6\tundecided: the gate needs more runs\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE|BUILD|BATCH", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct gate_options),
    DJ_GROUPS(groups),
    .run = run,
};
