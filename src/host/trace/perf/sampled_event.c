#include "trace/perf/sampled_event.h"

#include "base/count_of.h"

/* Longest time that a sample may represent. */
static const int64_t LONGEST_NS = INT64_C(10000000000);

static bool is_listed(struct dj_str name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (dj_str_is(name, list[i])) {
            return true;
        }
    }
    return false;
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
    static const char *const clocks[] = {"cpu-clock", "task-clock"};
    static const char *const switches[] = {"context-switches", "cs"};
    static const char *const others[] = {
        "page-faults",      "faults",           "minor-faults",   "major-faults",
        "cpu-migrations",   "migrations",       "dummy",          "bpf-output",
        "alignment-faults", "emulation-faults", "cgroup-switches"};
    struct dj_str tracepoint, rest;
    if (dj_perf_get_tracepoint(name, &tracepoint)) {
        return dj_str_is(tracepoint, "sched_switch") ? DJ_PERF_SWITCH : DJ_PERF_NO_TIME;
    }
    struct dj_str base = name.length > 0 ? dj_str_until(name, ":") : name;
    return is_listed(base, clocks, COUNT_OF(clocks))       ? DJ_PERF_CLOCK
           : is_listed(base, switches, COUNT_OF(switches)) ? DJ_PERF_SWITCH
           : is_listed(base, others, COUNT_OF(others))     ? DJ_PERF_NO_TIME
           : dj_str_after(base, "cycles", &rest)           ? DJ_PERF_CYCLES
                                                           : DJ_PERF_COUNT;
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
    return sampled == DJ_PERF_CLOCK && period > 0 && period <= LONGEST_NS ? period : 0;
}
