/* Runs the driver of instrumentation tests on one device, for the tests:
 *   instrument_probe SELECTOR INSTRUMENTATION CLASS|- JUNIT-FILE STREAM-FILE
 * Prints lines "window START_NS END_NS NAME", "uncertainty NS" and "outcome N REASON".
 * After an error, also prints a line "error CODE MESSAGE". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drive/instrument.h"
#include "report/junit.h"

static void junit(void *user, const struct dj_device *device,
                  const struct dj_test_results *results)
{
    struct dj_junit all = {0};
    struct dj_text text = {0};
    dj_report_add_junit_run(&all, &(struct dj_junit_run){.name = "probe",
                                                         .device = device->name,
                                                         .started_unix = time(NULL),
                                                         .results = results});
    dj_report_write_junit(&text, &all);
    fwrite(dj_text_get(&text), 1, text.length, user);
    dj_text_finish(&text);
    dj_report_finish_junit(&all);
}

static void print_log(const struct dj_drive_log *log)
{
    for (size_t i = 0; i < log->window_count; i++) {
        const struct dj_driver_window *window = &log->windows[i];
        printf("window %" PRId64 " %" PRId64 " %s\n", window->span.start_ns,
               window->span.end_ns, window->name);
    }
    printf("uncertainty %" PRId64 "\n", log->uncertainty_ns);
    printf("outcome %d %s\n", log->outcome, log->reason);
}

static int play(struct dj_device *device, const struct dj_instrument_request *request,
                struct dj_drive_log *log, struct dj_error *err)
{
    struct dj_driver driver = {0};
    int code = dj_drive_instrument_create(request, device, &driver, err);
    if (code == 0) {
        code = driver.prepare(driver.self, device, err);
        if (code == 0) {
            printf("prepared\n");
            fflush(stdout);
            code = driver.drive(driver.self, device, log, err);
            print_log(log);
        }
        dj_drive_instrument_destroy(&driver);
    }
    return code;
}

int main(int argc, char **argv)
{
    struct dj_device *device = NULL;
    struct dj_drive_log log = {0};
    struct dj_error err = {0};
    FILE *xml = argc == 6 ? fopen(argv[4], "wb") : NULL;
    FILE *stream = argc == 6 ? fopen(argv[5], "wb") : NULL;
    if (xml == NULL || stream == NULL) {
        fprintf(stderr, "usage: %s SELECTOR TESTS CLASS|- JUNIT-FILE STREAM-FILE\n",
                argv[0]);
        return 2;
    }
    static const char *const arguments[] = {"delay_msec", "0", NULL};
    const struct dj_instrument_request request = {
        .instrumentation = argv[2],
        .test = strcmp(argv[3], "-") == 0 ? NULL : argv[3],
        .arguments = arguments,
        .done = junit,
        .user = xml};
    int code = dj_device_open(argv[1], &device, &err);
    if (code == 0) {
        code = play(device, &request, &log, &err);
    }
    if (code != 0) {
        printf("error %d %s\n", code, err.message);
    }
    fwrite(dj_text_get(&log.stream), 1, log.stream.length, stream);
    fclose(stream);
    fclose(xml);
    dj_drive_log_finish(&log);
    dj_device_close(device);
    return 0;
}
