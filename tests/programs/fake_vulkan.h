/* A Vulkan driver without a GPU, whose every time is planted by the program that is
 * linked to it: what the display makes it wait, when its GPU is done, and what its clock
 * says. */
#ifndef DEJANK_TESTS_FAKE_VULKAN_H
#define DEJANK_TESTS_FAKE_VULKAN_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/* What the GPU's timestamps say. */
enum fake_clock {
    FAKE_CLOCK_TRUE,  /* when it was done */
    FAKE_CLOCK_ZERO,  /* nothing but 0 */
    FAKE_CLOCK_EARLY, /* from before the work */
    FAKE_CLOCK_LATE   /* from after it was seen done */
};

struct fake_vulkan {
    bool calibrated; /* it has VK_EXT_calibrated_timestamps */
    bool refuses;    /* but makes no device with it */
    enum fake_clock clock;
    int64_t gpu_ns;      /* what the next submission takes; 0 after it */
    int64_t gpu_done_ns; /* when the last submission will be done, CLOCK_MONOTONIC */
    int64_t acquire_ns;  /* what acquire sleeps */
    int64_t present_ns;  /* what present polls */
    uint32_t failing;    /* bit n: swapchain n of a present is out of date */
    uint32_t devices;    /* made so far */
};

extern struct fake_vulkan fake_vulkan;

#endif
