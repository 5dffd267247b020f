#include "recorder/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segment/environment.h"
#include "segment/sections_layout.h"

/* Reads a number from an environment variable. Returns `otherwise` if the variable is
 * missing, or if its value is not a number from `least` to `most`. */
static int64_t read_number(const char *variable, int64_t least, int64_t most,
                           int64_t otherwise)
{
    const char *text = secure_getenv(variable);
    if (text == NULL) {
        return otherwise;
    }
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    bool valid =
        end != text && *end == '\0' && errno == 0 && number >= least && number <= most;
    return valid ? number : otherwise;
}

/* Copies the value of an environment variable, or "" if it is missing. */
static void read_text(const char *variable, char *text, size_t size)
{
    const char *value = secure_getenv(variable);
    snprintf(text, size, "%s", value != NULL ? value : "");
}

static void read_program_name(char *program, size_t size)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(program, size, "%s", slash != NULL ? slash + 1 : "unknown");
}

/* Returns the number of slots of each ring: the requested number, rounded up to a
 * power of two. Returns 0 if sections are not requested. */
static uint32_t read_sections_keep(void)
{
    const char *text = secure_getenv(DJ_ENV_SECTIONS);
    if (text != NULL && (strcmp(text, "off") == 0 || strcmp(text, "0") == 0)) {
        return 0;
    }
    int64_t requested = read_number(DJ_ENV_SECTIONS, DJ_SECTIONS_KEEP_MIN,
                                    DJ_SECTIONS_KEEP_MAX, DJ_SECTIONS_KEEP);
    uint32_t keep = DJ_SECTIONS_KEEP_MIN;
    while (keep < requested) {
        keep *= 2;
    }
    return keep;
}

void dj_settings_load(struct dj_settings *settings)
{
    const char *release = secure_getenv(DJ_ENV_RELEASE);
    int64_t interval_ns = read_number(DJ_ENV_INTERVAL_NS, 1000000, 1000000000, 0);
    *settings = (struct dj_settings){
        .root_pid = read_number(DJ_ENV_ROOT_PID, 1, INT64_MAX, 0),
        .run_ns = read_number(DJ_ENV_RUN_NS, 1, INT64_MAX, 0),
        .dialect =
            release != NULL ? dj_frame_dialect_find(release) : dj_frame_dialect_default(),
        .interval_ns = interval_ns != 0 ? interval_ns : DJ_ASSUMED_INTERVAL_NS,
        .interval_assumed = interval_ns == 0,
        .keep = (uint32_t)read_number(DJ_ENV_KEEP, DJ_SEGMENT_KEEP_MIN,
                                      DJ_SEGMENT_KEEP_MAX, DJ_SEGMENT_KEEP),
        .sections_keep = read_sections_keep(),
        .profile = read_number(DJ_ENV_PROFILE, 0, 1, 0) != 0,
        .retention = (enum dj_retention)read_number(
            DJ_ENV_RETENTION, DJ_RETAIN_NEWEST, DJ_RETENTION_COUNT - 1, DJ_RETAIN_NEWEST),
    };
    read_text(DJ_ENV_NAME, settings->name, sizeof(settings->name));
    read_text(DJ_ENV_APP_VERSION, settings->app_version, sizeof(settings->app_version));
    read_text(DJ_ENV_TRACE_MARKER, settings->trace_marker,
              sizeof(settings->trace_marker));
    read_program_name(settings->program, sizeof(settings->program));
}

void dj_settings_format_process_name(const struct dj_settings *settings, char *name,
                                     size_t size)
{
    if (settings->name[0] == '\0') {
        snprintf(name, size, "%s", settings->program);
    } else if (settings->root_pid == 0 || settings->root_pid == getpid()) {
        snprintf(name, size, "%s", settings->name);
    } else {
        snprintf(name, size, "%.*s:%s", DJ_SEGMENT_NAME / 2, settings->name,
                 settings->program);
    }
}
