#include "trace/perfetto/stacks/entries.h"

#include <stdlib.h>

#include "memory/memory.h"
#include "trace/perfetto/stack_fields.h"

static const struct {
    uint32_t number;
    enum dj_perfetto_entry_kind kind;
} fields[] = {
    {DJ_PF_INTERNED_FUNCTIONS, DJ_PF_ENTRY_FUNCTION},
    {DJ_PF_INTERNED_FRAMES, DJ_PF_ENTRY_FRAME},
    {DJ_PF_INTERNED_CALLSTACKS, DJ_PF_ENTRY_CALLSTACK},
    {DJ_PF_INTERNED_BUILD_IDS, DJ_PF_ENTRY_BUILD_ID},
    {DJ_PF_INTERNED_PATHS, DJ_PF_ENTRY_PATH},
    {DJ_PF_INTERNED_MAPPINGS, DJ_PF_ENTRY_MAPPING},
    {DJ_PF_INTERNED_TASK_CONTEXTS, DJ_PF_ENTRY_TASK},
    {DJ_PF_INTERNED_COUNTERS, DJ_PF_ENTRY_COUNTER},
};

static void add_to_table(struct dj_perfetto_entry_table *table, struct dj_str entry)
{
    DJ_PF_FIELDS(got, entry, DJ_PF_INTERNED_IID);
    uint64_t iid = (uint64_t)dj_proto_int(&got[DJ_PF_INTERNED_IID]);
    dj_xcheck(dj_map_set(&table->places, iid, table->count));
    DJ_XPUSH(table->all, table->count, entry);
}

void dj_perfetto_entries_add(struct dj_perfetto_entries **entries, uint32_t number,
                             struct dj_str entry)
{
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        if (fields[i].number == number) {
            if (*entries == NULL) {
                *entries = dj_xcalloc(1, sizeof(**entries));
            }
            add_to_table(&(*entries)->tables[fields[i].kind], entry);
        }
    }
}

void dj_perfetto_entries_destroy(struct dj_perfetto_entries *entries)
{
    if (entries == NULL) {
        return;
    }
    for (size_t i = 0; i < DJ_PF_ENTRY_KINDS; i++) {
        dj_map_finish(&entries->tables[i].places);
        free(entries->tables[i].all);
    }
    dj_map_finish(&entries->callstacks);
    dj_map_finish(&entries->frames);
    dj_map_finish(&entries->mappings);
    free(entries);
}

bool dj_perfetto_entries_find(const struct dj_perfetto_entries *entries,
                              enum dj_perfetto_entry_kind kind, uint64_t iid,
                              struct dj_str *entry)
{
    size_t place =
        entries == NULL ? DJ_MAP_NONE : dj_map_get(&entries->tables[kind].places, iid);
    if (place == DJ_MAP_NONE) {
        return false;
    }
    *entry = entries->tables[kind].all[place];
    return true;
}

struct dj_str dj_perfetto_entries_find_text(const struct dj_perfetto_entries *entries,
                                            enum dj_perfetto_entry_kind kind,
                                            uint64_t iid)
{
    struct dj_str entry;
    if (!dj_perfetto_entries_find(entries, kind, iid, &entry)) {
        return (struct dj_str){"", 0};
    }
    DJ_PF_FIELDS(got, entry, DJ_PF_INTERNED_NAME);
    return dj_proto_bytes(&got[DJ_PF_INTERNED_NAME]);
}
