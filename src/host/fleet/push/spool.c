#include "fleet/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "measure/state_folder.h"
#include "memory/memory.h"
#include "output/file.h"

static const char suffix[] = ".rowbinary";

int dj_fleet_spool_path(const char *folder, struct dj_text *path, struct dj_error *err)
{
    if (folder == NULL) {
        return dj_measure_state_folder_path("fleet", NULL, path, err);
    }
    dj_text_add(path, folder);
    return mkdir(folder, 0700) == 0 || errno == EEXIST
               ? 0
               : dj_error_set(err, DJ_E_OUTPUT, "cannot create %s: %m", folder);
}

/* Files are sorted by their names, which begin with the time. */
static void append_name(struct dj_text *path, const struct dj_spool_label *label)
{
    static atomic_uint number;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    dj_text_format(path, "/%011lld-%09ld-%ld-%u", (long long)now.tv_sec, now.tv_nsec,
                   (long)getpid(), atomic_fetch_add(&number, 1));
    dj_fleet_spool_append_label(path, label);
}

/* Writes the names of the folder to the disk, so that a new file is still there after a
 * power failure. */
static int sync_folder(const char *folder, struct dj_error *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failure = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0) {
        close(fd);
    }
    /* Some file systems cannot sync a folder. */
    return failure == 0 || failure == EINVAL
               ? 0
               : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", folder,
                              strerror(failure));
}

int dj_fleet_spool_write(const char *folder, struct dj_str rows,
                         const struct dj_spool_label *label, struct dj_error *err)
{
    struct dj_output_stream stream;
    struct dj_text path = {0};
    dj_text_add(&path, folder);
    append_name(&path, label);
    int code = dj_output_stream_open_new(&stream, dj_xtext(&path), err);
    if (code == 0) {
        int number = dj_output_stream_write_all(stream.fd, rows.at, rows.length);
        if (number != 0) {
            dj_output_stream_discard(&stream);
            errno = number;
            code = dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %m", dj_xtext(&path));
        } else {
            code = dj_output_stream_commit(&stream, err);
            code = code == 0 ? sync_folder(folder, err) : code;
        }
    }
    dj_text_finish(&path);
    return code;
}

static int is_spooled(const struct dirent *entry)
{
    return dj_output_has_suffix(entry->d_name, suffix);
}

int dj_fleet_spool_list(const char *folder, struct dj_fleet_spool *spool,
                        struct dj_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_spooled, alphasort);
    if (count < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot read %s: %m", folder);
    }
    for (int i = 0; i < count; i++) {
        DJ_XPUSH(spool->paths, spool->count,
                 dj_xformat("%s/%s", folder, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return 0;
}

void dj_fleet_spool_reject(const char *path)
{
    char *other = dj_xformat("%s.refused", path);
    rename(path, other);
    free(other);
}

void dj_fleet_spool_delete(struct dj_fleet_spool *spool)
{
    for (size_t i = 0; i < spool->count; i++) {
        unlink(spool->paths[i]);
    }
    dj_fleet_spool_finish(spool);
}

void dj_fleet_spool_finish(struct dj_fleet_spool *spool)
{
    for (size_t i = 0; i < spool->count; i++) {
        free(spool->paths[i]);
    }
    free(spool->paths);
    *spool = (struct dj_fleet_spool){0};
}
