/* The Vulkan layer: what it knows of the app's instances, devices, queues and swapchains,
 * and how its parts work together. */
#ifndef DEJANK_HOOKS_VULKAN_H
#define DEJANK_HOOKS_VULKAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

#include "recorder/recorder.h"

/*
 * An object's entry. Entries are never freed, only used again: whoever still looks
 * through a list while another thread destroys an object of it finds valid memory.
 * `key` is 0 in a free entry; it is stored last, so that an entry that is found is whole.
 */
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

/* The entry with this key, NULL where there is none. Lock-free. */
void *dj_vk_find(enum dj_vk_kind kind, uint64_t key);

/* An entry of no key yet, zeroed but for its head; dj_vk_publish() makes it found. NULL
 * without memory. May allocate: objects are made outside the frame path. */
void *dj_vk_add(enum dj_vk_kind kind);
void dj_vk_publish(struct dj_vk_entry *entry, uint64_t key);
void dj_vk_remove(struct dj_vk_entry *entry);

/* The key of what a dispatchable handle belongs to: all of an instance, or of a device,
 * begin with the same word. */
static inline uint64_t dj_vk_dispatch_key(const void *handle)
{
    return *(const uintptr_t *)handle;
}

struct dj_vk_instance {
    struct dj_vk_entry entry;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr next;
    PFN_vkDestroyInstance destroy;
};

/* The next layer's functions of a device; those of extensions that it does not have are
 * NULL. X(name without vk) */
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
    bool calibrated;   /* its ticks can be compared with CLOCK_MONOTONIC */
    double tick_ns;    /* length of a tick */
    uint32_t families; /* known ones of: */
    struct {
        VkQueueFlags flags;
        uint32_t timestamp_bits; /* 0: its queues have no timestamps */
    } family[DJ_VK_FAMILIES];
};

/* One wait in acquire. */
struct dj_vk_acquired {
    int64_t begin_ns;
    int64_t waited_ns;
    const void *thread; /* which waited */
};

enum { DJ_VK_IMAGES = 16 };

struct dj_vk_swapchain {
    struct dj_vk_entry entry;
    VkDevice device;
    struct dj_surface surface;
    /* The app hands an image from the thread that acquired it to the one that presents
     * it, and these with it. */
    struct dj_vk_acquired image[DJ_VK_IMAGES];
};

struct dj_vk_gpu;

struct dj_vk_queue {
    struct dj_vk_entry entry;
    struct dj_vk_device *device;
    VkQueue handle;
    uint32_t family;
    bool submitted; /* the app has given it work since it last presented */
    _Atomic(struct dj_vk_gpu *) gpu; /* made with its first present; NULL: none */
    bool gpu_off;                    /* it could not be made, or has failed */
};

/* The device or queue a handle belongs to. */
struct dj_vk_device *dj_vk_device_of(const void *handle);
struct dj_vk_queue *dj_vk_queue_of(VkQueue handle);

/* The device's next queue after this one; its first after NULL. */
struct dj_vk_queue *dj_vk_device_queue(const struct dj_vk_device *device,
                                       const struct dj_vk_queue *after);

/* ---- vulkan_gpu.c: when the GPU was done with a frame ---- */

/*
 * A frame is about to be presented on the queue: puts a timestamp and a fence of our own
 * behind all that the app has submitted there. Called where the app may use the queue;
 * the app's own state is not touched. True where that was done: then every frame that
 * came of it is told, and dj_vk_gpu_presented() ends it.
 */
bool dj_vk_gpu_probe(struct dj_vk_queue *queue);
void dj_vk_gpu_belongs(struct dj_vk_queue *queue, const struct dj_recorded *recorded);
void dj_vk_gpu_presented(struct dj_vk_queue *queue);

/* Looks which probes of the device are done, and adds what they tell to their frames.
 * Never waits. */
void dj_vk_gpu_look(struct dj_vk_device *device);

/*
 * For devices whose clock cannot be compared with ours: the app submits with a fence of
 * its own, and it has waited for that alone until end_ns, and had to. So long, less what
 * it takes to wake, the probe behind that submission was at work, too.
 */
void dj_vk_gpu_fenced(struct dj_vk_queue *queue, VkFence fence);
void dj_vk_gpu_waited(struct dj_vk_device *device, VkFence fence, int64_t end_ns);

/* The device is about to be destroyed. */
void dj_vk_gpu_finish(struct dj_vk_device *device);

/* ---- the hooks of the other files ---- */

struct dj_vk_hook {
    const char *name;
    PFN_vkVoidFunction function;
};

/* Each ends with a NULL name. */
extern const struct dj_vk_hook dj_vk_frame_hooks[];
extern const struct dj_vk_hook dj_vk_queue_hooks[];

#endif
