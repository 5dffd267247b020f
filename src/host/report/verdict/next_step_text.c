#include "report/verdict/next_step.h"

static const char *const texts[DJ_NEXT_COUNT] = {
    [DJ_NEXT_UNREADABLE] = "Check the file's name and who may read it. A dump is read "
                           "straight from a device like this:",
    [DJ_NEXT_NOT_GFXINFO] =
        "A dump is the output of `dumpsys gfxinfo`, best with framestats; read one "
        "straight from a device like this:",
    [DJ_NEXT_NO_PROCESS] =
        "Start the app, or look for the name its process has, then dump again:",
    [DJ_NEXT_DENIED] =
        "An app may not dump others; the shell that adb opens may. Dump from a computer:",
    [DJ_NEXT_DUMP_FAILED] =
        "The app did not answer within five seconds: its main thread was stuck. Dump "
        "again once it responds; where it never does, what it is stuck in is the thing "
        "to look for.",
    [DJ_NEXT_NO_FRAMES] =
        "Use the app while its frames are collected. Where that shows nothing either, it "
        "does not draw through Android's renderer: Flutter, games and video draw to a "
        "SurfaceView of their own, which gfxinfo does not see.",
    [DJ_NEXT_ONLY_LOGS] =
        "These are sums or log lines without rows. To see why frames are slow, dump the "
        "app itself while it runs:",
    [DJ_NEXT_NO_HEADER] =
        "These rows have no header, and no known release prints this number of "
        "columns. Keep the line that names the columns, or dump again:",
    [DJ_NEXT_ONLY_SIMPLE] =
        "The simple dump has no deadlines and clamps at 50 ms. Ask for the rows with "
        "nanoseconds (Android 6 and later):",
    [DJ_NEXT_EXEMPT] =
        "How long these frames took is in their rows, against whatever deadline the app "
        "has for them:",
    [DJ_NEXT_ONLY_COUNTERS] = "Sums tell how many frames were janky and not why. Ask "
                              "for the rows while the app "
                              "is in use, of one moment or of ten seconds:",
    [DJ_NEXT_FEW] = "Collect a longer stretch while somebody uses the app:",
    [DJ_NEXT_JANK_NOT_IN_ROWS] =
        "Jank was counted, and these rows, the newest alone, hold none of it. Collect "
        "while doing what janks:",
    [DJ_NEXT_JANKY] = "See every frame cut into its stages, as a table or drawn:",
    [DJ_NEXT_SMOOTH] = "These rows are smooth, and rows are the last two seconds or so. "
                       "Collect a longer stretch of what you care about:",
};

const char *dj_next_step_get_text(enum dj_next_step step)
{
    return texts[step];
}
