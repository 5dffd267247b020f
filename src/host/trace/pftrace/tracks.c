#include "trace/pftrace/writer_private.h"

/* What a track belongs to. The id of the track is computed from its owner. */
enum owner { OWNER_PROCESS = 1, OWNER_THREAD, OWNER_COUNTER, OWNER_ASYNC };

static uint64_t make_process_track(int32_t pid)
{
    return dj_pftrace_mix(OWNER_PROCESS, (uint32_t)pid) | 1;
}

/* Returns true if the trace already contains a description of the track. Otherwise notes
 * that the caller will describe it. */
static bool is_described(struct dj_trace_writer *writer, uint64_t track)
{
    uint64_t *known = &writer->tracks[track >> 1 & (DJ_PF_TRACKS - 1)];
    bool same = *known == track;
    *known = track;
    return same;
}

/* Starts the description of a track. The caller must complete it. */
static void open_track(struct dj_trace_writer *writer, uint64_t track)
{
    dj_pftrace_open_message(writer, DJ_PF_PACKET_TRACK_DESCRIPTOR);
    dj_proto_add_uint(&writer->out.text, DJ_PF_TRACK_UUID, track);
}

static void describe_process(struct dj_trace_writer *writer, int32_t pid)
{
    struct dj_text *text = &writer->out.text;
    if (is_described(writer, make_process_track(pid))) {
        return;
    }
    open_track(writer, make_process_track(pid));
    size_t process = dj_proto_begin(text, DJ_PF_TRACK_PROCESS);
    dj_proto_add_int(text, DJ_PF_PROCESS_DESCRIPTOR_PID, pid);
    dj_proto_end(text, process);
    dj_pftrace_close_message(writer);
}

/* Returns the id of a thread's track. If the trace does not contain a description of the
 * track, writes it. If the process is unknown, the description contains only a name,
 * because Perfetto rejects a thread track without a process. */
static uint64_t get_thread_track(struct dj_trace_writer *writer,
                                 const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    uint64_t owner = dj_pftrace_mix(OWNER_THREAD, (uint32_t)event->pid);
    uint64_t track = dj_pftrace_mix(owner, (uint32_t)event->tid) | 1;
    if (is_described(writer, track)) {
        return track;
    }
    open_track(writer, track);
    if (event->pid > 0 && event->tid > 0) {
        size_t thread = dj_proto_begin(text, DJ_PF_TRACK_THREAD);
        dj_proto_add_int(text, DJ_PF_THREAD_DESCRIPTOR_PID, event->pid);
        dj_proto_add_int(text, DJ_PF_THREAD_DESCRIPTOR_TID, event->tid);
        dj_proto_end(text, thread);
    } else {
        size_t name = dj_proto_begin(text, DJ_PF_TRACK_NAME);
        dj_text_add(text, "thread ");
        dj_text_append_int(text, event->tid);
        dj_proto_end(text, name);
    }
    dj_pftrace_close_message(writer);
    return track;
}

/* Returns the id of the track to which the event's track belongs. This is the track of
 * the event's thread. If the thread is unknown or is the main thread, it is the track of
 * the process. If the trace does not contain a description of the track, writes it.
 * Returns 0 if the process is unknown. */
static uint64_t get_parent(struct dj_trace_writer *writer, const struct dj_event *event)
{
    if (event->pid <= 0) {
        return 0;
    }
    if (event->tid > 0 && event->tid != event->pid) {
        return get_thread_track(writer, event);
    }
    describe_process(writer, event->pid);
    return make_process_track(event->pid);
}

