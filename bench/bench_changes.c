/* How long it takes to find the change points of histories: of one with one step, of one
 * with many steps, and of noise. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "stats/change_points.h"

enum { POINTS = 1000, ROUNDS = 200 };

static uint64_t state = 7;

/* Returns a number with an approximately normal distribution: the sum of twelve uniform
 * ones. */
static double noise(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += (double)(state >> 11) / 9007199254740992.0;
    }
    return sum;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void measure(const char *what, int steps)
{
    double values[POINTS];
    double best = INFINITY;
    size_t changes = 0;
    for (int i = 0; i < POINTS; i++) {
        values[i] = 0.02 * noise() + 0.1 * (steps > 0 ? i * (steps + 1) / POINTS % 2 : 0);
    }
    for (int i = 0; i < ROUNDS; i++) {
        struct dj_change_points found;
        double from = now_ms();
        if (dj_change_points_find(values, POINTS, NULL, &found) != 0) {
            return;
        }
        best = fmin(best, now_ms() - from);
        changes = found.count;
        dj_change_points_finish(&found);
    }
    printf("change points of %d points, %s (%zu found)\t%.4f\tms\t1\n", POINTS, what,
           changes, best);
}

int main(void)
{
    measure("noise", 0);
    measure("one step", 1);
    measure("twenty steps", 20);
    return 0;
}
