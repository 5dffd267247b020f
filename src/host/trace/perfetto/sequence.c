#include "trace/perfetto/sequence.h"

#include <stdlib.h>

#include "memory/memory.h"
#include "trace/perfetto/stack_fields.h"
#include "trace/perfetto/stacks/entries.h"

void dj_perfetto_texts_unref(struct dj_perfetto_texts *texts)
{
    if (texts != NULL && --texts->users == 0) {
        dj_map_finish(&texts->places);
        free(texts->texts);
        free(texts);
    }
}

struct dj_str dj_perfetto_texts_find(const struct dj_perfetto_texts *texts, uint64_t iid)
{
    size_t place = texts == NULL ? DJ_MAP_NONE : dj_map_get(&texts->places, iid);
    return place == DJ_MAP_NONE ? (struct dj_str){"", 0} : texts->texts[place];
}

void dj_perfetto_texts_add(struct dj_perfetto_texts **texts, struct dj_str entry)
{
    DJ_PF_FIELDS(got, entry, DJ_PF_INTERNED_NAME);
    uint64_t iid = (uint64_t)dj_proto_int(&got[DJ_PF_INTERNED_IID]);
    if (*texts == NULL) {
        *texts = dj_xcalloc(1, sizeof(**texts));
        (*texts)->users = 1;
    }
    struct dj_perfetto_texts *all = *texts;
    dj_xcheck(dj_map_set(&all->places, iid, all->count));
    DJ_XPUSH(all->texts, all->count, dj_proto_bytes(&got[DJ_PF_INTERNED_NAME]));
}

struct dj_perfetto_sequence *
dj_perfetto_sequences_find_or_add(struct dj_perfetto_sequences *sequences, uint64_t id)
{
    size_t place = dj_map_get(&sequences->places, id);
    if (place != DJ_MAP_NONE) {
        sequences->last = place;
        return &sequences->all[place];
    }
    dj_xcheck(dj_map_set(&sequences->places, id, sequences->count));
    DJ_XPUSH(sequences->all, sequences->count, (struct dj_perfetto_sequence){.id = id});
    return &sequences->all[sequences->count - 1];
}

static void clear_state(struct dj_perfetto_sequence *sequence)
{
    dj_perfetto_texts_unref(sequence->names);
    dj_perfetto_texts_unref(sequence->symbols);
    dj_perfetto_entries_destroy(sequence->stacks);
    sequence->names = NULL;
    sequence->symbols = NULL;
    sequence->stacks = NULL;
    sequence->sample_defaults = (struct dj_str){"", 0};
    sequence->clock = 0;
    sequence->defaults = (struct dj_str){"", 0};
    sequence->has_track = false;
    sequence->track = 0;
}

void dj_perfetto_sequences_reset(struct dj_perfetto_sequences *sequences)
{
    for (size_t i = 0; i < sequences->count; i++) {
        clear_state(&sequences->all[i]);
        sequences->all[i] = (struct dj_perfetto_sequence){.id = sequences->all[i].id};
    }
}

void dj_perfetto_sequences_finish(struct dj_perfetto_sequences *sequences)
{
    dj_perfetto_sequences_reset(sequences);
    free(sequences->all);
    dj_map_finish(&sequences->places);
    *sequences = (struct dj_perfetto_sequences){0};
}

static void read_interned(struct dj_perfetto_sequence *sequence, struct dj_str interned)
{
    struct dj_proto_message message = dj_proto_open(interned);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        if (field.wire != DJ_PROTO_BYTES) {
            continue;
        }
        if (field.number == DJ_PF_INTERNED_EVENT_NAMES) {
            dj_perfetto_texts_add(&sequence->names, field.bytes);
        } else if (field.number == DJ_PF_INTERNED_KERNEL_SYMBOLS) {
            dj_perfetto_texts_add(&sequence->symbols, field.bytes);
        } else {
            dj_perfetto_entries_add(&sequence->stacks, field.number, field.bytes);
        }
    }
}

static void read_defaults(struct dj_perfetto_sequence *sequence, struct dj_str defaults)
{
    DJ_PF_FIELDS(got, defaults, DJ_PF_DEFAULTS_CLOCK_ID);
    sequence->clock = (uint64_t)dj_proto_int(&got[DJ_PF_DEFAULTS_CLOCK_ID]);
    sequence->defaults = dj_proto_bytes(&got[DJ_PF_DEFAULTS_TRACK_EVENT]);
    sequence->sample_defaults = dj_proto_bytes(&got[DJ_PF_DEFAULTS_PERF_SAMPLE]);
    dj_proto_collect(sequence->defaults, got, DJ_PF_EVENT_TRACK + 1);
    sequence->has_track = got[DJ_PF_EVENT_TRACK].number != 0;
    sequence->track = (uint64_t)dj_proto_int(&got[DJ_PF_EVENT_TRACK]);
}

void dj_perfetto_sequence_apply_change(struct dj_perfetto_sequence *sequence,
                                       const struct dj_perfetto_packet *packet)
{
    if (packet->dropped) {
        sequence->valid = false;
    }
    if (packet->cleared) {
        clear_state(sequence);
        sequence->valid = true;
        sequence->generation++;
    }
    if (packet->defaults.at != NULL) {
        read_defaults(sequence, packet->defaults);
    }
}

void dj_perfetto_sequence_apply_packet(struct dj_perfetto_sequence *sequence,
                                       const struct dj_perfetto_packet *packet)
{
    dj_perfetto_sequence_apply_frame(sequence, packet);
    if (packet->interned.at != NULL) {
        read_interned(sequence, packet->interned);
    }
}
