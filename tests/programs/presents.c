/* Presents pictures with X Present, one at each refresh. Some are late on purpose. Some
 * are replaced by a newer one before they are shown. The program is idle between bursts.
 *
 *   presents BURSTS FRAMES LATE_EVERY SKIP_EVERY
 *
 * Prints "ready" and waits for a line of input, so that a recording from outside can
 * begin first. Every LATE_EVERY-th frame of a burst is presented three refreshes late
 * (0: none). Before every SKIP_EVERY-th frame, the program presents another one for the
 * same refresh, which the server skips (0: none). After each burst it is idle for 600 ms.
 * At the end prints "shown N late M skipped K overdue L". M is the number of frames that
 * the program made late. The server reported the others: N frames were shown, K were
 * skipped, and L were three or four refreshes late, including those that a busy machine
 * delayed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/present.h>
#include <xcb/xcb.h>

enum { WIDTH = 160, HEIGHT = 120, LATE_REFRESHES = 3, IDLE_MS = 600 };

static xcb_connection_t *connection;
static xcb_window_t window;
static xcb_special_event_t *events;
static uint64_t refresh; /* The last refresh that showed a picture. */
static unsigned shown, skipped, overdue, serial;

static void open_window(void)
{
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    window = xcb_generate_id(connection);
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, WIDTH,
                      HEIGHT, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0,
                      NULL);
    xcb_change_property(connection, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, 8, "presents");
    xcb_map_window(connection, window);
    uint32_t id = xcb_generate_id(connection);
    xcb_present_select_input(connection, id, window,
                             XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY);
    events = xcb_register_for_special_xge(connection, &xcb_present_id, id, NULL);
}

static xcb_pixmap_t create_pixmap(void)
{
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    xcb_pixmap_t pixmap = xcb_generate_id(connection);
    xcb_create_pixmap(connection, screen->root_depth, pixmap, window, WIDTH, HEIGHT);
    return pixmap;
}

static void present(xcb_pixmap_t pixmap, uint64_t target)
{
    xcb_present_pixmap(connection, window, pixmap, ++serial, 0, 0, 0, 0, 0, 0, 0,
                       XCB_PRESENT_OPTION_NONE, target, 0, 0, 0, NULL);
}

/* Waits for a reply of the server. By then it has created the window and has reported
 * that to other clients. */
static void wait_for_window(void)
{
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
}

/* Waits until the server has reported the newest present. */
static int wait_for_present(void)
{
    xcb_flush(connection);
    for (;;) {
        xcb_present_complete_notify_event_t *event =
            (void *)xcb_wait_for_special_event(connection, events);
        if (event == NULL) {
            return -1;
        }
        int is_skipped = event->mode == XCB_PRESENT_COMPLETE_MODE_SKIP;
        int is_last = event->serial == serial && event->kind == 0;
        skipped += (unsigned)is_skipped;
        shown += (unsigned)!is_skipped;
        refresh = is_skipped ? refresh : event->msc;
        free(event);
        if (is_last) {
            return 0;
        }
    }
}

int main(int argc, char **argv)
{
    int bursts = argc > 1 ? atoi(argv[1]) : 1, frames = argc > 2 ? atoi(argv[2]) : 60;
    int late_every = argc > 3 ? atoi(argv[3]) : 0;
    int skip_every = argc > 4 ? atoi(argv[4]) : 0, late = 0;
    connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(connection)) {
        fprintf(stderr, "presents: no X server\n");
        return 2;
    }
    open_window();
    xcb_pixmap_t pixmaps[] = {create_pixmap(), create_pixmap(), create_pixmap()};
    wait_for_window();
    puts("ready");
    fflush(stdout);
    char line[16];
    if (fgets(line, sizeof(line), stdin) == NULL) {
        return 3;
    }
    for (int burst = 0; burst < bursts; burst++) {
        uint64_t next = 0; /* The first frame of a burst is shown at once. */
        for (int i = 1; i <= frames; i++) {
            int is_late = late_every > 0 && i % late_every == 0;
            uint64_t target = next == 0 ? 0 : next + (is_late ? LATE_REFRESHES : 0);
            late += is_late;
            if (skip_every > 0 && i % skip_every == 0) {
                present(pixmaps[2], target);
            }
            present(pixmaps[i % 2], target);
            if (wait_for_present() != 0) {
                return 4;
            }
            uint64_t late_by = next == 0 ? 0 : refresh - next;
            overdue += late_by == LATE_REFRESHES || late_by == LATE_REFRESHES + 1;
            next = refresh + 1;
        }
        const struct timespec idle = {0, IDLE_MS * 1000000};
        nanosleep(&idle, NULL);
    }
    printf("shown %u late %d skipped %u overdue %u\n", shown, late, skipped, overdue);
    return 0;
}
