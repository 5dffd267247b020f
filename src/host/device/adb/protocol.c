#include "device/adb/protocol.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static bool parse_port(const char *text, int *port)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < 1 || number > 65535) {
        return false;
    }
    *port = (int)number;
    return true;
}

static bool set_host(struct dj_adb_address *address, const char *host, size_t length)
{
    if (length == 0 || length >= sizeof(address->host)) {
        return false;
    }
    memcpy(address->host, host, length);
    address->host[length] = '\0';
    return true;
}

/* Parses the value of ADB_SERVER_SOCKET: "tcp:5037", "tcp:host:5037" or
 * "tcp:[::1]:5037". */
static bool parse_socket_spec(const char *spec, struct dj_adb_address *address)
{
    if (strncmp(spec, "tcp:", 4) != 0) {
        return false;
    }
    const char *rest = spec + 4;
    const char *colon = strrchr(rest, ':');
    if (colon == NULL) {
        return parse_port(rest, &address->port);
    }
    size_t length = (size_t)(colon - rest);
    if (length > 2 && rest[0] == '[' && colon[-1] == ']') {
        return set_host(address, rest + 1, length - 2) &&
               parse_port(colon + 1, &address->port);
    }
    return set_host(address, rest, length) && parse_port(colon + 1, &address->port);
}

int dj_adb_parse_address(const char *socket_spec, const char *host, const char *port,
                         struct dj_adb_address *address, struct dj_error *err)
{
    *address = (struct dj_adb_address){.host = "127.0.0.1", .port = DJ_ADB_PORT};
    if (socket_spec != NULL && socket_spec[0] != '\0') {
        if (!parse_socket_spec(socket_spec, address)) {
            return dj_error_set(
                err, DJ_E_USAGE,
                "ADB_SERVER_SOCKET=%s: expected tcp:PORT or tcp:HOST:PORT", socket_spec);
        }
        return 0;
    }
    if (host != NULL && host[0] != '\0' && !set_host(address, host, strlen(host))) {
        return dj_error_set(err, DJ_E_USAGE, "ANDROID_ADB_SERVER_ADDRESS is too long");
    }
    if (port != NULL && port[0] != '\0' && !parse_port(port, &address->port)) {
        return dj_error_set(err, DJ_E_USAGE,
                            "ANDROID_ADB_SERVER_PORT=%s: expected a port from 1 to 65535",
                            port);
    }
    return 0;
}

int dj_adb_append_request(struct dj_text *text, const char *service, struct dj_error *err)
{
    size_t length = strlen(service);
    if (length > DJ_ADB_REQUEST_MAX) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "a command of %zu bytes is too long for adb (%d at most)",
                            length, DJ_ADB_REQUEST_MAX);
    }
    dj_text_format(text, "%04zx", length);
    dj_text_append(text, service, length);
    return text->failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory") : 0;
}

bool dj_adb_parse_length(const char digits[4], size_t *length)
{
    char text[5] = {digits[0], digits[1], digits[2], digits[3]};
    *length = strtoul(text, NULL, 16);
    return strspn(text, "0123456789abcdefABCDEF") == 4;
}

/* Removes the next word from *rest and returns that word, which is empty at the end. */
static struct dj_str next_word(struct dj_str *rest)
{
    *rest = dj_str_trim(*rest);
    struct dj_str word = dj_str_until(*rest, " \t");
    *rest = (struct dj_str){rest->at + word.length, rest->length - word.length};
    return word;
}

static bool is_state(struct dj_str word)
{
    static const char *const states[] = {
        "device",     "offline",  "unauthorized", "authorizing", "connecting",
        "bootloader", "recovery", "sideload",     "rescue",      "host",
        "detached",   "no",       "unknown",
    };
    for (size_t i = 0; i < COUNT_OF(states); i++) {
        if (dj_str_is(word, states[i])) {
            return true;
        }
    }
    return false;
}

/* Parses "0123456789ABCDEF       device usb:1-1 product:p model:Pixel_6 device:d
 * transport_id:2", or "0123456789ABCDEF       no permissions (missing udev rules?); see
 * [http://…]". */
static bool parse_device_line(struct dj_str line, struct dj_device_entry *entry)
{
    struct dj_str serial = next_word(&line), state = next_word(&line), word;
    if (serial.length == 0 || serial.at[0] == '*' || !is_state(state)) {
        return false;
    }
    *entry = (struct dj_device_entry){{0}, {0}, {0}};
    snprintf(entry->serial, sizeof(entry->serial), "%.*s", (int)serial.length, serial.at);
    snprintf(entry->state, sizeof(entry->state), "%.*s%s", (int)state.length, state.at,
             dj_str_is(state, "no") ? " permissions" : "");
    while ((word = next_word(&line)).length > 0) {
        if (dj_str_begins(word, "model:")) {
            snprintf(entry->model, sizeof(entry->model), "%.*s", (int)word.length - 6,
                     word.at + 6);
        }
    }
    return true;
}

