/* Tests the parts of the reader of perf.data with files that are made in memory. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "made_perf_data.h"
#include "trace/perf_data/read.h"
#include "trace/perf_data/symbols.h"
#include "trace/perf_data/threads.h"

static struct made_perf_data made;
static struct dj_perf_data file;

static void finish(void)
{
    dj_perf_data_close(&file);
    made_perf_data_finish(&made);
}

TestSuite(perf_data, .fini = finish);

static void open_file(void)
{
    struct dj_error err = {0};
    if (made.records.length == 0) {
        made_mapping(&made, 7, "/lib/a.so"); /* Without records, a file is unfinished. */
    }
    struct dj_str bytes = made_perf_data_build(&made);
    int code = dj_perf_data_open(&file, (const uint8_t *)bytes.at, bytes.length, &err);
    cr_assert_eq(code, 0, "%s", err.message);
}

/* ---- ids ---- */

/* Adds records of this size. They are the lists of ids as well. */
static void add_zeros(size_t bytes)
{
    memset(dj_text_reserve(&made.records, bytes), 0, bytes);
}

Test(perf_data, the_ids_of_each_event_are_read)
{
    enum {
        ROW = sizeof(struct perf_event_attr) + 16,
        EVENTS = 2,
        AT = 104 + EVENTS * ROW
    };
    for (size_t i = 0; i < EVENTS; i++) {
        made.ids_at = AT + 16 * i;
        made.ids_size = 16;
        made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK + i);
    }
    for (uint64_t i = 0; i < 4; i++) {
        made_number(&made.records, 50 + i, 8);
    }
    open_file();
    cr_expect_eq(file.ids.count, 4);
    cr_expect_eq(dj_map_get(&file.ids, 51), 0);
    cr_expect_eq(dj_map_get(&file.ids, 52), 1);
    cr_expect_eq(file.damaged, 0, "%s", file.damage);
}

Test(perf_data, ids_in_the_same_place_are_read_only_up_to_the_size_of_the_file)
{
    enum { EVENTS = 1000, BYTES = 1 << 16 };
    made.ids_at = 104;
    made.ids_size = BYTES;
    for (size_t i = 0; i < EVENTS; i++) {
        made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    }
    add_zeros(BYTES);
    open_file();
    cr_expect_eq(file.event_count, EVENTS);
    cr_expect_leq(file.ids.count, file.size / 8);
    cr_expect_leq(file.ids_read, file.size / 8 + EVENTS);
    cr_expect_str_eq(file.damage,
                     "the lists of the events' ids are larger than the file");
}

/* ---- names and kinds of events ---- */

static void add_description(struct dj_text *section, uint64_t config, const char *name)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_RAW, .config = config};
    dj_text_append(section, (const char *)&attr, sizeof(attr));
    made_number(section, 0, 4);
    made_number(section, strlen(name) + 1, 4);
    dj_text_append(section, name, strlen(name) + 1);
}

Test(perf_data, names_of_more_events_than_the_file_can_have_are_ignored)
{
    enum { NAMES = 5000, MOST = 4096 };
    struct dj_text *section = made_section(&made, DJ_PERF_DATA_EVENTS);
    made_event(&made, PERF_TYPE_RAW, MOST - 1);
    made_event(&made, PERF_TYPE_RAW, MOST);
    made_number(section, NAMES, 4);
    made_number(section, sizeof(struct perf_event_attr), 4);
    for (uint64_t i = 0; i < NAMES; i++) {
        add_description(section, i, "instructions:u");
    }
    open_file();
    cr_expect_str_eq(file.events[0].name, "instructions:u");
    cr_expect_str_eq(file.events[1].name, "");
}

Test(perf_data, lines_of_simpleperf_name_events_up_to_the_same_number)
{
    enum { NAMES = 5000, MOST = 4096 };
    struct dj_text *section = made_section(&made, DJ_PERF_DATA_META);
    made_event(&made, PERF_TYPE_RAW, MOST - 1);
    made_event(&made, PERF_TYPE_RAW, MOST);
    dj_text_append(section, "event_type_info", 16);
    for (int i = 0; i < NAMES; i++) {
        dj_text_format(section, "raw-%d,%d,%d\n", i, PERF_TYPE_RAW, i);
    }
    made_number(section, 0, 1);
    open_file();
    cr_expect_str_eq(file.events[0].name, "raw-4095");
    cr_expect_str_eq(file.events[1].name, "");
}

