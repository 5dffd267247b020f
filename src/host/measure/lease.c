#include "measure/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "measure/state_folder.h"

/* Writes the id of this process and the current time to the lock file. If another process
 * finds the device locked, it prints them. */
static void write_holder(int fd)
{
    char line[128], since[32] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL) {
        strftime(since, sizeof(since), "%F %T", &local);
    }
    int length =
        snprintf(line, sizeof(line), "process %d since %s", (int)getpid(), since);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, line, (size_t)length, 0) < 0) {
        return;
    }
}

static int report_holder(int fd, const char *device, struct dj_error *err)
{
    char holder[128] = "";
    ssize_t length = pread(fd, holder, sizeof(holder) - 1, 0);
    holder[length > 0 ? length : 0] = '\0';
    return dj_error_set(err, DJ_E_GONE,
                        "another dejank is using %s (%s): wait until it ends, or stop it",
                        device, holder[0] != '\0' ? holder : "process unknown");
}

int dj_measure_lease_acquire(const char *device, struct dj_lease *lease,
                             struct dj_error *err)
{
    struct dj_text path = {0};
    lease->fd = -1;
    int code = dj_measure_state_folder_path("leases", device, &path, err);
    if (code == 0) {
        lease->fd = open(dj_text_get(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    if (code == 0 && lease->fd < 0) {
        code = dj_error_set(err, DJ_E_IO, "cannot open %s: %s", dj_text_get(&path),
                            strerror(errno));
    } else if (code == 0 && flock(lease->fd, LOCK_EX | LOCK_NB) != 0) {
        code = errno == EWOULDBLOCK ? report_holder(lease->fd, device, err)
                                    : dj_error_set(err, DJ_E_IO, "cannot lock %s: %s",
                                                   dj_text_get(&path), strerror(errno));
        dj_measure_lease_release(lease);
    } else if (code == 0) {
        write_holder(lease->fd);
    }
    dj_text_finish(&path);
    return code;
}

/* Unlocks the device. Does not remove the lock file. Otherwise one process could lock the
 * removed file and another process a new file with the same name, so that both had the
 * lease. */
void dj_measure_lease_release(struct dj_lease *lease)
{
    if (lease->fd >= 0) {
        close(lease->fd);
    }
    lease->fd = -1;
}
