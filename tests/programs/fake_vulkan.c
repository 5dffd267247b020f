#include "fake_vulkan.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <vulkan/vk_icd.h>

#define EXPORT __attribute__((visibility("default")))

/* A tick of the GPU clock lasts 2 ns. Tick 0 is at zero_ns. */
enum { TICK_NS = 2, QUEUES = 2, QUERIES = 64 };
static const int64_t zero_ns = 123456789;

EXPORT struct fake_vulkan fake_vulkan = {.calibrated = true};

/* A dispatchable handle begins with a word for the loader. */
struct handle {
    VK_LOADER_DATA loader;
};

struct queue {
    VK_LOADER_DATA loader;
    int64_t done_ns;
};

struct commands {
    VK_LOADER_DATA loader;
    int64_t *query; /* Address that receives the time stamp, or NULL. */
};

struct fence {
    int64_t done_ns; /* Time at which the work is finished, or 0 if it was not
                      * submitted. */
};

static struct handle instance, physical, device;
static struct queue queues[QUEUES];

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_ns(int64_t ns)
{
    const struct timespec duration = {ns / 1000000000, ns % 1000000000};
    if (ns > 0) {
        nanosleep(&duration, NULL);
    }
}

static uint64_t ticks_at(int64_t ns)
{
    return (uint64_t)((ns - zero_ns) / TICK_NS);
}

/* ---- instance and physical device ---- */

static VkResult CreateInstance(const VkInstanceCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkInstance *made)
{
    (void)info;
    (void)allocator;
    set_loader_magic_value(&instance);
    set_loader_magic_value(&physical);
    *made = (VkInstance)&instance;
    return VK_SUCCESS;
}

static void nothing(void)
{
}

static VkResult EnumeratePhysicalDevices(VkInstance of, uint32_t *count,
                                         VkPhysicalDevice *devices)
{
    (void)of;
    *count = 1;
    if (devices != NULL) {
        *devices = (VkPhysicalDevice)&physical;
    }
    return VK_SUCCESS;
}

static VkResult list(const char *const *names, uint32_t known, uint32_t *count,
                     VkExtensionProperties *properties)
{
    for (uint32_t i = 0; properties != NULL && i < known && i < *count; i++) {
        memset(&properties[i], 0, sizeof(properties[i]));
        strncpy(properties[i].extensionName, names[i], VK_MAX_EXTENSION_NAME_SIZE - 1);
        properties[i].specVersion = 1;
    }
    *count = known;
    return VK_SUCCESS;
}

static VkResult EnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
                                                     VkExtensionProperties *properties)
{
    static const char *const names[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                        VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
    (void)layer;
    return list(names, 2, count, properties);
}

static VkResult EnumerateDeviceExtensionProperties(VkPhysicalDevice of, const char *layer,
                                                   uint32_t *count,
                                                   VkExtensionProperties *properties)
{
    static const char *const names[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                        VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME};
    (void)of;
    (void)layer;
    return list(names, fake_vulkan.calibrated ? 2 : 1, count, properties);
}

static void GetPhysicalDeviceProperties(VkPhysicalDevice of,
                                        VkPhysicalDeviceProperties *properties)
{
    (void)of;
    memset(properties, 0, sizeof(*properties));
    properties->apiVersion = VK_API_VERSION_1_1;
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    properties->limits.timestampPeriod = TICK_NS;
}

static void GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice of, uint32_t *count,
                                                   VkQueueFamilyProperties *properties)
{
    (void)of;
    if (properties != NULL && *count > 0) {
        *properties = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_GRAPHICS_BIT,
            .queueCount = QUEUES,
            .timestampValidBits = 48,
        };
    }
    *count = 1;
}

static VkResult GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice of,
                                                             uint32_t *count,
                                                             VkTimeDomainEXT *domains)
{
    (void)of;
    if (domains != NULL && *count >= 2) {
        domains[0] = VK_TIME_DOMAIN_DEVICE_EXT;
        domains[1] = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    }
    *count = 2;
    return VK_SUCCESS;
}

static VkResult CreateHeadlessSurfaceEXT(VkInstance of,
                                         const VkHeadlessSurfaceCreateInfoEXT *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkSurfaceKHR *surface)
{
    (void)of;
    (void)info;
    (void)allocator;
    *surface = (VkSurfaceKHR)calloc(1, sizeof(VkIcdSurfaceHeadless));
    return VK_SUCCESS;
}

static void DestroySurfaceKHR(VkInstance of, VkSurfaceKHR surface,
                              const VkAllocationCallbacks *allocator)
{
    (void)of;
    (void)allocator;
    free((void *)surface);
}

/* ---- device ---- */

static VkResult CreateDevice(VkPhysicalDevice of, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *made)
{
    (void)of;
    (void)allocator;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (fake_vulkan.refuses &&
            strcmp(info->ppEnabledExtensionNames[i],
                   VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) == 0) {
            return VK_ERROR_EXTENSION_NOT_PRESENT;
        }
    }
    set_loader_magic_value(&device);
    fake_vulkan.devices++;
    *made = (VkDevice)&device;
    return VK_SUCCESS;
}

