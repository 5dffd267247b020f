/* Converts TrackEvents to items: sections, counters and instants on tracks. */
#include "trace/perfetto/read_private.h"

enum { MOST_EXTRA = 64 };

/* The values of a repeated field. */
struct list {
    uint64_t values[MOST_EXTRA];
    size_t count;
};

static void add_value(struct list *list, uint64_t value)
{
    if (list->count < MOST_EXTRA) {
        list->values[list->count++] = value;
    }
}

/* Adds the values of a field to the list. The field contains either one value or a packed
 * array. */
static void add_values(struct list *list, const struct dj_proto_field *field, bool fixed)
{
    if (field->wire != DJ_PROTO_BYTES) {
        add_value(list, field->value);
        return;
    }
    struct dj_proto_message message = dj_proto_open(field->bytes);
    while (message.at < message.end) {
        struct dj_proto_number number =
            fixed ? dj_proto_fixed(message.at, message.end, DJ_PROTO_FIXED64)
                  : dj_proto_varint_at(message.at, message.end);
        if (number.next == NULL) {
            return;
        }
        add_value(list, number.value);
        message.at = number.next;
    }
}

/* The decoded fields of a TrackEvent. */
struct track_event {
    uint64_t type, track, name_iid, flow;
    bool has_track, has_value, has_double;
    int64_t value;
    uint64_t real; /* Value of a counter as the bits of a double. */
    struct dj_str name, legacy;
};

/* Repeated fields with further counters: the tracks and values of integers, and the
 * tracks and values of doubles. Few events have these fields. */
enum { TRACKS, VALUES, DOUBLE_TRACKS, DOUBLES, LISTS };

static const uint8_t list_fields[LISTS] = {
    DJ_PF_EVENT_EXTRA_TRACKS, DJ_PF_EVENT_EXTRA_VALUES, DJ_PF_EVENT_EXTRA_DOUBLE_TRACKS,
    DJ_PF_EVENT_EXTRA_DOUBLE_VALUES};

static void read_field(struct track_event *track_event,
                       const struct dj_proto_field *field)
{
    bool bytes = field->wire == DJ_PROTO_BYTES;
    switch (field->number) {
    case DJ_PF_EVENT_TYPE:
        track_event->type = bytes ? 0 : field->value;
        break;
    case DJ_PF_EVENT_NAME_IID:
        track_event->name_iid = bytes ? 0 : field->value;
        break;
    case DJ_PF_EVENT_TRACK:
        track_event->track = field->value;
        track_event->has_track = !bytes;
        break;
    case DJ_PF_EVENT_NAME:
        track_event->name = bytes ? field->bytes : track_event->name;
        break;
    case DJ_PF_EVENT_LEGACY:
        track_event->legacy = bytes ? field->bytes : track_event->legacy;
        break;
    case DJ_PF_EVENT_COUNTER:
        track_event->value = (int64_t)field->value;
        track_event->has_value = !bytes;
        break;
    case DJ_PF_EVENT_DOUBLE_COUNTER:
        track_event->real = field->value;
        track_event->has_double = field->wire == DJ_PROTO_FIXED64;
        break;
    case DJ_PF_EVENT_FLOWS:
    case DJ_PF_EVENT_TERMINATING_FLOWS:
        track_event->flow =
            track_event->flow == 0 && !bytes ? field->value : track_event->flow;
        break;
    default:
        break;
    }
}

struct context {
    struct dj_perfetto_reader *reader;
    struct dj_perfetto_sequence *sequence;
    struct dj_perfetto_item item;
};

static void add_item(struct context *context, uint8_t kind, int64_t value)
{
    context->item.kind = kind;
    context->item.value = value;
    dj_perfetto_run_add(context->reader->run, &context->item);
}

static int32_t get_place(const struct context *context,
                         const struct dj_perfetto_track *track)
{
    return (int32_t)(track - context->reader->tracks.all);
}

/* Returns the value of a counter, multiplied by the counter's factor. An incremental
 * counter starts again at 0 when the state of its sequence is cleared. */