size_t dj_adb_parse_devices(const char *text, size_t length,
                            struct dj_device_entry *entries, size_t maximum)
{
    size_t count = 0;
    struct dj_str rest = {text, length}, line;
    while (count < maximum && dj_str_next_line(&rest, &line)) {
        count += parse_device_line(line, &entries[count]);
    }
    return count;
}

bool dj_adb_has_feature(const char *features, const char *name)
{
    struct dj_str rest = dj_str_of(features);
    bool has = dj_str_is(dj_str_until(rest, ",\r\n"), name);
    while (!has && dj_str_after(rest, ",", &rest)) {
        has = dj_str_is(dj_str_until(rest, ",\r\n"), name);
    }
    return has;
}

enum { PACKET_STDOUT = 1, PACKET_STDERR = 2, PACKET_EXIT = 3 };

static int begin_packet(struct dj_adb_shell_decoder *decoder, struct dj_error *err)
{
    uint8_t id = decoder->header[0];
    uint32_t length;
    memcpy(&length, decoder->header + 1, sizeof(length));
    length = le32toh(length);
    if (id > 5 || length > DJ_ADB_PACKET_MAX || (id == PACKET_EXIT && length != 1)) {
        return dj_error_set(err, DJ_E_PROTOCOL,
                            "the device sent an invalid shell packet (id %u, %" PRIu32
                            " bytes)",
                            id, length);
    }
    decoder->left = length;
    return 0;
}

static int append_payload(struct dj_adb_shell_decoder *decoder, const char *bytes,
                          size_t length, struct dj_device_result *result,
                          struct dj_error *err)
{
    uint8_t id = decoder->header[0];
    if (id == PACKET_EXIT) {
        result->exit_code = (uint8_t)bytes[0];
        decoder->ended = true;
        return 0;
    }
    struct dj_text *stream = id == PACKET_STDERR ? &result->err : &result->out;
    if (id == PACKET_STDOUT || id == PACKET_STDERR) {
        dj_text_append(stream, bytes, length);
    }
    if (stream->failed) {
        return dj_error_set(err, DJ_E_LIMIT, "the command wrote more than %d MiB",
                            DJ_DEVICE_OUTPUT_MAX / (1024 * 1024));
    }
    return 0;
}

int dj_adb_decode_shell(struct dj_adb_shell_decoder *decoder, const char *bytes,
                        size_t length, struct dj_device_result *result,
                        struct dj_error *err)
{
    size_t at = 0;
    while (at < length && !decoder->ended) {
        int code = 0;
        if (decoder->header_bytes < sizeof(decoder->header)) {
            decoder->header[decoder->header_bytes++] = (uint8_t)bytes[at++];
            if (decoder->header_bytes == sizeof(decoder->header)) {
                code = begin_packet(decoder, err);
            }
        } else {
            size_t piece = length - at < decoder->left ? length - at : decoder->left;
            code = append_payload(decoder, bytes + at, piece, result, err);
            decoder->left -= piece;
            at += piece;
        }
        if (code != 0) {
            return code;
        }
        if (decoder->header_bytes == sizeof(decoder->header) && decoder->left == 0) {
            decoder->header_bytes = 0;
        }
    }
    return 0;
}

size_t dj_adb_find_exit_mark(const char *text, size_t length)
{
    const char mark[] = DJ_SHELL_EXIT_MARK;
    const size_t mark_length = sizeof(mark) - 1;
    for (size_t at = length; at-- > 0;) {
        size_t rest = length - at;
        if (memcmp(text + at, mark, rest < mark_length ? rest : mark_length) == 0) {
            return at;
        }
    }
    return length;
}

int dj_adb_remove_exit_mark(struct dj_device_result *result, struct dj_error *err)
{
    struct dj_text *out = &result->out;
    struct dj_str rest = {dj_text_get(out), out->length}, last = {0};
    int64_t code;
    while (dj_str_after(rest, DJ_SHELL_EXIT_MARK, &rest)) {
        last = rest.length > 0 ? rest : last;
    }
    if (!dj_str_int(last, &code) || code < 0 || code > 255) {
        return dj_error_set(err, DJ_E_GONE,
                            "the device was disconnected before the command ended");
    }
    result->exit_code = (int)code;
    out->length = (size_t)(last.at - out->data) - strlen(DJ_SHELL_EXIT_MARK);
    out->data[out->length] = '\0';
    return 0;
}
