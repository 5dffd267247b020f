#include "trace/chrome/events.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"
#include "memory/memory.h"

enum { MEMORY_BYTES = 32 << 20 };

/* Compares the times of two events. If two complete sections begin at the same time, the
 * longer one is first, because it contains the other one. Other events with equal times
 * stay in the order of the file. */
static int by_time(const void *a, const void *b)
{
    const struct dj_chrome_event *left = a, *right = b;
    int order = DJ_COMPARE(left->at_ns, right->at_ns);
    bool complete = left->kind == DJ_CHROME_COMPLETE;
    if (order != 0 || complete != (right->kind == DJ_CHROME_COMPLETE)) {
        return order != 0 ? order : complete ? 1 : -1;
    }
    return complete ? DJ_COMPARE(right->value, left->value) : 0;
}

/* Returns `tid` if it is valid and no other lane has it. Otherwise returns an unused id.
 * Unused ids start at FIRST_FREE_TID, because the kernel never assigns such ids. */
static int32_t find_free_tid(const struct dj_chrome_events *events, int64_t tid)
{
    enum { FIRST_FREE_TID = 1 << 30 };
    bool fits = tid > 0 && tid < FIRST_FREE_TID &&
                dj_map_get(&events->used_tids, (uint64_t)tid) == DJ_MAP_NONE;
    return fits ? (int32_t)tid : FIRST_FREE_TID + (int32_t)events->lane_count;
}

int32_t dj_chrome_events_get_lane(struct dj_chrome_events *events, uint64_t key,
                                  int64_t tid, int32_t pid)
{
    enum { MOST = 1 << 24 };
    size_t place = dj_map_get(&events->places, key);
    if (place == DJ_MAP_NONE) {
        place = events->lane_count;
        struct dj_chrome_lane lane = {.tid = find_free_tid(events, tid), .pid = pid};
        dj_xcheck(place < MOST && dj_map_set(&events->places, key, place) &&
                  dj_map_set(&events->used_tids, (uint64_t)lane.tid, place));
        DJ_XPUSH(events->lanes, events->lane_count, lane);
    }
    return (int32_t)place;
}

static bool ends_before(const struct dj_chrome_pending *a,
                        const struct dj_chrome_pending *b)
{
    return a->end_ns != b->end_ns ? a->end_ns < b->end_ns : a->order > b->order;
}

static void push_pending(struct dj_chrome_events *events, struct dj_chrome_pending one)
{
    DJ_XRESERVE(events->pending, events->pending_capacity, events->pending_count + 1);
    struct dj_chrome_pending *all = events->pending;
    size_t at = events->pending_count++;
    for (; at > 0 && ends_before(&one, &all[(at - 1) / 2]); at = (at - 1) / 2) {
        all[at] = all[(at - 1) / 2];
    }
    all[at] = one;
}

static struct dj_chrome_pending pop_pending(struct dj_chrome_events *events)
{
    struct dj_chrome_pending *all = events->pending;
    const struct dj_chrome_pending first = all[0];
    size_t count = --events->pending_count;
    const struct dj_chrome_pending last = all[count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && ends_before(&all[child + 1], &all[child]);
        if (!ends_before(&all[child], &last)) {
            break;
        }
        all[at] = all[child];
    }
    all[at] = last;
    return first;
}

static struct dj_event make_event(const struct dj_chrome_events *events, int32_t lane,
                                  int64_t at_ns, uint8_t kind)
{
    return (struct dj_event){.at_ns = at_ns,
                             .tid = events->lanes[lane].tid,
                             .pid = events->lanes[lane].pid,
                             .cpu = -1,
                             .kind = kind};
}

static int end_pending(struct dj_chrome_events *events)
{
    const struct dj_chrome_pending ended = pop_pending(events);
    struct dj_chrome_lane *lane = &events->lanes[ended.lane];
    lane->end_ns = ended.outer_ns;
    lane->inside = ended.inside;
    const struct dj_event event =
        make_event(events, ended.lane, ended.end_ns, DJ_EVENT_END);
    return events->sink.take(events->sink.user, &event);
}

/* Begins a complete section. Programs round times and durations separately when they
 * write the file. Therefore two sections may overlap by one or two microseconds. Larger
 * overlaps are counted. */
