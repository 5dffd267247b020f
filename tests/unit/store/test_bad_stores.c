#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/loaded_batch.h"
#include "store/upkeep.h"
#include "support.h"

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static struct dj_text read_file(const char *path)
{
    struct dj_text text = {0};
    char chunk[4096];
    size_t got;
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0) {
        dj_text_append(&text, chunk, got);
    }
    fclose(file);
    return text;
}

static void expect_refused(const char *path, int code, const char *part)
{
    static const enum dj_store_mode modes[] = {DJ_STORE_READ, DJ_STORE_WRITE,
                                               DJ_STORE_CREATE};
    for (size_t i = 0; i < 3; i++) {
        struct dj_store *store;
        struct dj_error err = {0};
        cr_assert_eq(dj_store_open(path, modes[i], &store, &err), code, "%zu: %s", i,
                     err.message);
        cr_assert_null(store);
        cr_assert_not_null(strstr(err.message, part), "%s", err.message);
        cr_assert_not_null(strstr(err.message, path), "%s", err.message);
    }
}

/* Expects that opening the file fails and does not change the file. */
static void expect_untouched(const char *path, int code, const char *part)
{
    struct dj_text before = read_file(path);
    expect_refused(path, code, part);
    struct dj_text after = read_file(path);
    cr_assert_eq(before.length, after.length);
    cr_assert_eq(memcmp(before.data, after.data, before.length), 0);
    dj_text_finish(&before);
    dj_text_finish(&after);
}

static void make_with(const char *path, const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

Test(bad_stores, file_of_another_format_is_refused)
{
    char *path = test_path("history.db");
    char text[5000];
    memset(text, 'x', sizeof(text));
    write_file(path, text, sizeof(text));
    expect_untouched(path, DJ_E_INVALID, "not an SQLite file");
    free(path);
}

Test(bad_stores, database_of_another_program_is_refused)
{
    char *path = test_path("history.db");
    make_with(path, "CREATE TABLE bookmarks (url TEXT)");
    expect_untouched(path, DJ_E_INVALID, "not a dejank store");
    free(path);
}

Test(bad_stores, store_of_a_newer_dejank_is_refused)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    add_batch(store, "one", 1);
    dj_store_close(store);
    make_with(path, "PRAGMA user_version = 99");
    expect_untouched(path, DJ_E_VERSION, "newer dejank");
    free(path);
}

/* A file of another program with dejank's application id is not accepted as a store. */
Test(bad_stores, foreign_file_with_our_application_id_is_refused)
{
    static const char *const changes[] = {
        "DROP TABLE conditions",
        "DROP INDEX batches_name",
        "ALTER TABLE runs ADD COLUMN more TEXT",
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM blobs; END",
        "ALTER TABLE blobs RENAME TO b; CREATE VIEW blobs AS SELECT * FROM b",
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        char *path = test_path("history.db");
        struct dj_store *store = open_store(path);
        add_batch(store, "one", 1);
        dj_store_close(store);
        make_with(path, changes[i]);
        expect_untouched(path, DJ_E_INVALID, "its tables are different");
        unlink(path);
        free(path);
    }
}

Test(bad_stores, added_views_and_indexes_are_accepted)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    dj_store_close(store);
    make_with(path, "CREATE VIEW slow AS SELECT * FROM metrics WHERE janky_pct > 10;"
                    "CREATE INDEX mine ON runs (outcome)");
    store = open_store(path);
    add_batch(store, "one", 1);
    dj_store_close(store);
    free(path);
}

static int read_batch(void *user, const struct dj_batch_row *batch)
{
    *(size_t *)user += strlen(batch->id) + strlen(batch->serial);
    return 0;
}

static int read_run(void *user, const struct dj_run_row *run)
{
    *(size_t *)user += run->reason != NULL ? strlen(run->reason) : 0;
    return 0;
}

static int read_evidence(void *user, const struct dj_evidence_row *row)
{
    *(size_t *)user += strlen(row->sha256);
    return 0;
}

static void count_problem(void *user, const char *sentence)
{
    *(size_t *)user += strlen(sentence);
}

/* Reads everything that can be read. Then loads the store, which must either fail without
 * a change or give a store without problems. */
static void read_all(const char *path, struct dj_store *into)
{
    struct dj_store *store;
    struct dj_store_check_result checked;
    struct dj_store_copy_counts moved;
    struct dj_error err = {0};
    const struct dj_batch_filter any = {0};
    size_t seen = 0;
    if (dj_store_open(path, DJ_STORE_READ, &store, &err) == 0) {
        struct dj_loaded_batch loaded = {0};
        struct dj_text bytes = {0};
        dj_store_read_batches(store, &any, read_batch, &seen, &err);
        dj_store_read_runs(store, 1, read_run, &seen, &err);
        dj_store_read_evidence_rows(store, 1, read_evidence, &seen, &err);
        dj_store_read_evidence(store, 1, 0, &bytes, &err);
        dj_store_load_batch(store, 1, &loaded, &err);
        dj_store_check(store, count_problem, &seen, &checked, &err);
        dj_store_loaded_batch_finish(&loaded);
        dj_text_finish(&bytes);
        dj_store_close(store);
    }
    dj_store_load(into, path, &moved, &err);
}

