/* Variables of the environment in which `dejank record` runs a program. Ends this process
 * where no memory is left. */
#ifndef DEJANK_CLI_CHILD_ENVIRONMENT_H
#define DEJANK_CLI_CHILD_ENVIRONMENT_H

/* Puts a word before those that the variable holds, with a colon between. */
void dj_environment_prepend(const char *variable, const char *word);

/* Puts our Vulkan layer before the layers that the environment names, and its manifest
 * among those the Vulkan loader reads; nothing where no manifest lies beside the object.
 */
void dj_vulkan_layer_show(const char *object);

#endif
