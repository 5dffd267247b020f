#include "trace/model/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"

enum { OPEN_MAX = 1 << 17 };

/* Kind of a key for the request of one thread that another thread has received. The key
 * contains the ids of both threads. */
enum { RECEIVED_REQUEST = DJ_SPAN_KINDS };

struct dj_span_slot {
    struct dj_span_key key;
    struct dj_trace_span span; /* Open span. Valid if `begun` is set. */
    uint32_t losses;           /* Result of get_losses() at the begin of the span. */
    bool begun;
};

static int by_start(const void *a, const void *b)
{
    const struct dj_trace_span *left = a, *right = b;
    int order = left->kind - right->kind;
    order = order != 0 ? order : DJ_COMPARE(left->start_ns, right->start_ns);
    order = order != 0 ? order : DJ_COMPARE(left->cpu, right->cpu);
    order = order != 0 ? order : DJ_COMPARE(left->tid, right->tid);
    order = order != 0 ? order : DJ_COMPARE(left->end_ns, right->end_ns);
    order = order != 0 ? order : DJ_COMPARE(left->value, right->value);
    order = order != 0 ? order : DJ_COMPARE(left->value_2, right->value_2);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static void add_span(struct dj_spans *spans, const struct dj_trace_span *span)
{
    if (spans->rows.row_bytes == 0) {
        spans->rows = (struct dj_trace_rows){.row_bytes = sizeof(*span),
                                             .order = by_start,
                                             .memory_bytes = spans->trace->memory_bytes};
    }
    dj_trace_rows_add(&spans->rows, span);
}

static bool is_reading(uint8_t kind)
{
    return kind <= DJ_SPAN_IDLE;
}

/* Adds a span whose end is not recorded. */
static void add_open(struct dj_spans *spans, const struct dj_span_slot *slot,
                     int64_t last_ns)
{
    struct dj_trace_span span = slot->span;
    span.open = true;
    span.end_ns =
        is_reading(span.kind) && last_ns > span.start_ns ? last_ns : span.start_ns;
    if (slot->key.kind != RECEIVED_REQUEST) {
        add_span(spans, &span);
    }
}

/* Adds a span that has ended. If its end is earlier than its start, the span has length
 * 0. */
static void add_ended(struct dj_spans *spans, const struct dj_span_slot *slot,
                      int64_t at_ns)
{
    struct dj_trace_span span = slot->span;
    span.end_ns = at_ns > span.start_ns ? at_ns : span.start_ns;
    add_span(spans, &span);
}

static uint64_t compute_hash(const struct dj_span_key *key)
{
    return (uint64_t)key->first * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)key->second ^
           (uint64_t)(2 * key->kind + key->soft) << 56;
}

static bool is_equal(const struct dj_span_key *a, const struct dj_span_key *b)
{
    return a->first == b->first && a->second == b->second && a->kind == b->kind &&
           a->soft == b->soft;
}

/* Removes the slots that contain no open span. If too many spans are open, adds all of
 * them as spans without an end. */
static void make_room(struct dj_spans *spans)
{
    size_t begun = 0;
    for (size_t i = 0; i < spans->count; i++) {
        if (spans->slots[i].begun) {
            spans->slots[begun++] = spans->slots[i];
        }
    }
    for (size_t i = 0; begun >= OPEN_MAX && i < begun; i++) {
        add_open(spans, &spans->slots[i], INT64_MIN);
    }
    spans->count = begun >= OPEN_MAX ? 0 : begun;
    dj_map_clear(&spans->places);
    for (size_t i = 0; i < spans->count; i++) {
        dj_xcheck(dj_map_add(&spans->places, compute_hash(&spans->slots[i].key), i));
    }
    DJ_XRESERVE(spans->slots, spans->capacity, spans->count == 0 ? 1 : 2 * spans->count);
}

/* Returns the slot with the key `key`. If there is none, creates it. The pointer is valid
 * until the next call. */
static struct dj_span_slot *get_slot(struct dj_spans *spans,
                                     const struct dj_span_key *key)
{
    uint64_t hash = compute_hash(key);
    size_t at, found = dj_map_first(&spans->places, hash, &at);
    while (found != DJ_MAP_NONE && !is_equal(&spans->slots[found].key, key)) {
        found = dj_map_next(&spans->places, hash, &at);
    }
    if (found != DJ_MAP_NONE) {
        return &spans->slots[found];
    }
    if (spans->count == spans->capacity) {
        make_room(spans);
    }
    dj_xcheck(dj_map_add(&spans->places, hash, spans->count));
    spans->slots[spans->count] = (struct dj_span_slot){.key = *key};
    return &spans->slots[spans->count++];
}

static void count_loss(struct dj_spans *spans, int32_t cpu)
{
    spans->losses_in_all++;
    if (cpu < 0 || cpu >= DJ_CPUS_MAX) {
        spans->losses_of_all++;
        return;
    }
    DJ_XEXTEND(spans->losses, spans->cpu_count, (size_t)cpu + 1);
    spans->losses[cpu]++;
}

/* Returns the number of losses of events so far that affect spans of this kind. The begin
 * and the end of an interrupt or idle state happen on the same CPU, so only losses of
 * this CPU count. A disk request may complete on any CPU, so all losses count. Spans of
 * other kinds have unique keys, so no loss counts. */
