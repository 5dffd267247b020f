/* The Vulkan layer: its data on the app's instances, devices, queues and swapchains,
 * and the functions of its parts. */
#ifndef DEJANK_HOOKS_VULKAN_LAYER_H
#define DEJANK_HOOKS_VULKAN_LAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "recorder/recorder.h"

/* The entry of an object. Entries are never freed, only reused: a thread that walks a
 * list while another destroys an object finds valid memory. `key` is 0 in a free
 * entry. It is stored last, so a found entry is complete. */
struct dj_vk_entry {
    _Atomic uint64_t key;
    struct dj_vk_entry *next;
};

enum dj_vk_kind {
    DJ_VK_INSTANCE,
    DJ_VK_DEVICE,
    DJ_VK_QUEUE,
    DJ_VK_SWAPCHAIN,
    DJ_VK_KINDS
};

/* Returns the entry with this key, or NULL. Lock-free. */
void *dj_vulkan_find(enum dj_vk_kind kind, uint64_t key);

/* Returns an entry without a key, zeroed except for its head; dj_vulkan_publish() makes
 * it visible. Returns NULL without memory. May allocate, because objects are made outside
 * the frame path. */
void *dj_vulkan_add(enum dj_vk_kind kind);
void dj_vulkan_publish(struct dj_vk_entry *entry, uint64_t key);
void dj_vulkan_remove(struct dj_vk_entry *entry);

/* Returns the key of a dispatchable handle's owner: all handles of an instance, or of
 * a device, begin with the same word. */
static inline uint64_t dj_vulkan_dispatch_key(const void *handle)
{
    return *(const uintptr_t *)handle;
}

struct dj_vk_instance {
    struct dj_vk_entry entry;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr next;
    PFN_vkDestroyInstance destroy;
};

/* The next layer's functions of a device; functions of missing extensions are NULL.
 * X(name without vk) */
#define DJ_VK_DEVICE_FUNCTIONS(X)                                                        \
    X(DestroyDevice)                                                                     \
    X(GetDeviceQueue)                                                                    \
    X(GetDeviceQueue2)                                                                   \
    X(QueueSubmit)                                                                       \
    X(QueueSubmit2)                                                                      \
    X(QueueSubmit2KHR)                                                                   \
    X(QueueWaitIdle)                                                                     \
    X(DeviceWaitIdle)                                                                    \
    X(WaitForFences)                                                                     \
    X(WaitSemaphores)                                                                    \
    X(WaitSemaphoresKHR)                                                                 \
    X(CreateSwapchainKHR)                                                                \
    X(CreateSharedSwapchainsKHR)                                                         \
    X(DestroySwapchainKHR)                                                               \
    X(AcquireNextImageKHR)                                                               \
    X(AcquireNextImage2KHR)                                                              \
    X(QueuePresentKHR)                                                                   \
    X(CreateFence)                                                                       \
    X(DestroyFence)                                                                      \
    X(ResetFences)                                                                       \
    X(GetFenceStatus)                                                                    \
    X(CreateCommandPool)                                                                 \
    X(DestroyCommandPool)                                                                \
    X(AllocateCommandBuffers)                                                            \
    X(BeginCommandBuffer)                                                                \
    X(EndCommandBuffer)                                                                  \
    X(CmdResetQueryPool)                                                                 \
    X(CmdWriteTimestamp)                                                                 \
    X(CreateQueryPool)                                                                   \
    X(DestroyQueryPool)                                                                  \
    X(GetQueryPoolResults)                                                               \
    X(GetCalibratedTimestampsEXT)

enum { DJ_VK_FAMILIES = 16 };

struct dj_vk_device {
    struct dj_vk_entry entry;
    VkDevice handle;
    PFN_vkGetDeviceProcAddr next;
    PFN_vkSetDeviceLoaderData set_loader_data;
#define DJ_VK_POINTER(name) PFN_vk##name name;
    DJ_VK_DEVICE_FUNCTIONS(DJ_VK_POINTER)
#undef DJ_VK_POINTER
    bool calibrated;   /* its ticks can be converted to CLOCK_MONOTONIC */
    double tick_ns;    /* duration of a tick */
    uint32_t families; /* number of known ones */
    struct {
        VkQueueFlags flags;
        uint32_t timestamp_bits; /* 0: its queues have no timestamps */
    } family[DJ_VK_FAMILIES];
};

/* One wait in acquire. */
struct dj_vk_acquired {
    int64_t begin_ns;
    int64_t waited_ns;
    const void *thread; /* the waiting thread */
};

enum { DJ_VK_IMAGES = 16 };

struct dj_vk_swapchain {
    struct dj_vk_entry entry;
    VkDevice device;
    struct dj_surface surface;
    /* The app passes an image, and these with it, from the thread that acquired it to
     * the thread that presents it. */
    struct dj_vk_acquired image[DJ_VK_IMAGES];
};

struct dj_vk_gpu;

struct dj_vk_queue {
    struct dj_vk_entry entry;
    struct dj_vk_device *device;
    VkQueue handle;
    uint32_t family;
    bool submitted; /* the app has submitted work since its last present */
    _Atomic(struct dj_vk_gpu *) gpu; /* created with the first present; NULL: none */
    bool gpu_off;                    /* it could not be created, or has failed */
};

/* Each returns the entry of a handle. */
struct dj_vk_device *dj_vulkan_device_of(const void *handle);
struct dj_vk_queue *dj_vulkan_queue_of(VkQueue handle);

/* Returns the device's queue after `after`, or its first one for NULL. */
struct dj_vk_queue *dj_vulkan_next_queue(const struct dj_vk_device *device,
                                         const struct dj_vk_queue *after);

/* When the GPU finished a frame. */

/* Prepares a present on the queue: submits a timestamp and a fence of this layer after
 * all work of the app. Call it only where the app may use the queue. Does not touch
 * the app's own state. If it returns true, the caller assigns every resulting frame,
 * and ends with dj_vulkan_gpu_presented(). */
bool dj_vulkan_gpu_probe(struct dj_vk_queue *queue);
void dj_vulkan_gpu_assign_frame(struct dj_vk_queue *queue,
                                const struct dj_recorded_frame *recorded);
void dj_vulkan_gpu_presented(struct dj_vk_queue *queue);

/* Checks which probes of the device are finished, and adds their results to the
 * frames. Never waits. */
void dj_vulkan_gpu_poll(struct dj_vk_device *device);

/* For devices whose clock cannot be converted: the app submits with a fence of its
 * own; it waited only for this fence until end_ns, and the wait blocked. Apart from
 * the wake-up time, the probe after that submission ran until then, too. */
void dj_vulkan_gpu_fence_submitted(struct dj_vk_queue *queue, VkFence fence);
void dj_vulkan_gpu_fence_awaited(struct dj_vk_device *device, VkFence fence,
                                 int64_t end_ns);

/* Call this before the device is destroyed. */
void dj_vulkan_gpu_finish(struct dj_vk_device *device);

/* The hooks of the other files. */

struct dj_vk_hook {
    const char *name;
    PFN_vkVoidFunction function;
};

/* Each ends with a NULL name. */
extern const struct dj_vk_hook dj_vk_frame_hooks[];
extern const struct dj_vk_hook dj_vk_queue_hooks[];

#endif