static void describe_named(struct dj_trace_writer *writer, uint64_t track,
                           const struct dj_event *event, struct dj_str name)
{
    struct dj_text *text = &writer->out.text;
    if (is_described(writer, track)) {
        return;
    }
    uint64_t parent = get_parent(writer, event);
    open_track(writer, track);
    dj_proto_add_text(text, DJ_PF_TRACK_NAME, name);
    if (parent != 0) {
        dj_proto_add_uint(text, DJ_PF_TRACK_PARENT, parent);
    }
    if (event->kind == DJ_EVENT_COUNTER) {
        dj_proto_end(text, dj_proto_begin(text, DJ_PF_TRACK_COUNTER));
    }
    dj_pftrace_close_message(writer);
}

/* Returns the id of an async section's track. If the event names a track, the cookie is
 * the id. Otherwise the id is computed from the process, the name and the cookie, so that
 * overlapping sections with the same name have different tracks. Perfetto displays tracks
 * with the same name and process as one track. */
static uint64_t get_async_track(const struct dj_event *event)
{
    if (event->other_name.length > 0) {
        return (uint64_t)event->value;
    }
    uint64_t owner = dj_pftrace_mix(OWNER_ASYNC, (uint32_t)event->pid);
    return dj_pftrace_mix(dj_pftrace_hash(owner, event->name), (uint64_t)event->value) |
           1;
}

static const uint8_t types[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = DJ_PF_TYPE_BEGIN,       [DJ_EVENT_END] = DJ_PF_TYPE_END,
    [DJ_EVENT_ASYNC_BEGIN] = DJ_PF_TYPE_BEGIN, [DJ_EVENT_ASYNC_END] = DJ_PF_TYPE_END,
    [DJ_EVENT_INSTANT] = DJ_PF_TYPE_INSTANT,   [DJ_EVENT_COUNTER] = DJ_PF_TYPE_COUNTER,
};

static void write_event(struct dj_trace_writer *writer, const struct dj_event *event,
                        uint64_t track)
{
    struct dj_text *text = &writer->out.text;
    uint8_t type = types[event->kind];
    writer->packet = dj_pftrace_open_packet_at(writer, event->at_ns);
    dj_proto_add_uint(text, DJ_PF_PACKET_SEQUENCE_FLAGS, DJ_PF_FLAG_NEEDS_STATE);
    writer->message = dj_proto_begin(text, DJ_PF_PACKET_TRACK_EVENT);
    dj_proto_add_uint(text, DJ_PF_EVENT_TYPE, type);
    dj_proto_add_uint(text, DJ_PF_EVENT_TRACK, track);
    if (type == DJ_PF_TYPE_COUNTER) {
        dj_proto_add_int(text, DJ_PF_EVENT_COUNTER, event->value);
    } else if (type != DJ_PF_TYPE_END) {
        dj_proto_add_text(text, DJ_PF_EVENT_NAME, event->name);
    }
    if (type == DJ_PF_TYPE_BEGIN && event->value_2 != 0) {
        dj_proto_add_fixed64(text, DJ_PF_EVENT_FLOWS, (uint64_t)event->value_2);
    }
    dj_pftrace_close_message(writer);
}

void dj_pftrace_write_section(struct dj_trace_writer *writer,
                              const struct dj_event *event)
{
    dj_pftrace_describe_thread(writer, event->tid, event->pid, event->task);
    write_event(writer, event, get_thread_track(writer, event));
}

void dj_pftrace_write_async(struct dj_trace_writer *writer, const struct dj_event *event)
{
    uint64_t track = get_async_track(event);
    dj_pftrace_describe_thread(writer, event->tid, event->pid, event->task);
    if (event->kind == DJ_EVENT_ASYNC_BEGIN) {
        describe_named(writer, track, event,
                       event->other_name.length > 0 ? event->other_name : event->name);
    }
    write_event(writer, event, track);
}

void dj_pftrace_write_counter(struct dj_trace_writer *writer,
                              const struct dj_event *event)
{
    dj_pftrace_describe_thread(writer, event->tid, event->pid, event->task);
    uint64_t owner = dj_pftrace_mix(OWNER_COUNTER, (uint32_t)event->pid);
    owner = dj_pftrace_mix(owner, event->tid != event->pid ? (uint32_t)event->tid : 0);
    uint64_t track = dj_pftrace_hash(owner, event->name) | 1;
    describe_named(writer, track, event, event->name);
    write_event(writer, event, track);
}

