/* Where something is, by a number of 64 bits that others gave it. Of this room only. */
#ifndef DEJANK_TRACE_PERFETTO_MAP_H
#define DEJANK_TRACE_PERFETTO_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DJ_PF_NOWHERE = -1 };

/* All zero is an empty one. */
struct dj_pf_map {
    uint64_t *keys;
    int32_t *places; /* by hash; 1 + place, 0: free */
    size_t count, capacity;
};

/* DJ_PF_NOWHERE: it is not there. */
int32_t dj_pf_map_find(const struct dj_pf_map *map, uint64_t key);
/* Puts it there, in place of what was. False: out of memory. */
bool dj_pf_map_put(struct dj_pf_map *map, uint64_t key, int32_t place);
void dj_pf_map_finish(struct dj_pf_map *map);

#endif
