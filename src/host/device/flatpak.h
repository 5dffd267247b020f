/* Adds to a command `flatpak run …` the options that let the recorder work inside the
 * sandbox. */
#ifndef DEJANK_DEVICE_FLATPAK_H
#define DEJANK_DEVICE_FLATPAK_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

enum { DJ_FLATPAK_OPTIONS = 5 };

struct dj_flatpak_command {
    char options[DJ_FLATPAK_OPTIONS][2 * PATH_MAX]; /* The options that were added. */
    char **argv; /* The words of the command. The array is freed with free(). */
};

/* Returns whether options can be added: the command is `flatpak [OPTION]… run …`, and it
 * sets no LD_PRELOAD of its own. `path` is the program of argv[0]. */
bool dj_device_flatpak_is_run(const char *path, char *const *argv);

/* Writes the id of the application that `flatpak run` starts, such as "org.example.App".
 * Returns false if the command is another one or names no application. `path` is the
 * program of argv[0]. */
bool dj_device_flatpak_find_app(const char *path, char *const *argv, char *id,
                                size_t size);

/* Adds the options after the word "run": the recorder's `object` and the `directory` of
 * the segments become visible in the sandbox, and the environment names them. Flatpak
 * does not pass on files below /usr and similar folders, so such an object is copied to
 * the directory. The words of argv must outlive *command. Call this function only if
 * dj_device_flatpak_is_run() returns true. Returns DJ_E_NO_MEMORY, or an error of writing
 * the copy. */
int dj_device_flatpak_add_options(char *const *argv, const char *object,
                                  const char *directory,
                                  struct dj_flatpak_command *command,
                                  struct dj_error *err);

#endif
