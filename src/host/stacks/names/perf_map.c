#include "stacks/names/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "memory/memory.h"

/* Maximum size of a map. A browser writes about 10 MB in an hour. */
enum { MAP_BYTES_MAX = 256 << 20 };

/* Parses "START SIZE NAME". The line ends with a NUL. */
static bool parse_row(char *line, struct dj_perf_map_row *row)
{
    char *rest;
    errno = 0;
    row->start = strtoull(line, &rest, 16);
    if (rest == line || *rest != ' ') {
        return false;
    }
    char *size_at = rest + 1;
    uint64_t size = strtoull(size_at, &rest, 16);
    if (rest == size_at || *rest != ' ' || rest[1] == '\0' || errno != 0) {
        return false;
    }
    row->name = rest + 1;
    return size > 0 && !__builtin_add_overflow(row->start, size, &row->end);
}

/* Compares rows by start, then by their order in the file: `name` of a later row has a
 * higher address. */
static int compare_rows(const void *one, const void *other)
{
    const struct dj_perf_map_row *a = one, *b = other;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->name > b->name) - (a->name < b->name);
}

void dj_perf_map_parse(struct dj_perf_map *map, char *text, size_t length)
{
    size_t capacity = 0;
    *map = (struct dj_perf_map){.text = text};
    for (char *line = text, *end = text + length; line < end;) {
        char *feed = memchr(line, '\n', (size_t)(end - line));
        struct dj_perf_map_row row;
        feed = feed == NULL ? end : feed;
        *feed = '\0';
        if (parse_row(line, &row)) {
            DJ_XRESERVE(map->rows, capacity, map->count + 1);
            map->rows[map->count++] = row;
        }
        line = feed + 1;
    }
    if (map->count > 0) {
        qsort(map->rows, map->count, sizeof(*map->rows), compare_rows);
    }
}

/* Reads a regular file, which another user may have written. Returns NULL if that
 * fails. */
static char *read_text(const char *path, size_t *length)
{
    struct stat status;
    char *text = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return NULL;
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= MAP_BYTES_MAX) {
        text = dj_xresize(NULL, (size_t)status.st_size + 1, 1);
        ssize_t got = read(fd, text, (size_t)status.st_size);
        *length = got < 0 ? 0 : (size_t)got;
        text[*length] = '\0';
    }
    close(fd);
    return text;
}

/* Returns the id of the process in its own pid namespace. The process uses this id in the
 * name of its map. */
static int find_inner_pid(pid_t pid)
{
    char line[256], path[32];
    int inner = (int)pid;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        const char *last = strrchr(line, '\t');
        if (strncmp(line, "NSpid:", 6) == 0 && last != NULL) {
            inner = (int)strtol(last, NULL, 10);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return inner;
}

void dj_perf_map_read(struct dj_perf_map *map, pid_t pid)
{
    char path[64];
    size_t length = 0;
    *map = (struct dj_perf_map){0};
    snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-%d.map", (int)pid,
             find_inner_pid(pid));
    char *text = read_text(path, &length);
    if (text == NULL) {
        snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
        text = read_text(path, &length);
    }
    if (text != NULL) {
        dj_perf_map_parse(map, text, length);
    }
}

const struct dj_perf_map_row *dj_perf_map_find(const struct dj_perf_map *map,
                                               uint64_t address)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->rows[middle].start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && map->rows[low - 1].end > address ? &map->rows[low - 1] : NULL;
}

void dj_perf_map_finish(struct dj_perf_map *map)
{
    free(map->text);
    free(map->rows);
    *map = (struct dj_perf_map){0};
}
