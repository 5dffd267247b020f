/* Lists of the app's Vulkan objects. */
#include <stdlib.h>

#include "hooks/vulkan/layer.h"

static _Atomic(struct dj_vk_entry *) lists[DJ_VK_KINDS];

static const size_t sizes[DJ_VK_KINDS] = {
    [DJ_VK_INSTANCE] = sizeof(struct dj_vk_instance),
    [DJ_VK_DEVICE] = sizeof(struct dj_vk_device),
    [DJ_VK_QUEUE] = sizeof(struct dj_vk_queue),
    [DJ_VK_SWAPCHAIN] = sizeof(struct dj_vk_swapchain),
};

/* Key of an entry that is being filled. No handle has this key. */
#define RESERVED UINT64_MAX

void *dj_vulkan_find(enum dj_vk_kind kind, uint64_t key)
{
    struct dj_vk_entry *entry = atomic_load_explicit(&lists[kind], memory_order_acquire);
    /* Pairs with the release store in dj_vulkan_publish(). */
    while (entry != NULL &&
           atomic_load_explicit(&entry->key, memory_order_acquire) != key) {
        entry = entry->next;
    }
    return entry;
}

static struct dj_vk_entry *reuse_entry(enum dj_vk_kind kind)
{
    struct dj_vk_entry *entry = atomic_load(&lists[kind]);
    uint64_t unused = 0;
    while (entry != NULL &&
           !atomic_compare_exchange_strong(&entry->key, &unused, RESERVED)) {
        entry = entry->next;
        unused = 0;
    }
    return entry;
}

void *dj_vulkan_add(enum dj_vk_kind kind)
{
    struct dj_vk_entry *entry = reuse_entry(kind);
    if (entry != NULL) {
        memset(entry + 1, 0, sizes[kind] - sizeof(*entry));
        return entry;
    }
    entry = calloc(1, sizes[kind]);
    if (entry == NULL) {
        return NULL;
    }
    atomic_store(&entry->key, RESERVED);
    entry->next = atomic_load(&lists[kind]);
    while (!atomic_compare_exchange_weak(&lists[kind], &entry->next, entry)) {
    }
    return entry;
}

void dj_vulkan_publish(struct dj_vk_entry *entry, uint64_t key)
{
    atomic_store_explicit(&entry->key, key, memory_order_release);
}

void dj_vulkan_remove(struct dj_vk_entry *entry)
{
    atomic_store_explicit(&entry->key, 0, memory_order_release);
}

struct dj_vk_queue *dj_vulkan_next_queue(const struct dj_vk_device *device,
                                         const struct dj_vk_queue *after)
{
    struct dj_vk_entry *entry =
        after != NULL ? after->entry.next : atomic_load(&lists[DJ_VK_QUEUE]);
    for (; entry != NULL; entry = entry->next) {
        uint64_t key = atomic_load_explicit(&entry->key, memory_order_acquire);
        struct dj_vk_queue *queue = (struct dj_vk_queue *)entry;
        if (key != 0 && key != RESERVED && queue->device == device) {
            return queue;
        }
    }
    return NULL;
}

struct dj_vk_device *dj_vulkan_device_of(const void *handle)
{
    return dj_vulkan_find(DJ_VK_DEVICE, dj_vulkan_dispatch_key(handle));
}

struct dj_vk_queue *dj_vulkan_queue_of(VkQueue handle)
{
    return dj_vulkan_find(DJ_VK_QUEUE, (uintptr_t)handle);
}
