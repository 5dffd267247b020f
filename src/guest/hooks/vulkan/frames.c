/* Records frames of Vulkan. A frame ends with vkQueuePresentKHR(). If the call presents
 * to several surfaces, each surface has a frame of its own. There are two kinds of waits
 * for the display:
 *
 * - Polls inside vkQueuePresentKHR(), where Mesa waits for Wayland's frame callback.
 *   Such a wait is at the end of the frame, after all of its work.
 * - Waits in vkAcquireNextImageKHR() until an image is free, that is until the display
 *   no longer uses it. If the app acquires the image directly after the previous
 *   present, the frame starts when the image is available. Otherwise the wait is between
 *   SyncQueued and SyncStart, and hwui's duration() excludes it.
 *
 * Each of these waits removes at most one frame interval from a frame. The app's waits
 * for its GPU (fences, semaphores, an idle queue) are part of the frame. */

#include "hooks/export.h"
#include "hooks/vulkan/layer.h"
#include "recorder/thread.h"

enum {
    WAITS = 4, /* Maximum number of stored waits in acquire, per thread and frame. */
    /* Maximum number of swapchains of one present for which the results are read. */
    PRESENTED = 16
};

/* The thread's waits in acquire since its last frame. If there are more than WAITS, a new
 * wait replaces the oldest one. */
static _Thread_local struct {
    struct dj_vk_acquired wait[WAITS];
    uint32_t count;
} acquired_here DJ_STATIC_TLS;

struct acquire {
    struct dj_vk_acquired wait;
    int64_t swap_waited_ns;
    uintptr_t stack;
};

static void begin_acquire(struct acquire *acquire)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    acquire->swap_waited_ns = thread->swap_waited_ns;
    acquire->wait.thread = thread;
    acquire->wait.begin_ns = dj_recorder_clock_ns();
    /* Mark the acquire as a swap. Otherwise a poll inside it would count as a wait of the
     * event loop. */
    thread->swap_depth++;
}

/* Returns true if an image was acquired or presented. */
static bool is_usable(VkResult result)
{
    return result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR;
}

static VkResult end_acquire(VkResult result, const struct acquire *acquire,
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
    if (thread->swap_depth > 0) { /* The call is inside a swap of another API, such as
                                   * GL on Vulkan. */
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
    begin_acquire(&acquire);
    VkResult result = entry->AcquireNextImageKHR(device, swapchain, timeout_ns, semaphore,
                                                 fence, image);
    return end_acquire(result, &acquire, swapchain, image);
}

static VkResult VKAPI_CALL acquire_image_2(VkDevice device,
                                           const VkAcquireNextImageInfoKHR *info,
                                           uint32_t *image)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    struct acquire acquire = {.stack = STACK};
    begin_acquire(&acquire);
    VkResult result = entry->AcquireNextImage2KHR(device, info, image);
    return end_acquire(result, &acquire, info->swapchain, image);
}

/* The stages of a frame, which result from its waits in acquire. */
struct stages {
    int64_t start_ns;
    int64_t queued_ns; /* Start of the first wait inside the frame, or 0 if there is
                        * none. */
    int64_t waited_ns; /* Total duration of the waits inside the frame. */
};

