#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "made_sessions.h"

static struct dj_session session;

static void fill(void)
{
    made_session(&session, 5);
}

TestSuite(session, .init = fill);

static void expect_refused(const char *reason)
{
    struct dj_error err = {0};
    int code = dj_session_check(&session, MADE_START_S + 60, &err);
    cr_expect_eq(code, DJ_E_INVALID, "%s", reason);
    cr_expect(strstr(err.message, reason), "expected '%s' in '%s'", reason, err.message);
}

Test(session, accepts_a_session)
{
    struct dj_error err = {0};
    cr_expect_eq(dj_session_check(&session, MADE_START_S + 60, &err), 0, "%s",
                 err.message);
}

Test(session, accepts_one_of_last_year)
{
    cr_expect_eq(dj_session_check(&session, MADE_START_S + 366LL * 86400, NULL), 0);
}

Test(session, refuses_more_janky_frames_than_frames)
{
    session.counter[DJ_SESSION_JANKY] = session.counter[DJ_SESSION_FRAMES] + 1;
    expect_refused("janky: ");
}

Test(session, accepts_causes_that_hwui_counted_twice)
{
    session.counter[DJ_SESSION_DEADLINE_MISSED] = 2 * session.counter[DJ_SESSION_FRAMES];
    cr_expect_eq(dj_session_check(&session, MADE_START_S, NULL), 0);
    session.counter[DJ_SESSION_DEADLINE_MISSED]++;
    expect_refused("deadline_missed: ");
}

Test(session, refuses_more_frozen_than_slow_frames)
{
    session.counter[DJ_SESSION_SLOW] = 1;
    session.counter[DJ_SESSION_FROZEN] = 2;
    expect_refused("frozen: 2 is more than the 1 slow frames");
}

Test(session, refuses_a_histogram_with_more_counts_than_frames)
{
    session.histogram[DJ_SESSION_FRAME_TIME].count[100] += 1000;
    expect_refused("frame_time: its counts add up to");
}

Test(session, refuses_a_start_in_the_future)
{
    dj_session_set_start(&session, MADE_START_S + 3 * 86400);
    expect_refused("more than a day in the future");
}

Test(session, refuses_another_day)
{
    session.day += 2;
    expect_refused("day: ");
}

Test(session, accepts_the_day_of_another_time_zone)
{
    session.day += 1;
    cr_expect_eq(dj_session_check(&session, MADE_START_S, NULL), 0);
}

Test(session, refuses_control_characters_and_other_encodings)
{
    strcpy(session.text[DJ_SESSION_DEVICE], "Pixel\x1b[31m");
    expect_refused("device: expected UTF-8 without control characters");
    strcpy(session.text[DJ_SESSION_DEVICE], "Pixel\xff");
    expect_refused("device: ");
}

Test(session, refuses_a_session_without_app_or_id)
{
    session.text[DJ_SESSION_APP][0] = '\0';
    expect_refused("app: ");
    fill();
    memset(session.id, 0, sizeof(session.id));
    expect_refused("id: ");
}

Test(session, refuses_numbers_out_of_range)
{
    session.refresh_hz = 100000;
    expect_refused("refresh_hz: expected 0 … 1000, found 100000");
    fill();
    session.counter[DJ_SESSION_FRAMES] = INT64_C(1) << 33;
    expect_refused("frames: ");
}

Test(session, refuses_names_of_figures)
{
    strcpy(session.figure[0].name, "Hitch ratio");
    expect_refused("figures: ");
    fill();
    session.figure[0].value = NAN;
    expect_refused("figures: ");
}

Test(session, counts_slow_and_frozen_frames)
{
    dj_session_init(&session);
    struct dj_session_histogram *times = &session.histogram[DJ_SESSION_FRAME_TIME];
    times->is_known = true;
    times->count[dj_frame_bucket(15999999)] = 1;
    times->count[dj_frame_bucket(16000000)] = 10;
    times->count[dj_frame_bucket(699999999)] = 100;
    times->count[dj_frame_bucket(700000000)] = 1000;
    dj_session_count_slow(&session);
    cr_expect_eq(session.counter[DJ_SESSION_SLOW], 1110);
    cr_expect_eq(session.counter[DJ_SESSION_FROZEN], 1000);
}

Test(session, finds_the_class_by_the_memory)
{
    static const struct {
        int64_t ram_mb;
        const char *name;
    } cases[] = {{-1, ""},
                 {2999, "low-end"},
                 {3000, "mid-range"},
                 {7999, "mid-range"},
                 {8000, "high-end"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dj_session_init(&session);
        session.ram_mb = cases[i].ram_mb;
        dj_session_set_class(&session);
        cr_expect_str_eq(session.text[DJ_SESSION_CLASS], cases[i].name);
    }
    fill();
    dj_session_set_text(&session, DJ_SESSION_CLASS, "foldable");
    dj_session_set_class(&session);
    cr_expect_str_eq(session.text[DJ_SESSION_CLASS], "foldable");
}

Test(session, cuts_a_text_at_a_character)
{
    char text[300];
    memset(text, 'x', DJ_SESSION_TEXT_MOST - 1);
    strcpy(text + DJ_SESSION_TEXT_MOST - 1, "ä");
    dj_session_set_text(&session, DJ_SESSION_APP, text);
    cr_expect_eq(strlen(session.text[DJ_SESSION_APP]), DJ_SESSION_TEXT_MOST - 1);
    dj_session_set_text(&session, DJ_SESSION_APP, "a\tb\xff");
    cr_expect_str_eq(session.text[DJ_SESSION_APP], "a b ");
}

Test(session, parses_days)
{
    static const char *const invalid[] = {"",           "2026-02-30", "2026-2-3",
                                          "1969-12-31", "2026-13-01", "2106-01-01",
                                          "2026-01-01T"};
    int64_t day = 0;
    struct dj_text text = {0};
    cr_assert(dj_session_parse_day(dj_str_of("2026-03-31"), &day));
    cr_expect_eq(day, MADE_START_S / 86400);
    dj_session_append_day(&text, day);
    cr_expect_str_eq(dj_text_get(&text), "2026-03-31");
    for (size_t i = 0; i < COUNT_OF(invalid); i++) {
        cr_expect_not(dj_session_parse_day(dj_str_of(invalid[i]), &day), "%s",
                      invalid[i]);
    }
    dj_text_finish(&text);
}
