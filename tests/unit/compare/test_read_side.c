#include "compare/read_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../store/support.h"
#include "compare/operand.h"
#include "memory/memory.h"

static struct dj_side side;
static struct dj_sides_stores stores;
static struct dj_error failure;
static char message[1024];

/* ---- files and stores ---- */

static void keep_message(void *user, const char *text)
{
    (void)user;
    snprintf(message, sizeof(message), "%s", text);
}

static const struct dj_messages messages = {keep_message, NULL};

/* Writes a file in the temporary folder and returns its path. The caller frees it. */
static char *write_file(const char *name, const char *bytes, size_t length)
{
    char *path = test_path(name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
    return path;
}

/* Writes a dump with this number of frames. */
static char *write_dump(const char *name, size_t frames)
{
    const struct made_text spec = {.frames = frames, .slow_every = 10, .rows = true};
    struct dj_text text = make_text(&spec);
    char *path = write_file(name, dj_text_get(&text), text.length);
    dj_text_finish(&text);
    return path;
}

/* Creates a folder in the temporary folder. */
static char *create_folder(const char *name)
{
    char *path = test_path(name);
    cr_assert_eq(mkdir(path, 0700), 0);
    return path;
}

static void remove_folder(char *folder, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *path = dj_xformat("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    free(folder);
}

/* Creates a store with a batch of three runs and returns its path. */
static char *create_store(const char *name, const char *batch)
{
    char *path = test_path(name);
    struct dj_store *store = open_store(path);
    add_batch(store, batch, 3);
    dj_store_close(store);
    return path;
}

/* ---- reading ---- */

static void finish(void)
{
    dj_compare_side_finish(&side);
    dj_compare_close_stores(&stores);
    side = (struct dj_side){0};
    message[0] = '\0';
}

/* Reads side A from the words, with `store` as the store of batches. */
static int read_words(const char *store, int count, char *const *words)
{
    const struct dj_sides_request request = {
        .store = store, .messages = &messages, .import_messages = &messages};
    finish();
    failure = (struct dj_error){0};
    return dj_compare_read_side(&side, 'A', count, words, &request, &stores, &failure);
}

static void expect_runs(const char *store, char *word, size_t runs)
{
    int code = read_words(store, 1, &word);
    cr_assert_eq(code, 0, "%s: %s", word, failure.message);
    cr_assert_eq(side.run_count, runs, "%s: %zu runs", word, side.run_count);
}

static void expect_failure(const char *store, char *word, int code, const char *part)
{
    cr_expect_eq(read_words(store, 1, &word), code, "%s", word);
    cr_expect_eq(failure.message[0], 'A', "%s", failure.message);
    cr_expect_not_null(strstr(failure.message, part), "%s", failure.message);
}

TestSuite(read_side, .fini = finish);

/* ---- files ---- */

Test(read_side, a_dump_is_one_run)
{
    char *path = write_dump("one.txt", 60);
    expect_runs(NULL, path, 1);
    const struct dj_side_run *run = &side.runs[0];
    cr_expect_str_eq(side.name, path);
    cr_expect_eq(run->number, 1);
    cr_expect_eq(run->order_index, -1, "the order of files is unknown");
    cr_expect_eq(run->metrics.value[DJ_METRIC_FRAMES], 60);
    cr_expect_eq(strlen(run->digest), 64);
    cr_expect_gt(run->span.end_ns, run->span.start_ns);
    cr_expect_gt(run->times.count, 0);
    cr_expect_null(side.store);
    free(path);
}

Test(read_side, a_file_has_its_app_and_its_device)
{
    static const char csv[] =
        "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,EPYC,RTX 3070,16,6.1,4.5,\n"
        "fps,frametime,cpu_load\n100,10,5\n100,10,5\n";
    char *dump = write_dump("app.txt", 60);
    char *log = write_file("game.csv", csv, strlen(csv));
    char *words[] = {dump, log};
    cr_assert_eq(read_words(NULL, 2, words), 0, "%s", failure.message);
    cr_assert_eq(side.run_count, 2, "%s", message);
    cr_assert_not_null(side.runs[0].app);
    cr_expect_null(side.runs[0].device, "a dump does not name its device");
    cr_expect_null(side.runs[1].app, "the log does not name its process");
    cr_assert_not_null(side.runs[1].device);
    cr_expect_str_eq(side.runs[1].device, "EPYC, RTX 3070");
    free(dump);
    free(log);
}

Test(read_side, several_words_are_one_side)
{
    char *words[] = {write_dump("a.txt", 60), write_dump("b.txt", 70)};
    cr_assert_eq(read_words(NULL, 2, words), 0, "%s", failure.message);
    cr_expect_eq(side.run_count, 2);
    cr_expect_eq(side.runs[1].number, 2);
    cr_expect_not_null(strstr(side.name, "a.txt and 1 more"), "%s", side.name);
    free(words[0]);
    free(words[1]);
}

Test(read_side, a_missing_path_is_no_data)
{
    char *path = test_path("missing.txt");
    char *store = create_store("of-missing.db", "scroll");
    expect_failure(store, path, DJ_E_NO_DATA, "missing.txt");
    free(path);
    free(store);
}

Test(read_side, a_file_without_frames_is_excluded)
{
    char *path = write_file("notes.txt", "no frames here\n", 15);
    expect_runs(NULL, path, 0);
    cr_assert_eq(side.left_out_count, 1);
    cr_expect_not_null(strstr(side.left_out[0].what, "notes.txt"));
    cr_expect_neq(message[0], '\0', "a message gives the reason");
    free(path);
}

/* ---- folders and lists ---- */

Test(read_side, a_folder_is_read_in_the_order_of_numbers)
{
    static const char *const names[] = {"run10.txt", "run9.txt", ".hidden.txt"};
    char *folder = create_folder("dumps");
    for (size_t i = 0; i < 3; i++) {
        char *name = dj_xformat("dumps/%s", names[i]);
        free(write_dump(name, 60 + i));
        free(name);
    }
    expect_runs(NULL, folder, 2);
    cr_expect_not_null(strstr(side.runs[0].source, "run9.txt"), "%s",
                       side.runs[0].source);
    cr_expect_not_null(strstr(side.runs[1].source, "run10.txt"));
    remove_folder(folder, names, 3);
}

Test(read_side, an_empty_folder_is_no_data)
{
    char *folder = create_folder("empty");
    expect_failure(NULL, folder, DJ_E_NO_DATA, "empty");
    remove_folder(folder, NULL, 0);
}

Test(read_side, commas_separate_files_if_the_first_exists)
{
    char *first = write_dump("first.txt", 60), *second = write_dump("second.txt", 70);
    char *list = dj_xformat("%s,%s,", first, second);
    expect_runs(NULL, list, 2);
    free(list);
    list = dj_xformat("%s,%s/none.txt", first, test_folder());
    expect_failure(NULL, list, DJ_E_NO_DATA, "none.txt");
    free(list);
    free(first);
    free(second);
}

Test(read_side, an_at_sign_reads_names_from_a_file)
{
    char *first = write_dump("first.txt", 60), *second = write_dump("second.txt", 70);
    char *lines = dj_xformat("%s\r\n\n%s\n", first, second);
    char *list = write_file("list", lines, strlen(lines));
    char *word = dj_xformat("@%s", list);
    expect_runs(NULL, word, 2);
    free(word);
    free(list);
    free(lines);
    free(first);
    free(second);
}

/* ---- stores ---- */

Test(read_side, a_batch_is_found_in_the_given_store)
{
    static char *const words[] = {"scroll", "batch:scroll", "build:A", "A", "1.0"};
    char *path = create_store("given.db", "scroll");
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        expect_runs(path, words[i], 3);
        cr_expect_eq(side.batch_count, 1);
        cr_expect_str_eq(side.store, path);
        cr_expect_null(side.runs[0].digest);
        cr_expect_str_eq(stores.word[0], strrchr(words[i], ':') != NULL
                                             ? strrchr(words[i], ':') + 1
                                             : words[i]);
    }
    free(path);
}

Test(read_side, a_store_and_a_batch_are_separated_by_a_number_sign)
{
    char *path = create_store("named.db", "fling #2");
    char *word = dj_xformat("%s#fling #2", path);
    expect_runs(NULL, word, 3);
    cr_expect_str_eq(side.store, path);
    free(word);
    free(path);
}

Test(read_side, a_store_without_a_batch_is_refused)
{
    char *path = create_store("alone.db", "scroll");
    expect_failure(NULL, path, DJ_E_USAGE, "#BATCH");
    expect_failure(NULL, "postgresql://localhost/frames", DJ_E_USAGE, "#BATCH");
    free(path);
}

Test(read_side, an_unknown_batch_is_no_data)
{
    char *path = create_store("known.db", "scroll");
    expect_failure(path, "fling", DJ_E_NO_DATA, "fling");
    free(path);
}

Test(read_side, batches_of_two_stores_are_refused)
{
    char *one = create_store("one.db", "scroll"), *two = create_store("two.db", "scroll");
    char *words[] = {dj_xformat("%s#scroll", one), dj_xformat("%s#scroll", two)};
    cr_expect_eq(read_words(NULL, 2, words), DJ_E_USAGE);
    cr_expect_not_null(strstr(failure.message, "stores"), "%s", failure.message);
    free(words[1]);
    words[1] = words[0];
    cr_expect_eq(read_words(NULL, 2, words), 0, "%s", failure.message);
    free(words[0]);
    free(one);
    free(two);
}

Test(read_side, files_and_batches_are_not_mixed)
{
    char *store = create_store("mixed.db", "scroll");
    char *words[] = {write_dump("mixed.txt", 60), "scroll"};
    cr_expect_eq(read_words(store, 2, words), DJ_E_USAGE);
    cr_expect_not_null(strstr(failure.message, "files and batches"), "%s",
                       failure.message);
    free(words[0]);
    free(store);
}

/* ---- both sides ---- */

static struct dj_side both[2];

static void finish_both(void)
{
    dj_compare_side_finish(&both[0]);
    dj_compare_side_finish(&both[1]);
    both[0] = both[1] = (struct dj_side){0};
    finish();
}

/* Adds a batch that differs from those of add_batch() only in the label and the device.
 */
static void add_build(struct dj_store *store, const char *label, const char *serial)
{
    const struct dj_store_batch batch = {.project = "com.example",
                                         .build = {.label = label},
                                         .device = {.serial = serial, .kind = "adb"},
                                         .name = "scroll",
                                         .kind = "run",
                                         .fingerprint = "scroll",
                                         .planned = 1,
                                         .options = "{}"};
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    struct dj_error err = {0};
    cr_assert_eq(dj_store_begin_batch(store, &batch, id, &key, &err), 0, "%s",
                 err.message);
    add_run(store, key, 1, DJ_RUN_OK);
}

/* Creates a store in which the builds "old" and "new" have a batch on each of two
 * devices, and returns its path. */
static char *create_builds(void)
{
    char *path = test_path("builds.db");
    struct dj_store *store = open_store(path);
    add_build(store, "old", "s1");
    add_build(store, "old", "s2");
    add_build(store, "new", "s1");
    add_build(store, "new", "s2");
    dj_store_close(store);
    return path;
}

static int read_both(const char *store, struct dj_side_operands a,
                     struct dj_side_operands b)
{
    const struct dj_sides_request request = {
        .store = store, .messages = &messages, .import_messages = &messages};
    const struct dj_side_operands operands[2] = {a, b};
    finish_both();
    failure = (struct dj_error){0};
    return dj_compare_read_sides(both, operands, &request, &stores, &failure);
}

#define WORDS(...)                                                                       \
    (struct dj_side_operands)                                                            \
    {                                                                                    \
        (char *[]){__VA_ARGS__}, (int)COUNT_OF(((char *[]){__VA_ARGS__}))                \
    }

Test(read_sides, files_are_two_sides, .fini = finish_both)
{
    char *a = write_dump("a.txt", 60), *b = write_dump("b.txt", 90);
    cr_assert_eq(read_both(NULL, WORDS(a), WORDS(b, a)), 0, "%s", failure.message);
    cr_expect_not(dj_compare_need_range(&stores));
    cr_expect_eq(both[0].run_count, 1);
    cr_expect_eq(both[1].run_count, 2);
    free(a);
    free(b);
}

Test(read_sides, an_error_names_the_side, .fini = finish_both)
{
    char *a = write_dump("a.txt", 60), *missing = test_path("missing.txt");
    cr_expect_eq(read_both(NULL, WORDS(a), WORDS(missing)), DJ_E_NO_DATA);
    cr_expect_eq(failure.message[0], 'B', "%s", failure.message);
    free(missing);
    free(a);
}

Test(read_sides, builds_of_several_devices_are_compared_on_each, .fini = finish_both)
{
    char *path = create_builds();
    cr_assert_eq(read_both(path, WORDS("old"), WORDS("new")), 0, "%s", failure.message);
    cr_expect(dj_compare_need_range(&stores));
    free(path);
}

Test(read_sides, such_a_build_is_refused_next_to_files, .fini = finish_both)
{
    char *path = create_builds(), *file = write_dump("a.txt", 60);
    cr_expect_neq(read_both(path, WORDS("old"), WORDS(file)), 0);
    cr_expect_eq(failure.message[0], 'A', "%s", failure.message);
    cr_expect_neq(read_both(path, WORDS(file), WORDS("new")), 0);
    cr_expect_eq(failure.message[0], 'B', "%s", failure.message);
    free(file);
    free(path);
}

/* ---- operands ---- */

Test(read_side, a_file_has_precedence_over_a_batch_of_its_name)
{
    char *path = create_store("both.db", "both.txt");
    char *file = write_dump("both.txt", 60);
    cr_assert_eq(chdir(test_folder()), 0);
    expect_runs(path, "both.txt", 1);
    cr_expect_not_null(strstr(message, "batch:both.txt"), "%s", message);
    expect_runs(path, "batch:both.txt", 3);
    cr_expect_eq(dj_compare_operand_kind("nothing", path, true, &messages),
                 DJ_OPERAND_NOTHING);
    free(file);
    free(path);
}

Test(read_side, a_path_is_never_a_batch)
{
    char *path = create_store("paths.db", "./app");
    cr_expect_eq(dj_compare_operand_kind("./app", path, true, &messages),
                 DJ_OPERAND_FILE);
    cr_expect_eq(dj_compare_operand_kind("-", path, true, &messages), DJ_OPERAND_FILE);
    cr_expect_eq(dj_compare_operand_kind("batch:./app", path, true, &messages),
                 DJ_OPERAND_BATCH);
    free(path);
}

Test(read_side, a_folder_is_a_batch_for_verbs_without_folders)
{
    char *path = create_store("folders.db", "dumps");
    char *folder = create_folder("dumps");
    cr_assert_eq(chdir(test_folder()), 0);
    cr_expect_eq(dj_compare_operand_kind("dumps", path, true, &messages),
                 DJ_OPERAND_FILE);
    cr_expect_eq(dj_compare_operand_kind("dumps", path, false, &messages),
                 DJ_OPERAND_BATCH);
    remove_folder(folder, NULL, 0);
    free(path);
}
