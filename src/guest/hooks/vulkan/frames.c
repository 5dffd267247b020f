/* Frames of Vulkan. A frame ends with vkQueuePresentKHR, with one frame per presented
 * surface. Waits for the display are:
 *
 *   - what present polls: Mesa waits there for Wayland's frame callback. This is at the
 *     frame's end, after all of its work.
 *   - the time in vkAcquireNextImageKHR, because an image is free when the display has
 *     finished with it. If acquired directly after the previous present, the frame starts
 *     when the image is available; otherwise the wait is between SyncQueued and
 * SyncStart, and hwui's duration() excludes it.
 *
 * Each of these waits removes at most one interval from a frame. The app's waits for
 * its GPU (fences, semaphores, an idle queue) are part of the frame. */

#include "hooks/export.h"
#include "hooks/vulkan/layer.h"
#include "recorder/thread.h"

enum {
    WAITS = 4,     /* waits in acquire, stored per thread and frame */
    PRESENTED = 16 /* swapchains of one present whose results can be read */
};

/* The thread's waits in acquire since its last frame; new ones replace the oldest. */
static _Thread_local struct {
    struct dj_vk_acquired wait[WAITS];
    uint32_t count;
} acquired_here DJ_STATIC_TLS;

struct acquire {
    struct dj_vk_acquired wait;
    int64_t swap_waited_ns;
    uintptr_t stack;
};

static void acquire_begins(struct acquire *acquire)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    acquire->swap_waited_ns = thread->swap_waited_ns;
    acquire->wait.thread = thread;
    acquire->wait.begin_ns = dj_recorder_clock_ns();
    thread->swap_depth++; /* what it polls is not a wait of the event loop */
}

/* Returns whether an image was acquired, or presented. */
static bool is_usable(VkResult result)
{
    return result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR;
}

static VkResult acquire_ends(VkResult result, const struct acquire *acquire,
                             VkSwapchainKHR handle, const uint32_t *image)
{
    struct dj_vk_swapchain *swapchain = dj_vulkan_find(DJ_VK_SWAPCHAIN, (uint64_t)handle);
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    struct dj_vk_acquired wait = acquire->wait;
    wait.waited_ns = dj_recorder_clock_ns() - wait.begin_ns;
    thread->swap_depth--;
    thread->swap_waited_ns = acquire->swap_waited_ns;
    if (wait.waited_ns <= DJ_LOOP_WAIT_NS) {
        wait.waited_ns = 0;
    }
    if (thread->swap_depth > 0) { /* inside another API's swap: GL on Vulkan */
        dj_recorder_add_swap_wait(wait.waited_ns);
        return result;
    }
    if (is_usable(result) && swapchain != NULL) {
        swapchain->image[*image % DJ_VK_IMAGES] = wait;
    }
    if (wait.waited_ns > 0) {
        acquired_here.wait[acquired_here.count++ % WAITS] = wait;
        dj_recorder_waits_swap_waited(&thread->waits, wait.waited_ns, acquire->stack);
    }
    return result;
}

static VkResult VKAPI_CALL acquire_image(VkDevice device, VkSwapchainKHR swapchain,
                                         uint64_t timeout_ns, VkSemaphore semaphore,
                                         VkFence fence, uint32_t *image)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    struct acquire acquire = {.stack = STACK};
    acquire_begins(&acquire);
    VkResult result = entry->AcquireNextImageKHR(device, swapchain, timeout_ns, semaphore,
                                                 fence, image);
    return acquire_ends(result, &acquire, swapchain, image);
}

static VkResult VKAPI_CALL acquire_image_2(VkDevice device,
                                           const VkAcquireNextImageInfoKHR *info,
                                           uint32_t *image)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    struct acquire acquire = {.stack = STACK};
    acquire_begins(&acquire);
    VkResult result = entry->AcquireNextImage2KHR(device, info, image);
    return acquire_ends(result, &acquire, info->swapchain, image);
}

/* The time from the frame's start to present, divided by its waits in acquire. */
struct stages {
    int64_t start_ns;
    int64_t queued_ns; /* start of its wait inside the frame; 0: none */
    int64_t waited_ns; /* duration of that wait */
};

