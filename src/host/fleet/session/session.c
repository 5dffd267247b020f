#include "fleet/session.h"

#include <math.h>
#include <string.h>

#include "base/date.h"
#include "base/hex.h"
#include "base/utf8.h"
#include "facts/device_class.h"
#include "store/sha256.h"

#define NAME(symbol, name) #name,
const char *const dj_session_text_names[DJ_SESSION_TEXTS] = {DJ_SESSION_TEXT_MAP(NAME)};
const char *const dj_session_counter_names[DJ_SESSION_COUNTERS] = {
    DJ_SESSION_COUNTER_MAP(NAME)};
#undef NAME
const char *const dj_session_histogram_names[DJ_SESSION_HISTOGRAMS] = {
    [DJ_SESSION_FRAME_TIME] = "frame_time",
    [DJ_SESSION_PRESENT_TO_PRESENT] = "present_to_present"};

void dj_session_init(struct dj_session *session)
{
    memset(session, 0, sizeof(*session));
    session->version_code = -1;
    session->refresh_hz = -1;
    session->ram_mb = -1;
    for (size_t i = DJ_SESSION_FRAMES + 1; i < DJ_SESSION_COUNTERS; i++) {
        session->counter[i] = -1;
    }
}

void dj_session_set_text(struct dj_session *session, enum dj_session_text which,
                         const char *text)
{
    char *to = session->text[which];
    size_t length = 0, left = text != NULL ? strlen(text) : 0;
    while (left > 0) {
        struct dj_utf8 character = dj_utf8_at(text, left);
        bool is_plain = character.code >= 0 && !dj_utf8_is_control(character.code);
        size_t bytes = is_plain ? character.bytes : 1;
        if (length + bytes > DJ_SESSION_TEXT_MOST) {
            break;
        }
        memcpy(to + length, is_plain ? text : " ", bytes);
        length += bytes;
        text += character.bytes;
        left -= character.bytes;
    }
    to[length] = '\0';
}

void dj_session_set_start(struct dj_session *session, int64_t unix_s)
{
    session->start_unix_s = unix_s;
    session->day = unix_s / DJ_DAY_S;
}

void dj_session_set_id(struct dj_session *session, const char *const *texts, size_t count)
{
    char hex[DJ_SHA256_HEX_BYTES];
    dj_store_sha256_of_texts(texts, count, hex);
    dj_hex_read((struct dj_str){hex, 2 * DJ_SESSION_ID_BYTES}, session->id,
                DJ_SESSION_ID_BYTES);
}

void dj_session_add_figure(struct dj_session *session, const char *name, double value)
{
    if (session->figure_count == DJ_SESSION_FIGURES_MOST || !isfinite(value)) {
        return;
    }
    struct dj_session_figure *figure = &session->figure[session->figure_count++];
    snprintf(figure->name, sizeof(figure->name), "%s", name);
    figure->value = value;
}

void dj_session_count_slow(struct dj_session *session)
{
    const struct dj_session_histogram *times = &session->histogram[DJ_SESSION_FRAME_TIME];
    if (!times->is_known) {
        return;
    }
    int64_t slow = 0, frozen = 0;
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        uint32_t label_ms = dj_frame_bucket_label_ms(i);
        slow += label_ms >= DJ_SESSION_SLOW_MS ? times->count[i] : 0;
        frozen += label_ms >= DJ_SESSION_FROZEN_MS ? times->count[i] : 0;
    }
    session->counter[DJ_SESSION_SLOW] = slow;
    session->counter[DJ_SESSION_FROZEN] = frozen;
}

void dj_session_set_class(struct dj_session *session)
{
    static const char *const classes[] = {"low-end", "high-end"};
    if (session->text[DJ_SESSION_CLASS][0] != '\0' || session->ram_mb < 0) {
        return;
    }
    struct dj_device_facts facts;
    dj_facts_init(&facts);
    facts.ram_bytes = session->ram_mb * 1000000;
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        if (dj_facts_class_matches(dj_facts_class_find(classes[i]), &facts)) {
            dj_session_set_text(session, DJ_SESSION_CLASS, classes[i]);
            return;
        }
    }
    dj_session_set_text(session, DJ_SESSION_CLASS, "mid-range");
}
