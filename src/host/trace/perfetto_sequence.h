/*
 * What a sequence of packets said once and means from then on: names by their number, its
 * defaults, its thread. It holds from where the sequence cleared it until packets of it
 * are lost. Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_SEQUENCE_H
#define DEJANK_TRACE_PERFETTO_SEQUENCE_H

#include "base/map.h"
#include "trace/perfetto_packet.h"

/* Texts by their number. They stay while anybody refers to them. */
struct dj_pf_texts {
    struct dj_map places;
    struct dj_str *texts; /* owned; the bytes are the trace's */
    size_t count;
    size_t users;
};

/* All of it ends with the last user. NULL is fine. */
void dj_pf_texts_unref(struct dj_pf_texts *texts);
/* Puts an entry {iid 1, name 2} of InternedData in, or of what looks like it; makes the
 * texts where there are none. */
void dj_pf_texts_put(struct dj_pf_texts **texts, struct dj_str entry);
/* No bytes: there is no such text. */
struct dj_str dj_pf_texts_find(const struct dj_pf_texts *texts, uint64_t iid);

struct dj_pf_sequence {
    uint64_t id;
    bool seen, valid;       /* its state holds */
    uint32_t generation;    /* how often it was cleared */
    uint64_t clock;         /* of packets that name none; 0: the trace's */
    struct dj_str defaults; /* TrackEventDefaults; none: empty */
    uint64_t track;         /* of events that name none, where has_track */
    bool has_track;
    struct dj_pf_texts *names;   /* of events; NULL: none */
    struct dj_pf_texts *symbols; /* of the kernel; NULL: none */
    int32_t tid, pid;            /* its thread, where old traces tell it; 0: not told */
    int64_t last_ns;             /* of its packet before; 0: none, or it had no time */
    int64_t time_us;             /* from which old traces count */
};

struct dj_pf_sequences {
    struct dj_map places;
    struct dj_pf_sequence *all; /* owned */
    size_t count;
    size_t last; /* that was asked for */
};

struct dj_pf_sequence *dj_pf_sequences_find(struct dj_pf_sequences *sequences,
                                            uint64_t id);

/* That sequence, made where there is none; valid until the next one is made. Packets of
 * one come one behind the other. */
static inline struct dj_pf_sequence *
dj_pf_sequences_get(struct dj_pf_sequences *sequences, uint64_t id)
{
    size_t last = sequences->last;
    return last < sequences->count && sequences->all[last].id == id
               ? &sequences->all[last]
               : dj_pf_sequences_find(sequences, id);
}
/* As if none had been seen. */
void dj_pf_sequences_forget(struct dj_pf_sequences *sequences);
void dj_pf_sequences_finish(struct dj_pf_sequences *sequences);

void dj_pf_sequence_change(struct dj_pf_sequence *sequence,
                           const struct dj_pf_packet *packet);

/* What a packet changes: clears, loses, adds to the state of its sequence. */
void dj_pf_sequence_take(struct dj_pf_sequence *sequence,
                         const struct dj_pf_packet *packet);
/* The same but for names. Most change nothing. */
static inline void dj_pf_sequence_take_frame(struct dj_pf_sequence *sequence,
                                             const struct dj_pf_packet *packet)
{
    sequence->seen = true;
    if (packet->dropped || packet->cleared || packet->defaults.at != NULL) {
        dj_pf_sequence_change(sequence, packet);
    }
}

#endif
