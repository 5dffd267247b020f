/* Reads the parts of a perf.data file (of Linux perf or of simpleperf) that are not
 * records of events: which events were sampled, and facts about files, clock and machine.
 * A complete file has a table of these parts (sections). A file that was written to a
 * pipe stores all parts as records. */
#ifndef DEJANK_TRACE_PERF_DATA_FILE_H
#define DEJANK_TRACE_PERF_DATA_FILE_H

#include <linux/perf_event.h>

#include "base/map.h"
#include "stacks/elf.h"
#include "trace/event_format.h"
#include "trace/kernel/byte_cursor.h"

/* The use that dejank makes of an event's samples. */
enum dj_perf_data_use {
    DJ_PERF_DATA_UNUSED,
    DJ_PERF_DATA_TIME,       /* The samples are stacks of running threads. */
    DJ_PERF_DATA_WAIT,       /* The samples are stacks of threads that leave the CPU. */
    DJ_PERF_DATA_TRACEPOINT, /* The samples are events of the kernel. */
};

struct dj_perf_data_event {
    struct perf_event_attr attr;
    char name[64];       /* Name of the event, such as "cpu-clock", or "" if unknown. */
    uint8_t use;         /* A value of enum dj_perf_data_use. */
    int64_t interval_ns; /* Time between two samples, or 0 if unknown. */
    uint64_t samples;    /* Number of samples that were read. */
};

/* Section numbers of perf.data files. The last three sections are written only by
 * simpleperf. */
enum {
    DJ_PERF_DATA_TRACING = 1,
    DJ_PERF_DATA_BUILD_IDS = 2,
    DJ_PERF_DATA_ARCH = 6,
    DJ_PERF_DATA_EVENTS = 12,
    DJ_PERF_DATA_FILES = 128,
    DJ_PERF_DATA_META = 129,
    DJ_PERF_DATA_FILES_2 = 132,
    DJ_PERF_DATA_SECTIONS = 256
};

/* The build-id of a mapped file. */
struct dj_perf_data_build_id {
    struct dj_str path;
    struct dj_stacks_build_id id;
};

/* An open perf.data file. All strings point into its bytes. Zero the struct before
 * use. */
struct dj_perf_data {
    const uint8_t *bytes;
    size_t size;
    bool is_piped;
    /* Offset and size of the records in the file. */
    size_t records_at, records_size;
    struct dj_perf_data_event *events; /* Owned by this struct. */
    size_t event_count;
    struct dj_map ids; /* Maps an id of perf to the index of its event in `events`. */
    uint64_t ids_read; /* Number of ids in the lists of the events. */
    struct dj_str sections[DJ_PERF_DATA_SECTIONS];
    struct dj_perf_data_build_id *build_ids; /* Owned by this struct. */
    size_t build_id_count;
    struct dj_map build_id_places; /* Maps the hash of a path to an index in build_ids. */
    struct dj_trace_formats formats;
    uint64_t damaged; /* Number of parts that could not be read. */
    char damage[200]; /* Message about the first damaged part, or "" if there is none. */
};

/* Length of the shortest file that dj_perf_data_sniff() accepts. */
enum { DJ_PERF_DATA_HEAD = 16 };

/* Returns true if the bytes are the start of a perf.data file, including files of
 * versions that dejank cannot read. */
bool dj_perf_data_sniff(const char *bytes, size_t length);

/* Reads the header, the events and the sections. Notes damage in a section and continues.
 * Returns 0, or DJ_E_INVALID for a damaged header, another byte order or an old
 * format. */
int dj_perf_data_open(struct dj_perf_data *file, const uint8_t *bytes, size_t size,
                      struct dj_error *err);
void dj_perf_data_close(struct dj_perf_data *file);

/* Counts a damaged part. Stores the message if it is the first. */
void dj_perf_data_note_damage(struct dj_perf_data *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds one event with the given attributes, and returns it. `attributes` may be longer or
 * shorter than this kernel's struct perf_event_attr. Returns NULL if there are too many
 * events. The pointer is valid until the next call. */
struct dj_perf_data_event *dj_perf_data_add_event(struct dj_perf_data *file,
                                                  struct dj_str attributes);
/* Adds the ids of an event. The lists of several events may be at the same place of a
 * damaged file, so ids are read only until they would fill the whole file. */
void dj_perf_data_add_ids(struct dj_perf_data *file, struct dj_byte_cursor *ids,
                          size_t event);
/* Sets the names of the events from the sections that contain them. */
void dj_perf_data_name_events(struct dj_perf_data *file);
/* Decides which events are used, and how. Call this function after all events were
 * added. */
void dj_perf_data_choose_events(struct dj_perf_data *file);

/* Adds the build-ids of a list. Each entry of the list is a record with its own
 * header. */
void dj_perf_data_read_sections(struct dj_perf_data *file);
/* Adds the build-ids of a list. If a path has several build-ids, the first one is used.
 */
void dj_perf_data_add_build_ids(struct dj_perf_data *file, struct dj_str list);
/* Returns the build-id that the file stores for a path, or NULL if there is none. */
const struct dj_stacks_build_id *
dj_perf_data_find_build_id(const struct dj_perf_data *file, const char *path);
/* Returns a value of simpleperf's META_INFO, or an empty string. */
struct dj_str dj_perf_data_find_meta(const struct dj_perf_data *file, const char *key);
/* Returns the type of the recording machine, or DJ_STACKS_MACHINES if it is unknown or
 * not supported. */
enum dj_stacks_machine dj_perf_data_get_machine(const struct dj_perf_data *file);

#endif
