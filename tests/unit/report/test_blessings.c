#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/stored_batch.h"
#include "store/timeline.h"
#include "support.h"

static char path[64];
static struct dj_store *store;

/* ---- a store ---- */

static void begin_batch(const char *project)
{
    const struct dj_store_batch batch = {.project = project,
                                         .name = "scroll",
                                         .kind = "run",
                                         .device = {.serial = "s", .kind = "adb"}};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    struct dj_error err = {0};
    cr_assert_eq(dj_store_begin_batch(store, &batch, id, &key, &err), 0, "%s",
                 err.message);
}

static void open_store(void)
{
    struct dj_error err = {0};
    snprintf(path, sizeof(path), "/tmp/dejank-blessings-XXXXXX");
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    cr_assert_eq(dj_store_open(path, DJ_STORE_CREATE, &store, &err), 0, "%s",
                 err.message);
    begin_batch("com.x");
    begin_batch("com.y");
}

static void close_store(void)
{
    static const char *const companions[] = {"", "-wal", "-shm"};
    dj_store_close(store);
    for (size_t i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof(name), "%s%s", path, companions[i]);
        unlink(name);
    }
}

static void execute(const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void bless(const struct dj_blessing *blessing)
{
    char id[DJ_STORE_ID_BYTES];
    struct dj_error err = {0};
    cr_assert_eq(dj_store_add_blessing(store, blessing, id, &err), 0, "%s", err.message);
}

/* Blesses a rise in com.x at the time 7, and a fall in com.y at position 3. Their ids and
 * days are fixed. */
static void bless_two(void)
{
    bless(&(struct dj_blessing){.project = "com.x",
                                .metric = "frame_time_p95",
                                .segment = "0a1b2c",
                                .up = true,
                                .from_unix_ms = 7,
                                .from_point = "1.25",
                                .who = "ann",
                                .why = "more shadows"});
    bless(&(struct dj_blessing){.project = "com.y",
                                .metric = "fps",
                                .from_unix_ms = INT64_MIN,
                                .from_ordinal = 3,
                                .from_point = "#3",
                                .who = "bob",
                                .why = "a cap"});
    execute("UPDATE blessings SET uid = 'aaaa1111aaaa1111', made_unix_ms = 86400000"
            " WHERE who = 'ann';"
            "UPDATE blessings SET uid = 'bbbb1111bbbb1111', made_unix_ms = 172800000"
            " WHERE who = 'bob'");
}

/* ---- expected output ---- */

static void expect_list(struct dj_store *history, const char *project, int width,
                        const char *expected)
{
    struct dj_document document = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_report_build_blessings(&document, history, project, &err), 0, "%s",
                 err.message);
    expect_document(&document, width, expected);
}

static void expect_json(struct dj_store *history, const char *project,
                        const char *expected)
{
    struct dj_text text = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_report_write_blessings_json(&text, history, project, &err), 0, "%s",
                 err.message);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
}

#define JSON_OF_ANN                                                                      \
    "{\"id\":\"aaaa1111aaaa1111\",\"project\":\"com.x\",\"metric\":\"frame_time_p95\","  \
    "\"segment\":\"0a1b2c\",\"direction\":\"up\",\"from_unix_ms\":7,"                    \
    "\"from_ordinal\":null,\"from\":\"1.25\",\"who\":\"ann\",\"why\":\"more shadows\","  \
    "\"made_unix_ms\":86400000,\"withdrawn\":null}"
#define JSON_OF_BOB                                                                      \
    "{\"id\":\"bbbb1111bbbb1111\",\"project\":\"com.y\",\"metric\":\"fps\","             \
    "\"segment\":null,\"direction\":\"down\",\"from_unix_ms\":null,\"from_ordinal\":3,"  \
    "\"from\":\"#3\",\"who\":\"bob\",\"why\":\"a cap\",\"made_unix_ms\":172800000,"      \
    "\"withdrawn\":null}"
#define JSON(blessings)                                                                  \
    "{\"schema\":\"dejank.blessings/1\",\"blessings\":[" blessings "]}\n"

TestSuite(blessings, .init = open_store, .fini = close_store);

/* ---- the document ---- */

Test(blessings, a_missing_store_has_no_accepted_change)
{
    expect_list(NULL, NULL, 80, "0 accepted changes\n");
    expect_list(NULL, "com.x", 80, "0 accepted changes\n");
}

Test(blessings, a_store_without_blessings_has_no_table)
{
    expect_list(store, NULL, 80, "0 accepted changes\n");
}

Test(blessings, one_blessing_is_one_accepted_change)
{
    bless_two();
    expect_list(store, "com.x", 120,
                "1 accepted change\n\n"
                "blessing          made        change                             "
                "accepted by\n"
                "aaaa1111aaaa1111  1970-01-02  com.x frame_time_p95 up from 1.25  ann: "
                "more shadows\n");
}

Test(blessings, a_narrow_terminal_shows_a_blessing_in_several_lines)
{
    bless_two();
    expect_list(
        store, "com.x", 80,
        "1 accepted change\n\n"
        "aaaa1111aaaa1111\n"
        "  made 1970-01-02, change com.x frame_time_p95 up from 1.25, accepted by "
        "ann:\n"
        "  more shadows\n");
}

