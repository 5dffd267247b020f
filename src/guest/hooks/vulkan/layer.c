/* The Vulkan layer. The Vulkan loader inserts this object between the app and its driver,
 * because `dejank record` names the layer in VK_INSTANCE_LAYERS. If dejank is installed,
 * it is also an implicit layer that DEJANK_VULKAN enables. The layer sees the calls to a
 * device: acquire, submit and present (frames.c, queues.c). It also finds out when the
 * GPU finished (gpu.c). It does not see a driver's waits in the kernel, and it does not
 * see programs that use a driver without the loader.
 *
 * This file handles the chain of layers, instances and devices. */
#include "hooks/vulkan/layer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"
#include "hooks/export.h"

#define CALIBRATED "VK_EXT_calibrated_timestamps"

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance,
                                                       const char *name);
static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name);

/* Returns the entry of an instance or a physical device. */
static struct dj_vk_instance *find_instance(const void *handle)
{
    return dj_vulkan_find(DJ_VK_INSTANCE, dj_vulkan_dispatch_key(handle));
}

/* Returns the link that the loader made for this layer, or NULL. */
static VkLayerInstanceCreateInfo *find_instance_link(const VkInstanceCreateInfo *info)
{
    const VkLayerInstanceCreateInfo *link = info->pNext;
    while (link != NULL &&
           !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
             link->function == VK_LAYER_LINK_INFO)) {
        link = link->pNext;
    }
    return (VkLayerInstanceCreateInfo *)link;
}

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *allocator,
                                           VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = find_instance_link(info);
    if (link == NULL || link->u.pLayerInfo == NULL) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    struct dj_vk_instance *entry = dj_vulkan_add(DJ_VK_INSTANCE);
    if (entry == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    entry->next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)entry->next(VK_NULL_HANDLE, "vkCreateInstance");
    VkResult result = create != NULL ? create(info, allocator, instance)
                                     : VK_ERROR_INITIALIZATION_FAILED;
    if (result != VK_SUCCESS) {
        dj_vulkan_remove(&entry->entry);
        return result;
    }
    entry->handle = *instance;
    entry->destroy = (PFN_vkDestroyInstance)entry->next(*instance, "vkDestroyInstance");
    dj_vulkan_publish(&entry->entry, dj_vulkan_dispatch_key(*instance));
    return result;
}

static void VKAPI_CALL destroy_instance(VkInstance instance,
                                        const VkAllocationCallbacks *allocator)
{
    if (instance == VK_NULL_HANDLE) {
        return;
    }
    struct dj_vk_instance *entry = find_instance(instance);
    if (entry != NULL) {
        PFN_vkDestroyInstance destroy = entry->destroy;
        dj_vulkan_remove(&entry->entry);
        destroy(instance, allocator);
    }
}

static VkLayerDeviceCreateInfo *find_device_link(const VkDeviceCreateInfo *info,
                                                 VkLayerFunction function)
{
    const VkLayerDeviceCreateInfo *link = info->pNext;
    while (link != NULL && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                             link->function == function)) {
        link = link->pNext;
    }
    return (VkLayerDeviceCreateInfo *)link;
}

static bool is_listed(const char *name, const char *const *names, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i < count;
}

/* Returns true if the device has the extension VK_EXT_calibrated_timestamps and can
 * compare its clock with CLOCK_MONOTONIC. */
