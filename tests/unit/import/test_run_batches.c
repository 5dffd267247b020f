/* Groups imported runs into batches of a store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../store/support.h"
#include "import/run_batches.h"

#define GFXINFO(NAME)                                                                    \
    "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n\n"                \
    "** Graphics info for pid 1 [" NAME "] **\nTotal frames rendered: 5\n"

static const struct dj_import_names no_names;
static struct dj_store *store;
static char *path;

static void start(void)
{
    path = test_path("history.db");
    store = open_store(path);
}

static void finish(void)
{
    dj_store_close(store);
    free(path);
}

TestSuite(run_batches, .init = start, .fini = finish);

static void ignore_message(void *user, const char *message)
{
    (void)user;
    (void)message;
}

static struct dj_import_file read_text(const char *text)
{
    static const struct dj_messages receiver = {ignore_message, NULL};
    struct dj_import_file file = {.messages = &receiver, .source = "a.txt"};
    dj_text_add(&file.raw, text);
    cr_assert(dj_import_gfxinfo("unknown", NULL, &file));
    return file;
}

static const struct dj_import_batch *store_text(struct dj_import_batches *batches,
                                                const char *text)
{
    struct dj_import_file file = read_text(text);
    struct dj_error err = {0};
    const struct dj_import_batch *batch = dj_import_store_run(batches, &file, &err);
    cr_assert_not_null(batch, "%s", err.message);
    dj_import_finish(&file);
    return batch;
}

struct listed {
    int count;
    char text[400];
};

static int list_batch(void *user, const struct dj_batch_row *batch)
{
    struct listed *listed = user;
    size_t length = strlen(listed->text);
    snprintf(listed->text + length, sizeof(listed->text) - length, "%s %s %s %s;",
             batch->project, batch->name, batch->kind,
             batch->model != NULL ? batch->model : "-");
    listed->count++;
    return 0;
}

static int list_condition(void *user, const struct dj_condition_row *row)
{
    struct listed *listed = user;
    size_t length = strlen(listed->text);
    const struct dj_condition *condition = &row->condition;
    if (condition->text != NULL) {
        snprintf(listed->text + length, sizeof(listed->text) - length, "%s=%s;",
                 condition->name, condition->text);
    } else {
        snprintf(listed->text + length, sizeof(listed->text) - length, "%s=%g;",
                 condition->name, condition->value);
    }
    listed->count++;
    return 0;
}

static int list_evidence(void *user, const struct dj_evidence_row *row)
{
    struct listed *listed = user;
    size_t length = strlen(listed->text);
    snprintf(listed->text + length, sizeof(listed->text) - length, "%s;", row->kind);
    listed->count++;
    return 0;
}

static struct listed list_batches(void)
{
    struct listed listed = {0};
    struct dj_error err = {0};
    expect_ok(dj_store_read_batches(store, &(struct dj_batch_filter){0}, list_batch,
                                    &listed, &err),
              err);
    return listed;
}

static int get_key(void *user, const struct dj_run_row *run)
{
    *(int64_t *)user = run->key;
    return 0;
}

static int64_t find_last_run(const struct dj_import_batch *batch)
{
    int64_t key = 0;
    struct dj_error err = {0};
    expect_ok(dj_store_read_runs(store, batch->key, get_key, &key, &err), err);
    return key;
}

Test(run_batches, runs_of_one_package_are_one_batch)
{
    struct dj_import_batches batches = {.names = &no_names, .history = store};
    const struct dj_import_batch *first = store_text(&batches, GFXINFO("com.x"));
    const struct dj_import_batch *second = store_text(&batches, GFXINFO("com.x"));
    cr_expect_eq(first, second);
    cr_expect_eq(second->runs, 2);
    cr_expect_eq(batches.count, 1);
    cr_expect_str_eq(list_batches().text, "com.x import import -;");
    dj_import_batches_finish(&batches);
}

Test(run_batches, each_package_has_its_own_batch)
{
    struct dj_import_batches batches = {.names = &no_names, .history = store};
    store_text(&batches, GFXINFO("com.x"));
    store_text(&batches, GFXINFO("com.y"));
    cr_expect_eq(batches.count, 2);
    cr_expect_eq(list_batches().count, 2);
    dj_import_batches_finish(&batches);
}

Test(run_batches, names_of_the_user_are_stored)
{
    const struct dj_import_names names = {
        .label = "new", .build = "1.2", .commit = "0a1b", .device = "Pixel 6"};
    struct dj_import_batches batches = {.names = &names, .history = store};
    store_text(&batches, GFXINFO("com.x"));
    cr_expect_str_eq(list_batches().text, "com.x new import Pixel 6;");
    dj_import_batches_finish(&batches);
}

Test(run_batches, the_name_of_the_batch_precedes_the_label)
{
    const struct dj_import_names names = {.label = "new", .name = "scroll"};
    struct dj_import_batches batches = {.names = &names, .history = store};
    store_text(&batches, GFXINFO("com.x"));
    cr_expect_str_eq(list_batches().text, "com.x scroll import -;");
    dj_import_batches_finish(&batches);
}

Test(run_batches, facts_of_a_log_describe_the_device_and_the_run)
{
    static const char log[] = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n"
                              "Debian,AMD EPYC,RTX 3070,1024,6.1,4.5,schedutil\n"
                              "fps,frametime,cpu_load\n60,16.5,1\n60,x,1\n60,17,1\n";
    static const struct dj_messages receiver = {ignore_message, NULL};
    char *name = test_path("game.csv");
    FILE *to = fopen(name, "w");
    cr_assert_not_null(to);
    fputs(log, to);
    fclose(to);
    struct dj_import_file file = {0};
    cr_assert(dj_import_read(name, "game", &receiver, &file));
    struct dj_import_batches batches = {.names = &no_names, .history = store};
    struct dj_error err = {0};
    const struct dj_import_batch *batch = dj_import_store_run(&batches, &file, &err);
    cr_assert_not_null(batch, "%s", err.message);
    cr_expect_str_eq(list_batches().text, "game import import AMD EPYC, RTX 3070;");
    struct listed conditions = {0}, evidence = {0};
    int64_t run = find_last_run(batch);
    expect_ok(dj_store_read_conditions(store, run, list_condition, &conditions, &err),
              err);
    cr_expect(strstr(conditions.text, "imported-format=mangohud;") != NULL);
    cr_expect(strstr(conditions.text, "rows-left-out=1;") != NULL, "%s", conditions.text);
    cr_expect(strstr(conditions.text, "frames-late") == NULL);
    expect_ok(dj_store_read_evidence_rows(store, run, list_evidence, &evidence, &err),
              err);
    cr_expect_str_eq(evidence.text, "gfxinfo;log;");
    dj_import_finish(&file);
    dj_import_batches_finish(&batches);
    free(name);
}

Test(run_batches, late_frames_of_a_log_are_a_condition)
{
    struct dj_log_stream stream = {.run = 0, .late = 7};
    struct dj_import_file file = read_text(GFXINFO("com.x"));
    file.log.streams = malloc(sizeof(stream));
    cr_assert_not_null(file.log.streams);
    file.log.streams[0] = stream;
    file.log.stream_count = 1;
    file.log.sample_ns = 500000000;
    file.log.times_are = "mean";
    struct dj_import_batches batches = {.names = &no_names, .history = store};
    struct dj_error err = {0};
    const struct dj_import_batch *batch = dj_import_store_run(&batches, &file, &err);
    cr_assert_not_null(batch, "%s", err.message);
    struct listed conditions = {0};
    expect_ok(dj_store_read_conditions(store, find_last_run(batch), list_condition,
                                       &conditions, &err),
              err);
    cr_expect(strstr(conditions.text, "frames-late=7;") != NULL, "%s", conditions.text);
    cr_expect(strstr(conditions.text, "sample-interval=500;") != NULL);
    cr_expect(strstr(conditions.text, "frame-times-are=mean;") != NULL);
    dj_import_finish(&file);
    dj_import_batches_finish(&batches);
}

Test(run_batches, too_many_packages_are_an_error)
{
    struct dj_import_batches *batches = calloc(1, sizeof(*batches));
    cr_assert_not_null(batches);
    batches->names = &no_names;
    batches->history = store;
    batches->count = DJ_IMPORT_BATCHES;
    for (size_t i = 0; i < DJ_IMPORT_BATCHES; i++) {
        batches->batch[i].package = strdup("com.other");
        batches->batch[i].device = strdup("");
    }
    struct dj_import_file file = read_text(GFXINFO("com.x"));
    struct dj_error err = {0};
    cr_expect_null(dj_import_store_run(batches, &file, &err));
    cr_expect_eq(err.code, DJ_E_LIMIT);
    dj_import_finish(&file);
    dj_import_batches_finish(batches);
    free(batches);
}

Test(run_batches, a_batch_whose_first_run_fails_is_removed)
{
    struct dj_import_batches batches = {.names = &no_names, .history = store};
    struct dj_import_file file = read_text(GFXINFO("com.x"));
    struct dj_error err = {0};
    dj_store_close(store);
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    batches.history = store;
    cr_expect_null(dj_import_store_run(&batches, &file, &err));
    cr_expect_eq(batches.count, 0);
    cr_expect_neq(err.code, 0);
    dj_import_finish(&file);
    dj_import_batches_finish(&batches);
}
