#include "serve/trend_request.h"

#include "import/series.h"

int dj_serve_read_trend_request(const struct dj_request *request,
                                struct dj_trend_request *trend, struct dj_error *err)
{
    struct dj_trend_query *query = &trend->query;
    const char *since = dj_serve_get_parameter(request, "since");
    const char *class = dj_serve_get_parameter(request, "class");
    query->flow = dj_serve_get_parameter(request, "flow");
    query->serial = dj_serve_get_parameter(request, "device");
    query->build = dj_serve_get_parameter(request, "version");
    query->metric_count =
        dj_serve_get_parameters(request, "metric", query->metrics, DJ_TREND_METRICS_MAX);
    if (query->metric_count > DJ_TREND_METRICS_MAX) {
        return dj_error_set(err, DJ_E_USAGE, "metric: expected at most %d metrics",
                            DJ_TREND_METRICS_MAX);
    }
    if (since != NULL && !dj_import_parse_time(since, &query->since_unix_ms)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "since: expected a day such as 2026-01-31, found '%.40s'",
                            since);
    }
    if (class != NULL) {
        query->class = &trend->class;
        return dj_plan_class_parse(class, trend->class_room, &trend->class, err);
    }
    return 0;
}
