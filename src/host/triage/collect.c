#include "triage/collect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "triage/names.h"

enum { FIRST_SLOTS = 256, FAMILY = 32 };

const char *dj_triage_keep(struct dj_triage *triage, const char *name)
{
    const char *kept =
        dj_names_keep(&triage->names, (struct dj_words){name, strlen(name)});
    triage->failed |= kept == NULL;
    return kept != NULL ? kept : "";
}

bool dj_triage_room(struct dj_triage *triage, void *array, size_t count, size_t *capacity,
                    size_t size)
{
    void **at = array;
    if (triage->failed) {
        return false;
    }
    if (count == *capacity) {
        size_t more = 2 * *capacity + 256;
        void *grown = dj_array_resize(*at, more, size);
        if (grown == NULL) {
            triage->failed = true;
            return false;
        }
        *at = grown;
        *capacity = more;
    }
    return true;
}

void dj_triage_limit_add(struct dj_triage *triage, const char *format, ...)
{
    struct dj_triage_limit limit;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(limit.text, sizeof(limit.text), format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < triage->limit_count; i++) {
        if (strcmp(triage->limits[i].text, limit.text) == 0) {
            return;
        }
    }
    if (dj_triage_room(triage, &triage->limits, triage->limit_count,
                       &triage->limit_capacity, sizeof(limit))) {
        triage->limits[triage->limit_count++] = limit;
    }
}

/* ---- keys ---- */

static bool same_key(const struct dj_triage_key *a, const struct dj_triage_key *b)
{
    return a->name == b->name && a->thread == b->thread && a->holder == b->holder &&
           a->family == b->family && a->kind == b->kind && a->kept_off == b->kept_off &&
           a->foreign == b->foreign;
}

static size_t slot_of(const struct dj_triage *triage, const struct dj_triage_key *key)
{
    uintptr_t hash = (uintptr_t)key->name * 31 + (uintptr_t)key->thread;
    hash = hash * 31 + (uintptr_t)key->holder;
    hash = (hash * 31 + key->kind) * 4 + (key->kept_off ? 2 : 0) + (key->foreign ? 1 : 0);
    size_t at = (hash ^ hash >> 17) & (triage->slot_count - 1);
    while (triage->key_slots[at] != 0 &&
           !same_key(&triage->keys[triage->key_slots[at] - 1], key)) {
        at = (at + 1) & (triage->slot_count - 1);
    }
    return at;
}

static bool grow_slots(struct dj_triage *triage)
{
    size_t count = triage->slot_count == 0 ? FIRST_SLOTS : 2 * triage->slot_count;
    uint32_t *slots = calloc(count, sizeof(*slots));
    if (slots == NULL) {
        triage->failed = true;
        return false;
    }
    free(triage->key_slots);
    triage->key_slots = slots;
    triage->slot_count = count;
    for (size_t i = 0; i < triage->key_count; i++) {
        slots[slot_of(triage, &triage->keys[i])] = (uint32_t)i + 1;
    }
    return true;
}

static uint32_t key_number(struct dj_triage *triage, const struct dj_triage_key *key)
{
    if ((2 * triage->key_count >= triage->slot_count && !grow_slots(triage)) ||
        !dj_triage_room(triage, &triage->keys, triage->key_count, &triage->key_capacity,
                        sizeof(*triage->keys))) {
        return 0;
    }
    size_t slot = slot_of(triage, key);
    if (triage->key_slots[slot] == 0) {
        triage->keys[triage->key_count] = *key;
        triage->key_slots[slot] = (uint32_t)++triage->key_count;
    }
    return triage->key_slots[slot] - 1;
}

static const char *plain(struct dj_triage *triage, const char *name)
{
    struct dj_text text = {0};
    dj_triage_plain_name(&text, name);
    const char *kept = dj_triage_keep(triage, dj_text_get(&text));
    triage->failed |= text.failed;
    dj_text_finish(&text);
    return kept;
}

static const char *thread_name(struct dj_triage *triage,
                               const struct dj_triage_index *index, uint32_t tid)
{
    char number[24];
    const char *name = tid == 0 ? "" : dj_trace_thread_name(index->trace, tid);
    if (tid != 0 && name[0] == '\0') {
        snprintf(number, sizeof(number), "%u", tid);
        name = number;
    }
    return dj_triage_keep(triage, name);
}

/* Who ran on a core are counted by what they are called, all of a family as one. */
static const char *family_name(struct dj_triage *triage,
                               const struct dj_triage_index *index, uint32_t tid)
{
    char family[FAMILY];
    dj_triage_family(thread_name(triage, index, tid), family, sizeof(family));
    return dj_triage_keep(triage, family);
}

/* Which of a pool's threads answers is chance. */
static const char *peer_family(struct dj_triage *triage,
                               const struct dj_triage_index *index, uint32_t tid,
                               const char *holder)
{
    char pool[FAMILY];
    char family[FAMILY + 16];
    const struct dj_triage_thread *thread = dj_triage_thread_of(index, tid);
    if (thread == NULL || !dj_triage_pool(holder, pool, sizeof(pool))) {
        return holder;
    }
    snprintf(family, sizeof(family), "%s of %d", pool, thread->pid);
    return dj_triage_keep(triage, family);
}

