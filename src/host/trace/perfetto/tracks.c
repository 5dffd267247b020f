#include "trace/perfetto/tracks.h"

#include <stdlib.h>

#include "memory/memory.h"

enum { MOST_TRACKS = 1 << 30, MOST_PARENTS = 16 };

struct dj_perfetto_track *dj_perfetto_tracks_get(struct dj_perfetto_tracks *tracks,
                                                 uint64_t uuid)
{
    if (tracks->last < tracks->count && tracks->all[tracks->last].uuid == uuid) {
        return &tracks->all[tracks->last];
    }
    size_t place = dj_map_get(&tracks->places, uuid);
    if (place != DJ_MAP_NONE) {
        tracks->last = place;
        return &tracks->all[place];
    }
    dj_xcheck(tracks->count < MOST_TRACKS);
    dj_xcheck(dj_map_set(&tracks->places, uuid, tracks->count));
    DJ_XPUSH(tracks->all, tracks->count,
             (struct dj_perfetto_track){.uuid = uuid, .name = {"", 0}, .multiplier = 1});
    return &tracks->all[tracks->count - 1];
}

/* Returns a track without a uuid in the trace. Its uuid is computed from the id of the
 * thread. It is equal to the uuid of another track only by chance. */
struct dj_perfetto_track *
dj_perfetto_tracks_get_of_thread(struct dj_perfetto_tracks *tracks, int32_t tid,
                                 int32_t pid)
{
    struct dj_perfetto_track *track = dj_perfetto_tracks_get(
        tracks, UINT64_C(0x7468726561640000) ^ (uint64_t)(uint32_t)tid << 20);
    if (track->tid == 0) {
        track->tid = tid;
        track->pid = pid;
        track->thread = true;
    }
    return track;
}

static void read_thread(struct dj_perfetto_track *track, struct dj_str thread,
                        struct dj_event *event)
{
    DJ_PF_FIELDS(got, thread, DJ_PF_THREAD_DESCRIPTOR_NAME);
    track->tid = dj_perfetto_read_id(&got[DJ_PF_THREAD_DESCRIPTOR_TID]);
    track->pid = dj_perfetto_read_id(&got[DJ_PF_THREAD_DESCRIPTOR_PID]);
    track->thread = track->tid > 0;
    struct dj_str name = dj_proto_bytes(&got[DJ_PF_THREAD_DESCRIPTOR_NAME]);
    if (track->thread) {
        event->kind = DJ_EVENT_THREAD;
        event->other = track->tid;
        event->pid = track->pid > 0 ? track->pid : DJ_PID_UNKNOWN;
        event->other_name = name.length > 0 ? name : track->name;
    }
}

static void read_process(struct dj_perfetto_track *track, struct dj_str process)
{
    DJ_PF_FIELDS(got, process, DJ_PF_PROCESS_DESCRIPTOR_NAME);
    track->pid = dj_perfetto_read_id(&got[DJ_PF_PROCESS_DESCRIPTOR_PID]);
    struct dj_str name = dj_proto_bytes(&got[DJ_PF_PROCESS_DESCRIPTOR_NAME]);
    if (track->name.length == 0) {
        track->name = name;
    }
}

static void read_counter(struct dj_perfetto_track *track, struct dj_str counter)
{
    DJ_PF_FIELDS(got, counter, DJ_PF_COUNTER_INCREMENTAL);
    int64_t multiplier = dj_proto_int(&got[DJ_PF_COUNTER_MULTIPLIER]);
    track->multiplier = multiplier != 0 ? multiplier : 1;
    track->incremental = dj_proto_int(&got[DJ_PF_COUNTER_INCREMENTAL]) != 0;
}

void dj_perfetto_tracks_add_descriptor(struct dj_perfetto_tracks *tracks,
                                       struct dj_str descriptor, struct dj_event *event)
{
    DJ_PF_FIELDS(got, descriptor, DJ_PF_TRACK_ATRACE_NAME);
    *event = dj_event_make(DJ_EVENT_KINDS);
    struct dj_perfetto_track *track =
        dj_perfetto_tracks_get(tracks, (uint64_t)dj_proto_int(&got[DJ_PF_TRACK_UUID]));
    static const uint8_t names[] = {DJ_PF_TRACK_ATRACE_NAME, DJ_PF_TRACK_STATIC_NAME,
                                    DJ_PF_TRACK_NAME};
    for (size_t i = 0; i < sizeof(names); i++) {
        struct dj_str name = dj_proto_bytes(&got[names[i]]);
        track->name = name.length > 0 ? name : track->name;
    }
    if (got[DJ_PF_TRACK_PARENT].number != 0) {
        track->parent = (uint64_t)dj_proto_int(&got[DJ_PF_TRACK_PARENT]);
    }
    track->unmerged = dj_proto_int(&got[DJ_PF_TRACK_UNMERGED]) != 0;
    if (got[DJ_PF_TRACK_THREAD].number != 0) {
        read_thread(track, dj_proto_bytes(&got[DJ_PF_TRACK_THREAD]), event);
    }
    if (got[DJ_PF_TRACK_PROCESS].number != 0) {
        read_process(track, dj_proto_bytes(&got[DJ_PF_TRACK_PROCESS]));
    }
    if (got[DJ_PF_TRACK_COUNTER].number != 0) {
        read_counter(track, dj_proto_bytes(&got[DJ_PF_TRACK_COUNTER]));
    }
}

/* Copies the ids of the nearest ancestor that has a process id. The number of steps is
 * limited, because the parents may form a cycle. */
static void inherit_ids(const struct dj_perfetto_tracks *tracks,
                        struct dj_perfetto_track *track)
{
    uint64_t parent = track->parent;
    for (int i = 0; i < MOST_PARENTS && parent != 0 && track->pid == 0; i++) {
        size_t place = dj_map_get(&tracks->places, parent);
        if (place == DJ_MAP_NONE) {
            return;
        }
        track->tid = track->tid == 0 ? tracks->all[place].tid : track->tid;
        track->pid = tracks->all[place].pid;
        parent = tracks->all[place].parent;
    }
}

void dj_perfetto_tracks_complete(struct dj_perfetto_tracks *tracks)
{
    for (size_t i = 0; i < tracks->count; i++) {
        inherit_ids(tracks, &tracks->all[i]);
    }
    for (size_t i = 0; i < tracks->count; i++) {
        struct dj_perfetto_track *track = &tracks->all[i];
        track->tid = track->tid == 0 ? track->pid : track->tid;
    }
}

void dj_perfetto_tracks_finish(struct dj_perfetto_tracks *tracks)
{
    free(tracks->all);
    dj_map_finish(&tracks->places);
    *tracks = (struct dj_perfetto_tracks){0};
}
