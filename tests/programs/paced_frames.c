/* Draws frames at a steady rate with libdejank, some of them janky. Needs no display.
 *
 *   paced_frames HZ FRAMES JANKY_EVERY [TITLE]…
 *
 * Each frame draws for 1 ms. Every frame whose number (from 1) is a multiple of
 * JANKY_EVERY draws for three intervals instead. If JANKY_EVERY is 0, no frame is janky.
 * If FRAMES is 0, the program draws until a signal ends it. Each TITLE creates a window.
 * The windows draw each frame one after another. Prints "ready" after the first frame. */
#include <dejank/frames.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DRAW_NS = 1000000 };

static void sleep_until(int64_t at_ns)
{
    const struct timespec at = {at_ns / 1000000000, at_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
    }
}

static void draw(uint64_t surface, int64_t draw_ns)
{
    int64_t start_ns = dejank_now_ns();
    dejank_frame_begin(surface);
    dejank_frame_stage(DEJANK_LAYOUT_START);
    dejank_frame_stage(DEJANK_DRAW_START);
    sleep_until(start_ns + draw_ns);
    dejank_frame_stage(DEJANK_SWAP_BUFFERS);
    dejank_frame_end();
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: paced_frames HZ FRAMES JANKY_EVERY [TITLE]...\n");
        return 2;
    }
    int64_t interval_ns = 1000000000 / atoi(argv[1]);
    long frames = atol(argv[2]);
    long janky_every = atol(argv[3]);
    int windows = argc > 4 ? argc - 4 : 1;
    for (int i = 0; i < windows; i++) {
        dejank_surface_set_title((uint64_t)i + 1, argc > 4 ? argv[4 + i] : "paced");
        dejank_surface_set_interval((uint64_t)i + 1, interval_ns);
    }
    int64_t next_ns = dejank_now_ns();
    for (long number = 1; frames == 0 || number <= frames; number++) {
        int is_janky = janky_every > 0 && number % janky_every == 0;
        for (int i = 0; i < windows; i++) {
            draw((uint64_t)i + 1, is_janky ? 3 * interval_ns : DRAW_NS);
        }
        if (number == 1) {
            printf("ready\n");
            fflush(stdout);
        }
        next_ns += interval_ns;
        next_ns = next_ns > dejank_now_ns() ? next_ns : dejank_now_ns();
        sleep_until(next_ns);
    }
    return 0;
}
