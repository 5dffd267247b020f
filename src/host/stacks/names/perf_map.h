/* Functions that a JIT compiler wrote. It names them in /tmp/perf-PID.map, one a line:
 * start and size in hexadecimal, and the name:
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
    const char *name; /* In `text`. */
};

/* All zero is an empty map. */
struct dj_perf_map {
    char *text;
    struct dj_perf_map_row *rows; /* Sorted by start. */
    size_t count;
};

/* Reads the map of a process, if there is one. */
void dj_perf_map_read(struct dj_perf_map *map, pid_t pid);
/* Parses a map. Takes over `text`, which has `length` bytes and a NUL after them. Skips
 * damaged lines. */
void dj_perf_map_parse(struct dj_perf_map *map, char *text, size_t length);
/* Returns the row that contains the address, or NULL. A later line counts more than an
 * earlier one at the same place, because JITs reuse memory. */
const struct dj_perf_map_row *dj_perf_map_find(const struct dj_perf_map *map,
                                               uint64_t address);
void dj_perf_map_finish(struct dj_perf_map *map);

#endif
