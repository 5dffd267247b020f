/* Draws nothing, but reports HZ frames per second like an app on a display with this
 * refresh rate:
 *
 *   bench-paced HZ SECONDS */
#include <dejank/frames.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static void sleep_until(int64_t at_ns)
{
    const struct timespec at = {at_ns / 1000000000, at_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
    }
}

int main(int argc, char **argv)
{
    int64_t rate_hz = argc > 1 ? atoi(argv[1]) : 60;
    int64_t frames = rate_hz * (argc > 2 ? atoi(argv[2]) : 10);
    int64_t start_ns = dejank_now_ns();
    for (int64_t i = 0; i < frames; i++) {
        sleep_until(start_ns + i * 1000000000 / rate_hz);
        dejank_frame_begin(0);
        dejank_frame_stage(DEJANK_DRAW_START);
        dejank_frame_end();
    }
    return 0;
}
