#include "trace/model/spans.h"

#include <stdio.h>

enum { AWAKE = -1 };

/* The parts of an event from which the key of a span is made. */
enum part { NOTHING, CPU, THREAD, NAME, VALUE, VALUE_2, NO_LINE };

static int64_t get_part(const struct dj_event *event, const char *name, enum part part)
{
    const int64_t parts[] = {
        [NOTHING] = 0,          [CPU] = event->cpu,
        [THREAD] = event->tid,  [NAME] = (int64_t)(uintptr_t)name,
        [VALUE] = event->value, [VALUE_2] = event->value_2,
        [NO_LINE] = -1,
    };
    return parts[part];
}

static const struct {
    uint8_t role;          /* A value of enum dj_span_role. */
    uint8_t first, second; /* Values of enum part. */
    uint8_t kind;          /* A value of enum dj_trace_span_kind. */
    bool named, soft;
} roles[DJ_EVENT_KINDS] = {
    [DJ_EVENT_FREQUENCY] = {DJ_SPAN_BEGINS, CPU, NOTHING, DJ_SPAN_FREQUENCY, 0, 0},
    [DJ_EVENT_LIMITS] = {DJ_SPAN_BEGINS, CPU, NOTHING, DJ_SPAN_LIMITS, 0, 0},
    [DJ_EVENT_GPU_FREQUENCY] = {DJ_SPAN_BEGINS, VALUE_2, NOTHING, DJ_SPAN_GPU_FREQUENCY,
                                0, 0},
    [DJ_EVENT_IDLE] = {DJ_SPAN_BEGINS, CPU, NOTHING, DJ_SPAN_IDLE, 0, 0},
    [DJ_EVENT_THERMAL] = {DJ_SPAN_BEGINS, NAME, NOTHING, DJ_SPAN_THERMAL, 1, 0},
    [DJ_EVENT_COOLING] = {DJ_SPAN_BEGINS, NAME, NOTHING, DJ_SPAN_COOLING, 1, 0},
    [DJ_EVENT_IRQ_BEGIN] = {DJ_SPAN_BEGINS, CPU, VALUE, DJ_SPAN_INTERRUPT, 1, 0},
    [DJ_EVENT_IRQ_END] = {DJ_SPAN_ENDS, CPU, VALUE, DJ_SPAN_INTERRUPT, 0, 0},
    [DJ_EVENT_SOFTIRQ_BEGIN] = {DJ_SPAN_BEGINS, CPU, VALUE, DJ_SPAN_INTERRUPT, 0, 1},
    [DJ_EVENT_SOFTIRQ_END] = {DJ_SPAN_ENDS, CPU, VALUE, DJ_SPAN_INTERRUPT, 0, 1},
    [DJ_EVENT_RECLAIM_BEGIN] = {DJ_SPAN_BEGINS, THREAD, NOTHING, DJ_SPAN_RECLAIM, 0, 0},
    [DJ_EVENT_RECLAIM_END] = {DJ_SPAN_ENDS, THREAD, NOTHING, DJ_SPAN_RECLAIM, 0, 0},
    [DJ_EVENT_BLOCK_ISSUE] = {DJ_SPAN_BEGINS, VALUE, VALUE_2, DJ_SPAN_DISK, 0, 0},
    [DJ_EVENT_BLOCK_COMPLETE] = {DJ_SPAN_ENDS, VALUE, VALUE_2, DJ_SPAN_DISK, 0, 0},
    [DJ_EVENT_BINDER] = {DJ_SPAN_BEGINS, VALUE, NOTHING, DJ_SPAN_BINDER, 0, 0},
    [DJ_EVENT_BINDER_RECEIVED] = {DJ_SPAN_ENDS, VALUE, NOTHING, DJ_SPAN_BINDER, 0, 0},
    [DJ_EVENT_IPI_BEGIN] = {DJ_SPAN_BEGINS, CPU, NO_LINE, DJ_SPAN_INTERRUPT, 1, 0},
    [DJ_EVENT_IPI_END] = {DJ_SPAN_ENDS, CPU, NO_LINE, DJ_SPAN_INTERRUPT, 1, 0},
    [DJ_EVENT_FENCE_MADE] = {DJ_SPAN_BEGINS, VALUE, VALUE_2, DJ_SPAN_FENCE, 1, 0},
    [DJ_EVENT_FENCE_EMITTED] = {DJ_SPAN_BEGINS, VALUE, VALUE_2, DJ_SPAN_FENCE, 1, 0},
    [DJ_EVENT_FENCE_SIGNALED] = {DJ_SPAN_ENDS, VALUE, VALUE_2, DJ_SPAN_FENCE, 1, 0},
    [DJ_EVENT_FENCE_WAIT_BEGIN] = {DJ_SPAN_BEGINS, THREAD, NOTHING, DJ_SPAN_FENCE_WAIT, 1,
                                   0},
    [DJ_EVENT_FENCE_WAIT_END] = {DJ_SPAN_ENDS, THREAD, NOTHING, DJ_SPAN_FENCE_WAIT, 1, 0},
};