static bool can_calibrate(const struct dj_vk_instance *instance,
                          VkPhysicalDevice physical)
{
    PFN_vkEnumerateDeviceExtensionProperties list =
        (PFN_vkEnumerateDeviceExtensionProperties)instance->next(
            instance->handle, "vkEnumerateDeviceExtensionProperties");
    uint32_t count = 0;
    if (list == NULL || list(physical, NULL, &count, NULL) != VK_SUCCESS) {
        return false;
    }
    VkExtensionProperties *properties = calloc(count + 1, sizeof(*properties));
    bool found = false;
    if (properties != NULL && list(physical, NULL, &count, properties) >= VK_SUCCESS) {
        for (uint32_t i = 0; !found && i < count; i++) {
            found = strcmp(properties[i].extensionName, CALIBRATED) == 0;
        }
    }
    free(properties);
    PFN_vkVoidFunction domains_of =
        found ? instance->next(instance->handle,
                               "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT")
              : NULL;
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT domains =
        (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)domains_of;
    VkTimeDomainEXT domain[8];
    uint32_t domain_count = COUNT_OF(domain);
    bool device = false, monotonic = false;
    if (domains != NULL && domains(physical, &domain_count, domain) >= VK_SUCCESS) {
        for (uint32_t i = 0; i < domain_count; i++) {
            device = device || domain[i] == VK_TIME_DOMAIN_DEVICE_EXT;
            monotonic = monotonic || domain[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
        }
    }
    return device && monotonic;
}

/* Calls the next layer's vkCreateDevice(). Sets the link of the layer chain first. The
 * next layer moves the link on, and this function may be called again after a failure. */
static VkResult call_create(PFN_vkCreateDevice create, VkPhysicalDevice physical,
                            const VkDeviceCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkDevice *device,
                            VkLayerDeviceLink *next)
{
    find_device_link(info, VK_LAYER_LINK_INFO)->u.pLayerInfo = next;
    return create(physical, info, allocator, device);
}

/* Creates the device with the extension VK_EXT_calibrated_timestamps if possible, and
 * otherwise exactly as the app requested. Sets *calibrated to false if the device does
 * not have the extension. */
static VkResult create_calibrated(PFN_vkCreateDevice create, VkPhysicalDevice physical,
                                  const VkDeviceCreateInfo *info,
                                  const VkAllocationCallbacks *allocator,
                                  VkDevice *device, VkLayerDeviceLink *next,
                                  bool *calibrated)
{
    uint32_t count = info->enabledExtensionCount;
    bool requested = is_listed(CALIBRATED, info->ppEnabledExtensionNames, count);
    const char **names =
        *calibrated && !requested ? calloc(count + 1, sizeof(*names)) : NULL;
    if (names != NULL) {
        VkDeviceCreateInfo more = *info;
        if (count > 0) {
            memcpy(names, info->ppEnabledExtensionNames, count * sizeof(*names));
        }
        names[count] = CALIBRATED;
        more.ppEnabledExtensionNames = names;
        more.enabledExtensionCount = count + 1;
        VkResult result = call_create(create, physical, &more, allocator, device, next);
        free(names);
        if (result == VK_SUCCESS) {
            return result;
        }
    }
    *calibrated = *calibrated && requested;
    return call_create(create, physical, info, allocator, device, next);
}

static void read_device_properties(struct dj_vk_device *entry,
                                   const struct dj_vk_instance *instance,
                                   VkPhysicalDevice physical)
{
    PFN_vkGetPhysicalDeviceProperties properties_of =
        (PFN_vkGetPhysicalDeviceProperties)instance->next(
            instance->handle, "vkGetPhysicalDeviceProperties");
    PFN_vkGetPhysicalDeviceQueueFamilyProperties families_of =
        (PFN_vkGetPhysicalDeviceQueueFamilyProperties)instance->next(
            instance->handle, "vkGetPhysicalDeviceQueueFamilyProperties");
    VkPhysicalDeviceProperties properties;
    VkQueueFamilyProperties family[DJ_VK_FAMILIES];
    properties_of(physical, &properties);
    entry->tick_ns = (double)properties.limits.timestampPeriod;
    entry->families = DJ_VK_FAMILIES;
    families_of(physical, &entry->families, family);
    for (uint32_t i = 0; i < entry->families; i++) {
        entry->family[i].flags = family[i].queueFlags;
        entry->family[i].timestamp_bits = family[i].timestampValidBits;
    }
}

static void find_device_functions(struct dj_vk_device *entry)
{
#define FIND(name) entry->name = (PFN_vk##name)entry->next(entry->handle, "vk" #name);
    DJ_VK_DEVICE_FUNCTIONS(FIND)
#undef FIND
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                         const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = find_device_link(info, VK_LAYER_LINK_INFO);
    VkLayerDeviceCreateInfo *callback = find_device_link(info, VK_LOADER_DATA_CALLBACK);
    struct dj_vk_instance *instance = find_instance(physical);
    if (instance == NULL || link == NULL || link->u.pLayerInfo == NULL) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    struct dj_vk_device *entry = dj_vulkan_add(DJ_VK_DEVICE);
    if (entry == NULL) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkLayerDeviceLink *own_link = link->u.pLayerInfo;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)own_link->pfnNextGetInstanceProcAddr(
        instance->handle, "vkCreateDevice");
    entry->next = own_link->pfnNextGetDeviceProcAddr;
    entry->set_loader_data = callback != NULL ? callback->u.pfnSetDeviceLoaderData : NULL;
    entry->calibrated = can_calibrate(instance, physical);
    VkResult result = create_calibrated(create, physical, info, allocator, device,
                                        own_link->pNext, &entry->calibrated);
    if (result != VK_SUCCESS) {
        dj_vulkan_remove(&entry->entry);
        return result;
    }
    entry->handle = *device;
    read_device_properties(entry, instance, physical);
    find_device_functions(entry);
    dj_vulkan_publish(&entry->entry, dj_vulkan_dispatch_key(*device));
    return result;
}