/* Expects the uses of two events. */
static void expect_uses(uint32_t type, uint64_t first, uint64_t second,
                        enum dj_perf_data_use first_use, enum dj_perf_data_use second_use)
{
    made_event(&made, type, first);
    made_event(&made, type, second);
    open_file();
    cr_expect_eq(file.events[0].use, first_use, "%s", file.events[0].name);
    cr_expect_eq(file.events[1].use, second_use, "%s", file.events[1].name);
    finish();
}

Test(perf_data, the_best_event_is_used)
{
    static const uint64_t other_cpus = UINT64_C(0xa) << 32;
    expect_uses(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_CPU_CLOCK,
                DJ_PERF_DATA_UNUSED, DJ_PERF_DATA_TIME);
    expect_uses(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
                PERF_COUNT_SW_PAGE_FAULTS, DJ_PERF_DATA_WAIT, DJ_PERF_DATA_UNUSED);
    expect_uses(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
                PERF_COUNT_HW_REF_CPU_CYCLES, DJ_PERF_DATA_TIME, DJ_PERF_DATA_UNUSED);
    expect_uses(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
                other_cpus | PERF_COUNT_HW_CPU_CYCLES, DJ_PERF_DATA_TIME,
                DJ_PERF_DATA_TIME);
    expect_uses(PERF_TYPE_RAW, 1, 2, DJ_PERF_DATA_UNUSED, DJ_PERF_DATA_UNUSED);
}

/* ---- build-ids ---- */

enum { HAS_LENGTH = 1 << 15 };

static void expect_build_id(const char *path, size_t length)
{
    const struct dj_stacks_build_id *id = dj_perf_data_find_build_id(&file, path);
    cr_assert_not_null(id, "%s", path);
    cr_expect_eq(id->length, length, "%s: %d", path, id->length);
    cr_expect_eq(memcmp(id->bytes, "abcdefghijklmnopqrst", length), 0);
}

Test(perf_data, zeros_after_a_short_build_id_do_not_belong_to_it)
{
    static const char id[] = "abcdefghijklmnopqrst";
    struct dj_text *list = made_section(&made, DJ_PERF_DATA_BUILD_IDS);
    made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    made_build_id(list, 0, id, 8, "/lib/8");
    made_build_id(list, 0, id, 16, "/lib/16");
    made_build_id(list, 0, id, 20, "/lib/20");
    made_build_id(list, 0, id, 17, "/lib/17");
    made_build_id(list, HAS_LENGTH, id, 12, "/lib/12");
    made_build_id(list, 0, id, 0, "/lib/0");
    open_file();
    expect_build_id("/lib/8", 8);
    expect_build_id("/lib/16", 16);
    expect_build_id("/lib/20", 20);
    /* No linker writes 17 bytes, so the zeros belong to this one. */
    cr_expect_eq(dj_perf_data_find_build_id(&file, "/lib/17")->length, 20);
    expect_build_id("/lib/12", 12);
    cr_expect_null(dj_perf_data_find_build_id(&file, "/lib/0"));
}

Test(perf_data, the_first_build_id_of_a_path_counts)
{
    struct dj_text *list = made_section(&made, DJ_PERF_DATA_BUILD_IDS);
    made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    made_build_id(list, 0, "abcdefghijklmnopqrst", 20, "/lib/a");
    made_build_id(list, 0, "zbcdefghijklmnopqrst", 20, "/lib/a");
    open_file();
    cr_expect_eq(file.build_id_count, 1);
    expect_build_id("/lib/a", 20);
}

/* ---- symbols ---- */

/* A file with one symbol, in the form of FILES_2. */
static void add_symbols(struct dj_text *section, const char *path, const char *symbol)
{
    struct dj_text bytes = {0};
    size_t path_length = strlen(path), length = strlen(symbol);
    made_number(&bytes, 1 << 3 | 2, 1);
    made_number(&bytes, path_length, 1);
    dj_text_append(&bytes, path, path_length);
    made_number(&bytes, 4 << 3 | 2, 1);
    made_number(&bytes, length + 6, 1);
    dj_text_append(&bytes, "\x08\x10\x10\x10\x1a", 5);
    made_number(&bytes, length, 1);
    dj_text_append(&bytes, symbol, length);
    made_number(section, bytes.length, 4);
    dj_text_append(section, bytes.data, bytes.length);
    dj_text_finish(&bytes);
}

