/* Connects to the adb server, starts it if needed, sends requests and reads answers. */
#ifndef DEJANK_DEVICE_ADB_CLIENT_H
#define DEJANK_DEVICE_ADB_CLIENT_H

#include "device/adb/protocol.h"
#include "process/deadline.h"

/* All functions stop at the deadline with DJ_E_TIMEOUT or DJ_E_INTERRUPTED. The sockets
 * that they open are close-on-exec, and the caller closes them. */

/* Time limit for a request that the server answers without a device. */
#define DJ_ADB_SERVER_NS (10 * DJ_SECOND_NS)

/* Finds the address of the adb server from the same environment variables as adb, and
 * checks that the server answers. If no server answers and the address is on this
 * machine, runs `adb start-server`. Returns DJ_E_NOT_FOUND if adb is not installed. The
 * message of that error contains the command that installs adb. */
int dj_adb_find_server(struct dj_adb_address *address, struct dj_error *err);

/* Does the work of dj_device_list() for a server that is known to answer. */
int dj_adb_list_devices(const struct dj_adb_address *address,
                        struct dj_device_entry *entries, size_t maximum, size_t *count,
                        struct dj_error *err);

/* Sends a request such as "host:version" and appends the answer. If the server refuses
 * the request, the error has the message of the server. */
int dj_adb_query(const struct dj_adb_address *address, const char *service,
                 const struct dj_deadline *deadline, struct dj_text *answer,
                 struct dj_error *err);

/* Opens a service of a device. *fd is then the connection to this service. Returns
 * DJ_E_GONE if the device is not connected, and DJ_E_OWNER if the device does not trust
 * this host. */
int dj_adb_open_service(const struct dj_adb_address *address, const char *serial,
                        const char *service, const struct dj_deadline *deadline, int *fd,
                        struct dj_error *err);

/* Opens a service of the adb server itself that sends several answers, such as
 * "host:track-devices". *fd is then the connection to this service. */
int dj_adb_open_host_service(const struct dj_adb_address *address, const char *service,
                             const struct dj_deadline *deadline, int *fd,
                             struct dj_error *err);

/* Reads four hex digits, which are a length of at most 64 KiB, and appends that many
 * bytes. */
int dj_adb_read_length_prefixed(int fd, struct dj_text *text,
                                const struct dj_deadline *deadline, struct dj_error *err);

/* Writes all bytes, and waits if the connection is busy. */
int dj_adb_write(int fd, const char *bytes, size_t length,
                 const struct dj_deadline *deadline, struct dj_error *err);

/* Reads exactly `length` bytes. Returns DJ_E_GONE if the connection ends earlier. */
int dj_adb_read_exactly(int fd, char *bytes, size_t length,
                        const struct dj_deadline *deadline, struct dj_error *err);

/* Waits for at least one byte and reads the bytes that are available. *got is 0 at the
 * end of the stream. */
int dj_adb_read(int fd, char *bytes, size_t capacity, const struct dj_deadline *deadline,
                size_t *got, struct dj_error *err);

#endif
