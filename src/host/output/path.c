#include "output/path.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the descriptor of our standard output or error that is this file, or −1. */
static int find_standard_stream(const struct stat *file)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat ours;
        if (fstat(fd, &ours) == 0 && ours.st_dev == file->st_dev &&
            ours.st_ino == file->st_ino) {
            return fd;
        }
    }
    return -1;
}

bool dj_output_path_is_direct(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 &&
           (!S_ISREG(info.st_mode) || find_standard_stream(&info) >= 0);
}

int dj_output_path_open_direct(const char *path)
{
    struct stat info;
    int stream = stat(path, &info) == 0 ? find_standard_stream(&info) : -1;
    return stream >= 0 ? fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                       : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

char *dj_output_path_resolve_links(const char *path)
{
    struct stat info;
    bool link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    char *end = link ? realpath(path, NULL) : NULL;
    return end != NULL ? end : strdup(path);
}

const char *dj_output_path_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}