static int64_t compute_value(struct context *context, int32_t track, int64_t value)
{
    struct dj_perfetto_track *counter = &context->reader->tracks.all[track];
    if (counter->incremental) {
        if (counter->generation != context->sequence->generation) {
            counter->generation = context->sequence->generation;
            counter->value = 0;
        }
        counter->value = (int64_t)((uint64_t)counter->value + (uint64_t)value);
        value = counter->value;
    }
    return (int64_t)((uint64_t)value * (uint64_t)counter->multiplier);
}

/* Returns the value of a counter that is recorded as a double. Multiplies the value by
 * the counter's factor, then truncates it. */
static int64_t compute_double_value(const struct context *context, int32_t track,
                                    uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    value *= (double)context->reader->tracks.all[track].multiplier;
    memcpy(&bits, &value, sizeof(bits));
    return dj_proto_read_whole(bits);
}

static void add_extra(struct context *context, const struct list *tracks,
                      const struct list *values, bool doubles)
{
    int32_t own = context->item.track;
    for (size_t i = 0; i < values->count && i < tracks->count; i++) {
        context->item.track = get_place(
            context, dj_perfetto_tracks_get(&context->reader->tracks, tracks->values[i]));
        add_item(context, DJ_EVENT_COUNTER,
                 doubles ? compute_double_value(context, context->item.track,
                                                values->values[i])
                         : compute_value(context, context->item.track,
                                         (int64_t)values->values[i]));
    }
    context->item.track = own;
}

static void add_typed(struct context *context, const struct track_event *track_event)
{
    switch (track_event->type) {
    case DJ_PF_TYPE_BEGIN:
        add_item(context, DJ_EVENT_BEGIN, (int64_t)track_event->flow);
        break;
    case DJ_PF_TYPE_END:
        add_item(context, DJ_EVENT_END, 0);
        break;
    case DJ_PF_TYPE_INSTANT:
        add_item(context, DJ_EVENT_INSTANT, 0);
        break;
    case DJ_PF_TYPE_COUNTER:
        if (track_event->has_double) {
            add_item(
                context, DJ_EVENT_COUNTER,
                compute_double_value(context, context->item.track, track_event->real));
        } else if (track_event->has_value) {
            add_item(context, DJ_EVENT_COUNTER,
                     compute_value(context, context->item.track, track_event->value));
        }
        break;
    default:
        add_item(context, DJ_EVENT_OTHER, 0);
        break;
    }
}

/* Letters for the phases of events in Chrome's JSON format. Traces of Chrome still
 * contain these letters. */
static const uint8_t phases[128] = {
    ['B'] = DJ_EVENT_BEGIN,       ['X'] = DJ_EVENT_BEGIN,
    ['E'] = DJ_EVENT_END,         ['I'] = DJ_EVENT_INSTANT,
    ['i'] = DJ_EVENT_INSTANT,     ['n'] = DJ_EVENT_INSTANT,
    ['R'] = DJ_EVENT_INSTANT,     ['b'] = DJ_EVENT_ASYNC_BEGIN,
    ['S'] = DJ_EVENT_ASYNC_BEGIN, ['e'] = DJ_EVENT_ASYNC_END,
    ['F'] = DJ_EVENT_ASYNC_END,
};

static int64_t read_legacy_id(const struct dj_proto_field *got)
{
    static const uint8_t ids[] = {DJ_PF_LEGACY_UNSCOPED_ID, DJ_PF_LEGACY_LOCAL_ID,
                                  DJ_PF_LEGACY_GLOBAL_ID};
    for (size_t i = 0; i < sizeof(ids); i++) {
        if (got[ids[i]].number != 0) {
            return dj_proto_int(&got[ids[i]]);
        }
    }
    return 0;
}

