/* Simulates programs that are sampled at 1 kHz. Frames differ by chance. In janky frames,
 * planted functions take longer. The functions share callers and callees on purpose: by
 * total time, `main` would always be first, and by own time, the shared `mix`. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "planted.h"

static uint64_t state;

static double get_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* A function of the simulated frame. It spends a part of its time in shared callees. */
struct part {
    const char *path;
    double ms;
};

static const struct part parts[] = {
    {"main/frame/load_images", 1.2},          {"main/frame/layout", 2.0},
    {"main/frame/draw/draw_text/shape", 1.5}, {"main/frame/draw/draw_shadow", 0.8},
    {"main/frame/update/animate", 0.6},       {"main/frame/update/collect", 0.4},
    {"main/frame/draw/draw_rows", 0.5},
};
enum { PARTS = sizeof(parts) / sizeof(*parts), PLANTS = 3 };

/* Adds samples of `ms` of the stack. The first one is at a random time. */
static void sample(uint32_t frame, const char *path, const char *callee, double ms)
{
    char stack[80];
    snprintf(stack, sizeof(stack), "%s%s", path, callee);
    planted_add(frame, stack, (int)(ms + get_random()));
}

/* The time that a plant spends in the shared callee. The rest is divided like the usual
 * time. */
static double plant_in_mix_ms;

static void run_part(uint32_t frame, const struct part *part, double ms, double in_mix_ms)
{
    sample(frame, part->path, "", 0.25 * ms);
    sample(frame, part->path, "/mix", 0.5 * ms + in_mix_ms);
    sample(frame, part->path, "/copy/memcpy", 0.25 * ms);
}

/* Runs a trial. Frame i has the plant plants[i % count]. If `count` is 0, nothing is
 * planted. */
static void run_trial(size_t janky, const size_t *plants, size_t count)
{
    planted_finish();
    planted_start(janky, 5 * janky);
    for (uint32_t frame = 0; frame < 6 * janky; frame++) {
        for (size_t i = 0; i < PARTS; i++) {
            double ms = parts[i].ms * (0.8 + 0.4 * get_random());
            bool plant = frame < janky && count > 0 && plants[frame % count] == i;
            double in_mix_ms = plant ? plant_in_mix_ms : 0;
            ms += plant ? 3 + get_random() - in_mix_ms : 0;
            run_part(frame, &parts[i], ms, in_mix_ms);
        }
        sample(frame, "main/frame", "", 0.3);
        sample(frame, "main", "/wait", 0.3 * get_random());
    }
    planted_result();
}

static bool is_named(size_t cause, size_t plant)
{
    const char *name = strrchr(parts[plant].path, '/') + 1;
    return strcmp(planted_name(cause), name) == 0 ||
           (strcmp(name, "shape") == 0 && strcmp(planted_name(cause), "draw_text") == 0);
}

TestSuite(calls_simulation, .fini = planted_finish);

Test(calls_simulation, one_plant_is_first_in_20_janky_frames)
{
    enum { TRIALS = 400 };
    int first = 0, near = 0, alone = 0;
    state = 7;
    for (size_t i = 0; i < TRIALS; i++) {
        size_t plant = i % PARTS;
        run_trial(20, &plant, 1);
        const struct dj_calls_difference *result = planted_result();
        first += is_named(0, plant);
        alone += is_named(0, plant) && result->cause_count == 1;
        near += fabs(result->causes[0].extra_ns / 3.5e6 - 1) < 0.15;
    }
    cr_expect(first >= TRIALS * 95 / 100, "%d of %d", first, TRIALS);
    cr_expect(near >= TRIALS * 90 / 100, "extra time: %d of %d", near, TRIALS);
    cr_expect(alone >= TRIALS * 85 / 100, "alone: %d of %d", alone, TRIALS);
}

Test(calls_simulation, a_plant_that_only_calls_the_shared_callee_is_first)
{
    enum { TRIALS = 400 };
    int first = 0;
    state = 17;
    plant_in_mix_ms = 3;
    for (size_t i = 0; i < TRIALS; i++) {
        size_t plant = i % PARTS;
        run_trial(20, &plant, 1);
        first += is_named(0, plant);
    }
    cr_expect(first >= TRIALS * 95 / 100, "%d of %d", first, TRIALS);
}

/* Each plant is in a third of the janky frames, so its mean extra time is 1.2 ms in
 * frames that usually take 7.3 ms. */
Test(calls_simulation, three_plants_are_the_first_three_in_21_janky_frames)
{
    enum { TRIALS = 200 };
    int all = 0;
    state = 11;
    for (size_t i = 0; i < TRIALS; i++) {
        size_t plants[PLANTS];
        int found = 0;
        for (size_t k = 0; k < PLANTS; k++) {
            plants[k] = (i + 2 * k) % PARTS;
        }
        run_trial(21, plants, PLANTS);
        for (size_t cause = 0; cause < PLANTS; cause++) {
            for (size_t k = 0; k < PLANTS; k++) {
                found += is_named(cause, plants[k]);
            }
        }
        all += found == PLANTS;
    }
    cr_expect(all >= TRIALS * 90 / 100, "%d of %d", all, TRIALS);
}

Test(calls_simulation, nothing_planted_and_nothing_named)
{
    enum { TRIALS = 400 };
    int named = 0;
    state = 3;
    for (size_t i = 0; i < TRIALS; i++) {
        run_trial(20, NULL, 0);
        named += planted_result()->cause_count > 0;
    }
    cr_expect(named <= TRIALS / 50, "%d of %d", named, TRIALS);
}

Test(calls_simulation, intervals_contain_the_planted_time)
{
    enum { TRIALS = 300 };
    int inside = 0;
    state = 5;
    for (size_t i = 0; i < TRIALS; i++) {
        size_t plant = i % PARTS;
        run_trial(20, &plant, 1);
        const struct dj_calls_cause *cause = &planted_result()->causes[0];
        inside += is_named(0, plant) && cause->low_ns < 3.5e6 && cause->high_ns > 3.5e6;
    }
    cr_expect(inside >= TRIALS * 88 / 100, "%d of %d", inside, TRIALS);
}
