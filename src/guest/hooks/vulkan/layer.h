/* The Vulkan layer: its data about the app's instances, devices, queues and
 * swapchains, and the functions of its files. */
#ifndef DEJANK_HOOKS_VULKAN_LAYER_H
#define DEJANK_HOOKS_VULKAN_LAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "recorder/recorder.h"

/* The head of an object's entry in a list. Entries are reused but never freed, so a
 * thread may walk a list while another thread destroys an object. `key` identifies the
 * object and is 0 in a free entry. `key` is stored last, so an entry that a thread finds
 * by its key is complete. */
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

/* Returns a new entry without a key. The members after the head are 0.
 * dj_vulkan_publish() makes the entry visible to dj_vulkan_find(), and
 * dj_vulkan_remove() frees it for reuse. Returns NULL if there is no memory. May
 * allocate, because objects are created outside the frame path. */
void *dj_vulkan_add(enum dj_vk_kind kind);
void dj_vulkan_publish(struct dj_vk_entry *entry, uint64_t key);
void dj_vulkan_remove(struct dj_vk_entry *entry);

/* Returns the key of the instance or device to which a dispatchable handle belongs.
 * All handles of one instance, or of one device, begin with the same word. */
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

/* Functions of a device in the next layer. A function of a missing extension is NULL.
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
    bool calibrated;   /* True if the device's time stamps can be converted to
                        * CLOCK_MONOTONIC. */
    double tick_ns;    /* Duration of a tick of the device's clock in ns. */
    uint32_t families; /* Number of valid elements of `family`. */
    struct {
        VkQueueFlags flags;
        uint32_t timestamp_bits; /* Valid bits of a time stamp, or 0 if queues of the
                                  * family have no time stamps. */
    } family[DJ_VK_FAMILIES];
};

/* One wait in vkAcquireNextImageKHR(). */
struct dj_vk_acquired {
    int64_t begin_ns;
    int64_t waited_ns;
    const void *thread; /* Identifies the thread that waited. */
};

enum { DJ_VK_IMAGES = 16 };

struct dj_vk_swapchain {
    struct dj_vk_entry entry;
    VkDevice device;
    struct dj_surface surface;
    /* The wait for each image. The app may present an image on another thread than the
     * one that acquired it, so the wait is stored with the image. */
    struct dj_vk_acquired image[DJ_VK_IMAGES];
};

struct dj_vk_gpu;

struct dj_vk_queue {
    struct dj_vk_entry entry;
    struct dj_vk_device *device;
    VkQueue handle;
    uint32_t family;
    bool submitted; /* True if the app has submitted work since its last present. */
    _Atomic(struct dj_vk_gpu *) gpu; /* Created with the first present, otherwise NULL. */
    bool gpu_off;                    /* True if `gpu` could not be created or has
                                      * failed. */
};

/* Returns this layer's data of a device, or NULL if there is none. `handle` is the handle
 * of the device or of one of its queues and command buffers. */
struct dj_vk_device *dj_vulkan_device_of(const void *handle);

/* Returns this layer's data of a queue, or NULL if there is none. */
struct dj_vk_queue *dj_vulkan_queue_of(VkQueue handle);

/* Returns the device's queue after `after`, or its first queue if `after` is NULL. */
struct dj_vk_queue *dj_vulkan_next_queue(const struct dj_vk_device *device,
                                         const struct dj_vk_queue *after);

/* The following functions find out when the GPU finished a frame. */

/* Starts a probe for a present on the queue: submits a time stamp and a fence of this
 * layer after all work of the app. Call this function only on a thread on which the app
 * itself may use the queue at this time. Does not touch the app's own state. Returns
 * false if no probe was started. Otherwise the caller assigns every frame of the present
 * to the probe, and then calls dj_vulkan_gpu_presented(). */
bool dj_vulkan_gpu_probe(struct dj_vk_queue *queue);
void dj_vulkan_gpu_assign_frame(struct dj_vk_queue *queue,
                                const struct dj_recorded_frame *recorded);
void dj_vulkan_gpu_presented(struct dj_vk_queue *queue);

/* Checks which probes of the device have finished, and adds their results to the
 * frames. Never waits. */
void dj_vulkan_gpu_poll(struct dj_vk_device *device);

/* Use fences of the app on a device whose clock cannot be converted.
 * dj_vulkan_gpu_fence_submitted() reports that the app submitted work with a fence of its
 * own. dj_vulkan_gpu_fence_awaited() reports that the app waited for this fence only,
 * that the wait blocked, and that the wait ended at end_ns. This shows that the probe
 * after that submission was unfinished until shortly before end_ns. */
void dj_vulkan_gpu_fence_submitted(struct dj_vk_queue *queue, VkFence fence);
void dj_vulkan_gpu_fence_awaited(struct dj_vk_device *device, VkFence fence,
                                 int64_t end_ns);

/* Waits for the probes of the device and releases them. Call this before the device is
 * destroyed. */
void dj_vulkan_gpu_finish(struct dj_vk_device *device);

/* Tables of hooks. The last element has a NULL name. */

struct dj_vk_hook {
    const char *name;
    PFN_vkVoidFunction function;
};

extern const struct dj_vk_hook dj_vk_frame_hooks[];
extern const struct dj_vk_hook dj_vk_queue_hooks[];

#endif
