/* Finds out when the GPU finished a frame. After the app's submissions to the queue that
 * presents, this code starts a probe: it submits a command buffer that contains only a
 * time stamp, and a fence. The probe uses only objects that this code creates. It does
 * not touch the app's command buffers, pools, fences and semaphores, and it never waits
 * for the GPU while the app runs. Later calls read the result (dj_vulkan_gpu_poll()),
 * check it with recorder/gpu_time.h, and add it to the frame's row.
 *
 * The app uses a queue on one thread at a time, but other threads check for results too.
 * `busy` is the lock of a queue's probes. A thread that finds `busy` locked continues
 * without checking the probes. */
#include <stdlib.h>

#include "hooks/busy.h"
#include "hooks/vulkan/layer.h"
#include "recorder/gpu_time.h"
#include "recorder/waits.h"

enum {
    PROBES = 8, /* Maximum number of frames that the GPU has not finished yet. */
    FRAMES = 4, /* Maximum number of surfaces of one present. */
    /* Time for which a comparison of the GPU's clock with CLOCK_MONOTONIC is valid.
     * During this time, the two clocks drift apart by some microseconds. */
    CALIBRATION_NS = 1000000000,
    END_NS = 1000000000 /* Maximum time to wait for the last probes of a device. */
};

struct probe {
    VkCommandBuffer commands;
    VkFence fence;
    bool pending;
    struct dj_gpu_sighting seen;
    struct dj_recorded_frame frame[FRAMES];
    uint32_t frames;
};

/* A fence of the app that belongs to its last submission before a probe. `probe` is the
 * number of this probe. */
struct fenced {
    VkFence fence;
    uint32_t probe;
};

struct dj_vk_gpu {
    atomic_flag busy;
    struct probe probe[PROBES];
    uint32_t next, oldest; /* Numbers of the next probe and of the oldest unfinished
                            * probe. Probe n is at index n % PROBES. */
    struct fenced fenced[PROBES];
    uint32_t fences;
    bool stamps; /* True if the queue has time stamps. */
    VkCommandPool commands;
    VkQueryPool queries;
    struct dj_gpu_clock clock;
};

static bool record_commands(struct dj_vk_device *device, struct dj_vk_gpu *gpu,
                            uint32_t index)
{
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = gpu->commands,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    if (device->AllocateCommandBuffers(device->handle, &allocation, &commands) !=
        VK_SUCCESS) {
        return false;
    }
    /* The loader sets this data in the app's command buffers. A layer must set it in the
     * command buffers that the layer itself creates. */
    if (device->set_loader_data == NULL ||
        device->set_loader_data(device->handle, commands) != VK_SUCCESS ||
        device->BeginCommandBuffer(commands, &begin) != VK_SUCCESS) {
        return false;
    }
    device->CmdResetQueryPool(commands, gpu->queries, index, 1);
    device->CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                              gpu->queries, index);
    gpu->probe[index].commands = commands;
    return device->EndCommandBuffer(commands) == VK_SUCCESS;
}

static bool create_timestamp_objects(struct dj_vk_device *device, struct dj_vk_gpu *gpu,
                                     uint32_t family)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = PROBES,
    };
    bool made = device->CreateCommandPool(device->handle, &pool, NULL, &gpu->commands) ==
                    VK_SUCCESS &&
                device->CreateQueryPool(device->handle, &queries, NULL, &gpu->queries) ==
                    VK_SUCCESS;
    for (uint32_t i = 0; made && i < PROBES; i++) {
        made = record_commands(device, gpu, i);
    }
    return made;
}

static void destroy_gpu(struct dj_vk_device *device, struct dj_vk_gpu *gpu)
{
    for (uint32_t i = 0; i < PROBES; i++) {
        device->DestroyFence(device->handle, gpu->probe[i].fence, NULL);
    }
    device->DestroyQueryPool(device->handle, gpu->queries, NULL);
    device->DestroyCommandPool(device->handle, gpu->commands, NULL);
    free(gpu);
}

static bool supports_timestamps(const struct dj_vk_device *device, uint32_t family)
{
    const VkQueueFlags able = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    return device->calibrated && device->GetCalibratedTimestampsEXT != NULL &&
           family < device->families && (device->family[family].flags & able) != 0 &&
           device->family[family].timestamp_bits > 0;
}