static void GetDeviceQueue(VkDevice of, uint32_t family, uint32_t index, VkQueue *queue)
{
    (void)of;
    (void)family;
    set_loader_magic_value(&queues[index]);
    *queue = (VkQueue)&queues[index];
}

/* Creates a handle to zeroed memory of this size. */
static VkResult make(size_t size, uint64_t *made)
{
    *made = (uintptr_t)calloc(1, size);
    return *made != 0 ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

#define CREATES(name, type, handle_type, size)                                           \
    static VkResult name(VkDevice of, const type *info,                                  \
                         const VkAllocationCallbacks *allocator, handle_type *made)      \
    {                                                                                    \
        (void)of;                                                                        \
        (void)info;                                                                      \
        (void)allocator;                                                                 \
        return make(size, (uint64_t *)made);                                             \
    }
CREATES(CreateFence, VkFenceCreateInfo, VkFence, sizeof(struct fence))
CREATES(CreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool, 8)
CREATES(CreateQueryPool, VkQueryPoolCreateInfo, VkQueryPool, QUERIES * sizeof(int64_t))
CREATES(CreateSwapchainKHR, VkSwapchainCreateInfoKHR, VkSwapchainKHR, 8)

static void destroy(VkDevice of, uint64_t handle, const VkAllocationCallbacks *allocator)
{
    (void)of;
    (void)allocator;
    free((void *)(uintptr_t)handle);
}

static VkResult AllocateCommandBuffers(VkDevice of,
                                       const VkCommandBufferAllocateInfo *info,
                                       VkCommandBuffer *made)
{
    (void)of;
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
        struct commands *commands = calloc(1, sizeof(*commands));
        set_loader_magic_value(commands);
        made[i] = (VkCommandBuffer)commands;
    }
    return VK_SUCCESS;
}

static VkResult succeed(void)
{
    return VK_SUCCESS;
}

static void CmdWriteTimestamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage,
                              VkQueryPool pool, uint32_t query)
{
    (void)stage;
    ((struct commands *)commands)->query = (int64_t *)pool + query;
}

static VkResult QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *submits,
                            VkFence fence)
{
    struct queue *queue = (struct queue *)handle;
    int64_t begin_ns = now_ns() > queue->done_ns ? now_ns() : queue->done_ns;
    queue->done_ns = begin_ns + fake_vulkan.gpu_ns;
    if (fake_vulkan.gpu_ns > 0) {
        fake_vulkan.gpu_done_ns = queue->done_ns;
    }
    fake_vulkan.gpu_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < submits[i].commandBufferCount; c++) {
            struct commands *commands = (struct commands *)submits[i].pCommandBuffers[c];
            if (commands->query != NULL) {
                *commands->query = queue->done_ns;
            }
        }
    }
    if (fence != VK_NULL_HANDLE) {
        ((struct fence *)fence)->done_ns = queue->done_ns;
    }
    return VK_SUCCESS;
}

static VkResult GetFenceStatus(VkDevice of, VkFence handle)
{
    const struct fence *fence = (const struct fence *)handle;
    (void)of;
    return fence->done_ns != 0 && fence->done_ns <= now_ns() ? VK_SUCCESS : VK_NOT_READY;
}

static VkResult WaitForFences(VkDevice of, uint32_t count, const VkFence *fences,
                              VkBool32 all, uint64_t timeout_ns)
{
    (void)of;
    (void)all;
    (void)timeout_ns;
    for (uint32_t i = 0; i < count; i++) {
        sleep_ns(((const struct fence *)fences[i])->done_ns - now_ns());
    }
    return VK_SUCCESS;
}

static VkResult ResetFences(VkDevice of, uint32_t count, const VkFence *fences)
{
    (void)of;
    for (uint32_t i = 0; i < count; i++) {
        ((struct fence *)fences[i])->done_ns = 0;
    }
    return VK_SUCCESS;
}

static uint64_t stamp_of(int64_t done_ns)
{
    switch (fake_vulkan.clock) {
    case FAKE_CLOCK_ZERO:
        return 0;
    case FAKE_CLOCK_EARLY:
        return ticks_at(done_ns - 100000000);
    case FAKE_CLOCK_LATE:
        return ticks_at(done_ns + 1000000000);
    default:
        return ticks_at(done_ns);
    }
}

static VkResult GetQueryPoolResults(VkDevice of, VkQueryPool pool, uint32_t first,
                                    uint32_t count, size_t size, void *data,
                                    VkDeviceSize stride, VkQueryResultFlags flags)
{
    uint64_t *result = data;
    (void)of;
    (void)count;
    (void)size;
    (void)stride;
    (void)flags;
    int64_t done_ns = ((int64_t *)pool)[first];
    result[0] = stamp_of(done_ns);
    result[1] = done_ns <= now_ns();
    return VK_SUCCESS;
}

