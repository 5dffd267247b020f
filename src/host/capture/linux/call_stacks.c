/* Samples the call stacks of the captured apps. If stacks cannot be sampled, the capture
 * continues without them, and a limit says why. */
#include "capture/linux/kernel_clock.h"
#include "capture/linux/session.h"
#include "capture/sampling/sampler.h"

static void add_refusal(struct dj_linux *capture, const char *what,
                        const struct dj_error *why)
{
    dj_capture_add_limit(&capture->result, "%s (%.120s)", what, why->message);
}

void dj_linux_start_stacks(struct dj_linux *capture)
{
    struct dj_error why = {0};
    struct dj_capture_stacks wanted = capture->base.plan->stacks;
    if (!wanted.cpu && !wanted.waits) {
        return;
    }
    capture->result.stacks.wanted = true;
    if (dj_sampler_start(&wanted, capture->kernel_ns, &capture->sampler, &why) != 0) {
        capture->sampler = NULL;
        add_refusal(capture, "which functions ran: the capture has no call stacks", &why);
    } else if (wanted.waits && dj_sampler_start_waits(capture->sampler, &why) != 0) {
        add_refusal(capture, "which functions waited: only root may sample waits", &why);
        if (!wanted.cpu) {
            dj_sampler_destroy(capture->sampler);
            capture->sampler = NULL;
        }
    }
}

static void watch(struct dj_linux *capture, int64_t pid)
{
    struct dj_error why = {0};
    if (pid > 0 && pid <= INT32_MAX && !capture->stacks_refused &&
        dj_sampler_watch(capture->sampler, (int32_t)pid, &why) != 0) {
        capture->stacks_refused = true;
        add_refusal(capture, "the functions of some threads: they could not be sampled",
                    &why);
    }
}

void dj_linux_watch_stacks(struct dj_linux *capture)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    const struct dj_records *records = &capture->records;
    if (capture->sampler == NULL) {
        return;
    }
    for (size_t i = 0; i < plan->pid_count; i++) {
        watch(capture, plan->pids[i]);
    }
    for (size_t i = 0; i < records->count && plan->pid_count == 0; i++) {
        if (!records->processes[i].ended) {
            watch(capture, records->processes[i].pid);
        }
    }
    if (plan->pid_count == 0 && capture->app.state == DJ_APP_UNRECORDED) {
        watch(capture, capture->app.pid);
    }
}

/* Adds limits to the result for lost records, paused sampling, waits that were not
 * examined, and incomplete stacks. */
static void report_losses(struct dj_linux *capture,
                          const struct dj_sampler_counts *counts)
{
    enum { INCOMPLETE_MOST_PERCENT = 5 };
    struct dj_capture_result *result = &capture->result;
    if (counts->lost > 0) {
        dj_capture_add_limit(result,
                             "%llu call stacks: they came faster than dejank could read "
                             "them (buffers of %lld kB per CPU)",
                             (unsigned long long)counts->lost,
                             (long long)counts->ring_bytes / 1024);
    }
    if (counts->throttled > 0) {
        dj_capture_add_limit(result,
                             "some call stacks: the kernel paused sampling %llu times "
                             "(kernel.perf_cpu_time_max_percent)",
                             (unsigned long long)counts->throttled);
    }
    if (counts->waits_capped > 0) {
        dj_capture_add_limit(result,
                             "the functions of %llu waits: dejank examines at most 1000 "
                             "waits per thread and second",
                             (unsigned long long)counts->waits_capped);
    }
    uint64_t broken = counts->incomplete + counts->failed;
    if (broken * 100 > (counts->samples + counts->failed) * INCOMPLETE_MOST_PERCENT) {
        dj_capture_add_limit(result,
                             "the outer functions of %llu of %llu call stacks: a larger "
                             "--stack-size may help",
                             (unsigned long long)broken,
                             (unsigned long long)(counts->samples + counts->failed));
    }
    if (counts->scope == DJ_SAMPLING_USER_THREADS) {
        dj_capture_add_limit(result, "which functions called the kernel: this user may "
                                     "sample only the app's own code");
    }
}

void dj_linux_stop_stacks(struct dj_linux *capture)
{
    static const char *const scopes[DJ_SAMPLING_SCOPES] = {
        [DJ_SAMPLING_MACHINE] = "cpus",
        [DJ_SAMPLING_THREADS] = "threads",
        [DJ_SAMPLING_USER_THREADS] = "user-threads",
    };
    struct dj_error why = {0};
    if (capture->sampler == NULL || capture->result.stacks.source != NULL) {
        return;
    }
    if (dj_sampler_stop(capture->sampler, &why) != 0) {
        add_refusal(capture, "which functions ran later: sampling ended early", &why);
    }
    struct dj_sampler_counts counts = dj_sampler_get_counts(capture->sampler);
    capture->result.stacks = (struct dj_capture_stack_counts){
        .wanted = true,
        .source = scopes[counts.scope],
        .rate_hz = counts.rate_hz,
        .samples = counts.samples,
        .waits = counts.waits,
        .incomplete = counts.incomplete + counts.failed,
        .guessed = counts.guessed,
        .lost = counts.lost,
        .throttled = counts.throttled,
    };
    report_losses(capture, &counts);
}

int dj_linux_write_stacks(struct dj_linux *capture, struct dj_event_sink sink,
                          struct dj_error *err)
{
    struct dj_kernel_clock clock = {.sink = sink, .offset_ns = capture->kernel_ns};
    const struct dj_keep *keep =
        capture->base.plan->around_janky ? &capture->spool.keep : NULL;
    return capture->sampler == NULL
               ? 0
               : dj_sampler_write(capture->sampler, keep, INT64_MAX,
                                  (struct dj_event_sink){dj_kernel_clock_convert, &clock},
                                  err);
}
