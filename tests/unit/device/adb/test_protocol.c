#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "device/adb/protocol.h"

/* ---- where the server is */

Test(adb_address, the_address_is_computed_as_by_adb)
{
    static const struct {
        const char *socket, *host, *port;
        int code;
        const char *want_host;
        int want_port;
    } rows[] = {
        {NULL, NULL, NULL, 0, "127.0.0.1", 5037},
        {"", "", "", 0, "127.0.0.1", 5037},
        {NULL, NULL, "5601", 0, "127.0.0.1", 5601},
        {NULL, "build-7", "5601", 0, "build-7", 5601},
        {"tcp:5602", "ignored", "1", 0, "127.0.0.1", 5602},
        {"tcp:lab:5603", NULL, NULL, 0, "lab", 5603},
        {"tcp:[::1]:5604", NULL, NULL, 0, "::1", 5604},
        {"localabstract:adb", NULL, NULL, DJ_E_USAGE, NULL, 0},
        {"tcp:", NULL, NULL, DJ_E_USAGE, NULL, 0},
        {"tcp::1", NULL, NULL, DJ_E_USAGE, NULL, 0},
        {"tcp:lab:0", NULL, NULL, DJ_E_USAGE, NULL, 0},
        {NULL, NULL, "65536", DJ_E_USAGE, NULL, 0},
        {NULL, NULL, "5037x", DJ_E_USAGE, NULL, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_adb_address address;
        struct dj_error err = {0};
        int code = dj_adb_parse_address(rows[i].socket, rows[i].host, rows[i].port,
                                        &address, &err);
        cr_assert_eq(code, rows[i].code, "row %zu", i);
        if (code == 0) {
            cr_assert_str_eq(address.host, rows[i].want_host, "row %zu", i);
            cr_assert_eq(address.port, rows[i].want_port, "row %zu", i);
        } else {
            cr_assert_neq(err.message[0], '\0', "row %zu has no message", i);
        }
    }
}

/* ---- requests */

Test(adb_request, a_request_has_length_and_service)
{
    struct dj_text text = {0};
    cr_assert_eq(dj_adb_append_request(&text, "host:version", NULL), 0);
    cr_assert_str_eq(dj_text_get(&text), "000chost:version");
    dj_text_finish(&text);
}

Test(adb_request, a_service_name_that_is_too_long_is_an_error)
{
    static char service[DJ_ADB_REQUEST_MAX + 2];
    struct dj_text text = {0};
    struct dj_error err = {0};
    memset(service, 'x', sizeof(service) - 1);
    cr_assert_eq(dj_adb_append_request(&text, service, &err), DJ_E_LIMIT);
    service[DJ_ADB_REQUEST_MAX] = '\0';
    cr_assert_eq(dj_adb_append_request(&text, service, &err), 0);
    cr_assert_eq(memcmp(text.data, "ffff", 4), 0);
    dj_text_finish(&text);
}

Test(adb_length, only_four_hex_digits_are_a_length)
{
    size_t length = 0;
    cr_assert(dj_adb_parse_length("00e7", &length) && length == 0xe7);
    cr_assert(dj_adb_parse_length("FFff", &length) && length == 0xffff);
    cr_assert_not(dj_adb_parse_length("-001", &length));
    cr_assert_not(dj_adb_parse_length("0x10", &length));
    cr_assert_not(dj_adb_parse_length("12 4", &length));
    cr_assert_not(dj_adb_parse_length("12\0"
                                      "4",
                                      &length));
}

/* ---- host:devices-l */

static size_t parse_devices(const char *text, struct dj_device_entry *entries,
                            size_t maximum)
{
    return dj_adb_parse_devices(text, strlen(text), entries, maximum);
}

Test(adb_devices, several_kinds_of_devices_are_parsed)
{
    struct dj_device_entry entries[8];
    size_t count = parse_devices("0A1B2C3D4E             device usb:1-4 product:oriole "
                                 "model:Pixel_6 device:oriole "
                                 "transport_id:3\n"
                                 "emulator-5554          offline transport_id:1\n"
                                 "127.0.0.1:7555         device transport_id:2\n",
                                 entries, 8);
    cr_assert_eq(count, 3);
    cr_assert_str_eq(entries[0].serial, "0A1B2C3D4E");
    cr_assert_str_eq(entries[0].state, "device");
    cr_assert_str_eq(entries[1].state, "offline");
    cr_assert_str_eq(entries[2].serial, "127.0.0.1:7555");
}

Test(adb_devices, other_lines_tabs_and_crlf_are_accepted)
{
    struct dj_device_entry entries[8];
    size_t count = parse_devices("* daemon not running; starting now at tcp:5037\r\n"
                                 "* daemon started successfully\r\n"
                                 "List of devices attached\r\n"
                                 "emulator-5554\tdevice\r\n"
                                 "R5CT\tunauthorized usb:1-1\r\n"
                                 "\r\n",
                                 entries, 8);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(entries[0].serial, "emulator-5554");
    cr_assert_str_eq(entries[0].state, "device");
    cr_assert_str_eq(entries[1].state, "unauthorized");
}

Test(adb_devices, no_permissions_is_one_state)
{
    struct dj_device_entry entries[2];
    size_t count = parse_devices("????????????    no permissions (missing udev rules? "
                                 "user is in the plugdev group); see [x]"
                                 " usb:1-1\n",
                                 entries, 2);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(entries[0].state, "no permissions");
}

Test(adb_devices, empty_and_unterminated_lists_are_parsed)
{
    struct dj_device_entry entries[2];
    cr_assert_eq(parse_devices("", entries, 2), 0);
    cr_assert_eq(parse_devices("\n\n", entries, 2), 0);
    cr_assert_eq(parse_devices("abc device", entries, 2), 1);
    cr_assert_eq(parse_devices("abc", entries, 2), 0);
}

Test(adb_devices, long_fields_and_lists_are_truncated)
{
    char line[600];
    struct dj_device_entry entries[2];
    memset(line, 's', 500);
    snprintf(line + 500, sizeof(line) - 500, " device model:%s", "M");
    cr_assert_eq(parse_devices(line, entries, 2), 1);
    cr_assert_eq(strlen(entries[0].serial), sizeof(entries[0].serial) - 1);
    cr_assert_eq(parse_devices("a device\nb device\nc device\n", entries, 2), 2);
}

Test(adb_features, features_are_compared_as_whole_names)
{
    cr_assert(dj_adb_has_feature("shell_v2,cmd,stat_v2", "shell_v2"));
    cr_assert(dj_adb_has_feature("cmd,shell_v2\n", "shell_v2"));
    cr_assert_not(dj_adb_has_feature("xshell_v2,shell_v20", "shell_v2"));
    cr_assert_not(dj_adb_has_feature("", "shell_v2"));
}

/* ---- shell v2 */

/* Packets as a real adbd sends them: "hi\n" on stdout, "oops\n" on stderr, and exit code
 * 7. */
static const char transcript[] = "\x01\x03\x00\x00\x00hi\n"
                                 "\x02\x05\x00\x00\x00oops\n"
                                 "\x03\x01\x00\x00\x00\x07";
enum { TRANSCRIPT_LENGTH = sizeof(transcript) - 1 };

static void finish(struct dj_device_result *result)
{
    dj_text_finish(&result->out);
    dj_text_finish(&result->err);
}

Test(shell_v2, packets_may_arrive_in_parts)
{
    for (size_t piece = 1; piece <= TRANSCRIPT_LENGTH; piece++) {
        struct dj_adb_shell_decoder decoder = {0};
        struct dj_device_result result = {0};
        for (size_t at = 0; at < TRANSCRIPT_LENGTH; at += piece) {
            size_t length =
                TRANSCRIPT_LENGTH - at < piece ? TRANSCRIPT_LENGTH - at : piece;
            cr_assert_eq(
                dj_adb_decode_shell(&decoder, transcript + at, length, &result, NULL), 0);
        }
        cr_assert(decoder.ended, "pieces of %zu", piece);
        cr_assert_str_eq(dj_text_get(&result.out), "hi\n");
        cr_assert_str_eq(dj_text_get(&result.err), "oops\n");
        cr_assert_eq(result.exit_code, 7);
        finish(&result);
    }
}

Test(shell_v2, a_truncated_stream_has_not_ended)
{
    struct dj_adb_shell_decoder decoder = {0};
    struct dj_device_result result = {0};
    cr_assert_eq(
        dj_adb_decode_shell(&decoder, transcript, TRANSCRIPT_LENGTH - 1, &result, NULL),
        0);
    cr_assert_not(decoder.ended);
    cr_assert_str_eq(dj_text_get(&result.out), "hi\n", "what came until then is kept");
    finish(&result);
}

Test(shell_v2, empty_packets_and_unknown_ids_are_ignored)
{
    static const char bytes[] = "\x01\x00\x00\x00\x00"
                                "\x00\x02\x00\x00\x00zz"
                                "\x04\x00\x00\x00\x00"
                                "\x01\x01\x00\x00\x00"
                                "a"
                                "\x03\x01\x00\x00\x00\x00"
                                "trailing rubbish";
    struct dj_adb_shell_decoder decoder = {0};
    struct dj_device_result result = {0};
    cr_assert_eq(dj_adb_decode_shell(&decoder, bytes, sizeof(bytes) - 1, &result, NULL),
                 0);
    cr_assert(decoder.ended);
    cr_assert_str_eq(dj_text_get(&result.out), "a");
    cr_assert_eq(result.exit_code, 0);
    finish(&result);
}

Test(shell_v2, impossible_packets_are_refused)
{
    static const char *const headers[] = {
        "\x01\xff\xff\xff\xff",                         /* 4 GiB */
        "\x01\x01\x00\x00\x01",                         /* 16 MiB and a byte. */
        "\x06\x01\x00\x00\x00",                         /* An unknown id. */
        "\xff\x01\x00\x00\x00", "\x03\x02\x00\x00\x00", /* An exit code of two bytes. */
        "\x03\x00\x00\x00\x00",
    };
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        struct dj_adb_shell_decoder decoder = {0};
        struct dj_device_result result = {0};
        struct dj_error err = {0};
        cr_assert_eq(dj_adb_decode_shell(&decoder, headers[i], 5, &result, &err),
                     DJ_E_PROTOCOL, "header %zu", i);
        finish(&result);
    }
}

