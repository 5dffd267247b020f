/* Stores the mappings of each process. */
#ifndef DEJANK_STACKS_MAPS_PRIVATE_H
#define DEJANK_STACKS_MAPS_PRIVATE_H

#include "base/map.h"
#include "stacks/maps.h"
#include "stacks/maps/layout.h"

struct dj_maps_process {
    pid_t pid;
    /* Number that changes with every change of the mappings. No two processes ever have
     * the same generation. */
    uint64_t generation;
    struct dj_maps_layout layout;
};

struct dj_stacks_maps {
    struct dj_stacks_module *modules; /* All modules. The struct owns their paths. */
    size_t module_count;
    /* Maps a hash of path, device and inode to the index of a module. */
    struct dj_map module_index;
    struct dj_stacks_mapping *mappings;
    size_t mapping_count;
    struct dj_maps_process *processes;
    size_t process_count;
    struct dj_map process_index; /* Maps a process id to the index of a process. */
    uint64_t generation;
    size_t part_count; /* Number of parts of all processes. */
    bool is_recorded;
    /* Time of the recording, as in dj_stacks_maps_set_recorded(). Valid if is_recorded is
     * set. */
    int64_t recorded_s;
};

/* Returns the process, or NULL if it is unknown. The pointer is valid until a process is
 * added. */
struct dj_maps_process *dj_maps_find_process(const struct dj_stacks_maps *maps,
                                             pid_t pid);
/* Returns the mapping that contains the address, or DJ_STACKS_NO_MAPPING. */
uint32_t dj_maps_process_find(struct dj_maps_process *process, uint64_t address);

#endif
