/* Reads any bytes as the body of sessions that an app sends. If the first byte is 'z',
 * the rest is compressed with gzip. Each accepted row must be a valid session. If an
 * uncompressed body is read in pieces, the sum of accepted and refused sessions must be
 * the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/ingest.h"
#include "fleet/lines.h"

/* 2026-03-31, 23:33:20 UTC. With the current time, the inputs would become invalid
 * later. */
static const int64_t now_unix_s = 1775000000;

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Checks that every accepted row is a valid session. */
static void check_rows(const struct dj_ingest_result *result)
{
    struct dj_str rest = dj_text_str(&result->rows);
    struct dj_session session;
    struct dj_text json = {0};
    for (int64_t i = 0; i < result->accepted; i++) {
        struct dj_session again;
        check(dj_session_read_row(&rest, &session, NULL) == 0);
        check(dj_session_check(&session, now_unix_s, NULL) == 0);
        dj_text_clear(&json);
        dj_session_write_json(&json, &session);
        check(dj_session_read_json(json.data, json.length, &again, NULL) == 0);
    }
    check(rest.length == 0);
    dj_text_finish(&json);
}

struct counts {
    int64_t sessions, refused;
};

static int count_session(void *user, const struct dj_session *session)
{
    (void)session;
    ((struct counts *)user)->sessions++;
    return 0;
}

static void count_refusal(void *user, size_t line, const char *reason)
{
    check(line > 0 && reason[0] != '\0');
    ((struct counts *)user)->refused++;
}

/* Checks that small pieces give as many accepted and refused sessions in total as the
 * whole body. */
static void check_pieces(const char *text, size_t size,
                         const struct dj_ingest_result *result)
{
    struct counts counts = {0};
    struct dj_session_lines lines = {
        .receive = count_session, .refuse = count_refusal, .user = &counts};
    size_t step = size > 4096 ? 1021 : 7;
    for (size_t at = 0; at < size; at += step) {
        size_t length = size - at < step ? size - at : step;
        dj_fleet_lines_read(&lines, (struct dj_str){text + at, length});
    }
    dj_fleet_lines_end(&lines);
    dj_fleet_lines_finish(&lines);
    check(counts.sessions + counts.refused == result->accepted + result->refused);
    check(counts.sessions >= result->accepted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_ingest_result result = {0};
    struct dj_text json = {0};
    if (size == 0) {
        return 0;
    }
    bool is_gzip = data[0] == 'z';
    struct dj_str body = {(const char *)data + 1, size - 1};
    if (dj_fleet_read_ingest(body, is_gzip, now_unix_s, &result, NULL) == 0) {
        check_rows(&result);
        dj_fleet_write_ingest_json(&json, &result);
        check(json.length > 0 && !json.failed);
        if (!is_gzip) {
            check_pieces(body.at, body.length, &result);
        }
    }
    dj_text_finish(&json);
    dj_fleet_ingest_result_finish(&result);
    return 0;
}
