/* A program with the fake Vulkan driver. Tests of the Vulkan layer record it if they
 * need exact times.
 *
 *   vulkan_planted [--frames N] [--windows N] [--work MS] [--gpu MS] [--acquire MS]
 *         [--after-work 1] [--thread 1] [--present MS]
 *         [--clock true|zero|early|late|none|refused] [--other-queue 1]
 *         [--fail-every N] [--ask-results 1] [--wait-gpu 1]
 *
 * With --after-work the program acquires the image after the work. With --thread it
 * acquires and works on another thread than the one that presents. Prints for each
 * frame "frame I work_ns W acquire_ns A done_ns D begun_ns B", where D is the end of
 * its GPU work, and B is the time at which its loop woke. At the end prints "done N",
 * where N is the number of devices that the driver created. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_vulkan.h"

enum { WINDOWS = 4 };

static struct {
    const char *name;
    long value;
} numbers[] = {
    {"--frames", 40},     {"--windows", 1},    {"--work", 2},        {"--gpu", 5},
    {"--acquire", 0},     {"--after-work", 0}, {"--thread", 0},      {"--present", 0},
    {"--other-queue", 0}, {"--fail-every", 0}, {"--ask-results", 0}, {"--wait-gpu", 0},
};

static VkInstance instance;
static VkDevice device;
static VkQueue drawing, presenting;
static VkSwapchainKHR swapchains[WINDOWS];
static VkFence done;
static uint32_t images[WINDOWS];
static sem_t ready, presented;
static int64_t begun_ns, work_ns, acquire_ns;

static long option(const char *name)
{
    size_t i = 0;
    while (strcmp(numbers[i].name, name) != 0) {
        i++;
    }
    return numbers[i].value;
}

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "vulkan_planted: %s: %d\n", what, result);
        exit(1);
    }
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void burn(long ms)
{
    int64_t end_ns = now_ns() + ms * 1000000;
    while (now_ns() < end_ns) {
    }
}

static void make_device(void)
{
    static const char *const instance_names[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                                 VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
    static const char *const device_names[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    static const float priorities[2] = {1, 1};
    const VkInstanceCreateInfo instance_info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = instance_names,
    };
    const VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 2,
        .pQueuePriorities = priorities,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queues,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = device_names,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkPhysicalDevice physical;
    uint32_t count = 1;
    check(vkCreateInstance(&instance_info, NULL, &instance), "instance");
    check(vkEnumeratePhysicalDevices(instance, &count, &physical), "physical device");
    check(vkCreateDevice(physical, &info, NULL, &device), "device");
    vkGetDeviceQueue(device, 0, 0, &drawing);
    vkGetDeviceQueue(device, 0, option("--other-queue") ? 1 : 0, &presenting);
    check(vkCreateFence(device, &fence, NULL, &done), "fence");
    PFN_vkCreateHeadlessSurfaceEXT create_surface =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(
            instance, "vkCreateHeadlessSurfaceEXT");
    for (int i = 0; i < option("--windows"); i++) {
        const VkHeadlessSurfaceCreateInfoEXT surface_info = {
            .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
        VkSurfaceKHR surface;
        check(create_surface(instance, &surface_info, NULL, &surface), "surface");
        const VkSwapchainCreateInfoKHR swapchain = {
            .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = surface};
        check(vkCreateSwapchainKHR(device, &swapchain, NULL, &swapchains[i]),
              "swapchain");
    }
}

static void acquire(void)
{
    int64_t begin_ns = now_ns();
    for (int i = 0; i < option("--windows"); i++) {
        check(vkAcquireNextImageKHR(device, swapchains[i], UINT64_MAX, VK_NULL_HANDLE,
                                    VK_NULL_HANDLE, &images[i]),
              "acquire");
    }
    acquire_ns = now_ns() - begin_ns;
}

static void prepare(void)
{
    if (!option("--after-work")) {
        acquire();
    }
    int64_t begin_ns = now_ns();
    burn(option("--work"));
    work_ns = now_ns() - begin_ns;
    if (option("--after-work")) {
        acquire();
    }
}

static void submit_and_present(int frame)
{
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    VkResult results[WINDOWS];
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .swapchainCount = (uint32_t)option("--windows"),
        .pSwapchains = swapchains,
        .pImageIndices = images,
        .pResults = option("--ask-results") ? results : NULL,
    };
    long fail_every = option("--fail-every");
    bool fails = fail_every > 0 && frame % fail_every == fail_every - 1;
    fake_vulkan.failing = fails ? 1U << (option("--windows") - 1) : 0;
    fake_vulkan.gpu_ns = option("--gpu") * 1000000;
    vkResetFences(device, 1, &done);
    check(vkQueueSubmit(drawing, 1, &submit, done), "submit");
    VkResult result = vkQueuePresentKHR(presenting, &info);
    if (result != (fails ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS)) {
        check(VK_ERROR_UNKNOWN, "present");
    }
    printf("frame %d work_ns %lld acquire_ns %lld done_ns %lld begun_ns %lld\n", frame,
           (long long)work_ns, (long long)acquire_ns, (long long)fake_vulkan.gpu_done_ns,
           (long long)begun_ns);
    if (option("--wait-gpu")) {
        vkWaitForFences(device, 1, &done, VK_TRUE, UINT64_MAX);
    }
}

static void *present_all(void *unused)
{
    (void)unused;
    for (int i = 0; i < option("--frames"); i++) {
        sem_wait(&ready);
        submit_and_present(i);
        sem_post(&presented);
    }
    return NULL;
}

static void wait_for_tick(void)
{
    const struct timespec pause = {0, 8000000};
    nanosleep(&pause, NULL);
    begun_ns = now_ns();
}

static void read_options(int argc, char **argv)
{
    static const char *const clocks[] = {"true", "zero", "early",
                                         "late", "none", "refused"};
    for (int i = 1; i + 1 < argc; i += 2) {
        for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
            if (strcmp(argv[i], numbers[n].name) == 0) {
                numbers[n].value = strtol(argv[i + 1], NULL, 10);
            }
        }
        for (int c = 0; strcmp(argv[i], "--clock") == 0 && c < 6; c++) {
            if (strcmp(argv[i + 1], clocks[c]) == 0) {
                fake_vulkan.clock = c < 4 ? (enum fake_clock)c : FAKE_CLOCK_TRUE;
                fake_vulkan.calibrated = c != 4;
                fake_vulkan.refuses = c == 5;
            }
        }
    }
}

int main(int argc, char **argv)
{
    pthread_t presenter;
    read_options(argc, argv);
    make_device();
    fake_vulkan.acquire_ns = option("--acquire") * 1000000;
    fake_vulkan.present_ns = option("--present") * 1000000;
    sem_init(&ready, 0, 0);
    sem_init(&presented, 0, 0);
    if (option("--thread")) {
        pthread_create(&presenter, NULL, present_all, NULL);
    }
    for (int i = 0; i < option("--frames"); i++) {
        wait_for_tick();
        prepare();
        if (option("--thread")) {
            sem_post(&ready);
            sem_wait(&presented);
        } else {
            submit_and_present(i);
        }
    }
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    printf("done %u\n", fake_vulkan.devices);
    return 0;
}
