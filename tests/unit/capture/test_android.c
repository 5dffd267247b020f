/* Tests command lines and configurations for each release of Android. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proto.h"
#include "capture/android/atrace.h"
#include "capture/android/config_writer.h"
#include "capture/android/conversion.h"
#include "capture/android/perfetto_config.h"

#define APP "com.example.app"

static const char modern[] =
    "       gfx - Graphics\n     input - Input\n      view - View "
    "System\r\n     sched - CPU Scheduling\n";

static void join_words(const char *const *words, char *line, size_t size)
{
    line[0] = '\0';
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t at = strlen(line);
        snprintf(line + at, size - at, "%s%s", i > 0 ? " " : "", words[i]);
    }
}

Test(android_atrace, available_categories_are_chosen_and_missing_ones_listed)
{
    struct dj_atrace_categories chosen = {0};
    dj_atrace_choose(33, modern, strlen(modern), NULL, 0, &chosen);
    cr_assert_eq(chosen.count, 4);
    cr_assert_str_eq(chosen.names[0], "sched");
    cr_assert(chosen.sched);
    cr_assert_not_null(strstr(chosen.missing.data, "thermal"));
    cr_assert_null(strstr(chosen.missing.data, "gfx"));
    dj_text_finish(&chosen.missing);
}

Test(android_atrace, categories_of_later_releases_are_not_missing)
{
    struct dj_atrace_categories chosen = {0};
    dj_atrace_choose(22, modern, strlen(modern), NULL, 0, &chosen);
    cr_assert_null(strstr(chosen.missing.data, "thermal"));
    cr_assert_null(strstr(chosen.missing.data, "aidl"));
    dj_text_finish(&chosen.missing);
}

Test(android_atrace, rs_is_not_requested_before_android_6)
{
    static const char list[] = "  rs - RenderScript\n gfx - Graphics\n";
    const char *const wanted[] = {"rs", "gfx", "gfx"};
    const struct {
        int api;
        size_t count;
    } rows[] = {{18, 1}, {22, 1}, {23, 2}};
    for (size_t i = 0; i < 3; i++) {
        struct dj_atrace_categories chosen = {0};
        dj_atrace_choose(rows[i].api, list, strlen(list), wanted, 3, &chosen);
        cr_assert_eq(chosen.count, rows[i].count, "API %d", rows[i].api);
        dj_text_finish(&chosen.missing);
    }
}

Test(android_atrace, an_option_is_not_a_category)
{
    const char *const wanted[] = {"--async_stop", "", "gfx"};
    struct dj_atrace_categories chosen = {0};
    dj_atrace_choose(29, "", 0, wanted, 3, &chosen);
    cr_assert_eq(chosen.count, 1);
    cr_assert_str_eq(chosen.names[0], "gfx");
    dj_text_finish(&chosen.missing);
}

Test(android_atrace, command_lines_of_each_release)
{
    const char *const wanted[] = {"gfx", "sched"};
    struct dj_atrace_categories chosen = {0};
    const char *words[DJ_ATRACE_WORDS];
    char line[400], number[24];
    dj_atrace_choose(25, modern, strlen(modern), wanted, 2, &chosen);
    dj_atrace_start_command(&chosen, APP, 4096, number, words);
    join_words(words, line, sizeof(line));
    cr_assert_str_eq(line, "atrace --async_start -c -b 4096 -a " APP " gfx sched");
    dj_atrace_start_command(&chosen, NULL, 1, number, words);
    join_words(words, line, sizeof(line));
    cr_assert_str_eq(line, "atrace --async_start -c -b 1 gfx sched");
    const struct {
        int api;
        const char *line;
    } rows[] = {
        {18, "atrace --async_dump"},    {22, "atrace --async_dump -z"},
        {23, "atrace --async_stop -z"}, {27, "atrace --async_stop -z"},
        {34, "atrace --async_stop -z"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        dj_atrace_print_command(rows[i].api, words);
        join_words(words, line, sizeof(line));
        cr_assert_str_eq(line, rows[i].line, "API %d", rows[i].api);
    }
    dj_text_finish(&chosen.missing);
}

static struct dj_text write_config(int api, const char *app, int64_t file_max_bytes)
{
    static const struct dj_atrace_categories categories = {.names = {"gfx", "view"},
                                                           .count = 2};
    const struct dj_android_config config = {.api = api,
                                             .app = app,
                                             .categories = &categories,
                                             .ring_kb = 65536,
                                             .duration_ms = 10000,
                                             .file_max_bytes = file_max_bytes};
    struct dj_text text = {0};
    dj_android_config_write(&config, &text);
    cr_assert_not(text.failed);
    return text;
}

Test(android_config, a_config_has_only_fields_that_the_release_knows)
{
    static const struct {
        const char *line;
        int from, to;
    } rows[] = {
        {"size_kb: 65536", 29, 99},
        {"fill_policy: RING_BUFFER", 29, 99},
        {"fill_policy: DISCARD", 29, 99},
        {"duration_ms: 10000", 29, 99},
        {"name: \"linux.ftrace\"", 29, 99},
        {"name: \"linux.process_stats\"", 29, 99},
        {"scan_all_processes_on_start: true", 29, 99},
        {"ftrace_events: \"sched/sched_switch\"", 29, 99},
        {"ftrace_events: \"binder/*\"", 29, 99},
        {"atrace_categories: \"gfx\"", 29, 99},
        {"atrace_apps: \"" APP "\"", 29, 99},
        {"compact_sched {", 30, 99},
        {"incremental_state_config {", 30, 99},
        {"symbolize_ksyms: true", 31, 99},
        {"android.surfaceflinger.frametimeline", 31, 99},
        {"write_into_file", 100, 100},
    };
    for (int api = 29; api <= 36; api++) {
        struct dj_text text = write_config(api, APP, 0);
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            bool expected = api >= rows[i].from && api <= rows[i].to;
            cr_assert_eq(strstr(text.data, rows[i].line) != NULL, expected, "API %d: %s",
                         api, rows[i].line);
        }
        dj_text_finish(&text);
    }
}

Test(android_config, long_captures_are_written_during_the_capture)
{
    struct dj_text text = write_config(33, NULL, 500000000);
    cr_assert_not_null(strstr(text.data, "write_into_file: true\n"));
    cr_assert_not_null(strstr(text.data, "max_file_size_bytes: 500000000\n"));
    cr_assert_null(strstr(text.data, "atrace_apps"));
    dj_text_finish(&text);
}

/* Returns the first field with that number in the message. */
static struct dj_proto_field find_field(struct dj_str bytes, uint32_t number)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0};
    while (dj_proto_next(&message, &field)) {
        if (field.number == number) {
            return field;
        }
    }
    cr_assert_fail("no field %u", (unsigned)number);
    return field;
}

