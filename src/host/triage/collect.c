#include "triage/collect.h"

#include <stdlib.h>

#include "memory/memory.h"
#include "triage/cause_key.h"
#include "triage/index/group.h"
#include "triage/index/interrupts.h"

static const char *get_process_name(struct dj_triage *triage,
                                    const struct dj_triage_index *index, uint32_t tid,
                                    uint32_t other)
{
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, other);
    if (thread == NULL || thread->pid <= 0 ||
        dj_triage_is_same_process(index, tid, other)) {
        return dj_triage_intern(triage, "");
    }
    const char *name = dj_trace_get_process_name(index->trace, thread->pid);
    return name[0] != '\0'
               ? dj_triage_intern(triage, name)
               : dj_triage_get_thread_name(triage, index, (uint32_t)thread->pid);
}

static struct dj_triage_evidence
create_evidence(struct dj_triage *triage, const struct dj_triage_index *index,
                const struct dj_triage_frame_record *seen,
                const struct dj_triage_piece *piece)
{
    const struct dj_trace *trace = index->trace;
    uint32_t waker = piece->waker > 0 ? (uint32_t)piece->waker : 0;
    struct dj_triage_evidence evidence = {
        .frame = seen->name,
        .trace = seen->trace,
        .trace_start_ns = seen->trace_start_ns,
        .frame_start_ns = seen->start_ns,
        .start_ns = piece->start_ns,
        .end_ns = piece->end_ns,
        .late_ns = seen->late_ns,
        .thread = dj_triage_get_thread_name(triage, index, piece->tid),
        .tid = piece->tid,
        .waker = dj_triage_get_thread_name(triage, index, waker),
        .waker_tid = waker,
        .holder = dj_triage_get_thread_name(triage, index, piece->other),
        .holder_tid = piece->other,
        .interrupted = piece->interrupted,
        .reason_unknown = piece->reason_unknown,
        .holder_section =
            dj_triage_intern(triage, piece->other_slice != DJ_NO_SLICE
                                         ? trace->slices[piece->other_slice].name
                                         : ""),
        .holder_process = get_process_name(triage, index, piece->tid, piece->other),
        .called = dj_triage_get_thread_name(triage, index, piece->called_tid),
        .called_tid = piece->called_tid,
        .cpu = piece->cpu,
        .khz = piece->khz,
        .expected_khz = piece->expected_khz,
        .is_limited = piece->is_limited,
        .core_khz = piece->core_khz,
        .highest_khz = piece->core_khz > 0 ? index->highest_khz : 0,
        .app_was_late = seen->shown_late_ns > 0,
        .detail = dj_triage_intern(triage, piece->detail != NULL ? piece->detail : ""),
    };
    for (int32_t at = piece->slice;
         at != DJ_NO_SLICE && evidence.stack_count < DJ_TRIAGE_STACK;
         at = index->parents[at]) {
        evidence.stack[evidence.stack_count++] =
            dj_triage_intern(triage, trace->slices[at].name);
    }
    return evidence;
}

/* Adds time in which a thread had no CPU to the share of the work that the thread was
 * doing. */