static void add_wait(struct stages *stages, const struct dj_vk_acquired *wait,
                     int64_t interval_ns)
{
    int64_t waited_ns = wait->waited_ns < interval_ns ? wait->waited_ns : interval_ns;
    if (wait->waited_ns == 0 || wait->begin_ns < stages->start_ns) {
        return; /* the loop has waited for something else since then */
    }
    if (stages->queued_ns == 0 && wait->begin_ns - stages->start_ns <= DJ_LOOP_WAIT_NS) {
        stages->start_ns = wait->begin_ns + waited_ns;
        return;
    }
    if (stages->queued_ns == 0) {
        stages->queued_ns = wait->begin_ns;
    }
    stages->waited_ns += waited_ns;
}

/* Collects the waits of this thread, and those of another thread that acquired the
 * image for it. */
static struct stages stages_of(const struct dj_swap *swap, const VkPresentInfoKHR *info,
                               int64_t interval_ns)
{
    struct stages stages = {.start_ns = swap->start_ns};
    uint32_t oldest = acquired_here.count > WAITS ? acquired_here.count - WAITS : 0;
    for (uint32_t i = oldest; i < acquired_here.count; i++) {
        add_wait(&stages, &acquired_here.wait[i % WAITS], interval_ns);
    }
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        const struct dj_vk_swapchain *swapchain =
            dj_vulkan_find(DJ_VK_SWAPCHAIN, (uint64_t)info->pSwapchains[i]);
        const struct dj_vk_acquired *wait =
            swapchain != NULL ? &swapchain->image[info->pImageIndices[i] % DJ_VK_IMAGES]
                              : NULL;
        if (wait != NULL && wait->thread != &dj_recorder_thread) {
            add_wait(&stages, wait, interval_ns);
        }
    }
    return stages;
}

/* Sets the stages of the current frame, unless a toolkit or the app has declared it:
 * such a frame has its own stages around the wait. */
static void stamp(const struct dj_swap *swap, const struct stages *stages)
{
    if (dj_recorder_thread.frame.declared) {
        return;
    }
    bool waited = stages->queued_ns != 0;
    int64_t queued_ns = waited ? stages->queued_ns : swap->entry_ns;
    dj_recorder_stamp_stage(DJ_COLUMN_INTENDED_VSYNC, stages->start_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_QUEUED, queued_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_SYNC_START, queued_ns + stages->waited_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
                            queued_ns + stages->waited_ns);
    dj_recorder_stamp_stage(DJ_COLUMN_SWAP_BUFFERS, swap->entry_ns);
}

static struct dj_surface surface_of(VkSwapchainKHR handle)
{
    const struct dj_vk_swapchain *swapchain =
        dj_vulkan_find(DJ_VK_SWAPCHAIN, (uint64_t)handle);
    return swapchain != NULL ? swapchain->surface
                             : (struct dj_surface){DJ_PIPELINE_VULKAN, (uint64_t)handle};
}

/* Records one frame for each surface that was really presented to; no frame if there
 * was none. */
static void record(struct dj_swap *swap, const VkPresentInfoKHR *info,
                   struct dj_vk_queue *probed, VkResult result)
{
    uint32_t last = info->swapchainCount;
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        VkResult each = info->pResults != NULL ? info->pResults[i] : result;
        last = is_usable(each) ? i : last;
    }
    if (last == info->swapchainCount) {
        dj_recorder_end_swap(swap, surface_of(VK_NULL_HANDLE), false);
        return;
    }
    if (swap->outermost) {
        int64_t interval_ns = dj_recorder_get_interval(surface_of(info->pSwapchains[0]));
        struct stages stages = stages_of(swap, info, interval_ns);
        stamp(swap, &stages);
        acquired_here.count = 0;
    }
    for (uint32_t i = 0; i <= last; i++) {
        VkResult each = info->pResults != NULL ? info->pResults[i] : result;
        struct dj_surface surface = surface_of(info->pSwapchains[i]);
        struct dj_recorded_frame recorded = {0};
        if (i == last) {
            recorded = dj_recorder_end_swap(swap, surface, true);
        } else if (is_usable(each)) {
            recorded = dj_recorder_add_swap_surface(swap, surface);
        }
        if (probed != NULL) {
            dj_vulkan_gpu_assign_frame(probed, &recorded);
        }
    }
}

