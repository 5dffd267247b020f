#include "device/descendants.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 256 };

void dj_descendants_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Children of this process, as the kernel lists them: also those whose parent died, since
 * we are their reaper. */
static size_t list_children(pid_t children[AT_ONCE])
{
    char text[4096];
    size_t count = 0;
    pid_t pid = 0;
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
    close(fd);
    for (ssize_t i = 0; i < length && count < AT_ONCE; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            pid = pid * 10 + (text[i] - '0');
        } else if (pid > 0) {
            children[count++] = pid;
            pid = 0;
        }
    }
    return count;
}

size_t dj_descendants_signal(int number)
{
    pid_t children[AT_ONCE];
    size_t count = list_children(children);
    for (size_t i = 0; i < count; i++) {
        kill(children[i], number);
    }
    return count;
}

bool dj_descendants_reap(pid_t program, bool *ended, int *status)
{
    int its;
    for (;;) {
        pid_t pid = waitpid(-1, &its, WNOHANG);
        if (pid <= 0) {
            return pid == 0;
        }
        if (pid == program) {
            *ended = true;
            *status = its;
        }
    }
}