static void begin_pending(struct dj_chrome_events *events,
                          const struct dj_chrome_event *row)
{
    enum { ROUNDED_NS = 2000 };
    struct dj_chrome_lane *lane = &events->lanes[row->lane];
    int64_t end_ns = dj_checked_add_saturated(row->at_ns, row->value);
    if (lane->inside && end_ns > lane->end_ns) {
        events->overlaps +=
            dj_checked_subtract_saturated(end_ns, lane->end_ns) > ROUNDED_NS;
        end_ns = lane->end_ns;
    }
    push_pending(events, (struct dj_chrome_pending){end_ns, lane->end_ns, events->begun++,
                                                    row->lane, lane->inside});
    lane->end_ns = end_ns;
    lane->inside = true;
}

static int send_row(struct dj_chrome_events *events, const struct dj_chrome_event *row)
{
    bool complete = row->kind == DJ_CHROME_COMPLETE;
    struct dj_event event = make_event(events, row->lane, row->at_ns,
                                       complete ? (uint8_t)DJ_EVENT_BEGIN : row->kind);
    event.name = row->name;
    event.other_name = row->track;
    event.value = complete ? 0 : row->value;
    event.value_2 = row->value_2;
    event.pid = row->anywhere ? DJ_PID_UNKNOWN : event.pid;
    if (row->kind == DJ_EVENT_LOST) {
        event.cpu = (int32_t)row->value_2;
        event.value_2 = event.tid = 0;
        event.pid = DJ_PID_UNKNOWN;
    }
    if (complete) {
        begin_pending(events, row);
    }
    return events->sink.take(events->sink.user, &event);
}

/* Passes on all events up to `until_ns`. If a section ends when another one begins, its
 * end is passed on first. */
static int send_until(struct dj_chrome_events *events, int64_t until_ns)
{
    int code = 0;
    if (!events->is_sending) {
        if (events->rows.total == 0) {
            return 0;
        }
        dj_trace_rows_sort(&events->rows);
        events->is_sending = true;
        events->next = dj_trace_rows_next(&events->rows);
    }
    while (code == 0) {
        const struct dj_chrome_event *row = events->next;
        bool ends = events->pending_count > 0 &&
                    (row == NULL || events->pending[0].end_ns <= row->at_ns);
        if (ends && events->pending[0].end_ns <= until_ns) {
            code = end_pending(events);
        } else if (!ends && row != NULL && row->at_ns <= until_ns) {
            code = send_row(events, row);
            events->next = dj_trace_rows_next(&events->rows);
        } else {
            break;
        }
    }
    return code != 0 ? code : events->rows.code;
}

int dj_chrome_events_flush(struct dj_chrome_events *events, struct dj_error *err)
{
    int code = send_until(events, INT64_MAX);
    dj_trace_rows_get_error(&events->rows, err);
    dj_trace_rows_finish(&events->rows);
    events->is_sending = false;
    events->next = NULL;
    return code;
}

static int send_merged(void *user, const struct dj_event *event)
{
    struct dj_chrome_events *events = user;
    int code = dj_event_has_time(event) ? send_until(events, event->at_ns) : 0;
    return code != 0 ? code : events->sink.take(events->sink.user, event);
}

struct dj_event_sink dj_chrome_events_get_merging_sink(struct dj_chrome_events *events)
{
    return (struct dj_event_sink){send_merged, events};
}

int dj_chrome_events_add(struct dj_chrome_events *events,
                         const struct dj_chrome_event *event)
{
    int code = events->is_sending ? dj_chrome_events_flush(events, NULL) : 0;
    if (code != 0) {
        return code;
    }
    struct dj_chrome_event row = *event;
    events->rows.row_bytes = sizeof(row);
    events->rows.order = by_time;
    events->rows.memory_bytes = MEMORY_BYTES;
    row.name = dj_str_of(dj_trace_names_add(&events->names, event->name));
    row.track = dj_str_of(dj_trace_names_add(&events->names, event->track));
    dj_trace_rows_add(&events->rows, &row);
    return events->rows.code;
}

void dj_chrome_events_finish(struct dj_chrome_events *events)
{
    dj_trace_rows_finish(&events->rows);
    dj_trace_names_finish(&events->names);
    dj_map_finish(&events->places);
    dj_map_finish(&events->used_tids);
    free(events->lanes);
    free(events->pending);
    *events = (struct dj_chrome_events){.sink = events->sink};
}
