#include "base/map.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 16 };

static void insert(struct dj_map *map, uint64_t key, size_t value)
{
    size_t at = dj_map_home_slot(map, key);
    while (map->slots[at].value != DJ_MAP_NONE) {
        at = (at + 1) & (map->capacity - 1);
    }
    map->slots[at] = (struct dj_map_slot){key, value};
    map->count++;
}

void dj_map_clear(struct dj_map *map)
{
    map->count = 0;
    for (size_t i = 0; i < map->capacity; i++) {
        map->slots[i] = (struct dj_map_slot){0, DJ_MAP_NONE};
    }
}

/* Copies all values into an empty map. Begins after a free slot, so that the values of
 * each key keep their order. */
static void move_entries(struct dj_map *to, const struct dj_map *from)
{
    size_t start = 0;
    while (start < from->capacity && from->slots[start].value != DJ_MAP_NONE) {
        start++;
    }
    for (size_t i = 0; i < from->capacity; i++) {
        const struct dj_map_slot *slot = &from->slots[(start + i) & (from->capacity - 1)];
        if (slot->value != DJ_MAP_NONE) {
            insert(to, slot->key, slot->value);
        }
    }
}

static bool grow_if_needed(struct dj_map *map)
{
    struct dj_map grown = {.capacity =
                               map->capacity == 0 ? FIRST_CAPACITY : 2 * map->capacity};
    if (4 * map->count < map->capacity) {
        return true;
    }
    grown.slots = reallocarray(NULL, grown.capacity, sizeof(*grown.slots));
    if (grown.slots == NULL) {
        return false;
    }
    dj_map_clear(&grown);
    move_entries(&grown, map);
    free(map->slots);
    *map = grown;
    return true;
}

bool dj_map_add(struct dj_map *map, uint64_t key, size_t value)
{
    if (!grow_if_needed(map)) {
        return false;
    }
    insert(map, key, value);
    return true;
}

bool dj_map_set(struct dj_map *map, uint64_t key, size_t value)
{
    size_t at;
    if (dj_map_first(map, key, &at) == DJ_MAP_NONE) {
        return dj_map_add(map, key, value);
    }
    map->slots[at].value = value;
    return true;
}

/* Removes the value in slot `at`. Then moves later values into the slots that become
 * free, because a search ends at a free slot. A value is moved only if a search for its
 * key begins at or before its new slot. */
void dj_map_remove(struct dj_map *map, size_t at)
{
    struct dj_map_slot *slots = map->slots;
    size_t mask = map->capacity - 1;
    size_t free_at = at;
    for (at = (at + 1) & mask; slots[at].value != DJ_MAP_NONE; at = (at + 1) & mask) {
        if (((at - dj_map_home_slot(map, slots[at].key)) & mask) >=
            ((at - free_at) & mask)) {
            slots[free_at] = slots[at];
            free_at = at;
        }
    }
    slots[free_at].value = DJ_MAP_NONE;
    map->count--;
}

void dj_map_finish(struct dj_map *map)
{
    free(map->slots);
    *map = (struct dj_map){0};
}
