/* Reads the names of functions that a JIT compiler wrote to /tmp/perf-PID.map. Each line
 * has the start and size of a function in hexadecimal, and its name:
 *
 *     7f4b1c0012a0 1c0 LazyCompile:~render scene.js:42
 */
#ifndef DEJANK_STACKS_NAMES_PERF_MAP_H
#define DEJANK_STACKS_NAMES_PERF_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct dj_perf_map_row {
    uint64_t start, end;
    const char *name; /* Points into `text` of the map. */
};

/* The map of one process. A zeroed struct is an empty map. */
struct dj_perf_map {
    char *text;
    struct dj_perf_map_row *rows; /* Rows, sorted by start. */
    size_t count;
};

/* Reads the map of a process. Leaves `map` empty if the process has written none. */
void dj_perf_map_read(struct dj_perf_map *map, pid_t pid);
/* Parses a map of `length` bytes, which a NUL must follow. `map` owns `text` afterwards.
 * Skips damaged lines. */
void dj_perf_map_parse(struct dj_perf_map *map, char *text, size_t length);
/* Returns the row that contains the address, or NULL. If several rows contain it, returns
 * the one that is later in the file, because JITs reuse memory. */
const struct dj_perf_map_row *dj_perf_map_find(const struct dj_perf_map *map,
                                               uint64_t address);
void dj_perf_map_finish(struct dj_perf_map *map);

#endif
