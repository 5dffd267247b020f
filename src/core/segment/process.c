#include "segment/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a small file of /proc as a string. Uses no stdio streams because this code runs
 * inside recorded apps. */
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
    STAT_STATE = 3, /* Number of a field of /proc/PID/stat, from 1 as in proc(5). */
    STAT_START = 22
};

/* Returns a field of /proc/PID/stat, or NULL. The name in field 2 may contain spaces and
 * parentheses, so counting starts after the last ')'. */
static const char *find_stat_field(const char *stat, int field)
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
    const char *state_field = find_stat_field(stat, STAT_STATE);
    const char *start_field = find_stat_field(stat, STAT_START);
    if (state_field == NULL || start_field == NULL) {
        return false;
    }
    *state = *state_field;
    *start_ticks = strtoull(start_field, NULL, 10);
    return true;
}

uint64_t dj_segment_process_start_ticks(int64_t pid)
{
    char state;
    uint64_t start_ticks;
    return read_stat(pid, &state, &start_ticks) ? start_ticks : 0;
}

/* Returns the offset of the boot clock in a process's time namespace in ticks, or 0 if
 * the kernel has no time namespaces. `process` is a pid or "self". */
static int64_t read_time_namespace_ticks(const char *process)
{
    static const char BOOT[] = "boottime";
    char path[64];
    char text[160];
    snprintf(path, sizeof(path), "/proc/%s/timens_offsets", process);
    const char *at = read_text(path, text, sizeof(text)) ? strstr(text, BOOT) : NULL;
    if (at == NULL) {
        return 0;
    }
    char *end;
    long hz = sysconf(_SC_CLK_TCK);
    int64_t seconds = strtoll(at + sizeof(BOOT) - 1, &end, 10);
    int64_t ns = strtoll(end, NULL, 10);
    int64_t ticks;
    return __builtin_mul_overflow(seconds, (int64_t)hz, &ticks)
               ? 0
               : ticks + ns / (INT64_C(1000000000) / hz);
}

/* Returns whether `found`, the start time in /proc, is equal to `recorded`, the start
 * time that the process itself has recorded. The kernel reports a start time in the time
 * namespace of the reader, so the offset between the two namespaces is added. Rounding
 * may cause a difference of one tick. */
static bool is_same_start(int64_t pid, uint64_t found, uint64_t recorded)
{
    char process[24];
    if (found == recorded) {
        return true;
    }
    snprintf(process, sizeof(process), "%lld", (long long)pid);
    int64_t ahead =
        read_time_namespace_ticks(process) - read_time_namespace_ticks("self");
    uint64_t difference = recorded - found - (uint64_t)ahead + 1;
    return ahead != 0 && difference <= 2;
}

bool dj_segment_process_is_alive(int64_t pid, uint64_t start_ticks)
{
    char state;
    uint64_t found;
    return read_stat(pid, &state, &found) && state != 'Z' && state != 'X' &&
           state != 'x' && is_same_start(pid, found, start_ticks);
}

void dj_segment_read_boot_id(char id[40])
{
    char text[48];
    memset(id, 0, 40);
    if (read_text("/proc/sys/kernel/random/boot_id", text, sizeof(text))) {
        memcpy(id, text, strnlen(text, 36));
    }
}
