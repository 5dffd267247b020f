#include <criterion/criterion.h>

#include <string.h>
#include <zlib.h>

#include "fleet/ingest.h"
#include "fleet/session.h"
#include "made_sessions.h"

enum { NOW_S = MADE_START_S + 3600, DAY_S = 24 * 3600 };

static struct dj_ingest_result result;
static struct dj_error err;

static int read_body(const struct dj_text *body, bool is_gzip)
{
    dj_fleet_ingest_result_finish(&result);
    err = (struct dj_error){0};
    return dj_fleet_read_ingest(dj_text_str(body), is_gzip, NOW_S, &result, &err);
}

static void append_session(struct dj_text *body, unsigned seed, int64_t start_unix_s)
{
    struct dj_session session;
    made_session(&session, seed);
    dj_session_set_start(&session, start_unix_s);
    dj_session_write_json(body, &session);
}

static void compress_body(const struct dj_text *from, struct dj_text *to)
{
    z_stream z = {0};
    char bytes[4096];
    cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)from->data;
    z.avail_in = (uInt)from->length;
    int code;
    do {
        z.next_out = (Bytef *)bytes;
        z.avail_out = sizeof(bytes);
        code = deflate(&z, Z_FINISH);
        dj_text_append(to, bytes, sizeof(bytes) - z.avail_out);
    } while (code == Z_OK);
    cr_assert_eq(code, Z_STREAM_END);
    deflateEnd(&z);
}

Test(ingest, accepted_sessions_become_rows)
{
    struct dj_text body = {0}, packed = {0};
    for (unsigned seed = 0; seed < 50; seed++) {
        append_session(&body, seed, MADE_START_S);
    }
    compress_body(&body, &packed);
    for (int is_gzip = 0; is_gzip < 2; is_gzip++) {
        cr_assert_eq(read_body(is_gzip ? &packed : &body, is_gzip), 0);
        cr_expect(result.accepted == 50 && result.refused == 0);
        struct dj_str rest = dj_text_str(&result.rows);
        for (unsigned seed = 0; seed < 50; seed++) {
            struct dj_session session, made;
            made_session(&made, seed);
            cr_assert_eq(dj_session_read_row(&rest, &session, NULL), 0);
            cr_expect_arr_eq(session.id, made.id, sizeof(made.id));
            cr_expect_arr_eq(session.counter, made.counter, sizeof(made.counter));
        }
        cr_expect_eq(rest.length, 0);
    }
    dj_text_finish(&body);
    dj_text_finish(&packed);
    dj_fleet_ingest_result_finish(&result);
}

Test(ingest, a_session_has_a_latest_and_an_earliest_start)
{
    struct dj_text body = {0}, json = {0};
    append_session(&body, 1, NOW_S + DAY_S);
    append_session(&body, 2, NOW_S + DAY_S + 1);
    append_session(&body, 3, NOW_S - INT64_C(366) * DAY_S);
    append_session(&body, 4, NOW_S - INT64_C(366) * DAY_S - 1);
    cr_assert_eq(read_body(&body, false), 0);
    cr_expect(result.accepted == 2 && result.refused == 2);
    cr_expect_eq(result.refusals[0].line, 2);
    cr_expect(strstr(result.refusals[0].reason, "more than a day in the future") != NULL);
    cr_expect_eq(result.refusals[1].line, 4);
    cr_expect(strstr(result.refusals[1].reason, "more than 366 days ago") != NULL);
    dj_fleet_write_ingest_json(&json, &result);
    cr_expect(dj_str_begins(dj_text_str(&json),
                            "{\"schema\":\"dejank.fleet-ingest/1\",\"accepted\":2,"
                            "\"refused\":2,\"refusals\":[{\"line\":2,\"reason\":\""),
              "%s", dj_text_get(&json));
    dj_text_finish(&body);
    dj_text_finish(&json);
    dj_fleet_ingest_result_finish(&result);
}

Test(ingest, a_body_that_is_too_long_after_decompression_is_refused)
{
    struct dj_text body = {0}, packed = {0};
    append_session(&body, 1, MADE_START_S);
    size_t rest = DJ_INGEST_UNPACKED_MOST - body.length;
    char *padding = dj_text_reserve(&body, rest);
    memset(padding, ' ', rest);
    for (size_t i = 0; i < rest; i += DJ_SESSION_JSON_MOST) {
        padding[i] = '\n';
    }
    compress_body(&body, &packed);
    cr_expect_eq(read_body(&packed, true), 0, "%s", err.message);
    cr_expect_eq(result.accepted, 1);
    dj_text_add(&body, "\n");
    dj_text_clear(&packed);
    compress_body(&body, &packed);
    cr_expect_eq(read_body(&packed, true), DJ_E_LIMIT);
    cr_expect_str_eq(err.message, "the body is longer than 32 MiB after decompression");
    dj_text_finish(&body);
    dj_text_finish(&packed);
    dj_fleet_ingest_result_finish(&result);
}

Test(ingest, a_body_of_too_many_lines_is_refused)
{
    struct dj_text body = {0}, packed = {0};
    memset(dj_text_reserve(&body, DJ_INGEST_LINES_MOST), '\n', DJ_INGEST_LINES_MOST);
    cr_expect_eq(read_body(&body, false), 0);
    dj_text_add(&body, "x\n");
    cr_expect_eq(read_body(&body, false), DJ_E_LIMIT);
    cr_expect_str_eq(err.message, "the body has more than 100000 lines");
    compress_body(&body, &packed);
    cr_expect_eq(read_body(&packed, true), DJ_E_LIMIT);
    dj_text_finish(&body);
    dj_text_finish(&packed);
    dj_fleet_ingest_result_finish(&result);
}

Test(ingest, damaged_gzip_is_an_error)
{
    struct dj_text body = {0}, packed = {0};
    append_session(&body, 1, MADE_START_S);
    cr_expect_eq(read_body(&body, true), DJ_E_INVALID);
    cr_expect(strstr(err.message, "no valid gzip data: expected gzip data") != NULL, "%s",
              err.message);
    compress_body(&body, &packed);
    packed.length -= 5;
    cr_expect_eq(read_body(&packed, true), DJ_E_TRUNCATED);
    dj_text_clear(&packed);
    cr_expect_eq(read_body(&packed, true), 0);
    cr_expect_eq(result.accepted, 0);
    dj_text_finish(&body);
    dj_text_finish(&packed);
    dj_fleet_ingest_result_finish(&result);
}
