#include "capture/linux/instance.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/directory.h"

/* Inode number of the initial pid namespace. */
#define INITIAL_NAMESPACE UINT32_C(0xEFFFFFFC)

/* Returns the inode number of the process's pid namespace, or 0 if the inode number is
 * unknown. */
static uint32_t read_namespace(const char *process)
{
    struct stat status;
    char path[64];
    snprintf(path, sizeof(path), "/proc/%.20s/ns/pid", process);
    return stat(path, &status) == 0 ? (uint32_t)status.st_ino : 0;
}

static uint32_t get_own_namespace(void)
{
    uint32_t own = read_namespace("self");
    return own != 0 ? own : INITIAL_NAMESPACE;
}

/* Returns true if /proc contains a process of the pid namespace `wanted`, or if /proc
 * cannot be read. */
static bool has_processes(uint32_t wanted)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    bool is_found = folder == NULL;
    while (!is_found && (entry = readdir(folder)) != NULL) {
        is_found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
                   read_namespace(entry->d_name) == wanted;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return is_found;
}

void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number)
{
    uint32_t own = get_own_namespace();
    int length =
        snprintf(name, DJ_INSTANCE_NAME, "dejank-%d-%llu-%u", (int)getpid(),
                 (unsigned long long)dj_segment_process_start_ticks(getpid()), number);
    if (own != INITIAL_NAMESPACE) {
        snprintf(name + length, DJ_INSTANCE_NAME - (size_t)length, "-%u", own);
    }
}

bool dj_instance_is_dead(const char *name)
{
    int pid = 0, length = 0, longer = 0;
    unsigned long long start = 0;
    unsigned number, namespace = INITIAL_NAMESPACE;
    uint32_t own = get_own_namespace();
    if (sscanf(name, "dejank-%d-%llu-%u%n", &pid, &start, &number, &length) != 3) {
        return false;
    }
    if (sscanf(name + length, "-%u%n", &namespace, &longer) == 1) {
        length += longer;
    }
    if (name[length] != '\0') {
        return false;
    }
    return namespace == own ? !dj_segment_process_is_alive(pid, start)
                            : own == INITIAL_NAMESPACE && !has_processes(namespace);
}
