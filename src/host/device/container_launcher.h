/* Programs that run other programs in a container, such as docker and flatpak. Files of
 * this machine are not visible inside the container unless an option makes them
 * visible. */
#ifndef DEJANK_DEVICE_CONTAINER_LAUNCHER_H
#define DEJANK_DEVICE_CONTAINER_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

/* Writes into `options` the launcher options that let the recorder work inside the
 * container. These options make two paths visible there: the preloaded `object`, and the
 * `directory` in which the recorder stores frames. Returns false if the program at `path`
 * is no known launcher, or if an option in `argv` already contains the path of the
 * object. */
bool dj_device_container_launcher_options(const char *path, char *const *argv,
                                          const char *object, const char *directory,
                                          char *options, size_t size);

#endif
