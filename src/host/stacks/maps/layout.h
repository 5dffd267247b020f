/* Stores which mapping is at which address of a process. The parts are in blocks of
 * limited size, so adding a mapping takes a similar time for any order of addresses. */
#ifndef DEJANK_STACKS_MAPS_LAYOUT_H
#define DEJANK_STACKS_MAPS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* A part of a mapping that no later mapping covers. */
struct dj_maps_part {
    uint64_t start, end;
    uint32_t mapping;
};

struct dj_maps_block {
    uint64_t end; /* End of the last part. */
    struct dj_maps_part *parts;
    size_t count, capacity; /* A block in a layout is never empty. */
};

/* All parts, sorted by address, without overlaps. Zero the struct before use. */
struct dj_maps_layout {
    struct dj_maps_block *blocks;
    size_t block_count;
    size_t count;                    /* Number of parts in all blocks. */
    const struct dj_maps_part *last; /* What the last search found, or NULL. */
};

/* Returns the part that contains the address, or NULL. The pointer is valid until the
 * next change. */
const struct dj_maps_part *dj_maps_layout_find(struct dj_maps_layout *layout,
                                               uint64_t address);
/* Adds a part. Removes or shortens the older parts that it covers. */
void dj_maps_layout_add(struct dj_maps_layout *layout, struct dj_maps_part part);
/* Replaces the parts of `layout` by those of `from`. */
void dj_maps_layout_copy(struct dj_maps_layout *layout,
                         const struct dj_maps_layout *from);
void dj_maps_layout_clear(struct dj_maps_layout *layout);

#endif
