#include "trace/perfetto/bundle.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"
#include "memory/memory.h"

enum { CLOCK_MONO_RAW = 4 };

struct frame {
    uint64_t clock, ftrace_ns, boot_ns;
    int64_t cpu;
    bool lost;
};

static bool read_frame(struct frame *frame, const struct dj_proto_field *field)
{
    switch (field->number) {
    case DJ_PF_BUNDLE_CPU:
        frame->cpu = field->value <= INT32_MAX ? (int64_t)field->value : -1;
        return true;
    case DJ_PF_BUNDLE_LOST:
        frame->lost = field->value != 0;
        return true;
    case DJ_PF_BUNDLE_CLOCK:
        frame->clock = field->value;
        return true;
    case DJ_PF_BUNDLE_FTRACE_TIMESTAMP:
        frame->ftrace_ns = field->value;
        return true;
    case DJ_PF_BUNDLE_BOOT_TIMESTAMP:
        frame->boot_ns = field->value;
        return true;
    default:
        return false;
    }
}

static int64_t subtract_wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Sets *shift_ns to the offset from the bundle's clock to the trace's clock. `at_ns` is a
 * time in the bundle. Most bundles use the boot clock. Other bundles contain their offset
 * to the boot clock, or use the clock mono_raw, whose values are in clock snapshots.
 * Returns false if the offset is unknown. */
static bool compute_shift(const struct frame *frame, struct dj_perfetto_clocks *clocks,
                          uint64_t sequence, int64_t at_ns, int64_t *shift_ns)
{
    int64_t boot_ns = at_ns;
    if (frame->clock != 0 && frame->boot_ns != 0) {
        boot_ns =
            dj_checked_add_wrapped(at_ns, (int64_t)(frame->boot_ns - frame->ftrace_ns));
    } else if (frame->clock == CLOCK_MONO_RAW) {
        int64_t main_ns;
        bool known = dj_perfetto_clocks_convert(clocks, sequence, DJ_PF_MONOTONIC_RAW,
                                                (uint64_t)at_ns, &main_ns);
        *shift_ns = subtract_wrapped(main_ns, at_ns);
        return known;
    }
    int64_t main_ns = boot_ns;
    if (clocks->main != DJ_PF_BOOTTIME &&
        !dj_perfetto_clocks_convert(clocks, sequence, DJ_PF_BOOTTIME, (uint64_t)boot_ns,
                                    &main_ns)) {
        main_ns = boot_ns;
    }
    *shift_ns = subtract_wrapped(main_ns, at_ns);
    return true;
}

static int64_t search_stamp(struct dj_str event)
{
    struct dj_proto_message message = dj_proto_open(event);
    struct dj_proto_field field;
    while (dj_proto_next(&message, &field)) {
        if (field.number == DJ_PF_FTRACE_TIMESTAMP && field.wire == DJ_PROTO_VARINT) {
            return (int64_t)field.value;
        }
    }
    return -1;
}

/* Returns the time of an event, or −1 if it has none. If the time is the first field, as
 * usual, removes it from *event. The function is always inlined, because a call would
 * take longer than the function itself. */
__attribute__((always_inline)) static inline int64_t read_stamp(struct dj_str *event)
{
    enum { TAG = DJ_PF_FTRACE_TIMESTAMP << 3 | DJ_PROTO_VARINT };
    struct dj_proto_message message = dj_proto_open(*event);
    uint64_t stamp;
    if (event->length < 2 || *message.at != TAG) {
        return search_stamp(*event);
    }
    message.at++;
    if (!dj_proto_varint(&message, &stamp)) {
        return -1;
    }
    *event =
        (struct dj_str){(const char *)message.at, (size_t)(message.end - message.at)};
    return (int64_t)stamp;
}

/* Decodes an event in its most frequent form: it is shorter than 128 bytes, and its first
 * field is a time of up to eight bytes. Returns false if the next field has another form.
 */
static inline bool read_usual(struct dj_proto_message *rest,
                              struct dj_perfetto_stamped *event)
{
    enum {
        /* Size in bytes of three fields: the tag of the event, the length of the event,
         * and the tag of the time. */
        HEAD = 3,
        MASK = 0xff80ff,
        USUAL = (DJ_PF_BUNDLE_EVENT << 3 | DJ_PROTO_BYTES) |
                (DJ_PF_FTRACE_TIMESTAMP << 3 | DJ_PROTO_VARINT) << 16
    };
    const uint8_t *at = rest->at;
    uint32_t head;
    if (rest->end - at < HEAD + DJ_PROTO_WORD) {
        return false;
    }
    memcpy(&head, at, sizeof(head));
    struct dj_proto_number stamp = dj_proto_varint_of_word(at + HEAD);
    if ((le32toh(head) & MASK) != USUAL || stamp.next == NULL ||
        at[1] > rest->end - at - 2 || stamp.next - at - 2 > at[1]) {
        return false;
    }
    const uint8_t *end = at + 2 + at[1];
    *event = (struct dj_perfetto_stamped){
        (int64_t)stamp.value, {(const char *)stamp.next, (size_t)(end - stamp.next)}};
    rest->at = end;
    return true;
}

