#include <inttypes.h>

#include "base/json.h"
#include "fleet/commands/commands.h"

void dj_fleet_append_count(struct dj_text *text, int64_t count)
{
    if (count >= 1000) {
        dj_fleet_append_count(text, count / 1000);
        dj_text_format(text, DJ_NBSP "%03d", (int)(count % 1000));
    } else {
        dj_text_append_int(text, count);
    }
}

void dj_fleet_add_missing(struct dj_document *document,
                          const struct dj_fleet_state *state)
{
    struct dj_text words = {0};
    if ((int64_t)state->answering < state->configured) {
        dj_text_format(&words,
                       "Incomplete: only %zu of %" PRId64
                       " shards answered, so sessions are missing",
                       state->answering, state->configured);
        dj_document_add_verdict(document, DJ_TONE_WARNING, &words);
    }
}

void dj_fleet_add_scope(struct dj_document *document, const struct dj_fleet_state *state,
                        int64_t sessions, bool is_provisional)
{
    struct dj_text words = {0};
    dj_fleet_append_count(&words, sessions);
    dj_text_format(&words, " sessions, %zu of %" PRId64 " shards answered",
                   state->answering, state->configured);
    if (state->newest_unix_s > 0) {
        dj_text_add(&words, ", newest session ");
        dj_text_append_utc(&words, "%Y-%m-%d %H:%M UTC", state->newest_unix_s);
    }
    if (is_provisional) {
        dj_text_add(&words, ", provisional: sessions of today may still grow");
    }
    dj_document_add_paragraph(document, &words);
}

void dj_fleet_write_scope_json(struct dj_text *json, const struct dj_fleet_state *state,
                               bool is_provisional)
{
    struct dj_text newest = {0};
    dj_json_open_object(json, "shards");
    dj_json_add_int(json, "answering", (int64_t)state->answering);
    dj_json_add_int(json, "configured", state->configured);
    dj_json_close(json, "}");
    dj_json_add_bool(json, "provisional", is_provisional);
    if (state->newest_unix_s > 0) {
        dj_text_append_utc(&newest, "%Y-%m-%dT%H:%M:%SZ", state->newest_unix_s);
        dj_json_add_text(json, "newest", &newest);
    } else {
        dj_json_add_null(json, "newest");
    }
}
