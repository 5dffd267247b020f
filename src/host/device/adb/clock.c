#include "device/adb/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define ANSWER_NS (5 * DJ_SECOND_NS)
#define FIRST_NS (300 * DJ_MILLISECOND_NS)
#define SLEEP_AGE_NS (600 * DJ_SECOND_NS)
#define UPTIME_STEP_NS (10 * DJ_MILLISECOND_NS)

enum {
    FIRST_QUESTIONS = 32,
    LATER_QUESTIONS = 3,
    DRIFT_PPM = 50,
    ANSWER_BYTES_MAX = 256
};

/* The shell script that answers each line of input with the time of the device. dejank's
 * dumpsys handles all lines until the input ends. Any other dumpsys fails at once, and
 * then the loop answers. The loop uses only builtins of the shell, because starting a
 * program would delay the answer. */
static const char script[] = "dumpsys dejank clock 2>/dev/null; "
                             "while read -r q; do "
                             "read -r up idle </proc/uptime; "
                             "echo \"uptime $up $idle\"; done";

void dj_adb_clock_add_answer(struct dj_adb_clock_bounds *bounds, int64_t dev_ns,
                             int64_t step_ns, int64_t sent_ns, int64_t received_ns)
{
    int64_t low_ns = dev_ns - received_ns;
    int64_t high_ns = dev_ns + step_ns - sent_ns;
    int64_t drift_ns = (received_ns - bounds->at_ns) / 1000000 * DRIFT_PPM;
    if (bounds->known && low_ns <= bounds->high_ns + drift_ns &&
        high_ns >= bounds->low_ns - drift_ns) {
        low_ns = low_ns > bounds->low_ns - drift_ns ? low_ns : bounds->low_ns - drift_ns;
        high_ns =
            high_ns < bounds->high_ns + drift_ns ? high_ns : bounds->high_ns + drift_ns;
    }
    *bounds = (struct dj_adb_clock_bounds){true, low_ns, high_ns, received_ns};
}

bool dj_adb_clock_parse_answer(const char *line, size_t length,
                               struct dj_adb_clock_answer *answer)
{
    char text[ANSWER_BYTES_MAX];
    long long monotonic_ns, boot_ns;
    double boot_s;
    if (length >= sizeof(text)) {
        return false;
    }
    memcpy(text, line, length);
    text[length] = '\0';
    if (sscanf(text, "clock %18lld%*[ ]%18lld", &monotonic_ns, &boot_ns) == 2) {
        *answer = (struct dj_adb_clock_answer){monotonic_ns, boot_ns, 1};
        return monotonic_ns >= 0 && boot_ns >= 0;
    }
    const char *uptime = text + strlen("uptime ");
    if (strncmp(text, "uptime ", strlen("uptime ")) != 0 || *uptime < '0' ||
        *uptime > '9' || uptime[strspn(uptime, "0123456789.")] != ' ' ||
        !dj_str_double(dj_str_of(uptime), &boot_s) || boot_s >= 1e9) {
        return false;
    }
    boot_ns = (int64_t)(boot_s * (double)DJ_SECOND_NS + 0.5);
    *answer = (struct dj_adb_clock_answer){-1, boot_ns, UPTIME_STEP_NS};
    return true;
}

/* Parses "3842 (197122 ms ago)" or "5 (now)" and returns the time of the output in ms.
 * Returns −1 for other text, including times in the future such as "9 (in 7 ms)". */
static int64_t parse_stamp(struct dj_str text)
{
    char stamp[64];
    long long at_ms = 0, ago_ms = 0;
    int end = 0;
    size_t length = text.length < sizeof(stamp) ? text.length : sizeof(stamp) - 1;
    snprintf(stamp, sizeof(stamp), "%.*s", (int)length, text.at);
    if (sscanf(stamp, "%18lld (now)%n", &at_ms, &end) < 1 || end == 0) {
        sscanf(stamp, "%18lld (%18lld ms ago)%n", &at_ms, &ago_ms, &end);
    }
    return end > 0 && at_ms > 0 && ago_ms >= 0 ? at_ms + ago_ms : -1;
}

