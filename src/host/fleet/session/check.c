#include "fleet/session.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/date.h"
#include "base/utf8.h"

enum { REFRESH_MOST_HZ = 1000 };

static int check_text(const char *text, const char *name, struct dj_error *err)
{
    while (*text >= ' ' && *text <= '~') {
        text++;
    }
    size_t left = strlen(text);
    while (left > 0) {
        struct dj_utf8 character = dj_utf8_at(text, left);
        if (character.code < 0 || dj_utf8_is_control(character.code)) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: expected UTF-8 without control characters", name);
        }
        text += character.bytes;
        left -= character.bytes;
    }
    return 0;
}

static int check_texts(const struct dj_session *session, struct dj_error *err)
{
    if (session->text[DJ_SESSION_APP][0] == '\0') {
        return dj_error_set(err, DJ_E_INVALID, "app: expected a name, found none");
    }
    int code = 0;
    for (size_t i = 0; i < DJ_SESSION_TEXTS && code == 0; i++) {
        code = check_text(session->text[i], dj_session_text_names[i], err);
    }
    return code;
}

static int check_counters(const struct dj_session *session, struct dj_error *err)
{
    int64_t frames = session->counter[DJ_SESSION_FRAMES];
    for (size_t i = 0; i < DJ_SESSION_COUNTERS; i++) {
        int64_t count = session->counter[i];
        if (count < (i == DJ_SESSION_FRAMES ? 0 : -1) || count > UINT32_MAX) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: expected 0 … 4294967295, found %" PRId64,
                                dj_session_counter_names[i], count);
        }
        /* hwui of Android 12 … 16 counts some causes twice per frame. */
        if (count > (i >= DJ_SESSION_FIRST_CAUSE ? 2 * frames : frames)) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: %" PRId64 " is more than the %" PRId64 " frames",
                                dj_session_counter_names[i], count, frames);
        }
    }
    if (session->counter[DJ_SESSION_SLOW] >= 0 &&
        session->counter[DJ_SESSION_FROZEN] > session->counter[DJ_SESSION_SLOW]) {
        return dj_error_set(
            err, DJ_E_INVALID,
            "frozen: %" PRId64 " is more than the %" PRId64 " slow frames",
            session->counter[DJ_SESSION_FROZEN], session->counter[DJ_SESSION_SLOW]);
    }
    return 0;
}

static int check_histograms(const struct dj_session *session, struct dj_error *err)
{
    for (size_t i = 0; i < DJ_SESSION_HISTOGRAMS; i++) {
        const struct dj_session_histogram *histogram = &session->histogram[i];
        int64_t sum = 0, frames = session->counter[DJ_SESSION_FRAMES];
        for (size_t bucket = 0; histogram->is_known && bucket < DJ_FRAME_BUCKETS;
             bucket++) {
            sum += histogram->count[bucket];
        }
        if (sum > frames) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: its counts add up to %" PRId64
                                ", more than the %" PRId64 " frames",
                                dj_session_histogram_names[i], sum, frames);
        }
    }
    return 0;
}

static int check_number(int64_t value, int64_t most, const char *name,
                        struct dj_error *err)
{
    return value >= -1 && value <= most
               ? 0
               : dj_error_set(err, DJ_E_INVALID,
                              "%s: expected 0 … %" PRId64 ", found %" PRId64, name, most,
                              value);
}

static int check_numbers(const struct dj_session *session, struct dj_error *err)
{
    int code = check_number(session->version_code, INT64_MAX, "version_code", err);
    if (code == 0) {
        code = check_number(session->refresh_hz, REFRESH_MOST_HZ, "refresh_hz", err);
    }
    if (code == 0) {
        code = check_number(session->ram_mb, UINT32_MAX, "ram_mb", err);
    }
    if (code == 0 && session->revision < 0) {
        code = dj_error_set(err, DJ_E_INVALID, "revision: expected 0 or more");
    }
    return code;
}

static int check_figures(const struct dj_session *session, struct dj_error *err)
{
    for (size_t i = 0; i < session->figure_count; i++) {
        const char *name = session->figure[i].name;
        if (name[0] == '\0' ||
            name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0' ||
            !isfinite(session->figure[i].value)) {
            return dj_error_set(err, DJ_E_INVALID,
                                "figures: expected a name of a-z, 0-9 and _, and a "
                                "finite number, at figure %zu",
                                i + 1);
        }
    }
    return 0;
}

static int check_time(const struct dj_session *session, int64_t now_unix_s,
                      struct dj_error *err)
{
    int64_t start = session->start_unix_s;
    if (start < DJ_DAY_S || start > UINT32_MAX) {
        return dj_error_set(err, DJ_E_INVALID,
                            "start_unix_s: expected seconds since 1970, found %" PRId64,
                            start);
    }
    if (start > now_unix_s + DJ_DAY_S) {
        return dj_error_set(err, DJ_E_INVALID,
                            "start_unix_s: %" PRId64 " is more than a day in the future",
                            start);
    }
    /* The day may be that of the user's time zone. */
    int64_t difference = session->day - start / DJ_DAY_S;
    if (difference < -1 || difference > 1) {
        return dj_error_set(err, DJ_E_INVALID,
                            "day: expected the day of start_unix_s, at most one day "
                            "before or after it by UTC");
    }
    return 0;
}

static int check_id(const struct dj_session *session, struct dj_error *err)
{
    static const uint8_t none[DJ_SESSION_ID_BYTES];
    return memcmp(session->id, none, sizeof(none)) != 0
               ? 0
               : dj_error_set(err, DJ_E_INVALID,
                              "id: expected 32 hexadecimal digits, not all 0");
}

int dj_session_check(const struct dj_session *session, int64_t now_unix_s,
                     struct dj_error *err)
{
    static int (*const checks[])(const struct dj_session *, struct dj_error *) = {
        check_id,         check_texts,   check_counters,
        check_histograms, check_numbers, check_figures};
    for (size_t i = 0; i < COUNT_OF(checks); i++) {
        int code = checks[i](session, err);
        if (code != 0) {
            return code;
        }
    }
    return check_time(session, now_unix_s, err);
}
