/* A hash map from 64-bit numbers to indices of an array, or pointers as uintptr_t. For
 * other keys, such as text or a struct, the number is a hash of the key (base/hash.h):
 * several keys may have the same number, and the caller compares the values of a
 * number until it finds its own. Open addressing, at most a quarter full. */
#ifndef DEJANK_BASE_MAP_H
#define DEJANK_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DJ_MAP_NONE SIZE_MAX

struct dj_map_slot {
    uint64_t key;
    size_t value; /* DJ_MAP_NONE: the slot is free */
};

/* All zero is an empty map. To visit every entry, read the slots in any order. */
struct dj_map {
    struct dj_map_slot *slots; /* owned */
    size_t count, capacity;    /* 0 or a power of two */
};

/* Returns the slot where the search for a key begins. */
static inline size_t dj_map_home_slot(const struct dj_map *map, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (map->capacity - 1);
}

/* Returns the value of the next slot with the key, starting at *at, and sets *at to
 * that slot's index. Returns DJ_MAP_NONE if there is none. The map must have a
 * capacity. Compares the key first, because most searches end at their first slot: in
 * a free slot any key gives DJ_MAP_NONE. */
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

/* Returns the (first) value of a key, or DJ_MAP_NONE. */
static inline size_t dj_map_get(const struct dj_map *map, uint64_t key)
{
    size_t at = map->count == 0 ? 0 : dj_map_home_slot(map, key);
    return map->count == 0 ? DJ_MAP_NONE : dj_map_search(map, key, &at);
}

/* Return all values of a key one by one; *at is the position of the search.
 * DJ_MAP_NONE: no more. */
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

/* Sets the value of a key, and replaces its first one if there is one. The value is
 * not DJ_MAP_NONE. Returns false without memory; then the map is unchanged. */
bool dj_map_set(struct dj_map *map, uint64_t key, size_t value);

/* Adds a value to a key, after its other values. Returns false as above. */
bool dj_map_add(struct dj_map *map, uint64_t key, size_t value);

/* Removes the entry of the slot where dj_map_first() or dj_map_next() found it. Other
 * entries move, so the search cannot continue. */
void dj_map_remove(struct dj_map *map, size_t at);

/* Removes all entries and keeps the memory. */
void dj_map_clear(struct dj_map *map);

/* Frees the memory and leaves an empty map. */
void dj_map_finish(struct dj_map *map);

#endif
