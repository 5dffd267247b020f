/* A Vulkan program with known work per frame, on the CPU and on the GPU, which tests
 * of the Vulkan layer record.
 *
 *   vulkan_scene --display x11|wayland [--frames N] [--work MS]
 *         [--late-every N --late MS] [--pace MS] [--acquire first|middle]
 *         [--gpu-late MS] [--windows N] [--recreate-every N] [--resize-every N]
 *         [--wrong]
 *
 * --wrong makes a call that a validation layer must report as an error.
 *
 * With --gpu-late the GPU work of each frame also waits for a timeline semaphore,
 * which another thread signals that much later. Prints "frame I planned_ms P took_ms
 * T" for the CPU work, "acquired I took_ms T", "swapped I took_ms T" for submit and
 * present, "signalled I at_ns T" and "presented I at_ns T" in CLOCK_MONOTONIC. At the
 * end prints "done N failed M", where N is the number of successful presents, and M is
 * the number of failed ones. */
#include <getopt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "vulkan_scene.h"

enum { FRAMES = 2000 };

static struct {
    const char *display, *acquire;
    int frames, late_every, windows, recreate_every, resize_every;
    double work_ms, late_ms, pace_ms, gpu_late_ms;
    int wrong;
} options = {.display = "x11", .acquire = "first", .frames = 100, .windows = 1};

static const struct vulkan_display *display;

static struct {
    VkSemaphore timeline;
    sem_t submitted;
    int64_t at_ns[FRAMES];
} late;

static int64_t presented_ns[FRAMES];
static int shown, failed;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double ms_since(int64_t begin_ns)
{
    return (double)(now_ns() - begin_ns) / 1e6;
}

static void burn(double ms)
{
    int64_t end_ns = now_ns() + (int64_t)(ms * 1e6);
    while (now_ns() < end_ns) {
    }
}

static void change_layout(VkCommandBuffer commands, VkImage image, bool for_present)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = for_present ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
        .dstAccessMask = for_present ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = for_present ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                                 : VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = for_present ? VK_IMAGE_LAYOUT_PRESENT_SRC_KHR
                                 : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

static void draw(VkCommandBuffer commands, int frame)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkClearColorValue shade = {
        .float32 = {(float)(frame % 100) / 100, 0.3F, 0.5F, 1}};
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    for (int w = 0; w < gpu.windows; w++) {
        VkImage image = gpu.window[w].image[gpu.window[w].acquired];
        change_layout(commands, image, false);
        vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                             &shade, 1, &whole);
        change_layout(commands, image, true);
    }
    CHECK(vkEndCommandBuffer(commands));
}

static void submit(int frame)
{
    VkPipelineStageFlags stages[WINDOWS + 1];
    VkSemaphore waits[WINDOWS + 1];
    uint64_t values[WINDOWS + 1] = {0};
    uint32_t count = (uint32_t)gpu.windows;
    int s = frame % SLOTS;
    for (uint32_t w = 0; w <= count; w++) {
        stages[w] = VK_PIPELINE_STAGE_TRANSFER_BIT;
        waits[w] = w < count ? gpu.slot[s].free[w] : late.timeline;
    }
    values[count] = (uint64_t)frame + 1;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = count + 1,
        .pWaitSemaphoreValues = values,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = options.gpu_late_ms > 0 ? &timeline : NULL,
        .waitSemaphoreCount = options.gpu_late_ms > 0 ? count + 1 : count,
        .pWaitSemaphores = waits,
        .pWaitDstStageMask = stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &gpu.slot[s].commands,
        .signalSemaphoreCount = count,
        .pSignalSemaphores = gpu.slot[s].drawn,
    };
    CHECK(vkResetFences(gpu.device, 1, &gpu.slot[s].done));
    CHECK(vkQueueSubmit(gpu.queue, 1, &info, gpu.slot[s].done));
    sem_post(&late.submitted);
}

/* Makes the GPU late. This thread signals the semaphore of each frame gpu_late_ms after
 * the frame was submitted. */
