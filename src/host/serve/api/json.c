/* Answers of the JSON interface. Each has the schema of the command that prints the same
 * data. */
#include "compare/compare.h"
#include "live/live.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "report/devices.h"
#include "report/dump_forms.h"
#include "report/gate.h"
#include "report/stored_batch.h"
#include "report/trend.h"
#include "serve/compared.h"
#include "serve/device_state.h"
#include "serve/gated.h"
#include "serve/pages/page.h"
#include "serve/run_data.h"
#include "serve/trend_request.h"

enum { BATCHES_DEFAULT = 100, BATCHES_MAX = 10000 };

int dj_serve_send_batches(struct dj_call *call, struct dj_error *err)
{
    struct dj_batch_filter filter = {
        .project = dj_serve_get_parameter(call->request, "project"),
        .name = dj_serve_get_parameter(call->request, "name"),
        .serial = dj_serve_get_parameter(call->request, "device")};
    struct dj_batch_list list = {0};
    int64_t page;
    int code = dj_serve_get_number(call->request, "limit", BATCHES_DEFAULT, 1,
                                   BATCHES_MAX, &filter.most, err);
    code = code == 0
               ? dj_serve_get_number(call->request, "page", 1, 1, 1000000, &page, err)
               : code;
    if (code == 0) {
        filter.skip = (page - 1) * filter.most;
        code = dj_report_load_batch_list(&list, call->store, &filter, err);
    }
    if (code == 0) {
        call->reply->type = DJ_TYPE_JSON;
        dj_report_write_batch_list_json(&call->reply->body, &list);
    }
    dj_report_finish_batch_list(&list);
    return code;
}

int dj_serve_send_batch(struct dj_call *call, struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    int64_t key;
    int code = dj_serve_find_batch(call, call->request->segments[3], &key, err);
    code = code == 0 ? dj_store_load_batch(call->store, key, &loaded, err) : code;
    code = code == 0 ? dj_report_stored_batch_json(call->store, &loaded,
                                                   &call->reply->body, err)
                     : code;
    call->reply->type = DJ_TYPE_JSON;
    dj_store_loaded_batch_finish(&loaded);
    return code;
}

int dj_serve_send_run(struct dj_call *call, struct dj_error *err)
{
    struct dj_run_data data = {.run = NULL};
    int code = dj_serve_read_run(call, call->request->segments[3], &data, err);
    if (code == 0) {
        call->reply->type = DJ_TYPE_JSON;
        dj_report_write_text_json(&call->reply->body, data.batch.batch.id, &data.gfxinfo,
                                  data.release);
    }
    dj_serve_finish_run(&data);
    return code;
}

int dj_serve_send_comparison(struct dj_call *call, struct dj_error *err)
{
    const char *a = dj_serve_get_parameter(call->request, "a");
    const char *b = dj_serve_get_parameter(call->request, "b");
    struct dj_compared compared = {.a = {.name = NULL}};
    if (a == NULL || b == NULL) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "expected the parameters a and b, the two sides of the comparison");
    }
    int code = dj_serve_compare(call, a, b, &compared, err);
    if (code == 0) {
        call->reply->type = DJ_TYPE_JSON;
        dj_report_write_comparison_json(&call->reply->body, &compared.comparison);
    }
    dj_serve_finish_compared(&compared);
    return code;
}

/* State of writing the JSON of a trend, one segment after the other. */
struct trend_writer {
    struct dj_text parts;
    size_t segments;
};

static int write_part(void *user, const struct dj_trend *part)
{
    struct trend_writer *writer = user;
    dj_report_trend_json.part(&writer->parts, part, writer->segments);
    writer->segments += part->segment_count;
    return 0;
}

int dj_serve_send_history(struct dj_call *call, struct dj_error *err)
{
    struct dj_trend_request request = {
        .query = {.project = dj_serve_get_parameter(call->request, "project")}};
    struct trend_writer writer = {.segments = 0};
    struct dj_trend_totals totals = {0};
    int code = dj_serve_need_store(call, err);
    code = code == 0 ? dj_serve_read_trend_request(call->request, &request, err) : code;
    code = code == 0 ? dj_trend_read_parts(call->store, &request.query, write_part,
                                           &writer, &totals, err)
                     : code;
    if (code == 0) {
        struct dj_text *body = &call->reply->body;
        call->reply->type = DJ_TYPE_JSON;
        dj_report_trend_json.head(body, &totals);
        dj_text_append(body, dj_xtext(&writer.parts), writer.parts.length);
        dj_text_add(body, dj_report_trend_json.tail);
    }
    dj_text_finish(&writer.parts);
    return code;
}

int dj_serve_send_gate(struct dj_call *call, struct dj_error *err)
{
    struct dj_gated gated = {.options = {.plan = NULL}};
    int code = dj_serve_gate(call, &gated, err);
    if (code == 0) {
        call->reply->type = DJ_TYPE_JSON;
        dj_report_write_gate_json(&call->reply->body, &gated.report);
    }
    dj_serve_finish_gated(&gated);
    return code;
}

int dj_serve_send_devices(struct dj_call *call, struct dj_error *err)
{
    struct dj_device_state state = {.count = 0};
    (void)err;
    dj_serve_inquire_devices(&state);
    call->reply->type = DJ_TYPE_JSON;
    dj_report_devices_json(&call->reply->body, state.devices, state.count);
    dj_serve_finish_devices(&state);
    return 0;
}
