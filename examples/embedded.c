/*
 * An embedded loop without terminal, display server and files. It reads a sensor, and
 * draws on a small display only when the value is new. It learns when the display showed
 * a frame only after the next frame has begun.
 *
 *   embedded [ROUNDS]      then: dumpsys gfxinfo embedded framestats
 */
#include <dejank/frames.h>
#include <dejank/sections.h>
#include <stdlib.h>
#include <time.h>

enum { SEGMENTS = 7, DIGITS = 4 };

static unsigned char lit[DIGITS][SEGMENTS];

static int read_sensor(int round)
{
    const struct timespec conversion = {0, 2000000};
    dejank_section_begin("sensor");
    nanosleep(&conversion, NULL);
    dejank_section_end();
    return round / 3; /* a new value every third time */
}

static void light(int value)
{
    for (int digit = 0; digit < DIGITS; digit++, value /= 10) {
        for (int segment = 0; segment < SEGMENTS; segment++) {
            lit[digit][segment] = (unsigned char)((value % 10) >> (segment % 4) & 1);
        }
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 90;
    int shown = -1;
    struct dejank_frame before = {0};
    for (int round = 0; round < rounds; round++) {
        int value = read_sensor(round);
        dejank_counter_set("value", value);
        dejank_frame_begin(0);
        dejank_frame_stage(DEJANK_DRAW_START);
        if (value == shown) {
            dejank_frame_discard(); /* Nothing to draw, so this is no frame. */
            continue;
        }
        light(value);
        shown = value;
        /* The time at which the display showed the previous frame is known only now. */
        dejank_frame_amend(before, DEJANK_DISPLAY_PRESENT_TIME, dejank_now_ns());
        before = dejank_frame_end();
    }
    return 0;
}