static struct dj_triage_key key_of(struct dj_triage *triage,
                                   const struct dj_triage_index *index,
                                   const struct dj_triage_piece *piece)
{
    const struct dj_trace *trace = index->trace;
    bool ready =
        piece->state == DJ_THREAD_RUNNABLE || piece->state == DJ_THREAD_PREEMPTED;
    struct dj_triage_key key = {.kind = piece->kind};
    key.thread = thread_name(triage, index, piece->tid);
    bool shown = piece->kind == DJ_CAUSE_DISPLAY || piece->kind == DJ_CAUSE_GPU;
    key.name = piece->slice != DJ_NO_SLICE
                   ? plain(triage, trace->slices[piece->slice].name)
               : shown && piece->detail != NULL ? dj_triage_keep(triage, piece->detail)
                                                : key.thread;
    key.holder =
        thread_name(triage, index, piece->kind == DJ_CAUSE_IO ? 0 : piece->other);
    key.family = ready ? family_name(triage, index, piece->other)
                 : piece->kind == DJ_CAUSE_IPC
                     ? peer_family(triage, index, piece->other, key.holder)
                     : key.holder;
    key.kept_off =
        piece->kind == DJ_CAUSE_RUNNABLE && piece->state == DJ_THREAD_PREEMPTED;
    key.foreign = ready && index->has_others &&
                  !dj_triage_same_process(index, piece->other, piece->tid);
    return key;
}

/* ---- evidence ---- */

static const char *process_name(struct dj_triage *triage,
                                const struct dj_triage_index *index, uint32_t tid,
                                uint32_t other)
{
    const struct dj_triage_thread *thread = dj_triage_thread_of(index, other);
    if (thread == NULL || thread->pid <= 0 || dj_triage_same_process(index, tid, other)) {
        return dj_triage_keep(triage, "");
    }
    const char *name = dj_trace_process_name(index->trace, thread->pid);
    return name[0] != '\0' ? dj_triage_keep(triage, name)
                           : thread_name(triage, index, (uint32_t)thread->pid);
}

static uint32_t keep_evidence(struct dj_triage *triage,
                              const struct dj_triage_index *index,
                              const struct dj_triage_seen *seen,
                              const struct dj_triage_piece *piece)
{
    const struct dj_trace *trace = index->trace;
    if (!dj_triage_room(triage, &triage->evidence, triage->evidence_count,
                        &triage->evidence_capacity, sizeof(*triage->evidence))) {
        return UINT32_MAX;
    }
    struct dj_triage_evidence *evidence = &triage->evidence[triage->evidence_count];
    *evidence = (struct dj_triage_evidence){
        .frame = seen->name,
        .trace = seen->trace,
        .frame_start_ns = seen->start_ns,
        .start_ns = piece->start_ns,
        .end_ns = piece->end_ns,
        .late_ns = seen->end_ns - seen->deadline_ns,
        .thread = thread_name(triage, index, piece->tid),
        .tid = piece->tid,
        .waker =
            thread_name(triage, index, piece->waker > 0 ? (uint32_t)piece->waker : 0),
        .waker_tid = piece->waker > 0 ? (uint32_t)piece->waker : 0,
        .holder = thread_name(triage, index, piece->other),
        .holder_tid = piece->other,
        .interrupted = piece->interrupted,
        .holder_section =
            dj_triage_keep(triage, piece->other_slice != DJ_NO_SLICE
                                       ? trace->slices[piece->other_slice].name
                                       : ""),
        .holder_process = process_name(triage, index, piece->tid, piece->other),
        .asked = thread_name(triage, index, piece->asked),
        .asked_tid = piece->asked,
        .cpu = piece->cpu,
        .khz = piece->khz,
        .ought_khz = piece->ought_khz,
        .limited = piece->limited,
        .detail = dj_triage_keep(triage, piece->detail != NULL ? piece->detail : ""),
    };
    for (int32_t at = piece->slice;
         at != DJ_NO_SLICE && evidence->stack_count < DJ_TRIAGE_STACK;
         at = index->parents[at]) {
        evidence->stack[evidence->stack_count++] =
            dj_triage_keep(triage, trace->slices[at].name);
    }
    return (uint32_t)triage->evidence_count++;
}

/* ---- shares ---- */

static void add_doing(struct dj_triage_doing *sum, const struct dj_triage_doing *more)
{
    sum->running += more->running;
    sum->ready += more->ready;
    sum->io += more->io;
    sum->asleep += more->asleep;
    sum->unknown += more->unknown;
}

/* Being kept off is noted with the work that it interrupts. */
static void note_kept_off(struct dj_triage *triage, const struct dj_triage_seen *seen,
                          const struct dj_triage_key *off, int64_t length_ns)
{
    for (size_t i = seen->first_share; i < triage->share_count; i++) {
        struct dj_triage_share *share = &triage->shares[i];
        const struct dj_triage_key *work = &triage->keys[share->key];
        if (work->kind == DJ_CAUSE_OWN_WORK && work->name == off->name &&
            work->thread == off->thread) {
            share->off_ns = (share->tail_ns == 0 ? share->off_ns : 0) + length_ns;
            share->tail_ns = 0;
        }
    }
}

