#include "serve/gated.h"

#include <string.h>
#include <time.h>

#include "base/compare.h"
#include "serve/pages/page.h"

/* Stores the values of a parameter, and ignores those that exceed the limit. */
static size_t read_list(const struct dj_request *request, const char *name,
                        const char *values[DJ_GATED_VALUES_MAX])
{
    size_t count = dj_serve_get_parameters(request, name, values, DJ_GATED_VALUES_MAX);
    return DJ_LEAST(count, DJ_GATED_VALUES_MAX);
}

int dj_serve_gate(const struct dj_call *call, struct dj_gated *gated,
                  struct dj_error *err)
{
    const struct dj_request *request = call->request;
    struct dj_gate_options *options = &gated->options;
    options->candidate = dj_serve_get_parameter(request, "candidate");
    options->baseline = dj_serve_get_parameter(request, "baseline");
    options->project = dj_serve_get_parameter(request, "project");
    options->flow = dj_serve_get_parameter(request, "flow");
    options->device = dj_serve_get_parameter(request, "device");
    options->margin = dj_serve_get_parameter(request, "margin");
    options->alpha = dj_serve_get_parameter(request, "alpha");
    options->stale = dj_serve_get_parameter(request, "stale");
    options->metrics = gated->lists[0];
    options->metric_count = read_list(request, "metric", gated->lists[0]);
    options->objectives = gated->lists[1];
    options->objective_count = read_list(request, "objective", gated->lists[1]);
    int code = dj_serve_need_store(call, err);
    /* A baseline that names a branch needs a git repository, which exists only on the
     * machine of a developer. */
    if (code == 0 && options->baseline != NULL &&
        (strncmp(options->baseline, "merge-base", 10) == 0 ||
         (strncmp(options->baseline, "last:", 5) == 0 &&
          strchr(options->baseline + 5, ':') != NULL))) {
        code = dj_error_set(err, DJ_E_USAGE,
                            "baseline: the server has no repository, so '%.80s' is "
                            "unknown: name a build, last-release, last:N or none",
                            options->baseline);
    }
    code = code == 0 ? dj_plan_gate_request_init(options, &gated->request, err) : code;
    code = code == 0
               ? dj_gate_judge(call->store, &gated->request.rules, &gated->gate, err)
               : code;
    if (code == 0) {
        gated->report = (struct dj_gate_report){
            .gate = &gated->gate, .project = gated->gate.cells.candidate->project};
    }
    return code;
}

void dj_serve_finish_gated(struct dj_gated *gated)
{
    dj_gate_finish(&gated->gate);
    dj_plan_gate_request_finish(&gated->request);
}
