/* Starts the recorder of libdejank, unless the process has a preloaded recorder. */
#include "api/api.h"
#include "recorder/recorder.h"

__attribute__((constructor)) static void load(void)
{
    if (dj_api_is_reached()) {
        dj_recorder_load_without_hooks();
        dj_api_load();
    }
}
