#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/upkeep.h"
#include "support.h"

static void ignore_problem(void *user, const char *sentence)
{
    cr_log_error("%s", sentence);
    (void)user;
}

static struct dj_store_check_result check(const char *path)
{
    struct dj_store *store;
    struct dj_store_check_result checked;
    struct dj_error err = {0};
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    expect_ok(dj_store_check(store, ignore_problem, NULL, &checked, &err), err);
    cr_assert_eq(checked.problems, 0);
    dj_store_close(store);
    return checked;
}

/* Starts a process that opens the store and writes runs. The process exits with status
 * 0. */
static pid_t start_writer(const char *path, int runs)
{
    pid_t writer = fork();
    cr_assert_geq(writer, 0);
    if (writer == 0) {
        struct dj_store *store;
        struct dj_error err = {0};
        if (dj_store_open(path, DJ_STORE_CREATE, &store, &err) != 0) {
            _exit(1);
        }
        add_batch(store, "writer", runs);
        dj_store_close(store);
        _exit(0);
    }
    return writer;
}

/* The processes also create the store at the same time. */
Test(processes, several_writers_write_at_once, .timeout = 60)
{
    enum { WRITERS = 4, RUNS = 15 };
    char *path = test_path("history.db");
    pid_t writers[WRITERS];
    for (size_t i = 0; i < WRITERS; i++) {
        writers[i] = start_writer(path, RUNS);
    }
    for (size_t i = 0; i < WRITERS; i++) {
        int status;
        cr_assert_eq(waitpid(writers[i], &status, 0), writers[i]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    struct dj_store_check_result checked = check(path);
    cr_assert_eq(checked.batches, WRITERS);
    cr_assert_eq(checked.runs, WRITERS * RUNS);
    cr_assert_eq(checked.evidence, RUNS, "equal texts are stored once");
    free(path);
}

/* A store that another process is creating is not mistaken for a file of another
 * program. */
Test(processes, several_writers_create_one_store, .timeout = 60)
{
    enum { MAKERS = 6, TIMES = 40 };
    char *path = test_path("history.db");
    for (int i = 0; i < TIMES; i++) {
        pid_t makers[MAKERS];
        for (size_t k = 0; k < MAKERS; k++) {
            makers[k] = start_writer(path, 0);
        }
        for (size_t k = 0; k < MAKERS; k++) {
            int status;
            cr_assert_eq(waitpid(makers[k], &status, 0), makers[k]);
            cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "time %d", i);
        }
        cr_assert_eq(check(path).batches, MAKERS);
        unlink(path);
    }
    free(path);
}

static int64_t runs_in(const char *path)
{
    struct dj_store *store;
    int64_t runs = 0;
    struct dj_error err = {0};
    expect_ok(dj_store_open(path, DJ_STORE_READ, &store, &err), err);
    expect_ok(dj_store_read_runs(store, 1, count_run, &runs, &err), err);
    dj_store_close(store);
    return runs;
}

/* Whenever a writer is killed, committed runs are complete and other runs are missing. */
Test(processes, a_killed_writer_leaves_whole_runs, .timeout = 60)
{
    char *path = test_path("history.db");
    int64_t before = 0;
    /* A busy machine may need longer to write the first run. */
    for (int i = 0; i < 12 || before == 0; i++) {
        const struct timespec pause = {.tv_nsec = (3000000 + 5700000 * i) % 1000000000};
        pid_t writer = start_writer(path, 1000000);
        nanosleep(&pause, NULL);
        kill(writer, SIGKILL);
        waitpid(writer, NULL, 0);
        if (access(path, F_OK) != 0) {
            continue;
        }
        /* This also opens a store that was only partly created. */
        struct dj_store *store = open_store(path);
        dj_store_close(store);
        struct dj_store_check_result checked = check(path);
        cr_assert_geq(checked.runs, before);
        before = checked.runs;
    }
    cr_assert_gt(before, 0);
    free(path);
}

Test(processes, a_reader_sees_whole_runs, .timeout = 60)
{
    char *path = test_path("history.db");
    struct dj_store *store = open_store(path);
    dj_store_close(store);
    pid_t writer = start_writer(path, 20);
    int64_t seen = 0;
    int status;
    while (waitpid(writer, &status, WNOHANG) == 0) {
        int64_t now = runs_in(path);
        cr_assert_geq(now, seen);
        seen = now;
    }
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cr_assert_eq(runs_in(path), 20);
    check(path);
    free(path);
}
