/* drive_words DEVICE WORDS [PACKAGE [TIMES]]
 *
 * Plays gestures or a flow on a device without a measurement. Prints the driver's
 * results: lines "outcome N REASON" and "window NAME START END", and then the driver's
 * stream. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/gesture_driver.h"

static void print_log(const struct dj_drive_log *log)
{
    printf("outcome %d %s\n", (int)log->outcome, log->reason);
    for (size_t i = 0; i < log->window_count; i++) {
        const struct dj_driver_window *window = &log->windows[i];
        printf("window %s %" PRId64 " %" PRId64 "\n", window->name, window->span.start_ns,
               window->span.end_ns);
    }
    fputs(dj_text_get(&log->stream), stdout);
    fflush(stdout);
}

static int play(struct dj_driver *driver, struct dj_device *device, struct dj_error *err)
{
    struct dj_drive_log log = {0};
    int code = driver->prepare(driver->self, device, err);
    if (code == 0) {
        puts("prepared");
        code = driver->drive(driver->self, device, &log, err);
        print_log(&log);
    }
    dj_drive_log_finish(&log);
    return code;
}

int main(int argc, char **argv)
{
    struct dj_driver driver = {0};
    struct dj_device *device = NULL;
    struct dj_error err = {0};
    int times = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 1;
    if (argc < 3) {
        return 2;
    }
    int code = dj_drive_gestures_create(argv[2], strlen(argv[2]), &driver, &err);
    if (code == 0 && argc > 3 && argv[3][0] != '\0') {
        code = dj_drive_gestures_set_app(&driver, argv[3], NULL) ? 0 : DJ_E_NO_MEMORY;
    }
    code = code == 0 ? dj_device_open(argv[1], &device, &err) : code;
    for (int i = 0; code == 0 && i < times; i++) {
        code = play(&driver, device, &err);
    }
    dj_drive_gestures_destroy(&driver);
    dj_device_close(device);
    if (code != 0) {
        fprintf(stderr, "%d %s\n", code, err.message);
    }
    return code == 0 ? 0 : 1;
}
