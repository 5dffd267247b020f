#include "stacks/maps/layout.h"

#include <criterion/criterion.h>
#include <string.h>

enum { PAGES = 1 << 13, PARTS_PER_BLOCK_MAX = 256, NONE = UINT32_MAX };

static struct dj_maps_layout layout;
static uint32_t expected[PAGES]; /* The mapping of each page. */

static void finish(void)
{
    dj_maps_layout_clear(&layout);
}

TestSuite(layout, .fini = finish);

static void add(uint32_t first, uint32_t end, uint32_t mapping)
{
    dj_maps_layout_add(&layout, (struct dj_maps_part){first, end, mapping});
    for (uint32_t page = first; page < end; page++) {
        expected[page] = mapping;
    }
}

static void expect_pages(struct dj_maps_layout *actual)
{
    for (uint32_t page = 0; page < PAGES; page++) {
        const struct dj_maps_part *part = dj_maps_layout_find(actual, page);
        cr_assert_eq(part == NULL ? NONE : part->mapping, expected[page], "page %u",
                     page);
    }
}

/* Expects that the parts are sorted, and that the blocks are small and not empty. */
static void expect_blocks(const struct dj_maps_layout *actual)
{
    size_t count = 0;
    uint64_t end = 0;
    for (size_t i = 0; i < actual->block_count; i++) {
        const struct dj_maps_block *block = &actual->blocks[i];
        cr_assert(block->count > 0 && block->count <= PARTS_PER_BLOCK_MAX);
        for (size_t j = 0; j < block->count; j++) {
            cr_assert(block->parts[j].start >= end);
            cr_assert(block->parts[j].start < block->parts[j].end);
            end = block->parts[j].end;
        }
        cr_assert_eq(block->end, end);
        count += block->count;
    }
    cr_assert_eq(actual->count, count);
}

Test(layout, is_the_same_as_one_mapping_for_each_page)
{
    enum { CHANGES = 60000, ROUND = 6000 };
    uint32_t random = 1;
    memset(expected, 0xff, sizeof(expected));
    for (uint32_t i = 0; i < CHANGES; i++) {
        random = random * 1664525 + 1013904223;
        uint32_t first = (random >> 8) % PAGES, length = 1 + (random >> 24) % 3;
        length = i % ROUND == ROUND - 1 ? PAGES / 4 : length;
        add(first, first + length < PAGES ? first + length : PAGES, i);
        if (i % (ROUND / 4) == 0 || i % ROUND == ROUND - 1) {
            expect_pages(&layout);
            expect_blocks(&layout);
        }
    }
    cr_expect_gt(layout.block_count, 8);
    add(0, PAGES, 7);
    expect_pages(&layout);
    expect_blocks(&layout);
    cr_expect_eq(layout.count, 1);
}

Test(layout, blocks_stay_small_for_descending_addresses)
{
    memset(expected, 0xff, sizeof(expected));
    for (uint32_t page = PAGES; page-- > 1;) {
        add(page, page + 1, page);
    }
    expect_pages(&layout);
    expect_blocks(&layout);
}

Test(layout, ascending_addresses_fill_the_blocks)
{
    for (uint32_t page = 0; page < PAGES; page++) {
        add(page, page + 1, page);
    }
    expect_pages(&layout);
    expect_blocks(&layout);
    cr_expect_eq(layout.block_count, PAGES / PARTS_PER_BLOCK_MAX);
}

Test(layout, a_copy_does_not_change_with_its_original)
{
    struct dj_maps_layout copy = {0};
    memset(expected, 0xff, sizeof(expected));
    dj_maps_layout_copy(&copy, &layout);
    cr_expect_null(dj_maps_layout_find(&copy, 0));
    for (uint32_t page = 0; page < PAGES; page += 2) {
        add(page, page + 1, page);
    }
    dj_maps_layout_copy(&copy, &layout);
    dj_maps_layout_add(&layout, (struct dj_maps_part){0, PAGES, 1});
    expect_pages(&copy);
    expect_blocks(&copy);
    dj_maps_layout_clear(&copy);
    cr_expect_null(dj_maps_layout_find(&copy, 0));
}
