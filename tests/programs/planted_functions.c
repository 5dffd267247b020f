/* Draws frames in which one function sometimes takes longer. The functions share their
 * caller and a callee, and the program marks only its frames, not its functions. Prints
 * the name of that function, and its extra CPU time per janky frame in ms. The CPU time
 * is measured with the clock of the thread.
 *
 *   planted_functions SEED FRAMES USUAL_MS EXTRA_MS PERIOD_MS
 *
 * SEED chooses the function. In every fifth frame, the function takes EXTRA_MS longer.
 * These frames count as janky. If EXTRA_MS is 0, all frames are equal. */
#include <dejank/sections.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "planted_code.h"

static volatile unsigned long sum;

/* The shared callee. */
PLANTED void mix(double ms)
{
    double until_ms = get_ms(CLOCK_THREAD_CPUTIME_ID) + ms;
    while (get_ms(CLOCK_THREAD_CPUTIME_ID) < until_ms) {
        for (int i = 0; i < 1000; i++) {
            sum = sum * 3 + 1;
        }
    }
    STAY();
}

/* Defines a function that spends half of its time itself, and half in the callee. */
#define FUNCTION(name)                                                                   \
    PLANTED void name(double ms)                                                         \
    {                                                                                    \
        double until_ms = get_ms(CLOCK_THREAD_CPUTIME_ID) + ms / 2;                      \
        while (get_ms(CLOCK_THREAD_CPUTIME_ID) < until_ms) {                             \
            for (int i = 0; i < 1000; i++) {                                             \
                sum = sum * 5 + 1;                                                       \
            }                                                                            \
        }                                                                                \
        mix(ms / 2);                                                                     \
        STAY();                                                                          \
    }

FUNCTION(load_images)
FUNCTION(compute_layout)
FUNCTION(shape_text)
FUNCTION(draw_shadow)
FUNCTION(animate)

static const struct {
    const char *name;
    void (*run)(double ms);
} functions[] = {
    {"load_images", load_images}, {"compute_layout", compute_layout},
    {"shape_text", shape_text},   {"draw_shadow", draw_shadow},
    {"animate", animate},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(*functions) };

/* Draws a frame. Returns the extra CPU time of the chosen function. */
PLANTED double draw_frame(size_t plant, double usual_ms, double extra_ms)
{
    double took_ms = 0;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        functions[i].run(usual_ms / FUNCTIONS);
        if (i == plant && extra_ms > 0) {
            double begun_ms = get_ms(CLOCK_THREAD_CPUTIME_ID);
            functions[i].run(extra_ms);
            took_ms = get_ms(CLOCK_THREAD_CPUTIME_ID) - begun_ms;
        }
    }
    return took_ms;
}

static void sleep_until(double ms)
{
    double rest_ms = ms - get_ms(CLOCK_MONOTONIC);
    if (rest_ms > 0) {
        struct timespec rest = {(time_t)(rest_ms / 1e3),
                                (long)(rest_ms * 1e6) % 1000000000L};
        nanosleep(&rest, NULL);
    }
}

int main(int count, char **words)
{
    if (count != 6) {
        fprintf(stderr, "planted_functions SEED FRAMES USUAL_MS EXTRA_MS PERIOD_MS\n");
        return 2;
    }
    unsigned seed = (unsigned)atoi(words[1]);
    size_t plant = (size_t)rand_r(&seed) % FUNCTIONS;
    double usual_ms = atof(words[3]), extra_ms = atof(words[4]),
           period_ms = atof(words[5]);
    double sum_ms = 0;
    int janky = 0;
    for (int i = 0; i < atoi(words[2]); i++) {
        double next_ms = get_ms(CLOCK_MONOTONIC) + period_ms;
        bool longer = extra_ms > 0 && i % 5 == 3;
        dejank_section_begin("frame");
        sum_ms += draw_frame(plant, usual_ms, longer ? extra_ms : 0);
        dejank_section_end();
        janky += longer;
        sleep_until(next_ms);
    }
    printf("%s %.3f\n", functions[plant].name, janky > 0 ? sum_ms / janky : 0);
    return 0;
}
