#include "trace/event.h"

#include <string.h>

#include "trace/text/numbers.h"

bool dj_event_is_placeholder_name(struct dj_str words)
{
    static const char *const none[] = {"", "<...>", "<idle>", "<XXX>", "<unknown>"};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        if (dj_str_is(words, none[i])) {
            return true;
        }
    }
    return false;
}

struct dj_str dj_event_shorten_task_name(struct dj_str name)
{
    enum { KERNEL_NAME = 15 };
    /* Names of kernel threads may contain a slash but are not paths. */
    bool is_worker = dj_str_begins(name, "kworker/");
    const char *slash = is_worker ? NULL : memrchr(name.at, '/', name.length);
    if (slash != NULL) {
        return dj_line_trim_between(slash + 1, name.at + name.length);
    }
    size_t skipped =
        !is_worker && name.length > KERNEL_NAME ? name.length - KERNEL_NAME : 0;
    return (struct dj_str){name.at + skipped, name.length - skipped};
}

/* The first letter determines the state. Further letters only add details, for example
 * "R+" for preempted or "D|K" for killable. If the option `fields` of tracefs is set, the
 * kernel writes a number such as 0x1 instead of letters. */
enum dj_task_state dj_event_parse_task_state(struct dj_str text)
{
    static const uint8_t states[128] = {
        ['R'] = DJ_TASK_RUNNABLE,
        ['S'] = DJ_TASK_SLEEPING,
        ['D'] = DJ_TASK_BLOCKED,
        ['T'] = DJ_TASK_STOPPED,
        ['t'] = DJ_TASK_STOPPED,
        ['X'] = DJ_TASK_DEAD,
        ['x'] = DJ_TASK_DEAD,
        ['Z'] = DJ_TASK_DEAD,
        ['I'] = DJ_TASK_RESTING,
        /* trace-cmd writes W for the state I. */
        ['P'] = DJ_TASK_RESTING,
        ['W'] = DJ_TASK_RESTING,
    };
    int64_t bits = 0;
    if (text.length == 0 || (unsigned char)text.at[0] >= sizeof(states)) {
        return DJ_TASK_UNKNOWN;
    }
    if (text.at[0] < '0' || text.at[0] > '9') {
        return states[(unsigned char)text.at[0]];
    }
    if (!dj_number_parse_int(text, &bits)) {
        dj_str_int(text, &bits);
    }
    return dj_event_decode_task_state(bits);
}

/* The low six bits have the same meaning in all kernels, as far as this function
 * distinguishes states. Since Linux 4.14, bit 0x80 means idle. Bit 0x40 is ignored,
 * because its meaning has changed from dead to parked. One of the higher bits means
 * preempted. A task is runnable if no bit is set, or only the bit for preempted. */
enum dj_task_state dj_event_decode_task_state(int64_t bits)
{
    enum {
        KNOWN = 0xbf,
        PREEMPTED = 0x1f00 /* Bits that mean preempted in different kernels. */
    };
    static const uint8_t by_lowest_bit[] = {
        DJ_TASK_SLEEPING, DJ_TASK_BLOCKED, DJ_TASK_STOPPED, DJ_TASK_STOPPED,
        DJ_TASK_DEAD,     DJ_TASK_DEAD,    DJ_TASK_UNKNOWN, DJ_TASK_RESTING};
    return (bits & KNOWN) != 0
               ? (enum dj_task_state)
                     by_lowest_bit[__builtin_ctzll((uint64_t)bits & KNOWN)]
           : (bits & ~(int64_t)PREEMPTED) != 0 ? DJ_TASK_UNKNOWN
                                               : DJ_TASK_RUNNABLE;
}

bool dj_event_shows_running_thread(const struct dj_event *event, int32_t ran)
{
    /* The start of a timer is not listed, because it does not show which thread runs. A
     * thread can start a timer after the kernel has recorded the switch to another
     * thread, but before the CPU actually switches. */
    static const bool kernel[DJ_EVENT_KINDS] = {
        [DJ_EVENT_WAKING] = true,        [DJ_EVENT_IRQ_BEGIN] = true,
        [DJ_EVENT_SOFTIRQ_BEGIN] = true, [DJ_EVENT_IPI_BEGIN] = true,
        [DJ_EVENT_RECLAIM_BEGIN] = true,
    };
    static const bool own[DJ_EVENT_KINDS] = {
        [DJ_EVENT_BEGIN] = true,       [DJ_EVENT_END] = true,
        [DJ_EVENT_INSTANT] = true,     [DJ_EVENT_COUNTER] = true,
        [DJ_EVENT_ASYNC_BEGIN] = true, [DJ_EVENT_ASYNC_END] = true,
    };
    return event->cpu >= 0 && event->tid >= 0 &&
           (kernel[event->kind] || (own[event->kind] && ran == 0));
}
