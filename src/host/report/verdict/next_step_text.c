#include "report/verdict/next_step.h"

static const char *const texts[DJ_NEXT_COUNT] = {
    [DJ_NEXT_UNREADABLE] = "Check the file's name and permissions, or read a dump from a "
                           "device.",
    [DJ_NEXT_NOT_GFXINFO] =
        "A dump is the output of `dumpsys gfxinfo PACKAGE framestats`.",
    [DJ_NEXT_NO_PROCESS] = "Start the app, or look up the name of its process, then dump "
                           "again.",
    [DJ_NEXT_DENIED] =
        "An app may not dump other apps, but the shell that adb opens may. "
        "Dump from a computer.",
    [DJ_NEXT_DUMP_FAILED] = "The app did not answer within five seconds: its main thread "
                            "was blocked. Dump again when the app responds.",
    [DJ_NEXT_NO_FRAMES] = "Use the app while you collect. Flutter, games and video draw "
                          "to their own SurfaceView, which gfxinfo does not see.",
    [DJ_NEXT_ONLY_LOGS] = "These are sums or log lines. To see why frames are slow, dump "
                          "the app while it runs.",
    [DJ_NEXT_ONLY_LAYERS] =
        "Timestats count from -clear on. Clear them, use the app, then dump again.",
    [DJ_NEXT_LAYERS_WITHOUT_FRAMES] =
        "Start to count, use the app, then dump what was counted.",
    [DJ_NEXT_NO_HEADER] = "These rows have no header, and no known release prints this "
                          "number of columns. Keep the header line, or dump again.",
    [DJ_NEXT_ONLY_SIMPLE] = "The simple dump has no deadlines and no value above 50 ms. "
                            "Android 6 and later print rows with nanoseconds.",
    [DJ_NEXT_EXEMPT] = "The rows show how long these frames took. Compare them with the "
                       "deadline that your app has.",
    [DJ_NEXT_PRESENT_ONLY] =
        "A recorder inside the program shows frame times and stages, too.",
    [DJ_NEXT_SURFACE] =
        "A system trace shows what the app did while its frames were late.",
    [DJ_NEXT_ONLY_COUNTERS] =
        "Counters show how many frames were janky, but not why. Rows of frames "
        "show why.",
    [DJ_NEXT_FEW] = "Collect for longer while someone uses the app.",
    [DJ_NEXT_JANK_NOT_IN_ROWS] =
        "The rows are the newest frames, and none of them is janky. "
        "Collect during the jank.",
    [DJ_NEXT_JANKY] = "See the stages of every frame.",
    [DJ_NEXT_SMOOTH] = "The rows cover about the last two seconds. Collect a longer "
                       "window to check more.",
};

const char *dj_next_step_get_text(enum dj_next_step step)
{
    return texts[step];
}