static bool contains_text(const struct dj_text *text, const char *word)
{
    return memmem(text->data, text->length, word, strlen(word)) != NULL;
}

Test(android_config, the_config_for_android_9_is_binary)
{
    struct dj_text bytes = write_config(28, APP, 0);
    struct dj_str whole = {bytes.data, bytes.length};
    struct dj_proto_field buffer = find_field(whole, 1);
    cr_assert_eq(find_field(buffer.bytes, 1).value, 65536);
    cr_assert_eq(find_field(buffer.bytes, 4).value, 1, "RING_BUFFER");
    cr_assert_eq(find_field(whole, 3).value, 10000, "duration_ms");
    struct dj_str source = find_field(find_field(whole, 2).bytes, 1).bytes;
    struct dj_str name = find_field(source, 1).bytes;
    cr_assert_eq(name.length, strlen("linux.process_stats"));
    cr_assert_eq(find_field(find_field(source, 103).bytes, 2).value, 1);
    cr_assert(contains_text(&bytes, "sched_switch"));
    cr_assert_not(contains_text(&bytes, "sched/"), "groups are not known there");
    cr_assert_not(contains_text(&bytes, "*"), "nor patterns");
    cr_assert(contains_text(&bytes, "binder_transaction"));
    cr_assert(contains_text(&bytes, APP));
    cr_assert_not(contains_text(&bytes, "frametimeline"));
    dj_text_finish(&bytes);
}

Test(config_writer, long_messages_and_special_characters_are_written)
{
    char name[300];
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    struct dj_text bytes = {0}, text = {0};
    struct dj_config_writer binary = {.out = &bytes, .binary = true};
    struct dj_config_writer plain = {.out = &text};
    dj_config_writer_open(&binary, 1, "a");
    dj_config_writer_string(&binary, 2, "b", name);
    dj_config_writer_close(&binary);
    struct dj_str whole = {bytes.data, bytes.length};
    struct dj_str inner = find_field(find_field(whole, 1).bytes, 2).bytes;
    cr_assert_eq(inner.length, sizeof(name) - 1);
    dj_config_writer_string(&plain, 1, "s", "a\"b\\c\nd\x80");
    cr_assert_str_eq(text.data, "s: \"a\\\"b\\\\c\\012d\\200\"\n");
    dj_text_finish(&bytes);
    dj_text_finish(&text);
}

Test(android_shape, the_clock_offset_is_read_from_atraces_line)
{
    static const struct {
        const char *line;
        bool known;
        int64_t at_ns, mono_ns;
    } rows[] = {
        {"  atrace-4100  (-----) [001] ...1    86.123456: tracing_mark_write: "
         "trace_event_clock_sync: parent_ts=163.5",
         true, INT64_C(86123456000), INT64_C(163500000000)},
        {"<...>-1  [000] d..2. 1.000001: print: trace_event_clock_sync: parent_ts=0.25\n",
         true, INT64_C(1000001000), INT64_C(250000000)},
        {"<...>-1 [000] d..2. 1.000001: print: trace_event_clock_sync: realtime_ts=5",
         false, 0, 0},
        {"", false, 0, 0},
        {"[000] : trace_event_clock_sync: parent_ts=x", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int64_t at_ns = 0, mono_ns = 0;
        cr_assert_eq(dj_conversion_parse_sync(rows[i].line, &at_ns, &mono_ns),
                     rows[i].known, "%s", rows[i].line);
        if (rows[i].known) {
            cr_assert_eq(at_ns, rows[i].at_ns);
            cr_assert_eq(mono_ns, rows[i].mono_ns);
        }
    }
}
