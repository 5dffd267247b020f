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
    [DJ_NEXT_ONLY_LOGS] = "This text has only sums or log lines. To see why frames are "
                          "slow, dump the app while it runs.",
    [DJ_NEXT_ONLY_LAYERS] =
        "Clear the counters of timestats, use the app, then dump again.",
    [DJ_NEXT_LAYERS_WITHOUT_FRAMES] =
        "Switch the counters on, use the app, then dump the counters.",
    [DJ_NEXT_NO_HEADER] = "These rows have no header, and no known release prints this "
                          "number of columns. Keep the header line, or dump again.",
    [DJ_NEXT_ONLY_SIMPLE] = "The table of stage times has no deadlines, and no value "
                            "above 50 ms. Android 6 and later also print the exact times "
                            "of each frame (framestats).",
    [DJ_NEXT_EXEMPT] = "The rows show how long each frame took. Compare this time with "
                       "the deadline of your app.",
    [DJ_NEXT_PRESENT_ONLY] =
        "A recorder inside the program shows frame times and stages, too.",
    [DJ_NEXT_SURFACE] =
        "A system trace shows what the app did while its frames were late.",
    [DJ_NEXT_ONLY_COUNTERS] =
        "Counters show how many frames were janky. The times of each frame show why.",
    [DJ_NEXT_FEW] = "Collect for longer while someone uses the app.",
    [DJ_NEXT_JANK_NOT_IN_ROWS] =
        "None of the newest frames is janky. Collect frames while the app is janky.",
    [DJ_NEXT_JANKY] = "See the stages of every frame.",
    [DJ_NEXT_SMOOTH] = "The dump covers about the last two seconds. Collect frames for a "
                       "longer time to check more.",
};

const char *dj_next_step_get_text(enum dj_next_step step)
{
    return texts[step];
}