static void *signal_late(void *unused)
{
    (void)unused;
    for (int i = 0; i < options.frames; i++) {
        const struct timespec delay = {0, (long)(options.gpu_late_ms * 1e6)};
        const VkSemaphoreSignalInfo info = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
            .semaphore = late.timeline,
            .value = (uint64_t)i + 1,
        };
        sem_wait(&late.submitted);
        nanosleep(&delay, NULL);
        late.at_ns[i] = now_ns();
        CHECK(vkSignalSemaphore(gpu.device, &info));
    }
    return NULL;
}

/* Acquires an image. If the swapchain is out of date, because the size of the window has
 * changed, makes new swapchains. */
static void acquire_image(int frame, int w)
{
    VkResult result = VK_ERROR_OUT_OF_DATE_KHR;
    for (int i = 0; i < 10 && result == VK_ERROR_OUT_OF_DATE_KHR; i++) {
        if (i > 0) {
            vulkan_make_swapchains();
        }
        result = vkAcquireNextImageKHR(gpu.device, gpu.window[w].swapchain, UINT64_MAX,
                                       gpu.slot[frame % SLOTS].free[w], VK_NULL_HANDLE,
                                       &gpu.window[w].acquired);
    }
    if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR) {
        fprintf(stderr, "vulkan_scene: acquire: %d\n", result);
        exit(1);
    }
}

static void acquire(int frame)
{
    int64_t begin_ns = now_ns();
    for (int w = 0; w < gpu.windows; w++) {
        acquire_image(frame, w);
    }
    printf("acquired %d took_ms %.3f\n", frame, ms_since(begin_ns));
}

static void work(int frame)
{
    bool is_late =
        options.late_every > 0 && frame % options.late_every == options.late_every - 1;
    bool middle = strcmp(options.acquire, "middle") == 0;
    double ms = is_late ? options.late_ms : options.work_ms;
    if (!middle) {
        acquire(frame);
    }
    int64_t begin_ns = now_ns();
    burn(middle ? ms / 2 : ms);
    double took_ms = ms_since(begin_ns);
    if (middle) {
        acquire(frame);
        begin_ns = now_ns();
        burn(ms / 2);
        took_ms += ms_since(begin_ns);
    }
    printf("frame %d planned_ms %g took_ms %.3f\n", frame, ms, took_ms);
}

static void present(int frame)
{
    int64_t begin_ns = now_ns();
    int s = frame % SLOTS;
    VkSwapchainKHR swapchains[WINDOWS];
    uint32_t images[WINDOWS];
    for (int w = 0; w < gpu.windows; w++) {
        swapchains[w] = gpu.window[w].swapchain;
        images[w] = gpu.window[w].acquired;
    }
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = (uint32_t)gpu.windows,
        .pWaitSemaphores = gpu.slot[s].drawn,
        .swapchainCount = (uint32_t)gpu.windows,
        .pSwapchains = swapchains,
        .pImageIndices = images,
    };
    draw(gpu.slot[s].commands, frame);
    submit(frame);
    VkResult result = vkQueuePresentKHR(gpu.queue, &info);
    presented_ns[frame] = now_ns();
    bool is_shown = result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR;
    shown += is_shown ? 1 : 0;
    failed += is_shown ? 0 : 1;
    printf("swapped %d took_ms %.3f\n", frame, ms_since(begin_ns));
    display->dispatch();
    if (!is_shown ||
        (options.recreate_every > 0 && (frame + 1) % options.recreate_every == 0)) {
        vulkan_make_swapchains();
    }
}