/* Returns the name of a softirq vector. The numbers are those of linux/interrupt.h. */
static const char *get_vector_name(int64_t vector)
{
    static const char *const names[] = {"HI",      "TIMER",    "NET_TX",  "NET_RX",
                                        "BLOCK",   "IRQ_POLL", "TASKLET", "SCHED",
                                        "HRTIMER", "RCU"};
    enum { NAMES = COUNT_OF(names) };
    return vector >= 0 && vector < NAMES ? names[vector] : "";
}

struct dj_trace_span dj_span_begin(const struct dj_event *event, const char *name)
{
    bool binder = event->kind == DJ_EVENT_BINDER;
    bool ipi = event->kind == DJ_EVENT_IPI_BEGIN || event->kind == DJ_EVENT_IPI_END;
    return (struct dj_trace_span){
        .name = name,
        .start_ns = event->at_ns,
        .value = ipi ? -1 : event->value,
        .value_2 = binder ? 0 : event->value_2,
        .tid = event->tid,
        .other = binder ? event->other : -1,
        .pid = binder && event->value_2 > 0 && event->value_2 <= INT32_MAX
                   ? (int32_t)event->value_2
                   : DJ_PID_UNKNOWN,
        .cpu = event->cpu,
        .kind = roles[event->kind].kind,
        .issues = event->kind == DJ_EVENT_BLOCK_ISSUE,
        .soft = roles[event->kind].soft,
        .reply = binder && (event->state & DJ_BINDER_REPLY) != 0,
        .one_way = binder && (event->state & DJ_BINDER_ONE_WAY) != 0,
    };
}

enum dj_span_role dj_span_get_role(const struct dj_event *event)
{
    bool wakes = event->kind == DJ_EVENT_IDLE && (int32_t)event->value == AWAKE;
    /* The kernel reports the completion of a flush twice. The report without a sector is
     * ignored. */
    bool nowhere = event->kind == DJ_EVENT_BLOCK_COMPLETE && event->value_2 < 0;
    return nowhere ? DJ_SPAN_NO_ROLE
           : wakes ? DJ_SPAN_ENDS
                   : (enum dj_span_role)roles[event->kind].role;
}

/* Returns true if an IPI has no reason. In ring pages the reason is only an address, so
 * event->name is still the name of the event. */
static bool is_unnamed(const struct dj_event *event)
{
    return dj_str_is(event->name, "ipi_entry") || dj_str_is(event->name, "ipi_exit");
}

static const char *make_fence_name(struct dj_trace_names *names,
                                   const struct dj_event *event)
{
    enum { LONGEST = 100 };
    struct dj_str driver = event->other_name, timeline = event->name;
    int length = driver.length < LONGEST ? (int)driver.length : LONGEST;
    int rest = timeline.length < LONGEST ? (int)timeline.length : LONGEST;
    char name[2 * LONGEST + 2];
    snprintf(name, sizeof(name), "%.*s%s%.*s", length, driver.at, length > 0 ? "/" : "",
             rest, timeline.at);
    return dj_trace_names_add(names, dj_str_of(name));
}

const char *dj_span_get_name(struct dj_trace_names *names, const struct dj_event *event)
{
    if (event->kind >= DJ_EVENT_FENCE_MADE && event->kind <= DJ_EVENT_FENCE_WAIT_END) {
        return make_fence_name(names, event);
    }
    if (is_unnamed(event)) {
        return "";
    }
    return roles[event->kind].soft    ? get_vector_name(event->value)
           : roles[event->kind].named ? dj_trace_names_add(names, event->name)
                                      : "";
}

struct dj_span_key dj_span_get_key(const struct dj_event *event, const char *name)
{
    return (struct dj_span_key){
        .first = get_part(event, name, (enum part)roles[event->kind].first),
        .second = get_part(event, name, (enum part)roles[event->kind].second),
        .kind = roles[event->kind].kind,
        .soft = roles[event->kind].soft,
    };
}
