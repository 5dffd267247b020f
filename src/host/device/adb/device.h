/* A device that is reached through the adb server. */
#ifndef DEJANK_DEVICE_ADB_DEVICE_H
#define DEJANK_DEVICE_ADB_DEVICE_H

#include "device/adb/client.h"
#include "device/adb/clock.h"

struct dj_adb_device {
    struct dj_device base;
    struct dj_adb_address address;
    bool shell_v2;
    struct dj_adb_clock clock;
};

/* Opens the service that runs a command. The name of this service consists of `before`,
 * the quoted words of argv, and `after`. */
int dj_adb_open_command(const struct dj_adb_device *device, const char *before,
                        const char *const *argv, const char *after,
                        const struct dj_deadline *deadline, int *fd,
                        struct dj_error *err);

/* Implementations of the functions with these names in struct dj_device_ops. */
int dj_adb_start(struct dj_device *device, const char *const *argv,
                 struct dj_device_process **process, struct dj_error *err);
int dj_adb_connect(struct dj_device *device, int port,
                   struct dj_device_process **connection, struct dj_error *err);
int dj_adb_push(struct dj_device *device, const char *local_path, const char *remote_path,
                unsigned mode, struct dj_error *err);
int dj_adb_pull(struct dj_device *device, const char *remote_path, struct dj_text *bytes,
                struct dj_error *err);

#endif
