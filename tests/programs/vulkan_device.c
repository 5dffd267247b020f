#include "vulkan_scene.h"

struct vulkan_gpu gpu;

static void make_device(const struct vulkan_display *display)
{
    const char *instance_extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                         display->extension};
    const char *device_extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const float priority = 1;
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo instance_info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &app,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = instance_extensions,
    };
    uint32_t count = 1, families = 8;
    VkQueueFamilyProperties properties[8];
    CHECK(vkCreateInstance(&instance_info, NULL, &gpu.instance));
    if (vkEnumeratePhysicalDevices(gpu.instance, &count, &gpu.physical) < VK_SUCCESS ||
        count == 0) {
        fprintf(stderr, "vulkan_scene: no gpu.device\n");
        exit(1);
    }
    vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &families, properties);
    while (gpu.family + 1 < families &&
           (properties[gpu.family].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0) {
        gpu.family++;
    }
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE,
    };
    const VkDeviceQueueCreateInfo queue_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = gpu.family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo device_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue_info,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = device_extensions,
    };
    CHECK(vkCreateDevice(gpu.physical, &device_info, NULL, &gpu.device));
    vkGetDeviceQueue(gpu.device, gpu.family, 0, &gpu.queue);
}

VkSemaphore vulkan_make_semaphore(VkSemaphoreType kind)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = kind};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore;
    CHECK(vkCreateSemaphore(gpu.device, &info, NULL, &semaphore));
    return semaphore;
}

static void make_slots(void)
{
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = gpu.family,
    };
    CHECK(vkCreateCommandPool(gpu.device, &pool_info, NULL, &gpu.pool));
    for (int i = 0; i < SLOTS; i++) {
        const VkCommandBufferAllocateInfo allocation = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = gpu.pool,
            .commandBufferCount = 1,
        };
        const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                         .flags = VK_FENCE_CREATE_SIGNALED_BIT};
        CHECK(vkAllocateCommandBuffers(gpu.device, &allocation, &gpu.slot[i].commands));
        CHECK(vkCreateFence(gpu.device, &fence, NULL, &gpu.slot[i].done));
        for (int w = 0; w < gpu.windows; w++) {
            gpu.slot[i].free[w] = vulkan_make_semaphore(VK_SEMAPHORE_TYPE_BINARY);
            gpu.slot[i].drawn[w] = vulkan_make_semaphore(VK_SEMAPHORE_TYPE_BINARY);
        }
    }
}

/* Creates the window's swapchain, which replaces the previous one. */
static void make_swapchain(int w)
{
    VkSurfaceCapabilitiesKHR able;
    VkSurfaceFormatKHR formats[16];
    uint32_t count = 16, images = IMAGES;
    VkBool32 supported;
    CHECK(vkGetPhysicalDeviceSurfaceSupportKHR(gpu.physical, gpu.family,
                                               gpu.window[w].surface, &supported));
    CHECK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu.physical, gpu.window[w].surface,
                                                    &able));
    vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical, gpu.window[w].surface, &count,
                                         formats);
    bool free_size = able.currentExtent.width == UINT32_MAX;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = gpu.window[w].surface,
        .minImageCount = able.minImageCount,
        .imageFormat = formats[0].format,
        .imageColorSpace = formats[0].colorSpace,
        .imageExtent =
            free_size ? (VkExtent2D){SCENE_WIDTH, SCENE_HEIGHT} : able.currentExtent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .preTransform = able.currentTransform,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE,
        .oldSwapchain = gpu.window[w].swapchain,
    };
    VkSwapchainKHR old = gpu.window[w].swapchain;
    CHECK(vkCreateSwapchainKHR(gpu.device, &info, NULL, &gpu.window[w].swapchain));
    vkDestroySwapchainKHR(gpu.device, old, NULL);
    CHECK(vkGetSwapchainImagesKHR(gpu.device, gpu.window[w].swapchain, &images,
                                  gpu.window[w].image));
}

void vulkan_make_swapchains(void)
{
    CHECK(vkDeviceWaitIdle(gpu.device));
    for (int w = 0; w < gpu.windows; w++) {
        make_swapchain(w);
    }
}

void vulkan_make(const struct vulkan_display *display, int windows)
{
    gpu.windows = windows;
    make_device(display);
    for (int w = 0; w < windows; w++) {
        if (!display->add_window(gpu.instance, &gpu.window[w].surface)) {
            fprintf(stderr, "vulkan_scene: no surface\n");
            exit(1);
        }
    }
    make_slots();
    vulkan_make_swapchains();
}

void vulkan_destroy(void)
{
    CHECK(vkDeviceWaitIdle(gpu.device));
    for (int i = 0; i < SLOTS; i++) {
        vkDestroyFence(gpu.device, gpu.slot[i].done, NULL);
        for (int w = 0; w < gpu.windows; w++) {
            vkDestroySemaphore(gpu.device, gpu.slot[i].free[w], NULL);
            vkDestroySemaphore(gpu.device, gpu.slot[i].drawn[w], NULL);
        }
    }
    vkDestroyCommandPool(gpu.device, gpu.pool, NULL);
    for (int w = 0; w < gpu.windows; w++) {
        vkDestroySwapchainKHR(gpu.device, gpu.window[w].swapchain, NULL);
    }
    vkDestroyDevice(gpu.device, NULL);
    for (int w = 0; w < gpu.windows; w++) {
        vkDestroySurfaceKHR(gpu.instance, gpu.window[w].surface, NULL);
    }
    vkDestroyInstance(gpu.instance, NULL);
}