static struct dj_vk_gpu *create_gpu(struct dj_vk_queue *queue)
{
    struct dj_vk_device *device = queue->device;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    struct dj_vk_gpu *gpu = calloc(1, sizeof(*gpu));
    if (gpu == NULL) {
        return NULL;
    }
    gpu->stamps = supports_timestamps(device, queue->family);
    bool made = !gpu->stamps || create_timestamp_objects(device, gpu, queue->family);
    for (uint32_t i = 0; made && i < PROBES; i++) {
        made = device->CreateFence(device->handle, &fence, NULL, &gpu->probe[i].fence) ==
               VK_SUCCESS;
    }
    if (!made) {
        destroy_gpu(device, gpu);
        return NULL;
    }
    if (gpu->stamps) {
        gpu->clock.tick_ns = device->tick_ns;
        gpu->clock.valid_bits = device->family[queue->family].timestamp_bits;
    }
    return gpu;
}

static bool calibrate(struct dj_vk_device *device, struct dj_gpu_clock *clock)
{
    const VkCalibratedTimestampInfoEXT domains[2] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
    };
    if (clock->at_ns != 0 && dj_recorder_clock_ns() - clock->at_ns < CALIBRATION_NS) {
        return true;
    }
    uint64_t now[2], deviation_ns;
    if (device->GetCalibratedTimestampsEXT(device->handle, 2, domains, now,
                                           &deviation_ns) != VK_SUCCESS) {
        return false;
    }
    clock->ticks = now[0];
    clock->at_ns = (int64_t)now[1];
    clock->deviation_ns =
        deviation_ns < INT32_MAX ? (int64_t)deviation_ns : (int64_t)INT32_MAX;
    return true;
}

static bool compute_completion(struct dj_vk_device *device, struct dj_vk_gpu *gpu,
                               uint32_t index, int64_t *completed_ns)
{
    const struct dj_gpu_sighting *seen = &gpu->probe[index].seen;
    uint64_t ticks[2] = {0, 0}; /* The time stamp, and whether it is available. */
    if (!gpu->stamps || !calibrate(device, &gpu->clock)) {
        return dj_recorder_gpu_judge_fence(seen, completed_ns);
    }
    VkResult result = device->GetQueryPoolResults(
        device->handle, gpu->queries, index, 1, sizeof(ticks), ticks, sizeof(ticks),
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    if (result != VK_SUCCESS || ticks[1] == 0) {
        return dj_recorder_gpu_judge_fence(seen, completed_ns);
    }
    return dj_recorder_gpu_judge_stamp(seen,
                                       dj_recorder_gpu_clock_ns(&gpu->clock, ticks[0]),
                                       gpu->clock.deviation_ns, completed_ns);
}

static void report_completion(struct dj_vk_device *device, struct dj_vk_gpu *gpu,
                              uint32_t index)
{
    struct probe *probe = &gpu->probe[index];
    int64_t completed_ns = 0;
    if (probe->frames == 0 || !compute_completion(device, gpu, index, &completed_ns)) {
        return;
    }
    for (uint32_t i = 0; i < probe->frames; i++) {
        dj_recorder_amend_frame(&probe->frame[i], DJ_COLUMN_GPU_COMPLETED, completed_ns);
    }
}

/* Checks the oldest probe first, because a queue finishes its work in order. */
static void check_probes(struct dj_vk_queue *queue, struct dj_vk_gpu *gpu)
{
    struct dj_vk_device *device = queue->device;
    while (gpu->oldest != gpu->next && !queue->gpu_off) {
        uint32_t index = gpu->oldest % PROBES;
        struct probe *probe = &gpu->probe[index];
        int64_t before_ns = dj_recorder_clock_ns();
        VkResult status = device->GetFenceStatus(device->handle, probe->fence);
        if (status == VK_NOT_READY) {
            probe->seen.pending_ns = before_ns;
            return;
        }
        probe->seen.done_ns = dj_recorder_clock_ns();
        if (status == VK_SUCCESS) {
            report_completion(device, gpu, index);
        }
        queue->gpu_off =
            status != VK_SUCCESS ||
            device->ResetFences(device->handle, 1, &probe->fence) != VK_SUCCESS;
        probe->pending = false;
        gpu->oldest++;
    }
}

static bool try_lock(struct dj_vk_gpu *gpu)
{
    return gpu != NULL && dj_busy_enter(&gpu->busy);
}

void dj_vulkan_gpu_poll(struct dj_vk_device *device)
{
    struct dj_vk_queue *queue = dj_vulkan_next_queue(device, NULL);
    for (; queue != NULL; queue = dj_vulkan_next_queue(device, queue)) {
        struct dj_vk_gpu *gpu = atomic_load_explicit(&queue->gpu, memory_order_acquire);
        if (try_lock(gpu)) {
            check_probes(queue, gpu);
            dj_busy_leave(&gpu->busy);
        }
    }
}

void dj_vulkan_gpu_fence_submitted(struct dj_vk_queue *queue, VkFence fence)
{
    struct dj_vk_gpu *gpu = atomic_load_explicit(&queue->gpu, memory_order_acquire);
    if (fence != VK_NULL_HANDLE && try_lock(gpu)) {
        gpu->fenced[gpu->fences++ % PROBES] = (struct fenced){fence, gpu->next};
        dj_busy_leave(&gpu->busy);
    }
}

/* Records that the probe after the fence's submission was still unfinished at end_ns. */
static void set_pending_time(struct dj_vk_gpu *gpu, VkFence fence, int64_t end_ns)
{
    for (uint32_t i = 0; i < PROBES; i++) {
        uint32_t number = gpu->fenced[i].probe;
        if (gpu->fenced[i].fence == fence &&
            number - gpu->oldest < gpu->next - gpu->oldest) {
            gpu->probe[number % PROBES].seen.pending_ns = end_ns - DJ_LOOP_WAIT_NS;
        }
    }
}

void dj_vulkan_gpu_fence_awaited(struct dj_vk_device *device, VkFence fence,
                                 int64_t end_ns)
{
    struct dj_vk_queue *queue = dj_vulkan_next_queue(device, NULL);
    for (; queue != NULL; queue = dj_vulkan_next_queue(device, queue)) {
        struct dj_vk_gpu *gpu = atomic_load_explicit(&queue->gpu, memory_order_acquire);
        if (try_lock(gpu)) {
            set_pending_time(gpu, fence, end_ns);
            dj_busy_leave(&gpu->busy);
        }
    }
}

static struct dj_vk_gpu *get_gpu(struct dj_vk_queue *queue)
{
    struct dj_vk_gpu *gpu = atomic_load_explicit(&queue->gpu, memory_order_acquire);
    if (gpu == NULL && !queue->gpu_off) {
        gpu = create_gpu(queue);
        queue->gpu_off = gpu == NULL;
        atomic_store_explicit(&queue->gpu, gpu, memory_order_release);
    }
    return queue->gpu_off ? NULL : gpu;
}

bool dj_vulkan_gpu_probe(struct dj_vk_queue *queue)
{
    struct dj_vk_gpu *gpu = get_gpu(queue);
    if (!try_lock(gpu)) {
        return false;
    }
    struct probe *probe = &gpu->probe[gpu->next % PROBES];
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &probe->commands,
    };
    if (probe->pending) {
        dj_busy_leave(&gpu->busy);
        return false;
    }
    probe->frames = 0;
    probe->seen = (struct dj_gpu_sighting){.submitted_ns = dj_recorder_clock_ns()};
    if (queue->device->QueueSubmit(queue->handle, gpu->stamps ? 1 : 0, &submit,
                                   probe->fence) != VK_SUCCESS) {
        queue->gpu_off = true;
        dj_busy_leave(&gpu->busy);
        return false;
    }
    probe->pending = true;
    gpu->next++;
    return true;
}