int64_t dj_adb_clock_parse_power(const char *text, size_t length)
{
    struct dj_str rest = {text, length};
    int64_t ms = -1;
    while (ms < 0 && dj_str_after(rest, "Time=", &rest)) {
        ms = parse_stamp(rest);
    }
    return ms;
}

static void close_shell(struct dj_adb_clock *clock)
{
    dj_device_process_close(clock->process);
    clock->process = NULL;
    dj_text_clear(&clock->received);
}

void dj_adb_clock_finish(struct dj_adb_clock *clock)
{
    close_shell(clock);
    dj_text_finish(&clock->received);
    *clock = (struct dj_adb_clock){.process = NULL};
}

static int read_line(struct dj_adb_clock *clock, struct dj_error *err)
{
    int64_t end_ns = dj_host_now_ns() + ANSWER_NS;
    struct dj_text stderr_text = {.maximum = 65536};
    int code = 0;
    bool ended = false;
    dj_text_clear(&clock->received);
    clock->received.maximum = ANSWER_BYTES_MAX;
    while (code == 0 && strchr(dj_text_get(&clock->received), '\n') == NULL) {
        int64_t left_ns = end_ns - dj_host_now_ns();
        code = ended ? dj_error_set(err, DJ_E_NO_DATA, "its shell ended")
               : left_ns <= 0
                   ? dj_error_set(err, DJ_E_TIMEOUT, "no answer in time")
                   : dj_device_process_read(clock->process, left_ns, &clock->received,
                                            &stderr_text, &ended, err);
    }
    dj_text_finish(&stderr_text);
    return code;
}

static int read_answer(struct dj_adb_clock *clock, struct dj_device *device,
                       struct dj_error *err)
{
    struct dj_adb_clock_answer answer;
    int64_t sent_ns = dj_host_now_ns();
    int code = dj_device_process_write(clock->process, "\n", 1, err);
    if (code == 0) {
        code = read_line(clock, err);
    }
    if (code != 0) {
        return code;
    }
    int64_t received_ns = dj_host_now_ns();
    const char *line = dj_text_get(&clock->received);
    if (!dj_adb_clock_parse_answer(line, strcspn(line, "\r\n"), &answer)) {
        return dj_error_set(err, DJ_E_NO_DATA, "its shell does not print the time");
    }
    bool exact = answer.monotonic_ns >= 0;
    clock->bounds.known = clock->bounds.known && clock->exact == exact;
    clock->exact = exact;
    dj_adb_clock_add_answer(&clock->bounds, exact ? answer.monotonic_ns : answer.boot_ns,
                            answer.step_ns, sent_ns, received_ns);
    if (exact) {
        device->slept = (struct dj_device_sleep){
            true, answer.boot_ns - answer.monotonic_ns, DJ_MILLISECOND_NS, received_ns};
    }
    return 0;
}

/* Narrows the bounds by asking several times. In the end, the bounds are about one round
 * trip apart. */
static int narrow_bounds(struct dj_adb_clock *clock, struct dj_device *device,
                         struct dj_error *err)
{
    bool first = !clock->bounds.known;
    int most = first ? FIRST_QUESTIONS : LATER_QUESTIONS;
    int64_t end_ns = dj_host_now_ns() + FIRST_NS;
    int code = 0;
    for (int i = 0; i < most && code == 0 && (i < 3 || dj_host_now_ns() < end_ns); i++) {
        code = read_answer(clock, device, err);
        /* /proc/uptime advances in steps of 10 ms. The pauses differ, so that the
         * questions arrive at different points of a step. Without different pauses, the
         * answers could not show when a step begins. */
        if (first && !clock->exact && code == 0) {
            dj_host_sleep_ns(DJ_MILLISECOND_NS * (1 + i % 3));
        }
        if (clock->exact && i >= 4) {
            break;
        }
    }
    return code;
}