static VkResult VKAPI_CALL present(VkQueue handle, const VkPresentInfoKHR *info)
{
    struct dj_vk_device *device = dj_vulkan_device_of(handle);
    struct dj_vk_queue *queue = dj_vulkan_queue_of(handle);
    struct dj_swap swap = {.stack = STACK};
    VkPresentInfoKHR asked = *info;
    VkResult results[PRESENTED];
    if (asked.pResults == NULL && asked.swapchainCount > 1 &&
        asked.swapchainCount <= PRESENTED) {
        asked.pResults = results;
    }
    dj_recorder_begin_swap(&swap);
    dj_vulkan_gpu_poll(device);
    /* The end of this queue says nothing about what another queue has drawn. */
    bool probed = queue != NULL && queue->submitted && dj_vulkan_gpu_probe(queue);
    VkResult result = device->QueuePresentKHR(handle, &asked);
    record(&swap, &asked, probed ? queue : NULL, result);
    if (probed) {
        queue->submitted = false;
        dj_vulkan_gpu_presented(queue);
    }
    dj_vulkan_gpu_poll(device);
    return result;
}

/* A window is a surface: consecutive swapchains of a window continue its frames. */
static void learn_swapchain(VkDevice device, const VkSwapchainCreateInfoKHR *info,
                            VkSwapchainKHR handle)
{
    struct dj_vk_swapchain *swapchain = dj_vulkan_add(DJ_VK_SWAPCHAIN);
    if (swapchain != NULL) {
        swapchain->device = device;
        swapchain->surface =
            (struct dj_surface){DJ_PIPELINE_VULKAN, (uint64_t)info->surface};
        dj_vulkan_publish(&swapchain->entry, (uint64_t)handle);
    }
}

static VkResult VKAPI_CALL create_swapchain(VkDevice device,
                                            const VkSwapchainCreateInfoKHR *info,
                                            const VkAllocationCallbacks *allocator,
                                            VkSwapchainKHR *swapchain)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    VkResult result = entry->CreateSwapchainKHR(device, info, allocator, swapchain);
    if (result == VK_SUCCESS) {
        learn_swapchain(device, info, *swapchain);
    }
    return result;
}

static VkResult VKAPI_CALL create_shared(VkDevice device, uint32_t count,
                                         const VkSwapchainCreateInfoKHR *infos,
                                         const VkAllocationCallbacks *allocator,
                                         VkSwapchainKHR *swapchains)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    VkResult result =
        entry->CreateSharedSwapchainsKHR(device, count, infos, allocator, swapchains);
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++) {
        learn_swapchain(device, &infos[i], swapchains[i]);
    }
    return result;
}

static void VKAPI_CALL destroy_swapchain(VkDevice device, VkSwapchainKHR swapchain,
                                         const VkAllocationCallbacks *allocator)
{
    struct dj_vk_swapchain *entry =
        swapchain != VK_NULL_HANDLE ? dj_vulkan_find(DJ_VK_SWAPCHAIN, (uint64_t)swapchain)
                                    : NULL;
    if (entry != NULL) {
        dj_vulkan_remove(&entry->entry);
    }
    dj_vulkan_device_of(device)->DestroySwapchainKHR(device, swapchain, allocator);
}

const struct dj_vk_hook dj_vk_frame_hooks[] = {
    {"vkAcquireNextImageKHR", (PFN_vkVoidFunction)acquire_image},
    {"vkAcquireNextImage2KHR", (PFN_vkVoidFunction)acquire_image_2},
    {"vkQueuePresentKHR", (PFN_vkVoidFunction)present},
    {"vkCreateSwapchainKHR", (PFN_vkVoidFunction)create_swapchain},
    {"vkCreateSharedSwapchainsKHR", (PFN_vkVoidFunction)create_shared},
    {"vkDestroySwapchainKHR", (PFN_vkVoidFunction)destroy_swapchain},
    {NULL, NULL},
};
