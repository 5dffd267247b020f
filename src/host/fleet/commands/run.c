#include <string.h>
#include <time.h>

#include "fleet/commands/commands.h"
#include "output/file.h"

static const struct {
    const char *name;
    int (*run)(struct dj_fleet_job *job);
    bool accepts_operands;
} commands[] = {
    {"init", dj_fleet_run_init, false},    {"push", dj_fleet_run_push, true},
    {"query", dj_fleet_run_query, false},  {"rollup", dj_fleet_run_rollup, false},
    {"check", dj_fleet_run_check, false},  {"prune", dj_fleet_run_prune, false},
    {"forget", dj_fleet_run_forget, true},
};

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
    size_t which = 0;
    while (which < COUNT_OF(commands) && strcmp(commands[which].name, command) != 0) {
        which++;
    }
    if (which == COUNT_OF(commands)) {
        return dj_error_set(err, DJ_E_USAGE, "unknown command '%s'", command);
    }
    if (!commands[which].accepts_operands && request->operand_count > 0) {
        return dj_error_set(err, DJ_E_USAGE, "%s: unexpected operand '%s'", command,
                            request->operands[0]);
    }
    int code = dj_cluster_open(&job.cluster, &request->place, err);
    code = code == 0 ? commands[which].run(&job) : code;
    dj_cluster_close(&job.cluster);
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
