/* The environment of a program that is started under the recorder. */
#ifndef DEJANK_PROCESS_ENVIRONMENT_H
#define DEJANK_PROCESS_ENVIRONMENT_H

#include <stdbool.h>

/* Adds a word to a list in this process's environment, before or after its other words,
 * separated by a colon. Call it only in a child that has one thread. */
void dj_process_environment_add(const char *variable, const char *word, bool in_front);

/* Adds the Vulkan layer of `object` before the layers that the environment names, and its
 * manifest to those that the Vulkan loader reads. Does nothing if no manifest is found
 * next to the object. */
void dj_process_environment_add_vulkan_layer(const char *object);

#endif
