#include "serve/router.h"

#include <string.h>

#define ROUTE(method, path, kind, handler, threads)                                      \
    {                                                                                    \
        method, path, kind, false, handler, DJ_THREADS_##threads                         \
    }
#define PAGE(path, handler) ROUTE("GET", path, DJ_ROUTE_PAGE, handler, STORE)
#define FORM(path, handler) ROUTE("POST", path, DJ_ROUTE_PAGE, handler, STORE)
#define API(path, handler) ROUTE("GET", "/api/v1" path, DJ_ROUTE_API, handler, STORE)
#define STREAM(path) ROUTE("GET", "/api/v1" path, DJ_ROUTE_STREAM, NULL, STORE)

static const struct dj_route routes[] = {
    {"GET", "/healthz", DJ_ROUTE_API, true, dj_serve_show_health, DJ_THREADS_STORE},
    PAGE("", dj_serve_show_projects),
    PAGE("/projects/*", dj_serve_show_project),
    FORM("/projects/*/bless", dj_serve_bless),
    FORM("/projects/*/unbless", dj_serve_unbless),
    PAGE("/batches", dj_serve_show_batches),
    PAGE("/batches/*", dj_serve_show_batch),
    PAGE("/runs/*", dj_serve_show_run),
    PAGE("/runs/*/evidence/*", dj_serve_send_evidence),
    PAGE("/compare", dj_serve_choose_sides),
    PAGE("/compare/*", dj_serve_show_comparison),
    PAGE("/gate", dj_serve_show_gate),
    PAGE("/traces/*", dj_serve_show_trace),
    ROUTE("GET", "/devices", DJ_ROUTE_PAGE, dj_serve_show_devices, DEVICES),
    PAGE("/live", dj_serve_list_live),
    PAGE("/live/*/*", dj_serve_show_live),
    FORM("/live/*/*/record", dj_serve_record_live),
    FORM("/live/*/*/mark", dj_serve_mark_live),
    ROUTE("GET", "/fleet", DJ_ROUTE_PAGE, dj_serve_show_fleet, FLEET),
    ROUTE("GET", "/fleet/*", DJ_ROUTE_PAGE, dj_serve_show_fleet_app, FLEET),
    ROUTE("GET", "/fleet/*/compare", DJ_ROUTE_PAGE, dj_serve_compare_fleet, FLEET),
    ROUTE("GET", "/api/v1/fleet", DJ_ROUTE_API, dj_serve_send_fleet, FLEET),
    ROUTE("GET", "/api/v1/fleet/compare", DJ_ROUTE_API, dj_serve_send_fleet_comparison,
          FLEET),
    API("/batches", dj_serve_send_batches),
    API("/batches/*", dj_serve_send_batch),
    API("/runs/*", dj_serve_send_run),
    API("/compare", dj_serve_send_comparison),
    API("/history", dj_serve_send_history),
    API("/gate", dj_serve_send_gate),
    ROUTE("GET", "/api/v1/devices", DJ_ROUTE_API, dj_serve_send_devices, DEVICES),
    API("/live", dj_serve_send_live),
    STREAM("/live/*/*/events"),
    STREAM("/events"),
    ROUTE("POST", "/ingest/v1/sessions", DJ_ROUTE_INGEST, dj_serve_receive_sessions,
          SPOOL),
};

static bool matches(const char *pattern, const struct dj_request *request)
{
    for (size_t i = 0; i < request->segment_count; i++) {
        if (*pattern != '/') {
            return false;
        }
        size_t length = strcspn(pattern + 1, "/");
        bool any = length == 1 && pattern[1] == '*';
        if (!any && (strlen(request->segments[i]) != length ||
                     memcmp(request->segments[i], pattern + 1, length) != 0)) {
            return false;
        }
        pattern += 1 + length;
    }
    return *pattern == '\0';
}

const struct dj_route *
dj_serve_find_route(const char *method, const struct dj_request *request, bool *has_path)
{
    *has_path = false;
    for (size_t i = 0; i < COUNT_OF(routes); i++) {
        if (matches(routes[i].pattern, request)) {
            bool is_head =
                strcmp(method, "HEAD") == 0 && strcmp(routes[i].method, "GET") == 0;
            if (is_head || strcmp(routes[i].method, method) == 0) {
                return &routes[i];
            }
            *has_path = true;
        }
    }
    return NULL;
}
