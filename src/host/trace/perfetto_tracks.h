/* The tracks that a trace's packets describe, by their uuid. Of this room only. */
#ifndef DEJANK_TRACE_PERFETTO_TRACKS_H
#define DEJANK_TRACE_PERFETTO_TRACKS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/perfetto_wire.h"

struct dj_pf_track {
    uint64_t uuid, parent;
    struct dj_str name;
    int32_t tid, pid; /* 0: none of its own; dj_pf_tracks_end() fills in its parent's */
    bool thread;      /* its sections are those of thread tid */
    bool unmerged;    /* … and are not to be nested with what the kernel's trace has */
    bool incremental; /* of a counter: values count from the one before */
    int64_t multiplier;  /* of a counter's values */
    int64_t value;       /* of a counter that counts on */
    uint32_t generation; /* of its sequence, since which the value counts */
    uint32_t depth;      /* sections on it that have not ended */
};

enum { DJ_PF_NO_TRACK = -1 };

struct dj_pf_tracks {
    struct dj_map places;
    struct dj_pf_track *all; /* owned */
    size_t count;
    size_t last; /* that was asked for */
};

/* That track, made where there is none. */
struct dj_pf_track *dj_pf_tracks_get(struct dj_pf_tracks *tracks, uint64_t uuid);

/* The track of a thread that is known by its ids alone. */
struct dj_pf_track *dj_pf_tracks_thread(struct dj_pf_tracks *tracks, int32_t tid,
                                        int32_t pid);

/* Takes a TrackDescriptor in. *event is what it says of a thread: kind is
 * DJ_EVENT_THREAD, or DJ_EVENT_KINDS where it says nothing. */
void dj_pf_tracks_take(struct dj_pf_tracks *tracks, struct dj_str descriptor,
                       struct dj_event *event);

/* All descriptors are in: each track gets its thread and process. */
void dj_pf_tracks_end(struct dj_pf_tracks *tracks);
void dj_pf_tracks_finish(struct dj_pf_tracks *tracks);

#endif