static void add_off_time(struct dj_triage *triage,
                         const struct dj_triage_frame_record *seen,
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

/* Adds a wait for a CPU to the share of the sleep directly before it. `wait` is the index
 * of the share of the thread's last sleep, or SIZE_MAX if the thread has run after this
 * sleep. Returns the new value of `wait`. */
static size_t add_wakeup_wait(struct dj_triage *triage, size_t wait, size_t share,
                              const struct dj_triage_piece *piece)
{
    const struct dj_triage_key *key = &triage->keys[triage->shares[share].key];
    bool same =
        wait != SIZE_MAX && triage->keys[triage->shares[wait].key].thread == key->thread;
    if (piece->state == DJ_THREAD_RUNNING || piece->state == DJ_THREAD_PREEMPTED) {
        return SIZE_MAX;
    }
    if (key->kind == DJ_CAUSE_RUNNABLE && same) {
        int64_t length_ns = piece->end_ns - piece->start_ns;
        triage->shares[wait].woken.ns += length_ns;
        triage->shares[wait].woken.foreign_ns += key->foreign ? length_ns : 0;
    }
    return key->kind == DJ_CAUSE_RUNNABLE || key->kind == DJ_CAUSE_LATE_WAKE ? wait
                                                                             : share;
}

static size_t add_share(struct dj_triage *triage, const struct dj_triage_index *index,
                        const struct dj_triage_frame_record *seen, uint32_t key,
                        const struct dj_triage_piece *piece)
{
    int64_t length_ns = piece->end_ns - piece->start_ns;
    struct dj_triage_share *share = NULL;
    for (size_t i = seen->first_share; i < triage->share_count && share == NULL; i++) {
        share = triage->shares[i].key == key ? &triage->shares[i] : NULL;
    }
    if (share == NULL) {
        DJ_XROOM(triage->shares, triage->share_count);
        share = &triage->shares[triage->share_count++];
        *share = (struct dj_triage_share){
            .frame = (uint32_t)triage->frame_count, .key = key, .evidence = UINT32_MAX};
    }
    share->pieces++;
    if (piece->kind == DJ_CAUSE_OWN_WORK) {
        share->requests += dj_triage_count_disk_requests(index, piece->tid,
                                                         piece->start_ns, piece->end_ns);
    }
    share->ns += length_ns;
    share->tail_ns += length_ns;
    dj_triage_activity_add(&share->activity, &piece->activity);
    if (triage->keys[key].preempted) {
        add_off_time(triage, seen, &triage->keys[key], length_ns);
    }
    size_t number = (size_t)(share - triage->shares);
    if (!seen->janky || seen->base) {
        return number;
    }
    if (share->evidence == UINT32_MAX) {
        share->evidence = (uint32_t)triage->evidence_count;
        DJ_XPUSH(triage->evidence, triage->evidence_count,
                 create_evidence(triage, index, seen, piece));
    } else if (length_ns > triage->evidence[share->evidence].end_ns -
                               triage->evidence[share->evidence].start_ns) {
        triage->evidence[share->evidence] = create_evidence(triage, index, seen, piece);
    }
    return number;
}

static void add_part(struct dj_triage *triage, struct dj_triage_frame_record *seen,
                     uint32_t key, const struct dj_triage_piece *piece)
{
    if (seen->part_count > 0 && triage->parts[triage->part_count - 1].key == key) {
        triage->parts[triage->part_count - 1].end_ns = piece->end_ns;
        return;
    }
    const struct dj_triage_stored_part part = {piece->start_ns, piece->end_ns, key};
    DJ_XPUSH(triage->parts, triage->part_count, part);
    seen->part_count++;
}

void dj_triage_collect_frame(struct dj_triage *triage,
                             const struct dj_triage_index *index,
                             const struct dj_triage_frame *frame,
                             const struct dj_triage_piece *pieces, size_t count)
{
    DJ_XROOM(triage->frames, triage->frame_count);
    struct dj_triage_frame_record *seen = &triage->frames[triage->frame_count];
    *seen = (struct dj_triage_frame_record){
        .name = dj_triage_intern(triage, frame->name),
        .trace = triage->trace_name,
        .trace_start_ns = index->trace->first_ns,
        .thread = dj_triage_get_thread_name(triage, index, frame->tid),
        .start_ns = frame->start_ns,
        .end_ns = frame->end_ns,
        .deadline_ns = frame->deadline_ns,
        .base = triage->adding_base,
        .incomplete = frame->incomplete,
        .first_share = triage->share_count,
        .first_part = triage->part_count};
    bool app_was_late = frame->made_ns != 0 && frame->made_ns > frame->deadline_ns;
    seen->late_ns = app_was_late
                        ? frame->made_ns - frame->deadline_ns + frame->shown_late_ns
                        : frame->end_ns - frame->deadline_ns;
    seen->shown_late_ns = app_was_late ? frame->shown_late_ns : 0;
    seen->janky = seen->late_ns > 0;
    size_t wait = SIZE_MAX;
    for (size_t i = 0; i < count && !frame->incomplete; i++) {
        struct dj_triage_key key = dj_triage_key_compute(triage, index, &pieces[i]);
        uint32_t number = dj_triage_key_add(triage, &key);
        /* If only the compositor was late, the app's part of the path gets no shares. */
        bool shown = frame->made_ns != 0 && pieces[i].start_ns >= frame->made_ns;
        if (frame->made_ns == 0 || app_was_late || shown) {
            size_t share = add_share(triage, index, seen, number, &pieces[i]);
            triage->shares[share].shown |= shown;
            wait = add_wakeup_wait(triage, wait, share, &pieces[i]);
        }
        if (seen->janky && !seen->base) {
            add_part(triage, seen, number, &pieces[i]);
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
    triage->result.frames += !seen->base;
}

/* Returns an array with one element for each thread: the index of the thread's family in
 * triage->ran. The caller frees the array. */
static size_t *find_families(struct dj_triage *triage,
                             const struct dj_triage_index *index)
{
    size_t *families = dj_xresize(NULL, index->thread_count, sizeof(*families));
    struct dj_map places = {0}; /* Maps the address of an interned name to an index. */
    for (size_t i = 0; i < index->thread_count; i++) {
        const char *family =
            dj_triage_get_family_name(triage, index, index->threads[i].tid);
        families[i] = dj_map_get(&places, (uintptr_t)family);
        if (families[i] == DJ_MAP_NONE) {
            families[i] = triage->ran_count;
            dj_xcheck(dj_map_set(&places, (uintptr_t)family, triage->ran_count));
            DJ_XPUSH(triage->ran, triage->ran_count,
                     (struct dj_triage_family_time){family, 0, INT64_MIN});
        }
    }
    dj_map_finish(&places);
    return families;
}

/* Adds the running states of all threads. Depends on the order of trace->states, which
 * are sorted by start. */
void dj_triage_collect_runs(struct dj_triage *triage, const struct dj_triage_index *index)
{
    const struct dj_trace *trace = index->trace;
    size_t *families = find_families(triage, index);
    for (size_t i = 0; i < trace->state_count; i++) {
        const struct dj_trace_state *state = &trace->states[i];
        ptrdiff_t place = state->state == DJ_THREAD_RUNNING
                              ? dj_triage_find_thread_place(index, state->tid)
                              : -1;
        if (place >= 0) {
            struct dj_triage_family_time *ran = &triage->ran[families[place]];
            int64_t from_ns =
                state->start_ns > ran->until_ns ? state->start_ns : ran->until_ns;
            if (state->end_ns > from_ns) {
                ran->ns += state->end_ns - from_ns;
                ran->until_ns = state->end_ns;
            }
        }
    }
    free(families);
}
