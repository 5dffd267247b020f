#include "jank/rules.h"

#include <string.h>

static const struct dj_jank_rule rules[DJ_JANK_RULES] = {
    [DJ_JANK_HWUI_LEGACY] =
        {"hwui-legacy", "hwui, legacy", "%", true, true,
         "frames longer than the display interval ÷ judged frames",
         "hwui JankTracker.cpp, Android 6 to 11; \"(legacy)\" from Android 12 on"},
    [DJ_JANK_HWUI_DEADLINE] = {"hwui-deadline", "hwui, deadline", "%", true, true,
                               "frames with GpuCompleted ≥ FrameDeadline ÷ judged frames",
                               "hwui JankTracker.cpp, Android 12 and later"},
    [DJ_JANK_JANKSTATS] = {"jankstats", "JankStats", "%", true, true,
                           "frames with UI time > 2 × (deadline − start) ÷ judged frames",
                           "androidx.metrics.performance, jankHeuristicMultiplier = 2"},
    [DJ_JANK_FIREBASE_SLOW] = {"firebase-slow", "Firebase slow frames", "%", true, true,
                               "frames with frame duration > 16 ms ÷ frames",
                               "Firebase Performance Monitoring, screen rendering"},
    [DJ_JANK_FIREBASE_FROZEN] = {"firebase-frozen", "Firebase frozen frames", "%", true,
                                 true, "frames with frame duration > 700 ms ÷ frames",
                                 "Firebase Performance Monitoring, screen rendering"},
    [DJ_JANK_VITALS_20] =
        {"vitals-20fps", "Android vitals, 20 FPS", "%", true, true,
         "frames with frame-to-frame time ≥ 50 ms ÷ frames; slow session: > 25 %",
         "developer.android.com/games/optimize/vitals/slow-session"},
    [DJ_JANK_VITALS_30] =
        {"vitals-30fps", "Android vitals, 30 FPS", "%", true, true,
         "frames with frame-to-frame time ≥ 34 ms ÷ frames; slow session: > 25 %",
         "developer.android.com/games/optimize/vitals/slow-session"},
    [DJ_JANK_PERFDOG_JANK] =
        {"perfdog-jank", "PerfDog Jank", "frames", true, true,
         "frames with frame-to-frame time > 2 × mean of the 3 before and > 84 ms",
         "PerfDog, definition of Jank"},
    [DJ_JANK_PERFDOG_BIG_JANK] =
        {"perfdog-big-jank", "PerfDog BigJank", "frames", true, true,
         "frames with frame-to-frame time > 2 × mean of the 3 before and > 125 ms",
         "PerfDog, definition of BigJank"},
    [DJ_JANK_PERFDOG_STUTTER] =
        {"perfdog-stutter", "PerfDog Stutter", "%", true, true,
         "frame-to-frame time of PerfDog Jank frames ÷ that of all frames",
         "PerfDog, definition of Stutter"},
    [DJ_JANK_HITCH_RATIO] =
        {"hitch-ratio", "hitch time ratio", "ms/s", true, true,
         "sum of max(0, completed − deadline) ÷ sum of frame-to-frame times",
         "Apple, hitch time ratio: good ≤ 5 ms/s, critical ≥ 10 ms/s"},
    [DJ_JANK_FREEZE_TIME] = {"freeze-time", "freeze time", "ms", true, true,
                             "sum of max(0, frame duration − display interval)",
                             "Booking.com perfsuite, Freeze Time"},
    [DJ_JANK_FRAMES_DELAY] = {"frames-delay", "frames.delay", "s", true, true,
                              "sum of max(0, frame duration − display interval)",
                              "Sentry, frames.delay"},
    [DJ_JANK_LOW1_P1] = {"low1-p1", "1 % low, P1", "fps", false, false,
                         "1 ÷ 99th percentile of frame-to-frame times",
                         "CapFrameX, P1; percentile of type 7"},
    [DJ_JANK_LOW1_MEAN] =
        {"low1-mean", "1 % low, mean", "fps", false, false,
         "1 ÷ mean of the longest 1 % of frame-to-frame times (count rounded up)",
         "mean of the worst 1 %, as many reviews and tools define it"},
    [DJ_JANK_LOW1_INTEGRAL] =
        {"low1-integral", "1 % low, integral", "fps", false, false,
         "1 ÷ the frame-to-frame time at which the longest fill 1 % of the total",
         "RTSS and CapFrameX, 1 % low integral"},
    [DJ_JANK_CHROMIUM_DROPPED] = {"chromium-dropped", "Chromium percent dropped", "%",
                                  true, true,
                                  "dropped refreshes ÷ (dropped refreshes + frames)",
                                  "Chromium cc/metrics, percent dropped frames"},
};

const struct dj_jank_rule *dj_jank_rule_get(enum dj_jank_rule_id id)
{
    return &rules[id];
}

bool dj_jank_rule_find(const char *slug, enum dj_jank_rule_id *id)
{
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        if (strcmp(rules[i].slug, slug) == 0) {
            *id = (enum dj_jank_rule_id)i;
            return true;
        }
    }
    return false;
}

bool dj_jank_rule_is_named(enum dj_jank_rule_id id, const char *word)
{
    return strcmp(word, "all") == 0 || strcmp(word, rules[id].slug) == 0;
}
