#include "base/map.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state >> 20;
}

Test(map, an_empty_map_finds_nothing)
{
    struct dj_map map = {0};
    size_t at;
    cr_expect_eq(dj_map_get(&map, 0), DJ_MAP_NONE);
    cr_expect_eq(dj_map_first(&map, 1, &at), DJ_MAP_NONE);
    dj_map_clear(&map);
    dj_map_finish(&map);
    cr_expect_eq(dj_map_get(&map, 0), DJ_MAP_NONE);
}

/* Returns keys that are difficult for a hash map. Multiples of a power of two have equal
 * low bits. With `undo`, all keys have the same home slot. */
static uint64_t adverse(unsigned kind, uint64_t i)
{
    /* The inverse of the multiplier 0x9e37…15 modulo 2^64. */
    static const uint64_t undo = UINT64_C(0xf1de83e19937733d);
    return kind == 0   ? i
           : kind == 1 ? i << 32
           : kind == 2 ? i << 52
           : kind == 3 ? UINT64_MAX - i
                       : i * undo;
}

Test(map, finds_exactly_the_keys_that_were_added)
{
    enum { KEYS = 2000 };
    for (unsigned kind = 0; kind < 5; kind++) {
        struct dj_map map = {0};
        for (uint64_t i = 0; i < KEYS; i++) {
            cr_assert(dj_map_set(&map, adverse(kind, i), (size_t)i));
        }
        cr_expect_eq(map.count, KEYS);
        cr_expect(map.capacity >= 4 * map.count && map.capacity <= 8 * KEYS);
        for (uint64_t i = 0; i < KEYS; i++) {
            cr_assert_eq(dj_map_get(&map, adverse(kind, i)), (size_t)i, "%u", kind);
            cr_assert_eq(dj_map_get(&map, adverse(kind, i + KEYS)), DJ_MAP_NONE);
        }
        dj_map_finish(&map);
    }
}

Test(map, undo_is_the_inverse_of_the_hash_multiplier)
{
    cr_expect_eq(adverse(4, 1) * UINT64_C(0x9e3779b97f4a7c15), 1);
}

Test(map, set_replaces_the_value)
{
    struct dj_map map = {0};
    cr_assert(dj_map_set(&map, 7, 1) && dj_map_set(&map, 7, 0) && map.count == 1);
    cr_expect_eq(dj_map_get(&map, 7), 0);
    dj_map_clear(&map);
    cr_expect(map.count == 0 && dj_map_get(&map, 7) == DJ_MAP_NONE);
    dj_map_finish(&map);
}

Test(map, values_of_a_key_keep_their_order_when_the_map_grows)
{
    struct dj_map map = {0};
    for (size_t i = 0; i < 500; i++) {
        cr_assert(dj_map_add(&map, i % 5, i));
    }
    for (uint64_t key = 0; key < 5; key++) {
        size_t at, expected = (size_t)key;
        for (size_t got = dj_map_first(&map, key, &at); got != DJ_MAP_NONE;
             got = dj_map_next(&map, key, &at)) {
            cr_assert_eq(got, expected);
            expected += 5;
        }
        cr_expect_eq(expected, key + 500);
    }
    dj_map_finish(&map);
}

static size_t slot_of(const struct dj_map *map, uint64_t key, size_t value)
{
    size_t at, got = dj_map_first(map, key, &at);
    while (got != DJ_MAP_NONE && got != value) {
        got = dj_map_next(map, key, &at);
    }
    return got == value ? at : SIZE_MAX;
}

/* Uses few keys with several values each, so that searches overlap and wrap around at the
 * end of the slots. The expected result comes from a plain list. */
Test(map, remove_keeps_all_other_entries)
{
    enum { KEYS = 24, STEPS = 40000 };
    uint64_t state = 1;
    for (unsigned kind = 0; kind < 5; kind++) {
        struct dj_map map = {0};
        struct {
            uint64_t key;
            size_t value;
        } list[KEYS];
        size_t count = 0;
        for (size_t step = 0; step < STEPS; step++) {
            size_t chosen = (size_t)(draw(&state) % KEYS);
            if (chosen < count) {
                size_t at = slot_of(&map, list[chosen].key, list[chosen].value);
                cr_assert_neq(at, SIZE_MAX);
                dj_map_remove(&map, at);
                list[chosen] = list[--count];
            } else if (count < KEYS) {
                list[count].key = adverse(kind, draw(&state) % 10);
                list[count].value = step;
                cr_assert(dj_map_add(&map, list[count].key, step));
                count++;
            }
            cr_assert_eq(map.count, count);
            for (size_t i = 0; i < count; i++) {
                cr_assert_neq(slot_of(&map, list[i].key, list[i].value), SIZE_MAX);
            }
        }
        dj_map_finish(&map);
    }
}

Test(map, each_entry_uses_one_slot)
{
    struct dj_map map = {0};
    size_t sum = 0, count = 0;
    for (size_t i = 1; i <= 100; i++) {
        cr_assert(dj_map_set(&map, i * 1000, i));
    }
    for (size_t i = 0; i < map.capacity; i++) {
        sum += map.slots[i].value != DJ_MAP_NONE ? map.slots[i].value : 0;
        count += map.slots[i].value != DJ_MAP_NONE;
    }
    cr_expect(sum == 5050 && count == 100);
    dj_map_finish(&map);
}
