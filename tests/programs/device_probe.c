/* Calls functions of dejank's module `device`, for the tests:
 *   device_probe SELECTOR run CMD ARG…        with stdin, stdout, stderr and exit code
 *                                             of the command
 *   device_probe SELECTOR push FILE PATH MODE
 *   device_probe SELECTOR pull PATH           to stdout
 *   device_probe SELECTOR clock N             N lines "host_ns dev_ns uncertainty_ns"
 *   device_probe SELECTOR gfxinfo PACKAGE     "dev_ns"
 * After an error, prints a line on stderr and exits with 99. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"

enum { FAILED = 99 };

static int fail(const struct dj_error *err)
{
    fprintf(stderr, "error %d: %s\n", err->code, err->message);
    return FAILED;
}

static void flush(int fd, struct dj_text *text)
{
    size_t done = 0;
    while (done < text->length) {
        ssize_t written = write(fd, text->data + done, text->length - done);
        if (written <= 0) {
            exit(FAILED);
        }
        done += (size_t)written;
    }
    dj_text_clear(text);
}

/* Passes available bytes of stdin to the process. Returns false at the end of stdin. */
static bool feed(struct dj_device_process *process, struct dj_error *err)
{
    char bytes[4096];
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&wait, 1, 0) <= 0) {
        return true;
    }
    ssize_t got = read(STDIN_FILENO, bytes, sizeof(bytes));
    if (got <= 0) {
        dj_device_process_end_input(process, err);
        return false;
    }
    return dj_device_process_write(process, bytes, (size_t)got, err) == 0;
}

static int run(struct dj_device *device, char **words)
{
    struct dj_device_process *process;
    struct dj_text out = {0}, err_text = {0};
    struct dj_error err = {0};
    bool ended = false, feeding = true;
    const char *const *argv = (const char *const *)(uintptr_t)words;
    int code = dj_device_start(device, argv, &process, &err);
    while (code == 0 && !ended) {
        code = dj_device_process_read(process, 10 * DJ_MILLISECOND_NS, &out, &err_text,
                                      &ended, &err);
        flush(STDOUT_FILENO, &out);
        flush(STDERR_FILENO, &err_text);
        feeding = feeding && !ended && feed(process, &err);
    }
    int result = code != 0 ? fail(&err) : dj_device_process_exit_code(process);
    if (process != NULL) {
        dj_device_process_close(process);
    }
    dj_text_finish(&out);
    dj_text_finish(&err_text);
    return result;
}

static int push(struct dj_device *device, char **words)
{
    struct dj_error err = {0};
    unsigned mode = (unsigned)strtoul(words[2], NULL, 8);
    return dj_device_push(device, words[0], words[1], mode, &err) == 0 ? 0 : fail(&err);
}

static int pull(struct dj_device *device, char **words)
{
    struct dj_error err = {0};
    struct dj_text bytes = {0};
    int code = dj_device_pull(device, words[0], &bytes, &err);
    flush(STDOUT_FILENO, &bytes);
    dj_text_finish(&bytes);
    return code == 0 ? 0 : fail(&err);
}

static int tell_clock(struct dj_device *device, char **words)
{
    struct dj_error err = {0};
    for (long left = strtol(words[0], NULL, 10); left > 0; left--) {
        int64_t dev_ns = 0, uncertainty_ns = 0;
        int code = dj_device_read_clock(device, &dev_ns, &uncertainty_ns, &err);
        int64_t host_ns = dj_host_now_ns();
        if (code != 0) {
            return fail(&err);
        }
        printf("%lld %lld %lld\n", (long long)host_ns, (long long)dev_ns,
               (long long)uncertainty_ns);
    }
    return 0;
}

static int gfxinfo(struct dj_device *device, char **words)
{
    struct dj_error err = {0};
    struct dj_device_gfxinfo reading = {0};
    const struct dj_gfxinfo_request request = {.package = words[0], .since_ns = -1};
    int code = dj_device_read_gfxinfo(device, &request, &reading, &err);
    printf("%lld\n", (long long)reading.dev_ns);
    dj_device_gfxinfo_finish(&reading);
    if (code == 0 && words[1] != NULL && strcmp(words[1], "clock") == 0) {
        return tell_clock(device, words + 2);
    }
    return code == 0 ? 0 : fail(&err);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int words;
        int (*act)(struct dj_device *device, char **words);
    } acts[] = {{"run", 1, run},
                {"push", 3, push},
                {"pull", 1, pull},
                {"clock", 1, tell_clock},
                {"gfxinfo", 1, gfxinfo}};
    struct dj_device *device;
    struct dj_error err = {0};
    for (size_t i = 0; argc > 3 && i < sizeof(acts) / sizeof(acts[0]); i++) {
        if (strcmp(argv[2], acts[i].name) == 0 && argc >= 3 + acts[i].words) {
            if (dj_device_open(argv[1], &device, &err) != 0) {
                return fail(&err);
            }
            int result = acts[i].act(device, argv + 3);
            dj_device_close(device);
            return result;
        }
    }
    fprintf(stderr, "expected: SELECTOR run|push|pull|clock|gfxinfo …\n");
    return FAILED;
}
