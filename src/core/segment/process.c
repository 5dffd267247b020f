#include "segment/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a small file of /proc as a string. No streams: this runs inside recorded apps. */
static bool read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    size_t length = 0;
    while (length + 1 < size) {
        ssize_t got = read(fd, text + length, size - 1 - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
    }
    close(fd);
    text[length] = '\0';
    return length > 0;
}

enum {
    STAT_STATE = 3, /* fields of /proc/PID/stat, counted from 1 as proc(5) does */
    STAT_START = 22
};

/* The field of a stat line, NULL where there is none. The name in field 2 may hold spaces
 * and brackets, so counting starts behind the last ')'. */
static const char *stat_field(const char *stat, int field)
{
    const char *at = strrchr(stat, ')');
    for (int i = 2; at != NULL && i < field; i++) {
        at = strchr(at + 1, ' ');
    }
    return at != NULL ? at + 1 : NULL;
}

static bool read_stat(int64_t pid, char *state, uint64_t *start_ticks)
{
    char path[48];
    char stat[1024];
    snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
    if (pid <= 0 || !read_text(path, stat, sizeof(stat))) {
        return false;
    }
    const char *state_field = stat_field(stat, STAT_STATE);
    const char *start_field = stat_field(stat, STAT_START);
    if (state_field == NULL || start_field == NULL) {
        return false;
    }
    *state = *state_field;
    *start_ticks = strtoull(start_field, NULL, 10);
    return true;
}

uint64_t dj_process_start_ticks(int64_t pid)
{
    char state;
    uint64_t start_ticks;
    return read_stat(pid, &state, &start_ticks) ? start_ticks : 0;
}

bool dj_process_alive(int64_t pid, uint64_t start_ticks)
{
    char state;
    uint64_t found;
    return read_stat(pid, &state, &found) && state != 'Z' && state != 'X' &&
           state != 'x' && found == start_ticks;
}

void dj_boot_id(char id[40])
{
    char text[48];
    memset(id, 0, 40);
    if (read_text("/proc/sys/kernel/random/boot_id", text, sizeof(text))) {
        memcpy(id, text, strnlen(text, 36));
    }
}
