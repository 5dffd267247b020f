/* Converts items to events. An item is a small event that was decoded only in part. It is
 * converted after all earlier events were passed on. */
#include "trace/perfetto/read_private.h"
#include "trace/trace.h"

/* Returns a cookie for an async section on a track. Sections on a track may be nested, so
 * the cookie also depends on the depth. At depth 0 it is the uuid of the track. */
static int64_t compute_cookie(const struct dj_perfetto_track *track, uint32_t depth)
{
    uint64_t mixed = track->uuid + depth * UINT64_C(0x9e3779b97f4a7c15);
    if (depth > 0) {
        mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        mixed ^= mixed >> 27;
    }
    return (int64_t)mixed;
}

static struct dj_str get_track_name(const struct dj_perfetto_track *track)
{
    return track->name.length > 0 ? track->name : (struct dj_str){"track", 5};
}

/* Converts a section on a track to an async section. Used for tracks that do not belong
 * to a thread, because their sections may overlap sections of other tracks. */
static void make_async(struct dj_perfetto_track *track, struct dj_event *event)
{
    event->other_name = get_track_name(track);
    if (event->kind == DJ_EVENT_BEGIN) {
        event->kind = DJ_EVENT_ASYNC_BEGIN;
        event->value = compute_cookie(track, track->depth++);
    } else {
        event->kind = DJ_EVENT_ASYNC_END;
        track->depth -= track->depth > 0;
        event->value = compute_cookie(track, track->depth);
    }
}

static void fill_track(struct dj_perfetto_reader *reader,
                       const struct dj_perfetto_item *item, struct dj_event *event)
{
    struct dj_perfetto_track *track =
        item->track == DJ_PF_NO_TRACK ? NULL : &reader->tracks.all[item->track];
    event->name = item->words;
    event->value = item->value;
    event->tid = track != NULL ? track->tid : 0;
    event->pid = track != NULL && track->pid > 0 ? track->pid : DJ_PID_UNKNOWN;
    if (item->kind == DJ_EVENT_COUNTER) {
        event->name =
            item->words.length > 0 || track == NULL ? item->words : get_track_name(track);
    } else if (item->kind == DJ_EVENT_BEGIN || item->kind == DJ_EVENT_END) {
        event->value_2 = item->value;
        event->value = 0;
        if (track != NULL && (!track->thread || track->unmerged)) {
            make_async(track, event);
        }
    }
}

static const uint8_t sides[] = {
    [DJ_PF_FRAME_EXPECTED_DISPLAY] = DJ_FRAME_EXPECTED_DISPLAY,
    [DJ_PF_FRAME_ACTUAL_DISPLAY] = DJ_FRAME_ACTUAL_DISPLAY,
    [DJ_PF_FRAME_EXPECTED_SURFACE] = DJ_FRAME_EXPECTED_SURFACE,
    [DJ_PF_FRAME_ACTUAL_SURFACE] = DJ_FRAME_ACTUAL_SURFACE,
};

enum { FRAME_FIELDS = DJ_PF_SURFACE_SEVERITY + 1 };

static void fill_frame_parts(uint32_t number, const struct dj_proto_field *got,
                             struct dj_event *event, struct dj_event_frame *frame)
{
    bool surface =
        number == DJ_PF_FRAME_EXPECTED_SURFACE || number == DJ_PF_FRAME_ACTUAL_SURFACE;
    bool actual =
        number == DJ_PF_FRAME_ACTUAL_DISPLAY || number == DJ_PF_FRAME_ACTUAL_SURFACE;
    const struct dj_proto_field *outcome = got + (surface ? DJ_PF_SURFACE_SHIFT : 0);
    const struct dj_proto_field *severity =
        &got[surface ? DJ_PF_SURFACE_SEVERITY : DJ_PF_DISPLAY_SEVERITY];
    int32_t pid =
        dj_perfetto_read_id(&got[surface ? DJ_PF_SURFACE_PID : DJ_PF_DISPLAY_PID]);
    *frame = (struct dj_event_frame){.token = dj_proto_int(&got[DJ_PF_FRAME_TOKEN]),
                                     .layer = {"", 0},
                                     .side = sides[number]};
    if (surface) {
        frame->display_token = dj_proto_int(&got[DJ_PF_SURFACE_DISPLAY_TOKEN]);
        frame->layer = dj_proto_bytes(&got[DJ_PF_SURFACE_LAYER]);
    }
    if (actual) {
        frame->present = (uint8_t)dj_proto_int(&outcome[DJ_PF_DISPLAY_PRESENT]);
        frame->finished_on_time = dj_proto_int(&outcome[DJ_PF_DISPLAY_ON_TIME]) != 0;
        frame->composed_by_gpu = dj_proto_int(&outcome[DJ_PF_DISPLAY_GPU]) != 0;
        frame->jank_types = (uint32_t)dj_proto_int(&outcome[DJ_PF_DISPLAY_JANK]);
        frame->prediction = (uint8_t)dj_proto_int(&outcome[DJ_PF_DISPLAY_PREDICTION]);
        frame->severity = (uint8_t)dj_proto_int(severity);
    }
    event->kind = DJ_EVENT_FRAME_BEGIN;
    event->pid = pid > 0 ? pid : DJ_PID_UNKNOWN;
    event->frame = frame;
}