static uint32_t get_losses(const struct dj_spans *spans, uint8_t kind, int32_t cpu)
{
    bool of_cpu = kind == DJ_SPAN_INTERRUPT || kind == DJ_SPAN_IDLE;
    return kind == DJ_SPAN_DISK ? spans->losses_in_all
           : !of_cpu            ? 0
           : cpu >= 0 && (size_t)cpu < spans->cpu_count
               ? spans->losses_of_all + spans->losses[cpu]
               : spans->losses_of_all;
}

/* Finds the request that a reply answers. This is the last request that the replying
 * thread has received from the thread `other`. */
static void find_request(struct dj_spans *spans, const struct dj_event *event,
                         struct dj_trace_span *reply)
{
    const struct dj_span_key key = {event->other, event->tid, RECEIVED_REQUEST, false};
    struct dj_span_slot *request = get_slot(spans, &key);
    if (request->begun) {
        reply->value_2 = request->span.value;
        reply->asked_ns = request->span.start_ns;
        reply->answers = true;
        request->begun = false;
    }
}

static void add_request(struct dj_spans *spans, const struct dj_trace_span *received)
{
    const struct dj_span_key key = {received->tid, received->other, RECEIVED_REQUEST,
                                    false};
    struct dj_span_slot *request = get_slot(spans, &key);
    request->span = *received;
    request->begun = true;
}

static void receive_transaction(struct dj_spans *spans, struct dj_trace_span *span,
                                int32_t tid)
{
    span->other = tid;
    if (tid <= 0) {
        return;
    }
    struct dj_live_thread *thread = dj_threads_get(spans->threads, (uint32_t)tid);
    if (span->pid > 0 && thread->known.pid <= 0) {
        thread->known.pid = span->pid;
    }
    if (!span->reply && !span->one_way) {
        add_request(spans, span);
    }
}

/* Ends a span if the same span begins again and no end was recorded. The end of a reading
 * is the next reading, but only if no events were lost in between (`whole`). */
static void end_repeated(struct dj_spans *spans, const struct dj_span_slot *slot,
                         const struct dj_event *event, bool whole)
{
    if (slot->begun && is_reading(slot->span.kind) && whole) {
        add_ended(spans, slot, event->at_ns);
    } else if (slot->begun) {
        add_open(spans, slot, INT64_MIN);
    }
}

/* Returns true if a begin belongs to the span that is already open. If a disk cannot
 * accept a request, the request is issued again, sometimes by another thread. A fence has
 * two begins, because it is created and then emitted. */
static bool is_same_request(const struct dj_span_slot *slot, uint32_t losses)
{
    return (slot->key.kind == DJ_SPAN_DISK || slot->key.kind == DJ_SPAN_FENCE) &&
           slot->begun && slot->losses == losses;
}

static void begin_span(struct dj_spans *spans, const struct dj_span_key *key,
                       const struct dj_event *event, const char *name)
{
    struct dj_trace_span span = dj_span_begin(event, name);
    if (span.reply) {
        find_request(spans, event, &span);
    }
    uint32_t losses = get_losses(spans, key->kind, event->cpu);
    struct dj_span_slot *slot = get_slot(spans, key);
    if (is_same_request(slot, losses)) {
        slot->span.issues++;
        return;
    }
    end_repeated(spans, slot, event, slot->losses == losses);
    slot->span = span;
    slot->losses = losses;
    slot->begun = true;
}

/* Returns true for kinds of spans that one thread begins and another thread ends. */
static bool is_request(uint8_t kind)
{
    return kind == DJ_SPAN_DISK || kind == DJ_SPAN_BINDER || kind == DJ_SPAN_FENCE;
}

/* Ends a span. If the begin is not known, adds a span of length 0 with `unbegun` set. */
static void end_span(struct dj_spans *spans, const struct dj_span_key *key,
                     const struct dj_event *event, const char *name)
{
    struct dj_span_slot *slot = get_slot(spans, key);
    bool whole = key->kind == DJ_SPAN_DISK ||
                 slot->losses == get_losses(spans, key->kind, event->cpu);
    bool paired = slot->begun && whole;
    struct dj_span_slot ended = *slot;
    slot->begun = false;
    if (!paired) {
        end_repeated(spans, &ended, event, false);
        ended.span = dj_span_begin(event, name);
        ended.span.unbegun = true;
        ended.span.tid = is_request(key->kind) ? -1 : ended.span.tid;
        ended.span.other = event->tid;
    } else if (key->kind == DJ_SPAN_BINDER) {
        receive_transaction(spans, &ended.span, event->tid);
    }
    add_ended(spans, &ended, event->at_ns);
}

void dj_spans_update(struct dj_spans *spans, const struct dj_event *event)
{
    enum dj_span_role role = dj_span_get_role(event);
    if (event->kind == DJ_EVENT_LOST) {
        count_loss(spans, event->cpu);
    } else if (role != DJ_SPAN_NO_ROLE) {
        const char *name = dj_span_get_name(&spans->trace->name_store, event);
        struct dj_span_key key = dj_span_get_key(event, name);
        (role == DJ_SPAN_ENDS ? end_span : begin_span)(spans, &key, event, name);
    }
}

void dj_spans_complete(struct dj_spans *spans, int64_t last_ns)
{
    for (size_t i = 0; i < spans->count; i++) {
        if (spans->slots[i].begun) {
            add_open(spans, &spans->slots[i], last_ns);
        }
    }
    spans->trace->span_rows = spans->rows;
    spans->rows = (struct dj_trace_rows){0};
}

void dj_spans_finish(struct dj_spans *spans)
{
    dj_trace_rows_finish(&spans->rows);
    free(spans->slots);
    dj_map_finish(&spans->places);
    free(spans->losses);
    *spans = (struct dj_spans){0};
}
