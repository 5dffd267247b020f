#include "trace/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/span_parts.h"

enum { FIRST_CAPACITY = 256, MOST_BEGUN = 1 << 17, MOST_CPUS = 1 << 16 };

/* A request that its thread has taken: which threads it is between. */
enum { ASKED = DJ_SPAN_KINDS };

struct dj_span_slot {
    struct dj_span_key key;
    struct dj_trace_span span; /* of one that has begun */
    uint32_t losses;           /* of its CPU, when it did */
    bool used, begun;
};

/* ---- rows ---- */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_start(const void *a, const void *b)
{
    const struct dj_trace_span *left = a;
    const struct dj_trace_span *right = b;
    int order = left->kind - right->kind;
    order = order != 0 ? order : compare(left->start_ns, right->start_ns);
    order = order != 0 ? order : compare(left->cpu, right->cpu);
    order = order != 0 ? order : compare(left->tid, right->tid);
    order = order != 0 ? order : compare(left->end_ns, right->end_ns);
    order = order != 0 ? order : compare(left->value, right->value);
    order = order != 0 ? order : compare(left->value_2, right->value_2);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static bool put(struct dj_spans *spans, const struct dj_trace_span *span)
{
    if (spans->rows.row_bytes == 0) {
        spans->rows = (struct dj_rows){.row_bytes = sizeof(*span),
                                       .order = by_start,
                                       .memory_bytes = spans->trace->memory_bytes};
    }
    return dj_rows_put(&spans->rows, span);
}

static bool lasts(uint8_t kind)
{
    return kind <= DJ_SPAN_IDLE;
}

/* It has begun, and when it ended is not told. */
static bool put_open(struct dj_spans *spans, const struct dj_span_slot *slot,
                     int64_t last_ns)
{
    struct dj_trace_span span = slot->span;
    span.open = true;
    span.end_ns = lasts(span.kind) && last_ns > span.start_ns ? last_ns : span.start_ns;
    return slot->key.kind == ASKED || put(spans, &span);
}

/* Where time runs backwards, nothing ends before it began. */
static bool put_ended(struct dj_spans *spans, const struct dj_span_slot *slot,
                      int64_t at_ns)
{
    struct dj_trace_span span = slot->span;
    span.end_ns = at_ns > span.start_ns ? at_ns : span.start_ns;
    return put(spans, &span);
}

/* ---- what has begun ---- */

static size_t place_of(const struct dj_span_slot *slots, size_t capacity,
                       const struct dj_span_key *key)
{
    static const uint64_t mix = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (uint64_t)key->first * mix ^ (uint64_t)key->second ^
                    (uint64_t)(2 * key->kind + key->soft) << 56;
    size_t at = (size_t)(hash * mix >> 32) & (capacity - 1);
    while (slots[at].used &&
           (slots[at].key.first != key->first || slots[at].key.second != key->second ||
            slots[at].key.kind != key->kind || slots[at].key.soft != key->soft)) {
        at = (at + 1) & (capacity - 1);
    }
    return at;
}

/* Only what has begun keeps its place; too much of it is given up. */
static bool make_room(struct dj_spans *spans)
{
    size_t begun = 0, capacity = FIRST_CAPACITY;
    bool fits = true;
    for (size_t i = 0; i < spans->capacity; i++) {
        begun += spans->slots[i].used && spans->slots[i].begun;
    }
    for (size_t i = 0; begun >= MOST_BEGUN && i < spans->capacity && fits; i++) {
        struct dj_span_slot *slot = &spans->slots[i];
        fits = !slot->used || !slot->begun || put_open(spans, slot, INT64_MIN);
        slot->begun = false;
    }
    begun = begun >= MOST_BEGUN ? 0 : begun;
    while (capacity < 4 * begun) {
        capacity *= 2;
    }
    struct dj_span_slot *grown = fits ? calloc(capacity, sizeof(*grown)) : NULL;
    if (grown == NULL) {
        return false;
    }
    for (size_t i = 0; i < spans->capacity; i++) {
        const struct dj_span_slot *slot = &spans->slots[i];
        if (slot->used && slot->begun) {
            grown[place_of(grown, capacity, &slot->key)] = *slot;
        }
    }
    free(spans->slots);
    spans->slots = grown;
    spans->capacity = capacity;
    spans->count = begun;
    return true;
}

/* Valid until the next one is asked for; NULL: out of memory. */
static struct dj_span_slot *slot_of(struct dj_spans *spans, const struct dj_span_key *key)
{
    if (2 * spans->count >= spans->capacity && !make_room(spans)) {
        return NULL;
    }
    struct dj_span_slot *slot =
        &spans->slots[place_of(spans->slots, spans->capacity, key)];
    if (!slot->used) {
        *slot = (struct dj_span_slot){.key = *key, .used = true};
        spans->count++;
    }
    return slot;
}

/* ---- losses ---- */

static bool lose(struct dj_spans *spans, int32_t cpu)
{
    spans->losses_in_all++;
    if (cpu < 0 || cpu >= MOST_CPUS) {
        spans->losses_of_all++;
        return true;
    }
    if ((size_t)cpu >= spans->cpu_count) {
        size_t count = (size_t)cpu + 1;
        uint32_t *grown = dj_array_resize(spans->losses, count, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        memset(grown + spans->cpu_count, 0, (count - spans->cpu_count) * sizeof(*grown));
        spans->losses = grown;
        spans->cpu_count = count;
    }
    spans->losses[cpu]++;
    return true;
}

/* Interrupts and sleeps are told by their CPU alone. A transaction has a number by which
 * it is known wherever it is taken. */
static uint32_t losses_of(const struct dj_spans *spans, uint8_t kind, int32_t cpu)
{
    bool of_cpu = kind == DJ_SPAN_INTERRUPT || kind == DJ_SPAN_IDLE;
    return kind == DJ_SPAN_DISK ? spans->losses_in_all
           : !of_cpu            ? 0
           : cpu >= 0 && (size_t)cpu < spans->cpu_count
               ? spans->losses_of_all + spans->losses[cpu]
               : spans->losses_of_all;
}

/* ---- requests and their replies ---- */

/* A reply goes back to who asked: what its thread took of that one last. */
static bool find_request(struct dj_spans *spans, const struct dj_event *event,
                         struct dj_trace_span *reply)
{
    const struct dj_span_key key = {event->other, event->tid, ASKED, false};
    struct dj_span_slot *asked = slot_of(spans, &key);
    if (asked != NULL && asked->begun) {
        reply->value_2 = asked->span.value;
        reply->asked_ns = asked->span.start_ns;
        reply->answers = true;
        asked->begun = false;
    }
    return asked != NULL;
}

static bool take_request(struct dj_spans *spans, const struct dj_trace_span *taken)
{
    const struct dj_span_key key = {taken->tid, taken->other, ASKED, false};
    struct dj_span_slot *asked = slot_of(spans, &key);
    if (asked != NULL) {
        asked->span = *taken;
        asked->begun = true;
    }
    return asked != NULL;
}

static bool receive(struct dj_spans *spans, struct dj_trace_span *span, int32_t tid)
{
    struct dj_thread *thread =
        tid > 0 ? dj_threads_get(spans->threads, (uint32_t)tid) : NULL;
    span->other = tid;
    if (thread == NULL) {
        return tid <= 0;
    }
    if (span->pid > 0 && thread->known.pid <= 0) {
        thread->known.pid = span->pid;
    }
    return span->reply || span->one_way || take_request(spans, span);
}

/* ---- events ---- */

/* What begins again has left its former end untold; of readings that is the next one. */
static bool leave(struct dj_spans *spans, const struct dj_span_slot *slot,
                  const struct dj_event *event, bool whole)
{
    return !slot->begun ||
           (lasts(slot->span.kind) && whole ? put_ended(spans, slot, event->at_ns)
                                            : put_open(spans, slot, INT64_MIN));
}

/* What the disk could not take is issued anew, by whoever tries again; a fence is made,
 * then emitted. */
static bool is_same_request(const struct dj_span_slot *slot, uint32_t losses)
{
    return (slot->key.kind == DJ_SPAN_DISK || slot->key.kind == DJ_SPAN_FENCE) &&
           slot->begun && slot->losses == losses;
}

static bool begin(struct dj_spans *spans, const struct dj_span_key *key,
                  const struct dj_event *event, const char *name)
{
    struct dj_trace_span span = dj_span_of(event, name);
    if (span.reply && !find_request(spans, event, &span)) {
        return false;
    }
    uint32_t losses = losses_of(spans, key->kind, event->cpu);
    struct dj_span_slot *slot = slot_of(spans, key);
    if (slot != NULL && is_same_request(slot, losses)) {
        slot->span.issues++;
        return true;
    }
    if (slot == NULL || !leave(spans, slot, event, slot->losses == losses)) {
        return false;
    }
    slot->span = span;
    slot->losses = losses;
    slot->begun = true;
    return true;
}

/* Begun by one thread and ended by another. */
static bool is_request(uint8_t kind)
{
    return kind == DJ_SPAN_DISK || kind == DJ_SPAN_BINDER || kind == DJ_SPAN_FENCE;
}

/* An end whose beginning is not there has no beginning, and stands where it ended. */
static bool end(struct dj_spans *spans, const struct dj_span_key *key,
                const struct dj_event *event, const char *name)
{
    struct dj_span_slot *slot = slot_of(spans, key);
    if (slot == NULL) {
        return false;
    }
    bool whole = key->kind == DJ_SPAN_DISK ||
                 slot->losses == losses_of(spans, key->kind, event->cpu);
    bool paired = slot->begun && whole;
    struct dj_span_slot ended = *slot;
    slot->begun = false;
    if (!paired) {
        bool fits = leave(spans, &ended, event, false);
        ended.span = dj_span_of(event, name);
        ended.span.unbegun = true;
        ended.span.tid = is_request(key->kind) ? -1 : ended.span.tid;
        ended.span.other = event->tid;
        return fits && put_ended(spans, &ended, event->at_ns);
    }
    return (key->kind != DJ_SPAN_BINDER || receive(spans, &ended.span, event->tid)) &&
           put_ended(spans, &ended, event->at_ns);
}

static bool take(struct dj_spans *spans, const struct dj_event *event,
                 enum dj_span_role role)
{
    const char *name = dj_span_name(&spans->trace->kept, event);
    if (name == NULL) {
        return false;
    }
    struct dj_span_key key = dj_span_key_of(event, name);
    return role == DJ_SPAN_ENDS ? end(spans, &key, event, name)
                                : begin(spans, &key, event, name);
}

bool dj_spans_take(struct dj_spans *spans, const struct dj_event *event)
{
    if (event->kind == DJ_EVENT_LOST) {
        return lose(spans, event->cpu);
    }
    enum dj_span_role role = dj_span_role_of(event);
    return role == DJ_SPAN_NO_ROLE || take(spans, event, role);
}

bool dj_spans_end(struct dj_spans *spans, int64_t last_ns)
{
    for (size_t i = 0; i < spans->capacity; i++) {
        if (spans->slots[i].used && spans->slots[i].begun &&
            !put_open(spans, &spans->slots[i], last_ns)) {
            return false;
        }
    }
    spans->trace->span_rows = spans->rows;
    spans->rows = (struct dj_rows){0};
    return true;
}

void dj_spans_finish(struct dj_spans *spans)
{
    dj_rows_finish(&spans->rows);
    free(spans->slots);
    free(spans->losses);
    *spans = (struct dj_spans){0};
}
