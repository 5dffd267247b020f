/* A hash map from 64-bit numbers to values of type size_t: indices of an array, or
 * pointers as uintptr_t. For other keys, such as text or a struct, the number is a hash
 * of the key (base/hash.h). Different keys may have the same hash, so the caller visits
 * all values of the number and compares the keys. The map uses open addressing and is at
 * most a quarter full. */
#ifndef DEJANK_BASE_MAP_H
#define DEJANK_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DJ_MAP_NONE SIZE_MAX

struct dj_map_slot {
    uint64_t key;
    size_t value; /* DJ_MAP_NONE if the slot is free. */
};

/* A map that is all zero is empty. To visit all values, loop over the slots and skip the
 * free ones. */
struct dj_map {
    struct dj_map_slot *slots; /* Owned by the map. */
    size_t count, capacity;    /* The capacity is 0 or a power of two. */
};

/* Returns the slot where the search for a key begins. */
static inline size_t dj_map_home_slot(const struct dj_map *map, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (map->capacity - 1);
}

/* Searches from slot *at for a slot with the key. Returns its value and sets *at to its
 * index, or returns DJ_MAP_NONE if there is none. The map must have a capacity. The loop
 * compares the key first, because most searches end at their first slot. If a free slot
 * happens to have the key, its value is DJ_MAP_NONE. */
static inline size_t dj_map_search(const struct dj_map *map, uint64_t key, size_t *at)
{
    const struct dj_map_slot *slots = map->slots;
    size_t slot = *at;
    while (slots[slot].key != key && slots[slot].value != DJ_MAP_NONE) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    *at = slot;
    return slots[slot].value;
}

/* Returns the first value of a key, or DJ_MAP_NONE if the key has no value. */
static inline size_t dj_map_get(const struct dj_map *map, uint64_t key)
{
    size_t at = map->count == 0 ? 0 : dj_map_home_slot(map, key);
    return map->count == 0 ? DJ_MAP_NONE : dj_map_search(map, key, &at);
}

/* dj_map_first() returns the first value of a key. Each call of dj_map_next() returns the
 * next value of the same key. Both return DJ_MAP_NONE if the key has no more values. They
 * set *at to the slot of the returned value. */
static inline size_t dj_map_first(const struct dj_map *map, uint64_t key, size_t *at)
{
    *at = map->count == 0 ? 0 : dj_map_home_slot(map, key);
    return map->count == 0 ? DJ_MAP_NONE : dj_map_search(map, key, at);
}

static inline size_t dj_map_next(const struct dj_map *map, uint64_t key, size_t *at)
{
    *at = (*at + 1) & (map->capacity - 1);
    return dj_map_search(map, key, at);
}

/* Sets the value of a key. If the key has values, replaces the first of them. The value
 * must not be DJ_MAP_NONE. Returns false if there is no memory; the map is then
 * unchanged. */
bool dj_map_set(struct dj_map *map, uint64_t key, size_t value);

/* Adds a value to a key, after the existing values of the key. Returns false if there is
 * no memory; the map is then unchanged. */
bool dj_map_add(struct dj_map *map, uint64_t key, size_t value);

/* Removes the value in slot `at`, where dj_map_first() or dj_map_next() found it. Other
 * values may move to other slots, so the search cannot continue. */
void dj_map_remove(struct dj_map *map, size_t at);

/* Removes all values and keeps the memory. */
void dj_map_clear(struct dj_map *map);

/* Frees the memory and leaves an empty map. */
void dj_map_finish(struct dj_map *map);

#endif
