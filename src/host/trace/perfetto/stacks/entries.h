/* Stores the entries of InternedData that describe stacks: callstacks, their frames, and
 * the functions and files of the frames. Entries stay encoded until a sample needs them,
 * because an entry may refer to entries that follow it. */
#ifndef DEJANK_TRACE_PERFETTO_STACKS_ENTRIES_H
#define DEJANK_TRACE_PERFETTO_STACKS_ENTRIES_H

#include "base/map.h"
#include "trace/perfetto/fields.h"

/* Kinds of entries. */
enum dj_perfetto_entry_kind {
    DJ_PF_ENTRY_FUNCTION,
    DJ_PF_ENTRY_FRAME,
    DJ_PF_ENTRY_CALLSTACK,
    DJ_PF_ENTRY_BUILD_ID,
    DJ_PF_ENTRY_PATH,
    DJ_PF_ENTRY_MAPPING,
    DJ_PF_ENTRY_TASK,
    DJ_PF_ENTRY_COUNTER,
    DJ_PF_ENTRY_KINDS
};

/* Encoded entries of one kind. */
struct dj_perfetto_entry_table {
    struct dj_map places;
    /* Encoded entries of one kind. The array is owned by this struct. The bytes belong to
     * the trace. */
    struct dj_str *all;
    size_t count;
};

struct dj_perfetto_entries {
    struct dj_perfetto_entry_table tables[DJ_PF_ENTRY_KINDS];
    /* Entries that were already decoded. Each map is from the number of a callstack,
     * frame or mapping to its number in reader->stacks. */
    struct dj_map callstacks, frames, mappings;
};

/* Adds an entry of InternedData. `number` is the field number. Ignores entries that do
 * not describe stacks. Creates *entries if it is NULL. */
void dj_perfetto_entries_add(struct dj_perfetto_entries **entries, uint32_t number,
                             struct dj_str entry);
/* Frees the entries. Does nothing if `entries` is NULL. */
void dj_perfetto_entries_destroy(struct dj_perfetto_entries *entries);

/* Finds the encoded entry with this number and sets *entry. Returns false if there is no
 * such entry. `entries` may be NULL. */
bool dj_perfetto_entries_find(const struct dj_perfetto_entries *entries,
                              enum dj_perfetto_entry_kind kind, uint64_t iid,
                              struct dj_str *entry);
/* Returns the text of an entry, or an empty text if there is no such entry. */
struct dj_str dj_perfetto_entries_find_text(const struct dj_perfetto_entries *entries,
                                            enum dj_perfetto_entry_kind kind,
                                            uint64_t iid);

#endif