static void add_legacy(struct context *context, struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_LEGACY_TID);
    int64_t phase = dj_proto_int(&got[DJ_PF_LEGACY_PHASE]);
    uint8_t kind = phase > 0 && phase < 128 ? phases[phase] : DJ_EVENT_OTHER;
    int64_t tid = dj_proto_int(&got[DJ_PF_LEGACY_TID]);
    if (context->item.words.length == 0) {
        context->item.words =
            dj_perfetto_texts_find(context->sequence->names,
                                   (uint64_t)dj_proto_int(&got[DJ_PF_LEGACY_NAME_IID]));
    }
    if (tid > 0 && tid <= INT32_MAX) {
        context->item.track =
            get_place(context, dj_perfetto_tracks_get_of_thread(
                                   &context->reader->tracks, (int32_t)tid,
                                   (int32_t)dj_proto_int(&got[DJ_PF_LEGACY_PID])));
    }
    bool async = kind == DJ_EVENT_ASYNC_BEGIN || kind == DJ_EVENT_ASYNC_END;
    add_item(context, kind, async ? read_legacy_id(got) : 0);
    int64_t duration_us = dj_proto_int(&got[DJ_PF_LEGACY_DURATION_US]);
    int64_t duration_ns, end_ns;
    if (phase == 'X' && !__builtin_mul_overflow(duration_us, 1000, &duration_ns) &&
        !__builtin_add_overflow(context->item.at_ns, duration_ns, &end_ns) &&
        duration_ns >= 0) {
        context->item.at_ns = end_ns;
        add_item(context, DJ_EVENT_END, 0);
    }
}

static void read_lists(struct list *lists, struct dj_str bytes)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        for (size_t i = 0; i < LISTS; i++) {
            if (field.number == list_fields[i]) {
                add_values(&lists[i], &field, i == DOUBLES);
            }
        }
    }
}

/* Adds the further counters of an event. If the event names no tracks for them, uses the
 * tracks in the defaults of the sequence. */
static void add_extras(struct context *context, struct dj_str event)
{
    struct list own[LISTS], defaults[LISTS];
    for (size_t i = 0; i < LISTS; i++) {
        own[i].count = defaults[i].count = 0;
    }
    read_lists(own, event);
    read_lists(defaults, context->sequence->defaults);
    for (size_t i = 0; i < LISTS; i += DOUBLE_TRACKS) {
        const struct list *tracks = own[i].count > 0 ? &own[i] : &defaults[i];
        add_extra(context, tracks, &own[i + 1], i == DOUBLE_TRACKS);
    }
}

void dj_perfetto_read_track_event(struct dj_perfetto_reader *reader,
                                  struct dj_perfetto_sequence *sequence,
                                  const struct dj_perfetto_packet *packet, int64_t at_ns)
{
    struct track_event track_event = {
        .name = {"", 0}, .track = sequence->track, .has_track = sequence->has_track};
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_proto_field field;
    bool extras = false;
    while (dj_proto_next(&message, &field)) {
        read_field(&track_event, &field);
        extras |= field.number == DJ_PF_EVENT_EXTRA_VALUES ||
                  field.number == DJ_PF_EVENT_EXTRA_DOUBLE_VALUES;
    }
    struct context context = {.reader = reader,
                              .sequence = sequence,
                              .item = {.at_ns = at_ns, .words = track_event.name}};
    if (track_event.name.length == 0 && track_event.name_iid != 0) {
        context.item.words =
            dj_perfetto_texts_find(sequence->names, track_event.name_iid);
    }
    bool thread = !track_event.has_track && sequence->tid > 0;
    context.item.track = get_place(
        &context, thread ? dj_perfetto_tracks_get_of_thread(&reader->tracks,
                                                            sequence->tid, sequence->pid)
                         : dj_perfetto_tracks_get(&reader->tracks, track_event.track));
    if (track_event.type == 0 && track_event.legacy.at != NULL) {
        add_legacy(&context, track_event.legacy);
    } else {
        add_typed(&context, &track_event);
    }
    if (extras) {
        context.item.at_ns = at_ns;
        context.item.words = (struct dj_str){"", 0};
        add_extras(&context, packet->body);
    }
}
