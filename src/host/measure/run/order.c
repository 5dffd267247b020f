#include "measure/run/order.h"

/* Returns the next 64 random bits of SplitMix64, which also works well with small
 * seeds. */
static uint64_t draw_bits(uint64_t *state)
{
    uint64_t bits = (*state += UINT64_C(0x9e3779b97f4a7c15));
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

static void draw_pairs(struct dj_order_slot *slot, int64_t runs, uint64_t state)
{
    size_t first = 0;
    for (int64_t number = 1; number <= runs; number++) {
        bool opens_block = number % 2 == 1;
        first = opens_block ? draw_bits(&state) >> 63 : 1 - first;
        *slot++ = (struct dj_order_slot){.build = first, .number = number};
        *slot++ = (struct dj_order_slot){.build = 1 - first, .number = number};
    }
}

void dj_order_draw(size_t builds, int64_t warmups, int64_t runs, uint64_t seed,
                   struct dj_order_slot *slots)
{
    for (int64_t number = 1; number <= warmups; number++) {
        for (size_t build = 0; build < builds; build++) {
            *slots++ = (struct dj_order_slot){build, number, true};
        }
    }
    if (builds == 2) {
        draw_pairs(slots, runs, seed);
        return;
    }
    for (int64_t number = 1; number <= runs; number++) {
        *slots++ = (struct dj_order_slot){.number = number};
    }
}
