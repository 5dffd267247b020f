/* Showing our Vulkan layer to the programs that the child runs. */
#ifndef DEJANK_CLI_VULKAN_LAYER_H
#define DEJANK_CLI_VULKAN_LAYER_H

/* Puts it before the layers that the environment names, and its manifest among those the
 * Vulkan loader reads; nothing where no manifest lies beside the object. */
void dj_vulkan_layer_show(const char *object);

#endif