static const struct {
    uint8_t message;
    bool surface;
} sides[DJ_FRAME_SIDES] = {
    [DJ_FRAME_EXPECTED_SURFACE] = {DJ_PF_FRAME_EXPECTED_SURFACE, true},
    [DJ_FRAME_ACTUAL_SURFACE] = {DJ_PF_FRAME_ACTUAL_SURFACE, true},
    [DJ_FRAME_EXPECTED_DISPLAY] = {DJ_PF_FRAME_EXPECTED_DISPLAY, false},
    [DJ_FRAME_ACTUAL_DISPLAY] = {DJ_PF_FRAME_ACTUAL_DISPLAY, false},
};

/* Writes the outcome of a frame. In the message of a surface frame, the fields have other
 * numbers than in that of a display frame. */
static void write_outcome(struct dj_text *text, const struct dj_event_frame *frame,
                          bool surface)
{
    uint32_t shift = surface ? DJ_PF_SURFACE_SHIFT : 0;
    dj_proto_add_uint(text, DJ_PF_DISPLAY_PRESENT + shift, frame->present);
    dj_proto_add_uint(text, DJ_PF_DISPLAY_ON_TIME + shift, frame->finished_on_time);
    dj_proto_add_uint(text, DJ_PF_DISPLAY_GPU + shift, frame->composed_by_gpu);
    dj_proto_add_uint(text, DJ_PF_DISPLAY_JANK + shift, frame->jank_types);
    dj_proto_add_uint(text, DJ_PF_DISPLAY_PREDICTION + shift, frame->prediction);
    dj_proto_add_uint(text, surface ? DJ_PF_SURFACE_SEVERITY : DJ_PF_DISPLAY_SEVERITY,
                      frame->severity);
}

/* Writes the begin of a timeline. Perfetto requires the token and the process. For a
 * surface frame, it also requires the token of the display. */
static void write_start(struct dj_text *text, const struct dj_event *event)
{
    const struct dj_event_frame *frame = event->frame;
    bool surface = sides[frame->side].surface;
    size_t start = dj_proto_begin(text, sides[frame->side].message);
    dj_proto_add_int(text, DJ_PF_FRAME_COOKIE, event->value);
    dj_proto_add_int(text, DJ_PF_FRAME_TOKEN, frame->token);
    if (surface) {
        dj_proto_add_int(text, DJ_PF_SURFACE_DISPLAY_TOKEN, frame->display_token);
        dj_proto_add_int(text, DJ_PF_SURFACE_PID, event->pid);
        dj_proto_add_text(text, DJ_PF_SURFACE_LAYER, frame->layer);
    } else {
        dj_proto_add_int(text, DJ_PF_DISPLAY_PID, event->pid);
    }
    if (frame->side == DJ_FRAME_ACTUAL_SURFACE ||
        frame->side == DJ_FRAME_ACTUAL_DISPLAY) {
        write_outcome(text, frame, surface);
    }
    dj_proto_end(text, start);
}

void dj_pftrace_write_frame(struct dj_trace_writer *writer, const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    bool begins = event->kind == DJ_EVENT_FRAME_BEGIN;
    if (begins && (event->frame == NULL || event->frame->side >= DJ_FRAME_SIDES)) {
        return;
    }
    dj_pftrace_open_message_at(writer, event->at_ns, DJ_PF_PACKET_FRAME_TIMELINE);
    if (begins) {
        write_start(text, event);
    } else {
        size_t end = dj_proto_begin(text, DJ_PF_FRAME_END);
        dj_proto_add_int(text, DJ_PF_FRAME_COOKIE, event->value);
        dj_proto_end(text, end);
    }
    dj_pftrace_close_message(writer);
}
