/* Starts the recorder when this object is loaded. The settings are read at this time,
 * before the app's own code can change its environment. */
#include <dlfcn.h>

#include "api/api.h"
#include "hooks/hooks.h"
#include "hooks/sources.h"
#include "hooks/titles.h"
#include "recorder/recorder.h"

/* The function for titles is called last, because it uses what the functions before it
 * have stored about this frame's surface. */
static void handle_frame_end(const struct dj_recorded_frame *recorded)
{
    dj_wayland_frame_ended(recorded);
    dj_x11_frame_ended(recorded);
    dj_sdl_frame_ended(recorded);
    dj_titles_frame_ended(recorded);
}

/* glibc has this flag since version 2.32. */
static void find_thread_flag(void)
{
    dj_recorder_set_thread_flag(dj_real_dlsym(RTLD_DEFAULT, "__libc_single_threaded"));
    dlerror(); /* Clears the error, because a missing flag is not an error of the app. */
}

__attribute__((constructor)) static void load(void)
{
    dj_real_load();
    find_thread_flag();
    dj_recorder_set_watcher(handle_frame_end);
    dj_recorder_load();
    dj_api_load();
}
