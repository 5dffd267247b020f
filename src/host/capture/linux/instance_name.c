#include "capture/linux/instance.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/directory.h"

/* The kernel's number of the initial namespace. */
#define INITIAL_NAMESPACE UINT32_C(0xEFFFFFFC)

/* Returns 0 if it is unknown. */
static uint32_t namespace_of(const char *process)
{
    struct stat status;
    char path[64];
    snprintf(path, sizeof(path), "/proc/%.20s/ns/pid", process);
    return stat(path, &status) == 0 ? (uint32_t)status.st_ino : 0;
}

static uint32_t own_namespace(void)
{
    uint32_t own = namespace_of("self");
    return own != 0 ? own : INITIAL_NAMESPACE;
}

/* Considers only processes that are visible from here. */
static bool namespace_lives(uint32_t wanted)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    bool lives = folder == NULL;
    while (!lives && (entry = readdir(folder)) != NULL) {
        lives = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
                namespace_of(entry->d_name) == wanted;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return lives;
}

void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number)
{
    uint32_t own = own_namespace();
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
    unsigned number, of = INITIAL_NAMESPACE;
    uint32_t own = own_namespace();
    if (sscanf(name, "dejank-%d-%llu-%u%n", &pid, &start, &number, &length) != 3) {
        return false;
    }
    if (sscanf(name + length, "-%u%n", &of, &longer) == 1) {
        length += longer;
    }
    if (name[length] != '\0') {
        return false;
    }
    return of == own ? !dj_segment_process_is_alive(pid, start)
                     : own == INITIAL_NAMESPACE && !namespace_lives(of);
}
