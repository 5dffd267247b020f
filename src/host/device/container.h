/* Programs that start others where this machine's files are out of sight. */
#ifndef DEJANK_DEVICE_CONTAINER_H
#define DEJANK_DEVICE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What has to be passed to the program at `path`, by its name a container's launcher, for
 * what it starts to be recorded: its options that show the preloaded `object` and the
 * segments' `directory` inside. False where it is no such launcher, or an option of
 * `argv` already names the object.
 */
bool dj_container_options(const char *path, char *const *argv, const char *object,
                          const char *directory, char *options, size_t size);

#endif
