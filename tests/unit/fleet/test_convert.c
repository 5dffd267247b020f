#include <criterion/criterion.h>

#include <string.h>

#include "fleet/convert.h"
#include "gfxinfo/parse.h"
#include "made_sessions.h"

#define ENTRY(end, total)                                                                \
    "Package: com.example.mail\nVersion: 420\nStats since: 1774944000000ns\n"            \
    "Stats end: " end "ns\nTotal frames rendered: " total "\nJanky frames: 6 (20.00%)\n" \
    "50th percentile: 5ms\n90th percentile: 16ms\n95th percentile: 16ms\n"               \
    "99th percentile: 750ms\nNumber Missed Vsync: 2\nNumber High input latency: 1\n"     \
    "Number Slow UI thread: 3\nNumber Slow bitmap uploads: 0\n"                          \
    "Number Slow issue draw commands: 4\nNumber Frame deadline missed: 5\n"              \
    "HISTOGRAM: "

static struct dj_session got[8];
static size_t got_count;

static int keep(void *user, const struct dj_session *session)
{
    (void)user;
    got[got_count++] = *session;
    return 0;
}

static void convert(const char *text, const char *device_id)
{
    struct dj_dump dump = {0};
    struct dj_session_origin origin = {.device_id = device_id,
                                       .text = {[DJ_SESSION_DEVICE] = "Pixel 7"},
                                       .refresh_hz = -1,
                                       .ram_mb = 4000,
                                       .written_unix_s = MADE_START_S,
                                       .content_hash = "cafe"};
    got_count = 0;
    dj_gfxinfo_parse_dump(text, strlen(text), &dump, NULL, NULL);
    cr_assert_eq(dj_fleet_convert_dump(&dump, &origin, keep, NULL), 0);
    dj_gfxinfo_dump_finish(&dump);
}

/* hwui prints all buckets. A histogram that lacks some is not whole. */
static void append_histogram(struct dj_text *text)
{
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        uint32_t label_ms = dj_frame_bucket_label_ms(i);
        dj_text_format(text, "%ums=%d ", label_ms,
                       label_ms == 5     ? 20
                       : label_ms == 16  ? 9
                       : label_ms == 750 ? 1
                                         : 0);
    }
    dj_text_add(text, "\n\n");
}

static struct dj_session convert_entry(const char *start, const char *device_id)
{
    struct dj_text text = {0};
    dj_text_add(&text, start);
    append_histogram(&text);
    convert(dj_text_get(&text), device_id);
    dj_text_finish(&text);
    cr_assert_eq(got_count, 1);
    return got[0];
}

Test(fleet_convert, graphicsstats_is_a_session)
{
    struct dj_session session = convert_entry(ENTRY("1774947600000", "30"), "serial-1");
    cr_expect_str_eq(session.text[DJ_SESSION_APP], "com.example.mail");
    cr_expect_str_eq(session.text[DJ_SESSION_DEVICE], "Pixel 7");
    cr_expect_str_eq(session.text[DJ_SESSION_CLASS], "mid-range");
    cr_expect_eq(session.version_code, 420);
    cr_expect_eq(session.start_unix_s, MADE_START_S);
    cr_expect_eq(session.revision, 1774947600000);
    cr_expect_eq(session.counter[DJ_SESSION_FRAMES], 30);
    cr_expect_eq(session.counter[DJ_SESSION_JANKY], 6);
    cr_expect_eq(session.counter[DJ_SESSION_SLOW], 10);
    cr_expect_eq(session.counter[DJ_SESSION_FROZEN], 1);
    cr_expect_eq(session.counter[DJ_SESSION_MISSED_VSYNC], 2);
    cr_expect_eq(session.counter[DJ_SESSION_DEADLINE_MISSED], 5);
    cr_expect_eq(dj_session_check(&session, MADE_START_S, NULL), 0);
}

Test(fleet_convert, an_entry_that_grows_keeps_its_id)
{
    struct dj_session early = convert_entry(ENTRY("1774947600000", "30"), "serial-1");
    struct dj_session late = convert_entry(ENTRY("1774951200000", "40"), "serial-1");
    struct dj_session other = convert_entry(ENTRY("1774947600000", "30"), "serial-2");
    cr_expect_eq(memcmp(early.id, late.id, sizeof(early.id)), 0);
    cr_expect_neq(memcmp(early.id, other.id, sizeof(early.id)), 0);
    cr_expect_gt(late.revision, early.revision);
}

Test(fleet_convert, a_shortened_histogram_is_unknown)
{
    convert(ENTRY("1774947600000", "30") "5ms=20 6ms=0\n\n", "serial-1");
    cr_assert_eq(got_count, 1);
    cr_expect_not(got[0].histogram[DJ_SESSION_FRAME_TIME].is_known);
    cr_expect_eq(got[0].counter[DJ_SESSION_SLOW], -1);
}

Test(fleet_convert, entries_without_frames_are_skipped)
{
    convert(ENTRY("1774947600000", "0") "5ms=0\n\n", "serial-1");
    cr_expect_eq(got_count, 0);
}

Test(fleet_convert, layers_have_a_histogram_of_presents)
{
    convert("SurfaceFlinger TimeStats:\n\nlayerName = SurfaceView[com.example.game/"
            "com.example.game.Main](BLAST)#12\npackageName = \nstatsStart = 1\n"
            "totalFrames = 4\ndroppedFrames = 1\naverageFPS = 59.9\n"
            "jankyFrames = 2\npresent2present histogram is as below:\n"
            "0ms=0 16ms=1 17ms=2 200ms=1 \n\n",
            NULL);
    cr_assert_eq(got_count, 1);
    const uint32_t *presents = got[0].histogram[DJ_SESSION_PRESENT_TO_PRESENT].count;
    cr_expect_str_eq(got[0].text[DJ_SESSION_APP], "com.example.game");
    cr_expect_eq(got[0].counter[DJ_SESSION_FRAMES], 4);
    cr_expect_eq(presents[dj_frame_bucket(15500000)], 1);
    cr_expect_eq(presents[dj_frame_bucket(16500000)], 2);
    cr_expect_eq(presents[dj_frame_bucket(180000000)], 1);
    cr_expect_eq(got[0].counter[DJ_SESSION_SLOW], -1);
}
