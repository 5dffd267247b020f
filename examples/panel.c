/*
 * A software-rendered panel without GL and toolkit. It draws a framebuffer in memory 60
 * times a second, and reports its frames and their stages itself.
 *
 *   panel [FRAMES [SLOW_EVERY]]      then: dumpsys gfxinfo panel framestats
 */
#include <dejank/frames.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 480, HEIGHT = 272, PANEL = 1 };

static const int64_t interval_ns = 16666667;
static int slow_every = 10;
static unsigned canvas[HEIGHT][WIDTH], display[HEIGHT][WIDTH];

static void sleep_until(int64_t at_ns)
{
    const struct timespec at = {at_ns / 1000000000, at_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
    }
}

/* In one of `slow_every` frames, layout takes 20 ms. That is longer than a frame
 * interval. */
static void lay_out(int frame)
{
    int64_t until_ns =
        dejank_now_ns() + (frame % slow_every == slow_every - 1 ? 20000000 : 0);
    while (dejank_now_ns() < until_ns) {
    }
}

static void draw(int frame)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            canvas[y][x] = (unsigned)(x + frame) * 0x010203U ^ (unsigned)y;
        }
    }
}

static void show_frame(int frame, int64_t vsync_ns)
{
    dejank_frame_stage_at(DEJANK_INTENDED_VSYNC, vsync_ns);
    dejank_frame_begin(PANEL);
    dejank_frame_stage(DEJANK_LAYOUT_START);
    lay_out(frame);
    dejank_frame_stage(DEJANK_DRAW_START);
    draw(frame);
    dejank_frame_stage(DEJANK_SWAP_BUFFERS);
    memcpy(display, canvas, sizeof(display));
    dejank_frame_end();
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 120;
    slow_every = argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : slow_every;
    int64_t vsync_ns = dejank_now_ns();
    dejank_surface_set_title(PANEL, "front panel");
    dejank_surface_set_interval(PANEL, interval_ns);
    for (int frame = 0; frame < frames; frame++) {
        vsync_ns += interval_ns;
        sleep_until(vsync_ns);
        show_frame(frame, vsync_ns);
        if (dejank_now_ns() > vsync_ns + interval_ns) {
            vsync_ns += interval_ns; /* The frame missed one refresh. */
        }
    }
    printf("showed %d frames\n", frames);
    return 0;
}
