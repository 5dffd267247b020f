/*
 * The protocol of the adb server as bytes: requests, answers, the list of devices,
 * packets of shell v2. Pure. Everything that is read here comes from outside and is
 * checked.
 *
 * Request: four hex digits of length, then the service ("000chost:version"). Answer: OKAY
 * or FAIL. FAIL, and OKAY of most host: services, are followed by four hex digits and
 * that many bytes. After `host:transport:SERIAL` the socket is connected to the device.
 * `shell,v2,raw:CMD` then sends packets: one byte of id, four bytes of length (little
 * endian), the payload.
 */
#ifndef DEJANK_DEVICE_ADB_PROTOCOL_H
#define DEJANK_DEVICE_ADB_PROTOCOL_H

#include "device/device.h"
#include "device/device_entry.h"

enum {
    DJ_ADB_PORT = 5037,
    DJ_ADB_REQUEST_MAX = 0xffff, /* the largest number of four hex digits */
    DJ_ADB_PACKET_MAX =
        16 * 1024 * 1024, /* of shell v2; adb itself sends at most 1 MiB */
};

/* The address of the adb server. */
struct dj_adb_address {
    char host[128];
    int port;
};

/* Computes the address as adb does. The three strings are the values of ADB_SERVER_SOCKET
 * ("tcp:PORT", "tcp:HOST:PORT"), ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT.
 * NULL and "" mean unset. DJ_E_USAGE: the message names the invalid variable. */
int dj_adb_parse_address(const char *socket_spec, const char *host, const char *port,
                         struct dj_adb_address *address, struct dj_error *err);

/* Appends a request. DJ_E_LIMIT: the service is too long. */
int dj_adb_append_request(struct dj_text *text, const char *service,
                          struct dj_error *err);

/* Parses four hex digits. Returns false for anything else. */
bool dj_adb_parse_length(const char digits[4], size_t *length);

/* Parses the answer to host:devices-l into `entries`, at most `maximum`. Returns the
 * number of entries. Ignores \r and lines without a device (banners of the daemon, "List
 * of devices attached"). Truncates fields that are too long. */
size_t dj_adb_parse_devices(const char *text, size_t length,
                            struct dj_device_entry *entries, size_t maximum);

/* Returns whether a comma-separated list of features contains `name`. */
bool dj_adb_has_feature(const char *features, const char *name);

/* Packet ids that dejank sends to a command through shell v2. */
enum { DJ_SHELL_STDIN = 0, DJ_SHELL_CLOSE_STDIN = 4 };

/* Decodes packets of shell v2 from pieces of any size. Zero it. */
struct dj_adb_shell_decoder {
    uint8_t header[5];
    size_t header_bytes; /* received of the current packet */
    size_t left;         /* payload bytes that are still missing */
    bool ended;          /* the exit packet has been decoded */
};

/* Appends the decoded bytes to *result. DJ_E_PROTOCOL: impossible packet. DJ_E_LIMIT: a
 * stream exceeds its maximum. Ignores bytes after the exit packet. */
int dj_adb_decode_shell(struct dj_adb_shell_decoder *decoder, const char *bytes,
                        size_t length, struct dj_device_result *result,
                        struct dj_error *err);

/* Without shell v2, this is appended to a command, so that its output ends with the exit
 * code. */
#define DJ_SHELL_EXIT_MARK "dejank-exit-code="
#define DJ_SHELL_PRINT_EXIT_MARK "; echo " DJ_SHELL_EXIT_MARK "$?"

/* Returns where the mark may begin in the text so far: at its last complete occurrence,
 * at an incomplete one at the end, or else at the end of the text. */
size_t dj_adb_find_exit_mark(const char *text, size_t length);

/* Removes the mark from the output and sets the exit code. DJ_E_GONE: the mark is
 * missing, because the command did not finish. */
int dj_adb_remove_exit_mark(struct dj_device_result *result, struct dj_error *err);

#endif
