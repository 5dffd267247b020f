#include "trace/perf/sampled_event.h"

#include <linux/perf_event.h>

#include "base/count_of.h"

/* Longest time that a sample may represent. */
static const int64_t LONGEST_NS = INT64_C(10000000000);

enum { SOFTWARE = PERF_TYPE_SOFTWARE, HARDWARE = PERF_TYPE_HARDWARE, ALIAS = -1 };
enum { CGROUP_SWITCHES = 11 }; /* Older headers of the kernel do not have this value. */

/* The generic events of the kernel, and other names that perf has for them. */
static const struct {
    const char *name;
    int type;
    unsigned config;
    enum dj_perf_sampled sampled;
} generic_events[] = {
    {"cpu-clock", SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, DJ_PERF_CPU_CLOCK},
    {"task-clock", SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, DJ_PERF_TASK_CLOCK},
    {"cycles", HARDWARE, PERF_COUNT_HW_CPU_CYCLES, DJ_PERF_CYCLES},
    {"ref-cycles", HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, DJ_PERF_REF_CYCLES},
    {"context-switches", SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, DJ_PERF_SWITCH},
    {"cs", ALIAS, 0, DJ_PERF_SWITCH},
    {"page-faults", SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, DJ_PERF_NO_TIME},
    {"faults", ALIAS, 0, DJ_PERF_NO_TIME},
    {"minor-faults", SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, DJ_PERF_NO_TIME},
    {"major-faults", SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, DJ_PERF_NO_TIME},
    {"cpu-migrations", SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, DJ_PERF_NO_TIME},
    {"migrations", ALIAS, 0, DJ_PERF_NO_TIME},
    {"alignment-faults", SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, DJ_PERF_NO_TIME},
    {"emulation-faults", SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, DJ_PERF_NO_TIME},
    {"dummy", SOFTWARE, PERF_COUNT_SW_DUMMY, DJ_PERF_NO_TIME},
    {"bpf-output", SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, DJ_PERF_NO_TIME},
    {"cgroup-switches", SOFTWARE, CGROUP_SWITCHES, DJ_PERF_NO_TIME},
};

const char *dj_perf_get_event_name(uint32_t type, uint64_t config)
{
    for (size_t i = 0; i < COUNT_OF(generic_events); i++) {
        if (generic_events[i].type == (int64_t)type &&
            generic_events[i].config == (config & UINT32_MAX)) {
            return generic_events[i].name;
        }
    }
    return NULL;
}

/* Returns true if the text consists of modifiers of an event, as in "cycles:ukppp". */
static bool are_modifiers(struct dj_str text)
{
    static const char letters[] = "ukhGHIDWSpPeb";
    for (size_t i = 0; i < text.length; i++) {
        if (memchr(letters, text.at[i], sizeof(letters) - 1) == NULL) {
            return false;
        }
    }
    return true;
}

bool dj_perf_get_tracepoint(struct dj_str name, struct dj_str *tracepoint)
{
    const char *colon = memchr(name.at, ':', name.length);
    if (colon == NULL || memchr(name.at, '/', name.length) != NULL) {
        return false;
    }
    struct dj_str after = dj_str_between(colon + 1, name.at + name.length);
    if (are_modifiers(after)) {
        return false;
    }
    *tracepoint = dj_str_until(after, ":");
    return true;
}

enum dj_perf_sampled dj_perf_classify_event(struct dj_str name)
{
    struct dj_str tracepoint, rest;
    if (dj_perf_get_tracepoint(name, &tracepoint)) {
        return dj_str_is(tracepoint, "sched_switch") ? DJ_PERF_SWITCH : DJ_PERF_NO_TIME;
    }
    struct dj_str base = name.length > 0 ? dj_str_until(name, ":") : name;
    for (size_t i = 0; i < COUNT_OF(generic_events); i++) {
        if (dj_str_is(base, generic_events[i].name)) {
            return generic_events[i].sampled;
        }
    }
    return dj_str_after(base, "cycles", &rest) ? DJ_PERF_CYCLES : DJ_PERF_COUNT;
}

bool dj_perf_choose(struct dj_perf_choice *choice, enum dj_perf_sampled sampled)
{
    if (sampled < DJ_PERF_COUNT || sampled < choice->best) {
        return sampled == DJ_PERF_SWITCH;
    }
    choice->best = sampled;
    return true;
}

int64_t dj_perf_get_time(enum dj_perf_sampled sampled, int64_t period)
{
    return sampled >= DJ_PERF_TASK_CLOCK && period > 0 && period <= LONGEST_NS ? period
                                                                               : 0;
}
