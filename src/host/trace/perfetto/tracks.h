/* Stores the tracks that a trace's packets describe, by uuid. */
#ifndef DEJANK_TRACE_PERFETTO_TRACKS_H
#define DEJANK_TRACE_PERFETTO_TRACKS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/perfetto/fields.h"

struct dj_perfetto_track {
    uint64_t uuid, parent;
    struct dj_str name;
    int32_t tid,
        pid; /* 0: unknown; dj_perfetto_tracks_complete() fills in that of its parent */
    bool thread;         /* its sections belong to thread tid */
    bool unmerged;       /* its sections do not nest with those of the kernel's trace */
    bool incremental;    /* values of a counter are differences */
    int64_t multiplier;  /* of a counter's values */
    int64_t value;       /* current value of an incremental counter */
    uint32_t generation; /* generation of the sequence when `value` was reset */
    uint32_t depth;      /* number of open sections */
};

enum { DJ_PF_NO_TRACK = -1 };

struct dj_perfetto_tracks {
    struct dj_map places;
    struct dj_perfetto_track *all; /* owned */
    size_t count;
    size_t last; /* index of the last result */
};

/* Returns that track, creates it if needed. */
struct dj_perfetto_track *dj_perfetto_tracks_get(struct dj_perfetto_tracks *tracks,
                                                 uint64_t uuid);

/* Returns the track of a thread that is known only by its ids. */
struct dj_perfetto_track *
dj_perfetto_tracks_get_of_thread(struct dj_perfetto_tracks *tracks, int32_t tid,
                                 int32_t pid);

/* Stores a TrackDescriptor. *event gets its facts about a thread: kind is
 * DJ_EVENT_THREAD, or DJ_EVENT_KINDS if there are none. */
void dj_perfetto_tracks_add_descriptor(struct dj_perfetto_tracks *tracks,
                                       struct dj_str descriptor, struct dj_event *event);

/* Gives each track its thread and process. Call it after the last descriptor. */
void dj_perfetto_tracks_complete(struct dj_perfetto_tracks *tracks);
void dj_perfetto_tracks_finish(struct dj_perfetto_tracks *tracks);

#endif
