#include "stacks/maps/layout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum { BLOCK_PARTS_MAX = 256 };

/* The place of a part. After the last part, `block` is the number of blocks. */
struct place {
    size_t block, at;
};

/* Returns the index of the first block that ends after the address. */
static size_t find_block(const struct dj_maps_layout *layout, uint64_t address)
{
    size_t first = 0, count = layout->block_count;
    while (count > 0) {
        size_t half = count / 2;
        bool is_after = layout->blocks[first + half].end <= address;
        first += is_after ? half + 1 : 0;
        count = is_after ? count - half - 1 : half;
    }
    return first;
}

/* Returns the index of the first part that ends after the address. The block ends after
 * the address. */
static size_t find_part(const struct dj_maps_block *block, uint64_t address)
{
    size_t first = 0, count = block->count;
    while (count > 1) {
        size_t half = count / 2;
        first += block->parts[first + half - 1].end <= address ? half : 0;
        count -= half;
    }
    return first;
}

/* Returns the place of the first part that ends after the address. */
static struct place find_place(const struct dj_maps_layout *layout, uint64_t address)
{
    struct place place = {find_block(layout, address), 0};
    if (place.block < layout->block_count) {
        place.at = find_part(&layout->blocks[place.block], address);
    }
    return place;
}

/* Returns NULL if the place is after the last part. */
static struct dj_maps_part *get_part(const struct dj_maps_layout *layout,
                                     struct place place)
{
    return place.block < layout->block_count
               ? &layout->blocks[place.block].parts[place.at]
               : NULL;
}

static bool contains(const struct dj_maps_part *part, uint64_t address)
{
    return part != NULL && part->start <= address && address < part->end;
}

const struct dj_maps_part *dj_maps_layout_find(struct dj_maps_layout *layout,
                                               uint64_t address)
{
    if (!contains(layout->last, address)) {
        const struct dj_maps_part *part = get_part(layout, find_place(layout, address));
        if (!contains(part, address)) {
            return NULL;
        }
        layout->last = part;
    }
    return layout->last;
}

/* Appends copies of parts to a block. */
static void append_parts(struct dj_maps_block *block, const struct dj_maps_part *parts,
                         size_t count)
{
    DJ_XRESERVE(block->parts, block->capacity, block->count + count);
    memcpy(block->parts + block->count, parts, count * sizeof(*parts));
    block->count += count;
    block->end = block->parts[block->count - 1].end;
}

/* Inserts a block without parts, which the caller must fill. */
static void insert_block(struct dj_maps_layout *layout, size_t at)
{
    DJ_XPUSH(layout->blocks, layout->block_count, (struct dj_maps_block){0});
    memmove(layout->blocks + at + 1, layout->blocks + at,
            (layout->block_count - 1 - at) * sizeof(*layout->blocks));
    layout->blocks[at] = (struct dj_maps_block){0};
}

/* Moves the second half of a full block to a new block. */
static void halve_block(struct dj_maps_layout *layout, size_t at)
{
    enum { HALF = BLOCK_PARTS_MAX / 2 };
    insert_block(layout, at + 1);
    struct dj_maps_block *block = &layout->blocks[at];
    append_parts(block + 1, block->parts + HALF, block->count - HALF);
    block->count = HALF;
    block->end = block->parts[HALF - 1].end;
}

/* Returns the place after the last part, in a block that is not full. */
static struct place append_place(struct dj_maps_layout *layout)
{
    size_t count = layout->block_count;
    if (count == 0 || layout->blocks[count - 1].count == BLOCK_PARTS_MAX) {
        insert_block(layout, count);
    }
    size_t last = layout->block_count - 1;
    return (struct place){last, layout->blocks[last].count};
}

/* Inserts a part before the part at this place. */
static void insert_part(struct dj_maps_layout *layout, struct place place,
                        struct dj_maps_part part)
{
    if (place.block == layout->block_count) {
        place = append_place(layout);
    }
    if (layout->blocks[place.block].count == BLOCK_PARTS_MAX) {
        halve_block(layout, place.block);
        size_t first = layout->blocks[place.block].count;
        if (place.at > first) {
            place = (struct place){place.block + 1, place.at - first};
        }
    }
    struct dj_maps_block *block = &layout->blocks[place.block];
    append_parts(block, &part, 1);
    struct dj_maps_part *at = block->parts + place.at;
    memmove(at + 1, at, (block->count - 1 - place.at) * sizeof(part));
    *at = part;
    block->end = block->parts[block->count - 1].end;
    layout->count++;
}

static void remove_part(struct dj_maps_layout *layout, struct place place)
{
    struct dj_maps_block *block = &layout->blocks[place.block];
    struct dj_maps_part *part = block->parts + place.at;
    block->count--;
    layout->count--;
    memmove(part, part + 1, (block->count - place.at) * sizeof(*part));
    if (block->count > 0) {
        block->end = block->parts[block->count - 1].end;
        return;
    }
    free(block->parts);
    layout->block_count--;
    memmove(block, block + 1, (layout->block_count - place.block) * sizeof(*block));
}

/* Splits the part that contains the address and begins before it. */
static void split_part(struct dj_maps_layout *layout, uint64_t address)
{
    struct place place = find_place(layout, address);
    struct dj_maps_part *part = get_part(layout, place);
    if (part != NULL && part->start < address) {
        struct dj_maps_part first = {part->start, address, part->mapping};
        part->start = address;
        insert_part(layout, place, first);
    }
}

void dj_maps_layout_add(struct dj_maps_layout *layout, struct dj_maps_part part)
{
    layout->last = NULL;
    split_part(layout, part.start);
    split_part(layout, part.end);
    struct place place = find_place(layout, part.start);
    const struct dj_maps_part *covered = get_part(layout, place);
    while (covered != NULL && covered->start < part.end) {
        remove_part(layout, place);
        place = find_place(layout, part.start);
        covered = get_part(layout, place);
    }
    insert_part(layout, place, part);
}

void dj_maps_layout_copy(struct dj_maps_layout *layout, const struct dj_maps_layout *from)
{
    dj_maps_layout_clear(layout);
    for (size_t i = 0; i < from->block_count; i++) {
        insert_block(layout, i);
        append_parts(&layout->blocks[i], from->blocks[i].parts, from->blocks[i].count);
    }
    layout->count = from->count;
}

void dj_maps_layout_clear(struct dj_maps_layout *layout)
{
    for (size_t i = 0; i < layout->block_count; i++) {
        free(layout->blocks[i].parts);
    }
    free(layout->blocks);
    *layout = (struct dj_maps_layout){0};
}