static void add_wait(struct stages *stages, const struct dj_vk_acquired *wait,
                     int64_t interval_ns)
{
    int64_t waited_ns = wait->waited_ns < interval_ns ? wait->waited_ns : interval_ns;
    if (wait->waited_ns == 0 || wait->begin_ns < stages->start_ns) {
        /* The wait was before the start of the frame, because the event loop has waited
         * for something else since. */
        return;
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

/* Collects the waits of this thread, and the waits of another thread that acquired an
 * image for this present. */
static struct stages collect_stages(const struct dj_swap *swap,
                                    const VkPresentInfoKHR *info, int64_t interval_ns)
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

/* Stamps the stages of the current frame. A declared frame is not stamped, because a
 * toolkit or the app stamps its stages. */
static void stamp_stages(const struct dj_swap *swap, const struct stages *stages)
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

static struct dj_surface get_surface(VkSwapchainKHR handle)
{
    const struct dj_vk_swapchain *swapchain =
        dj_vulkan_find(DJ_VK_SWAPCHAIN, (uint64_t)handle);
    return swapchain != NULL ? swapchain->surface
                             : (struct dj_surface){DJ_PIPELINE_VULKAN, (uint64_t)handle};
}

/* Records one frame for each surface to which the call presented successfully. */
static void record_frames(struct dj_swap *swap, const VkPresentInfoKHR *info,
                          struct dj_vk_queue *probed, VkResult result)
{
    uint32_t last = info->swapchainCount;
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        VkResult each = info->pResults != NULL ? info->pResults[i] : result;
        last = is_usable(each) ? i : last;
    }
    if (last == info->swapchainCount) {
        dj_recorder_end_swap(swap, get_surface(VK_NULL_HANDLE), false);
        return;
    }
    if (swap->outermost) {
        int64_t interval_ns = dj_recorder_get_interval(get_surface(info->pSwapchains[0]));
        struct stages stages = collect_stages(swap, info, interval_ns);
        stamp_stages(swap, &stages);
        acquired_here.count = 0;
    }
    for (uint32_t i = 0; i <= last; i++) {
        VkResult each = info->pResults != NULL ? info->pResults[i] : result;
        struct dj_surface surface = get_surface(info->pSwapchains[i]);
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

static VkResult VKAPI_CALL present_queue(VkQueue handle, const VkPresentInfoKHR *info)
{
    struct dj_vk_device *device = dj_vulkan_device_of(handle);
    struct dj_vk_queue *queue = dj_vulkan_queue_of(handle);
    struct dj_swap swap = {.stack = STACK};
    VkPresentInfoKHR request = *info;
    VkResult results[PRESENTED];
    if (request.pResults == NULL && request.swapchainCount > 1 &&
        request.swapchainCount <= PRESENTED) {
        request.pResults = results;
    }
    dj_recorder_begin_swap(&swap);
    dj_vulkan_gpu_poll(device);
    /* If the app submitted nothing to this queue, another queue has drawn the frame. The
     * end of this queue's work then does not show when the frame was finished. */
    bool probed = queue != NULL && queue->submitted && dj_vulkan_gpu_probe(queue);
    VkResult result = device->QueuePresentKHR(handle, &request);
    record_frames(&swap, &request, probed ? queue : NULL, result);
    if (probed) {
        queue->submitted = false;
        dj_vulkan_gpu_presented(queue);
    }
    dj_vulkan_gpu_poll(device);
    return result;
}

/* The surface identifies the window, so the frames of consecutive swapchains of one
 * surface belong to one window. */
static void add_swapchain(VkDevice device, const VkSwapchainCreateInfoKHR *info,
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
        add_swapchain(device, info, *swapchain);
    }
    return result;
}

static VkResult VKAPI_CALL create_shared_swapchains(
    VkDevice device, uint32_t count, const VkSwapchainCreateInfoKHR *infos,
    const VkAllocationCallbacks *allocator, VkSwapchainKHR *swapchains)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    VkResult result =
        entry->CreateSharedSwapchainsKHR(device, count, infos, allocator, swapchains);
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++) {
        add_swapchain(device, &infos[i], swapchains[i]);
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
    {"vkQueuePresentKHR", (PFN_vkVoidFunction)present_queue},
    {"vkCreateSwapchainKHR", (PFN_vkVoidFunction)create_swapchain},
    {"vkCreateSharedSwapchainsKHR", (PFN_vkVoidFunction)create_shared_swapchains},
    {"vkDestroySwapchainKHR", (PFN_vkVoidFunction)destroy_swapchain},
    {NULL, NULL},
};
