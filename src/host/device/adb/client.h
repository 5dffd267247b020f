/* Connects to the adb server, starts it if needed, sends requests and reads answers. */
#ifndef DEJANK_DEVICE_ADB_CLIENT_H
#define DEJANK_DEVICE_ADB_CLIENT_H

#include "device/adb/protocol.h"
#include "process/deadline.h"

/* All functions stop at the deadline with DJ_E_TIMEOUT or DJ_E_INTERRUPTED. Sockets are
 * close-on-exec, and the caller closes them. */

/* Time limit for a request that the server answers without a device. */
#define DJ_ADB_SERVER_NS (10 * DJ_SECOND_NS)

/* Finds the address of the server as adb itself does, and checks that the server answers.
 * Runs `adb start-server` if none answers and the address is on this machine.
 * DJ_E_NOT_FOUND, with the command that installs adb: adb is not installed. */
int dj_adb_find_server(struct dj_adb_address *address, struct dj_error *err);

/* dj_device_list() for a server that is known to answer. */
int dj_adb_list_devices(const struct dj_adb_address *address,
                        struct dj_device_entry *entries, size_t maximum, size_t *count,
                        struct dj_error *err);

/* Appends the answer of a host: service. If the server refuses, the message of the error
 * is the one from the server. */
int dj_adb_query(const struct dj_adb_address *address, const char *service,
                 const struct dj_deadline *deadline, struct dj_text *answer,
                 struct dj_error *err);

/* Opens a service of a device. *fd then carries its bytes. DJ_E_GONE: the device is not
 * connected. DJ_E_OWNER: the device does not trust this host. */
int dj_adb_open_service(const struct dj_adb_address *address, const char *serial,
                        const char *service, const struct dj_deadline *deadline, int *fd,
                        struct dj_error *err);

/* Opens a host: service that sends many answers. *fd then carries them. */
int dj_adb_open_host_service(const struct dj_adb_address *address, const char *service,
                             const struct dj_deadline *deadline, int *fd,
                             struct dj_error *err);

/* Appends one answer: four hex digits and that many bytes, at most 64 KiB. */
int dj_adb_read_length_prefixed(int fd, struct dj_text *text,
                                const struct dj_deadline *deadline, struct dj_error *err);

/* Writes all bytes. */
int dj_adb_write(int fd, const char *bytes, size_t length,
                 const struct dj_deadline *deadline, struct dj_error *err);

/* Reads exactly that many bytes. DJ_E_GONE: the stream ended before. */
int dj_adb_read_exactly(int fd, char *bytes, size_t length,
                        const struct dj_deadline *deadline, struct dj_error *err);

/* Waits for at least one byte and reads what is available. *got is 0 at the end of the
 * stream. */
int dj_adb_read(int fd, char *bytes, size_t capacity, const struct dj_deadline *deadline,
                size_t *got, struct dj_error *err);

#endif
