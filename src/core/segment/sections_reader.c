#include "segment/sections_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/compare.h"
#include "segment/directory.h"
#include "segment/read/checked_file.h"
#include "segment/sections_names.h"
#include "segment/text_field.h"

typedef uint64_t slot_words[4];

/* A copy of the slots of a ring. */
struct ring_copy {
    /* Index of the first complete slot, and index after the last one. */
    uint64_t first, end;
    uint32_t keep;
    const slot_words *slots; /* Ring of slots. Slot n is at index n % keep. */
};

struct event_word {
    uint32_t tid;
    uint8_t kind, length, slots;
};

static struct event_word decode_word(uint64_t word)
{
    return (struct event_word){.tid = (uint32_t)word,
                               .kind = (uint8_t)(word >> 32),
                               .length = (uint8_t)(word >> 40),
                               .slots = (uint8_t)(word >> 48)};
}

bool dj_segment_sections_sniff(const void *bytes, size_t size)
{
    return size >= 8 && memcmp(bytes, DJ_SECTIONS_MAGIC, 8) == 0;
}

static int open_file(struct dj_checked_file *reading, int64_t owner)
{
    struct stat status;
    reading->fd =
        open(reading->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (reading->fd < 0 || fstat(reading->fd, &status) != 0) {
        int code = errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO;
        return dj_error_set(reading->err, code, "%s: %s", reading->path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return dj_error_set(reading->err, DJ_E_OWNER, "%s: expected a regular file",
                            reading->path);
    }
    if (owner != DJ_ANY_OWNER && status.st_uid != owner) {
        return dj_error_set(reading->err, DJ_E_OWNER, "%s: expected owner %lld, found %u",
                            reading->path, (long long)owner, (unsigned)status.st_uid);
    }
    return 0;
}

static int check_header(const struct dj_checked_file *reading,
                        const struct dj_sections_header *header)
{
    static const char unfinished[8] = {0};
    if (memcmp(header->magic, unfinished, sizeof(unfinished)) == 0) {
        return dj_checked_file_fail(
            reading, DJ_E_NO_DATA, 0,
            "the sections file is incomplete: its writer has not finished the header");
    }
    if (!dj_segment_sections_sniff(header->magic, sizeof(header->magic))) {
        return dj_checked_file_fail(
            reading, DJ_E_INVALID, 0,
            "not a sections file: expected the bytes DJSECT\\r\\n");
    }
    if (header->byte_order != DJ_SEGMENT_BYTE_ORDER) {
        return dj_checked_file_fail(reading, DJ_E_VERSION, 8,
                                    "the file has another byte order than this machine");
    }
    if (header->version != DJ_SECTIONS_VERSION) {
        return dj_checked_file_fail(reading, DJ_E_VERSION, 12,
                                    "sections version %u: expected %d", header->version,
                                    DJ_SECTIONS_VERSION);
    }
    bool is_consistent =
        header->header_bytes == DJ_SEGMENT_PAGE && header->rings >= 1 &&
        header->rings <= DJ_SECTIONS_RINGS && header->keep >= DJ_SECTIONS_KEEP_MIN &&
        header->keep <= DJ_SECTIONS_KEEP_MAX &&
        (header->keep & (header->keep - 1)) == 0 &&
        header->ring_bytes == dj_segment_sections_ring_bytes(header->keep) &&
        header->used <= DJ_SECTIONS_RINGS;
    return is_consistent ? 0
                         : dj_checked_file_fail(reading, DJ_E_INVALID, 16,
                                                "the sizes in the header are invalid or "
                                                "contradict each other");
}

static void copy_header(struct dj_sections *sections,
                        const struct dj_sections_header *header)
{
    char boot_id[40];
    dj_segment_read_boot_id(boot_id);
    sections->pid = header->pid;
    sections->created_ns = header->created_ns;
    sections->dropped = header->dropped;
    sections->ended = strncmp(boot_id, header->boot_id, sizeof(boot_id)) != 0 ||
                      !dj_segment_process_is_alive(header->pid, header->start_ticks);
    dj_text_field_copy(sections->name, sizeof(sections->name), header->name);
    dj_text_field_copy(sections->program, sizeof(sections->program), header->program);
}

static int compare_threads(const void *a, const void *b)
{
    const struct dj_section_thread *left = a;
    const struct dj_section_thread *right = b;
    int tid = DJ_COMPARE(left->tid, right->tid);
    return tid != 0 ? tid : DJ_COMPARE(left->order, right->order);
}

/* Adds a name of a thread. A thread may have several names until remove_earlier_names()
 * is called. */
static int add_thread_name(struct dj_sections *sections, uint32_t tid, const char *name,
                           struct dj_error *err)
{
    if (sections->thread_count == DJ_SECTIONS_THREADS_MOST) {
        return 0; /* Further threads have no name. */
    }
    if (!DJ_ARRAY_ROOM(sections->threads, sections->thread_count)) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for threads");
    }
    struct dj_section_thread *thread = &sections->threads[sections->thread_count];
    thread->tid = tid;
    thread->order = (uint32_t)sections->thread_count++;
    dj_text_field_copy(thread->name, sizeof(thread->name), name);
    return 0;
}

/* Sorts the threads by id. Keeps only the last name of each thread. */
static void remove_earlier_names(struct dj_sections *sections)
{
    struct dj_section_thread *threads = sections->threads;
    size_t last = 0;
    if (sections->thread_count == 0) {
        return;
    }
    qsort(threads, sections->thread_count, sizeof(*threads), compare_threads);
    for (size_t i = 1; i < sections->thread_count; i++) {
        last += threads[i].tid != threads[last].tid;
        threads[last] = threads[i];
    }
    sections->thread_count = last + 1;
}

static int add_event(struct dj_sections *sections, const struct dj_section_event *event,
                     struct dj_error *err)
{
    if (sections->count == DJ_SECTIONS_EVENTS_MOST) {
        return dj_error_set(err, DJ_E_LIMIT, "the file has more than %d events",
                            DJ_SECTIONS_EVENTS_MOST);
    }
    if (!DJ_ARRAY_PUSH(sections->events, sections->count, *event)) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for events");
    }
    return 0;
}

