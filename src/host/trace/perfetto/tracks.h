/* Stores the tracks of a trace, by their uuid. */
#ifndef DEJANK_TRACE_PERFETTO_TRACKS_H
#define DEJANK_TRACE_PERFETTO_TRACKS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/perfetto/fields.h"

struct dj_perfetto_track {
    uint64_t uuid, parent;
    struct dj_str name;
    /* 0 if unknown. dj_perfetto_tracks_complete() then copies the ids of the parent
     * track. */
    int32_t tid, pid;
    bool thread; /* The sections of the track belong to thread `tid`. */
    /* The sections of the track must not be merged with the kernel's sections of the
     * thread. */
    bool unmerged;
    bool incremental;   /* Values of the counter are differences to the previous value. */
    int64_t multiplier; /* Factor for the counter's values. */
    int64_t value;      /* Current value of an incremental counter. */
    uint32_t generation; /* Generation of the sequence in which `value` was last reset. */
    uint32_t depth;      /* Number of open sections. */
};

enum { DJ_PF_NO_TRACK = -1 };

struct dj_perfetto_tracks {
    struct dj_map places;
    struct dj_perfetto_track *all; /* Owned. */
    size_t count;
    size_t last; /* Index of the track that was returned last. */
};

/* Returns the track with this uuid, and creates it if needed. */
struct dj_perfetto_track *dj_perfetto_tracks_get(struct dj_perfetto_tracks *tracks,
                                                 uint64_t uuid);

/* Returns the track of a thread with these ids, and creates it if needed. Used if no
 * packet describes a track of the thread. */
struct dj_perfetto_track *
dj_perfetto_tracks_get_of_thread(struct dj_perfetto_tracks *tracks, int32_t tid,
                                 int32_t pid);

/* Stores a TrackDescriptor. If it describes a thread, sets *event to a DJ_EVENT_THREAD
 * with its ids and name. Otherwise sets event->kind to DJ_EVENT_KINDS. */
void dj_perfetto_tracks_add_descriptor(struct dj_perfetto_tracks *tracks,
                                       struct dj_str descriptor, struct dj_event *event);

/* Completes the thread and process ids of all tracks. Call it after the last
 * descriptor. */
void dj_perfetto_tracks_complete(struct dj_perfetto_tracks *tracks);
void dj_perfetto_tracks_finish(struct dj_perfetto_tracks *tracks);

#endif
