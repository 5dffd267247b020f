#include "trace/perfetto_map.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 16 };

static size_t slot_of(const struct dj_pf_map *map, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (map->capacity - 1);
    while (map->places[at] != 0 && map->keys[at] != key) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

int32_t dj_pf_map_find(const struct dj_pf_map *map, uint64_t key)
{
    return map->count == 0 ? DJ_PF_NOWHERE : map->places[slot_of(map, key)] - 1;
}

static bool grow(struct dj_pf_map *map)
{
    struct dj_pf_map grown = {.count = map->count,
                              .capacity = map->capacity == 0 ? FIRST_CAPACITY
                                                             : 2 * map->capacity};
    grown.keys = calloc(grown.capacity, sizeof(*grown.keys));
    grown.places = calloc(grown.capacity, sizeof(*grown.places));
    if (grown.keys == NULL || grown.places == NULL) {
        free(grown.keys);
        free(grown.places);
        return false;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->places[i] != 0) {
            size_t at = slot_of(&grown, map->keys[i]);
            grown.keys[at] = map->keys[i];
            grown.places[at] = map->places[i];
        }
    }
    dj_pf_map_finish(map);
    *map = grown;
    return true;
}

bool dj_pf_map_put(struct dj_pf_map *map, uint64_t key, int32_t place)
{
    if (2 * map->count >= map->capacity && !grow(map)) {
        return false;
    }
    size_t at = slot_of(map, key);
    map->count += map->places[at] == 0;
    map->keys[at] = key;
    map->places[at] = place + 1;
    return true;
}

void dj_pf_map_finish(struct dj_pf_map *map)
{
    free(map->keys);
    free(map->places);
    *map = (struct dj_pf_map){0};
}
