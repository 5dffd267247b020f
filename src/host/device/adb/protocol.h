/*
 * The byte format of the protocol of the adb server: requests, answers, the list of
 * devices, and packets of shell v2. All functions are pure and check their input, because
 * the input comes from outside.
 *
 * A request is four hex digits of length and the name of the service
 * ("000chost:version"). The answer starts with OKAY or FAIL. After FAIL, and after OKAY
 * of most host: services, follow four hex digits of length and that many bytes. After
 * `host:transport:SERIAL`, the socket is connected to the device. `shell,v2,raw:CMD` then
 * sends packets. A packet is one byte of id, four bytes of length (little endian), and
 * the payload.
 */
#ifndef DEJANK_DEVICE_ADB_PROTOCOL_H
#define DEJANK_DEVICE_ADB_PROTOCOL_H

#include "device/device.h"
#include "device/device_entry.h"

enum {
    DJ_ADB_PORT = 5037,
    /* The largest length that four hex digits can express. */
    DJ_ADB_REQUEST_MAX = 0xffff,
    /* The maximum payload of a packet of shell v2. adb itself sends at most 1 MiB. */
    DJ_ADB_PACKET_MAX = 16 * 1024 * 1024,
};

struct dj_adb_address {
    char host[128];
    int port;
};

/* Computes the address of the adb server as adb does. The three strings are the values of
 * ADB_SERVER_SOCKET ("tcp:PORT" or "tcp:HOST:PORT"), ANDROID_ADB_SERVER_ADDRESS and
 * ANDROID_ADB_SERVER_PORT. NULL and "" mean that the variable is not set. Returns
 * DJ_E_USAGE if a variable is invalid. The message of that error names the variable. */
int dj_adb_parse_address(const char *socket_spec, const char *host, const char *port,
                         struct dj_adb_address *address, struct dj_error *err);

/* Appends a request to `text`. Returns DJ_E_LIMIT if the name of the service is too
 * long. */
int dj_adb_append_request(struct dj_text *text, const char *service,
                          struct dj_error *err);

/* Parses four hex digits. Returns false for anything else. */
bool dj_adb_parse_length(const char digits[4], size_t *length);

/* Parses the answer to host:devices-l into `entries`, at most `maximum` of them. Returns
 * the number of entries. Ignores "\r" and lines that describe no device, such as "List
 * of devices attached" and messages of the adb server. Truncates fields that are too
 * long. */
size_t dj_adb_parse_devices(const char *text, size_t length,
                            struct dj_device_entry *entries, size_t maximum);

/* Returns whether a comma-separated list of features contains `name`. */
bool dj_adb_has_feature(const char *features, const char *name);

/* Packet ids that dejank sends to a command through shell v2. */
enum { DJ_SHELL_STDIN = 0, DJ_SHELL_CLOSE_STDIN = 4 };

/* Decodes packets of shell v2, which may arrive in parts of any size. Zero it before the
 * first use. */
struct dj_adb_shell_decoder {
    uint8_t header[5];
    size_t header_bytes; /* Number of bytes of the current header that have arrived. */
    /* Number of bytes of the current payload that are still missing. */
    size_t left;
    bool ended; /* True after the exit packet. */
};

/* Decodes bytes and appends the payloads to *result. Ignores bytes after the exit packet.
 * Returns DJ_E_PROTOCOL for an impossible packet, and DJ_E_LIMIT if stdout or stderr
 * exceeds its maximum. */
int dj_adb_decode_shell(struct dj_adb_shell_decoder *decoder, const char *bytes,
                        size_t length, struct dj_device_result *result,
                        struct dj_error *err);

/* Without shell v2, a device does not report the exit code of a command. dejank then
 * appends DJ_SHELL_PRINT_EXIT_MARK to the command, so that the output ends with
 * DJ_SHELL_EXIT_MARK and the exit code. */
#define DJ_SHELL_EXIT_MARK "dejank-exit-code="
#define DJ_SHELL_PRINT_EXIT_MARK "; echo " DJ_SHELL_EXIT_MARK "$?"

/* Returns the offset of the last complete exit mark in the text, or of an incomplete mark
 * at the end of the text. Returns `length` if there is none. */
size_t dj_adb_find_exit_mark(const char *text, size_t length);

/* Removes the exit mark from the output and sets the exit code. Returns DJ_E_GONE if
 * there is no mark, because then the command did not finish. */
int dj_adb_remove_exit_mark(struct dj_device_result *result, struct dj_error *err);

#endif
