/* A Vulkan driver without a GPU. The program that is linked to it sets all its times:
 * how long the display makes it wait, when its GPU is finished, and the values of its
 * clock. */
#ifndef DEJANK_TESTS_FAKE_VULKAN_H
#define DEJANK_TESTS_FAKE_VULKAN_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/* The time that the GPU's time stamps report. */
enum fake_clock {
    FAKE_CLOCK_TRUE,  /* The time at which the work was finished. */
    FAKE_CLOCK_ZERO,  /* Always 0. */
    FAKE_CLOCK_EARLY, /* A time before the work. */
    FAKE_CLOCK_LATE   /* A time long after the work was finished. */
};

struct fake_vulkan {
    bool calibrated; /* The driver has VK_EXT_calibrated_timestamps. */
    bool refuses;    /* The driver has that extension, but creates no device with it. */
    enum fake_clock clock;
    int64_t gpu_ns;      /* Duration of the next submission on the GPU. The driver sets
                          * it to 0 afterwards. */
    int64_t gpu_done_ns; /* End of the last submission, in CLOCK_MONOTONIC. */
    int64_t acquire_ns;  /* Time for which acquire sleeps. */
    int64_t present_ns;  /* Time for which present polls. */
    uint32_t failing;    /* If bit n is set, swapchain n of a present is out of date. */
    uint32_t devices;    /* Number of devices created so far. */
};

extern struct fake_vulkan fake_vulkan;

#endif
