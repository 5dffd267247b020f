/* Hooks of queue functions: the app's submissions and waits. A wait for the GPU is
 * part of the frame, like a wait for a reply. After such a wait the results of the GPU
 * are checked. */
#include "hooks/vulkan/layer.h"
#include "recorder/thread.h"

/* Returns the result of a call that waits for the GPU. `entry` is the device. */
#define RETURN_WAIT(entry, call)                                                         \
    dj_recorder_thread.reply_depth++;                                                    \
    VkResult result = call;                                                              \
    dj_recorder_thread.reply_depth--;                                                    \
    dj_vulkan_gpu_poll(entry);                                                           \
    return result

static VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count,
                                           const VkFence *fences, VkBool32 all,
                                           uint64_t timeout_ns)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    int64_t begin_ns = dj_recorder_clock_ns();
    dj_recorder_thread.reply_depth++;
    VkResult result = entry->WaitForFences(device, count, fences, all, timeout_ns);
    int64_t end_ns = dj_recorder_clock_ns();
    if (!entry->calibrated && count == 1 && result == VK_SUCCESS &&
        end_ns - begin_ns > DJ_LOOP_WAIT_NS) {
        dj_vulkan_gpu_fence_awaited(entry, fences[0], end_ns);
    }
    dj_recorder_thread.reply_depth--;
    dj_vulkan_gpu_poll(entry);
    return result;
}

static VkResult VKAPI_CALL wait_semaphores(VkDevice device,
                                           const VkSemaphoreWaitInfo *info,
                                           uint64_t timeout_ns)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    RETURN_WAIT(entry, entry->WaitSemaphores(device, info, timeout_ns));
}

static VkResult VKAPI_CALL wait_semaphores_khr(VkDevice device,
                                               const VkSemaphoreWaitInfo *info,
                                               uint64_t timeout_ns)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    RETURN_WAIT(entry, entry->WaitSemaphoresKHR(device, info, timeout_ns));
}

static VkResult VKAPI_CALL device_wait_idle(VkDevice device)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    RETURN_WAIT(entry, entry->DeviceWaitIdle(device));
}

static VkResult VKAPI_CALL queue_wait_idle(VkQueue queue)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(queue);
    RETURN_WAIT(entry, entry->QueueWaitIdle(queue));
}

static VkResult finish_submit(VkResult result, struct dj_vk_device *device,
                              VkQueue handle, VkFence fence)
{
    struct dj_vk_queue *queue = dj_vulkan_queue_of(handle);
    if (queue != NULL) {
        queue->submitted = true;
    }
    if (!device->calibrated) {
        dj_vulkan_gpu_poll(device);
    }
    if (!device->calibrated && queue != NULL) {
        dj_vulkan_gpu_fence_submitted(queue, fence);
    }
    return result;
}

#define SUBMIT(function, Submit, info)                                                   \
    static VkResult VKAPI_CALL function(VkQueue queue, uint32_t count,                   \
                                        const info *submits, VkFence fence)              \
    {                                                                                    \
        struct dj_vk_device *entry = dj_vulkan_device_of(queue);                         \
        return finish_submit(entry->Submit(queue, count, submits, fence), entry, queue,  \
                             fence);                                                     \
    }
SUBMIT(queue_submit, QueueSubmit, VkSubmitInfo)
SUBMIT(queue_submit_2, QueueSubmit2, VkSubmitInfo2)
SUBMIT(queue_submit_2_khr, QueueSubmit2KHR, VkSubmitInfo2)

static void add_queue(struct dj_vk_device *device, uint32_t family, VkQueue handle)
{
    if (handle == VK_NULL_HANDLE || dj_vulkan_queue_of(handle) != NULL) {
        return;
    }
    struct dj_vk_queue *queue = dj_vulkan_add(DJ_VK_QUEUE);
    if (queue != NULL) {
        queue->device = device;
        queue->handle = handle;
        queue->family = family;
        dj_vulkan_publish(&queue->entry, (uintptr_t)handle);
    }
}

static void VKAPI_CALL get_device_queue(VkDevice device, uint32_t family, uint32_t index,
                                        VkQueue *queue)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    entry->GetDeviceQueue(device, family, index, queue);
    add_queue(entry, family, *queue);
}

static void VKAPI_CALL get_device_queue_2(VkDevice device, const VkDeviceQueueInfo2 *info,
                                          VkQueue *queue)
{
    struct dj_vk_device *entry = dj_vulkan_device_of(device);
    entry->GetDeviceQueue2(device, info, queue);
    /* A queue with flags may be protected. Such a queue does not accept the commands of
     * this layer. */
    if (info->flags == 0) {
        add_queue(entry, info->queueFamilyIndex, *queue);
    }
}

const struct dj_vk_hook dj_vk_queue_hooks[] = {
    {"vkWaitForFences", (PFN_vkVoidFunction)wait_for_fences},
    {"vkWaitSemaphores", (PFN_vkVoidFunction)wait_semaphores},
    {"vkWaitSemaphoresKHR", (PFN_vkVoidFunction)wait_semaphores_khr},
    {"vkDeviceWaitIdle", (PFN_vkVoidFunction)device_wait_idle},
    {"vkQueueWaitIdle", (PFN_vkVoidFunction)queue_wait_idle},
    {"vkQueueSubmit", (PFN_vkVoidFunction)queue_submit},
    {"vkQueueSubmit2", (PFN_vkVoidFunction)queue_submit_2},
    {"vkQueueSubmit2KHR", (PFN_vkVoidFunction)queue_submit_2_khr},
    {"vkGetDeviceQueue", (PFN_vkVoidFunction)get_device_queue},
    {"vkGetDeviceQueue2", (PFN_vkVoidFunction)get_device_queue_2},
    {NULL, NULL},
};
