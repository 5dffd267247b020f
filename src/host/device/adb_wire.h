/*
 * The adb server's protocol as bytes: requests, answers, the device list, shell v2
 * packets. Pure; everything that is read here comes from outside and is checked.
 *
 * Request: four hex digits of length, then the service ("000chost:version"). Answer: OKAY
 * or FAIL; after FAIL, and after OKAY of most host: services, four hex digits and that
 * many bytes. After `host:transport:SERIAL` the socket speaks to the device;
 * `shell,v2,raw:CMD` then sends packets: one byte of id, four of length (little endian),
 * the payload.
 */
#ifndef DEJANK_DEVICE_ADB_WIRE_H
#define DEJANK_DEVICE_ADB_WIRE_H

#include "device/device.h"
#include "device/device_entry.h"

enum {
    DJ_ADB_PORT = 5037,
    DJ_ADB_REQUEST_MAX = 0xffff, /* what four hex digits can say */
    DJ_ADB_PACKET_MAX =
        16 * 1024 * 1024, /* a shell packet; adb itself sends at most 1 MiB */
};

/* Where the adb server listens. */
struct dj_adb_address {
    char host[128];
    int port;
};

/*
 * The address as adb itself finds it. The three are the values of ADB_SERVER_SOCKET
 * ("tcp:PORT", "tcp:HOST:PORT"), ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT;
 * NULL or empty where unset. DJ_E_USAGE names the variable that cannot be read.
 */
int dj_adb_address_parse(const char *socket_spec, const char *host, const char *port,
                         struct dj_adb_address *address, struct dj_error *err);

/* Appends a request. DJ_E_LIMIT where the service is too long. */
int dj_adb_request_text(struct dj_text *text, const char *service, struct dj_error *err);

/* Four hex digits; false for anything else. */
bool dj_adb_length_parse(const char digits[4], size_t *length);

/* Reads host:devices-l into `entries`, at most `maximum`; returns how many there are.
 * Lines that are no device (banners of the daemon, "List of devices attached") and \r are
 * passed over; what is too long is cut. */
size_t dj_adb_devices_parse(const char *text, size_t length,
                            struct dj_device_entry *entries, size_t maximum);

/* Is `name` in a comma-separated list of features? */
bool dj_adb_has_feature(const char *features, const char *name);

/* What we send to a command through shell v2: packet ids. */
enum { DJ_SHELL_STDIN = 0, DJ_SHELL_CLOSE_STDIN = 4 };

/* Decoder of shell v2 packets, fed with whatever pieces the socket gives. Zero it. */
struct dj_shell_decoder {
    uint8_t header[5];
    size_t header_bytes; /* of the packet being read */
    size_t left;         /* payload bytes still to come */
    bool ended;          /* the exit packet was read */
};

/* Adds bytes to *result. DJ_E_PROTOCOL for impossible packets, DJ_E_LIMIT where a stream
 * outgrew its maximum. Bytes after the exit packet are ignored. */
int dj_shell_decode(struct dj_shell_decoder *decoder, const char *bytes, size_t length,
                    struct dj_shell_result *result, struct dj_error *err);

/* Without shell v2: what is appended to a command so that its output tells its exit code…
 */
#define DJ_SHELL_EXIT_MARK "dejank-exit-code="
#define DJ_SHELL_PUT_EXIT_MARK "; echo " DJ_SHELL_EXIT_MARK "$?"

/* …where in what came so far it may begin: at its last whole sight, at an unfinished one
 * at the end, else at the end… */
size_t dj_shell_exit_mark_at(const char *text, size_t length);

/* …and taking it off again. DJ_E_GONE where it is missing: the command did not get to its
 * end. */
int dj_shell_take_exit_mark(struct dj_shell_result *result, struct dj_error *err);

#endif
