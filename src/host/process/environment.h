/* Environment variables for a program that is started under the recorder. */
#ifndef DEJANK_PROCESS_ENVIRONMENT_H
#define DEJANK_PROCESS_ENVIRONMENT_H

#include <stdbool.h>

/* Adds a word to a colon-separated list in an environment variable of this process, at
 * the front or at the end. Call it only in a child process with one thread. */
void dj_process_environment_add(const char *variable, const char *word, bool in_front);

/* Makes the Vulkan loader use the layer of the preloaded object `object` before all other
 * layers. Does nothing if there is no manifest next to the object. */
void dj_process_environment_add_vulkan_layer(const char *object);

#endif
