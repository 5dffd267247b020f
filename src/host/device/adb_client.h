/* Talking to the adb server over its socket: connecting (and starting it), requests,
 * answers. */
#ifndef DEJANK_DEVICE_ADB_CLIENT_H
#define DEJANK_DEVICE_ADB_CLIENT_H

#include "device/adb_wire.h"
#include "process/deadline.h"

/* All of it gives up at the deadline: DJ_E_TIMEOUT or DJ_E_INTERRUPTED. Sockets are
 * close-on-exec; the caller closes them. */

/* How long the server may take for a question that no device is asked. */
#define DJ_ADB_SERVER_NS (10 * DJ_SECOND_NS)

/* Finds the address of the server, as adb itself does, and makes sure that it answers:
 * starts one by `adb start-server` where none does and the address is this machine's.
 * DJ_E_NOT_FOUND, with the command that installs adb, where there is no adb. */
int dj_adb_find_server(struct dj_adb_address *address, struct dj_error *err);

/* dj_device_list() of a server that was found. */
int dj_adb_list_devices(const struct dj_adb_address *address,
                        struct dj_device_entry *entries, size_t maximum, size_t *count,
                        struct dj_error *err);

/* A host: service that answers with text. What the server refused is an error whose
 * message is the server's. */
int dj_adb_query(const struct dj_adb_address *address, const char *service,
                 const struct dj_deadline *deadline, struct dj_text *answer,
                 struct dj_error *err);

/* Opens a service of a device: `*fd` then carries its bytes. DJ_E_GONE where the device
 * is not (or no longer) there, DJ_E_OWNER where it does not trust this host. */
int dj_adb_open_service(const struct dj_adb_address *address, const char *serial,
                        const char *service, const struct dj_deadline *deadline, int *fd,
                        struct dj_error *err);

/* A host: service that goes on: `*fd` then carries its answers. */
int dj_adb_open_host(const struct dj_adb_address *address, const char *service,
                     const struct dj_deadline *deadline, int *fd, struct dj_error *err);

/* One answer of it: four hex digits and that many bytes, 64 KiB at most. */
int dj_adb_read_counted(int fd, struct dj_text *text, const struct dj_deadline *deadline,
                        struct dj_error *err);

/* Writes all of it. */
int dj_adb_write(int fd, const char *bytes, size_t length,
                 const struct dj_deadline *deadline, struct dj_error *err);

/* Reads just so much. DJ_E_GONE where the stream ends before. */
int dj_adb_read_exactly(int fd, char *bytes, size_t length,
                        const struct dj_deadline *deadline, struct dj_error *err);

/* Reads what has come, at least a byte; *got is 0 at the stream's end. */
int dj_adb_read(int fd, char *bytes, size_t capacity, const struct dj_deadline *deadline,
                size_t *got, struct dj_error *err);

#endif