Test(blessings, blessings_of_all_projects_are_listed_oldest_first)
{
    bless_two();
    expect_list(store, NULL, 120,
                "2 accepted changes\n\n"
                "blessing          made        change                             "
                "accepted by\n"
                "aaaa1111aaaa1111  1970-01-02  com.x frame_time_p95 up from 1.25  ann: "
                "more shadows\n"
                "bbbb1111bbbb1111  1970-01-03  com.y fps down from #3             bob: a "
                "cap\n");
    execute("UPDATE blessings SET made_unix_ms = 0 WHERE who = 'bob'");
    expect_list(store, NULL, 120,
                "2 accepted changes\n\n"
                "blessing          made        change                             "
                "accepted by\n"
                "bbbb1111bbbb1111  1970-01-01  com.y fps down from #3             bob: a "
                "cap\n"
                "aaaa1111aaaa1111  1970-01-02  com.x frame_time_p95 up from 1.25  ann: "
                "more shadows\n");
}

Test(blessings, a_withdrawn_blessing_is_listed_with_its_reason_but_not_counted)
{
    struct dj_error err = {0};
    bless_two();
    cr_assert_eq(dj_store_withdraw_blessing(store, "aaaa", "was a mistake", &err), 0);
    expect_list(store, "com.x", 120,
                "0 accepted changes, 1 withdrawn\n\n"
                "blessing          made        change                             "
                "accepted by\n"
                "aaaa1111aaaa1111  1970-01-02  com.x frame_time_p95 up from 1.25  ann: "
                "more shadows (withdrawn: was a mistake)\n");
    struct dj_document document = {0};
    cr_assert_eq(dj_report_build_blessings(&document, store, NULL, &err), 0);
    cr_expect_str_eq(document.blocks[0].text, "1 accepted change, 1 withdrawn");
    cr_assert_eq(document.blocks[1].table.cell_count, 8);
    cr_expect_eq(document.blocks[1].table.cells[3].tone, DJ_TONE_MUTED);
    cr_expect_eq(document.blocks[1].table.cells[7].tone, DJ_TONE_PLAIN);
    dj_document_finish(&document);
}

Test(blessings, an_unknown_project_has_no_accepted_change)
{
    bless_two();
    expect_list(store, "' OR 1 = 1 --", 80, "0 accepted changes\n");
    expect_json(store, "com.z", JSON(""));
}

Test(blessings, hostile_texts_are_escaped)
{
    bless(&(struct dj_blessing){.project = "com.x",
                                .metric = "m%n",
                                .from_point = "\033[2J",
                                .from_unix_ms = 7,
                                .who = "<b>\xe2\x80\xae",
                                .why = "a\nb\"\\"});
    execute("UPDATE blessings SET uid = '\x1b]0;x', made_unix_ms = 0");
    expect_list(store, NULL, 120,
                "1 accepted change\n\n"
                "blessing  made        change                       accepted by\n"
                "\\x1b]0;x  1970-01-01  com.x m%n down from \\x1b[2J  "
                "<b>\\xe2\\x80\\xae: a\\x0ab\"\\\n");
    expect_json(store, NULL,
                JSON("{\"id\":\"\\u001b]0;x\",\"project\":\"com.x\",\"metric\":\"m%n\","
                     "\"segment\":null,\"direction\":\"down\",\"from_unix_ms\":7,"
                     "\"from_ordinal\":null,\"from\":\"\\u001b[2J\","
                     "\"who\":\"\\u003cb\\u003e\\u202e\",\"why\":\"a\\u000ab\\\"\\\\\","
                     "\"made_unix_ms\":0,\"withdrawn\":null}"));
}

/* ---- JSON ---- */

Test(blessings, json_of_no_blessing_has_an_empty_array)
{
    expect_json(NULL, NULL, JSON(""));
    expect_json(store, "com.x", JSON(""));
}

Test(blessings, json_has_times_or_positions)
{
    bless_two();
    expect_json(store, "com.x", JSON(JSON_OF_ANN));
    expect_json(store, "com.y", JSON(JSON_OF_BOB));
    expect_json(store, NULL, JSON(JSON_OF_ANN "," JSON_OF_BOB));
}

Test(blessings, json_has_the_reason_of_a_withdrawal)
{
    struct dj_error err = {0};
    struct dj_text text = {0};
    bless_two();
    cr_assert_eq(dj_store_withdraw_blessing(store, "bbbb", "too early", &err), 0);
    cr_assert_eq(dj_report_write_blessings_json(&text, store, "com.y", &err), 0);
    cr_expect_not_null(strstr(dj_text_get(&text), "\"withdrawn\":\"too early\"}]}\n"));
    dj_text_finish(&text);
}

/* ---- errors ---- */

Test(blessings, a_damaged_store_is_an_error)
{
    struct dj_document document = {0};
    struct dj_text text = {0};
    struct dj_error err = {0};
    execute("DROP TABLE blessings");
    cr_expect_eq(dj_report_build_blessings(&document, store, NULL, &err), DJ_E_INVALID);
    cr_expect_not_null(strstr(err.message, path), "%s", err.message);
    cr_expect_eq(dj_report_write_blessings_json(&text, store, NULL, &err), DJ_E_INVALID);
    dj_document_finish(&document);
    dj_text_finish(&text);
}
