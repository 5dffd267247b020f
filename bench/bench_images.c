/* A program with very short frames, so that the cost of a recorder shows: each is a poll
 * and a small image to an X window. Prints the median length of a frame in ns. bench/run
 * starts it alternately with and without the recorder. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include "frame_times.h"

enum { FRAMES = 50000, WARM_UP = 1000, SIZE = 4 };

int main(void)
{
    static int64_t frame_ns[FRAMES];
    static uint8_t pixels[SIZE * SIZE * 4];
    xcb_connection_t *x = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(x)) {
        fputs("bench_images: no X server\n", stderr);
        return 1;
    }
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(x)).data;
    xcb_window_t window = xcb_generate_id(x);
    xcb_gcontext_t context = xcb_generate_id(x);
    xcb_create_window(x, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, SIZE, SIZE, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_create_gc(x, context, window, 0, NULL);
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "", 1) != 1) {
        perror("bench_images: pipe");
        return 1;
    }
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    for (int i = -WARM_UP; i < FRAMES; i++) {
        int64_t start_ns = now_ns();
        poll(&ready, 1, 0);
        xcb_put_image(x, XCB_IMAGE_FORMAT_Z_PIXMAP, window, context, SIZE, SIZE, 0, 0, 0,
                      screen->root_depth, sizeof(pixels), pixels);
        if (i >= 0) {
            frame_ns[i] = now_ns() - start_ns;
        }
    }
    print_median(frame_ns, FRAMES);
    xcb_disconnect(x);
    return 0;
}
