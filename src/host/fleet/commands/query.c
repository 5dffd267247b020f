#include <math.h>
#include <string.h>

#include "fleet/commands/commands.h"
#include "fleet/session.h"

static int read_percent(const char *option, const char *text, double *percent,
                        struct dj_error *err)
{
    if (text == NULL) {
        return 0;
    }
    struct dj_str rest = dj_str_trim(dj_str_of(text));
    if (dj_str_ends(rest, "%")) {
        rest.length--;
    }
    rest = dj_str_trim(rest);
    char *end = NULL;
    double value = strtod(text, &end);
    if (!dj_str_double(rest, &value) || value < 0 || value > 100 ||
        end != rest.at + rest.length) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "%s: expected a percentage of frames such as 25, found '%.40s'", option,
            text);
    }
    *percent = value;
    return 0;
}

int dj_fleet_read_day(const char *option, const char *text, int64_t *day,
                      struct dj_error *err)
{
    *day = -1;
    if (text != NULL && !dj_session_parse_day(dj_str_of(text), day)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "%s: expected a day such as 2026-01-31, found '%.40s'",
                            option, text);
    }
    return 0;
}

int dj_fleet_read_query(const struct dj_fleet_request *request,
                        struct dj_fleet_query *query, struct dj_error *err)
{
    dj_fleet_query_init(query);
    query->only[DJ_FLEET_APP] = request->app;
    query->only[DJ_FLEET_VERSION] = request->version;
    query->partial = request->partial;
    int code = request->by != NULL ? dj_fleet_parse_keys(request->by, query, err) : 0;
    if (code == 0) {
        code = dj_fleet_read_day("--since", request->since, &query->since_day, err);
    }
    if (code == 0) {
        code = dj_fleet_read_day("--before", request->before, &query->before_day, err);
    }
    if (code == 0) {
        code = read_percent("--slow-session", request->slow_session,
                            &query->limits.slow_pct, err);
    }
    return code == 0 ? read_percent("--frozen-session", request->frozen_session,
                                    &query->limits.frozen_pct, err)
                     : code;
}

int dj_fleet_run_query(struct dj_fleet_job *job)
{
    struct dj_fleet_query query;
    struct dj_fleet_result result = {0};
    size_t top = (size_t)job->request->top;
    int code = dj_fleet_read_query(job->request, &query, job->err);
    if (code == 0) {
        code = dj_fleet_query_shards(&job->cluster, &query, &result, job->err);
    }
    if (code == 0) {
        dj_fleet_build_result(&job->answer->document, &result, top);
        dj_fleet_write_result_json(&job->answer->json, &result, top);
        dj_fleet_write_result_csv(&job->answer->csv, &result, top);
    }
    dj_fleet_result_finish(&result);
    return code;
}
