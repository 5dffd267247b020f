/*
 * Stores the state of a sequence of packets: names by number, defaults, its thread. The
 * state is valid from the packet that cleared it until packets of the sequence are lost.
 */
#ifndef DEJANK_TRACE_PERFETTO_SEQUENCE_H
#define DEJANK_TRACE_PERFETTO_SEQUENCE_H

#include "base/map.h"
#include "trace/perfetto/packet.h"

/* Texts by number, reference counted. */
struct dj_perfetto_texts {
    struct dj_map places;
    struct dj_str *texts; /* owned; the bytes belong to the trace */
    size_t count;
    size_t users;
};

/* Frees the texts with the last reference. NULL is allowed. */
void dj_perfetto_texts_unref(struct dj_perfetto_texts *texts);
/* Adds an entry {iid 1, name 2} of InternedData or of a message with the same fields.
 * Creates *texts if it is NULL. */
void dj_perfetto_texts_add(struct dj_perfetto_texts **texts, struct dj_str entry);
/* Returns an empty text if there is no such number. */
struct dj_str dj_perfetto_texts_find(const struct dj_perfetto_texts *texts, uint64_t iid);

struct dj_perfetto_sequence {
    uint64_t id;
    bool seen, valid;       /* its state is valid */
    uint32_t generation;    /* how often it was cleared */
    uint64_t clock;         /* of packets that name none; 0: the trace's */
    struct dj_str defaults; /* TrackEventDefaults; empty: none */
    uint64_t track;         /* of events that name none; valid if has_track */
    bool has_track;
    struct dj_perfetto_texts *names;   /* of events; NULL: none */
    struct dj_perfetto_texts *symbols; /* of the kernel; NULL: none */
    int32_t tid, pid;                  /* its thread, in old traces; 0: unknown */
    int64_t last_ns; /* time of its previous packet; 0: none or unknown */
    int64_t time_us; /* base of time deltas in old traces */
};

struct dj_perfetto_sequences {
    struct dj_map places;
    struct dj_perfetto_sequence *all; /* owned */
    size_t count;
    size_t last; /* index of the last result */
};

struct dj_perfetto_sequence *
dj_perfetto_sequences_find_or_add(struct dj_perfetto_sequences *sequences, uint64_t id);

/* Returns that sequence, creates it if needed. The pointer is valid until the next one is
 * created. Packets of one sequence often come one after the other. */
static inline struct dj_perfetto_sequence *
dj_perfetto_sequences_get(struct dj_perfetto_sequences *sequences, uint64_t id)
{
    size_t last = sequences->last;
    return last < sequences->count && sequences->all[last].id == id
               ? &sequences->all[last]
               : dj_perfetto_sequences_find_or_add(sequences, id);
}
/* Resets all sequences to their initial state. */
void dj_perfetto_sequences_reset(struct dj_perfetto_sequences *sequences);
void dj_perfetto_sequences_finish(struct dj_perfetto_sequences *sequences);

void dj_perfetto_sequence_apply_change(struct dj_perfetto_sequence *sequence,
                                       const struct dj_perfetto_packet *packet);

/* Applies a packet to the state of its sequence: clears it, invalidates it, or adds to
 * it. */
void dj_perfetto_sequence_apply_packet(struct dj_perfetto_sequence *sequence,
                                       const struct dj_perfetto_packet *packet);
/* The same without names. Most packets change nothing. */
static inline void
dj_perfetto_sequence_apply_frame(struct dj_perfetto_sequence *sequence,
                                 const struct dj_perfetto_packet *packet)
{
    sequence->seen = true;
    if (packet->dropped || packet->cleared || packet->defaults.at != NULL) {
        dj_perfetto_sequence_apply_change(sequence, packet);
    }
}

#endif