static bool fill_frame(struct dj_str bytes, struct dj_event *event,
                       struct dj_event_frame *frame)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    struct dj_proto_field got[FRAME_FIELDS];
    while (dj_proto_next(&message, &field)) {
        if (field.wire != DJ_PROTO_BYTES || field.number > DJ_PF_FRAME_END) {
            continue;
        }
        dj_proto_collect(field.bytes, got, FRAME_FIELDS);
        event->value = dj_proto_int(&got[DJ_PF_FRAME_COOKIE]);
        if (field.number == DJ_PF_FRAME_END) {
            event->kind = DJ_EVENT_FRAME_END;
            return true;
        }
        fill_frame_parts(field.number, got, event, frame);
        return true;
    }
    return false;
}

static void fill_task(struct dj_str bytes, struct dj_event *event)
{
    static const uint8_t states[] = {
        [2] = DJ_THREAD_RUNNABLE, [3] = DJ_THREAD_RUNNING, [4] = DJ_THREAD_SLEEPING,
        [5] = DJ_THREAD_BLOCKED,  [6] = DJ_THREAD_STOPPED, [7] = DJ_THREAD_DEAD,
        [8] = DJ_THREAD_DEAD,
    };
    enum { CREATED = 1, STATES = sizeof(states) };
    DJ_PF_FIELDS(got, bytes, DJ_PF_TASK_STATE);
    int64_t state = dj_proto_int(&got[DJ_PF_TASK_STATE]);
    event->kind = state == CREATED ? DJ_EVENT_NEW_TASK : DJ_EVENT_TASK;
    event->thread_state =
        state > CREATED && state < STATES ? states[state] : (uint8_t)DJ_THREAD_UNKNOWN;
    event->other = (int32_t)dj_proto_int(&got[DJ_PF_TASK_TID]);
    event->other_name = dj_proto_bytes(&got[DJ_PF_TASK_NAME]);
    if (event->thread_state == DJ_THREAD_RUNNING && got[DJ_PF_TASK_CPU].number != 0) {
        event->cpu = (int32_t)dj_proto_int(&got[DJ_PF_TASK_CPU]);
    }
}

static void fill_frequency(struct dj_str bytes, struct dj_event *event)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_TASK_FREQUENCY_HZ);
    event->kind = DJ_EVENT_FREQUENCY;
    event->cpu = (int32_t)dj_proto_int(&got[DJ_PF_TASK_FREQUENCY_CPU]);
    event->value = dj_proto_int(&got[DJ_PF_TASK_FREQUENCY_HZ]) / 1000;
}

static void fill_rename(struct dj_str bytes, struct dj_event *event)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_TASK_RENAME_NAME);
    event->kind = DJ_EVENT_RENAME;
    event->other = (int32_t)dj_proto_int(&got[DJ_PF_TASK_RENAME_TID]);
    event->other_name = dj_proto_bytes(&got[DJ_PF_TASK_RENAME_NAME]);
}

bool dj_perfetto_convert_item(struct dj_perfetto_reader *reader,
                              const struct dj_perfetto_item *item, struct dj_event *event,
                              struct dj_event_frame *frame)
{
    *event = (struct dj_event){.at_ns = item->at_ns,
                               .kind = item->kind,
                               .tid = -1,
                               .pid = DJ_PID_UNKNOWN,
                               .cpu = -1};
    switch (item->kind) {
    case DJ_PF_ITEM_FRAME:
        return fill_frame(item->words, event, frame);
    case DJ_PF_ITEM_TASK:
        fill_task(item->words, event);
        break;
    case DJ_PF_ITEM_FREQUENCY:
        fill_frequency(item->words, event);
        break;
    case DJ_PF_ITEM_RENAME:
        fill_rename(item->words, event);
        break;
    case DJ_EVENT_STACK:
        dj_perfetto_stacks_fill(&reader->stacks, item, event);
        break;
    case DJ_EVENT_LOST:
        event->value = 1;
        event->value_2 = item->value;
        break;
    default:
        fill_track(reader, item, event);
        break;
    }
    return true;
}
