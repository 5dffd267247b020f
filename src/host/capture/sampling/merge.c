#include "capture/sampling/merge.h"

#include <stdlib.h>

/* Maximum size of a record in bytes. The kernel stores sizes in 16 bits. */
enum { RECORD_MOST = 1 << 16 };

/* A ring of perf events, and the position of its next record. */
struct input {
    struct dj_perf_ring *ring;
    size_t set;
    uint64_t at, end;
    struct perf_event_header header;
    struct dj_perf_id id;
};

/* Reads the id of the next record without copying the rest of the record. */
static struct dj_perf_id peek_id(const struct input *input)
{
    struct dj_perf_id id = {.at_ns = 0};
    size_t size = input->header.size;
    if (size >= sizeof(input->header) + sizeof(id)) {
        size_t from = input->header.type == PERF_RECORD_SAMPLE ? sizeof(input->header)
                                                               : size - sizeof(id);
        dj_perf_rings_copy(input->ring, input->at + from, &id, sizeof(id));
    }
    return id;
}

/* Loads the start and the end of the next record into the cache of the CPU. These are
 * read first. */
static void prefetch(const struct input *input)
{
    enum { LINE = 64, HEAD_BYTES = 5 * LINE };
    size_t size = input->header.size;
    const uint8_t *bytes = dj_perf_rings_find(input->ring, input->at, size);
    if (bytes != NULL && size > HEAD_BYTES) {
        for (size_t i = LINE; i < HEAD_BYTES; i += LINE) {
            __builtin_prefetch(bytes + i);
        }
        __builtin_prefetch(bytes + size - 1);
    }
}

/* Finds the next record of the ring. Returns false if there is none. Skips damaged
 * contents. */
static bool peek_record(struct input *input, struct dj_perf_merge *merge)
{
    if (input->end - input->at < sizeof(input->header)) {
        return false;
    }
    dj_perf_rings_copy(input->ring, input->at, &input->header, sizeof(input->header));
    if (input->header.size < sizeof(input->header) ||
        input->header.size > input->end - input->at) {
        input->at = input->end;
        merge->damaged++;
        return false;
    }
    prefetch(input);
    input->id = peek_id(input);
    return true;
}

static size_t open_inputs(struct dj_perf_merge *merge, struct input *inputs)
{
    size_t count = 0;
    for (size_t set = 0; set < merge->set_count; set++) {
        struct dj_perf *perf = merge->sets[set];
        for (size_t i = 0; i < perf->count; i++) {
            struct dj_perf_ring *ring = &perf->rings[i];
            if (ring->head != NULL) {
                /* Pairs with the kernel's barrier between writing a record and updating
                 * data_head. */
                inputs[count++] = (struct input){
                    .ring = ring,
                    .set = set,
                    .at = ring->head->data_tail,
                    .end = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE)};
            }
        }
    }
    return count;
}

/* Frees the space of the records before input->at. Pairs with the kernel's load of
 * data_tail. */
static void free_space(const struct input *input)
{
    __atomic_store_n(&input->ring->head->data_tail, input->at, __ATOMIC_RELEASE);
}

/* Moves the input with the earliest next record to the front. */
static void find_earliest(struct input *inputs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (inputs[i].id.at_ns < inputs[0].id.at_ns) {
            struct input first = inputs[0];
            inputs[0] = inputs[i];
            inputs[i] = first;
        }
    }
}

/* Removes inputs without records. Returns the number of remaining inputs. */
static size_t begin_inputs(struct dj_perf_merge *merge, struct input *inputs,
                           size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (peek_record(&inputs[i], merge)) {
            inputs[kept++] = inputs[i];
        } else {
            free_space(&inputs[i]);
        }
    }
    return kept;
}

/* Returns the bytes of the next record. A record that continues at the start of the ring
 * is copied to the buffer. */
static const uint8_t *get_bytes(const struct input *input, uint8_t *buffer)
{
    size_t size = input->header.size;
    const uint8_t *bytes = dj_perf_rings_find(input->ring, input->at, size);
    if (bytes == NULL) {
        dj_perf_rings_copy(input->ring, input->at, buffer, size);
    }
    return bytes != NULL ? bytes : buffer;
}

static void read_records(struct dj_perf_merge *merge, struct input *inputs, size_t count,
                         int64_t until_ns, uint8_t *buffer)
{
    while (count > 0) {
        struct input *input = &inputs[0];
        find_earliest(inputs, count);
        if (input->id.at_ns > (uint64_t)until_ns) {
            break;
        }
        const struct dj_sampling_record record = {get_bytes(input, buffer), input->header,
                                                  input->id, input->set};
        merge->take(merge->user, &record);
        input->at += input->header.size;
        free_space(input);
        if (!peek_record(input, merge)) {
            free_space(input);
            *input = inputs[--count];
        }
    }
}

int dj_sampling_merge_read(struct dj_perf_merge *merge, int64_t until_ns,
                           struct dj_error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < merge->set_count; i++) {
        most += merge->sets[i]->count;
    }
    struct input *inputs = calloc(most, sizeof(*inputs));
    uint8_t *buffer = malloc(RECORD_MOST);
    if (inputs == NULL || buffer == NULL) {
        free(inputs);
        free(buffer);
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for call stacks");
    }
    size_t count = begin_inputs(merge, inputs, open_inputs(merge, inputs));
    read_records(merge, inputs, count, until_ns, buffer);
    free(inputs);
    free(buffer);
    return 0;
}