/* Decodes the event that starts at a slot. Returns false if no valid event starts
 * there. */
static bool decode_event(const struct ring_copy *ring, uint64_t index,
                         struct dj_section_event *event, struct event_word *word,
                         char name[DJ_SECTIONS_NAME + 1])
{
    const uint64_t *slot = ring->slots[index % ring->keep];
    *word = decode_word(slot[1]);
    if (slot[0] == 0 || slot[0] > INT64_MAX || word->kind == 0 ||
        word->kind >= DJ_SECTION_KIND_COUNT || word->length > DJ_SECTIONS_NAME ||
        word->slots != dj_segment_sections_slots(word->length) ||
        word->slots > ring->end - index) {
        return false;
    }
    char text[DJ_SECTIONS_TEXT_FIRST +
              (DJ_SECTIONS_SLOTS_MOST - 1) * DJ_SECTIONS_TEXT_MORE];
    memcpy(text, &slot[3], DJ_SECTIONS_TEXT_FIRST);
    for (unsigned i = 1; i < word->slots; i++) {
        const uint64_t *more = ring->slots[(index + i) % ring->keep];
        if (more[0] != 0) {
            return false;
        }
        memcpy(text + DJ_SECTIONS_TEXT_FIRST + (i - 1) * DJ_SECTIONS_TEXT_MORE, &more[1],
               DJ_SECTIONS_TEXT_MORE);
    }
    memcpy(name, text, word->length);
    name[word->length] = '\0';
    *event = (struct dj_section_event){.at_ns = (int64_t)slot[0],
                                       .value = (int64_t)slot[2],
                                       .tid = word->tid,
                                       .kind = word->kind};
    return true;
}