Test(shell_v2, output_has_a_maximum)
{
    struct dj_adb_shell_decoder decoder = {0};
    struct dj_device_result result = {.out.maximum = 2};
    struct dj_error err = {0};
    cr_assert_eq(
        dj_adb_decode_shell(&decoder, transcript, TRANSCRIPT_LENGTH, &result, &err),
        DJ_E_LIMIT);
    finish(&result);
}

/* ---- without shell v2 */

Test(shell_v1, exit_code_is_removed_from_the_end)
{
    struct dj_device_result result = {0};
    dj_text_add(&result.out, "line\r\n" DJ_SHELL_EXIT_MARK "3\r\n");
    cr_assert_eq(dj_adb_remove_exit_mark(&result, NULL), 0);
    cr_assert_str_eq(dj_text_get(&result.out), "line\r\n");
    cr_assert_eq(result.exit_code, 3);
    finish(&result);
}

Test(shell_v1, the_last_mark_counts)
{
    struct dj_device_result result = {0};
    dj_text_add(&result.out, DJ_SHELL_EXIT_MARK "9\n" DJ_SHELL_EXIT_MARK "0\n");
    cr_assert_eq(dj_adb_remove_exit_mark(&result, NULL), 0);
    cr_assert_eq(result.exit_code, 0);
    cr_assert_str_eq(dj_text_get(&result.out), DJ_SHELL_EXIT_MARK "9\n");
    finish(&result);
}

Test(shell_v1, a_missing_mark_means_the_device_is_gone)
{
    static const char *const outputs[] = {"", "half a li", DJ_SHELL_EXIT_MARK,
                                          DJ_SHELL_EXIT_MARK "x",
                                          DJ_SHELL_EXIT_MARK "999"};
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        struct dj_device_result result = {0};
        dj_text_add(&result.out, outputs[i]);
        cr_assert_eq(dj_adb_remove_exit_mark(&result, NULL), DJ_E_GONE, "'%s'",
                     outputs[i]);
        finish(&result);
    }
}
