/*
 * Stores the state of a sequence of packets. The state consists of names and default
 * values that packets of the sequence have defined. Later packets of the sequence refer
 * to them. The state is valid from a packet that clears it until a packet of the sequence
 * is lost.
 */
#ifndef DEJANK_TRACE_PERFETTO_SEQUENCE_H
#define DEJANK_TRACE_PERFETTO_SEQUENCE_H

#include "base/map.h"
#include "trace/perfetto/packet.h"

/* Strings that are found by their number. The struct is reference counted. */
struct dj_perfetto_texts {
    struct dj_map places;
    /* Strings. The array is owned by this struct. The characters belong to the trace. */
    struct dj_str *texts;
    size_t count;
    size_t users;
};

/* Releases a reference. The last release frees the strings. Does nothing if `texts` is
 * NULL. */
void dj_perfetto_texts_unref(struct dj_perfetto_texts *texts);
/* Adds an entry of InternedData, or of another message with the same fields (1: number,
 * 2: name). Creates *texts if it is NULL. */
void dj_perfetto_texts_add(struct dj_perfetto_texts **texts, struct dj_str entry);
/* Returns the string with this number, or an empty string if there is none. */
struct dj_str dj_perfetto_texts_find(const struct dj_perfetto_texts *texts, uint64_t iid);

/* Entries of InternedData that describe stacks (stacks/entries.h). */
struct dj_perfetto_entries;

struct dj_perfetto_sequence {
    uint64_t id;
    /* `seen` is true after the first packet of the sequence. `valid` is true while the
     * state is valid. */
    bool seen, valid;
    uint32_t generation; /* Number of times that the state was cleared. */
    /* Default clock for packets without a clock, or 0 for the trace's clock. */
    uint64_t clock;
    struct dj_str defaults; /* Encoded TrackEventDefaults, or empty. */
    /* Default track for events without a track. Valid if has_track is set. */
    uint64_t track;
    bool has_track;
    struct dj_perfetto_texts *names; /* Names of events, or NULL if there are none. */
    /* Names of kernel functions, or NULL if there are none. */
    struct dj_perfetto_texts *symbols;
    /* Entries that describe stacks, or NULL if there are none. Owned by this struct. */
    struct dj_perfetto_entries *stacks;
    struct dj_str sample_defaults; /* Encoded PerfSampleDefaults, or empty. */
    int32_t tid, pid; /* Ids of the sequence's thread in old traces, or 0 if unknown. */
    /* Time of the previous packet. 0 if there is no previous packet or its time is
     * unknown. */
    int64_t last_ns;
    /* Time of the previous packet in µs, in old traces. The next packet contains the
     * difference to this time. */
    int64_t time_us;
};

struct dj_perfetto_sequences {
    struct dj_map places;
    struct dj_perfetto_sequence *all; /* Sequences. Owned by this struct. */
    size_t count;
    size_t last; /* Index of the sequence that was returned last. */
};

struct dj_perfetto_sequence *
dj_perfetto_sequences_find_or_add(struct dj_perfetto_sequences *sequences, uint64_t id);

/* Returns the sequence with this id. If there is none, creates it. The pointer is valid
 * until another sequence is created. This inline part handles the frequent case that two
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

/* Applies a packet to the state of its sequence. The packet may clear the state, make it
 * invalid, or add data to it. */
void dj_perfetto_sequence_apply_packet(struct dj_perfetto_sequence *sequence,
                                       const struct dj_perfetto_packet *packet);
/* Applies a packet to the state of its sequence, except for names. Most packets change
 * nothing, so this check is inline. */
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
