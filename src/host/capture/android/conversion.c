#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/android/conversion.h"
#include "capture/android/session.h"

bool dj_capture_is_text_file(const char *output)
{
    static const char *const endings[] = {".txt", ".atrace", ".ctrace", ".systrace"};
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        if (dj_str_ends(dj_str_of(output), endings[i])) {
            return true;
        }
    }
    return false;
}

/* Returns the clock of the kernel text. The offset to CLOCK_MONOTONIC is known if atrace
 * wrote a line with this offset, or if the clock is one with a known offset. */
static struct dj_trace_clock find_clock(const struct dj_android_capture *capture)
{
    const struct dj_device *device = capture->device;
    int64_t at_ns, mono_ns;
    if (dj_conversion_parse_sync(capture->sync, &at_ns, &mono_ns)) {
        return (struct dj_trace_clock){
            .known = true, .to_mono_ns = mono_ns - at_ns, .error_ns = 1000};
    }
    bool boot = strcmp(capture->clock, "boot") == 0 && device->slept.known;
    bool mono = strcmp(capture->clock, "mono") == 0;
    return (struct dj_trace_clock){.known = boot || mono,
                                   .to_mono_ns = boot ? -device->slept.ns : 0,
                                   .error_ns = boot ? device->slept.uncertainty_ns : 0};
}

static void report_kept(const struct dj_android_capture *capture,
                        const struct dj_capture_converted *converted,
                        struct dj_capture_result *result)
{
    const struct dj_keep *keep = &capture->keep;
    result->janky = 0;
    for (size_t i = converted->too_old; i < keep->count; i++) {
        result->janky += keep->spans[i].frames;
    }
    if (keep->frames == 0) {
        dj_capture_add_limit(result, "what the device did: no frame was janky, and only "
                                     "the time around janky frames is kept");
    }
    if (converted->too_old > 0) {
        dj_capture_add_limit(
            result, "%llu of %llu janky frames: the buffer no longer had their events",
            (unsigned long long)(keep->frames - result->janky),
            (unsigned long long)keep->frames);
    }
}

static int replace_file(struct dj_captured_file *save, const char *converted, int fd,
                        struct dj_error *err)
{
    off_t size = lseek(fd, 0, SEEK_END);
    if (size < 0 || rename(converted, save->temporary) != 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", save->path,
                            strerror(errno));
    }
    close(save->fd);
    save->fd = fd;
    save->bytes = size;
    return 0;
}

static int convert_into(struct dj_android_capture *capture, const char *name, int fd,
                        struct dj_capture_converted *converted, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    const struct dj_capture_conversion conversion = {
        .input = capture->save.temporary,
        .output = fd,
        .name = name,
        .maximum = plan->size_max_bytes,
        .keep = plan->around_janky ? &capture->keep : NULL,
        .clock = find_clock(capture),
        .slept_known = capture->device->slept.known,
        .slept_ns = capture->device->slept.ns,
    };
    return capture->way == &dj_android_perfetto
               ? dj_conversion_cut_packets(&conversion, converted, err)
               : dj_conversion_convert_text(&conversion, converted, err);
}

static int convert_to_new_file(struct dj_android_capture *capture, const char *name,
                               struct dj_capture_result *result, struct dj_error *err)
{
    struct dj_capture_converted converted;
    struct dj_error why = {0};
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", name,
                            strerror(errno));
    }
    int code = convert_into(capture, name, fd, &converted, &why);
    if (code == 0) {
        code = replace_file(&capture->save, name, fd, err);
        if (code == 0) {
            capture->save.cut = capture->save.cut || converted.cut;
            if (capture->base.plan->around_janky) {
                report_kept(capture, &converted, result);
            }
            return 0;
        }
    }
    close(fd);
    unlink(name);
    if (code == DJ_E_OUTPUT) {
        return dj_error_set(err, code, "%s", why.message);
    }
    dj_capture_add_limit(result,
                         "what a conversion adds: dejank could not convert the "
                         "trace (%.140s)",
                         why.message);
    return 0;
}

int dj_android_convert(struct dj_android_capture *capture,
                       struct dj_capture_result *result, struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    struct dj_text name = {0};
    bool text =
        capture->way == &dj_android_atrace && !dj_capture_is_text_file(plan->output);
    if (!plan->around_janky && !text) {
        return 0;
    }
    dj_text_format(&name, "%s.shaped", capture->save.temporary);
    int code = name.failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                           : convert_to_new_file(capture, name.data, result, err);
    dj_text_finish(&name);
    return code;
}
