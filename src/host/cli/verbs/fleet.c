#include "fleet/fleet.h"
#include "cli/fleet_option.h"
#include "cli/progress.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "cli/verbs/compare_rules.h"
#include "output/file.h"

struct fleet_options {
    struct dj_fleet_request request;
    struct dj_option_list shards, metrics;
    const char *output;
    bool gate, json, all;
};

#define AT(member) offsetof(struct fleet_options, member)
#define TEXT(name, member, value, help)                                                  \
    {                                                                                    \
        name, 0, DJ_OPTION_STRING, AT(request.member), value, help                       \
    }
static const struct dj_option options[] = {
    DJ_SHARD_OPTION(struct fleet_options, shards),
    DJ_CLUSTER_OPTION(struct fleet_options, request.place.name),
    DJ_PASSWORD_FILE_OPTION(struct fleet_options, request.place.password_file),
    {"partial", 0, DJ_OPTION_FLAG, AT(request.partial), NULL,
     "answer without the shards that do not respond; the first line says so"},
    TEXT("app", app, "NAME",
         "query, compare: only this app; push: app of sources that do not name it"),
    TEXT("since", since, "DAY",
         "query, compare: only sessions from this day on; push: batches of the store "
         "from this day on"),
    TEXT("before", before, "DAY", "query, compare, prune: only sessions before this day"),
    {"yes", 0, DJ_OPTION_FLAG, AT(request.yes), NULL,
     "prune, forget: delete the sessions"},
    TEXT("by", by, "KEYS",
         "group by app, version, device, class, release, refresh, day, separated by "
         "commas"),
    TEXT("version", version, "NAME", "only sessions of this version"),
    TEXT("slow-session", slow_session, "PERCENT",
         "a session is slow if more than PERCENT of its frames are slow (default: 25)"),
    TEXT("frozen-session", frozen_session, "PERCENT",
         "a session is frozen if more than PERCENT of its frames are frozen (default: "
         "0.1)"),
    {"top", 0, DJ_OPTION_COUNT, AT(request.top), "N", "show only N rows"},
    TEXT("from", from, "VERSION", "the old version, A"),
    TEXT("to", to, "VERSION", "the new version, B"),
    {"metric", 'm', DJ_OPTION_LIST, AT(metrics), "NAME[=MARGIN]",
     "metrics that decide the verdict, separated by commas, such as p95=5%,slow; "
     "MARGIN as for --margin; repeatable (default: frame time p50 and p95, jank rate)"},
    TEXT("margin", margin, "SHARE",
         "smallest change that matters: 5% or 0.05 (default: each metric's own)"),
    TEXT("alpha", alpha, "PROBABILITY",
         "probability of a false alarm over all classes and metrics together (default: "
         "0.05)"),
    {"gate", 0, DJ_OPTION_FLAG, AT(gate), NULL,
     "set the exit code to the verdict, for CI"},
    TEXT("model", model, "NAME", "model of the device that printed the dumps"),
    TEXT("device-id", device_id, "ID", "id of this device; only its hash is sent"),
    TEXT("class", class, "NAME", "class of this device (default: from --ram)"),
    TEXT("release", release, "NAME",
         "Android release or Linux distribution of this device"),
    TEXT("app-version", app_version, "NAME", "version name of the app in the dumps"),
    {"refresh", 0, DJ_OPTION_RATE, AT(request.refresh_hz), "HZ",
     "refresh rate of this device"},
    {"ram", 0, DJ_OPTION_COUNT, AT(request.ram_mb), "MB", "memory of this device"},
    DJ_SPOOL_OPTION(struct fleet_options, request.spool),
    {"dry-run", 0, DJ_OPTION_FLAG, AT(request.dry_run), NULL,
     "read and check the sessions of each source, but send and store nothing"},
    TEXT("store", store, "FILE|URL",
         "store of the batches (default: $XDG_DATA_HOME/dejank/history.db)"),
    {"output", 'o', DJ_OPTION_STRING, AT(output), "FILE",
     "write FILE.json, .csv, .md, .html, .svg or .png"},
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL, "print JSON"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL, "also print further figures"},
};

static const struct dj_option_group groups[] = {
    {"shard", "Servers"}, {"app", "Sessions"}, {"by", "Query"},
    {"from", "Compare"},  {"model", "Push"},   {"output", "Output"},
};

static int write_answer(const struct fleet_options *values,
                        struct dj_fleet_answer *answer, struct dj_error *err)
{
    struct dj_text text = {0};
    int code = 0;
    if (values->output != NULL) {
        code = dj_fleet_answer_write(answer, values->output, err);
    }
    if (values->json) {
        text = answer->json;
        answer->json = (struct dj_text){0};
    } else if (values->output == NULL) {
        dj_cli_append_document(&text, &answer->document, values->all);
    }
    code = code == 0 ? dj_output_print(&text, err) : code;
    dj_text_finish(&text);
    return code;
}

static void show_progress(void *user, const char *what)
{
    dj_progress_update_job(user, what);
}