/* Changed bytes on any page cause no crash, and no damaged data is loaded. */
Test(bad_stores, changed_bytes_on_any_page_load_no_damaged_data, .timeout = 60)
{
    char *path = test_path("history.db");
    char *other = test_path("other.db");
    struct dj_store *store = open_store(path);
    add_batch(store, "one", 2);
    dj_store_close(store);
    struct dj_text whole = read_file(path);
    store = open_store(other);
    uint32_t state = 1;
    for (int i = 0; i < 250; i++) {
        struct dj_text changed = {0};
        dj_text_append(&changed, whole.data, whole.length);
        for (int k = 0; k < 1 + i % 6; k++) {
            state = state * 1103515245 + 12345;
            size_t at = (state >> 8) % whole.length;
            state = state * 1103515245 + 12345;
            changed.data[at] = (char)(state >> 16);
        }
        write_file(path, changed.data, changed.length);
        read_all(path, store);
        dj_text_finish(&changed);
    }
    struct dj_store_check_result checked;
    struct dj_error err = {0};
    size_t part = 0;
    expect_ok(dj_store_check(store, count_problem, &part, &checked, &err), err);
    cr_assert_eq(checked.problems, 0);
    dj_store_close(store);
    dj_text_finish(&whole);
    free(path);
    free(other);
}

Test(bad_stores, truncated_store_loads_no_damaged_data)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    add_batch(store, "one", 3);
    dj_store_close(store);
    struct dj_text whole = read_file(path);
    static const size_t parts[] = {50, 4096, 4097};
    for (size_t i = 0; i < 3; i++) {
        write_file(path, whole.data, parts[i]);
        struct dj_store *opened;
        struct dj_error err = {0};
        cr_assert_eq(dj_store_open(path, DJ_STORE_CREATE, &opened, &err), DJ_E_INVALID,
                     "%zu bytes: %s", parts[i], err.message);
    }
    write_file(path, whole.data, whole.length / 2);
    expect_refused(path, DJ_E_INVALID, "damaged or truncated");
    dj_text_finish(&whole);
    free(path);
}

Test(bad_stores, missing_file_is_refused)
{
    char *path = test_path("none/history.db");
    struct dj_store *store;
    struct dj_error err = {0};
    cr_assert_eq(dj_store_open(path, DJ_STORE_READ, &store, &err), DJ_E_NO_DATA);
    cr_assert_eq(dj_store_open(path, DJ_STORE_WRITE, &store, &err), DJ_E_NO_DATA);
    cr_assert_not_null(strstr(err.message, "no such store"));
    cr_assert_eq(access(path, F_OK), -1);
    free(path);
}

Test(bad_stores, folder_or_bad_path_is_refused)
{
    struct dj_store *store;
    struct dj_error err = {0};
    expect_refused(test_folder(), DJ_E_INVALID, "expected a file");
    expect_refused("mysql://server/db", DJ_E_UNSUPPORTED,
                   "expected the path of a file or postgresql://");
    cr_assert_eq(dj_store_open("", DJ_STORE_CREATE, &store, &err), DJ_E_USAGE);
    cr_assert_eq(dj_store_open("/proc/version/x", DJ_STORE_CREATE, &store, &err),
                 DJ_E_OUTPUT);
}

/* A writer makes an empty file, as mktemp creates it, a store. A reader refuses it. */
Test(bad_stores, empty_file_becomes_a_store)
{
    char *path = test_path("history.db");
    struct dj_store *store;
    struct dj_error err = {0};
    write_file(path, "", 0);
    cr_assert_eq(dj_store_open(path, DJ_STORE_READ, &store, &err), DJ_E_INVALID);
    store = open_store(path);
    dj_store_close(store);
    free(path);
}

Test(bad_stores, odd_file_names_are_accepted)
{
    static const char *const names[] = {"a b.db", "50%20.db", "q?mode=ro",
                                        "h#x.db", "'; --.db", "\xC3\xA4.db"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = test_path(names[i]);
        struct dj_store *store = open_store(path);
        struct dj_error err = {0};
        add_batch(store, "one", 1);
        cr_assert_str_eq(dj_store_path(store), path);
        dj_store_close(store);
        cr_assert_eq(access(path, F_OK), 0, "%s", path);
        expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
        dj_store_close(store);
        free(path);
    }
}

Test(bad_stores, new_folders_have_mode_0700)
{
    char *folder = test_path("data");
    char *path = test_path("data/dejank/history.db");
    struct stat made;
    struct dj_store *store = open_store(path);
    dj_store_close(store);
    cr_assert_eq(stat(folder, &made), 0);
    cr_assert_eq(made.st_mode & 0777, 0700);
    unlink(path);
    free(path);
    path = test_path("data/dejank");
    rmdir(path);
    rmdir(folder);
    free(path);
    free(folder);
}