static void search_event(struct dj_perfetto_bundle *bundle)
{
    struct dj_proto_field field;
    bundle->event.bytes.at = NULL;
    if (bundle->sorted != NULL) {
        if (bundle->sorted_at < bundle->sorted_count) {
            bundle->event = bundle->sorted[bundle->sorted_at++];
        }
        return;
    }
    while (dj_proto_next(&bundle->rest, &field)) {
        if (field.number == DJ_PF_BUNDLE_EVENT && field.wire == DJ_PROTO_BYTES) {
            int64_t at_ns = read_stamp(&field.bytes);
            if (at_ns >= 0) {
                bundle->event = (struct dj_perfetto_stamped){at_ns, field.bytes};
                return;
            }
            bundle->damaged++;
        }
    }
}

static inline void next_event(struct dj_perfetto_bundle *bundle)
{
    if (bundle->sorted != NULL || !read_usual(&bundle->rest, &bundle->event)) {
        search_event(bundle);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct dj_perfetto_stamped *left = a, *right = b;
    int order = DJ_COMPARE(left->at_ns, right->at_ns);
    return order != 0 ? order : DJ_COMPARE(left->bytes.at, right->bytes.at);
}

static void sort_events(struct dj_perfetto_bundle *bundle)
{
    struct dj_perfetto_stamped *all = NULL;
    size_t capacity = 0;
    for (; bundle->event.bytes.at != NULL; next_event(bundle)) {
        DJ_XRESERVE(all, capacity, bundle->sorted_count + 1);
        all[bundle->sorted_count++] = bundle->event;
    }
    qsort(all, bundle->sorted_count, sizeof(*all), by_time);
    bundle->sorted = all;
    next_event(bundle);
}

/* Decodes all fields except the events. Returns true if the whole events are in order of
 * time. If the bundle contains several packed arrays of the same kind, uses only the last
 * one. */
static bool scan_bundle(struct dj_perfetto_bundle *bundle, struct dj_str bytes,
                        struct frame *frame)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    int64_t last_ns = 0;
    bool sorted = true;
    while (dj_proto_next(&message, &field)) {
        if (field.number == DJ_PF_BUNDLE_EVENT && field.wire == DJ_PROTO_BYTES) {
            int64_t at_ns = read_stamp(&field.bytes);
            sorted = sorted && (at_ns < 0 || at_ns >= last_ns);
            last_ns = at_ns > last_ns ? at_ns : last_ns;
        } else if (field.number == DJ_PF_BUNDLE_COMPACT && field.wire == DJ_PROTO_BYTES) {
            dj_perfetto_compact_close(bundle->compact);
            bundle->compact = dj_perfetto_compact_open(field.bytes, &bundle->damaged);
        } else {
            read_frame(frame, &field);
        }
    }
    bundle->damaged += message.failed;
    bundle->rest = dj_proto_open(bytes);
    return sorted;
}

/* Decodes the fields before the events of a plain bundle. A plain bundle has no fields
 * after its events. */
static void read_head(struct dj_perfetto_bundle *bundle, struct dj_str bytes,
                      struct frame *frame)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    bundle->rest = message;
    while (dj_proto_next(&message, &field) && field.number != DJ_PF_BUNDLE_EVENT) {
        read_frame(frame, &field);
        bundle->rest = message;
    }
}

/* Computes the time of the next event, in the clock of the bundle and in the clock of the
 * trace. */
static inline void update_next(struct dj_perfetto_bundle *bundle)
{
    int64_t next_ns = bundle->event.bytes.at != NULL ? bundle->event.at_ns : INT64_MAX;
    if (bundle->compact != NULL) {
        next_ns = dj_perfetto_compact_get_earlier_time(bundle->compact, next_ns);
    }
    int64_t at_ns = next_ns == INT64_MAX
                        ? next_ns
                        : dj_checked_add_wrapped(next_ns, bundle->shift_ns);
    bundle->clock_ns = next_ns;
    bundle->next_ns = at_ns < 0 ? 0 : at_ns;
}

/* Drops all events of the bundle, because their clock is unknown. */
static void drop_events(struct dj_perfetto_bundle *bundle)
{
    bundle->damaged++;
    bundle->event.bytes.at = NULL;
    bundle->rest.at = bundle->rest.end;
    bundle->sorted_at = bundle->sorted_count;
    dj_perfetto_compact_close(bundle->compact);
    bundle->compact = NULL;
}

void dj_perfetto_bundle_open(struct dj_perfetto_bundle *bundle, struct dj_str bytes,
                             bool plain, struct dj_perfetto_clocks *clocks,
                             const struct dj_perfetto_sequence *sequence)
{
    struct frame frame = {.cpu = -1};
    bool sorted = true;
    if (plain) {
        read_head(bundle, bytes, &frame);
    } else {
        sorted = scan_bundle(bundle, bytes, &frame);
    }
    next_event(bundle);
    if (!sorted) {
        sort_events(bundle);
    }
    bundle->cpu = (int32_t)frame.cpu;
    bundle->lost = frame.lost;
    update_next(bundle);
    if (bundle->clock_ns != INT64_MAX &&
        !compute_shift(&frame, clocks, sequence->id, bundle->clock_ns,
                       &bundle->shift_ns)) {
        drop_events(bundle);
    }
    update_next(bundle);
    bundle->symbols = sequence->symbols;
    if (bundle->symbols != NULL) {
        bundle->symbols->users++;
    }
}