static VkResult GetCalibratedTimestampsEXT(VkDevice of, uint32_t count,
                                           const VkCalibratedTimestampInfoEXT *infos,
                                           uint64_t *stamps, uint64_t *deviation_ns)
{
    (void)of;
    int64_t at_ns = now_ns();
    for (uint32_t i = 0; i < count; i++) {
        stamps[i] = infos[i].timeDomain == VK_TIME_DOMAIN_DEVICE_EXT ? ticks_at(at_ns)
                                                                     : (uint64_t)at_ns;
    }
    *deviation_ns = 100;
    return VK_SUCCESS;
}

static VkResult AcquireNextImageKHR(VkDevice of, VkSwapchainKHR swapchain,
                                    uint64_t timeout_ns, VkSemaphore semaphore,
                                    VkFence fence, uint32_t *image)
{
    (void)of;
    (void)swapchain;
    (void)timeout_ns;
    (void)semaphore;
    (void)fence;
    sleep_ns(fake_vulkan.acquire_ns);
    *image = 0;
    return VK_SUCCESS;
}

static VkResult QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info)
{
    VkResult worst = VK_SUCCESS;
    (void)queue;
    if (fake_vulkan.present_ns > 0) {
        poll(NULL, 0, (int)(fake_vulkan.present_ns / 1000000));
    }
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        bool fails = (fake_vulkan.failing >> i & 1) != 0;
        VkResult result = fails ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS;
        worst = fails ? result : worst;
        if (info->pResults != NULL) {
            info->pResults[i] = result;
        }
    }
    return worst;
}

/* ---- the table ---- */

static PFN_vkVoidFunction GetDeviceProcAddr(VkDevice of, const char *name);
PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance of, const char *name);
VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

#define ROW(name)                                                                        \
    {                                                                                    \
        "vk" #name, (PFN_vkVoidFunction)name                                             \
    }
#define AS(name, function)                                                               \
    {                                                                                    \
        "vk" #name, (PFN_vkVoidFunction)(function)                                       \
    }

static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} functions[] = {
    ROW(CreateInstance),
    AS(DestroyInstance, nothing),
    ROW(EnumeratePhysicalDevices),
    ROW(EnumerateInstanceExtensionProperties),
    ROW(EnumerateDeviceExtensionProperties),
    ROW(GetPhysicalDeviceProperties),
    ROW(GetPhysicalDeviceQueueFamilyProperties),
    ROW(GetPhysicalDeviceCalibrateableTimeDomainsEXT),
    AS(GetPhysicalDeviceFeatures, nothing),
    AS(GetPhysicalDeviceMemoryProperties, nothing),
    AS(GetPhysicalDeviceFormatProperties, nothing),
    AS(GetPhysicalDeviceImageFormatProperties, succeed),
    AS(GetPhysicalDeviceSparseImageFormatProperties, nothing),
    ROW(CreateHeadlessSurfaceEXT),
    ROW(DestroySurfaceKHR),
    ROW(CreateDevice),
    ROW(GetDeviceProcAddr),
    AS(DestroyDevice, nothing),
    ROW(GetDeviceQueue),
    ROW(CreateFence),
    AS(DestroyFence, destroy),
    ROW(ResetFences),
    ROW(GetFenceStatus),
    ROW(WaitForFences),
    ROW(CreateCommandPool),
    AS(DestroyCommandPool, destroy),
    ROW(AllocateCommandBuffers),
    AS(BeginCommandBuffer, succeed),
    AS(EndCommandBuffer, succeed),
    AS(CmdResetQueryPool, nothing),
    ROW(CmdWriteTimestamp),
    ROW(CreateQueryPool),
    AS(DestroyQueryPool, destroy),
    ROW(GetQueryPoolResults),
    ROW(QueueSubmit),
    AS(QueueWaitIdle, succeed),
    AS(DeviceWaitIdle, succeed),
    ROW(CreateSwapchainKHR),
    AS(DestroySwapchainKHR, destroy),
    ROW(AcquireNextImageKHR),
    ROW(QueuePresentKHR),
};

static PFN_vkVoidFunction find(const char *name)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return functions[i].function;
        }
    }
    return NULL;
}

static PFN_vkVoidFunction GetDeviceProcAddr(VkDevice of, const char *name)
{
    (void)of;
    bool calibrated = fake_vulkan.calibrated && !fake_vulkan.refuses;
    return calibrated || strcmp(name, "vkGetCalibratedTimestampsEXT") != 0
               ? (strcmp(name, "vkGetCalibratedTimestampsEXT") == 0
                      ? (PFN_vkVoidFunction)GetCalibratedTimestampsEXT
                      : find(name))
               : NULL;
}

EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance of, const char *name)
{
    (void)of;
    return find(name);
}

EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    *version = *version < 5 ? *version : 5;
    return VK_SUCCESS;
}
