/* Writes a sections file. Each ring is written, wait-free, by the thread that has
 * acquired it. */
#ifndef DEJANK_SEGMENT_SECTIONS_WRITER_H
#define DEJANK_SEGMENT_SECTIONS_WRITER_H

#include <string.h>
#include <sys/types.h>

#include "base/error.h"
#include "segment/directory.h"
#include "segment/mapped_file.h"
#include "segment/sections_layout.h"

struct dj_sections_options {
    const char *segment; /* Path of the process's segment. */
    const char *name, *program;
    /* Number of slots per ring: a power of two from DJ_SECTIONS_KEEP_MIN to
     * DJ_SECTIONS_KEEP_MAX. */
    uint32_t keep;
    int64_t now_ns;
};

/* The caller provides the storage and zeroes it before use. */
struct dj_sections_writer {
    /* Header of the open file, or NULL if no file is open. */
    struct dj_sections_header *header;
    struct dj_mapped_file file;
    uint32_t keep;
    char path[DJ_SEGMENT_PATH + 80];
    /* Bit mask: bit n is set if disk space for ring n is reserved. */
    _Atomic uint64_t reserved;
};
_Static_assert(DJ_SECTIONS_RINGS <= 64, "reserved has one bit per ring");

/* Creates SEGMENT.sections with mode 0600 and maps it. Replaces an older file of this
 * name. Does file I/O, so it must be called outside every section. */
int dj_segment_sections_create(struct dj_sections_writer *writer,
                               const struct dj_sections_options *options,
                               struct dj_error *err);

/* Unmaps the file. It remains on disk. A child of fork() calls this function for the
 * file of its parent. */
void dj_segment_sections_unmap(struct dj_sections_writer *writer);

/* Acquires a ring for the calling thread. This is one of the first FRESH_FIRST rings if
 * one of them was never used. Otherwise it is the ring that was released longest ago, or,
 * if no ring was released, another ring that was never used. Returns NULL if running
 * threads use all rings or if the disk is full. Does file I/O for an unused ring. */
struct dj_section_ring *dj_segment_ring_acquire(struct dj_sections_writer *writer,
                                                uint32_t tid, const char *thread,
                                                int64_t now_ns);

/* Releases the ring of a thread that ends. */
void dj_segment_ring_release(struct dj_section_ring *ring, int64_t now_ns);

void dj_segment_sections_count_dropped(struct dj_sections_writer *writer);

/* The data of an event except timestamp and thread. */
struct dj_section_data {
    enum dj_section_kind kind;
    const char *name;
    size_t length; /* Length of the name in bytes, at most DJ_SECTIONS_NAME. */
    int64_t value;
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "names are assembled as little-endian words");

/* Loads at most 8 bytes as a word. Missing bytes are zero. Uses two overlapping loads for
 * 4 to 7 bytes, because a call of memcpy() would take as long as all other work for a
 * short event. */
static inline uint64_t dj_segment_ring_word(const char *text, size_t length)
{
    if (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        return word;
    }
    if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        return first | (uint64_t)last << (8 * (length - 4));
    }
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) {
        word |= (uint64_t)(unsigned char)text[i] << (8 * i);
    }
    return word;
}

static inline void dj_segment_ring_write_text(struct dj_section_slot *slots,
                                              uint64_t index, uint64_t mask,
                                              const char *text, size_t length)
{
    while (length > 0) {
        struct dj_section_slot *slot = &slots[index++ & mask];
        size_t first_length =
            length < DJ_SECTIONS_TEXT_MORE ? length : DJ_SECTIONS_TEXT_MORE;
        atomic_store_explicit(&slot->word[0], 0, memory_order_relaxed);
        for (size_t i = 0; i < 3; i++) {
            size_t left = first_length > 8 * i ? first_length - 8 * i : 0;
            uint64_t word = left > 0 ? dj_segment_ring_word(text + 8 * i, left) : 0;
            atomic_store_explicit(&slot->word[i + 1], word, memory_order_relaxed);
        }
        text += first_length;
        length -= first_length;
    }
}

/* Writes an event of the thread that has acquired the ring. Wait-free. The function is
 * inline because a section costs little more than this function and reading the clock. */
static inline void dj_segment_ring_write(struct dj_section_ring *ring, uint64_t mask,
                                         uint32_t tid, int64_t now_ns,
                                         const struct dj_section_data *data)
{
    struct dj_section_slot *slots =
        (struct dj_section_slot *)((char *)ring + DJ_SEGMENT_PAGE);
    uint64_t index = atomic_load_explicit(&ring->published, memory_order_relaxed);
    struct dj_section_slot *slot = &slots[index & mask];
    unsigned count = dj_segment_sections_slots(data->length);
    size_t first_length =
        data->length < DJ_SECTIONS_TEXT_FIRST ? data->length : DJ_SECTIONS_TEXT_FIRST;
    /* Pairs with the reader, which loads `begun` after it has copied the slots. */
    atomic_store_explicit(&ring->begun, index + count, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&slot->word[0], (uint64_t)now_ns, memory_order_relaxed);
    atomic_store_explicit(&slot->word[1],
                          tid | (uint64_t)data->kind << 32 |
                              (uint64_t)data->length << 40 | (uint64_t)count << 48,
                          memory_order_relaxed);
    atomic_store_explicit(&slot->word[2], (uint64_t)data->value, memory_order_relaxed);
    atomic_store_explicit(&slot->word[3], dj_segment_ring_word(data->name, first_length),
                          memory_order_relaxed);
    if (count > 1) {
        dj_segment_ring_write_text(slots, index + 1, mask, data->name + first_length,
                                   data->length - first_length);
    }
    /* Pairs with the reader, which loads `published` with acquire before it copies the
     * slots. */
    atomic_store_explicit(&ring->published, index + count, memory_order_release);
}

#endif