void dj_perfetto_bundle_finish(struct dj_perfetto_bundle *bundle)
{
    if (bundle->symbols == NULL && bundle->sorted == NULL && bundle->compact == NULL) {
        return; /* This is the most frequent case: there is nothing to free. */
    }
    dj_perfetto_texts_unref(bundle->symbols);
    free(bundle->sorted);
    dj_perfetto_compact_close(bundle->compact);
}

void dj_perfetto_bundle_start(struct dj_perfetto_bundle *bundle)
{
    if (bundle->compact != NULL) {
        dj_perfetto_compact_start(bundle->compact);
    }
}

static bool read_whole(struct dj_perfetto_bundle *bundle,
                       const struct dj_perfetto_event_table *kernel,
                       struct dj_perfetto_running *running, struct dj_event *event)
{
    bool fits = dj_perfetto_ftrace_event_read(kernel, bundle->event.bytes,
                                              bundle->symbols, event);
    if (event->task.length == 0 && event->tid == running->tid) {
        event->task = running->name;
    }
    if (fits && event->tid != running->tid &&
        dj_event_shows_running_thread(event, running->tid)) {
        *running = (struct dj_perfetto_running){event->tid, event->task};
    }
    bundle->damaged += !fits;
    next_event(bundle);
    return fits;
}

bool dj_perfetto_bundle_read_event(struct dj_perfetto_bundle *bundle,
                                   const struct dj_perfetto_event_table *kernel,
                                   struct dj_perfetto_running *running,
                                   struct dj_event *event)
{
    bool fits = true;
    *event = (struct dj_event){
        .at_ns = bundle->next_ns, .pid = DJ_PID_UNKNOWN, .tid = -1, .cpu = bundle->cpu};
    if (bundle->compact == NULL ||
        (bundle->event.bytes.at != NULL && bundle->event.at_ns == bundle->clock_ns)) {
        fits = read_whole(bundle, kernel, running, event);
    } else {
        dj_perfetto_compact_read_event(bundle->compact, bundle->clock_ns, running, event);
    }
    if (event->kind == DJ_EVENT_SWITCH && fits) {
        *running = (struct dj_perfetto_running){event->other, event->other_name};
    }
    update_next(bundle);
    return fits;
}

static int64_t find_earliest_packed(struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_COMPACT_WAKING_TIME);
    int64_t switch_ns = dj_perfetto_compact_get_first_time(
        dj_proto_open(dj_proto_bytes(&got[DJ_PF_COMPACT_SWITCH_TIME])));
    int64_t wake_ns = dj_perfetto_compact_get_first_time(
        dj_proto_open(dj_proto_bytes(&got[DJ_PF_COMPACT_WAKING_TIME])));
    return wake_ns < switch_ns ? wake_ns : switch_ns;
}

int64_t dj_perfetto_bundle_find_earliest(struct dj_str bytes,
                                         struct dj_perfetto_clocks *clocks,
                                         uint64_t sequence, bool *plain)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    struct dj_perfetto_stamped usual;
    struct frame frame = {.cpu = -1};
    int64_t first_ns = INT64_MAX;
    int64_t last_ns = 0;
    int64_t shift_ns = 0;
    bool begun = false;
    *plain = true;
    while (true) {
        bool is_usual = read_usual(&message, &usual);
        if (!is_usual && !dj_proto_next(&message, &field)) {
            break;
        }
        if (is_usual ||
            (field.wire == DJ_PROTO_BYTES && field.number == DJ_PF_BUNDLE_EVENT)) {
            int64_t at_ns = is_usual ? usual.at_ns : read_stamp(&field.bytes);
            first_ns = at_ns >= 0 && at_ns < first_ns ? at_ns : first_ns;
            *plain = *plain && at_ns >= last_ns;
            last_ns = at_ns;
            begun = true;
        } else if (field.wire == DJ_PROTO_BYTES && field.number == DJ_PF_BUNDLE_COMPACT) {
            int64_t at_ns = find_earliest_packed(field.bytes);
            first_ns = at_ns < first_ns ? at_ns : first_ns;
            *plain = false;
        } else if (read_frame(&frame, &field) && begun) {
            *plain = false;
        }
    }
    *plain = *plain && !message.failed;
    if (first_ns == INT64_MAX ||
        !compute_shift(&frame, clocks, sequence, first_ns, &shift_ns)) {
        return INT64_MAX;
    }
    int64_t at_ns = dj_checked_add_wrapped(first_ns, shift_ns);
    return at_ns < 0 ? 0 : at_ns;
}
