#include "triage/index/cpu_speeds.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"
#include "memory/memory.h"
#include "trace/event.h"
#include "triage/index/group.h"

/* Percentages. A CPU runs at its limit if its frequency is at least AT_LIMIT percent of
 * the limit. A frequency is well below another one if it is less than WELL_BELOW percent
 * of it. */
enum { AT_LIMIT = 95, WELL_BELOW = 80 };

/* A cluster is a group of CPUs whose frequency always changes together. The events of two
 * CPUs of a cluster are at most this far apart. */
enum { TOGETHER_NS = 100000 };

/* Maximum number of CPUs that are compared, and maximum number of speeds that are
 * counted. */
enum { MOST_CORES = 1024, MOST_SPEEDS = 1024 };

static ptrdiff_t get_speed_key(const struct dj_triage_index *index, size_t item)
{
    const struct dj_trace_mark *mark = &index->trace->marks[item];
    bool speed = mark->kind == DJ_EVENT_FREQUENCY || mark->kind == DJ_EVENT_LIMITS;
    return speed && dj_triage_find_cpu(index, mark->cpu) != NULL ? mark->cpu : -1;
}

static void read_speeds(struct dj_triage_index *index, const uint32_t *order,
                        struct dj_triage_range range)
{
    struct dj_triage_speed now = {0};
    for (size_t i = range.from; i < range.to; i++) {
        const struct dj_trace_mark *mark = &index->trace->marks[order[i]];
        bool limits = mark->kind == DJ_EVENT_LIMITS;
        int64_t khz = limits ? mark->value_2 : mark->value;
        now.at_ns = mark->at_ns;
        *(limits ? &now.limit_khz : &now.khz) = khz;
        now.full_khz = khz > now.full_khz ? khz : now.full_khz;
        index->speeds[i] = now;
        index->has_speeds |= !limits;
    }
    for (size_t i = range.from; i < range.to; i++) {
        index->speeds[i].full_khz = now.full_khz;
    }
}

/* Returns the index of the next event, from `at` on, that changes the frequency. Events
 * that change only the limit are skipped. */
static size_t find_next_change(const struct dj_triage_index *index,
                               struct dj_triage_range range, size_t at)
{
    while (at < range.to &&
           index->speeds[at].khz == (at > range.from ? index->speeds[at - 1].khz : 0)) {
        at++;
    }
    return at;
}

/* Returns true if the frequencies of both CPUs change, and always at the same time and
 * to the same frequency. */
static bool change_together(const struct dj_triage_index *index, size_t a, size_t b)
{
    struct dj_triage_range left = index->cpus[a].speeds;
    struct dj_triage_range right = index->cpus[b].speeds;
    size_t i = find_next_change(index, left, left.from);
    size_t j = find_next_change(index, right, right.from);
    bool any = i < left.to;
    while (i < left.to && j < right.to) {
        const struct dj_triage_speed *one = &index->speeds[i];
        const struct dj_triage_speed *other = &index->speeds[j];
        if (one->khz != other->khz ||
            one->at_ns > dj_checked_add_saturated(other->at_ns, TOGETHER_NS) ||
            other->at_ns > dj_checked_add_saturated(one->at_ns, TOGETHER_NS)) {
            return false;
        }
        i = find_next_change(index, left, i + 1);
        j = find_next_change(index, right, j + 1);
    }
    return any && i == left.to && j == right.to;
}

static size_t count_speeds(const struct dj_triage_index *index, size_t cpu)
{
    struct dj_triage_range speeds = index->cpus[cpu].speeds;
    return speeds.to - speeds.from;
}

/* Returns the first CPU of the cluster to which `cpu` belongs. */
static uint32_t find_first_cpu(const struct dj_triage_index *index, size_t cpu)
{
    for (size_t i = 0; i < cpu && cpu < MOST_CORES && count_speeds(index, cpu) > 0; i++) {
        if (index->cpus[i].speeds_of == i && count_speeds(index, i) > 0 &&
            change_together(index, cpu, i)) {
            return (uint32_t)i;
        }
    }
    return (uint32_t)cpu;
}

/* Finds the CPU with the most events in each cluster. All CPUs of the cluster use the
 * events of this CPU, because the kernel reports limits for only one CPU of a cluster. */
static void find_clusters(struct dj_triage_index *index)
{
    uint32_t *best = dj_xcalloc(index->cpu_count, sizeof(*best));
    for (size_t i = 0; i < index->cpu_count; i++) {
        uint32_t first = index->cpus[i].speeds_of = find_first_cpu(index, i);
        best[first] =
            first == i || count_speeds(index, i) > count_speeds(index, best[first])
                ? (uint32_t)i
                : best[first];
    }
    for (size_t i = 0; i < index->cpu_count; i++) {
        index->cpus[i].speeds_of = best[index->cpus[i].speeds_of];
    }
    free(best);
}

static void find_highest(struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < index->cpu_count; i++) {
        struct dj_triage_range range = index->cpus[i].speeds;
        int64_t *core_khz = &index->cpus[index->cpus[i].speeds_of].core_khz;
        int64_t seen_khz = range.to > range.from ? index->speeds[range.from].full_khz : 0;
        int64_t known_khz = i < DJ_TRACE_CPUS ? trace->core_khz[i] : 0;
        int64_t khz = known_khz > seen_khz ? known_khz : seen_khz;
        *core_khz = khz > *core_khz ? khz : *core_khz;
        index->highest_khz = khz > index->highest_khz ? khz : index->highest_khz;
    }
}