static int read_power(struct dj_device *device, int64_t *ms, int64_t *sent_ns,
                      int64_t *received_ns, struct dj_error *err)
{
    static const char *const argv[] = {"dumpsys", "power", NULL};
    struct dj_device_result result = {0};
    *sent_ns = dj_host_now_ns();
    int code = dj_device_run(device, argv, ANSWER_NS, &result, err);
    *received_ns = dj_host_now_ns();
    if (code == 0) {
        *ms = dj_adb_clock_parse_power(dj_text_get(&result.out), result.out.length);
        if (*ms < 0 || *ms > INT64_MAX / DJ_MILLISECOND_NS) {
            code = dj_error_set(
                err, DJ_E_NO_DATA,
                "`dumpsys power` does not show how long the device has slept");
        }
    }
    dj_device_result_finish(&result);
    return code;
}

/* Asks how long the device has slept, unless the answer is known and recent. */
static int update_sleep(struct dj_adb_clock *clock, struct dj_device *device,
                        struct dj_error *err)
{
    int64_t ms = -1, sent_ns, received_ns;
    bool is_recent =
        device->slept.known && dj_host_now_ns() - device->slept.at_ns < SLEEP_AGE_NS;
    if (is_recent) {
        return 0;
    }
    struct dj_error why = {0};
    int code = read_power(device, &ms, &sent_ns, &received_ns, &why);
    if (code != 0) {
        return device->slept.known && code == DJ_E_NO_DATA
                   ? 0
                   : dj_error_set(err, code, "%s", why.message);
    }
    int64_t low_ns = sent_ns + clock->bounds.low_ns - (ms + 1) * DJ_MILLISECOND_NS;
    int64_t high_ns = received_ns + clock->bounds.high_ns - ms * DJ_MILLISECOND_NS;
    low_ns = low_ns > 0 ? low_ns : 0;
    high_ns = high_ns > low_ns ? high_ns : low_ns;
    int64_t half_ns = (high_ns - low_ns) / 2;
    device->slept =
        (struct dj_device_sleep){true, low_ns + half_ns, half_ns, received_ns};
    return 0;
}

static int read_from_shell(struct dj_adb_clock *clock, struct dj_device *device,
                           struct dj_error *err)
{
    static const char *const argv[] = {"sh", "-c", script, NULL};
    int code = 0;
    if (clock->process == NULL) {
        code = dj_device_start(device, argv, &clock->process, err);
        /* The first answer is ignored, because its delay includes the start of the
         * shell. */
        code = code == 0 ? read_answer(clock, device, err) : code;
        clock->bounds.known = false;
    }
    if (code == 0) {
        code = narrow_bounds(clock, device, err);
    }
    if (code != 0) {
        close_shell(clock);
    }
    return code;
}

int dj_adb_clock_read(struct dj_adb_clock *clock, struct dj_device *device,
                      int64_t *dev_ns, int64_t *uncertainty_ns, struct dj_error *err)
{
    bool had_one = clock->process != NULL;
    int code = read_from_shell(clock, device, err);
    /* Try again with a new shell, because the device may have been disconnected or
     * restarted since the last call. */
    if (code != 0 && had_one && code != DJ_E_INTERRUPTED && code != DJ_E_TIMEOUT) {
        clock->bounds.known = false;
        device->slept.known = false;
        code = read_from_shell(clock, device, err);
    }
    if (code == 0 && !clock->exact) {
        code = update_sleep(clock, device, err);
    }
    if (code != 0) {
        return code;
    }
    const struct dj_adb_clock_bounds *bounds = &clock->bounds;
    int64_t half_ns = (bounds->high_ns - bounds->low_ns) / 2;
    *dev_ns = dj_host_now_ns() + bounds->low_ns + half_ns -
              (clock->exact ? 0 : device->slept.ns);
    *uncertainty_ns = half_ns + (clock->exact ? 0 : device->slept.uncertainty_ns);
    return 0;
}
