/*
 * Copies files to and from a device with the sync service of adb. A request or answer is
 * four letters and a little-endian length or number.
 *
 * To write a file, the host sends SEND "path,mode", then DATA with at most 64 KiB each,
 * and DONE with the modification time. The device answers with OKAY, or with FAIL and a
 * message. To read a file, the host sends RECV "path". The device answers with DATA and
 * DONE, or with FAIL.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/adb/device.h"
#include "device/files.h"

enum { CHUNK = 64 * 1024, PATH_MOST = 1024, MESSAGE_MOST = 4096 };

/* Longest time without progress. After this time, a transfer fails. */
#define STALL_NS (30 * DJ_SECOND_NS)

struct sync {
    struct dj_device *device;
    int fd;
};

struct head {
    char id[5];
    uint32_t length;
};

static struct dj_deadline compute_stall_deadline(const struct sync *sync)
{
    return dj_deadline_in(STALL_NS, &sync->device->interrupt);
}

static int send_request(const struct sync *sync, const char *id, const char *bytes,
                        uint32_t length, struct dj_error *err)
{
    const struct dj_deadline deadline = compute_stall_deadline(sync);
    char head[8] = {id[0], id[1], id[2], id[3]};
    uint32_t little_endian = htole32(length);
    memcpy(head + 4, &little_endian, sizeof(little_endian));
    int code = dj_adb_write(sync->fd, head, sizeof(head), &deadline, err);
    return code == 0 && bytes != NULL
               ? dj_adb_write(sync->fd, bytes, length, &deadline, err)
               : code;
}

static int read_head(const struct sync *sync, struct head *head, struct dj_error *err)
{
    const struct dj_deadline deadline = compute_stall_deadline(sync);
    char bytes[8];
    int code = dj_adb_read_exactly(sync->fd, bytes, sizeof(bytes), &deadline, err);
    if (code == 0) {
        *head = (struct head){.length = 0};
        memcpy(head->id, bytes, 4);
        memcpy(&head->length, bytes + 4, 4);
        head->length = le32toh(head->length);
    }
    return code;
}

/* Reads the message of a FAIL answer and returns it as an error. */
static int read_refusal(const struct sync *sync, uint32_t length, struct dj_error *err)
{
    const struct dj_deadline deadline = compute_stall_deadline(sync);
    char message[MESSAGE_MOST + 1];
    struct dj_text safe = {0};
    if (length > MESSAGE_MOST) {
        return dj_error_set(err, DJ_E_PROTOCOL,
                            "the device sent a message of %" PRIu32 " bytes", length);
    }
    int code = dj_adb_read_exactly(sync->fd, message, length, &deadline, err);
    if (code == 0) {
        message[length] = '\0';
        dj_text_append_escaped(&safe, message, length);
        code = dj_error_set(err, DJ_E_IO, "the device refused: %s", dj_text_get(&safe));
    }
    dj_text_finish(&safe);
    return code;
}

static int fail_unexpected(const struct head *head, const char *expected,
                           struct dj_error *err)
{
    struct dj_text safe = {0};
    dj_text_append_escaped_name(&safe, head->id);
    int code = dj_error_set(err, DJ_E_PROTOCOL, "expected %s, the device sent '%s'",
                            expected, dj_text_get(&safe));
    dj_text_finish(&safe);
    return code;
}

static int read_status(const struct sync *sync, struct dj_error *err)
{
    struct head head;
    int code = read_head(sync, &head, err);
    if (code != 0) {
        return code;
    }
    if (strcmp(head.id, "FAIL") == 0) {
        return read_refusal(sync, head.length, err);
    }
    return strcmp(head.id, "OKAY") == 0 ? 0 : fail_unexpected(&head, "OKAY or FAIL", err);
}

/* Returns whether the device has sent an answer. During a transfer, an answer means that
 * the device cannot write the file, so it is useless to send the rest. */
static bool has_answered(const struct sync *sync)
{
    struct pollfd wait = {.fd = sync->fd, .events = POLLIN};
    return poll(&wait, 1, 0) > 0;
}

static int send_content(const struct sync *sync, int file, struct dj_error *err)
{
    char chunk[CHUNK];
    ssize_t got;
    int code = 0;
    while (code == 0 && !has_answered(sync)) {
        got = read(file, chunk, sizeof(chunk));
        if (got == 0) {
            break;
        }
        if (got < 0) {
            return dj_error_set(err, DJ_E_IO, "%s", strerror(errno));
        }
        code = send_request(sync, "DATA", chunk, (uint32_t)got, err);
    }
    return code;
}

