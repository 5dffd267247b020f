#include <string.h>

#include "fleet/commands/commands.h"
#include "fleet/compare.h"

static int check_versions(const struct dj_fleet_request *request, struct dj_error *err)
{
    const struct {
        const char *value, *option;
    } needed[] = {{request->app, "--app NAME"},
                  {request->from, "--from VERSION"},
                  {request->to, "--to VERSION"}};
    for (size_t i = 0; i < COUNT_OF(needed); i++) {
        if (needed[i].value == NULL) {
            return dj_error_set(err, DJ_E_USAGE, "compare: missing option %s",
                                needed[i].option);
        }
    }
    return strcmp(request->from, request->to) != 0
               ? 0
               : dj_error_set(err, DJ_E_USAGE,
                              "--from and --to are both '%.80s': expected two versions",
                              request->from);
}

/* The first query gives the sums of each model. The second one gives the weights of the
 * classes from all versions. */
static int ask(struct dj_fleet_job *job, struct dj_fleet_result *groups,
               struct dj_fleet_result *standard)
{
    struct dj_fleet_query query;
    int code = dj_fleet_read_query(job->request, &query, job->err);
    if (code == 0) {
        query.by[query.by_count++] = DJ_FLEET_CLASS;
        code = dj_fleet_query_shards(&job->cluster, &query, standard, job->err);
    }
    if (code == 0) {
        query.by[query.by_count++] = DJ_FLEET_DEVICE;
        query.by[query.by_count++] = DJ_FLEET_VERSION;
        query.versions[query.version_count++] = job->request->from;
        query.versions[query.version_count++] = job->request->to;
        code = dj_fleet_query_shards(&job->cluster, &query, groups, job->err);
    }
    return code;
}

static void write_answer(struct dj_fleet_job *job, const struct dj_fleet_result *groups,
                         const struct dj_fleet_result *standard,
                         const struct dj_fleet_comparison *comparison)
{
    bool is_less = standard->state.answering < groups->state.answering;
    struct dj_fleet_compare_view view = {.request = job->request,
                                         .state =
                                             is_less ? &standard->state : &groups->state,
                                         .is_provisional = groups->is_provisional,
                                         .limits = groups->query.limits,
                                         .comparison = comparison};
    dj_fleet_build_comparison(&job->answer->document, &view);
    dj_fleet_write_comparison_json(&job->answer->json, &view);
    dj_fleet_write_comparison_csv(&job->answer->csv, comparison);
    job->answer->verdict = comparison->verdict.verdict;
    job->answer->has_verdict = true;
}

int dj_fleet_run_compare(struct dj_fleet_job *job)
{
    const struct dj_fleet_request *request = job->request;
    struct dj_fleet_compare_rules rules;
    struct dj_fleet_result groups = {0}, standard = {0};
    struct dj_fleet_comparison comparison = {0};
    int code = check_versions(request, job->err);
    if (code == 0) {
        code = dj_fleet_parse_compare_rules(request->metrics, request->metric_count,
                                            request->margin, request->alpha, &rules,
                                            job->err);
    }
    if (code == 0) {
        code = ask(job, &groups, &standard);
    }
    if (code == 0) {
        code = dj_fleet_compare(&groups, &standard, request->from, request->to, &rules,
                                &comparison, job->err);
    }
    if (code == 0) {
        write_answer(job, &groups, &standard, &comparison);
    } else if (code == DJ_E_NO_DATA && groups.state.count > 0) {
        dj_error_prepend(job->err, "app '%.80s'", request->app);
    }
    dj_fleet_comparison_finish(&comparison);
    dj_fleet_result_finish(&groups);
    dj_fleet_result_finish(&standard);
    return code;
}
