/* The displays on which a Vulkan scene can be shown, and its device. */
#ifndef DEJANK_TESTS_VULKAN_SCENE_H
#define DEJANK_TESTS_VULKAN_SCENE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <vulkan/vulkan.h>

enum { SCENE_WIDTH = 320, SCENE_HEIGHT = 240, WINDOWS = 4, IMAGES = 8, SLOTS = 2 };

struct vulkan_display {
    const char *name;
    const char *extension; /* Instance extension for the surfaces of this display. */
    bool (*open)(void);
    bool (*add_window)(VkInstance instance, VkSurfaceKHR *surface);
    /* Changes the size of the first window. NULL if the scene cannot do that. */
    void (*resize)(int width, int height);
    void (*dispatch)(void); /* Handles events that have arrived. */
};

extern const struct vulkan_display vulkan_x11;
extern const struct vulkan_display vulkan_wayland;

struct vulkan_window {
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkImage image[IMAGES];
    uint32_t acquired;
};

/* The objects that a frame needs while the GPU works on it. */
struct vulkan_slot {
    VkCommandBuffer commands;
    VkFence done;
    VkSemaphore free[WINDOWS], drawn[WINDOWS];
};

extern struct vulkan_gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    int windows;
    struct vulkan_window window[WINDOWS];
    struct vulkan_slot slot[SLOTS];
} gpu;

/* Ends the program after an error. */
#define CHECK(call)                                                                      \
    do {                                                                                 \
        VkResult result_ = (call);                                                       \
        if (result_ != VK_SUCCESS) {                                                     \
            fprintf(stderr, "vulkan_scene: %s: %d\n", #call, result_);                   \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

/* Creates windows, device and swapchains on an open display. */
void vulkan_make(const struct vulkan_display *display, int windows);
VkSemaphore vulkan_make_semaphore(VkSemaphoreType kind);

/* Waits until the GPU is idle, and replaces the swapchains. */
void vulkan_make_swapchains(void);

/* Destroys everything except the connection to the display. */
void vulkan_destroy(void);

#endif