static int push_open(const struct sync *sync, const char *remote_path, unsigned mode,
                     int file, struct dj_error *err)
{
    struct stat status;
    struct dj_text spec = {0};
    dj_text_format(&spec, "%s,%u", remote_path, (unsigned)S_IFREG | (mode & 07777));
    int code =
        fstat(file, &status) != 0
            ? dj_error_set(err, DJ_E_IO, "%s", strerror(errno))
            : send_request(sync, "SEND", dj_text_get(&spec), (uint32_t)spec.length, err);
    dj_text_finish(&spec);
    if (code == 0) {
        code = send_content(sync, file, err);
    }
    if (code == 0) {
        code = send_request(sync, "DONE", NULL, (uint32_t)status.st_mtime, err);
    }
    /* If the device has closed the connection, its answer with the reason may still be
     * readable. */
    struct dj_error verdict = {0};
    if (code != 0 && code != DJ_E_GONE) {
        return code;
    }
    int status_code = read_status(sync, &verdict);
    bool has_reason = status_code != 0 && status_code != code;
    return has_reason ? dj_error_set(err, status_code, "%s", verdict.message)
                      : status_code;
}

/* Opens the sync service of the device, for the file at `path`. */
static int open_sync(struct dj_device *device, const char *path, struct sync *sync,
                     struct dj_error *err)
{
    const struct dj_adb_device *adb = (struct dj_adb_device *)device;
    *sync = (struct sync){.device = device, .fd = -1};
    const struct dj_deadline deadline = compute_stall_deadline(sync);
    if (path[0] == '\0' || strlen(path) > PATH_MOST - 16) {
        return dj_error_set(err, DJ_E_USAGE,
                            "expected a path of at most %d bytes on the device",
                            PATH_MOST - 16);
    }
    return dj_adb_open_service(&adb->address, device->name, "sync:", &deadline, &sync->fd,
                               err);
}

int dj_adb_push(struct dj_device *device, const char *local_path, const char *remote_path,
                unsigned mode, struct dj_error *err)
{
    struct sync sync;
    int file = dj_files_open(local_path, err);
    if (file < 0) {
        return file;
    }
    int code = open_sync(device, remote_path, &sync, err);
    if (code == 0) {
        code = push_open(&sync, remote_path, mode, file, err);
        close(sync.fd);
    }
    close(file);
    if (code != 0) {
        dj_error_prepend(err, "%s: cannot push %s to %s", device->name, local_path,
                         remote_path);
    }
    return code;
}

static int receive_chunk(const struct sync *sync, uint32_t length, struct dj_text *bytes,
                         struct dj_error *err)
{
    const struct dj_deadline deadline = compute_stall_deadline(sync);
    if (length > CHUNK) {
        return dj_error_set(err, DJ_E_PROTOCOL,
                            "the device sent %" PRIu32 " bytes of a file at once, more "
                            "than the %d that adb permits",
                            length, CHUNK);
    }
    char *room = dj_text_reserve(bytes, length);
    return room == NULL
               ? dj_error_set(err, DJ_E_LIMIT,
                              "the file is larger than dejank can read from a device")
               : dj_adb_read_exactly(sync->fd, room, length, &deadline, err);
}

static int receive(const struct sync *sync, const char *path, struct dj_text *bytes,
                   struct dj_error *err)
{
    size_t before = bytes->length;
    int code = send_request(sync, "RECV", path, (uint32_t)strlen(path), err);
    while (code == 0) {
        struct head head;
        code = read_head(sync, &head, err);
        if (code != 0 || strcmp(head.id, "DONE") == 0) {
            break;
        }
        if (strcmp(head.id, "FAIL") == 0) {
            code = read_refusal(sync, head.length, err);
            code = err != NULL && strstr(err->message, "No such file") != NULL
                       ? (err->code = DJ_E_NOT_FOUND)
                       : code;
        } else if (strcmp(head.id, "DATA") != 0) {
            code = fail_unexpected(&head, "DATA, DONE or FAIL", err);
        } else if (bytes->length - before + head.length > DJ_DEVICE_OUTPUT_MAX) {
            code = dj_error_set(err, DJ_E_LIMIT, "it has more than %d MiB",
                                DJ_DEVICE_OUTPUT_MAX / (1024 * 1024));
        } else if (head.length > 0) {
            code = receive_chunk(sync, head.length, bytes, err);
        }
    }
    return code;
}

int dj_adb_pull(struct dj_device *device, const char *remote_path, struct dj_text *bytes,
                struct dj_error *err)
{
    struct sync sync;
    int code = open_sync(device, remote_path, &sync, err);
    if (code == 0) {
        code = receive(&sync, remote_path, bytes, err);
        close(sync.fd);
    }
    if (code != 0) {
        dj_error_prepend(err, "%s: cannot pull %s", device->name, remote_path);
    }
    return code;
}
