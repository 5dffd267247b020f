/* Reads /proc/PID/maps:
 *
 *     7f0c2a428000-7f0c2a59d000 r-xp 00028000 fe:01 1312
 * /usr/lib/x86_64-linux-gnu/libc.so.6
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "stacks/maps_private.h"

/* Parses a line. Returns false if it is damaged or not executable. */
static bool parse_line(char *line, struct dj_stacks_new_mapping *mapping)
{
    uint64_t end;
    unsigned major, minor;
    char access[8];
    int path_at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n",
               &mapping->start, &end, access, &mapping->file_offset, &major, &minor,
               &mapping->inode, &path_at) < 7 ||
        end <= mapping->start) {
        return false;
    }
    mapping->size = end - mapping->start;
    mapping->device = makedev(major, minor);
    mapping->path = line + path_at;
    return strchr(access, 'x') != NULL && path_at > 0;
}

int dj_stacks_maps_read(struct dj_stacks_maps *maps, pid_t pid, struct dj_error *err)
{
    char path[32];
    char *line = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            path, strerror(errno));
    }
    dj_stacks_maps_exec(maps, pid);
    errno = 0;
    while (getline(&line, &capacity, file) > 0) {
        struct dj_stacks_new_mapping mapping = {.pid = pid};
        if (parse_line(line, &mapping)) {
            dj_stacks_maps_add(maps, &mapping);
        }
    }
    int failure = ferror(file) != 0 ? errno : 0;
    free(line);
    fclose(file);
    if (failure == 0) {
        return 0;
    }
    return dj_error_set(err, failure == ESRCH ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s", path,
                        strerror(failure));
}