/* Refuses options that the sub-command would ignore. */
static int check_options(const struct fleet_options *values, const char *command)
{
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        if (dj_option_is_set(&options[i], values) &&
            !dj_fleet_accepts_option(command, options[i].name)) {
            struct dj_text users = {0};
            dj_fleet_append_users(&users, options[i].name);
            dj_cli_print_message("fleet %s: --%s is not an option of %s", command,
                                 options[i].name, command);
            dj_cli_print_hint("--%s is an option of: %s", options[i].name,
                              dj_text_get(&users));
            dj_text_finish(&users);
            return DJ_EXIT_USAGE;
        }
    }
    return DJ_EXIT_OK;
}

static int run(void *given, int count, char **operands)
{
    struct fleet_options *values = given;
    struct dj_fleet_request *request = &values->request;
    struct dj_fleet_answer answer = {0};
    struct dj_error err = {0};
    struct dj_progress_job progress;
    if (check_options(values, operands[0]) != DJ_EXIT_OK) {
        return DJ_EXIT_USAGE;
    }
    dj_cli_note_margins(&values->metrics, request->margin);
    request->metrics = values->metrics.values;
    request->metric_count = values->metrics.count;
    request->place.shards = values->shards.values;
    request->place.shard_count = values->shards.count;
    request->operands = operands + 1;
    request->operand_count = count - 1;
    request->messages = &dj_cli_messages;
    request->show_progress = show_progress;
    request->progress_user = &progress;
    dj_progress_begin_job(&progress, "asking the fleet");
    int code = dj_fleet_run(operands[0], request, &answer, &err);
    dj_progress_end_job(&progress);
    struct dj_error output_err = {0};
    int written = code == 0 || answer.document.block_count > 0
                      ? write_answer(values, &answer, &output_err)
                      : 0;
    int done = answer.has_problems                  ? DJ_EXIT_DATA
               : values->gate && answer.has_verdict ? dj_cli_choose_exit(answer.verdict)
                                                    : DJ_EXIT_OK;
    dj_fleet_answer_finish(&answer);
    if (code != 0 || written != 0) {
        return dj_cli_finish(code != 0 ? code : written, code != 0 ? &err : &output_err);
    }
    return done;
}

static const struct dj_example examples[] = {
    {"Create the tables on two shards",
     "dejank fleet init --shard http://db1:8123 --shard http://db2:8123"},
    {"Send the graphicsstats of a phone",
     "dejank fleet push stats.txt --model 'Pixel 7' --device-id 2A111FDH2"},
    {"Show the versions of an app on each class of devices",
     "dejank fleet query --app com.example.mail --by version,class"},
    {"Fail a pipeline if version 1.1 renders slower on a class of devices",
     "dejank fleet compare --app com.example.mail --from 1.0 --to 1.1 --gate"},
};

const struct dj_verb dj_verb_fleet = {
    .name = "fleet",
    .synopsis = "init\n"
                "push [FILE…|BATCH…] [--since DAY]\n"
                "query [--by KEYS] [--app NAME] [--version NAME] [--since DAY]\n"
                "compare --app NAME --from VERSION --to VERSION [--gate]\n"
                "rollup\n"
                "check\n"
                "prune --before DAY [--yes]\n"
                "forget ID… [--yes]",
    .summary = "keep the sessions of many users in ClickHouse, and query them",
    .description =
        "A session has the frame times of one app on one device. A fleet is a ClickHouse "
        "cluster with the sessions of many users. Each server of it is a shard.\n"
        "init\tcreate the tables on every shard; repeating it changes nothing\n"
        "push\tsend sessions: JSON lines, RowBinary, graphicsstats, gfxinfo dumps, "
        "timestats, segments, or batches of the store. If a shard does not answer, its "
        "sessions wait on disk until the next push\n"
        "query\tprint sessions, frame times and shares of janky, slow and frozen frames, "
        "by version, device and so on\n"
        "compare\ttest if a version renders slower than another one on the same device "
        "models, and on which class of devices\n"
        "rollup\tsum up the sessions of each week, so that queries are faster\n"
        "check\tfind roll-ups that differ from the sessions, and sessions on the wrong "
        "shard\n"
        "prune\tdelete the sessions before a day\n"
        "forget\tdelete sessions by their ids\n"
        "Every answer states how many shards answered. A missing shard is an error "
        "unless --partial is given.\n",
    .exit_codes =
        "1\tcompare --gate: a regression\n"
        "3\ta shard does not answer\n"
        "4\tpush: sessions were refused, and the others were sent\n"
        "4\tcompare: a version has no sessions\n"
        "4\trollup: a shard has never merged the sessions of a week\n"
        "4\tcheck: the fleet has problems\n"
        "6\tcompare --gate: undecided, that is likely-regression or inconclusive\n",
    DJ_EXAMPLES(examples),
    .operands = {"init|push|query|compare|rollup|check|prune|forget", 1,
                 DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct fleet_options),
    DJ_GROUPS(groups),
    .accepts = dj_fleet_accepts_option,
    .run = run,
};