void dj_triage_find_speeds(struct dj_triage_index *index)
{
    size_t count = index->trace->mark_count;
    uint32_t *order = dj_triage_group_by_cpu(index, count, get_speed_key,
                                             offsetof(struct dj_triage_cpu, speeds));
    index->speeds = dj_xresize(NULL, count, sizeof(*index->speeds));
    for (size_t i = 0; i < index->cpu_count; i++) {
        read_speeds(index, order, index->cpus[i].speeds);
    }
    free(order);
    find_clusters(index);
    find_highest(index);
}

static bool is_well_below(int64_t khz, int64_t other_khz)
{
    return khz > 0 && 100.0 * (double)khz < WELL_BELOW * (double)other_khz;
}

static struct dj_triage_pace compute_pace(const struct dj_triage_index *index,
                                          const struct dj_triage_cpu *cpu,
                                          const struct dj_triage_speed *speed)
{
    struct dj_triage_pace pace = {.khz = speed->khz};
    pace.is_limited = speed->khz > 0 && speed->limit_khz > 0 &&
                      speed->limit_khz < speed->full_khz &&
                      speed->khz < speed->full_khz &&
                      100.0 * (double)speed->khz >= AT_LIMIT * (double)speed->limit_khz;
    bool slow = is_well_below(speed->khz, cpu->usual_khz);
    pace.expected_khz = pace.is_limited ? speed->full_khz : slow ? cpu->usual_khz : 0;
    bool kind = is_well_below(cpu->core_khz, index->highest_khz) &&
                is_well_below(speed->khz, index->usual_of_all_khz);
    if (kind && index->usual_of_all_khz > pace.expected_khz) {
        pace.expected_khz = index->usual_of_all_khz;
        pace.is_limited = false;
        pace.core_khz = cpu->core_khz;
    }
    return pace;
}

struct dj_triage_pace dj_triage_find_pace(const struct dj_triage_index *index,
                                          int32_t cpu, int64_t at_ns, int64_t *until_ns)
{
    const struct dj_triage_cpu *own = dj_triage_find_cpu(index, cpu);
    *until_ns = INT64_MAX;
    if (own == NULL || !index->has_speeds) {
        return (struct dj_triage_pace){0};
    }
    const struct dj_triage_cpu *recorded_cpu = &index->cpus[own->speeds_of];
    struct dj_triage_range later = recorded_cpu->speeds;
    DJ_SEARCH(later.from, later.to, middle, index->speeds[middle].at_ns <= at_ns);
    if (later.from < recorded_cpu->speeds.to) {
        *until_ns = index->speeds[later.from].at_ns;
    }
    return later.from > recorded_cpu->speeds.from
               ? compute_pace(index, recorded_cpu, &index->speeds[later.from - 1])
               : (struct dj_triage_pace){0};
}

int64_t dj_triage_compute_lost_ns(const struct dj_triage_pace *pace, int64_t length_ns)
{
    return pace->expected_khz > pace->khz
               ? (int64_t)((double)length_ns *
                           (1.0 - (double)pace->khz / (double)pace->expected_khz))
               : 0;
}

void dj_triage_paces_add(struct dj_triage_paces *paces,
                         const struct dj_triage_index *index, int32_t cpu, int64_t khz,
                         int64_t length_ns)
{
    const struct dj_triage_cpu *own = dj_triage_find_cpu(index, cpu);
    if (khz <= 0 || own == NULL) {
        return;
    }
    uint32_t recorded_cpu = own->speeds_of;
    for (size_t i = 0; i < paces->count; i++) {
        if (paces->all[i].cpu == recorded_cpu && paces->all[i].khz == khz) {
            paces->all[i].ns += length_ns;
            return;
        }
    }
    if (paces->count < MOST_SPEEDS) {
        DJ_XPUSH(paces->all, paces->count,
                 (struct dj_triage_pace_time){recorded_cpu, khz, length_ns});
    }
}

static int by_core(const void *a, const void *b)
{
    const struct dj_triage_pace_time *left = a;
    const struct dj_triage_pace_time *right = b;
    int order = DJ_COMPARE(left->cpu, right->cpu);
    return order != 0 ? order : DJ_COMPARE(left->khz, right->khz);
}

static int by_speed(const void *a, const void *b)
{
    const struct dj_triage_pace_time *left = a;
    const struct dj_triage_pace_time *right = b;
    return DJ_COMPARE(left->khz, right->khz);
}

/* Returns the median of the frequencies, weighted by running time. `all` is sorted by
 * frequency. */
static int64_t compute_median(const struct dj_triage_pace_time *all, size_t count)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < count; i++) {
        sum_ns += all[i].ns;
    }
    int64_t passed_ns = all[0].ns;
    size_t at = 0;
    while (at + 1 < count && 2 * passed_ns < sum_ns) {
        passed_ns += all[++at].ns;
    }
    return all[at].khz;
}

void dj_triage_paces_set_usual(struct dj_triage_paces *paces,
                               struct dj_triage_index *index)
{
    if (paces->count == 0) {
        return;
    }
    qsort(paces->all, paces->count, sizeof(*paces->all), by_core);
    for (size_t from = 0, to; from < paces->count; from = to) {
        for (to = from; to < paces->count && paces->all[to].cpu == paces->all[from].cpu;
             to++) {
        }
        index->cpus[paces->all[from].cpu].usual_khz =
            compute_median(paces->all + from, to - from);
    }
    qsort(paces->all, paces->count, sizeof(*paces->all), by_speed);
    index->usual_of_all_khz = compute_median(paces->all, paces->count);
    free(paces->all);
    *paces = (struct dj_triage_paces){0};
}
