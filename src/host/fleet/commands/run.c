#include <string.h>
#include <time.h>

#include "fleet/commands/commands.h"
#include "output/file.h"

/* Options that every command uses. */
static const char common_options[] = "shard cluster password-file output json";

/* The commands, and the options that each uses in addition, separated by spaces. */
static const struct {
    const char *name;
    int (*run)(struct dj_fleet_job *job);
    bool accepts_operands;
    const char *options;
} commands[] = {
    {"init", dj_fleet_run_init, false, ""},
    {"push", dj_fleet_run_push, true,
     "app since model device-id class release app-version refresh ram spool store "
     "dry-run"},
    {"query", dj_fleet_run_query, false,
     "partial app since before by version slow-session frozen-session top all"},
    {"compare", dj_fleet_run_compare, false,
     "partial app since before slow-session frozen-session from to metric margin alpha "
     "gate all"},
    {"rollup", dj_fleet_run_rollup, false, ""},
    {"check", dj_fleet_run_check, false, ""},
    {"prune", dj_fleet_run_prune, false, "before yes"},
    {"forget", dj_fleet_run_forget, true, "yes"},
};

static size_t find_command(const char *name)
{
    size_t i = 0;
    while (i < COUNT_OF(commands) && strcmp(commands[i].name, name) != 0) {
        i++;
    }
    return i;
}

static bool has_word(const char *words, const char *word)
{
    struct dj_str rest = dj_str_of(words);
    while (rest.length > 0) {
        struct dj_str one = dj_str_until(rest, " ");
        if (dj_str_is(one, word)) {
            return true;
        }
        rest = dj_str_from(rest, one.length + (one.length < rest.length));
    }
    return false;
}

bool dj_fleet_accepts_option(const char *command, const char *option)
{
    size_t which = find_command(command);
    return which == COUNT_OF(commands) || has_word(common_options, option) ||
           has_word(commands[which].options, option);
}

void dj_fleet_append_users(struct dj_text *text, const char *option)
{
    const char *before = "";
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        if (dj_fleet_accepts_option(commands[i].name, option)) {
            dj_text_format(text, "%s%s", before, commands[i].name);
            before = ", ";
        }
    }
}

const char *dj_fleet_command_at(size_t index)
{
    return index < COUNT_OF(commands) ? commands[index].name : NULL;
}

int dj_fleet_run(const char *command, const struct dj_fleet_request *request,
                 struct dj_fleet_answer *answer, struct dj_error *err)
{
    struct dj_fleet_job job = {.request = request,
                               .answer = answer,
                               .err = err,
                               .begun_unix_s = (int64_t)time(NULL)};
    size_t which = find_command(command);
    if (which == COUNT_OF(commands)) {
        return dj_error_set(err, DJ_E_USAGE, "unknown command '%s'", command);
    }
    if (!commands[which].accepts_operands && request->operand_count > 0) {
        return dj_error_set(err, DJ_E_USAGE, "%s: unexpected operand '%s'", command,
                            request->operands[0]);
    }
    int code =
        request->dry_run ? 0 : dj_fleet_cluster_open(&job.cluster, &request->place, err);
    code = code == 0 ? commands[which].run(&job) : code;
    dj_fleet_cluster_close(&job.cluster);
    return code;
}

int dj_fleet_answer_write(const struct dj_fleet_answer *answer, const char *path,
                          struct dj_error *err)
{
    const struct dj_document_format *format = dj_document_find_format(path);
    struct dj_text text = {0};
    int code = 0;
    if (dj_output_has_suffix(path, ".json")) {
        return dj_output_write_or_save(path, &answer->json, err);
    }
    if (dj_output_has_suffix(path, ".csv") && answer->csv.length > 0) {
        return dj_output_write_or_save(path, &answer->csv, err);
    }
    if (format == NULL) {
        return dj_error_set(err, DJ_E_USAGE,
                            "-o: expected a name that ends with .json, .csv, .md, .html, "
                            ".svg or .png, found '%s'",
                            path);
    }
    code = dj_document_write(&text, &answer->document, format, err);
    code = code == 0 ? dj_output_write_or_save(path, &text, err) : code;
    dj_text_finish(&text);
    return code;
}

void dj_fleet_answer_finish(struct dj_fleet_answer *answer)
{
    dj_document_finish(&answer->document);
    dj_text_finish(&answer->json);
    dj_text_finish(&answer->csv);
}
