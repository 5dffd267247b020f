#include "device/no_frames.h"

#include <stdbool.h>
#include <string.h>

#include "base/count_of.h"
#include "device/recorder_sources.h"

#define DECLARE_FRAMES "record its own frames with dejank/frames.h"

static const char container_remedy[] =
    "pass it the options that were printed at the start, or record the program outside";
static const char user_remedy[] =
    "run dejank as that user: it starts the program as the same user";

/* Programs that start other programs where the recorder does not reach them. */
static const struct {
    const char *name;
    struct dj_no_frames_cause cause;
} launchers[] = {
    {"bwrap", {"it starts programs in a sandbox", container_remedy}},
    {"flatpak", {"it starts programs in a sandbox", container_remedy}},
    {"podman", {"it starts programs in a container", container_remedy}},
    {"docker", {"it starts programs in a container", container_remedy}},
    {"snap",
     {"it starts programs in a sandbox", "record a version installed without snap"}},
    {"firejail",
     {"it starts programs in a sandbox", "record the program without firejail"}},
    {"sudo", {"it starts programs as another user", user_remedy}},
    {"su", {"it starts programs as another user", user_remedy}},
    {"doas", {"it starts programs as another user", user_remedy}},
    {"pkexec", {"it starts programs as another user", user_remedy}},
    {"runuser", {"it starts programs as another user", user_remedy}},
    {"xdg-open",
     {"it passes the file to a program that may already run",
      "record that program itself"}},
};

/* Libraries, most telling first. A program that links several of them gets the cause of
 * the first one. */
static const struct {
    const char *library[2];
    struct dj_no_frames_cause cause;
} libraries_used[] = {
    {{"libQt6Quick.so", "libQt5Quick.so"},
     {"it uses Qt Quick, and showed no window with a scene",
      "let it run until its window is shown"}},
    {{"libQt6Widgets.so", "libQt5Widgets.so"},
     {"it uses Qt Widgets, and sent no image to an X server (on Wayland their frames "
      "cannot be seen)",
      DECLARE_FRAMES}},
    {{"libgtk-4.so", "libgtk-3.so"},
     {"it uses GTK, and showed no window", "let it run until its window is shown"}},
    {{"libSDL2-2.0.so", "libSDL3.so"},
     {"it uses SDL, and showed no picture", "let it run until it draws"}},
    {{"libGL.so", "libGLX.so"},
     {"it uses OpenGL, and swapped no buffers", "let it run until it draws"}},
    {{"libEGL.so", "libvulkan.so"},
     {"it uses EGL or Vulkan, and presented no image", "let it run until it draws"}},
    {{"libX11.so", "libxcb.so"},
     {"it sent no image to the X server, and used neither OpenGL nor Vulkan",
      DECLARE_FRAMES}},
    {{"libwayland-client.so", "libcairo.so"},
     {"it draws in software, without OpenGL or Vulkan", DECLARE_FRAMES}},
};

struct dj_no_frames_cause dj_device_choose_no_frames_cause(const char *name,
                                                           const char *libraries)
{
    for (size_t i = 0; i < COUNT_OF(launchers); i++) {
        if (strcmp(launchers[i].name, name) == 0) {
            return launchers[i].cause;
        }
    }
    for (size_t i = 0; i < COUNT_OF(libraries_used); i++) {
        for (size_t k = 0; k < 2; k++) {
            if (strstr(libraries, libraries_used[i].library[k]) != NULL) {
                return libraries_used[i].cause;
            }
        }
    }
    return (struct dj_no_frames_cause){
        "neither it nor its child processes drew with OpenGL, Vulkan, GTK, Qt Quick or "
        "SDL, or they changed their user, root, limits or environment",
        "'dejank doctor -- CMD' lists what can be recorded; an app can " DECLARE_FRAMES};
}

struct dj_no_frames_cause dj_device_find_no_frames_cause(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct dj_text libraries = {0};
    dj_device_list_libraries(path, &libraries);
    struct dj_no_frames_cause cause = dj_device_choose_no_frames_cause(
        slash != NULL ? slash + 1 : path, dj_text_get(&libraries));
    dj_text_finish(&libraries);
    return cause;
}