/* Reads the events of a ring in the order in which they were written. */
static int read_events(struct dj_sections *sections, const struct ring_copy *ring,
                       uint64_t *order, struct dj_error *err)
{
    int64_t first_ns = 0;
    uint64_t index = ring->first;
    /* The first slots of the ring may be the rest of an event. Its first slot was then
     * overwritten. */
    bool may_be_continuation = ring->first > 0;
    while (index < ring->end) {
        struct dj_section_event event;
        struct event_word word;
        char name[DJ_SECTIONS_NAME + 1];
        if (!decode_event(ring, index, &event, &word, name)) {
            sections->damaged +=
                !(may_be_continuation && ring->slots[index % ring->keep][0] == 0);
            index++;
            continue;
        }
        may_be_continuation = false;
        index += word.slots;
        first_ns = first_ns != 0 ? first_ns : event.at_ns;
        event.order = (*order)++;
        int code = word.kind == DJ_SECTION_THREAD
                       ? add_thread_name(sections, word.tid, name, err)
                       : dj_sections_names_intern(&sections->names, &sections->index,
                                                  name, word.length, &event.name, err);
        if (code == 0 && word.kind != DJ_SECTION_THREAD) {
            code = add_event(sections, &event, err);
        }
        if (code != 0) {
            return code;
        }
    }
    if (ring->first > 0 && first_ns > sections->whole_from_ns) {
        sections->whole_from_ns = first_ns;
    }
    sections->overwritten += ring->first;
    return 0;
}

static int read_ring(struct dj_checked_file *reading,
                     const struct dj_sections_header *header, uint32_t number,
                     slot_words *slots, struct dj_sections *sections, uint64_t *order)
{
    struct dj_section_ring ring;
    int64_t at = (int64_t)header->header_bytes + (int64_t)number * header->ring_bytes;
    uint64_t begun;
    int code = dj_checked_file_read(reading, &ring, sizeof(ring), at);
    if (code != 0 || ring.published == 0) {
        return code;
    }
    uint64_t most = ring.published < header->keep ? ring.published : header->keep;
    code =
        dj_checked_file_read(reading, slots, most * sizeof(*slots), at + DJ_SEGMENT_PAGE);
    code = code != 0 ? code
                     : dj_checked_file_read_word(
                           reading, &begun,
                           at + (int64_t)offsetof(struct dj_section_ring, begun));
    if (code != 0) {
        return code;
    }
    uint64_t end = ring.published;
    uint64_t written = begun > end ? begun : end;
    uint64_t first = written > header->keep ? written - header->keep : 0;
    struct ring_copy copy = {first < end ? first : end, end, header->keep,
                             (const slot_words *)slots};
    ring.thread[sizeof(ring.thread) - 1] = '\0';
    code = add_thread_name(sections, ring.tid, ring.thread, reading->err);
    return code != 0 ? code : read_events(sections, &copy, order, reading->err);
}

static int compare_times(const void *a, const void *b)
{
    const struct dj_section_event *left = a;
    const struct dj_section_event *right = b;
    int time = DJ_COMPARE(left->at_ns, right->at_ns);
    return time != 0 ? time : DJ_COMPARE(left->order, right->order);
}

static int read_rings(struct dj_checked_file *reading,
                      const struct dj_sections_header *header,
                      struct dj_sections *sections)
{
    uint64_t order = 0;
    int code = 0;
    slot_words *slots = malloc(header->keep * sizeof(*slots));
    if (slots == NULL) {
        return dj_error_set(reading->err, DJ_E_NO_MEMORY, "out of memory for a ring");
    }
    for (uint32_t i = 0; i < header->used && i < header->rings && code == 0; i++) {
        code = read_ring(reading, header, i, slots, sections, &order);
    }
    free(slots);
    if (sections->count > 0) {
        qsort(sections->events, sections->count, sizeof(*sections->events),
              compare_times);
    }
    remove_earlier_names(sections);
    return code;
}

int dj_segment_sections_read(const char *path, int64_t owner,
                             struct dj_sections *sections, struct dj_error *err)
{
    struct dj_checked_file reading = {.fd = -1, .path = path, .err = err};
    struct dj_sections_header header;
    int code = open_file(&reading, owner);
    code = code != 0 ? code : dj_checked_file_read(&reading, &header, sizeof(header), 0);
    code = code != 0 ? code : check_header(&reading, &header);
    if (code == 0) {
        copy_header(sections, &header);
        code = read_rings(&reading, &header, sections);
    }
    dj_checked_file_close(&reading);
    return code;
}

void dj_segment_sections_finish(struct dj_sections *sections)
{
    dj_text_finish(&sections->names);
    free(sections->events);
    free(sections->threads);
    dj_map_finish(&sections->index);
    *sections = (struct dj_sections){0};
}
