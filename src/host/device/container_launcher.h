/* Programs that start others in a container, where the files of this machine are not
 * visible. */
#ifndef DEJANK_DEVICE_CONTAINER_LAUNCHER_H
#define DEJANK_DEVICE_CONTAINER_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the options that make the recorder work inside a container into `options`, if
 * `path` is a known launcher by its name. They make the preloaded `object` and the
 * `directory` of segments visible inside. Returns false if `path` is no such launcher, or
 * if an option of `argv` already names the object. */
bool dj_device_container_launcher_options(const char *path, char *const *argv,
                                          const char *object, const char *directory,
                                          char *options, size_t size);

#endif