Test(perf_data, empty_and_repeated_files_of_simpleperf_are_ignored)
{
    enum { EMPTY = 100000 };
    struct dj_perf_symbols symbols = {.file_count = 0};
    struct dj_text *section = made_section(&made, DJ_PERF_DATA_FILES_2);
    made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    for (int i = 0; i < EMPTY; i++) {
        made_number(section, 0, 4);
    }
    add_symbols(section, "/lib/a.so", "draw");
    add_symbols(section, "/lib/a.so", "other");
    made_number(section, 100, 4);
    open_file();
    dj_perf_data_symbols_read(&symbols, &file);
    cr_assert_eq(symbols.file_count, 1);
    const struct dj_perf_symbol_file *found =
        dj_perf_data_symbols_find_file(&symbols, "/lib/a.so");
    cr_assert_not_null(found);
    const struct dj_perf_symbol *symbol = dj_perf_data_symbols_find(found, 0x18);
    cr_assert_not_null(symbol);
    cr_expect(dj_str_is(symbol->name, "draw"));
    cr_expect_str_eq(file.damage, "the section with symbols is damaged in file 100003");
    dj_perf_data_symbols_finish(&symbols);
}

/* ---- ends of processes ---- */

static int ignore(void *user, const struct dj_event *event)
{
    (void)user;
    (void)event;
    return 0;
}

static const struct dj_event_sink nowhere = {ignore, NULL};

Test(perf_data, a_process_ends_with_its_last_thread)
{
    struct dj_perf_threads threads = {.count = 0};
    const struct dj_perf_thread_change first = {7, 7, 0}, second = {8, 7, 1000};
    dj_perf_data_threads_name(&threads, &first, dj_str_of("app"), nowhere);
    dj_perf_data_threads_fork(&threads, &second, 7, nowhere);
    dj_perf_data_threads_name(&threads, &second, dj_str_of("worker"), nowhere);
    cr_expect_not(dj_perf_data_threads_exit(&threads, 7, 7), "its worker still runs");
    cr_expect(dj_perf_data_threads_exit(&threads, 8, 7));
    dj_perf_data_threads_finish(&threads);
}

Test(perf_data, a_process_with_unannounced_threads_does_not_end_with_one_of_them)
{
    struct dj_perf_threads threads = {.count = 0};
    const struct dj_perf_thread_change worker = {8, 7, 1000};
    cr_expect_not(dj_perf_data_threads_exit(&threads, 10, 7), "thread 7 may still run");
    dj_perf_data_threads_fork(&threads, &worker, 9, nowhere);
    cr_expect_not(dj_perf_data_threads_exit(&threads, 8, 7), "thread 7 may still run");
    cr_expect_not(dj_perf_data_threads_exit(&threads, 7, 7), "thread 9 may still run");
    dj_perf_data_threads_finish(&threads);
}

/* Counts the samples whose function is in a mapping. */
static int count_mapped(void *user, const struct dj_event *event)
{
    size_t *count = user;
    *count += event->kind == DJ_EVENT_STACK && event->stack->count > 0 &&
              event->stack->frames[0].mapping != NULL;
    return 0;
}

static size_t read_mapped(void)
{
    struct dj_perf_data_summary summary = {0};
    size_t count = 0;
    struct dj_str bytes = made_perf_data_build(&made);
    const struct dj_trace_file mapped = {.bytes = (const uint8_t *)bytes.at,
                                         .size = bytes.length};
    const struct dj_event_sink sink = {count_mapped, &count};
    cr_assert_eq(dj_perf_data_read(&mapped, sink, &summary, NULL), 0);
    cr_expect_eq(summary.damaged, 0, "%s", summary.damage);
    dj_text_finish(&summary.notes.sentences);
    return count;
}

Test(perf_data, mappings_end_with_their_process)
{
    made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    made_mapping(&made, 7, "/lib/a.so");
    made_task(&made, PERF_RECORD_FORK, 7, 7, 0);
    made_task(&made, PERF_RECORD_FORK, 7, 8, 1000);
    made_sample(&made, 7, 7, 2000, 0x10010);
    made_task(&made, PERF_RECORD_EXIT, 7, 7, 3000);
    made_sample(&made, 7, 8, 4000, 0x10010);
    made_task(&made, PERF_RECORD_EXIT, 7, 8, 5000);
    made_sample(&made, 7, 7, 6000, 0x10010);
    cr_expect_eq(read_mapped(), 2);
}

Test(perf_data, mappings_stay_when_an_unannounced_thread_ends)
{
    made_event(&made, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    made_mapping(&made, 7, "/lib/a.so");
    made_sample(&made, 7, 8, 2000, 0x10010);
    made_task(&made, PERF_RECORD_EXIT, 7, 8, 3000);
    made_sample(&made, 7, 7, 4000, 0x10010);
    cr_expect_eq(read_mapped(), 2);
}
