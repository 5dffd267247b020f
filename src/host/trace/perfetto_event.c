/* Reads TrackEvents: sections, counters and instants of tracks. */
#include "trace/perfetto_reader.h"

enum { MOST_EXTRA = 64 };

/* Values of a repeated field. */
struct list {
    uint64_t values[MOST_EXTRA];
    size_t count;
};

static void put(struct list *list, uint64_t value)
{
    if (list->count < MOST_EXTRA) {
        list->values[list->count++] = value;
    }
}

/* Packed or one by one. */
static void put_all(struct list *list, const struct dj_proto_field *field, bool fixed)
{
    if (field->wire != DJ_PROTO_BYTES) {
        put(list, field->value);
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
        put(list, number.value);
        message.at = number.next;
    }
}

/* The fields of a TrackEvent. */
struct told {
    uint64_t type, track, name_iid, flow;
    bool has_track, has_value, has_double;
    int64_t value;
    uint64_t real; /* bits of a double */
    struct dj_str name, legacy;
};

/* Repeated fields for further counters, which few events have: tracks and values, each as
 * integers and as doubles. */
enum { TRACKS, VALUES, DOUBLE_TRACKS, DOUBLES, LISTS };

static const uint8_t list_fields[LISTS] = {
    DJ_PF_EVENT_EXTRA_TRACKS, DJ_PF_EVENT_EXTRA_VALUES, DJ_PF_EVENT_EXTRA_DOUBLE_TRACKS,
    DJ_PF_EVENT_EXTRA_DOUBLE_VALUES};

static void read_field(struct told *told, const struct dj_proto_field *field)
{
    bool bytes = field->wire == DJ_PROTO_BYTES;
    switch (field->number) {
    case DJ_PF_EVENT_TYPE:
        told->type = bytes ? 0 : field->value;
        break;
    case DJ_PF_EVENT_NAME_IID:
        told->name_iid = bytes ? 0 : field->value;
        break;
    case DJ_PF_EVENT_TRACK:
        told->track = field->value;
        told->has_track = !bytes;
        break;
    case DJ_PF_EVENT_NAME:
        told->name = bytes ? field->bytes : told->name;
        break;
    case DJ_PF_EVENT_LEGACY:
        told->legacy = bytes ? field->bytes : told->legacy;
        break;
    case DJ_PF_EVENT_COUNTER:
        told->value = (int64_t)field->value;
        told->has_value = !bytes;
        break;
    case DJ_PF_EVENT_DOUBLE_COUNTER:
        told->real = field->value;
        told->has_double = field->wire == DJ_PROTO_FIXED64;
        break;
    case DJ_PF_EVENT_FLOWS:
    case DJ_PF_EVENT_TERMINATING_FLOWS:
        told->flow = told->flow == 0 && !bytes ? field->value : told->flow;
        break;
    default:
        break;
    }
}

/* ---- one TrackEvent after the other ---- */

struct context {
    struct dj_pf_reader *reader;
    struct dj_pf_sequence *sequence;
    struct dj_pf_item item;
};

static void add(struct context *context, uint8_t kind, int64_t value)
{
    context->item.kind = kind;
    context->item.value = value;
    dj_pf_run_put(context->reader->run, &context->item);
}

static int32_t place_of(const struct context *context, const struct dj_pf_track *track)
{
    return (int32_t)(track - context->reader->tracks.all);
}

/* Returns a counter's value in its unit. An incremental counter restarts with its
 * sequence. */
