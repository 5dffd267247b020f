/* Reads any text as a request to the server. The first line is the target. If the text
 * has more lines, they are a form, and the request is a POST. The length of the input
 * selects the store: none, an empty one, or one with a batch. A successful request must
 * have a reply. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "serve/access.h"
#include "serve/project_cache.h"
#include "serve/router.h"
#include "serve/state.h"

static const char gfxinfo[] =
    "Applications Graphics Acceleration Info:\nUptime: 1000000 Realtime: 1000000\n\n"
    "** Graphics info for pid 12 [com.example.app] **\n\n"
    "Stats since: 1000000000ns\nTotal frames rendered: 3\nJanky frames: 1 (33.33%)\n"
    "50th percentile: 5ms\n90th percentile: 17ms\n95th percentile: 17ms\n"
    "99th percentile: 17ms\nHISTOGRAM: 5ms=2 17ms=1\n";

static struct dj_store *stores[3]; /* None, an empty one, and one with a batch. */
static struct dj_server server = {.options = {.may_bless = false}};

static void set_up(void)
{
    const struct dj_store_batch batch = {.project = "com.example.app",
                                         .build = {.version = "1.0"},
                                         .device = {.serial = "serial", .kind = "import"},
                                         .name = "scroll",
                                         .kind = "import"};
    const struct dj_store_evidence evidence = {DJ_EVIDENCE_GFXINFO, NULL, gfxinfo,
                                               sizeof(gfxinfo) - 1};
    const struct dj_store_run run = {
        .number = 1, .outcome = DJ_RUN_OK, .evidence = &evidence, .evidence_count = 1};
    struct dj_error err = {0};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    for (int i = 1; i < 3; i++) {
        const char *path = i == 1 ? "/tmp/dejank-fuzz-1" : "/tmp/dejank-fuzz-2";
        if (dj_store_open(path, DJ_STORE_UNNAMED, &stores[i], &err) != 0) {
            abort();
        }
    }
    if (dj_store_begin_batch(stores[2], &batch, id, &key, &err) != 0 ||
        dj_store_commit_run(stores[2], key, &run, NULL, &err) != 0) {
        abort();
    }
    server.cache = dj_serve_create_cache();
    dj_serve_fill_cache(server.cache, stores[2]);
}

/* Returns true for requests about devices and running apps. Their replies depend on this
 * machine, so these requests are not tested. */
static bool is_of_machine(const struct dj_request *request)
{
    size_t last = request->segment_count - 1;
    return request->segment_count > 0 &&
           (strcmp(request->segments[last], "devices") == 0 ||
            strcmp(request->segments[0], "live") == 0 ||
            strcmp(request->segments[last], "live") == 0);
}

static void answer(const struct dj_route *route, const struct dj_request *request,
                   struct dj_store *store)
{
    struct dj_reply reply = {0};
    struct dj_error err = {0};
    const struct dj_text body = {0};
    struct dj_call call = {&server, request, store, "csrf", &reply, 0, &body, NULL};
    if (route->handle(&call, &err) == 0 && reply.body.length == 0 &&
        reply.location.length == 0) {
        abort(); /* The reply is empty. */
    }
    dj_serve_finish_reply(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_request request = {.segment_count = 0};
    bool has_path;
    if (stores[1] == NULL) {
        set_up();
    }
    char *text = calloc(1, size + 1);
    if (text == NULL) {
        abort();
    }
    memcpy(text, data, size);
    size_t length = strcspn(text, "\n");
    bool is_post = length < strlen(text);
    text[length] = '\0';
    if (dj_serve_parse_target(text, &request, NULL) == 0 &&
        (!is_post || dj_serve_parse_form(text + length + 1, strlen(text + length + 1),
                                         &request, NULL) == 0)) {
        const struct dj_route *route =
            dj_serve_find_route(is_post ? "POST" : "GET", &request, &has_path);
        if (route != NULL && route->handle != NULL && !is_of_machine(&request)) {
            answer(route, &request, stores[size % 3]);
        }
    }
    dj_serve_finish_request(&request);
    free(text);
    return 0;
}