static void VKAPI_CALL destroy_device(VkDevice device,
                                      const VkAllocationCallbacks *allocator)
{
    struct dj_vk_device *entry = device != NULL ? dj_vulkan_device_of(device) : NULL;
    if (entry != NULL) {
        PFN_vkDestroyDevice destroy = entry->DestroyDevice;
        dj_vulkan_gpu_finish(entry);
        dj_vulkan_remove(&entry->entry);
        destroy(device, allocator);
    }
}

static const struct dj_vk_hook instance_hooks[] = {
    {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc},
    {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
    {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
    {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
    {NULL, NULL},
};

static const struct dj_vk_hook device_hooks[] = {
    {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc},
    {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
    {NULL, NULL},
};

static PFN_vkVoidFunction find_hook(const struct dj_vk_hook *hook, const char *name)
{
    while (hook->name != NULL && strcmp(hook->name, name) != 0) {
        hook++;
    }
    return hook->function;
}

static PFN_vkVoidFunction find_device_hook(const char *name)
{
    const struct dj_vk_hook *const tables[] = {device_hooks, dj_vk_frame_hooks,
                                               dj_vk_queue_hooks};
    PFN_vkVoidFunction hook = NULL;
    for (size_t i = 0; hook == NULL && i < COUNT_OF(tables); i++) {
        hook = find_hook(tables[i], name);
    }
    return hook;
}

/* Returns a hook only if the next layer has the function too, because apps test for a
 * feature by looking up its functions. */
static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance,
                                                       const char *name)
{
    PFN_vkVoidFunction hook = find_hook(instance_hooks, name);
    hook = hook != NULL ? hook : find_device_hook(name);
    const struct dj_vk_instance *entry =
        instance != VK_NULL_HANDLE ? find_instance(instance) : NULL;
    /* If the instance is unknown, its functions cannot be tested. This happens when the
     * loader looks up vkCreateInstance() with a handle of its own or with none, and when
     * MangoHud looks up vkCreateDevice() without an instance. */
    if (entry == NULL) {
        return find_hook(instance_hooks, name);
    }
    PFN_vkVoidFunction next = entry->next(instance, name);
    return next != NULL && hook != NULL ? hook : next;
}

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    PFN_vkVoidFunction hook = find_device_hook(name);
    const struct dj_vk_device *entry = dj_vulkan_device_of(device);
    PFN_vkVoidFunction next = entry != NULL ? entry->next(device, name) : NULL;
    return next != NULL && hook != NULL ? hook : next;
}

/* The loader calls this function first. If another copy of this object is preloaded, that
 * copy becomes the layer, because its hooks see the app's waits and it writes the
 * segment. (This happens if dejank is installed as a layer, and the app is recorded from
 * a build folder.) */
EXPORT VkResult VKAPI_CALL dejank_vulkan_layer(VkNegotiateLayerInterface *negotiation)
{
    PFN_vkNegotiateLoaderLayerInterfaceVersion preloaded =
        (PFN_vkNegotiateLoaderLayerInterfaceVersion)dj_real_dlsym(RTLD_DEFAULT,
                                                                  "dejank_vulkan_layer");
    if (preloaded != NULL && preloaded != dejank_vulkan_layer) {
        return preloaded(negotiation);
    }
    if (preloaded == NULL) {
        dlerror(); /* Clears the error, because it is not an error of the app. */
    }
    if (negotiation->loaderLayerInterfaceVersion < 2) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    negotiation->loaderLayerInterfaceVersion = 2;
    negotiation->pfnGetInstanceProcAddr = get_instance_proc;
    negotiation->pfnGetDeviceProcAddr = get_device_proc;
    negotiation->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
