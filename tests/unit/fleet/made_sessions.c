#include "made_sessions.h"

#include <string.h>

void made_session(struct dj_session *session, unsigned seed)
{
    static const char *const texts[DJ_SESSION_TEXTS] = {
        "com.example.mail", "4.2", "Pixel 7", "high-end", "14", "Mali-G710"};
    dj_session_init(session);
    memset(session->id, (int)(seed % 255) + 1, sizeof(session->id));
    session->revision = seed;
    for (size_t i = 0; i < DJ_SESSION_TEXTS; i++) {
        dj_session_set_text(session, (enum dj_session_text)i, texts[i]);
    }
    session->version_code = 420;
    session->refresh_hz = 90;
    session->ram_mb = 8192;
    dj_session_set_start(session, MADE_START_S + seed);
    struct dj_session_histogram *times = &session->histogram[DJ_SESSION_FRAME_TIME];
    times->is_known = true;
    for (unsigned i = 0; i < 12; i++) {
        uint32_t count = (seed * 31 + i * 17) % 100 + 1;
        times->count[(seed + i * 7) % DJ_FRAME_BUCKETS] = count;
        session->counter[DJ_SESSION_FRAMES] += count;
    }
    dj_session_count_slow(session);
    session->counter[DJ_SESSION_JANKY] = session->counter[DJ_SESSION_SLOW];
    session->counter[DJ_SESSION_SLOW_UI_THREAD] = 3;
    dj_session_add_figure(session, "hitch_ratio_ms_per_s", 4.25);
}
