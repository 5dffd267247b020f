/* Runs when the object is loaded, and reads the settings before the app's own code can
 * change its environment. */
#include <dlfcn.h>

#include "api/api.h"
#include "hooks/hooks.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/recorder.h"

/* Titles come last, so that they include facts that a source reports about this
 * frame's surface. */
static void frame_ended(const struct dj_recorded_frame *recorded)
{
    dj_wayland_frame_ended(recorded);
    dj_x11_frame_ended(recorded);
    dj_sdl_frame_ended(recorded);
    dj_titles_frame_ended(recorded);
}

/* Since glibc 2.32. */
static void watch_threads(void)
{
    dj_recorder_set_thread_flag(dj_real_dlsym(RTLD_DEFAULT, "__libc_single_threaded"));
    dlerror(); /* a missing function is not an error of the app */
}

__attribute__((constructor)) static void load(void)
{
    dj_real_load();
    watch_threads();
    dj_recorder_set_watcher(frame_ended);
    dj_recorder_load();
    dj_api_load();
}
