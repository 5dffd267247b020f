#include <criterion/criterion.h>

#include "serve/router.h"

static const struct dj_route *find(const char *method, const char *target, bool *has_path)
{
    struct dj_request request = {.segment_count = 0};
    cr_assert_eq(dj_serve_parse_target(target, &request, NULL), 0);
    const struct dj_route *route = dj_serve_find_route(method, &request, has_path);
    dj_serve_finish_request(&request);
    return route;
}

Test(router, finds_the_handler_of_a_path)
{
    bool has_path;
    cr_expect_eq(find("GET", "/", &has_path)->handle, dj_serve_show_projects);
    cr_expect_eq(find("GET", "/projects/a%2Fb", &has_path)->handle,
                 dj_serve_show_project);
    cr_expect_eq(find("HEAD", "/batches/3f9a", &has_path)->handle, dj_serve_show_batch);
    cr_expect_eq(find("POST", "/projects/a/bless", &has_path)->handle, dj_serve_bless);
    cr_expect_eq(find("GET", "/api/v1/runs/7", &has_path)->handle, dj_serve_send_run);
    cr_expect_eq(find("GET", "/api/v1/events", &has_path)->kind, DJ_ROUTE_STREAM);
    cr_expect_eq(find("GET", "/api/v1/live/local%3A/x/events", &has_path)->kind,
                 DJ_ROUTE_STREAM);
}

Test(router, divides_requests_by_what_they_wait_for)
{
    bool has_path;
    cr_expect_eq(find("GET", "/", &has_path)->threads, DJ_THREADS_STORE);
    cr_expect_eq(find("GET", "/devices", &has_path)->threads, DJ_THREADS_DEVICES);
    cr_expect_eq(find("GET", "/api/v1/devices", &has_path)->threads, DJ_THREADS_DEVICES);
    const struct dj_route *ingest = find("POST", "/ingest/v1/sessions", &has_path);
    cr_expect_eq(ingest->threads, DJ_THREADS_SPOOL);
    cr_expect_eq(ingest->kind, DJ_ROUTE_INGEST);
    cr_expect_not(ingest->is_public);
}

Test(router, knows_a_path_with_another_method)
{
    bool has_path;
    cr_expect_null(find("POST", "/batches", &has_path));
    cr_expect(has_path);
    cr_expect_null(find("GET", "/projects/a/bless", &has_path));
    cr_expect(has_path);
    cr_expect_null(find("DELETE", "/", &has_path));
    cr_expect(has_path);
    cr_expect_null(find("GET", "/batches/1/2", &has_path));
    cr_expect_not(has_path);
    cr_expect_null(find("GET", "/batche", &has_path));
    cr_expect_null(find("GET", "/batchess", &has_path));
    cr_expect_null(find("GET", "/api/v2/batches", &has_path));
    cr_expect_not(has_path);
}

Test(router, lets_only_the_health_be_read_without_login)
{
    static const char *const paths[] = {"/",
                                        "/projects/a",
                                        "/batches",
                                        "/runs/1",
                                        "/compare/a..b",
                                        "/devices",
                                        "/live",
                                        "/live/a/b",
                                        "/api/v1/batches",
                                        "/api/v1/live/a/b/events",
                                        "/api/v1/events"};
    bool has_path;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        cr_expect_not(find("GET", paths[i], &has_path)->is_public, "%s", paths[i]);
    }
    cr_expect(find("GET", "/healthz", &has_path)->is_public);
}