static void add_share(struct dj_triage *triage, const struct dj_triage_index *index,
                      const struct dj_triage_seen *seen, uint32_t key,
                      const struct dj_triage_piece *piece)
{
    int64_t length_ns = piece->end_ns - piece->start_ns;
    struct dj_triage_share *share = NULL;
    for (size_t i = seen->first_share; i < triage->share_count && share == NULL; i++) {
        share = triage->shares[i].key == key ? &triage->shares[i] : NULL;
    }
    if (share == NULL) {
        if (!dj_triage_room(triage, &triage->shares, triage->share_count,
                            &triage->share_capacity, sizeof(*triage->shares))) {
            return;
        }
        share = &triage->shares[triage->share_count++];
        *share = (struct dj_triage_share){
            .frame = (uint32_t)triage->frame_count, .key = key, .evidence = UINT32_MAX};
    }
    share->pieces++;
    share->ns += length_ns;
    share->tail_ns += length_ns;
    add_doing(&share->doing, &piece->doing);
    if (triage->keys[key].kept_off) {
        note_kept_off(triage, seen, &triage->keys[key], length_ns);
    }
    if (!seen->janky || seen->base) {
        return;
    }
    if (share->evidence == UINT32_MAX) {
        share->evidence = keep_evidence(triage, index, seen, piece);
    } else if (length_ns > triage->evidence[share->evidence].end_ns -
                               triage->evidence[share->evidence].start_ns) {
        size_t last = triage->evidence_count;
        uint32_t made = keep_evidence(triage, index, seen, piece);
        if (made != UINT32_MAX) {
            triage->evidence[share->evidence] = triage->evidence[made];
            triage->evidence_count = last;
        }
    }
}

static void keep_part(struct dj_triage *triage, struct dj_triage_seen *seen, uint32_t key,
                      const struct dj_triage_piece *piece)
{
    if (seen->part_count > 0 && triage->parts[triage->part_count - 1].key == key) {
        triage->parts[triage->part_count - 1].end_ns = piece->end_ns;
        return;
    }
    if (dj_triage_room(triage, &triage->parts, triage->part_count, &triage->part_capacity,
                       sizeof(*triage->parts))) {
        triage->parts[triage->part_count++] =
            (struct dj_triage_kept_part){piece->start_ns, piece->end_ns, key};
        seen->part_count++;
    }
}

void dj_triage_collect(struct dj_triage *triage, const struct dj_triage_index *index,
                       const struct dj_triage_frame *frame,
                       const struct dj_triage_piece *pieces, size_t count)
{
    if (!dj_triage_room(triage, &triage->frames, triage->frame_count,
                        &triage->frame_capacity, sizeof(*triage->frames))) {
        return;
    }
    struct dj_triage_seen *seen = &triage->frames[triage->frame_count];
    *seen =
        (struct dj_triage_seen){.trace = triage->trace_name, .base = triage->adding_base};
    seen->name = dj_triage_keep(triage, frame->name);
    seen->thread = thread_name(triage, index, frame->tid);
    seen->start_ns = frame->start_ns;
    seen->end_ns = frame->end_ns;
    seen->deadline_ns = frame->deadline_ns;
    seen->incomplete = frame->incomplete;
    seen->janky = frame->end_ns > frame->deadline_ns;
    seen->first_share = triage->share_count;
    seen->first_part = triage->part_count;
    for (size_t i = 0; i < count && !frame->incomplete; i++) {
        struct dj_triage_key key = key_of(triage, index, &pieces[i]);
        uint32_t number = key_number(triage, &key);
        if (triage->failed) {
            return;
        }
        /* What passed until it came in time did not make it late. */
        if (frame->made_ns == 0 || pieces[i].start_ns >= frame->made_ns) {
            add_share(triage, index, seen, number, &pieces[i]);
        }
        if (seen->janky && !seen->base) {
            keep_part(triage, seen, number, &pieces[i]);
        }
    }
    seen->share_count = triage->share_count - seen->first_share;
    for (size_t i = seen->first_share; i < triage->share_count; i++) {
        struct dj_triage_share *share = &triage->shares[i];
        if (share->evidence != UINT32_MAX) {
            triage->evidence[share->evidence].ns = share->ns;
        }
    }
    triage->frame_count++;
}

void dj_triage_collect_runs(struct dj_triage *triage, const struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        int64_t sum_ns = 0;
        for (size_t at = thread->states.from; at < thread->states.to; at++) {
            const struct dj_trace_state *state = &trace->states[index->states[at]];
            sum_ns +=
                state->state == DJ_THREAD_RUNNING ? state->end_ns - state->start_ns : 0;
        }
        if (sum_ns > 0 && dj_triage_room(triage, &triage->ran, triage->ran_count,
                                         &triage->ran_capacity, sizeof(*triage->ran))) {
            triage->ran[triage->ran_count++] =
                (struct dj_triage_ran){family_name(triage, index, thread->tid), sum_ns};
        }
    }
}
