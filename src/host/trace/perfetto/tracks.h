/* Stores the tracks of a trace. A track is found by its uuid. */
#ifndef DEJANK_TRACE_PERFETTO_TRACKS_H
#define DEJANK_TRACE_PERFETTO_TRACKS_H

#include "base/map.h"
#include "trace/event.h"
#include "trace/perfetto/fields.h"

struct dj_perfetto_track {
    uint64_t uuid, parent;
    struct dj_str name;
    /* Ids of the track's thread and process, or 0 if unknown. If they are unknown,
     * dj_perfetto_tracks_complete() copies the ids of the parent track. */
    int32_t tid, pid;
    bool thread; /* True if the sections of the track belong to thread `tid`. */
    /* True if the sections of the track must not be merged with the sections that the
     * kernel's trace contains for the same thread. */
    bool unmerged;
    /* True if the values of the counter are differences to the previous value. */
    bool incremental;
    int64_t multiplier;  /* Factor by which the values of the counter are multiplied. */
    int64_t value;       /* Current value of an incremental counter. */
    uint32_t generation; /* Generation of the sequence in which `value` was last reset. */
    uint32_t depth;      /* Number of open sections. */
};

enum { DJ_PF_NO_TRACK = -1 };

struct dj_perfetto_tracks {
    struct dj_map places;
    struct dj_perfetto_track *all; /* Tracks. Owned by this struct. */
    size_t count;
    size_t last; /* Index of the track that was returned last. */
};

/* Returns the track with this uuid. If there is none, creates it. */
struct dj_perfetto_track *dj_perfetto_tracks_get(struct dj_perfetto_tracks *tracks,
                                                 uint64_t uuid);

/* Returns the track of a thread that no packet describes. If there is none, creates it.
 */
struct dj_perfetto_track *
dj_perfetto_tracks_get_of_thread(struct dj_perfetto_tracks *tracks, int32_t tid,
                                 int32_t pid);

/* Stores a TrackDescriptor. If it describes a thread, sets *event to a DJ_EVENT_THREAD
 * with the ids and the name of the thread. Otherwise sets event->kind to DJ_EVENT_KINDS.
 */
void dj_perfetto_tracks_add_descriptor(struct dj_perfetto_tracks *tracks,
                                       struct dj_str descriptor, struct dj_event *event);

/* Completes the ids of threads and processes of all tracks. Call this function after the
 * last descriptor. */
void dj_perfetto_tracks_complete(struct dj_perfetto_tracks *tracks);
void dj_perfetto_tracks_finish(struct dj_perfetto_tracks *tracks);

#endif
