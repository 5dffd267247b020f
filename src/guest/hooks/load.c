/* The object is loaded: settings are read before the app's own code can change its
 * environment. */
#include "recorder/recorder.h"

__attribute__((constructor)) static void load(void)
{
    dj_recorder_load();
}
