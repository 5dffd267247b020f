/* Finds out which call stacks this process is permitted to sample. */
#include <stdio.h>
#include <unistd.h>

#include "capture/permissions.h"
#include "capture/sampling/events.h"

static const struct {
    const char *contents;
    /* Commands that permit more, for users and for root in a container. */
    const char *remedy, *root_remedy;
} scopes[DJ_SAMPLING_SCOPES] = {
    [DJ_SAMPLING_MACHINE] = {"on each CPU; frames take 0 to 5 % longer", NULL, NULL},
    [DJ_SAMPLING_THREADS] = {"of the app's threads; frames take 2 to 30 % longer, most "
                             "in apps with many thread switches",
                             "sudo -E dejank trace capture --stacks …",
                             "dejank trace capture --stacks …, outside of this "
                             "container"},
    [DJ_SAMPLING_USER_THREADS] = {"of the app's threads, without their time in the "
                                  "kernel; frames take 2 to 30 % longer, most in apps "
                                  "with many thread switches",
                                  "sudo -E dejank trace capture --stacks …",
                                  "dejank trace capture --stacks …, outside of this "
                                  "container"},
};

/* Describes rings that are smaller than requested. */
static void describe_small_rings(const struct dj_sampling_events *events, char text[64])
{
    int64_t kilobytes = (int64_t)events->cpu.pages * sysconf(_SC_PAGESIZE) / 1024;
    text[0] = '\0';
    if (kilobytes < 1024) {
        snprintf(text, 64, "; rings of only %lld kB (ulimit -l)", (long long)kilobytes);
    }
}

void dj_capture_stacks_test(struct dj_capture_stack_access *access)
{
    struct dj_sampling_events events = {.wanted = {.cpu = true}};
    struct dj_error why = {0};
    char rings[64];
    bool is_root = geteuid() == 0;
    access->permitted = dj_sampling_events_open(&events, &why) == 0;
    if (access->permitted) {
        describe_small_rings(&events, rings);
        snprintf(access->found, sizeof(access->found), "call stacks %s%s",
                 scopes[events.scope].contents, rings);
        access->remedy =
            is_root ? scopes[events.scope].root_remedy : scopes[events.scope].remedy;
    } else {
        snprintf(access->found, sizeof(access->found), "no call stacks: %.200s",
                 why.message);
        access->remedy = is_root ? "dejank trace capture --stacks …, outside of this "
                                   "container"
                                 : "sudo sysctl kernel.perf_event_paranoid=2";
    }
    dj_sampling_events_close(&events);
}