static void run_frames(void)
{
    int64_t pace_ns = (int64_t)(options.pace_ms * 1e6), next_ns = now_ns();
    for (int i = 0; i < options.frames; i++) {
        /* Waits until the GPU no longer uses the objects of the slot's last frame. */
        CHECK(vkWaitForFences(gpu.device, 1, &gpu.slot[i % SLOTS].done, VK_TRUE,
                              UINT64_MAX));
        if (pace_ns > 0) {
            next_ns =
                next_ns + pace_ns > now_ns() ? next_ns + pace_ns : now_ns() + pace_ns / 4;
            const struct timespec until = {next_ns / 1000000000, next_ns % 1000000000};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        }
        if (options.resize_every > 0 && i % options.resize_every == 1 &&
            display->resize != NULL) {
            display->resize(SCENE_WIDTH + i % 50, SCENE_HEIGHT + i % 50);
        }
        work(i);
        present(i);
        fflush(stdout);
    }
}

static void read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"display", 1, NULL, 'd'},
        {"acquire", 1, NULL, 'a'},
        {"frames", 1, NULL, 'n'},
        {"late-every", 1, NULL, 'e'},
        {"windows", 1, NULL, 'W'},
        {"work", 1, NULL, 'w'},
        {"late", 1, NULL, 'l'},
        {"pace", 1, NULL, 'p'},
        {"gpu-late", 1, NULL, 'g'},
        {"recreate-every", 1, NULL, 'r'},
        {"resize-every", 1, NULL, 's'},
        {"wrong", 0, &options.wrong, 1},
        {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
        struct {
            int letter;
            const char **text;
            int *count;
            double *ms;
        } const targets[] = {
            {'d', &options.display, NULL, NULL},
            {'a', &options.acquire, NULL, NULL},
            {'n', NULL, &options.frames, NULL},
            {'e', NULL, &options.late_every, NULL},
            {'W', NULL, &options.windows, NULL},
            {'r', NULL, &options.recreate_every, NULL},
            {'s', NULL, &options.resize_every, NULL},
            {'w', NULL, NULL, &options.work_ms},
            {'l', NULL, NULL, &options.late_ms},
            {'p', NULL, NULL, &options.pace_ms},
            {'g', NULL, NULL, &options.gpu_late_ms},
        };
        if (letter == 0) {
            continue;
        }
        size_t i = 0, count = sizeof(targets) / sizeof(targets[0]);
        while (i < count && targets[i].letter != letter) {
            i++;
        }
        if (i == count) {
            exit(2);
        } else if (targets[i].text != NULL) {
            *targets[i].text = optarg;
        } else if (targets[i].count != NULL) {
            *targets[i].count = (int)strtol(optarg, NULL, 10);
        } else {
            *targets[i].ms = strtod(optarg, NULL);
        }
    }
    if (options.frames > FRAMES || options.windows > WINDOWS) {
        exit(2);
    }
}

int main(int argc, char **argv)
{
    pthread_t signaller;
    read_options(argc, argv);
    display = strcmp(options.display, "wayland") == 0 ? &vulkan_wayland : &vulkan_x11;
    if (!display->open()) {
        fprintf(stderr, "vulkan_scene: cannot open the %s display\n", display->name);
        return 1;
    }
    vulkan_make(display, options.windows);
    sem_init(&late.submitted, 0, 0);
    late.timeline = vulkan_make_semaphore(VK_SEMAPHORE_TYPE_TIMELINE);
    if (options.gpu_late_ms > 0) {
        pthread_create(&signaller, NULL, signal_late, NULL);
    }
    if (options.wrong) {
        const VkFenceCreateInfo wrong = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
        VkFence fence;
        CHECK(vkCreateFence(gpu.device, &wrong, NULL, &fence));
        vkDestroyFence(gpu.device, fence, NULL);
    }
    run_frames();
    if (options.gpu_late_ms > 0) {
        pthread_join(signaller, NULL);
    }
    for (int i = 0; i < options.frames; i++) {
        printf("signalled %d at_ns %lld\npresented %d at_ns %lld\n", i,
               (long long)late.at_ns[i], i, (long long)presented_ns[i]);
    }
    CHECK(vkDeviceWaitIdle(gpu.device));
    vkDestroySemaphore(gpu.device, late.timeline, NULL);
    vulkan_destroy();
    printf("done %d failed %d\n", shown, failed);
    return 0;
}
