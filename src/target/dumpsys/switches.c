#include "dumpsys/switches.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dumpsys/output.h"
#include "segment/select.h"

static int report_usage(void)
{
    dj_output_report_error(&(struct dj_error){
        .message = "invalid arguments of the service 'dejank', expected: dumpsys dejank "
                   "version, "
                   "dumpsys dejank clock, or dumpsys dejank profile on|off PACKAGE|PID"});
    return DJ_OUTPUT_USAGE;
}

static int print_version(void)
{
    struct dj_text text = {0};
    dj_text_add(&text, "dejank " DEJANK_VERSION "\n");
    return dj_output_print_text(&text);
}

static int64_t get_time_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Prints the clocks once for each line of input, until the input ends. The host measures
 * the round trips to compute the difference between its clock and the clocks of this
 * machine. */
static int print_clock(void)
{
    char bytes[64];
    ssize_t got;
    int status = 0;
    while (status == 0 && (got = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
        for (ssize_t i = 0; i < got && status == 0; i++) {
            struct dj_text text = {0};
            if (bytes[i] == '\n') {
                dj_text_format(&text, "clock %lld %lld\n",
                               (long long)get_time_ns(CLOCK_MONOTONIC),
                               (long long)get_time_ns(CLOCK_BOOTTIME));
                status = dj_output_print_text(&text);
            }
        }
    }
    return status;
}

static int switch_profile(bool on, const char *name)
{
    struct dj_segment_selection selection = {0};
    struct dj_error err = {0};
    int status = DJ_OUTPUT_FAILED;
    if (dj_segment_select(name, dj_output_report_callback, NULL, &selection, &err) != 0) {
        dj_output_report_error(&err);
    } else if (selection.count == 0) {
        dj_error_set(&err, DJ_E_NOT_FOUND, "No process found for: %s", name);
        dj_output_report_error(&err);
        status = DJ_OUTPUT_NO_DATA;
    } else if (dj_segment_selection_set_profile(&selection, on, dj_output_report_callback,
                                                NULL, NULL) == 0) {
        status = 0;
    }
    dj_segment_selection_finish(&selection);
    return status;
}

int dj_switches_dump(int count, char *const *words)
{
    if (count == 0 || (count == 1 && strcmp(words[0], "version") == 0) ||
        (count == 1 && strcmp(words[0], "-a") == 0)) {
        return print_version();
    }
    if (count == 1 && strcmp(words[0], "clock") == 0) {
        return print_clock();
    }
    if (count != 3 || strcmp(words[0], "profile") != 0) {
        return report_usage();
    }
    if (strcmp(words[1], "on") == 0) {
        return switch_profile(true, words[2]);
    }
    return strcmp(words[1], "off") == 0 ? switch_profile(false, words[2])
                                        : report_usage();
}
