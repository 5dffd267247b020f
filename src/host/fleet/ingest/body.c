#include <inttypes.h>
#include <stdlib.h>

#include "base/date.h"
#include "base/json.h"
#include "fleet/ingest.h"
#include "fleet/lines.h"
#include "input/decode.h"
#include "memory/memory.h"

enum { PIECE_BYTES = 64 << 10 };

struct reading {
    struct dj_ingest_result *result;
    struct dj_session_lines lines;
    int64_t now_unix_s;
};

static void refuse(void *user, size_t line, const char *reason)
{
    struct dj_ingest_result *result = ((struct reading *)user)->result;
    result->refused++;
    if (result->refusal_count < DJ_INGEST_REASONS_MOST) {
        result->refusals[result->refusal_count++] =
            (struct dj_ingest_refusal){line, dj_xstrdup(reason)};
    }
}

static int check_age(const struct dj_session *session, int64_t now_unix_s,
                     struct dj_error *err)
{
    return session->start_unix_s >=
                   now_unix_s - (int64_t)DJ_INGEST_AGE_MOST_DAYS * DJ_DAY_S
               ? 0
               : dj_error_set(err, DJ_E_INVALID,
                              "start_unix_s: %" PRId64 " is more than %d days ago",
                              session->start_unix_s, DJ_INGEST_AGE_MOST_DAYS);
}

static int accept_session(void *user, const struct dj_session *session)
{
    struct reading *reading = user;
    struct dj_error err = {0};
    int code = dj_session_check(session, reading->now_unix_s, &err);
    code = code == 0 ? check_age(session, reading->now_unix_s, &err) : code;
    if (code != 0) {
        refuse(reading, reading->lines.line, err.message);
        return 0;
    }
    dj_session_write_row(&reading->result->rows, session);
    dj_xcheck(!reading->result->rows.failed);
    reading->result->accepted++;
    return 0;
}

/* Reads one piece of the body. A few bytes may unpack to many lines, so their number has
 * a maximum, too. */
static int read_piece(struct reading *reading, long long offset, struct dj_str bytes,
                      struct dj_error *err)
{
    if (offset + (long long)bytes.length > DJ_INGEST_UNPACKED_MOST) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "the body is longer than %d MiB after decompression",
                            DJ_INGEST_UNPACKED_MOST >> 20);
    }
    int code = dj_fleet_lines_read(&reading->lines, bytes);
    return code == 0 && reading->lines.line > DJ_INGEST_LINES_MOST
               ? dj_error_set(err, DJ_E_LIMIT, "the body has more than %d lines",
                              DJ_INGEST_LINES_MOST)
               : code;
}

/* Reads what the stream decodes, piece by piece. */
static int read_stream(struct reading *reading, struct dj_stream *stream,
                       struct dj_error *err)
{
    int code = dj_stream_peek(stream, 1, err);
    while (code == 0 && stream->left > 0) {
        size_t length = stream->left < PIECE_BYTES ? stream->left : PIECE_BYTES;
        code =
            read_piece(reading, stream->offset, (struct dj_str){stream->at, length}, err);
        dj_stream_consume(stream, length);
        code = code == 0 ? dj_stream_peek(stream, 1, err) : code;
    }
    return code;
}

static int read_plain(struct reading *reading, struct dj_str body, struct dj_error *err)
{
    struct dj_stream *plain = dj_stream_of_bytes(body.at, body.length);
    int code = read_stream(reading, plain, err);
    dj_stream_destroy(plain);
    return code;
}

static int read_gzip(struct reading *reading, struct dj_str body, struct dj_error *err)
{
    struct dj_stream *packed = dj_stream_of_bytes(body.at, body.length);
    struct dj_stream *plain = dj_input_stream_of_gzip(packed);
    int code = read_stream(reading, plain, err);
    if (code == DJ_E_INVALID || code == DJ_E_TRUNCATED) {
        dj_error_prepend(err, "the body is no valid gzip data");
    }
    dj_stream_destroy(plain);
    dj_stream_destroy(packed);
    return code;
}

int dj_fleet_read_ingest(struct dj_str body, bool is_gzip, int64_t now_unix_s,
                         struct dj_ingest_result *result, struct dj_error *err)
{
    struct reading reading = {.result = result, .now_unix_s = now_unix_s};
    reading.lines = (struct dj_session_lines){
        .receive = accept_session, .refuse = refuse, .user = &reading};
    int code = is_gzip ? read_gzip(&reading, body, err) : read_plain(&reading, body, err);
    code = code == 0 ? dj_fleet_lines_end(&reading.lines) : code;
    dj_fleet_lines_finish(&reading.lines);
    return code;
}

void dj_fleet_write_ingest_json(struct dj_text *json,
                                const struct dj_ingest_result *result)
{
    dj_json_open_document(json, "dejank.fleet-ingest/1");
    dj_json_add_int(json, "accepted", result->accepted);
    dj_json_add_int(json, "refused", result->refused);
    dj_json_open_array(json, "refusals");
    for (size_t i = 0; i < result->refusal_count; i++) {
        dj_json_open_object(json, NULL);
        dj_json_add_int(json, "line", (int64_t)result->refusals[i].line);
        dj_json_add_string(json, "reason", result->refusals[i].reason);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]}\n");
}

void dj_fleet_ingest_result_finish(struct dj_ingest_result *result)
{
    for (size_t i = 0; i < result->refusal_count; i++) {
        free(result->refusals[i].reason);
    }
    dj_text_finish(&result->rows);
    *result = (struct dj_ingest_result){0};
}
