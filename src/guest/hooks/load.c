/* The object is loaded: settings are read before the app's own code can change its
 * environment. */
#include "api/api.h"
#include "hooks/hooks.h"
#include "recorder/recorder.h"

__attribute__((constructor)) static void load(void)
{
    dj_real_load();
    dj_recorder_load();
    dj_api_load();
}
