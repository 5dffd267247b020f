#include "process/recorder_environment.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"
#include "segment/environment.h"

/* Folders with the Vulkan manifest, relative to the preloaded object: after installation,
 * and in the build folder. */
static const char *const folders[] = {"vulkan", "src/guest/hooks"};

/* Finds the folder with the manifest of this object. Returns false if there is none. */
static bool find_folder(const char *object, char folder[PATH_MAX])
{
    const char *slash = strrchr(object, '/');
    int length = slash != NULL ? (int)(slash - object) : 0;
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        char manifest[PATH_MAX];
        snprintf(folder, PATH_MAX, "%.*s/%s", length, object, folders[i]);
        if (snprintf(manifest, sizeof(manifest), "%s/dejank_layer.json", folder) <
                PATH_MAX &&
            access(manifest, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a word to a colon-separated list in a variable, at the front or at the end. */
static void add_word(const char *variable, const char *word, bool in_front)
{
    const char *before = getenv(variable);
    bool other = before != NULL && *before != '\0';
    const char *first = in_front || !other ? word : before;
    const char *second = !other ? "" : in_front ? before : word;
    char *value = dj_xformat("%s%s%s", first, other ? ":" : "", second);
    setenv(variable, value, 1);
    free(value);
}

/* Makes the Vulkan loader use the layer of the preloaded object before all other layers.
 * Does nothing if there is no manifest next to the object. */
static void add_vulkan_layer(const char *object)
{
    char folder[PATH_MAX];
    if (!find_folder(object, folder)) {
        return;
    }
    /* If VK_LAYER_PATH is set, it gets the folder, because the Vulkan loader then ignores
     * VK_ADD_LAYER_PATH. */
    add_word(getenv("VK_LAYER_PATH") != NULL ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH",
             folder, true);
    add_word("VK_INSTANCE_LAYERS", "VK_LAYER_DEJANK_record", true);
}

static void set_number(const char *variable, int64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)number);
    setenv(variable, text, 1);
}

/* Unsets the variable if there is no text. A recorder that runs dejank may have set it,
 * but its settings must not apply to the program. */
static void set_text(const char *variable, const char *text)
{
    if (text == NULL) {
        unsetenv(variable);
    } else {
        setenv(variable, text, 1);
    }
}

static void preload(const char *object)
{
    /* The recorder's object must be the first preloaded object. An earlier object that
     * defines dlsym() would hide the calls that swap buffers from the recorder. */
    add_word("LD_PRELOAD", object, true);
    /* AddressSanitizer ends a program if another library is loaded before its run-time
     * library. The hooks also work before it, so the check can be disabled. It is
     * disabled for every program, because a child process may be built with
     * AddressSanitizer even if the program is not. */
    add_word("ASAN_OPTIONS", "verify_asan_link_order=0", false);
    add_vulkan_layer(object);
}

void dj_process_set_recorder_environment(const struct dj_recorder_settings *settings)
{
    const char *marker = settings->trace_marker;
    set_text(DJ_ENV_NAME, settings->name);
    set_text(DJ_ENV_SECTIONS, settings->sections);
    set_text(DJ_ENV_TRACE_MARKER, marker == NULL || marker[0] == '/' ? marker : "1");
    set_text(DJ_ENV_APP_VERSION, settings->app_version);
    set_text(DJ_ENV_RELEASE, settings->release);
    set_number(DJ_ENV_ROOT_PID, getpid());
    set_number(DJ_ENV_RUN_NS, settings->run_ns);
    set_number(DJ_ENV_KEEP, settings->keep);
    set_number(DJ_ENV_PROFILE, settings->profile);
    set_number(DJ_ENV_RETENTION, settings->retention);
    unsetenv(DJ_ENV_INTERVAL_NS);
    if (settings->refresh_hz > 0) {
        set_number(DJ_ENV_INTERVAL_NS, (int64_t)(1e9 / settings->refresh_hz));
    }
    if (settings->object != NULL) {
        preload(settings->object);
    }
}
