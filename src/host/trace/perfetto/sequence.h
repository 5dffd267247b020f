/*
 * Stores the state of a sequence of packets. A packet of a sequence may refer to names
 * and default values that earlier packets of the sequence have defined. The state is
 * valid from a packet that clears it until a packet of the sequence is lost.
 */
#ifndef DEJANK_TRACE_PERFETTO_SEQUENCE_H
#define DEJANK_TRACE_PERFETTO_SEQUENCE_H

#include "base/map.h"
#include "trace/perfetto/packet.h"

/* Strings, indexed by number. Reference counted. */
struct dj_perfetto_texts {
    struct dj_map places;
    struct dj_str *texts; /* Owned. The characters belong to the trace. */
    size_t count;
    size_t users;
};

/* Releases a reference. Frees the strings when the last reference is released. Does
 * nothing if `texts` is NULL. */
void dj_perfetto_texts_unref(struct dj_perfetto_texts *texts);
/* Adds an entry of InternedData, or of a message with the same fields: number (1) and
 * name (2). Creates *texts if it is NULL. */
void dj_perfetto_texts_add(struct dj_perfetto_texts **texts, struct dj_str entry);
/* Returns the string with this number, or an empty string if there is none. */
struct dj_str dj_perfetto_texts_find(const struct dj_perfetto_texts *texts, uint64_t iid);

struct dj_perfetto_sequence {
    uint64_t id;
    /* `seen` is true after the first packet of the sequence. `valid` is true while the
     * state is valid. */
    bool seen, valid;
    uint32_t generation; /* How many times the state was cleared. */
    uint64_t clock; /* Clock of packets that name no clock, or 0 for the trace's clock. */
    struct dj_str defaults; /* Encoded TrackEventDefaults, or empty. */
    uint64_t track; /* Track of events that name no track. Valid if has_track is set. */
    bool has_track;
    struct dj_perfetto_texts *names; /* Names of events, or NULL if there are none. */
    /* Names of kernel functions, or NULL if there are none. */
    struct dj_perfetto_texts *symbols;
    int32_t tid, pid; /* Thread of the sequence in old traces, or 0 if unknown. */
    /* Time of the previous packet, or 0 if there is none or its time is unknown. */
    int64_t last_ns;
    /* Time of the previous packet in µs, in old traces. The next packet contains the
     * difference to this time. */
    int64_t time_us;
};

struct dj_perfetto_sequences {
    struct dj_map places;
    struct dj_perfetto_sequence *all; /* Owned. */
    size_t count;
    size_t last; /* Index of the sequence that was returned last. */
};

struct dj_perfetto_sequence *
dj_perfetto_sequences_find_or_add(struct dj_perfetto_sequences *sequences, uint64_t id);

/* Returns the sequence with this id, and creates it if needed. The pointer is valid
 * until another sequence is created. This inline part handles the frequent case that
 * consecutive packets have the same sequence. */
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

/* Applies a packet to the state of its sequence: clears the state, invalidates it, or
 * adds data to it. */
void dj_perfetto_sequence_apply_packet(struct dj_perfetto_sequence *sequence,
                                       const struct dj_perfetto_packet *packet);
/* Does the same as dj_perfetto_sequence_apply_packet(), but does not add names. Most
 * packets change nothing, so this check is inline. */
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