static int64_t value_of(struct context *context, int32_t track, int64_t value)
{
    struct dj_pf_track *counter = &context->reader->tracks.all[track];
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

/* Multiplies before it drops the fraction of a double. */
static int64_t value_of_double(const struct context *context, int32_t track,
                               uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    value *= (double)context->reader->tracks.all[track].multiplier;
    memcpy(&bits, &value, sizeof(bits));
    return dj_proto_whole(bits);
}

static void add_extra(struct context *context, const struct list *tracks,
                      const struct list *values, bool doubles)
{
    int32_t own = context->item.track;
    for (size_t i = 0; i < values->count && i < tracks->count; i++) {
        context->item.track = place_of(
            context, dj_pf_tracks_get(&context->reader->tracks, tracks->values[i]));
        add(context, DJ_EVENT_COUNTER,
            doubles ? value_of_double(context, context->item.track, values->values[i])
                    : value_of(context, context->item.track, (int64_t)values->values[i]));
    }
    context->item.track = own;
}

static void add_typed(struct context *context, const struct told *told)
{
    switch (told->type) {
    case DJ_PF_TYPE_BEGIN:
        add(context, DJ_EVENT_BEGIN, (int64_t)told->flow);
        break;
    case DJ_PF_TYPE_END:
        add(context, DJ_EVENT_END, 0);
        break;
    case DJ_PF_TYPE_INSTANT:
        add(context, DJ_EVENT_INSTANT, 0);
        break;
    case DJ_PF_TYPE_COUNTER:
        if (told->has_double) {
            add(context, DJ_EVENT_COUNTER,
                value_of_double(context, context->item.track, told->real));
        } else if (told->has_value) {
            add(context, DJ_EVENT_COUNTER,
                value_of(context, context->item.track, told->value));
        }
        break;
    default:
        add(context, DJ_EVENT_OTHER, 0);
        break;
    }
}

/* Phases of Chrome's JSON, which Chrome's traces still contain. */
static const uint8_t phases[128] = {
    ['B'] = DJ_EVENT_BEGIN,       ['X'] = DJ_EVENT_BEGIN,
    ['E'] = DJ_EVENT_END,         ['I'] = DJ_EVENT_INSTANT,
    ['i'] = DJ_EVENT_INSTANT,     ['n'] = DJ_EVENT_INSTANT,
    ['R'] = DJ_EVENT_INSTANT,     ['b'] = DJ_EVENT_ASYNC_BEGIN,
    ['S'] = DJ_EVENT_ASYNC_BEGIN, ['e'] = DJ_EVENT_ASYNC_END,
    ['F'] = DJ_EVENT_ASYNC_END,
};

static int64_t legacy_id(const struct dj_proto_field *got)
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
            dj_pf_texts_find(context->sequence->names,
                             (uint64_t)dj_proto_int(&got[DJ_PF_LEGACY_NAME_IID]));
    }
    if (tid > 0 && tid <= INT32_MAX) {
        context->item.track = place_of(
            context, dj_pf_tracks_thread(&context->reader->tracks, (int32_t)tid,
                                         (int32_t)dj_proto_int(&got[DJ_PF_LEGACY_PID])));
    }
    bool async = kind == DJ_EVENT_ASYNC_BEGIN || kind == DJ_EVENT_ASYNC_END;
    add(context, kind, async ? legacy_id(got) : 0);
    int64_t took_us = dj_proto_int(&got[DJ_PF_LEGACY_DURATION_US]);
    int64_t took_ns, end_ns;
    if (phase == 'X' && !__builtin_mul_overflow(took_us, 1000, &took_ns) &&
        !__builtin_add_overflow(context->item.at_ns, took_ns, &end_ns) && took_ns >= 0) {
        context->item.at_ns = end_ns;
        add(context, DJ_EVENT_END, 0);
    }
}

static void read_lists(struct list *lists, struct dj_str bytes)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        for (size_t i = 0; i < LISTS; i++) {
            if (field.number == list_fields[i]) {
                put_all(&lists[i], &field, i == DOUBLES);
            }
        }
    }
}

/* If the event names no tracks, those of the sequence's defaults apply. */
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

void dj_pf_take_track_event(struct dj_pf_reader *reader, struct dj_pf_sequence *sequence,
                            const struct dj_pf_packet *packet, int64_t at_ns)
{
    struct told told = {
        .name = {"", 0}, .track = sequence->track, .has_track = sequence->has_track};
    struct dj_proto_message message = dj_proto_open(packet->body);
    struct dj_proto_field field;
    bool extras = false;
    while (dj_proto_next(&message, &field)) {
        read_field(&told, &field);
        extras |= field.number == DJ_PF_EVENT_EXTRA_VALUES ||
                  field.number == DJ_PF_EVENT_EXTRA_DOUBLE_VALUES;
    }
    struct context context = {.reader = reader,
                              .sequence = sequence,
                              .item = {.at_ns = at_ns, .words = told.name}};
    if (told.name.length == 0 && told.name_iid != 0) {
        context.item.words = dj_pf_texts_find(sequence->names, told.name_iid);
    }
    bool thread = !told.has_track && sequence->tid > 0;
    context.item.track =
        place_of(&context, thread ? dj_pf_tracks_thread(&reader->tracks, sequence->tid,
                                                        sequence->pid)
                                  : dj_pf_tracks_get(&reader->tracks, told.track));
    if (told.type == 0 && told.legacy.at != NULL) {
        add_legacy(&context, told.legacy);
    } else {
        add_typed(&context, &told);
    }
    if (extras) {
        context.item.at_ns = at_ns;
        context.item.words = (struct dj_str){"", 0};
        add_extras(&context, packet->body);
    }
}
