#include <criterion/criterion.h>

#include <string.h>

#include "made_sessions.h"

#define BEGIN "{\"id\":\"5f0c6f2d8be0a1b2c3d4e5f60718293a\",\"app\":\"a\","
#define TIMED BEGIN "\"start_unix_s\":1774944000,"

Test(session_json, reads_what_it_writes)
{
    for (unsigned seed = 0; seed < 300; seed++) {
        struct dj_session written, read;
        struct dj_text text = {0};
        struct dj_error err = {0};
        made_session(&written, seed);
        dj_session_write_json(&text, &written);
        cr_assert_eq(dj_session_read_json(text.data, text.length, &read, &err), 0, "%s",
                     err.message);
        cr_assert_eq(memcmp(&written, &read, sizeof(read)), 0, "seed %u", seed);
        dj_text_finish(&text);
    }
}

Test(session_json, appends_lines_that_stand_alone)
{
    struct dj_session session, read;
    struct dj_text text = {0};
    made_session(&session, 1);
    dj_session_write_json(&text, &session);
    size_t length = text.length;
    dj_session_write_json(&text, &session);
    cr_assert_eq(text.length, 2 * length);
    cr_expect_eq(memcmp(text.data, text.data + length, length), 0);
    cr_expect_eq(dj_session_read_json(text.data + length, length, &read, NULL), 0);
    dj_text_finish(&text);
}

Test(session_json, leaves_missing_members_unknown)
{
    struct dj_session session;
    const char *line = TIMED "\"frames\":3,\"janky\":null,\"later\":[1]}";
    cr_assert_eq(dj_session_read_json(line, strlen(line), &session, NULL), 0);
    cr_expect_eq(session.counter[DJ_SESSION_FRAMES], 3);
    cr_expect_eq(session.counter[DJ_SESSION_JANKY], -1);
    cr_expect_eq(session.refresh_hz, -1);
    cr_expect_eq(session.day, 1774944000 / 86400);
    cr_expect_not(session.histogram[DJ_SESSION_FRAME_TIME].is_known);
}

static const struct {
    const char *line, *reason;
} refused[] = {
    {"", "expected a JSON object"},
    {"[1]", "expected a JSON object"},
    {"{\"id\":\"5f\"", "expected a JSON object at byte"},
    {"{\"app\":\"a\"}", "id: expected 32 hexadecimal digits"},
    {BEGIN "\"frames\":3}", "start_unix_s: expected seconds since 1970"},
    {TIMED "\"janky\":3}", "frames: expected the number of frames"},
    {TIMED "\"frames\":-3}", "frames: expected an integer of 0 or more"},
    {TIMED "\"frames\":3,\"slow\":1.5}", "slow: expected an integer of 0 or more"},
    {TIMED "\"frames\":3,\"causes\":[]}", "causes: expected an object"},
    {TIMED "\"frames\":3,\"device\":7}", "device: expected a string"},
    {TIMED "\"frames\":3,\"day\":\"today\"}", "day: expected a day such as"},
    {TIMED "\"frames\":3,\"frame_time\":{\"49\":1}}", "expected a bucket of hwui"},
    {TIMED "\"frames\":3,\"frame_time\":{\"5\":-1}}", "number of frames at bucket \"5\""},
    {TIMED "\"frames\":3,\"frame_time\":{\"5\":1,\"5\":2}}", "duplicate"},
    {TIMED "\"frames\":3,\"figures\":{\"x\":\"1\"}}", "figures: expected"},
    {TIMED "\"frames\":3,\"schema\":\"dejank.session/2\"}",
     "schema: expected \"dejank.session/1\""},
};

Test(session_json, refuses_lines_with_the_reason)
{
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        struct dj_session session;
        struct dj_error err = {0};
        int code = dj_session_read_json(refused[i].line, strlen(refused[i].line),
                                        &session, &err);
        cr_expect_eq(code, DJ_E_INVALID, "%s", refused[i].line);
        cr_expect(strstr(err.message, refused[i].reason), "%s: %s", refused[i].line,
                  err.message);
    }
}

Test(session_json, refuses_a_long_name_and_a_long_line)
{
    struct dj_session session;
    struct dj_text line = {0};
    struct dj_error err = {0};
    dj_text_add(&line, TIMED "\"frames\":1,\"device\":\"");
    memset(dj_text_reserve(&line, 1000), 'x', 1000);
    dj_text_add(&line, "\"}");
    cr_expect_eq(dj_session_read_json(line.data, line.length, &session, &err),
                 DJ_E_INVALID);
    cr_expect_str_eq(err.message, "device: expected at most 200 bytes, found 1000");
    memset(dj_text_reserve(&line, 1 << 20), ' ', 1 << 20);
    cr_expect_eq(dj_session_read_json(line.data, line.length, &session, &err),
                 DJ_E_INVALID);
    cr_expect(strstr(err.message, "at most 65536 bytes"), "%s", err.message);
    dj_text_finish(&line);
}