void dj_vulkan_gpu_assign_frame(struct dj_vk_queue *queue,
                                const struct dj_recorded_frame *recorded)
{
    struct dj_vk_gpu *gpu = atomic_load_explicit(&queue->gpu, memory_order_relaxed);
    struct probe *probe = &gpu->probe[(gpu->next - 1) % PROBES];
    if (recorded->valid && probe->frames < FRAMES) {
        probe->frame[probe->frames++] = *recorded;
    }
}

void dj_vulkan_gpu_presented(struct dj_vk_queue *queue)
{
    struct dj_vk_gpu *gpu = atomic_load_explicit(&queue->gpu, memory_order_relaxed);
    dj_busy_leave(&gpu->busy);
}

void dj_vulkan_gpu_finish(struct dj_vk_device *device)
{
    struct dj_vk_queue *queue = dj_vulkan_next_queue(device, NULL);
    while (queue != NULL) {
        struct dj_vk_queue *next = dj_vulkan_next_queue(device, queue);
        struct dj_vk_gpu *gpu = atomic_exchange(&queue->gpu, NULL);
        while (gpu != NULL && gpu->oldest != gpu->next && !queue->gpu_off &&
               device->WaitForFences(device->handle, 1,
                                     &gpu->probe[gpu->oldest % PROBES].fence, VK_TRUE,
                                     END_NS) == VK_SUCCESS) {
            check_probes(queue, gpu);
        }
        if (gpu != NULL) {
            destroy_gpu(device, gpu);
        }
        dj_vulkan_remove(&queue->entry);
        queue = next;
    }
}
